//! A whole request answered as a server would, by any model that reads System One questions.

use std::fmt::Write as _;

use flipside_core::json::{Json, Object};

use super::answer::Answer;
use super::question::{Question, State};
use super::sequence::Cuts;
use crate::error::AskError;
use crate::written::{INFALLIBLE, quoted};

/// What one question adds to a reply.
pub(crate) struct Said {
    pub(crate) answer: Answer,
    pub(crate) cuts: Cuts,
    /// Tokens that were read.
    pub(crate) tokens: usize,
}

/// The questions of a System One `request` by id, each with what `prepare` makes of it and the state.
///
/// # Errors
/// [`AskError`] for a request that a server would refuse, naming the question.
pub(crate) fn prepared<T>(
    request: &Json,
    prepare: impl Fn(&State, &Question) -> Result<T, AskError>,
) -> Result<Vec<(&str, Question, T)>, AskError> {
    let (state, questions) = parts(request)?;
    let state = State::of(state)?;
    let mut all = Vec::with_capacity(questions.len());
    for (id, question) in questions.members() {
        if id.trim().is_empty() {
            return Err(AskError::refused("a question's name must not be blank"));
        }
        let named = |error: AskError| error.of_question(id);
        let question = Question::parse(question).map_err(named)?;
        let prepared = prepare(&state, &question).map_err(named)?;
        all.push((id.as_str(), question, prepared));
    }
    Ok(all)
}

/// The reply of a model that calls itself `name`, with what `answer` says of each question.
///
/// # Errors
/// Those of `answer`.
pub(crate) fn reply<T>(
    name: &str,
    prepared: Vec<(&str, Question, T)>,
    mut answer: impl FnMut(&Question, T) -> Result<Said, AskError>,
) -> Result<String, AskError> {
    let mut out = String::from("{\"model\":");
    quoted(name, &mut out);
    out.push_str(",\"answers\":{");
    let (mut tokens, mut state_tokens, mut dropped, mut truncated) = (0, 0, 0, 0);
    for (place, (id, question, prepared)) in prepared.into_iter().enumerate() {
        let said = answer(&question, prepared)?;
        if place > 0 {
            out.push(',');
        }
        quoted(id, &mut out);
        out.push(':');
        let cuts = &said.cuts;
        said.answer.write(&question, cuts, &mut out);
        tokens += said.tokens;
        state_tokens += cuts.state.0;
        dropped += cuts.state.0 - cuts.state.1;
        truncated += usize::from(cuts.any());
    }
    write!(
        out,
        "}},\"usage\":{{\"input_tokens\":{tokens},\"state_tokens\":{state_tokens},\"state_tokens_dropped\":{dropped},\"truncated_questions\":{truncated}}}}}"
    )
    .expect(INFALLIBLE);
    Ok(out)
}

/// The state and the first question of a System One request.
///
/// # Errors
/// [`AskError`] for a request that a server would refuse.
pub fn only(request: &Json) -> Result<(State, Question), AskError> {
    let (state, questions) = parts(request)?;
    let (id, question) = &questions.members()[0];
    let question = Question::parse(question).map_err(|error| error.of_question(id))?;
    Ok((State::of(state)?, question))
}

fn parts(request: &Json) -> Result<(&Json, &Object), AskError> {
    let missing = || AskError::refused("the request needs `state` and an object of `questions`");
    let request = request.as_object().ok_or_else(missing)?;
    let state = request.get("state").ok_or_else(missing)?;
    let questions = request
        .get("questions")
        .and_then(Json::as_object)
        .filter(|questions| !questions.is_empty())
        .ok_or_else(missing)?;
    Ok((state, questions))
}
