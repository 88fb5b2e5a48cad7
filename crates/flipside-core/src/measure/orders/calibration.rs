//! Whether confidence means what it says: per order, pooled, and against the own order; and bounds without labels.

use crate::answer::confidence;
use crate::measure::accuracy::{LEVEL, right};
use crate::measure::orders::agreement::counted;
use crate::measure::orders::share::resamples_vary;
use crate::measure::orders::{CaseOrders, LISTED, View, range};
use crate::stats::calibration::{self, BINS, FEWEST_CASES};
use crate::stats::cluster::{self, DRAWS, FEWEST_FLIPS};
use crate::summary::{Calibrated, CalibrationChange, Drawn, LabelFreeBounds, OrderCalibration};

/// One answer of a labelled case with its confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Row {
    confidence: f64,
    right: bool,
    /// Its Brier score over all options, for a case that accepts exactly one.
    brier: Option<f64>,
}

/// The answers of one labelled case by place in a list of orders.
type Cluster = Vec<Option<Row>>;

/// Mean confidence, ECE, and both Brier scores of some answers.
const FIGURES: usize = 4;
type Figures = [Option<f64>; FIGURES];

/// Calibration of the cases of `view`.
pub(super) fn calibration(view: &View<'_>) -> OrderCalibration {
    let mut without_probabilities = 0;
    let (mut clusters, orders) = clusters(view, &mut without_probabilities);
    // The same resamples whatever order the cases stand in.
    clusters.sort_by_cached_key(|cluster| -> Vec<_> {
        cluster.iter().map(|row| row.map(key)).collect()
    });
    let mut found = OrderCalibration {
        by_order: Vec::new(),
        orders_left_out: 0,
        pooled: None,
        changes: Vec::new(),
        without_probabilities,
        draws: 0,
        seed: None,
        label_free: label_free(view),
        reason: None,
    };
    if clusters.is_empty() {
        let labelled = view.cases.iter().any(|case| case.case.is_labelled());
        found.reason = Some(if labelled {
            "no answer to a labelled case has probabilities".to_owned()
        } else {
            "no case asked in several orders says which options are right".to_owned()
        });
        return found;
    }
    let listed = if orders.len() <= LISTED {
        orders.len()
    } else {
        1
    };
    found.orders_left_out = (orders.len() - listed) as u64;
    let mut series: Vec<Series> = (0..listed).map(Series::Order).collect();
    series.extend((1..listed).map(Series::Change));
    series.push(Series::Pooled);
    let cases = clusters.len();
    let all: Vec<usize> = (0..cases).collect();
    let intervals = {
        let mut stream = view.stream("calibration");
        let statistics = |chosen: &[usize]| {
            let of = |series: &Series| series.figures(&clusters, chosen);
            series.iter().flat_map(of).collect()
        };
        cluster::bootstrap_several(cases, DRAWS, LEVEL, &mut stream, statistics).ok()
    };
    if intervals.is_some() {
        found.draws = DRAWS;
        found.seed = Some(view.seed);
    }
    for (place, series) in series.iter().enumerate() {
        let figures = series.figures(&clusters, &all);
        let enough = [
            series.confidence_varies(&clusters),
            series.enough(&clusters),
        ];
        let drawn = |figure: usize| {
            let found = intervals.as_ref();
            let interval = found.and_then(|found| found[place * FIGURES + figure]);
            Some(Drawn {
                value: figures[figure]?,
                interval: interval
                    .filter(|_| enough[figure.min(1)])
                    .map(|(low, high)| [low, high]),
            })
        };
        match series {
            Series::Change(order) => {
                let name = view.name(orders[*order]);
                found
                    .changes
                    .extend(change(name, &clusters, *order, &drawn));
            }
            Series::Order(order) => {
                let rows = rows(&clusters, Some(*order));
                let name = view.name(orders[*order]);
                found.by_order.extend(calibrated(name, rows, &drawn));
            }
            Series::Pooled => {
                found.pooled = calibrated("pooled", rows(&clusters, None), &drawn);
            }
        }
    }
    found
}

/// The labelled cases with an answer that has probabilities, and the orders of these answers by variant.
fn clusters(view: &View<'_>, without: &mut u64) -> (Vec<Cluster>, Vec<usize>) {
    let labelled = || view.cases.iter().filter(|case| case.case.is_labelled());
    let mut answers: Vec<Vec<(usize, Row)>> = Vec::new();
    for case in labelled() {
        let mut of_case = Vec::new();
        for ask in &case.asks {
            match row(case, ask) {
                Some(row) => of_case.push((ask.variant, row)),
                None if ask.answer.is_some() => *without += 1,
                None => {}
            }
        }
        if !of_case.is_empty() {
            answers.push(of_case);
        }
    }
    // The own order comes first, answered or not: changes are against it.
    let answered = answers.iter().flatten().map(|(order, _)| *order);
    let mut orders: Vec<usize> = std::iter::once(0).chain(answered).collect();
    orders.sort_unstable();
    orders.dedup();
    let place = |of_case: Vec<(usize, Row)>| {
        let of = |order: &usize| {
            of_case
                .iter()
                .find(|(o, _)| o == order)
                .map(|(_, row)| *row)
        };
        orders.iter().map(of).collect()
    };
    (answers.into_iter().map(place).collect(), orders)
}

fn row(case: &CaseOrders<'_>, ask: &crate::measure::table::OrderAsk<'_>) -> Option<Row> {
    let probabilities = ask.answer?.probabilities.as_ref()?;
    let brier = match case.case.accept[..] {
        [accepted] => brier(probabilities, accepted.index()),
        _ => None,
    };
    Some(Row {
        confidence: confidence(probabilities)?.top.min(1.0),
        right: right(case.case, ask.said)?,
        brier,
    })
}

/// The Brier score of one answer, after renormalising a copy.
fn brier(probabilities: &[f64], accepted: usize) -> Option<f64> {
    let sum: f64 = probabilities.iter().sum();
    let mut shares: Vec<f64> = probabilities
        .iter()
        .map(|value| (value / sum).clamp(0.0, 1.0))
        .collect();
    if accepted >= shares.len() {
        return None;
    }
    let first = shares.swap_remove(accepted);
    // The same sum however the options are numbered.
    shares.sort_by(f64::total_cmp);
    shares.insert(0, first);
    let score = calibration::probability_score(&[shares], &[0]).ok()?;
    Some(score.brier)
}

/// What sorts rows; numbers from 0 up sort as their bits do.
fn key(row: Row) -> (u64, bool, Option<u64>) {
    (
        row.confidence.to_bits(),
        row.right,
        row.brier.map(f64::to_bits),
    )
}

/// Answers whose figures are reported together, by place in the list of orders.
enum Series {
    Order(usize),
    /// An order minus the own one, on the cases that have both.
    Change(usize),
    Pooled,
}

/// The answers of an order, or all of them.
fn rows(clusters: &[Cluster], order: Option<usize>) -> Vec<Vec<Row>> {
    let of = |cluster: &Cluster| match order {
        Some(order) => cluster[order].into_iter().collect(),
        None => cluster.iter().flatten().copied().collect(),
    };
    clusters.iter().map(of).collect()
}

/// A case's answers in the own order and in another.
fn both(cluster: &Cluster, order: usize) -> Option<(Row, Row)> {
    cluster[0].zip(cluster[order])
}

impl Series {
    fn figures(&self, clusters: &[Cluster], chosen: &[usize]) -> Figures {
        let chosen = chosen.iter().map(|&place| &clusters[place]);
        match self {
            Self::Order(order) => figures(&chosen.filter_map(|c| c[*order]).collect::<Vec<_>>()),
            Self::Pooled => figures(&chosen.flatten().filter_map(|row| *row).collect::<Vec<_>>()),
            Self::Change(order) => {
                let (own, other): (Vec<Row>, Vec<Row>) =
                    chosen.filter_map(|cluster| both(cluster, *order)).unzip();
                let (own, other) = (figures(&own), figures(&other));
                std::array::from_fn(|figure| Some(other[figure]? - own[figure]?))
            }
        }
    }

    /// Whether resampling can move the mean confidence: not where nearly all are one value.
    fn confidence_varies(&self, clusters: &[Cluster]) -> bool {
        let confidence = |row: Row| row.confidence;
        let mut values: Vec<f64> = match self {
            Self::Order(order) => {
                let rows = clusters.iter().filter_map(|cluster| cluster[*order]);
                rows.map(confidence).collect()
            }
            Self::Pooled => {
                let rows = clusters.iter().flatten().flatten();
                rows.map(|row| row.confidence).collect()
            }
            Self::Change(order) => {
                let rows = clusters.iter().filter_map(|cluster| both(cluster, *order));
                rows.map(|(own, other)| other.confidence - own.confidence)
                    .collect()
            }
        };
        values.sort_by(f64::total_cmp);
        resamples_vary(&values)
    }

    /// Whether resampling can show what chance does: not where nearly all cases are one and the same.
    fn enough(&self, clusters: &[Cluster]) -> bool {
        let several = |rows: &mut dyn Iterator<Item = bool>| {
            let (hits, others): (Vec<bool>, Vec<bool>) = rows.partition(|hit| *hit);
            (hits.len().min(others.len()) as u64) >= FEWEST_FLIPS
        };
        match self {
            Self::Order(order) => several(
                &mut clusters
                    .iter()
                    .filter_map(|c| c[*order])
                    .map(|row| row.right),
            ),
            Self::Pooled => several(&mut clusters.iter().flatten().flatten().map(|row| row.right)),
            Self::Change(order) => {
                let changed = clusters.iter().filter_map(|cluster| both(cluster, *order));
                let changed = changed.filter(|(own, other)| own != other);
                changed.count() as u64 >= FEWEST_FLIPS
            }
        }
    }
}

fn figures(rows: &[Row]) -> Figures {
    let (confidence, right): (Vec<f64>, Vec<bool>) =
        rows.iter().map(|row| (row.confidence, row.right)).unzip();
    let Ok(found) = calibration::calibration(&confidence, &right, BINS) else {
        return [None; FIGURES];
    };
    let (mut sum, mut scored) = (0.0, 0_u32);
    for score in rows.iter().filter_map(|row| row.brier) {
        sum += score;
        scored += 1;
    }
    let brier = (scored > 0).then(|| sum / f64::from(scored));
    [
        Some(found.mean_confidence),
        Some(found.ece),
        Some(found.brier_top),
        brier,
    ]
}

/// Why an expected calibration error is not reported.
fn too_few(cases: u64) -> Option<String> {
    (cases < FEWEST_CASES).then(|| format!("ece needs {FEWEST_CASES} cases: {cases}"))
}

fn calibrated(
    order: &str,
    rows: Vec<Vec<Row>>,
    drawn: &dyn Fn(usize) -> Option<Drawn>,
) -> Option<Calibrated> {
    let cases = rows.iter().filter(|rows| !rows.is_empty()).count() as u64;
    let rows: Vec<Row> = rows.into_iter().flatten().collect();
    let reason = too_few(cases);
    Some(Calibrated {
        order: order.to_owned(),
        cases,
        answers: rows.len() as u64,
        right: rows.iter().filter(|row| row.right).count() as u64,
        mean_confidence: drawn(0)?,
        ece: drawn(1).filter(|_| reason.is_none()),
        brier_top: drawn(2)?,
        brier: drawn(3),
        brier_answers: rows.iter().filter(|row| row.brier.is_some()).count() as u64,
        reason,
    })
}

fn change(
    order: &str,
    clusters: &[Cluster],
    place: usize,
    drawn: &dyn Fn(usize) -> Option<Drawn>,
) -> Option<CalibrationChange> {
    let both = clusters.iter().filter_map(|cluster| both(cluster, place));
    let cases = both.count() as u64;
    let reason = too_few(cases);
    Some(CalibrationChange {
        order: order.to_owned(),
        cases,
        mean_confidence: drawn(0)?,
        ece: drawn(1).filter(|_| reason.is_none()),
        brier_top: drawn(2)?,
        brier: drawn(3),
        reason,
    })
}

/// Bounds from agreement and confidence alone, for cases that accept one option.
fn label_free(view: &View<'_>) -> LabelFreeBounds {
    let mut found = LabelFreeBounds {
        cases: 0,
        orders: None,
        accuracy_ceiling: None,
        mean_confidence: None,
        overconfidence_at_least: None,
        reason: None,
    };
    if view.several_accepted() {
        found.reason = Some("a case accepts several options".to_owned());
        return found;
    }
    let mut rows: Vec<(f64, f64, u64)> = view.cases.iter().filter_map(agreed).collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    found.cases = rows.len() as u64;
    found.orders = range(rows.iter().map(|(_, _, answers)| *answers));
    let modal: Vec<f64> = rows.iter().map(|(modal, _, _)| *modal).collect();
    let sure: Vec<f64> = rows.iter().map(|(_, sure, _)| *sure).collect();
    let Ok(bounds) = calibration::label_free(&modal, &sure) else {
        found.reason = Some("no case has two answers with probabilities".to_owned());
        return found;
    };
    found.accuracy_ceiling = Some(bounds.accuracy_ceiling);
    found.mean_confidence = average(&sure);
    found.overconfidence_at_least = Some(bounds.overconfidence_at_least);
    found
}

/// A case's modal share, its mean confidence and its answers, if there are two or more and all have probabilities.
fn agreed(case: &CaseOrders<'_>) -> Option<(f64, f64, u64)> {
    let answered = case.asks.iter().filter_map(|ask| ask.answer);
    let mut sure: Vec<f64> = answered
        .map(|answer| Some(confidence(answer.probabilities.as_ref()?)?.top.min(1.0)))
        .collect::<Option<_>>()?;
    if sure.len() < 2 {
        return None;
    }
    sure.sort_by(f64::total_cmp);
    let counted = counted(case);
    Some((counted.modal_share()?, average(&sure)?, counted.answers))
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn average(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}
