//! What stands behind pairs of recorded answers, for which nothing was asked.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::compare::About;
use crate::perturb::Axis;
use crate::recorded::Difference;

/// Where pairs of recorded answers come from, and what they do not say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecordedPairs {
    /// The set that is compared with.
    pub baseline: About,
    /// The set that is compared; null where one set holds several orders of each case.
    pub variant: Option<About>,
    /// Cases on both sides, whose answers are compared.
    pub joined: u64,
    /// Cases that only the baseline has.
    pub only_baseline: u64,
    /// Cases that only the variant has.
    pub only_variant: u64,
    /// Ids that one side has more than once, with different content or answers: they are compared with nothing.
    pub repeated: u64,
    /// Cases left out because the two sides offered options that cannot be told to be the same.
    pub other_options: u64,
    /// Cases left out because the two sides asked different types of question.
    pub other_types: u64,
    /// Cases of which the two sides accept different options; the baseline's are taken.
    pub other_labels: u64,
    /// Cases among `joined` whose ask failed on the baseline's side, and on the variant's.
    pub failed: [u64; 2],
    /// Cases among `joined` that both sides asked in the same way, so that there was nothing to flip.
    pub same_request: u64,
    /// Cases among `joined` without an order of their options on record: no position can be told.
    pub unlisted: u64,
    /// Recorded asks that are in no figure: further orders of one of two sides, or other axes of a single set.
    pub not_compared: u64,
    /// What differs within pairs beside what names their axis.
    pub also: Vec<AlsoDiffers>,
    /// Cases whose order differs while a text that lists the options kept its own.
    pub quoted: Quoted,
}

impl RecordedPairs {
    /// Nothing counted yet of the records `baseline` and `variant`; without a second one the first holds several orders.
    pub fn new(baseline: About, variant: Option<About>) -> Self {
        Self {
            baseline,
            variant,
            joined: 0,
            only_baseline: 0,
            only_variant: 0,
            repeated: 0,
            other_options: 0,
            other_types: 0,
            other_labels: 0,
            failed: [0; 2],
            same_request: 0,
            unlisted: 0,
            not_compared: 0,
            also: Vec::new(),
            quoted: Quoted::default(),
        }
    }
}

/// Something that differs within pairs beside what they are about, so that their flips may be due to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AlsoDiffers {
    /// The axis of the pairs.
    pub axis: Axis,
    /// What differs too.
    pub what: Difference,
    /// In how many pairs.
    pub pairs: u64,
    /// For company: how many questions were in one request on the baseline's side and on the variant's, in most of these pairs.
    pub questions: Option<[u64; 2]>,
}

/// Cases in which a text names two options or more, while their order was changed around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Quoted {
    /// Cases whose state does.
    pub state: u64,
    /// Cases whose instructions do.
    pub instructions: u64,
}
