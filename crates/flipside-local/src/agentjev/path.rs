//! Token paths: three pieces, each tokenised on its own (the AgentJev page, 3.3).

use super::question::Question;
use crate::error::AskError;
use crate::python;
use crate::tokens::Tokens;

/// Tokens of a path, at most.
pub(crate) const LIMIT: usize = 2048;

/// The tokens of one question about one state; path i is state, question and candidate i in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paths {
    /// The state's piece.
    pub state: Vec<u32>,
    /// The question's piece.
    pub question: Vec<u32>,
    /// The candidates' pieces, in order.
    pub candidates: Vec<Vec<u32>>,
}

impl Paths {
    /// # Errors
    /// [`AskError`] if a path is too long; nothing is cut.
    pub(crate) fn of(tokens: &Tokens, state: &str, question: &Question) -> Result<Self, AskError> {
        let state = if state.starts_with("[STATE]") {
            tokens.encode(state)?
        } else {
            tokens.encode(&format!("[STATE] {state}"))?
        };
        let piece = |name: &str, text: &str| tokens.encode(&format!("\n[{name}] {text}"));
        let paths = Self {
            state,
            question: piece("QUESTION", &question.text)?,
            candidates: question
                .candidates
                .iter()
                .map(|text| piece("CANDIDATE", text))
                .collect::<Result<_, _>>()?,
        };
        let longest = paths.lengths().max().unwrap_or(0);
        if longest > LIMIT {
            return Err(AskError::refused(format!(
                "question {} needs {longest} tokens; limit {LIMIT}. Shorten the input; nothing was truncated.",
                python::quoted(&question.id)
            )));
        }
        Ok(paths)
    }

    /// How many tokens each path has.
    pub fn lengths(&self) -> impl Iterator<Item = usize> {
        let before = self.state.len() + self.question.len();
        self.candidates
            .iter()
            .map(move |candidate| before + candidate.len())
    }

    /// Path `i` as one sequence.
    pub fn path(&self, i: usize) -> Vec<u32> {
        [&self.state[..], &self.question, &self.candidates[i]].concat()
    }
}
