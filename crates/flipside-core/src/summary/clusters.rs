//! Clusters of cases that are no independent units.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The clusters that the cases of a run come in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Clustering {
    /// The field whose value names a case's cluster.
    pub field: String,
    /// Clusters.
    pub clusters: u64,
    /// Cases of the largest one.
    pub largest: u64,
}

/// What clusters mean for a share whose `lower`, `upper` and `interval` are computed over them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClusterFigure {
    /// Clusters with a pair that was compared or is missing; for fit, with a labelled case.
    pub clusters: u64,
    /// Standard error of the share over clusters; null where the design effect is.
    pub standard_error: Option<f64>,
    /// The share's variance over that of as many independent pairs; null with fewer than two clusters, or where none or all
    /// of the pairs hit.
    pub design_effect: Option<f64>,
    /// Independent pairs that say as much: what bounds are computed on, at most the pairs. The number of clusters where
    /// there is no design effect; null with fewer than two clusters.
    pub effective: Option<f64>,
    /// Why there is no design effect.
    pub reason: Option<String>,
    /// Further clusters without a flip that would settle an inconclusive verdict; null for any other, and where a pair
    /// flipped or is missing.
    pub more_clusters: Option<u64>,
}

/// Clusters by which of two things more of their cases show; where as many show either, a cluster is in neither count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClusterSigns {
    /// Clusters in which more cases show the first.
    pub first: u64,
    /// Clusters in which more cases show the second.
    pub second: u64,
}

/// What intervals and tests take as independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum IndependentUnit {
    /// Each case.
    Cases,
    /// Each declared cluster, with all its cases and asks.
    Clusters,
}
