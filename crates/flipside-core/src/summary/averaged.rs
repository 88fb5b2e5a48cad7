//! What comes out of averaging a case's answers over its orders.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::figure::Accuracy;
use super::orders::Range;
use crate::case::QuestionKind;

/// The answer that all orders of a case give together, the own one included, each once.
///
/// Over cases that were planned in another order and have two options or more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AveragedAnswer {
    /// Cases with probabilities in every order.
    pub cases: u64,
    /// Orders of these cases.
    pub orders: Option<Range>,
    /// Cases left out because an ask failed or was not made, or another model served it than the own order's.
    pub left_out: u64,
    /// Cases left out because an answer has no probabilities.
    pub without_probabilities: u64,
    /// The option with the largest mean of its probabilities, as reported; of equals the lowest identity.
    pub mean: AveragedBy,
    /// The option that most orders chose; of equals the one with the largest mean, then the lowest identity.
    pub vote: AveragedBy,
    /// How often each key is the answer, over the cases that offer it: of the keys of two cases or more the 50 with most cases, of equals
    /// the first by name. Keys that belong to places name no option.
    pub keys: Vec<AveragedKey>,
    /// Such keys beyond those.
    pub keys_left_out: u64,
}

/// Answers by one way of averaging.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AveragedBy {
    /// Cases in which options tie: by the mean within float noise, by vote in the number of orders.
    pub ties: u64,
    /// Cases whose own order gives another answer.
    pub changed: u64,
    /// Accepted answers, with this way of averaging as the variant beside the own order; null without labels.
    pub accuracy: Option<Accuracy>,
}

/// How often one key is the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AveragedKey {
    /// How the questions are answered.
    pub question: QuestionKind,
    /// The key; a level by its number.
    pub key: String,
    /// Cases that offer it.
    pub cases: u64,
    /// Cases whose own order chose it.
    pub own: u64,
    /// Cases in which its mean is the largest.
    pub mean: u64,
    /// Cases in which most orders chose it.
    pub vote: u64,
}
