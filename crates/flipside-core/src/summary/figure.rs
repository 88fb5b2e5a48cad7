//! Figures: shares with their denominators, intervals and verdicts.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::clusters::{ClusterFigure, ClusterSigns};
use super::confirm::Anchored;
use super::direction::{Direction, KeyChanges};
use super::drift::{DriftFigure, Routing};
use super::position::AcceptedPositions;
use super::score::ScoreFigure;
use super::verdict::{Rule, Verdict};
use crate::plan::VacuousReason;

/// The fields that fit, every axis and the control have alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// Two-sided 95 % interval of the share: Wilson's, or with clusters that of Korn and Graubard. It is for tables; gates
    /// judge by the bounds. Null with clusters after adaptive asking.
    pub interval: Option<[f64; 2]>,
    /// One-sided exact lower bound at the run's alpha (5 % unless set); a missing pair counts as no flip (for fit: as not
    /// accepted). After adaptive asking that of the confidence sequence; with clusters that of Korn and Graubard,
    /// and null after adaptive asking.
    pub lower: Option<f64>,
    /// One-sided exact upper bound; a missing pair counts as a flip (for fit: as accepted).
    pub upper: Option<f64>,
    /// The clusters that interval and bounds are computed over; null where cases are taken as independent.
    pub clusters: Option<ClusterFigure>,
    /// The gate's limit, if there is a gate.
    pub limit: Option<f64>,
    /// Which claim the verdict makes.
    pub rule: Rule,
    /// The word.
    pub verdict: Verdict,
    /// Why, where the word alone does not say it.
    pub reason: Option<String>,
}

/// Own-order answers against the accepted options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fit {
    /// The common fields.
    #[serde(flatten)]
    pub figure: Figure,
    /// Accepted own-order answers.
    pub right: u64,
    /// What choosing one position always would get; null without labels.
    pub position_baseline: Option<PositionBaseline>,
    /// Where accepted options stand, by number of options; empty without labels.
    pub accepted_positions: Vec<AcceptedPositions>,
    /// What choosing one key always would get; null without labels.
    pub key_baseline: Option<KeyBaseline>,
    /// False where a constant position would pass the fit gate too, so that passing it says little.
    pub informative: bool,
    /// Labelled cases, with clusters labelled clusters, that would show the limit in general if all were accepted; null for
    /// a limit of 100 %.
    pub clean_cases_needed: Option<u64>,
}

/// The best picker of one position per number of options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PositionBaseline {
    /// Cases that it gets right.
    pub right: u64,
    /// Labelled cases.
    pub of: u64,
    /// The share.
    pub rate: f64,
    /// One-sided 95 % lower bound of the share: exact, or with clusters that of Korn and Graubard.
    pub lower: f64,
    /// The position, from 0, where all labelled cases have one number of options.
    pub position: Option<u16>,
}

/// The best picker of one key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Line {
    /// The common fields.
    #[serde(flatten)]
    pub figure: Figure,
    /// Vacuous cases by reason.
    pub vacuous_reasons: IndexMap<VacuousReason, u64>,
    /// Flips to or from an answer that did not decide; among `flips`.
    pub no_decision_flips: u64,
    /// Pairs counted as missing because another model served the baseline; among `missing`.
    pub other_version: u64,
    /// Pairs counted as missing because text of an answer cannot be read; among `missing`.
    pub unreadable: u64,
    /// Flips in which the option changed and its position did not.
    pub position_following: u64,
    /// Pairs in which the change moved the option that the baseline chose.
    pub moved: u64,
    /// Flips among them.
    pub moved_flips: u64,
    /// The share of the two; null where the change moved no choice.
    pub moved_rate: Option<f64>,
    /// Two-sided 95 % interval of that share: Wilson's, or with clusters that of Korn and Graubard.
    pub moved_interval: Option<[f64; 2]>,
    /// The share if no missing pair had flipped.
    pub rate_if_missing_same: Option<f64>,
    /// The share if every missing pair had flipped.
    pub rate_if_missing_flipped: Option<f64>,
    /// Labelled pairs by direction.
    pub transitions: Transitions,
    /// Accuracy under this variant; null without labels.
    pub accuracy: Option<Accuracy>,
    /// Further pairs that would settle an inconclusive verdict; null with clusters, which say it themselves.
    pub more_pairs: Option<MorePairs>,
    /// Beside the control; null if none was asked.
    pub anchored: Option<Anchored>,
    /// In general: exact test that the rate is at most the limit; null without a limit.
    pub over_limit_p: Option<f64>,
    /// The same by Holm's method over all gated variants of all axes, so that asking many blames none by chance.
    pub over_limit_holm_p: Option<f64>,
    /// Which way flips went, by key; null where no two compared cases share a key, and for variants that change which options are
    /// offered.
    pub direction: Option<Direction>,
    /// Mean change of the probability of each key that cases share; null where there is none, and as `direction`.
    pub key_changes: Option<KeyChanges>,
    /// How far probabilities moved.
    pub drift: Option<DriftFigure>,
    /// Answers that a threshold accepts on one side of the pair only; null without a threshold.
    pub routing: Option<Routing>,
    /// Pairs of score questions; null without one.
    pub score: Option<ScoreFigure>,
}

/// Labelled pairs by direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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

/// Accuracy under one variant, beside the same cases in their own order and words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Accuracy {
    /// Accepted answers under the variant.
    pub right: u64,
    /// Labelled cases answered under both.
    pub of: u64,
    /// The share.
    pub rate: f64,
    /// Two-sided 95 % interval: Wilson's, or with clusters that of Korn and Graubard.
    pub interval: [f64; 2],
    /// Accepted answers of the same cases in their own order and words.
    pub own_right: u64,
    /// Variant minus own order and words.
    pub difference: f64,
    /// Two-sided 95 % Newcombe interval of the difference; with clusters square-and-add from Korn and Graubard's limits of both
    /// shares.
    pub difference_interval: [f64; 2],
    /// Exact McNemar test of no difference; with clusters the exact sign test over `clusters`.
    pub mcnemar_p: f64,
    /// Clusters with more accepted answers under the variant, and with more in the own order; null where cases are
    /// independent.
    pub clusters: Option<ClusterSigns>,
}

/// Further pairs that would settle an inconclusive verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MorePairs {
    /// If none of them flips.
    pub if_no_flip: Option<u64>,
    /// If they flip at the observed rate.
    pub if_same_rate: Option<u64>,
}

/// A mean over cases of a value between 0 and 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Mean {
    /// The mean.
    pub value: f64,
    /// Cases.
    pub cases: u64,
    /// Asks that it averages.
    pub asks: u64,
    /// Two-sided 95 % betting interval over cases, or over clusters.
    pub interval: [f64; 2],
}

/// The control. Its own figure counts a case as flipped if any of its repeats did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Control {
    /// The common fields, by case.
    #[serde(flatten)]
    pub figure: Figure,
    /// Repeats per case.
    pub repeats: u64,
    /// Each repeat against the baseline.
    pub by_repeat: IndexMap<String, Line>,
}
