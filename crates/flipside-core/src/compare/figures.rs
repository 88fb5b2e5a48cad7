//! The finished comparison: every difference with its denominators, interval and test.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use super::answers::About;
use super::axes::{AxisComparison, AxisLeftOut};
use super::between::DriftBetween;
use super::fields::By;
use super::named::Changes;
use crate::stats::Method;

/// Name and version of the comparison's shape.
pub const SCHEMA: &str = "flipside.comparison/1";

/// Two answer sets against each other. Every difference is variant minus baseline.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Comparison {
    /// Name and version of this shape.
    pub schema: String,
    /// Version of the methods behind the figures.
    pub method: u32,
    /// The flipside that compared.
    pub flipside: String,
    /// The first answer set.
    pub baseline: About,
    /// The second answer set.
    pub variant: About,
    /// Error rate of each one-sided test, and of the two-sided one that `pairs_needed` is for.
    pub alpha: f64,
    /// The seed of the bootstrap.
    pub seed: u64,
    /// The version of its draws.
    pub draws: String,
    /// How many resamples it draws.
    pub resamples: u32,
    /// Cases: in both, and left out.
    pub cases: CaseCounts,
    /// Fields whose values differ between the two in common cases, in byte order; `backend`, which names who answered, is none of
    /// them.
    pub other_fields: Vec<OtherField>,
    /// Other orders that only the baseline asked.
    pub orders_only_baseline: Vec<String>,
    /// Other orders that only the variant asked.
    pub orders_only_variant: Vec<String>,
    /// By order that both asked; `own` first. `A = B` is one order under two names.
    pub orders: IndexMap<String, OrderComparison>,
    /// By variant of every other axis that both asked, and of the control: `keys/abstract`, `same/1`.
    pub axes: IndexMap<String, AxisComparison>,
    /// Variants of other axes that are not compared, and why.
    pub axes_left_out: Vec<AxisLeftOut>,
    /// The common cases in parts: by every field that was asked for.
    pub by: By,
    /// Over all orders that both asked, the own one included.
    pub all_orders: AllOrders,
    /// What was demanded, and whether it is shown.
    pub verdicts: Vec<VerdictLine>,
    /// The exit code: 0 everything demanded is shown or nothing was demanded, 1 otherwise.
    pub exit: u8,
}

/// Cases of two answer sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CaseCounts {
    /// In both with the same content.
    pub common: u64,
    /// Among them, with the same accepted options in both: those that accuracy is about.
    pub labelled: u64,
    /// Among them, with other accepted options in each; not in accuracy.
    pub other_labels: u64,
    /// Only in the baseline; left out.
    pub only_baseline: u64,
    /// Only in the variant; left out.
    pub only_variant: u64,
    /// One id, different content, or other options declared to be one answer; left out.
    pub other_content: u64,
    /// Cases of the baseline that repeat id and content of an earlier one of it; left out.
    pub repeated_baseline: u64,
    /// Cases of the variant that do; left out.
    pub repeated_variant: u64,
    /// Common cases with a field, other than `backend`, whose value differs between the two.
    pub other_fields: u64,
    /// Common cases of which a side has no order of the options on record: their options are matched by key, only their answers
    /// are compared, and nothing is said about order or position.
    pub unlisted: u64,
}

/// A field whose value differs between the two.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OtherField {
    /// The field.
    pub field: String,
    /// Common cases in which it differs, or which have it on one side only.
    pub cases: u64,
}

/// Asks of one order in common cases that cannot be paired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LeftOut {
    /// Failed in the baseline only.
    pub failed_baseline: u64,
    /// Failed in the variant only.
    pub failed_variant: u64,
    /// Failed in both.
    pub failed_both: u64,
    /// Not made yet by the unfinished baseline.
    pub unasked_baseline: u64,
    /// Not made yet by the unfinished variant.
    pub unasked_variant: u64,
    /// Asked only in the baseline.
    pub only_baseline: u64,
    /// Asked only in the variant.
    pub only_variant: u64,
    /// Cases that this name showed in another order in each.
    pub other_order: u64,
    /// Answered by another served model than the case's own order, in either.
    pub other_version: u64,
}

/// One order in both answer sets.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct OrderComparison {
    /// What cannot be paired.
    pub left_out: LeftOut,
    /// Answers that differ between the two.
    pub answers: Differing,
    /// Accuracy under this order in each; null without common labels.
    pub accuracy: Option<Paired>,
    /// Flips from the own order to this one in each; null for the own order.
    pub flips: Option<Paired>,
    /// How far the probabilities of the two are apart.
    pub drift: DriftBetween,
    /// The cases whose answers differ.
    pub cases: Changes,
}

/// Answers to the same presentation that differ between the two.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Differing {
    /// The share of `of` that differ.
    #[serde(flatten)]
    pub share: Share,
    /// Among them, those in which an answer's top two probabilities are equal as reported.
    pub within_tie: u64,
    /// Cases in which neither decided; not in `of`.
    pub no_decision: u64,
}

/// A count with its share.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Share {
    /// How many.
    pub count: u64,
    /// Of how many.
    pub of: u64,
    /// The share; null of none.
    pub rate: Option<f64>,
    /// Two-sided 95 % Wilson interval.
    pub interval: Option<[f64; 2]>,
}

/// A yes or no of the same cases in both.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Paired {
    /// Cases measured in both.
    pub of: u64,
    /// Yes in both.
    pub both: u64,
    /// Yes in the baseline only.
    pub baseline_only: u64,
    /// Yes in the variant only.
    pub variant_only: u64,
    /// Yes in neither.
    pub neither: u64,
    /// Cases with a failed or unmade ask in either; not in `of`.
    pub missing: u64,
    /// For flips, cases in which the two answers of a side both did not decide; not in `of`.
    pub no_decision: u64,
    /// The baseline's share.
    pub baseline: Share,
    /// The variant's share.
    pub variant: Share,
    /// Variant minus baseline; null of none.
    pub difference: Option<f64>,
    /// Two-sided 95 % Newcombe interval of the difference.
    pub difference_interval: Option<[f64; 2]>,
    /// Exact McNemar test of no difference.
    pub mcnemar_p: Option<f64>,
    /// Its mid-p form; never the basis of a gate.
    pub mcnemar_mid_p: Option<f64>,
    /// Cases that would show a difference of the observed size with a chance of 80 %; null where none is observed.
    pub pairs_needed: Option<u64>,
}

/// Figures over all orders that both asked.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AllOrders {
    /// Answers that differ between the two; null where no case was answered by both.
    pub answers: Option<Pooled>,
    /// Accuracy averaged over orders; null without common labels or another common order.
    pub accuracy: Option<MeanDifference>,
    /// Pairwise disagreement between the orders of a case; null without another common order.
    pub disagreement: Option<MeanDifference>,
    /// Cases that are not unanimous over their orders.
    pub any_flip: AnyFlip,
    /// How far other orders move the probabilities; null where a side has none.
    pub drift: Option<DriftComparison>,
}

/// A mean over cases of a share of a case's asks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Pooled {
    /// How many asks.
    pub count: u64,
    /// Of how many.
    pub of: u64,
    /// Cases with such asks; they, not asks, are independent.
    pub cases: u64,
    /// Mean over cases.
    pub mean: f64,
    /// Two-sided 95 % betting interval over cases.
    pub interval: [f64; 2],
}

/// A mean over the same cases in both, and its difference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MeanDifference {
    /// Cases.
    pub cases: u64,
    /// Asks of each side.
    pub asks: u64,
    /// The baseline's mean over cases.
    pub baseline: f64,
    /// The variant's.
    pub variant: f64,
    /// Variant minus baseline.
    pub difference: f64,
    /// Two-sided 95 % interval of the difference, over cases.
    pub interval: [f64; 2],
    /// How the interval was computed: a bootstrap, or betting where fewer than 10 cases depart from the most frequent
    /// difference and resamples would all be alike.
    pub interval_method: Method,
    /// Cases whose value differs between the two.
    pub differing: u64,
}

/// Cases that are not unanimous over their orders.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AnyFlip {
    /// Orders per case, the own one included; null where cases have different numbers.
    pub orders: Option<u64>,
    /// Both sides; null where they must not be compared.
    pub shares: Option<Paired>,
    /// Why they are not.
    pub reason: Option<String>,
}

/// How far other orders move the probabilities, in each.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DriftComparison {
    /// Cases with probabilities in both.
    pub cases: u64,
    /// Pairs of orders of these cases.
    pub pairs: u64,
    /// Pairs of answers without probabilities on a side.
    pub without_probabilities: u64,
    /// Jensen-Shannon divergence, in bits.
    pub jensen_shannon_bits: SpreadDifference,
    /// Total variation.
    pub total_variation: SpreadDifference,
    /// Largest change of log-odds over the own order's margin; null where it is not finite for any pair.
    pub headroom: Option<SpreadDifference>,
    /// Pairs without a finite headroom on a side: a tie or a zero.
    pub headroom_undefined: u64,
}

/// Median and 95th percentile in both.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SpreadDifference {
    /// Cases whose values differ between the two.
    pub differing: u64,
    /// The 50th percentile.
    pub median: QuantileDifference,
    /// The 95th percentile.
    pub p95: QuantileDifference,
    /// Why a quantile has no interval.
    pub reason: Option<String>,
}

/// A quantile in both, and its difference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct QuantileDifference {
    /// The baseline's.
    pub baseline: f64,
    /// The variant's.
    pub variant: f64,
    /// Variant minus baseline.
    pub difference: f64,
    /// Two-sided 95 % interval by a bootstrap over cases; null where resamples are all alike.
    pub interval: Option<[f64; 2]>,
}

/// What is demanded of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Claim {
    /// The same within the margin; for flips, no more than the margin above.
    Equivalent,
    /// Not worse by more than the margin.
    NotWorse,
}

/// The words of a comparison. `probe` uses none of them but `not measured`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub enum Word {
    /// Accuracy is the same within the margin.
    #[serde(rename = "equivalent")]
    Equivalent,
    /// That is not shown.
    #[serde(rename = "not shown equivalent")]
    NotEquivalent,
    /// Flips rise by no more than the margin.
    #[serde(rename = "flips kept")]
    FlipsKept,
    /// That is not shown.
    #[serde(rename = "flips not shown kept")]
    FlipsNotKept,
    /// Not worse by more than the margin.
    #[serde(rename = "not worse")]
    NotWorse,
    /// Worse by more than the margin.
    #[serde(rename = "worse")]
    Worse,
    /// Neither is shown.
    #[serde(rename = "not shown")]
    NotShown,
    /// There is nothing to compare.
    #[serde(rename = "not measured")]
    NotMeasured,
}

/// One demand and what the cases show of it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct VerdictLine {
    /// What is demanded.
    pub claim: Claim,
    /// `accuracy` or `flips`.
    pub subject: String,
    /// The order.
    pub order: String,
    /// The margin, a share.
    pub margin: f64,
    /// Variant minus baseline; null of none.
    pub difference: Option<f64>,
    /// Its interval, in which each end is a one-sided bound at `alpha`.
    pub interval: Option<[f64; 2]>,
    /// Cases with a failed or unmade ask; each claim must hold whatever they would have said.
    pub missing: u64,
    /// The word.
    pub word: Word,
    /// Whether what is demanded is shown.
    pub held: bool,
    /// Why, where the word alone does not say it.
    pub reason: Option<String>,
}

impl Word {
    /// The word as reports print it.
    pub fn text(self) -> &'static str {
        match self {
            Self::Equivalent => "equivalent",
            Self::NotEquivalent => "not shown equivalent",
            Self::FlipsKept => "flips kept",
            Self::FlipsNotKept => "flips not shown kept",
            Self::NotWorse => "not worse",
            Self::Worse => "worse",
            Self::NotShown => "not shown",
            Self::NotMeasured => "not measured",
        }
    }

    /// Whether a demand with this word is shown.
    pub fn holds(self) -> bool {
        matches!(self, Self::Equivalent | Self::FlipsKept | Self::NotWorse)
    }
}
