//! The units that resamples and tests take: each declared cluster with all its cases, else each case for itself.

use std::collections::BTreeMap;

use crate::case::Case;
use crate::groups::Groups;
use crate::measure::accuracy::LEVEL;
use crate::measure::clusters::{Unit, Units};
use crate::stats::paired::{mover, sign_test};
use crate::stats::{Estimate, Method, proportion};
use crate::summary::ClusterSigns;

/// The declared field by whose values cases depend on each other. `None` where none is declared, or where no two of `cases`
/// share a value: clusters of one are independent cases, and every figure is the one without clusters.
pub(crate) fn dependent<'g>(groups: &'g Groups, cases: &[Case]) -> Option<&'g str> {
    let field = groups.cluster.as_deref()?;
    let mut values: Vec<&str> = cases.iter().filter_map(|case| case.field(field)).collect();
    values.sort_unstable();
    let shared = values.windows(2).any(|pair| pair[0] == pair[1]);
    shared.then_some(field)
}

/// Items by unit, each unit's in the order in which they come: by the value of `field`, or each for itself without one.
pub(crate) fn by_unit<'a, T>(
    field: Option<&str>,
    items: impl IntoIterator<Item = (&'a Case, T)>,
) -> Vec<Vec<T>> {
    let Some(field) = field else {
        return items.into_iter().map(|(_, item)| vec![item]).collect();
    };
    let mut units: BTreeMap<&str, Vec<T>> = BTreeMap::new();
    for (case, item) in items {
        // Checked before anything was asked: every case has the field.
        let unit = units.entry(case.field(field).unwrap_or_default());
        unit.or_default().push(item);
    }
    units.into_values().collect()
}

/// Values of cases as the sum and number of each unit, in an order that depends on neither cases nor names.
pub(crate) fn totals<'a>(
    field: Option<&str>,
    values: impl IntoIterator<Item = (&'a Case, f64)>,
) -> Vec<(f64, u64)> {
    if field.is_none() {
        let mut totals: Vec<(f64, u64)> = values.into_iter().map(|(_, value)| (value, 1)).collect();
        totals.sort_unstable_by(|(a, _), (b, _)| a.total_cmp(b));
        return totals;
    }
    let total = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        (values.iter().sum(), values.len() as u64)
    };
    let units = by_unit(field, values).into_iter();
    let mut totals: Vec<(f64, u64)> = units.map(total).collect();
    totals.sort_by(|(a, n), (b, m)| a.total_cmp(b).then(n.cmp(m)));
    totals
}

/// The two-sided interval of the share of `cases` that show something: Wilson's, or over the clusters of `cluster` that of Korn
/// and Graubard. `None` without a case.
pub(crate) fn share_interval<'c>(
    cluster: Option<&str>,
    cases: impl IntoIterator<Item = (&'c Case, bool)>,
) -> Option<[f64; 2]> {
    let unit = |(case, hit)| (case, if hit { Unit::Hit } else { Unit::NoHit });
    if let Some(field) = cluster {
        let units = Units::of(field, cases.into_iter().map(unit));
        return units.share(1.0 - LEVEL)?.interval;
    }
    let (mut hits, mut n) = (0, 0);
    for (_, hit) in cases {
        (hits, n) = (hits + u64::from(hit), n + 1);
    }
    let share = proportion::wilson(hits, n, LEVEL).ok()?;
    Some([share.lower, share.upper])
}

/// Two properties of the same cases, over clusters: the share that only the first has minus the share that only the second
/// has, and whether chance alone tells them apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Contrast {
    /// Two-sided interval of the difference of the shares.
    pub(crate) interval: [f64; 2],
    /// Exact two-sided test over `signs`.
    pub(crate) p: f64,
    pub(crate) signs: ClusterSigns,
}

/// Clusters by which of two properties more of their cases have, and the exact test that neither prevails.
///
/// Where nothing distinguishes the two, they can change places in all cases of a cluster at once without changing how
/// likely the data are, so that each cluster with a difference is as likely to have either sign: a fair coin per cluster,
/// whatever its cases have in common. Clusters of one case make it McNemar's exact test.
///
/// Source: the sign test (Dixon & Mood 1946) with the cluster as the unit, section 0.6 of the statistics page.
pub(crate) fn signs<'a>(
    field: &str,
    cases: impl IntoIterator<Item = (&'a Case, (bool, bool))>,
) -> (ClusterSigns, f64) {
    let mut signs = ClusterSigns::default();
    for unit in by_unit(Some(field), cases) {
        let first = unit.iter().filter(|(first, _)| *first).count();
        let second = unit.iter().filter(|(_, second)| *second).count();
        signs.first += u64::from(first > second);
        signs.second += u64::from(second > first);
    }
    let p = sign_test(signs.first, signs.second);
    (signs, p)
}

/// The contrast of two properties over the clusters of `field`, its interval at `level`; `None` without a case.
///
/// The interval is square-and-add from Korn and Graubard's limits of both shares and the correlation of the two over
/// clusters. Source: Zou & Donner 2008, the statistics page, 4.2 and 4.3.
pub(crate) fn contrast(
    field: &str,
    cases: &[(&Case, (bool, bool))],
    level: f64,
) -> Option<Contrast> {
    let unit = |hit: bool| if hit { Unit::Hit } else { Unit::NoHit };
    let estimate = |property: fn(&(bool, bool)) -> bool| {
        let units = cases.iter().map(|(case, has)| (*case, unit(property(has))));
        let share = Units::of(field, units).share((1.0 - level) / 2.0)?;
        let hits = cases.iter().filter(|(_, has)| property(has)).count();
        let ends = (share.bounds.lower, share.bounds.upper);
        Estimate::new(
            part(hits, cases.len()),
            ends,
            level,
            share.clusters,
            Method::KornGraubard,
        )
        .ok()
    };
    let (first, second) = (estimate(|has| has.0)?, estimate(|has| has.1)?);
    let difference = mover(&first, &second, correlation(field, cases)).ok()?;
    let (signs, p) = signs(field, cases.iter().copied());
    Some(Contrast {
        interval: [difference.lower.max(-1.0), difference.upper.min(1.0)],
        p,
        signs,
    })
}

/// Correlation over clusters of both totals about their shares, linearised as the standard errors are; 0 where one does not
/// vary. At most Newcombe's phi with its correction, for as many cases as there are clusters: where no case tells the two
/// properties apart the correlation is 1, and the interval would collapse.
///
/// Source: the statistics page, 4.2 (Newcombe's method 10) and 4.3; to take the smaller of the two is ours.
fn correlation(field: &str, cases: &[(&Case, (bool, bool))]) -> f64 {
    let count = |of: fn(&(bool, bool)) -> bool| cases.iter().filter(|(_, has)| of(has)).count();
    let first = part(count(|has| has.0), cases.len());
    let second = part(count(|has| has.1), cases.len());
    let total = |unit: Vec<(bool, bool)>| {
        let n = unit.len();
        let hits = |of: fn(&(bool, bool)) -> bool| unit.iter().filter(|has| of(has)).count();
        (hits(|has| has.0), hits(|has| has.1), n)
    };
    let units = by_unit(Some(field), cases.iter().copied()).into_iter();
    let mut totals: Vec<(usize, usize, usize)> = units.map(total).collect();
    // Sums must not depend on names.
    totals.sort_unstable();
    let most = corrected_phi(cases, totals.len());
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (x, y, n) in totals {
        let x = real(x) - real(n) * first;
        let y = real(y) - real(n) * second;
        (xx, yy, xy) = (xx + x * x, yy + y * y, xy + x * y);
    }
    if xx <= 1e-12 || yy <= 1e-12 {
        return 0.0;
    }
    (xy / (xx * yy).sqrt()).min(most).clamp(-1.0, 1.0)
}

/// Newcombe's phi of the shares of `cases`, corrected as for `clusters` cases: 0 where one property does not vary.
fn corrected_phi(cases: &[(&Case, (bool, bool))], clusters: usize) -> f64 {
    let count = |wanted: (bool, bool)| cases.iter().filter(|(_, has)| *has == wanted).count();
    let [a, b, c, d] = [(true, true), (true, false), (false, true), (false, false)]
        .map(|wanted| part(count(wanted), cases.len()));
    let margins = (a + b) * (c + d) * (a + c) * (b + d);
    if margins <= 0.0 {
        return 0.0;
    }
    let apart = a * d - b * c;
    // `ad - bc` less `n/2` of counts is this less `1/2n` of shares.
    let corrected = if apart > 0.0 {
        (apart - 0.5 / real(clusters)).max(0.0)
    } else {
        apart
    };
    corrected / margins.sqrt()
}

fn part(hits: usize, of: usize) -> f64 {
    if of == 0 { 0.0 } else { real(hits) / real(of) }
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn real(count: usize) -> f64 {
    count as f64
}
