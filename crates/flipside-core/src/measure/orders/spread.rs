//! How far a share of cases moves from one way of asking them to another, beside what noise alone gives.

use crate::case::Case;
use crate::measure::orders::View;
use crate::measure::units::share_interval;
use crate::stats::spread::{self, SpreadNull};

/// Shuffles of the ways of asking within each case.
const SHUFFLES: u32 = 200;

/// Shares by way of asking, and how far they lie apart.
pub(in crate::measure) struct Spread {
    /// Shares of cases, from 0 to 1.
    pub(in crate::measure) rates: Vec<f64>,
    /// Largest minus smallest.
    pub(in crate::measure) value: f64,
    /// The same where the ways are shuffled within each case.
    pub(in crate::measure) null: Option<SpreadNull>,
}

/// The spread of `known`, by case what each of `ways` shows; `None` without a case. `figure` names the stream of the shuffles.
pub(in crate::measure) fn spread(
    view: &View<'_>,
    known: &[(&Case, Vec<bool>)],
    ways: usize,
    figure: &str,
) -> Option<Spread> {
    // The same shuffles whatever order the cases stand in, and one shuffle for all cases of a cluster.
    let units = view.units(known.iter().map(|(case, of)| (*case, of)), Ord::cmp);
    let sizes: Vec<usize> = units.iter().map(Vec::len).collect();
    let columns: Vec<&Vec<bool>> = units.into_iter().flatten().collect();
    let rows: Vec<Vec<bool>> = (0..ways)
        .map(|way| columns.iter().map(|column| column[way]).collect())
        .collect();
    let found = spread::order_spread(&rows).ok()?;
    let mut stream = view.stream(figure);
    Some(Spread {
        rates: found.accuracy,
        value: found.format_spread,
        null: spread::spread_null_over(&rows, &sizes, SHUFFLES, &mut stream).ok(),
    })
}

/// Cases of which something is true, with their share.
pub(in crate::measure) struct Part {
    pub(in crate::measure) count: u64,
    pub(in crate::measure) of: u64,
    pub(in crate::measure) rate: f64,
    /// Two-sided 95 % interval: Wilson's, or with clusters that of Korn and Graubard.
    pub(in crate::measure) interval: [f64; 2],
}

/// How many cases `shown` is true of; `None` without a case.
pub(in crate::measure) fn part<'c>(
    view: &View<'_>,
    shown: impl Iterator<Item = (&'c Case, bool)> + Clone,
) -> Option<Part> {
    let count = shown.clone().filter(|(_, shows)| *shows).count() as u64;
    let of = shown.clone().count() as u64;
    #[expect(clippy::cast_precision_loss, reason = "case counts are far below 2^52")]
    let rate = count as f64 / of as f64;
    Some(Part {
        count,
        of,
        rate,
        interval: share_interval(view.cluster, shown)?,
    })
}
