//! Whether confidence means what it says: per order, pooled, and against the own order.

use crate::answer::confidence;
use crate::case::Case;
use crate::measure::accuracy::{LEVEL, right};
use crate::measure::orders::label_free::label_free;
use crate::measure::orders::reliability;
use crate::measure::orders::share::resamples_vary;
use crate::measure::orders::{CaseOrders, LISTED, View};
use crate::stats::calibration::{self, BINS, FEWEST_CASES};
use crate::stats::cluster::{self, FEWEST_FLIPS};
use crate::summary::{Calibrated, CalibrationChange, Drawn, OrderCalibration};

/// One answer of a labelled case with its confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Row {
    confidence: f64,
    right: bool,
    /// Its Brier score over all options, for a case that accepts exactly one.
    brier: Option<f64>,
}

/// The answers of one labelled case by place in a list of orders.
type Answers = Vec<Option<Row>>;

/// Equal-width bins of confidence.
const PLACES: usize = 10;
const _: () = assert!(PLACES as u64 == BINS, "one number of bins everywhere");
/// Mean confidence, ECE, and both Brier scores of some answers.
const FIGURES: usize = 4;
type Figures = [Option<f64>; FIGURES];

/// Calibration of the cases of `view`.
pub(super) fn calibration(view: &View<'_>) -> OrderCalibration {
    let mut without_probabilities = 0;
    let (answered, orders) = answered(view, &mut without_probabilities);
    let units = Units::new(view, answered);
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
    if units.cases.is_empty() {
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
    let terms: Vec<[Vec<Term>; 2]> = series.iter().map(|series| series.terms(&units)).collect();
    let draws = cluster::affordable(units.count);
    let intervals = {
        let mut stream = view.stream("calibration");
        let groups = cluster::random_groups(units.count, &mut stream);
        let count = groups
            .as_ref()
            .map_or(units.count, |groups| 1 + groups.iter().max().unwrap_or(&0));
        let of_groups = groups.as_ref().map(|groups| {
            let sums = terms
                .iter()
                .map(|[first, second]| [first, second].map(|terms| grouped(terms, groups, count)));
            sums.collect::<Vec<_>>()
        });
        let terms = of_groups.as_ref().unwrap_or(&terms);
        let statistics = |weights: &[f64]| {
            let each = series.iter().zip(terms);
            each.flat_map(|(series, terms)| series.figures(terms, weights))
                .collect()
        };
        cluster::bootstrap_weighted(count, draws, LEVEL, &mut stream, statistics).ok()
    };
    if intervals.is_some() {
        found.draws = draws;
        found.seed = Some(view.seed);
    }
    let once = vec![1.0; units.count];
    let alone = view.cluster.is_none();
    for (place, series) in series.iter().enumerate() {
        let figures = series.figures(&terms[place], &once);
        let enough = [series.confidence_varies(&units), series.enough(&units)];
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
                    .extend(change(name, &units.cases, *order, &drawn));
            }
            Series::Order(order) => {
                let rows = rows(&units.cases, Some(*order));
                let name = view.name(orders[*order]);
                found.by_order.extend(calibrated(name, rows, alone, &drawn));
            }
            Series::Pooled => {
                found.pooled = calibrated("pooled", rows(&units.cases, None), alone, &drawn);
            }
        }
    }
    found
}

/// The answered cases, those of one independent unit one after the other.
struct Units {
    cases: Vec<Answers>,
    /// By case: its unit.
    unit: Vec<usize>,
    /// Units.
    count: usize,
}

impl Units {
    /// The same units in the same order whatever order the cases stand in.
    fn new(view: &View<'_>, answered: Vec<(&Case, Answers)>) -> Self {
        let compare = |a: &Answers, b: &Answers| {
            let each = a.iter().zip(b).map(|(a, b)| a.map(key).cmp(&b.map(key)));
            let differs = each.into_iter().find(|order| order.is_ne());
            differs.unwrap_or_else(|| a.len().cmp(&b.len()))
        };
        let units = view.units(answered, compare);
        let unit = |(place, unit): (usize, &Vec<_>)| std::iter::repeat_n(place, unit.len());
        Self {
            count: units.len(),
            unit: units.iter().enumerate().flat_map(unit).collect(),
            cases: units.into_iter().flatten().collect(),
        }
    }

    /// What `of` finds in each unit, over its cases.
    fn each<T>(&self, of: impl Fn(&Answers) -> Vec<T>) -> Vec<Vec<T>> {
        let mut found: Vec<Vec<T>> = (0..self.count).map(|_| Vec::new()).collect();
        for (unit, case) in self.unit.iter().zip(&self.cases) {
            found[*unit].extend(of(case));
        }
        found
    }
}

/// The labelled cases with an answer that has probabilities, and the orders of these answers by variant.
fn answered<'a>(view: &View<'a>, without: &mut u64) -> (Vec<(&'a Case, Answers)>, Vec<usize>) {
    let labelled = || view.cases.iter().filter(|case| case.case.is_labelled());
    let mut answers: Vec<(&Case, Vec<(usize, Row)>)> = Vec::new();
    for case in labelled() {
        let mut of_case = Vec::with_capacity(case.asks.len());
        for ask in &case.asks {
            match row(case, ask) {
                Some(row) => of_case.push((ask.variant, row)),
                None if ask.answer.is_some() => *without += 1,
                None => {}
            }
        }
        if !of_case.is_empty() {
            answers.push((case.case, of_case));
        }
    }
    // The own order comes first, answered or not: changes are against it.
    let answered = answers.iter().flat_map(|(_, of_case)| of_case);
    let answered = answered.map(|(order, _)| *order);
    let mut orders: Vec<usize> = std::iter::once(0).chain(answered).collect();
    orders.sort_unstable();
    orders.dedup();
    let place = |(case, of_case): (_, Vec<(usize, Row)>)| {
        let of = |order: &usize| {
            of_case
                .iter()
                .find(|(o, _)| o == order)
                .map(|(_, row)| *row)
        };
        (case, orders.iter().map(of).collect())
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
fn rows(cases: &[Answers], order: Option<usize>) -> Vec<Vec<Row>> {
    let of = |answers: &Answers| match order {
        Some(order) => answers[order].into_iter().collect(),
        None => answers.iter().flatten().copied().collect(),
    };
    cases.iter().map(of).collect()
}

/// A case's answers in the own order and in another.
fn both(answers: &Answers, order: usize) -> Option<(Row, Row)> {
    answers[0].zip(answers[order])
}

/// What answers of one unit and bin add to the figures.
#[derive(Clone, Copy, Default)]
struct Term {
    unit: usize,
    bin: usize,
    answers: f64,
    confidence: f64,
    /// Confidence minus 1 for a right answer.
    away: f64,
    /// Its square.
    top: f64,
    brier: f64,
    /// Answers with a Brier score.
    scored: f64,
}

impl Term {
    fn add(&mut self, other: &Self) {
        self.answers += other.answers;
        self.confidence += other.confidence;
        self.away += other.away;
        self.top += other.top;
        self.brier += other.brier;
        self.scored += other.scored;
    }
}

/// The terms of random groups of units, each the sum over its units.
fn grouped(terms: &[Term], groups: &[usize], count: usize) -> Vec<Term> {
    let mut sums = vec![Term::default(); if terms.is_empty() { 0 } else { count * PLACES }];
    for term in terms {
        let unit = groups[term.unit];
        let sum = &mut sums[unit * PLACES + term.bin];
        (sum.unit, sum.bin) = (unit, term.bin);
        sum.add(term);
    }
    sums.retain(|sum| sum.answers > 0.0);
    sums
}

impl Series {
    /// The answers of the series; for a change those of the own order, then the other's.
    fn terms(&self, units: &Units) -> [Vec<Term>; 2] {
        let of = |rows: &dyn Fn(&Answers) -> Vec<Row>| {
            let cases = units.unit.iter().zip(&units.cases);
            let terms = cases.flat_map(|(unit, case)| {
                let term = |row: Row| term(*unit, row);
                rows(case).into_iter().map(term)
            });
            terms.collect()
        };
        match self {
            Self::Order(order) => [of(&|case| case[*order].into_iter().collect()), Vec::new()],
            Self::Pooled => [
                of(&|case| case.iter().flatten().copied().collect()),
                Vec::new(),
            ],
            Self::Change(order) => {
                let own = |(own, _): (Row, Row)| own;
                let other = |(_, other): (Row, Row)| other;
                [
                    of(&|case| both(case, *order).map(own).into_iter().collect()),
                    of(&|case| both(case, *order).map(other).into_iter().collect()),
                ]
            }
        }
    }

    fn figures(&self, [first, second]: &[Vec<Term>; 2], weights: &[f64]) -> Figures {
        match self {
            Self::Order(_) | Self::Pooled => figures(first, weights),
            Self::Change(_) => {
                let (own, other) = (figures(first, weights), figures(second, weights));
                std::array::from_fn(|figure| Some(other[figure]? - own[figure]?))
            }
        }
    }

    /// Whether resampling can move the mean confidence: not where nearly all units are alike.
    fn confidence_varies(&self, units: &Units) -> bool {
        let confidence = |row: Row| row.confidence;
        let mut values = units.each(|case| match self {
            Self::Order(order) => case[*order].map(confidence).into_iter().collect(),
            Self::Pooled => case.iter().flatten().map(|row| row.confidence).collect(),
            Self::Change(order) => both(case, *order)
                .map(|(own, other)| other.confidence - own.confidence)
                .into_iter()
                .collect::<Vec<f64>>(),
        });
        values.retain(|unit| !unit.is_empty());
        for unit in &mut values {
            unit.sort_by(f64::total_cmp);
        }
        values.sort_by(|a, b| {
            let each = a.iter().zip(b).map(|(a, b)| a.total_cmp(b));
            let differs = each.into_iter().find(|order| order.is_ne());
            differs.unwrap_or_else(|| a.len().cmp(&b.len()))
        });
        resamples_vary(&values)
    }

    /// Whether resampling can show what chance does: not where nearly all units are one and the same.
    fn enough(&self, units: &Units) -> bool {
        let told = units.each(|case| match self {
            Self::Order(order) => case[*order].map(|row| row.right).into_iter().collect(),
            Self::Pooled => case.iter().flatten().map(|row| row.right).collect(),
            Self::Change(order) => both(case, *order)
                .map(|(own, other)| own != other)
                .into_iter()
                .collect::<Vec<bool>>(),
        });
        let with = |wanted: bool| {
            told.iter().filter(|unit| unit.contains(&wanted)).count() as u64 >= FEWEST_FLIPS
        };
        with(true) && (with(false) || matches!(self, Self::Change(_)))
    }
}

fn term(unit: usize, row: Row) -> Term {
    let outcome = if row.right { 1.0 } else { 0.0 };
    Term {
        unit,
        bin: reliability::tenth(row.confidence),
        answers: 1.0,
        confidence: row.confidence,
        away: row.confidence - outcome,
        top: (row.confidence - outcome) * (row.confidence - outcome),
        brier: row.brier.unwrap_or(0.0),
        scored: if row.brier.is_some() { 1.0 } else { 0.0 },
    }
}

/// The figures of [`calibration::calibration`] and the mean Brier score where each unit counts by its weight.
fn figures(terms: &[Term], weights: &[f64]) -> Figures {
    let mut bins = [0.0; PLACES];
    let (mut n, mut sure, mut top) = (0.0, 0.0, 0.0);
    let (mut brier, mut scored) = (0.0, 0.0);
    for term in terms {
        let weight = weights[term.unit];
        bins[term.bin] += weight * term.away;
        n += weight * term.answers;
        sure += weight * term.confidence;
        top += weight * term.top;
        brier += weight * term.brier;
        scored += weight * term.scored;
    }
    if n <= 0.0 {
        return [None; FIGURES];
    }
    let away: f64 = bins.iter().map(|sum: &f64| sum.abs()).sum();
    [
        Some(sure / n),
        Some(away / n),
        Some(top / n),
        (scored > 0.0).then(|| brier / scored),
    ]
}

/// Why an expected calibration error is not reported.
fn too_few(cases: u64) -> Option<String> {
    (cases < FEWEST_CASES).then(|| format!("ece needs {FEWEST_CASES} cases: {cases}"))
}

fn calibrated(
    order: &str,
    rows: Vec<Vec<Row>>,
    alone: bool,
    drawn: &dyn Fn(usize) -> Option<Drawn>,
) -> Option<Calibrated> {
    let cases = rows.iter().filter(|rows| !rows.is_empty()).count() as u64;
    let rows: Vec<Row> = rows.into_iter().flatten().collect();
    let reason = too_few(cases);
    let told: Vec<(f64, bool)> = (rows.iter())
        .map(|row| (row.confidence, row.right))
        .collect();
    // One answer of each case, and each case for itself.
    let independent = alone && rows.len() as u64 == cases;
    Some(Calibrated {
        order: order.to_owned(),
        cases,
        answers: rows.len() as u64,
        right: rows.iter().filter(|row| row.right).count() as u64,
        mean_confidence: drawn(0)?,
        ece: drawn(1).filter(|_| reason.is_none()),
        brier_top: drawn(2)?,
        brier: drawn(3),
        bins: reliability::bins(&told, independent),
        brier_answers: rows.iter().filter(|row| row.brier.is_some()).count() as u64,
        reason,
    })
}

fn change(
    order: &str,
    cases: &[Answers],
    place: usize,
    drawn: &dyn Fn(usize) -> Option<Drawn>,
) -> Option<CalibrationChange> {
    let both = cases.iter().filter_map(|case| both(case, place));
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
