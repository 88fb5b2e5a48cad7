//! Lists of equal size that differ in one option.

use super::share::share;
use super::shared::{Grid, Shared, Shows};
use crate::case::Case;
use crate::gate::Gates;
use crate::measure::line;
use crate::measure::pair::{PairOutcome, Said, other_version, pair};
use crate::measure::table::Table;
use crate::order::OptionId;
use crate::summary::EqualSize;

/// Two lists of one case.
pub(super) struct Comparison<'a> {
    pub(super) case: &'a Case,
    pub(super) case_number: usize,
    pub(super) asks: [usize; 2],
    /// What each of them shows and the other does not.
    pub(super) shown_by_one: [OptionId; 2],
    /// What both show.
    pub(super) shared: Vec<OptionId>,
}

/// What becomes of a comparison.
enum Outcome {
    /// Both chose among what both show, or one of them declined.
    Compared {
        outcome: PairOutcome,
        /// Whether both left what is watched for the same other option.
        left: bool,
    },
    /// An answer chose what the other list does not show.
    Unshared,
    NoDecision,
    Missing,
    Unasked,
}

/// What lists of equal size show.
pub(super) struct Equal {
    pub(super) figure: EqualSize,
    /// Whether log-odds moved beyond what rounding and float error explain.
    pub(super) moves: bool,
    /// Whether every comparison is known to have moved by no more than float error, and no choice flipped.
    pub(super) still: bool,
}

/// What `comparisons` show whose lists share two options or more: with one, no flip could be seen. `None` without one in which
/// something is watched.
pub(super) fn equal_size(
    table: &Table<'_>,
    gates: &Gates,
    grid: Grid,
    mut comparisons: Vec<Comparison<'_>>,
) -> Option<Equal> {
    let baselines = table.own();
    comparisons.retain(|each| {
        // Only where the watched option is in both lists, or not known.
        let watched = table.baseline_answer(each.case_number);
        let watched = watched.and_then(|answer| answer.choice);
        each.shared.len() > 1 && watched.is_none_or(|watched| each.shared.contains(&watched))
    });
    if comparisons.is_empty() {
        return None;
    }
    let mut found = Counts::default();
    let mut units = Vec::new();
    for each in &comparisons {
        let outcome = outcome(table, each, baselines[each.case_number]);
        let pair = match outcome {
            Outcome::Compared { outcome, left } => {
                if let PairOutcome::Flip { tie, .. } = outcome {
                    found.tie_flips += u64::from(tie);
                }
                found.left += u64::from(left);
                outcome
            }
            Outcome::Unshared => {
                found.unshared += 1;
                continue;
            }
            Outcome::NoDecision => {
                found.no_decision += 1;
                continue;
            }
            Outcome::Missing => {
                found.missing += 1;
                PairOutcome::Missing
            }
            Outcome::Unasked => {
                found.unasked += 1;
                PairOutcome::Unasked
            }
        };
        units.extend(line::unit(pair).map(|unit| (each.case, unit)));
    }
    let flips = share(gates, units);
    let shared = Shared::new(
        grid,
        comparisons.into_iter().filter_map(|each| {
            let [one, other] = each.asks.map(|ask| table.answer(ask));
            let same_model = !served_apart(table, each.asks);
            Some(Shows {
                case: each.case,
                answers: one.zip(other).filter(|_| same_model)?,
                options: each.shared,
            })
        }),
    );
    let figure = EqualSize {
        pairs: flips.of,
        flips: flips.hits,
        tie_flips: found.tie_flips,
        rate: flips.rate,
        interval: flips.interval,
        lower: flips.lower,
        upper: flips.upper,
        left: found.left,
        unshared: found.unshared,
        missing: found.missing,
        unasked: found.unasked,
        no_decision: found.no_decision,
        shared: shared.figure(gates),
    };
    Some(Equal {
        moves: shared.moves(),
        still: shared.unknown().is_none() && figure.flips == 0,
        figure,
    })
}

#[derive(Default)]
struct Counts {
    tie_flips: u64,
    left: u64,
    unshared: u64,
    missing: u64,
    unasked: u64,
    no_decision: u64,
}

fn served_apart(table: &Table<'_>, [one, other]: [usize; 2]) -> bool {
    other_version(table.asked[one].as_ref(), table.asked[other].as_ref())
}

fn outcome(table: &Table<'_>, each: &Comparison<'_>, watched: Said) -> Outcome {
    let said = each.asks.map(|ask| table.said(ask));
    let all = [watched, said[0], said[1]];
    if all.contains(&Said::Missing) || served_apart(table, each.asks) {
        return Outcome::Missing;
    }
    if all.contains(&Said::Unasked) {
        return Outcome::Unasked;
    }
    let Said::Chose { id: watched, .. } = watched else {
        return Outcome::NoDecision;
    };
    let unshared = each.asks.iter().zip(each.shown_by_one);
    let chose = |ask: usize| table.answer(ask).and_then(|answer| answer.choice);
    if unshared
        .into_iter()
        .any(|(ask, shown)| chose(*ask) == Some(shown))
    {
        return Outcome::Unshared;
    }
    let outcome = pair(said[0], said[1]);
    let other = |said: Said| matches!(said, Said::Chose { id, .. } if id != watched);
    match outcome {
        PairOutcome::NoDecision => Outcome::NoDecision,
        outcome => Outcome::Compared {
            left: outcome == PairOutcome::Same && other(said[0]),
            outcome,
        },
    }
}
