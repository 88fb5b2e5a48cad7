//! Recall by position of the accepted option, and how unequal it is.

use super::rows::{Placed, Row};
use crate::case::Case;
use crate::measure::accuracy::LEVEL;
use crate::measure::pair::Said;
use crate::measure::units::by_unit;
use crate::order::Position;
use crate::stats::draw::{Part, Stream};
use crate::stats::{cluster, position, proportion};
use crate::summary::PositionRecall;

/// Above this number of options there is no table, whose size is its square.
const MOST_OPTIONS: usize = 100;

/// The accepted option's position and the answered one.
type Cell = (usize, usize);

/// Recall by position over the asks of `rows` that `wanted` picks.
///
/// Source: the statistics page, 7 (`RStd`). Its chi-square has a p value only where no case has two answers, since answers of
/// one case depend on each other, as those of one cluster do; the interval draws cases, or clusters, with all their asks.
pub(super) fn recall<'a>(
    rows: &[Row<'a>],
    options: usize,
    cluster: Option<&str>,
    wanted: impl Fn(&Placed<'a>) -> bool,
) -> PositionRecall {
    let mut cases: Vec<(&Case, Vec<Cell>)> = Vec::new();
    let (mut no_decision, mut several_accepted, mut labelled) = (0, 0, 0_u64);
    for row in rows {
        labelled += u64::from(row.case.is_labelled());
        let &[accepted] = &row.case.accept[..] else {
            several_accepted += u64::from(row.case.is_labelled());
            continue;
        };
        let mut cells = Vec::new();
        for ask in row.asks.iter().filter(|ask| wanted(ask)) {
            no_decision += u64::from(ask.said == Said::Nothing);
            let stood = ask.order.position_of(accepted).map(Position::index);
            cells.extend(stood.zip(ask.position()));
        }
        if !cells.is_empty() {
            cells.sort_unstable();
            cases.push((row.case, cells));
        }
    }
    let number = cases.len() as u64;
    let alone = cluster.is_none() && cases.iter().all(|(_, cells)| cells.len() == 1);
    // The draws below must depend on neither the order of cases nor names.
    let mut units: Vec<Vec<Cell>> = by_unit(cluster, cases)
        .into_iter()
        .map(|unit| unit.into_iter().flatten().collect())
        .collect();
    for cells in &mut units {
        cells.sort_unstable();
    }
    units.sort_unstable();
    let mut out = empty(number, &units, no_decision, several_accepted);
    if units.is_empty() {
        out.reason = Some(match (labelled, several_accepted) {
            (0, _) => "no case says which options are right".to_owned(),
            (all, several) if all == several => {
                "every labelled case accepts several options".to_owned()
            }
            _ => "no labelled case was answered".to_owned(),
        });
    } else if options > MOST_OPTIONS {
        out.reason = Some(format!("more than {MOST_OPTIONS} options"));
    } else {
        fill(&mut out, &units, options, alone, cluster.is_some());
    }
    out
}

fn empty(
    cases: u64,
    units: &[Vec<Cell>],
    no_decision: u64,
    several_accepted: u64,
) -> PositionRecall {
    PositionRecall {
        cases,
        answers: units.iter().map(|cells| cells.len() as u64).sum(),
        no_decision,
        several_accepted,
        table: Vec::new(),
        recalls: Vec::new(),
        recall_intervals: Vec::new(),
        left_out: Vec::new(),
        rstd_percent: None,
        rstd_corrected_percent: None,
        rstd_interval_percent: None,
        rstd_draws: None,
        chi_square: None,
        df: None,
        p: None,
        reason: None,
    }
}

fn fill(
    out: &mut PositionRecall,
    units: &[Vec<Cell>],
    options: usize,
    independent: bool,
    clustered: bool,
) {
    let table = count(units.iter(), options);
    let Ok(found) = position::recall(&table) else {
        return;
    };
    out.left_out = (0..)
        .zip(&found.recalls)
        .filter(|(_, recall)| recall.is_none())
        .map(|(place, _)| place)
        .collect();
    out.reason = if found.rstd.is_none() {
        Some("the accepted option never stood in two positions".to_owned())
    } else if !independent {
        let of = if clustered { "cluster" } else { "case" };
        Some(format!(
            "no p value: the answers of one {of} depend on each other"
        ))
    } else if found.p.is_none() {
        Some("no p value: all answers are right, or none is".to_owned())
    } else {
        None
    };
    out.rstd_percent = found.rstd.map(|share| share * 100.0);
    out.rstd_corrected_percent = found.rstd_debiased.map(|share| share * 100.0);
    out.chi_square = found.chi_square;
    out.df = found.chi_square.map(|_| found.df);
    out.p = found.p.filter(|_| independent);
    if let Some((interval, draws)) = found.rstd.and_then(|_| interval(units, options)) {
        out.rstd_interval_percent = Some(interval);
        out.rstd_draws = Some(draws);
    }
    if independent {
        let rows = table.iter().enumerate();
        let wilson = |(place, row): (usize, &Vec<u64>)| {
            let share = proportion::wilson(row[place], row.iter().sum(), LEVEL).ok()?;
            Some([share.lower, share.upper])
        };
        out.recall_intervals = rows.map(wilson).collect();
    }
    out.recalls = found.recalls;
    out.table = table;
}

fn count<'a>(units: impl Iterator<Item = &'a Vec<Cell>>, options: usize) -> Vec<Vec<u64>> {
    let mut table = vec![vec![0; options]; options];
    for &(accepted, answered) in units.flatten() {
        table[accepted][answered] += 1;
    }
    table
}

/// Percentile interval of the spread and its number of draws, from the same draws in every run of the same answers.
fn interval(units: &[Vec<Cell>], options: usize) -> Option<([f64; 2], u32)> {
    let draws = cluster::affordable(units.len());
    let mut stream = Stream::new(&[Part::Text("rstd"), Part::U64(options as u64)]);
    let statistic = |chosen: &[usize]| {
        let table = count(chosen.iter().map(|&unit| &units[unit]), options);
        position::recall(&table).ok()?.rstd
    };
    let drawn = cluster::bootstrap(units.len(), draws, LEVEL, &mut stream, statistic);
    let found = drawn.ok().flatten()?.estimate;
    Some(([found.lower * 100.0, found.upper * 100.0], draws))
}
