//! Figures of parts of the cases, to look at and not to judge by.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::drift::ReportedDrift;

/// Every split of the cases, with one correction for all that was tested.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Splits {
    /// What a flag among them says.
    pub claim: SplitClaim,
    /// Adjusted p values up to this are flagged.
    pub alpha: f64,
    /// Tests that were adjusted together, by Benjamini and Hochberg: of all splits, fit and every order. The two values of a
    /// split of two are one test.
    pub tests: u64,
    /// The splits.
    pub by: Vec<Split>,
}

/// What a flagged slice says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SplitClaim {
    /// Where to look next. It is no finding, decides no gate, and needs cases of its own to become one.
    Exploratory,
}

/// The cases split by one property.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Split {
    /// The property.
    pub kind: SplitKind,
    /// The field's name; for every other kind the kind's.
    pub name: String,
    /// Cases without it, in no slice: without the field, or, for the served model, without an answer that names one.
    pub cases_without: u64,
    /// The values with most cases, at most 50: numbers by size, then texts.
    pub values: Vec<SplitValue>,
    /// Values that are left out, and tested neither.
    pub values_left_out: u64,
    /// Why nothing is tested.
    pub reason: Option<String>,
}

/// What cases are split by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SplitKind {
    /// Whether options have texts beside their keys: `bare`, `partly described` or `described`.
    Described,
    /// The number of options.
    Options,
    /// How the question is answered.
    Question,
    /// The model that the baseline's reply names.
    Model,
    /// A field of the cases.
    Field,
}

impl SplitKind {
    /// The name in the summary.
    pub fn name(self) -> &'static str {
        match self {
            Self::Described => "described",
            Self::Options => "options",
            Self::Question => "question",
            Self::Model => "model",
            Self::Field => "field",
        }
    }
}

/// The cases of one value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SplitValue {
    /// The value.
    pub value: String,
    /// Cases.
    pub cases: u64,
    /// Own-order answers against the accepted options; null without a labelled case.
    pub fit: Option<Slice>,
    /// By axis, then by variant: its pairs.
    pub axes: IndexMap<String, IndexMap<String, Slice>>,
}

/// One figure of one slice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Slice {
    /// The denominator: pairs that could be compared; for fit, labelled cases with an answer.
    pub pairs: u64,
    /// Flips; for fit, accepted answers.
    pub hits: u64,
    /// Pairs of all other values of the split together.
    pub rest_pairs: u64,
    /// Hits among them.
    pub rest_hits: u64,
    /// Pairs, or for fit answers, with a failed ask.
    pub missing: u64,
    /// The same with an ask that was not made.
    pub unasked: u64,
    /// Pairs in which neither answer decided; for fit, answers that did not decide.
    pub no_decision: u64,
    /// Cases that the change could not change.
    pub vacuous: u64,
    /// The share of hits; null without pairs.
    pub rate: Option<f64>,
    /// Two-sided 95 % interval of the share: Wilson's, or with clusters that of Korn and Graubard.
    pub interval: Option<[f64; 2]>,
    /// Fisher's exact two-sided test that the share is that of all other values together; null where `reason` of the split
    /// says why, or where one side has no pairs.
    pub p: Option<f64>,
    /// The same after the adjustment for all tests.
    pub adjusted_p: Option<f64>,
    /// Whether the adjusted p value is at most `alpha`.
    pub flagged: bool,
    /// How far the probabilities of these pairs moved, as reported; null for fit, for variants that change which options are offered,
    /// and without a pair that has probabilities.
    pub drift: Option<ReportedDrift>,
}
