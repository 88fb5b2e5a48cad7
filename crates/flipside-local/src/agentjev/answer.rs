//! Answers from logits (the AgentJev page, 6 and 7).

use flipside_core::case::QuestionKind;

use super::question::Question;
use crate::error::AskError;
use crate::softmax::{first_largest, softmax};

/// How far a distribution's sum may lie from 1.
const SUM: f32 = 1e-4;

/// What a checkpoint answers to one question, nothing rounded; lists are in the order of the candidates.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Raw logits.
    pub logits: Vec<f32>,
    /// The temperature that they were divided by.
    pub temperature: f64,
    /// Probabilities.
    pub probabilities: Vec<f32>,
    /// The first largest probability's candidate.
    pub choice: usize,
    /// The expected level of a score.
    pub score: Option<f64>,
}

impl Answer {
    /// # Errors
    /// [`AskError`] if the logits are no distribution: one is not finite.
    pub fn of(question: &Question, logits: Vec<f32>, temperature: f64) -> Result<Self, AskError> {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the original divides in 32 bits"
        )]
        let probabilities = softmax(&logits, temperature as f32);
        let sum: f32 = probabilities.iter().sum();
        if probabilities.iter().any(|p| !p.is_finite()) || (sum - 1.0).abs() > SUM {
            return Err(AskError::refused(
                "the logits are no distribution: one is not finite",
            ));
        }
        let levels = probabilities.iter().map(|p| f64::from(*p)).enumerate();
        let score = (question.kind == QuestionKind::Score)
            .then(|| levels.map(|(level, p)| level as f64 * p).sum());
        Ok(Self {
            choice: first_largest(&probabilities),
            logits,
            temperature,
            probabilities,
            score,
        })
    }

    /// The largest probability's lead over the second.
    pub fn margin(&self) -> f32 {
        let second = (0..self.probabilities.len())
            .filter(|place| *place != self.choice)
            .map(|place| self.probabilities[place])
            .fold(0.0, f32::max);
        self.probabilities[self.choice] - second
    }
}
