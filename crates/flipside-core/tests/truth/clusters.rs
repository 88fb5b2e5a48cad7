//! Cases in clusters: Korn and Graubard's bounds, beside bounds that take the cases for independent.

use flipside_core::stats::cluster::{Cluster, Clustered, korn_graubard};
use flipside_core::stats::draw::{Part, Stream};
use flipside_core::stats::proportion::upper_bound;

use super::exact::{Share, multinomial};
use super::{ALPHA, LIMIT, per_mille};

/// Clusters of three cases: as many cases as the fixed plan has.
pub(crate) const CLUSTERS: u64 = 78;
/// Cases of one cluster.
const SIZE: u64 = 3;
/// Chance that all cases of a cluster share one draw: the correlation of two cases of a cluster.
pub(crate) const SHARED: f64 = 0.5;

/// Bounds of one clustered model, over runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InClusters {
    pub(crate) rate: f64,
    pub(crate) upper: Share,
    pub(crate) lower: Share,
    /// The upper bound that takes cases for independent.
    pub(crate) upper_of_cases: Share,
    /// Runs in which the upper bound is at most the limit.
    pub(crate) stable: Share,
}

/// `runs` runs of a model that flips a case with chance `rate`.
pub(crate) fn in_clusters(rate: f64, runs: u32, seed: u64) -> InClusters {
    let mut counts = [0; 4];
    for run in 0..runs {
        let mut stream = Stream::new(&[
            Part::U64(seed),
            Part::Text("truth of clusters"),
            Part::U64(per_mille(rate)),
            Part::U64(u64::from(run)),
        ]);
        let mut by_hits = [0; 4];
        for _ in 0..CLUSTERS {
            let hits = if stream.unit() < SHARED {
                if stream.unit() < rate { 3 } else { 0 }
            } else {
                (0..SIZE).filter(|_| stream.unit() < rate).count()
            };
            by_hits[hits] += 1;
        }
        for (count, holds) in counts.iter_mut().zip(holds(by_hits, rate)) {
            *count += u32::from(holds);
        }
    }
    let alone = |hits: i32, ways: f64| {
        (1.0 - SHARED) * ways * rate.powi(hits) * (1.0 - rate).powi(3 - hits)
    };
    let p = [alone(1, 3.0), alone(2, 3.0), alone(3, 1.0) + SHARED * rate];
    let mut chances = [0.0; 4];
    multinomial(CLUSTERS, p, |[one, two, three], mass| {
        let none = CLUSTERS - one - two - three;
        for (chance, holds) in chances.iter_mut().zip(holds([none, one, two, three], rate)) {
            *chance += if holds { mass } else { 0.0 };
        }
    });
    let share = |place: usize| Share::new(counts[place], runs, Some(chances[place]));
    InClusters {
        rate,
        upper: share(0),
        lower: share(1),
        upper_of_cases: share(2),
        stable: share(3),
    }
}

/// What holds after a run with so many clusters of no, one, two and three flips.
fn holds(by_hits: [u64; 4], rate: f64) -> [bool; 4] {
    let of = bounds(by_hits);
    let cases = upper_bound(of.hits, of.n, ALPHA).expect("in range");
    [
        rate <= of.upper,
        of.lower <= rate,
        rate <= cases,
        of.upper <= LIMIT,
    ]
}

fn bounds(by_hits: [u64; 4]) -> Clustered {
    let clusters: Vec<Cluster> = (0..)
        .zip(by_hits)
        .flat_map(|(hits, clusters)| (0..clusters).map(move |_| Cluster { hits, n: SIZE }))
        .collect();
    korn_graubard(&clusters, ALPHA).expect("clusters of three")
}
