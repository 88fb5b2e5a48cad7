//! Score questions: changes of level within pairs, and agreement across orders.

use crate::answer::Answer;
use crate::case::QuestionKind;
use crate::measure::accuracy::LEVEL;
use crate::measure::table::{CasePair, OrderAsk, Table};
use crate::measure::units::share_interval;
use crate::stats::agreement::{Icc, Weights, icc, weighted_kappa};
use crate::stats::score::{SEVERE, expected_value_flips, level_change, level_changes};
use crate::stats::{Estimate, proportion};
use crate::summary::{ExpectationFlips, IntraClass, ScoreAgreement, ScoreFigure, ScoreReason};

/// The score questions among `pairs`; `None` without a pair that chose a level on both sides.
///
/// Levels are identities: a level is a place in the case's own legend, wherever it was shown. Source: the statistics page, 10.
/// `cluster` names the field by whose values cases depend on each other, if any.
pub(crate) fn score(pairs: &[CasePair<'_>], cluster: Option<&str>) -> Option<ScoreFigure> {
    let mut levels: Vec<(i64, i64)> = Vec::new();
    let mut scales: Vec<usize> = Vec::new();
    let (mut severe_pairs, mut expected) = (Vec::new(), Vec::new());
    for pair in pairs
        .iter()
        .filter(|pair| pair.case.question.kind == QuestionKind::Score)
    {
        let Some((own, variant)) = pair.answers else {
            continue;
        };
        if let (Some(own), Some(variant)) = (own.choice, variant.choice) {
            let (own, variant) = (i64::from(own.0), i64::from(variant.0));
            severe_pairs.push((pair.case, level_change(own, variant) >= SEVERE));
            levels.push((own, variant));
            scales.push(pair.case.options.len());
        }
        if let (Some(own), Some(variant)) = (own.score, variant.score) {
            expected.push((pair.case, expected_value_flips(own, variant)));
        }
    }
    let changes = level_changes(&levels)?;
    let count = |least: u64| {
        let moved = levels
            .iter()
            .filter(|(own, variant)| level_change(*own, *variant) >= least);
        moved.count() as u64
    };
    let severe = count(SEVERE);
    let moved = expected.iter().filter(|(_, flips)| *flips).count() as u64;
    let severe_share = proportion::wilson(severe, changes.n, LEVEL).ok()?;
    let share = proportion::wilson(moved, expected.len() as u64, LEVEL).ok();
    let (weighted_kappa, kappa_reason) = kappa(&levels, &scales);
    Some(ScoreFigure {
        pairs: changes.n,
        flips: count(1),
        mean_change: changes.mean_change,
        severe,
        severe_rate: severe_share.value,
        severe_interval: share_interval(cluster, severe_pairs)?,
        weighted_kappa,
        kappa_reason,
        expectation: ExpectationFlips {
            pairs: expected.len() as u64,
            flips: moved,
            rate: share.map(|share| share.value),
            reason: expected.is_empty().then_some(ScoreReason::NoExpectation),
            interval: share_interval(cluster, expected),
        },
    })
}

fn kappa(levels: &[(i64, i64)], scales: &[usize]) -> (Option<f64>, Option<ScoreReason>) {
    let scale = scales.first().copied().unwrap_or(0);
    if scales.iter().any(|other| *other != scale) {
        return (None, Some(ScoreReason::DifferentLevels));
    }
    let mut table = vec![vec![0_u64; scale]; scale];
    for (own, variant) in levels {
        let place = |level: &i64| usize::try_from(*level).unwrap_or(usize::MAX);
        if let Some(count) = table
            .get_mut(place(own))
            .and_then(|row| row.get_mut(place(variant)))
        {
            *count += 1;
        }
    }
    match weighted_kappa(&table, Weights::Quadratic) {
        Ok(Some(kappa)) => (Some(kappa), None),
        _ => (None, Some(ScoreReason::OneLevel)),
    }
}

/// Agreement of the score questions across orders; `None` without such a question or without another order.
///
/// Labelled orders are the same for all cases, and drawn ones differ by case, so each kind has its own coefficient over the
/// own order and the orders of that kind. Source: the statistics page, 12.
///
/// Its intervals take cases as independent, so that there are none where `cluster` names a field by whose values they depend
/// on each other.
pub(crate) fn agreement(table: &Table<'_>, cluster: Option<&str>) -> Option<ScoreAgreement> {
    let plan = table.plan;
    let drawn = |variant: usize| {
        let name = plan.variants[variant].name.as_str();
        // `all` is a list for every case alike until it is sampled.
        ["random:", "shuffle:"]
            .iter()
            .any(|kind| name.starts_with(kind))
            || (plan.sampled && name.starts_with("all:"))
    };
    let rows: Vec<Vec<OrderAsk<'_>>> = table
        .orders()
        .into_iter()
        .zip(plan.cases.iter())
        .filter(|(_, case)| case.question.kind == QuestionKind::Score)
        .map(|(orders, _)| orders)
        .collect();
    let of = |wanted: &dyn Fn(usize) -> bool, pick: fn(&Icc) -> Estimate| {
        let mut variants: Vec<usize> = rows
            .iter()
            .flatten()
            .map(|order| order.variant)
            .filter(|variant| *variant > 0 && wanted(*variant))
            .collect();
        variants.sort_unstable();
        variants.dedup();
        (!variants.is_empty()).then(|| intra_class(&rows, &variants, pick, cluster.is_some()))
    };
    let found = ScoreAgreement {
        labelled: of(&|variant| !drawn(variant), |icc| icc.agreement),
        random: of(&drawn, |icc| icc.one),
    };
    (found.labelled.is_some() || found.random.is_some()).then_some(found)
}

fn intra_class(
    rows: &[Vec<OrderAsk<'_>>],
    variants: &[usize],
    pick: fn(&Icc) -> Estimate,
    clustered: bool,
) -> IntraClass {
    let whole: Vec<Vec<&Answer>> = rows
        .iter()
        .filter_map(|orders| {
            let answer = |variant: usize| {
                let order = orders.iter().find(|order| order.variant == variant)?;
                order.answer.filter(|answer| answer.choice.is_some())
            };
            std::iter::once(0)
                .chain(variants.iter().copied())
                .map(answer)
                .collect()
        })
        .collect();
    let of_expectations = !whole.is_empty()
        && whole
            .iter()
            .flatten()
            .all(|answer| answer.score.is_some_and(f64::is_finite));
    let value = |answer: &Answer| match answer.score.filter(|_| of_expectations) {
        Some(score) => score,
        None => answer.choice.map_or(0.0, |level| f64::from(level.0)),
    };
    let mut scores: Vec<Vec<f64>> = whole
        .iter()
        .map(|row| row.iter().map(|answer| value(answer)).collect())
        .collect();
    // Sorted, so that no sum depends on the order of the cases.
    scores.sort_unstable_by(|a, b| {
        let differs = a.iter().zip(b).map(|(a, b)| a.total_cmp(b));
        differs.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
    });
    let orders = variants.len() + 1;
    let estimate = icc(&scores, LEVEL).ok().flatten().map(|icc| pick(&icc));
    IntraClass {
        cases: scores.len() as u64,
        orders: orders as u64,
        left_out: (rows.len() - scores.len()) as u64,
        of_expectations,
        value: estimate.map(|estimate| estimate.value),
        interval: estimate
            .filter(|_| !clustered)
            .map(|estimate| [estimate.lower, estimate.upper]),
        reason: match estimate {
            Some(_) if clustered => Some(ScoreReason::Clustered),
            Some(_) => None,
            None if scores.len() < 2 => Some(ScoreReason::TooFewCases),
            None => Some(ScoreReason::NoVariance),
        },
    }
}
