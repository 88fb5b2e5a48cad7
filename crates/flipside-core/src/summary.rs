//! The finished summary: every figure with its denominator, interval and rule.

use std::sync::Arc;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::Declined;
use crate::order::{OptionId, Order};
use crate::perturb::Axis;
use crate::plan::VacuousReason;
use crate::record::FailedKind;

/// Name and version of the summary's shape.
pub const SCHEMA: &str = "flipside.summary/1";
/// Version of the methods behind the figures; raised whenever a figure for the same journal changes.
pub const METHOD: u32 = 1;

/// Everything that a run of one model showed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Summary {
    /// Name and version of this shape.
    pub schema: String,
    /// Version of the methods behind the figures.
    pub method: u32,
    /// The flipside that wrote it.
    pub flipside: String,
    /// The model.
    pub model: ModelSummary,
    /// What was planned.
    pub plan: PlanSummary,
    /// How much was asked and what came back.
    pub counts: CountSummary,
    /// Own-order answers against the accepted options.
    pub fit: Fit,
    /// Accuracy averaged over all orders asked, the own one included; null without labels or without other orders.
    pub order_averaged_accuracy: Option<Mean>,
    /// What the axes showed: by axis, then by variant.
    pub axes: IndexMap<String, IndexMap<String, Line>>,
    /// The control: the identical presentation asked again; null if it was not asked.
    pub control: Option<Control>,
    /// The gates and what they say.
    pub gates: Vec<GateLine>,
    /// Whether every planned ask was made.
    pub complete: bool,
    /// Why the run stopped early, if it did.
    pub stopped: Option<String>,
    /// The exit code: 0 every gate held, 1 some gate did not, 3 the run is not complete.
    pub exit: u8,
    /// How fast the command that wrote this asked; null if it asked nothing.
    pub asking: Option<Asking>,
    /// Wall-clock latency of answered asks, in milliseconds.
    pub latency: Option<Latency>,
    /// Every case with its asks.
    pub cases: Vec<CaseSummary>,
}

/// The model of a run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ModelSummary {
    /// How the user named it.
    pub spec: String,
    /// The model name that requests carried.
    pub requested: Option<String>,
    /// Where requests went; null in process.
    pub endpoint: Option<String>,
    /// The model names that replies carried, in order of first appearance by plan.
    pub served: Vec<String>,
    /// Whether option order travels in the key order of a JSON object, which some hops do not keep.
    pub object_order: bool,
}

/// The plan of a run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PlanSummary {
    /// Digest of everything that is asked.
    pub digest: String,
    /// The orders as they were asked for.
    pub orders: Vec<String>,
    /// The seed, where an order drew from it.
    pub seed: Option<u64>,
    /// The version of the draws, where an order drew.
    pub draws: Option<String>,
    /// Whether `all` was sampled for some case.
    pub sampled: bool,
}

/// How much was asked and what came back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CountSummary {
    /// Cases asked.
    pub cases: u64,
    /// Cases among them that say which options are right.
    pub labelled: u64,
    /// Cases left out because an earlier one is the same.
    pub duplicates: u64,
    /// Planned asks.
    pub asks: u64,
    /// Requests that the planned asks need; asks with equal bytes share one.
    pub requests: u64,
    /// Asks with a valid answer.
    pub answered: u64,
    /// Valid answers in which the model declined to decide.
    pub no_decision: u64,
    /// Failed asks.
    pub failed: u64,
    /// Planned asks that were not made.
    pub unasked: u64,
    /// Answers whose top two probabilities are equal as reported.
    pub tied: u64,
}

/// The fields that fit, every axis and the control have alike.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Figure {
    /// Cases to which it applies.
    pub applicable: u64,
    /// Cases that the change could not change; never asked, in no denominator.
    pub vacuous: u64,
    /// Asks made.
    pub asked: u64,
    /// The denominator: pairs that could be compared; for fit, labelled cases with an answer.
    pub pairs: u64,
    /// Pairs with a failed ask; for fit, failed asks.
    pub missing: u64,
    /// Pairs with an ask that was not made.
    pub unasked: u64,
    /// Pairs in which neither answer decided; for fit, answers that did not decide.
    pub no_decision: u64,
    /// Flips; null for fit.
    pub flips: Option<u64>,
    /// Flips in which neither answer is tied.
    pub firm_flips: Option<u64>,
    /// Flips in which an answer's top two probabilities are equal as reported.
    pub tie_flips: Option<u64>,
    /// The share: flips of pairs; for fit, accepted answers of pairs. Null without pairs.
    pub rate: Option<f64>,
    /// Two-sided 95 % Wilson interval of the share.
    pub interval: Option<[f64; 2]>,
    /// One-sided 95 % exact lower bound in general; a missing pair counts as no flip (for fit: as not accepted).
    pub lower: Option<f64>,
    /// One-sided 95 % exact upper bound in general; a missing pair counts as a flip (for fit: as accepted).
    pub upper: Option<f64>,
    /// The gate's limit, if there is a gate.
    pub limit: Option<f64>,
    /// Which claim the verdict makes.
    pub rule: Rule,
    /// The word.
    pub verdict: Verdict,
    /// Why, where the word alone does not say it.
    pub reason: Option<String>,
}

/// Which claim a verdict makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// About these cases: the observed share against the limit.
    File,
    /// About the traffic that the cases stand for: the exact bound against the limit.
    General,
}

/// The words of verdicts. Fit, axes and the control share none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub enum Verdict {
    /// Fit: enough own-order answers are accepted.
    #[serde(rename = "fits")]
    Fits,
    /// Fit: too few own-order answers are accepted.
    #[serde(rename = "not a decision-model task")]
    NotATask,
    /// Fit: fewer labelled cases than the rule needs.
    #[serde(rename = "too few cases")]
    TooFewCases,
    /// Fit in general: the bounds lie on both sides of the limit.
    #[serde(rename = "fit-inconclusive")]
    FitInconclusive,
    /// An axis: at most the limit flips.
    #[serde(rename = "stable")]
    Stable,
    /// The order axis flips more, and no control does.
    #[serde(rename = "order-sensitive")]
    OrderSensitive,
    /// The axis flips more, but so does the control, or nothing tells the cause.
    #[serde(rename = "cause open")]
    CauseOpen,
    /// In general: the bounds lie on both sides of the limit.
    #[serde(rename = "inconclusive")]
    Inconclusive,
    /// Missing answers or decisions leave it open.
    #[serde(rename = "undecided")]
    Undecided,
    /// No variant changes a request.
    #[serde(rename = "not applicable")]
    NotApplicable,
    /// Nothing was asked that could show it.
    #[serde(rename = "not measured")]
    NotMeasured,
    /// The control: at most the limit flips.
    #[serde(rename = "quiet")]
    Quiet,
    /// The control flips more than the limit.
    #[serde(rename = "noisy backend")]
    NoisyBackend,
    /// The control, in general: the bounds lie on both sides of the limit.
    #[serde(rename = "noise-inconclusive")]
    NoiseInconclusive,
    /// Missing answers: within the limit.
    #[serde(rename = "within limit")]
    WithinLimit,
    /// Missing answers: over the limit.
    #[serde(rename = "over limit")]
    OverLimit,
    /// No gate asks for a word.
    #[serde(rename = "no gate")]
    NoGate,
}

impl Verdict {
    /// Whether a gate with this verdict holds.
    pub fn holds(&self) -> bool {
        match self {
            Self::Fits | Self::Stable | Self::Quiet | Self::WithinLimit => true,
            Self::NotATask
            | Self::TooFewCases
            | Self::FitInconclusive
            | Self::OrderSensitive
            | Self::CauseOpen
            | Self::Inconclusive
            | Self::Undecided
            | Self::NotApplicable
            | Self::NotMeasured
            | Self::NoisyBackend
            | Self::NoiseInconclusive
            | Self::OverLimit
            | Self::NoGate => false,
        }
    }

    /// The word as reports print it.
    pub fn text(&self) -> &'static str {
        match self {
            Self::Fits => "fits",
            Self::NotATask => "not a decision-model task",
            Self::TooFewCases => "too few cases",
            Self::FitInconclusive => "fit-inconclusive",
            Self::Stable => "stable",
            Self::OrderSensitive => "order-sensitive",
            Self::CauseOpen => "cause open",
            Self::Inconclusive => "inconclusive",
            Self::Undecided => "undecided",
            Self::NotApplicable => "not applicable",
            Self::NotMeasured => "not measured",
            Self::Quiet => "quiet",
            Self::NoisyBackend => "noisy backend",
            Self::NoiseInconclusive => "noise-inconclusive",
            Self::WithinLimit => "within limit",
            Self::OverLimit => "over limit",
            Self::NoGate => "no gate",
        }
    }
}

/// Own-order answers against the accepted options.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Fit {
    /// The common fields.
    #[serde(flatten)]
    pub figure: Figure,
    /// Accepted own-order answers.
    pub right: u64,
    /// What choosing one position always would get; null without labels.
    pub position_baseline: Option<PositionBaseline>,
    /// What choosing one key always would get; null without labels.
    pub key_baseline: Option<KeyBaseline>,
    /// False where a constant position would pass the fit gate too, so that passing it says little.
    pub informative: bool,
    /// Labelled cases that would show the limit in general if all were accepted; null for a limit of 100 %.
    pub clean_cases_needed: Option<u64>,
}

/// The best picker of one position per number of options.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PositionBaseline {
    /// Cases that it gets right.
    pub right: u64,
    /// Labelled cases.
    pub of: u64,
    /// The share.
    pub rate: f64,
    /// One-sided 95 % exact lower bound of the share.
    pub lower: f64,
    /// The position, from 0, where all labelled cases have one number of options.
    pub position: Option<u16>,
}

/// The best picker of one key.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct KeyBaseline {
    /// Cases that it gets right.
    pub right: u64,
    /// Labelled cases.
    pub of: u64,
    /// The share.
    pub rate: f64,
    /// The key.
    pub key: String,
}

/// One variant of an axis against the baseline.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Line {
    /// The common fields.
    #[serde(flatten)]
    pub figure: Figure,
    /// Vacuous cases by reason.
    pub vacuous_reasons: IndexMap<VacuousReason, u64>,
    /// Flips to or from an answer that did not decide; among `flips`.
    pub no_decision_flips: u64,
    /// Flips in which the option changed and its position did not.
    pub position_following: u64,
    /// Pairs in which the change moved the option that the baseline chose.
    pub moved: u64,
    /// Flips among them.
    pub moved_flips: u64,
    /// The share if no missing pair had flipped.
    pub rate_if_missing_same: Option<f64>,
    /// The share if every missing pair had flipped.
    pub rate_if_missing_flipped: Option<f64>,
    /// Labelled pairs by direction.
    pub transitions: Transitions,
    /// Accuracy under this variant; null without labels.
    pub accuracy: Option<Accuracy>,
    /// Further pairs that would settle an inconclusive verdict.
    pub more_pairs: Option<MorePairs>,
}

/// Labelled pairs by direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Transitions {
    /// Same accepted option.
    pub kept_right: u64,
    /// From an accepted option to one that is not.
    pub harmful: u64,
    /// To an accepted option from one that is not.
    pub repairing: u64,
    /// From one option that is not accepted to another.
    pub lateral_wrong: u64,
    /// From one accepted option to another.
    pub lateral_accepted: u64,
    /// Same option that is not accepted.
    pub kept_wrong: u64,
}

/// Accuracy under one variant, beside the same cases in their own order.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Accuracy {
    /// Accepted answers under the variant.
    pub right: u64,
    /// Labelled cases answered under both.
    pub of: u64,
    /// The share.
    pub rate: f64,
    /// Two-sided 95 % Wilson interval.
    pub interval: [f64; 2],
    /// Accepted answers of the same cases in their own order.
    pub own_right: u64,
    /// Variant minus own order.
    pub difference: f64,
    /// Two-sided 95 % Newcombe interval of the difference.
    pub difference_interval: [f64; 2],
    /// Exact McNemar test of no difference.
    pub mcnemar_p: f64,
}

/// Further pairs that would settle an inconclusive verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MorePairs {
    /// If none of them flips.
    pub if_no_flip: Option<u64>,
    /// If they flip at the observed rate.
    pub if_same_rate: Option<u64>,
}

/// A mean over cases of a value between 0 and 1.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Mean {
    /// The mean.
    pub value: f64,
    /// Cases.
    pub cases: u64,
    /// Asks that it averages.
    pub asks: u64,
    /// Two-sided 95 % betting interval over cases.
    pub interval: [f64; 2],
}

/// The control. Its own figure counts a case as flipped if any of its repeats did.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Control {
    /// The common fields, by case.
    #[serde(flatten)]
    pub figure: Figure,
    /// Repeats per case.
    pub repeats: u64,
    /// Each repeat against the baseline.
    pub by_repeat: IndexMap<String, Line>,
}

/// One gate and what it says.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GateLine {
    /// What it is about, as `--gate` writes it.
    pub subject: String,
    /// The limit.
    pub limit: f64,
    /// Which claim it makes.
    pub rule: Rule,
    /// The word.
    pub verdict: Verdict,
    /// Whether it held.
    pub held: bool,
    /// The variant that decided it, for a gate over several.
    pub decided_by: Option<String>,
    /// Why, where the word alone does not say it.
    pub reason: Option<String>,
}

/// How fast one command asked, from its first request to its last answer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Asking {
    /// Requests that ended in this command; those of an earlier one are in the journal.
    pub requests: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
}

/// Wall-clock latency of answered asks, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Latency {
    /// Half of the asks took at most this long.
    pub median_ms: f64,
    /// 95 of 100 asks took at most this long.
    pub p95_ms: f64,
}

/// One case with its asks.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CaseSummary {
    /// The case's id.
    pub id: String,
    /// Its file.
    pub file: String,
    /// Its line, from 1.
    pub line: u64,
    /// Its keys in its own order: the key of identity `i` is `keys[i]`.
    pub keys: Vec<Arc<str>>,
    /// Accepted identities; empty for an unlabelled case.
    pub accept: Vec<OptionId>,
    /// Its asks, the baseline first.
    pub asks: Vec<AskSummary>,
}

/// One ask.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AskSummary {
    /// The axis.
    pub axis: Axis,
    /// The value on it.
    pub variant: Arc<str>,
    /// The order of the options: the identity shown in position `p` is `order[p]`.
    pub order: Order,
    /// The keys as shown, first position first.
    pub keys: Vec<Arc<str>>,
    /// What became of the ask.
    pub status: AskStatus,
    /// The chosen identity.
    pub choice: Option<OptionId>,
    /// The chosen key as shown.
    pub key: Option<Arc<str>>,
    /// Probabilities by identity, as received.
    pub probabilities: Option<Vec<f64>>,
    /// Whether the top two probabilities are equal as reported.
    pub tied: bool,
    /// The backend's own confidence, kept and never compared: its meaning differs by backend.
    pub backend_confidence: Option<f64>,
    /// Whether the choice is accepted; null for an unlabelled case or without an answer.
    pub ok: Option<bool>,
    /// Whether the choice differs from the baseline's; null for the baseline and for a pair that cannot be compared.
    pub flip: Option<bool>,
    /// How long the last attempt took, in milliseconds; null if it was not asked.
    pub ms: Option<f64>,
    /// Why it did not decide.
    pub declined: Option<Declined>,
    /// The kind of failure.
    pub failed: Option<FailedKind>,
    /// What was found, for a failed ask.
    pub failure: Option<String>,
}

/// What became of an ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AskStatus {
    /// A valid answer that decided.
    Answered,
    /// A valid answer that did not decide.
    Declined,
    /// A failed ask.
    Failed,
    /// Planned and not made.
    Unasked,
}
