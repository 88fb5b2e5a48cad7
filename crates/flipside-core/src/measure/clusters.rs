//! Shares over clusters of cases, with bounds that know that cases of a cluster are not independent.

use std::collections::BTreeMap;

use crate::case::Case;
use crate::gate::{self, Bounds, Gates};
use crate::measure::accuracy::LEVEL;
use crate::stats::cluster::{Cluster, Clustered, korn_graubard};
use crate::stats::special::beta_tails;
use crate::stats::{Method, proportion};
use crate::summary::ClusterFigure;

/// What one case contributes to a share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// It shows the property.
    Hit,
    /// It does not.
    NoHit,
    /// It has no answer to tell by.
    Lost,
}

/// Units by cluster.
#[derive(Clone, Debug, Default)]
pub(crate) struct Units<'a> {
    by_cluster: BTreeMap<&'a str, Counts>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    hits: u64,
    units: u64,
    lost: u64,
}

/// A share over clusters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OverClusters {
    pub(crate) bounds: Bounds,
    /// Clusters with a unit, lost ones included.
    pub(crate) clusters: u64,
    /// Two-sided interval of the share of the units that can be told; `None` without one.
    pub(crate) interval: Option<[f64; 2]>,
    /// Where that interval comes from.
    pub(crate) method: Method,
    pub(crate) figure: ClusterFigure,
}

impl<'a> Units<'a> {
    /// The units of cases whose cluster is the value of `field`.
    pub(crate) fn of(field: &str, units: impl Iterator<Item = (&'a Case, Unit)>) -> Self {
        // Checked before anything was asked: every case has the field.
        Self::by_name(units.map(|(case, unit)| (case.field(field).unwrap_or_default(), unit)))
    }

    /// The units of cases by declared cluster, or else by case: what several pairs of one case need.
    pub(crate) fn of_cases(gates: &Gates, units: impl Iterator<Item = (&'a Case, Unit)>) -> Self {
        Self::by_name(units.map(|(case, unit)| (independent_unit(gates, case), unit)))
    }

    /// Units with the names of their clusters.
    pub(crate) fn by_name(units: impl Iterator<Item = (&'a str, Unit)>) -> Self {
        let mut by_cluster: BTreeMap<&str, Counts> = BTreeMap::new();
        for (cluster, unit) in units {
            let counts = by_cluster.entry(cluster).or_default();
            match unit {
                Unit::Hit => (counts.hits, counts.units) = (counts.hits + 1, counts.units + 1),
                Unit::NoHit => counts.units += 1,
                Unit::Lost => counts.lost += 1,
            }
        }
        Self { by_cluster }
    }

    /// Clusters of the units that `of` makes of each, without empty ones, in an order that does not depend on names.
    fn clusters(&self, of: impl Fn(&Counts) -> Cluster) -> Vec<Cluster> {
        let mut clusters: Vec<Cluster> = self.by_cluster.values().map(of).collect();
        clusters.retain(|cluster| cluster.n > 0);
        clusters.sort_unstable_by_key(|cluster| (cluster.n, cluster.hits));
        clusters
    }

    /// The share with its bounds, each one-sided at `alpha`; `None` without a unit.
    ///
    /// A lost unit counts as a hit on the upper side and as none on the lower side. With few hits the design effect is
    /// hardly known: one hit among clusters of three looks as if cases were independent, and its bound would lie under that
    /// of no hit at all. So no upper bound lies under that of no hit, no lower bound over that of nothing but hits, and each
    /// side takes the worse of lost units counted as hits and as none.
    ///
    /// Source: Korn & Graubard 1998, the statistics page, 4.3; the floor and the worse side are ours.
    pub(crate) fn share(&self, alpha: f64) -> Option<OverClusters> {
        let known = self.clusters(|counts| Cluster {
            hits: counts.hits,
            n: counts.units,
        });
        let as_hits = self.clusters(|counts| Cluster {
            hits: counts.hits + counts.lost,
            n: counts.units + counts.lost,
        });
        let as_none = self.clusters(|counts| Cluster {
            hits: counts.hits,
            n: counts.units + counts.lost,
        });
        let count = as_hits.len() as u64;
        let (up, down) = (limits(&as_hits, alpha)?, limits(&as_none, alpha)?);
        let half = (1.0 - LEVEL) / 2.0;
        // Independent units keep the interval that tables have everywhere.
        let are_independent = known.iter().all(|cluster| cluster.n == 1);
        let (interval, method, deviation) = if are_independent {
            let hits = known.iter().map(|cluster| cluster.hits).sum();
            let share = proportion::wilson(hits, known.len() as u64, LEVEL).ok();
            let interval = share.map(|share| [share.lower, share.upper]);
            (interval, Method::Wilson, independent(&known))
        } else {
            let interval = limits(&known, half).map(|(lower, upper)| [lower, upper]);
            let spread = korn_graubard(&known, alpha).ok().map(Spread::from);
            (interval, Method::KornGraubard, spread)
        };
        Some(OverClusters {
            bounds: Bounds {
                lower: up.0.min(down.0),
                upper: up.1.max(down.1),
            },
            clusters: count,
            interval,
            method,
            figure: figure(count, deviation.as_ref()),
        })
    }

    /// Test that the rate is at most `limit`: the smallest alpha at which [`Units::share`]'s lower bound is over it. `None`
    /// without a unit.
    pub(crate) fn p_over(&self, limit: f64) -> Option<f64> {
        let with = |lost_hits: bool| {
            self.clusters(|counts| Cluster {
                hits: counts.hits + if lost_hits { counts.lost } else { 0 },
                n: counts.units + counts.lost,
            })
        };
        let (none, all) = (with(false), with(true));
        Some(p_over_one(&none, limit)?.max(p_over_one(&all, limit)?))
    }
}

/// The name of the independent unit that a case is of: its declared cluster, or the case itself.
pub(crate) fn independent_unit<'a>(gates: &Gates, case: &'a Case) -> &'a str {
    gates.groups.cluster_of(case).unwrap_or(&case.id.0)
}

fn p_over_one(clusters: &[Cluster], limit: f64) -> Option<f64> {
    let count = clusters.len() as u64;
    let hits: u64 = clusters.iter().map(|cluster| cluster.hits).sum();
    if clusters.iter().all(|cluster| cluster.n == 1) {
        return proportion::p_over(hits, count, limit).ok();
    }
    if count == 1 || hits == 0 || limit <= 0.0 || limit >= 1.0 {
        return Some(1.0);
    }
    // 1 minus alpha is the chance of fewer hits among the effective number of units, where that has a fraction too.
    let found = korn_graubard(clusters, 0.5).ok()?;
    let effective = found.effective_for_bounds;
    let expected = found.rate * effective;
    let tail = beta_tails(expected, effective - expected + 1.0, limit).ok()?;
    Some(
        tail.lower
            .max(proportion::p_over(count, count, limit).ok()?),
    )
}

/// What is known about how a share varies over clusters.
struct Spread {
    standard_error: f64,
    design_effect: Option<f64>,
    effective: f64,
}

impl From<Clustered> for Spread {
    fn from(found: Clustered) -> Self {
        Self {
            standard_error: found.standard_error,
            design_effect: found.design_effect,
            effective: found.effective_for_bounds,
        }
    }
}

/// Clusters of one vary as independent units do.
fn independent(clusters: &[Cluster]) -> Option<Spread> {
    let count = u32::try_from(clusters.len())
        .ok()
        .filter(|count| *count > 1)?;
    let hits = u32::try_from(clusters.iter().filter(|cluster| cluster.hits > 0).count()).ok()?;
    let (n, rate) = (f64::from(count), f64::from(hits) / f64::from(count));
    Some(Spread {
        standard_error: (rate * (1.0 - rate) / n).sqrt(),
        design_effect: (hits > 0 && hits < count).then_some(1.0),
        effective: n,
    })
}

fn figure(clusters: u64, known: Option<&Spread>) -> ClusterFigure {
    let reason = match known {
        None => Some("the compared pairs are of fewer than two clusters"),
        Some(known) if known.design_effect.is_none() => {
            Some("none or all of them hit, which says nothing about clusters")
        }
        Some(_) => None,
    };
    let spread = known.filter(|known| known.design_effect.is_some());
    ClusterFigure {
        clusters,
        standard_error: spread.map(|known| known.standard_error),
        design_effect: spread.and_then(|known| known.design_effect),
        effective: known.map(|known| known.effective),
        reason: reason.map(str::to_owned),
        more_clusters: None,
    }
}

/// Bounds of the share over `clusters`, each one-sided at `alpha`; `None` without a cluster.
fn limits(clusters: &[Cluster], alpha: f64) -> Option<(f64, f64)> {
    let count = clusters.len() as u64;
    let hits: u64 = clusters.iter().map(|cluster| cluster.hits).sum();
    if count == 0 {
        return None;
    }
    // Clusters of one are independent units.
    if clusters.iter().all(|cluster| cluster.n == 1) {
        let lower = proportion::lower_bound(hits, count, alpha).ok()?;
        return Some((lower, proportion::upper_bound(hits, count, alpha).ok()?));
    }
    // One cluster says nothing about others.
    if count == 1 {
        return Some((0.0, 1.0));
    }
    let found = korn_graubard(clusters, alpha).ok()?;
    let none = proportion::upper_bound(0, count, alpha).ok()?;
    let all = proportion::lower_bound(count, count, alpha).ok()?;
    Some((found.lower.min(all), found.upper.max(none)))
}

/// Further clusters without a hit until the upper bound is at most `limit`; `None` where a hit or a lost unit is among
/// them, or where no number is enough.
pub(crate) fn more_clusters(
    clusters: u64,
    hits: u64,
    lost: u64,
    limit: f64,
    alpha: f64,
) -> Option<u64> {
    if hits + lost > 0 {
        return None;
    }
    let needed = proportion::cases_needed(0, limit, alpha)?.max(gate::FEWEST_CLUSTERS);
    Some(needed.saturating_sub(clusters)).filter(|more| *more > 0)
}
