//! The confirmation round, and where an adaptive rule ended.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::clusters::{ClusterSigns, IndependentUnit};
use crate::course::Adaptive;
use crate::gate::Population;
use crate::stats::sequential::Decision;

/// How figures were judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Judging {
    /// Error rate of every one-sided bound and test.
    pub alpha: f64,
    /// What the bounds speak about.
    pub population: Population,
    /// Which flips were to be asked once more: `auto`, `never` or `all`.
    pub confirm: String,
    /// What every interval and test of this summary takes as independent; one that cannot is null.
    pub units: IndependentUnit,
}

/// Flips on one axis asked once more, as changed and as what that is compared with (the statistics page, 5): one of each case
/// that flipped, in the variant that flips most of those in which it did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Confirmation {
    /// Flips that were to be confirmed.
    pub flips: u64,
    /// How many of them in each variant.
    pub by_variant: IndexMap<String, u64>,
    /// Both answers came again.
    pub replicated: u64,
    /// The two answers changed places.
    pub swapped: u64,
    /// Anything else was answered.
    pub neither: u64,
    /// A repetition failed, or another model served it.
    pub missing: u64,
    /// A repetition was not made.
    pub unasked: u64,
    /// The denominator of the effect: cases that could be compared.
    pub cases: u64,
    /// The confirmed effect of the change: `(replicated - swapped) / cases`; null where repetitions are missing or were not made, since
    /// what they would have said is not known.
    pub effect: Option<f64>,
    /// Its two-sided 95 % interval by Tango's score; with clusters square-and-add from Korn and Graubard's limits of both
    /// shares. Flips whose repetition is missing or was not made count as not replicated below and as replicated above.
    pub interval: [f64; 2],
    /// Its one-sided upper bound; what is missing counts as replicated.
    pub upper: f64,
    /// Exact McNemar test that the change does nothing; with clusters the exact sign test over `clusters`, for which the flips
    /// of one cluster count once.
    pub p: f64,
    /// Clusters with more flips that came again than swapped, and with fewer; null where cases are independent.
    pub clusters: Option<ClusterSigns>,
    /// Further replicated flips, with none swapped, until that test rejects; 0 if it does, null if no million would. With
    /// clusters: further clusters with such a flip.
    pub replications_needed: Option<u64>,
}

/// Flips of a variant beside flips of the control on the same cases. The difference **can be zero or negative while the change
/// matters**: a model that is undecided before it and sure after it flips as often against itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Anchored {
    /// Cases that both compare.
    pub pairs: u64,
    /// Flips of the variant among them.
    pub variant_flips: u64,
    /// Flips of the first control among them.
    pub same_flips: u64,
    /// Share of the variant's flips minus share of control flips.
    pub difference: f64,
    /// Two-sided 95 % Newcombe interval; with clusters square-and-add from Korn and Graubard's limits of both shares.
    pub interval: [f64; 2],
    /// Exact McNemar test of no difference; with clusters the exact sign test over `clusters`.
    pub mcnemar_p: f64,
    /// Clusters with more flips of the variant, and with more of the control; null where cases are independent.
    pub clusters: Option<ClusterSigns>,
}

/// Where adaptive asking ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sequential {
    /// The rule.
    pub rule: Adaptive,
    /// The variant that decides.
    pub variant: String,
    /// The limit.
    pub limit: f64,
    /// Error allowed on each side.
    pub alpha: f64,
    /// What the rule says.
    pub decision: Decision,
    /// Cases, or clusters, that could be asked.
    pub units: u64,
    /// How many of them decided it, in the seeded order.
    pub observed: u64,
    /// Their pairs, the missing ones included.
    pub pairs: u64,
    /// Flips among those.
    pub flips: u64,
    /// Missing pairs among those.
    pub missing: u64,
    /// The share of flips when asking stopped, which is biased by the stopping; null without a pair that is not missing.
    pub rate_at_stopping: Option<f64>,
    /// The confidence sequence at stopping, valid whenever one stops; null with clusters.
    pub interval: Option<[f64; 2]>,
    /// For `planned`: stable at this many flips or fewer from this many pairs on, as `[pairs, flips]`.
    pub stable: Vec<(u64, u64)>,
    /// For `planned`: sensitive at this many flips or more from this many pairs on.
    pub sensitive: Vec<(u64, u64)>,
    /// For `open`: evidence that the rate is under the limit, decisive from `1/alpha` on.
    pub e_stable: Option<f64>,
    /// For `open`: evidence that the rate is over the limit.
    pub e_sensitive: Option<f64>,
    /// Cases that did not have to be asked.
    pub spared_cases: u64,
    /// Asks of the first round that did not have to be made.
    pub spared_asks: u64,
}
