//! What the study found.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The order study of one model over the questions of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Invariance {
    /// How the user names the model.
    pub model: String,
    /// What identifies its weights, in hexadecimal digits, where something does.
    pub digest: Option<String>,
    /// In what numbers it computed, such as `f32`.
    pub precision: String,
    /// The distance from 1 to the next larger of these numbers.
    pub epsilon: f64,
    /// Seed of sampled permutations.
    pub seed: u64,
    /// What was asked.
    pub questions: Questions,
    /// What could not be asked.
    pub refused: Refused,
    /// All of them.
    pub all: Changes,
    /// The same by number of options, fewest first; only where there are several numbers.
    pub by_options: Vec<ByOptions>,
    /// Logits by slot where every option has the same text, by number of options; empty where a model takes no equal texts.
    pub slots: Vec<SlotBias>,
    /// What can be said.
    pub statement: Statement,
}

/// How many questions there were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Questions {
    /// Choices studied.
    pub choice: u64,
    /// Scores studied.
    pub score: u64,
    /// Statements: the order of their two sides is fixed, and nothing was asked.
    pub noul: u64,
    /// Choices and scores with one option: nothing can be moved.
    pub single: u64,
}

/// Questions that the model cannot be asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Refused {
    /// Which.
    pub cases: Listed,
    /// Why the first of them.
    pub reason: Option<String>,
}

/// How far figures moved over questions of one kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Changes {
    /// A: the list reversed, each side computed from the text on.
    pub reverse: Part,
    /// Questions whose vectors were bit by bit the same under reversal.
    pub identical_vectors: u64,
    /// A: components of option vectors.
    pub reverse_vectors: Option<Spread>,
    /// A: probabilities.
    pub reverse_probabilities: Option<Spread>,
    /// B: every order, or as many as were drawn.
    pub permutations: Part,
    /// Orders in B that were computed from the vectors of one pass, which their bits allow; the others are whole passes.
    pub by_head: u64,
    /// Questions in B of which only some orders were drawn.
    pub drawn: u64,
    /// C: one option left out; logits of the others.
    pub leave_one_out: Option<Spread>,
    /// D: lists of the same size that differ in one neighbour; the logit of an option in both.
    pub swap: Option<Spread>,
    /// Comparisons of C and D that were left out because another number of tokens was read.
    pub cut: u64,
}

/// Orders compared with the file's own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    /// Questions.
    pub questions: u64,
    /// Orders compared, the file's own included where it is one of them.
    pub orders: u64,
    /// Orders in which another option was chosen.
    pub changed: u64,
    /// Questions in which another option was chosen in some order.
    pub changed_questions: Listed,
    /// Raw logits: the worst move of each order.
    pub logits: Option<Spread>,
}

/// Cases by id: how many, and the first of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Listed {
    /// How many.
    pub count: u64,
    /// The first ones, in the order of the file.
    pub first: Vec<String>,
}

/// How far something moved: absolute differences.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Spread {
    /// How many differences.
    pub values: u64,
    /// The median; of an even number the mean of the two in the middle.
    pub median: f64,
    /// The largest.
    pub worst: f64,
    /// The case that has it.
    pub worst_case: String,
}

/// Changes over the questions of one number of options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ByOptions {
    /// The number of options.
    pub options: u64,
    /// What changed.
    pub changes: Changes,
}

/// Logits by slot where every option has the same text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SlotBias {
    /// The number of options.
    pub options: u64,
    /// The case whose state and question were asked.
    pub case: String,
    /// The logit of each slot less the mean of all.
    pub logits: Vec<f64>,
}

/// What can be said of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Statement {
    /// Whether no order changed an answer and no logit moved by more than the tolerance.
    pub invariant: bool,
    /// The most that a logit may move by rounding: 64 steps of the numbers computed in, at most a 32nd, of the largest logit.
    pub tolerance: f64,
    /// The largest logit less the mean of its list, without its sign.
    pub largest_logit: f64,
    /// The most that a logit moved in A or B.
    pub moved: f64,
    /// How often the median of C fits into the most that a logit moved by order; `None` where nothing moved or C has no value.
    pub composition_over_order: Option<f64>,
}
