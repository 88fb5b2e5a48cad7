//! The port: what a model shows of its inside.

use crate::present::Presentation;

/// A model in process that shows more than its answer. Every call computes anew, from nothing that another call left behind.
pub trait Inside: Sync {
    /// In what numbers it computes.
    fn precision(&self) -> Precision;

    /// One whole pass.
    ///
    /// # Errors
    /// Why it cannot be asked this, as a lower-case fragment.
    fn see(&self, shown: &Presentation<'_>) -> Result<Seen, String>;

    /// The logits of option vectors as they stand, where nothing but their vectors goes into them; `None` where everything that a
    /// model reads goes into each.
    ///
    /// # Errors
    /// Why the pass failed.
    fn rescore(&self, vectors: &[Vec<f32>]) -> Option<Result<Vec<f32>, String>>;

    /// The logits by slot where every slot of `shown` has the text of the first, past every rule that options differ; `None` where a
    /// model cannot be shown that.
    ///
    /// # Errors
    /// Why the pass failed.
    fn equal_slots(&self, shown: &Presentation<'_>) -> Option<Result<Vec<f32>, String>>;
}

/// Numbers that a forward pass is computed in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precision {
    /// Their name, such as `f32`.
    pub name: &'static str,
    /// The distance from 1 to the next larger one.
    pub epsilon: f64,
}

/// What one pass shows; every list by position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen {
    /// The vector of each option, from which its logit is computed.
    pub vectors: Vec<Vec<f32>>,
    /// Raw logits.
    pub logits: Vec<f32>,
    /// Probabilities.
    pub probabilities: Vec<f32>,
    /// The position of the first largest probability.
    pub choice: usize,
    /// How many tokens each option kept and the state kept: where these differ, two passes did not read the same.
    pub kept: Vec<usize>,
}
