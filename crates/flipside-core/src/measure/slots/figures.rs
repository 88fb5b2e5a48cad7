//! Shares of cases, and flips between two of the four cells.

use super::follow::second;
use super::rows::Row;
use crate::case::Case;
use crate::measure::accuracy::LEVEL;
use crate::measure::line::Tally;
use crate::measure::pair::{PairOutcome, pair};
use crate::measure::table::Table;
use crate::measure::units::{contrast, share_interval, signs};
use crate::stats::number::real;
use crate::stats::paired::{mcnemar_exact, newcombe_paired, sign_test};
use crate::stats::proportion::missing_bounds;
use crate::summary::{SlotDifference, SlotFlips, SlotShare};

/// Two cells that differ in the order or in the keys.
pub(super) type Between = [(usize, usize); 2];

/// The share of `cases` that are hits, with `missing` cases of which `could` might have been.
pub(super) fn share(
    cluster: Option<&str>,
    cases: &[(&Case, bool)],
    missing: u64,
    could: u64,
) -> SlotShare {
    let hits = cases.iter().filter(|(_, hit)| *hit).count() as u64;
    let n = cases.len() as u64;
    let part = |part: u64, of: u64| (of > 0).then(|| real(part) / real(of));
    let most = part(hits + could, n + missing);
    SlotShare {
        cases: hits,
        rate: part(hits, n),
        interval: share_interval(cluster, cases.iter().copied()),
        if_missing: part(hits, n + missing).zip(most).map(Into::into),
    }
}

/// The flips between two cells.
pub(super) fn flips(
    table: &Table<'_>,
    rows: &[Row<'_>],
    between: Between,
    cluster: Option<&str>,
) -> SlotFlips {
    let mut tally = Tally::default();
    let (mut compared, mut ways) = (Vec::new(), Vec::new());
    for row in rows {
        let (one, other) = row.pair(table, between);
        let outcome = pair(one, other);
        tally.add(outcome);
        if let Some(flip) = flipped(outcome) {
            compared.push((row.case, flip));
        }
        // From the first option to the second, and back.
        let way = match (second(one), second(other)) {
            (Some(one), Some(other)) => (!one && other, one && !other),
            _ => (false, false),
        };
        ways.push((row.case, way));
    }
    let count = |of: fn(&(bool, bool)) -> bool| {
        let found = ways.iter().filter(|(_, way)| of(way));
        found.count() as u64
    };
    let (plus, minus) = (count(|way| way.0), count(|way| way.1));
    let over = cluster.map(|field| signs(field, ways.iter().copied()));
    let missing = tally.missing + tally.unasked;
    SlotFlips {
        pairs: tally.pairs(),
        flips: tally.flips,
        tie_flips: tally.tie_flips,
        no_decision_flips: tally.no_decision_flips,
        no_decision: tally.no_decision,
        missing,
        rate: (tally.pairs() > 0).then(|| real(tally.flips) / real(tally.pairs())),
        interval: share_interval(cluster, compared),
        if_missing: missing_bounds(tally.flips, tally.pairs(), missing).map(Into::into),
        plus,
        minus,
        p: (plus + minus > 0).then(|| over.map_or(sign_test(plus, minus), |(_, p)| p)),
        clusters: over.map(|(signs, _)| signs),
    }
}

fn flipped(outcome: PairOutcome) -> Option<bool> {
    match outcome {
        PairOutcome::Flip { .. } => Some(true),
        PairOutcome::Same => Some(false),
        PairOutcome::Unasked | PairOutcome::Missing | PairOutcome::NoDecision => None,
    }
}

/// The share of flips between the cells of `first` minus that between those of `second`, on the cases that both compare.
pub(super) fn difference(
    table: &Table<'_>,
    rows: &[Row<'_>],
    [first, second]: [Between; 2],
    cluster: Option<&str>,
) -> Option<SlotDifference> {
    let of = |row: &Row<'_>, between| {
        let (one, other) = row.pair(table, between);
        flipped(pair(one, other))
    };
    let both = |row: &Row<'_>| of(row, first).zip(of(row, second));
    let compared = rows.iter().filter_map(|row| Some((row.case, both(row)?)));
    let compared: Vec<(&Case, (bool, bool))> = compared.collect();
    let count = |wanted| {
        let found = compared.iter().filter(|(_, flips)| *flips == wanted);
        found.count() as u64
    };
    let (a, d) = (count((true, true)), count((false, false)));
    let (b, c) = (count((true, false)), count((false, true)));
    let found = newcombe_paired(a, b, c, d, LEVEL).ok()?;
    let mut found = SlotDifference {
        cases: compared.len() as u64,
        value: found.value,
        interval: [found.lower, found.upper],
        p: mcnemar_exact(b, c),
        clusters: None,
    };
    if let Some(field) = cluster {
        let over = contrast(field, &compared, LEVEL)?;
        found.interval = over.interval;
        found.p = over.p;
        found.clusters = Some(over.signs);
    }
    Some(found)
}
