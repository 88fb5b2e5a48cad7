//! Drift of probabilities, our own confidence, and answers that a threshold routes elsewhere.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Why a measure of drift or routing has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DriftReason {
    /// No pair has two answers of one model.
    NoAnswers,
    /// The answers carry no probabilities over two or more options.
    NoProbabilities,
    /// Every answer puts everything on one option, so that no log measure exists.
    OneHot,
    /// Probabilities of exactly 0, whose logarithm does not exist.
    Zeros,
    /// The probabilities are rounded more coarsely than what is to be told apart.
    Rounded,
}

/// How far probabilities moved within the pairs of one variant, aligned by option; copies are renormalised first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DriftFigure {
    /// Pairs in which both answers have probabilities over two or more options.
    pub pairs: u64,
    /// Pairs with two answers, of which one or both have no such probabilities; in no measure.
    pub without_probabilities: u64,
    /// Pairs with a probability of exactly 0 on either side: no log measure counts them, and nothing is put in for the zero.
    pub zeros: u64,
    /// Pairs among those in which both answers put everything on one option.
    pub one_hot: u64,
    /// Why no pair is measured; null where one is.
    pub reason: Option<DriftReason>,
    /// The step of the coarsest decimal grid of 2 to 6 digits on which all of these probabilities lie: they cannot show a drift
    /// smaller than it. Null where there is none.
    pub step: Option<f64>,
    /// How far the probabilities moved as they were reported, with no copy renormalised.
    pub reported: ReportedDrift,
    /// Half the sum of absolute changes, from 0 to 1.
    pub total_variation: DriftQuantity,
    /// Pairs by that sum, in parts that together hold all of them; empty without a pair.
    #[serde(default)]
    pub total_variation_bins: Vec<DriftBin>,
    /// Largest absolute change of a probability, from 0 to 1.
    pub largest_change: DriftQuantity,
    /// Jensen-Shannon divergence in bits, from 0 to 1.
    pub jensen_shannon_bits: DriftQuantity,
    /// Its square root, a distance.
    pub jensen_shannon_distance: DriftQuantity,
    /// Largest change of the log-odds between two options, in nats.
    pub log_odds: DriftQuantity,
    /// Largest change of a centred log probability, in nats.
    pub centred_logit: DriftQuantity,
    /// How much of the way to a flip was gone.
    pub headroom: Headroom,
    /// Whether log probabilities are the same to within float error.
    pub invariance: Invariance,
    /// Our own confidence in the own-order answers of these pairs.
    pub own_confidence: Option<ConfidenceFigure>,
    /// Our own confidence in the variant's answers of these pairs.
    pub confidence: Option<ConfidenceFigure>,
    /// Bootstrap resamples behind each interval: 2,000, with clusters from 2,500 on fewer, and at least 200.
    pub draws: u32,
    /// The seed of those resamples.
    pub seed: u64,
}

/// How far probabilities moved within pairs, as they were reported: rounded ones are not renormalised. All is null without a pair.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReportedDrift {
    /// Pairs in which both answers have probabilities over one number of options, two or more.
    pub pairs: u64,
    /// Mean over pairs of half the sum of absolute changes, from 0 to 1.
    pub mean_total_variation: Option<f64>,
    /// Two-sided 95 % interval of that mean over cases, or over clusters: a bootstrap, or bets where fewer than 10 of them differ from
    /// the most frequent value. Null for a slice.
    pub mean_total_variation_interval: Option<[f64; 2]>,
    /// Mean over pairs of the largest absolute change of a probability, from 0 to 1.
    pub mean_largest_change: Option<f64>,
    /// The same interval of that mean. Null for a slice.
    pub mean_largest_change_interval: Option<[f64; 2]>,
    /// The largest absolute change of a probability in any pair.
    pub largest_change: Option<f64>,
    /// The case with that change, of equals the first by id; null where nothing moved.
    pub worst: Option<String>,
}

/// Pairs whose measure lies in one part of its range.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DriftBin {
    /// The lower end, which belongs to the part unless that is all above 0 up to the next.
    pub from: f64,
    /// The upper end, which does not, but for the last part of a measure that ends there; null without one. Equal to `from` for the
    /// part of exactly that value.
    pub to: Option<f64>,
    /// Pairs in it.
    pub pairs: u64,
}

/// One measure of drift over pairs. Percentiles are linear between neighbours; intervals are two-sided 95 % percentile
/// intervals of a bootstrap over cases, or over clusters with all their cases; null with one pair or one cluster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DriftQuantity {
    /// Pairs that have it.
    pub pairs: u64,
    /// Mean over pairs.
    pub mean: Option<f64>,
    /// Median over pairs.
    pub median: Option<f64>,
    /// Interval of the median.
    pub median_interval: Option<[f64; 2]>,
    /// 95th percentile.
    pub p95: Option<f64>,
    /// Interval of the 95th percentile.
    pub p95_interval: Option<[f64; 2]>,
    /// Largest value.
    pub largest: Option<f64>,
    /// The case with the largest value, of equals the first by id; null where nothing moved.
    pub worst: Option<String>,
    /// Why no pair has it.
    pub reason: Option<DriftReason>,
}

/// Largest change of log-odds over the baseline's margin. At least 1 is necessary for the most probable option to change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Headroom {
    /// Pairs that have it, `infinite` ones included.
    pub pairs: u64,
    /// Pairs whose baseline ties and whose log-odds changed; in no percentile.
    pub infinite: u64,
    /// Median over the other pairs.
    pub median: Option<f64>,
    /// 95th percentile over the other pairs.
    pub p95: Option<f64>,
    /// Largest of the other pairs.
    pub largest: Option<f64>,
    /// Pairs at 1 or more, `infinite` ones included.
    pub reached: u64,
    /// Their share of `pairs`.
    pub reached_rate: Option<f64>,
    /// Two-sided 95 % interval of that share: Wilson's, or with clusters that of Korn and Graubard.
    pub reached_interval: Option<[f64; 2]>,
    /// Pairs by headroom, in parts that together hold all of them: `infinite` ones in the last; empty without a pair.
    #[serde(default)]
    pub bins: Vec<DriftBin>,
    /// Why no pair has it.
    pub reason: Option<DriftReason>,
}

/// Whether centred log probabilities are the same to within float error: a structural statement about the build and the
/// number type that answered, not a rate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Invariance {
    /// Whether the largest centred change over all pairs is within the tolerance; null where the answers cannot tell.
    pub numerically_invariant: Option<bool>,
    /// The tolerance, in nats.
    pub tolerance: f64,
    /// Why the answers cannot tell.
    pub reason: Option<DriftReason>,
}

/// Our own confidence over answers with probabilities over two or more options, by one formula for every backend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConfidenceFigure {
    /// Answers.
    pub answers: u64,
    /// The largest probability.
    pub top: Centre,
    /// The largest minus the second largest.
    pub margin: Centre,
    /// The largest minus the mean of the rest.
    pub above_chance: Centre,
    /// `1 - H / ln n`.
    pub entropy: Centre,
}

/// Mean and median.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Centre {
    /// The mean.
    pub mean: f64,
    /// The median.
    pub median: f64,
}

/// Answers that are accepted without review in one order only: the decision stays, and our own top probability crosses
/// the threshold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Routing {
    /// An answer is accepted without review if our own top probability is at least this.
    pub threshold: f64,
    /// The denominator: pairs that both decided, with probabilities in both answers.
    pub pairs: u64,
    /// Pairs that could be compared but lack probabilities; in no rate.
    pub without_probabilities: u64,
    /// Own-order answers of the pairs that are accepted without review.
    pub own_accepted: u64,
    /// The variant's answers of the pairs that are.
    pub variant_accepted: u64,
    /// Pairs whose decision differs; they are flips and no routing flips.
    pub decision_flips: u64,
    /// Pairs whose decision stays and whose routing changes.
    pub routing_flips: u64,
    /// Among them: accepted in the own order, for review under the variant.
    pub to_review: u64,
    /// Among them: for review in the own order, accepted under the variant.
    pub from_review: u64,
    /// Routing flips of pairs; null without pairs.
    pub rate: Option<f64>,
    /// Two-sided 95 % interval of the share: Wilson's, or with clusters that of Korn and Graubard, as are the bounds.
    pub interval: Option<[f64; 2]>,
    /// One-sided exact lower bound in general; a pair that is missing or without probabilities counts as none.
    pub lower: Option<f64>,
    /// One-sided exact upper bound in general; a pair that is missing or without probabilities counts as a routing flip.
    pub upper: Option<f64>,
    /// Why there is no rate.
    pub reason: Option<DriftReason>,
}
