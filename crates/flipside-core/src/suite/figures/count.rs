//! From answers to the figures of the published card's corrected harness.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::answer::RowAnswer;
use super::report::{RowCounts, SuiteFigures, SuiteFlips, SuiteLatency, SuiteShare};
use crate::digest::Digest;
use crate::measure::{PairOutcome, Said, Tally, Unit, Units, pair, percentiles};
use crate::order::OptionId;
use crate::stats::proportion;
use crate::suite::{KeyVariant, RowOrder, SuiteCase, SuiteRow};

/// Coverage of the intervals.
const LEVEL: f64 = 0.95;

/// What one model said to the rows of a suite, ready to be counted.
#[derive(Clone, Debug)]
pub struct Answered<'a> {
    rows: Vec<Line<'a>>,
}

/// One row with what was said to it.
#[derive(Clone, Copy, Debug)]
struct Line<'a> {
    row: &'a SuiteRow,
    answer: &'a RowAnswer,
    /// What was said, by canonical identity.
    said: Said,
    /// Equal for rows that ask the same.
    content: Digest,
}

impl<'a> Answered<'a> {
    /// Rows with what was said to each.
    ///
    /// # Panics
    /// If a row has no answer, or an answer names an option that the row's list does not have, which readers of replies
    /// refuse.
    pub fn new(rows: &'a [SuiteCase], answers: &'a [RowAnswer]) -> Self {
        assert_eq!(rows.len(), answers.len(), "one answer per row");
        let line = |(of, answer): (&'a SuiteCase, &'a RowAnswer)| Line {
            row: &of.row,
            answer,
            said: canonical(&of.row, answer.said),
            content: of.case.content(),
        };
        Self {
            rows: rows.iter().zip(answers).map(line).collect(),
        }
    }

    /// What came back.
    pub fn counts(&self) -> RowCounts {
        let mut counts = RowCounts {
            rows: self.rows.len() as u64,
            ..RowCounts::default()
        };
        for line in &self.rows {
            match line.said {
                Said::Chose { tied, .. } => {
                    counts.answered += 1;
                    counts.tied += u64::from(tied);
                }
                Said::Nothing => {
                    counts.answered += 1;
                    counts.no_decision += 1;
                }
                Said::Missing => counts.failed += 1,
                Said::Unasked => counts.unasked += 1,
            }
            counts.repeated += u64::from(line.answer.repeated);
        }
        counts
    }

    /// The model names that answers carry, in order of first appearance.
    pub fn served(&self) -> Vec<String> {
        let mut served: Vec<String> = Vec::new();
        for name in self
            .rows
            .iter()
            .filter_map(|line| line.answer.served.as_ref())
        {
            if !served.contains(name) {
                served.push(name.clone());
            }
        }
        served
    }

    /// The figures over all rows.
    pub fn figures(&self) -> SuiteFigures {
        figures(&self.rows)
    }

    /// The figures of each family, in the order of the rows.
    pub fn by_family(&self) -> IndexMap<String, SuiteFigures> {
        let mut families: IndexMap<&str, Vec<Line<'_>>> = IndexMap::new();
        for line in &self.rows {
            families.entry(&line.row.family).or_default().push(*line);
        }
        let family = |(name, rows): (&str, Vec<Line<'_>>)| (name.to_owned(), figures(&rows));
        families.into_iter().map(family).collect()
    }
}

/// What was said by canonical identity: the row's own list undone.
fn canonical(row: &SuiteRow, said: Said) -> Said {
    match said {
        Said::Chose { id, tied } => Said::Chose {
            id: row
                .identity(id)
                .expect("an answer names an option of its row's own list"),
            tied,
        },
        other => other,
    }
}

fn figures(rows: &[Line<'_>]) -> SuiteFigures {
    let pairs = Pairs::new(rows);
    let accuracy = |of: &dyn Fn(&SuiteRow) -> bool| share(rows.iter().filter(|line| of(line.row)));
    let with_keys = |keys: KeyVariant| {
        let any = rows.iter().any(|line| line.row.keys == keys);
        any.then(|| accuracy(&|row| row.keys == keys))
    };
    let reversed = pairs.of(
        |row| row.order == RowOrder::Forward,
        |key| key.order = RowOrder::Reversed,
    );
    let order = flips(&reversed);
    SuiteFigures {
        accuracy: accuracy(&|_| true),
        baseline: accuracy(&is_baseline),
        order_with_vacuous: (order.vacuous > 0).then(|| all_flips(&reversed)),
        order,
        accuracy_forward: accuracy(&|row| row.order == RowOrder::Forward),
        accuracy_reversed: accuracy(&|row| row.order == RowOrder::Reversed),
        keys: pairs.between(KeyVariant::Semantic, KeyVariant::Abstract),
        accuracy_semantic: with_keys(KeyVariant::Semantic),
        accuracy_abstract: with_keys(KeyVariant::Abstract),
        phrasing: phrasing(rows, &pairs),
        question: pairs.between(KeyVariant::FirstQuestion, KeyVariant::SecondQuestion),
        latency: latency(rows),
    }
}

/// The row that one would ask first: first phrasing, forward, semantic keys or the first question.
fn is_baseline(row: &SuiteRow) -> bool {
    row.phrasing == 0
        && row.order == RowOrder::Forward
        && matches!(row.keys, KeyVariant::Semantic | KeyVariant::FirstQuestion)
}

/// Flips between every two phrasings that a base case has.
fn phrasing(rows: &[Line<'_>], pairs: &Pairs<'_>) -> IndexMap<String, SuiteFlips> {
    let mut phrasings: Vec<u16> = rows.iter().map(|line| line.row.phrasing).collect();
    phrasings.sort_unstable();
    phrasings.dedup();
    let mut found = IndexMap::new();
    for (place, &one) in phrasings.iter().enumerate() {
        for &other in &phrasings[place + 1..] {
            let of = pairs.of(|row| row.phrasing == one, |key| key.phrasing = other);
            if !of.is_empty() {
                found.insert(format!("p{one}-p{other}"), flips(&of));
            }
        }
    }
    found
}

/// What tells the rows of a suite apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key<'a> {
    base: &'a str,
    phrasing: u16,
    order: RowOrder,
    keys: KeyVariant,
}

impl<'a> Key<'a> {
    fn of(row: &'a SuiteRow) -> Self {
        Self {
            base: &row.base,
            phrasing: row.phrasing,
            order: row.order,
            keys: row.keys,
        }
    }
}

/// Rows that can be found by what they are.
struct Pairs<'a> {
    rows: &'a [Line<'a>],
    by_key: BTreeMap<Key<'a>, &'a Line<'a>>,
}

impl<'a> Pairs<'a> {
    fn new(rows: &'a [Line<'a>]) -> Self {
        Self {
            rows,
            by_key: rows.iter().map(|line| (Key::of(line.row), line)).collect(),
        }
    }

    /// The rows that are `one`, each with the row that differs from it by `change` alone.
    fn of(&self, one: impl Fn(&SuiteRow) -> bool, change: impl Fn(&mut Key<'a>)) -> Vec<Pair<'a>> {
        let partner = |line: &'a Line<'a>| {
            let mut key = Key::of(line.row);
            change(&mut key);
            Some((line, *self.by_key.get(&key)?))
        };
        let rows = self.rows.iter().filter(|line| one(line.row));
        rows.filter_map(partner).collect()
    }

    /// Flips between rows with these keys; `None` without such a pair.
    fn between(&self, one: KeyVariant, other: KeyVariant) -> Option<SuiteFlips> {
        let pairs = self.of(|row| row.keys == one, |key| key.keys = other);
        (!pairs.is_empty()).then(|| flips(&pairs))
    }
}

/// The share of accepted answers.
fn share<'a>(rows: impl Iterator<Item = &'a Line<'a>>) -> SuiteShare {
    let (mut missing, mut unasked, mut no_decision) = (0, 0, 0);
    let mut units = Vec::new();
    for line in rows {
        let unit = match line.said {
            Said::Chose { id, .. } if id == line.row.accept => Unit::Hit,
            Said::Chose { .. } => Unit::NoHit,
            Said::Nothing => {
                no_decision += 1;
                Unit::NoHit
            }
            Said::Missing => {
                missing += 1;
                Unit::Lost
            }
            Said::Unasked => {
                unasked += 1;
                Unit::Lost
            }
        };
        units.push((line.row.base.as_str(), unit));
    }
    SuiteShare {
        missing,
        unasked,
        no_decision,
        ..over_bases(&units)
    }
}

/// Two rows that differ in one thing.
type Pair<'a> = (&'a Line<'a>, &'a Line<'a>);

/// Whether two rows are the same request, so that their pair compares nothing.
fn is_vacuous((one, other): &Pair<'_>) -> bool {
    one.content == other.content
}

/// The share of pairs that flipped, without vacuous ones.
fn flips(pairs: &[Pair<'_>]) -> SuiteFlips {
    let applicable: Vec<Pair<'_>> = pairs.iter().copied().filter(|p| !is_vacuous(p)).collect();
    SuiteFlips {
        vacuous: (pairs.len() - applicable.len()) as u64,
        ..all_flips(&applicable)
    }
}

/// The share of pairs that flipped, whatever they are.
fn all_flips(pairs: &[Pair<'_>]) -> SuiteFlips {
    let (mut tally, mut units, mut other_version) = (Tally::default(), Vec::new(), 0);
    for (one, other) in pairs {
        let two_models = matches!(
            (&one.answer.served, &other.answer.served),
            (Some(one), Some(other)) if one != other
        );
        let outcome = if two_models {
            other_version += 1;
            PairOutcome::Missing
        } else {
            pair(one.said, other.said)
        };
        tally.add(outcome);
        let unit = match outcome {
            PairOutcome::Flip { .. } => Unit::Hit,
            PairOutcome::Same => Unit::NoHit,
            PairOutcome::Missing | PairOutcome::Unasked => Unit::Lost,
            PairOutcome::NoDecision => continue,
        };
        units.push((one.row.base.as_str(), unit));
    }
    SuiteFlips {
        share: SuiteShare {
            missing: tally.missing,
            unasked: tally.unasked,
            no_decision: tally.no_decision,
            ..over_bases(&units)
        },
        tie_flips: tally.tie_flips,
        no_decision_flips: tally.no_decision_flips,
        vacuous: pairs.iter().filter(|pair| is_vacuous(pair)).count() as u64,
        other_version,
    }
}

/// A share with both intervals; what is not in its denominator is for the caller to say.
fn over_bases(units: &[(&str, Unit)]) -> SuiteShare {
    let count = |wanted: Unit| units.iter().filter(|(_, unit)| *unit == wanted).count() as u64;
    let hits = count(Unit::Hit);
    let of = hits + count(Unit::NoHit);
    let wilson = proportion::wilson(hits, of, LEVEL).ok();
    let over = Units::by_name(units.iter().copied()).share(1.0 - LEVEL);
    let interval = over.as_ref().and_then(|over| over.interval);
    SuiteShare {
        hits,
        of,
        missing: 0,
        unasked: 0,
        no_decision: 0,
        rate: wilson.map(|wilson| wilson.value),
        interval,
        interval_method: interval.and(over.as_ref().map(|over| over.method)),
        wilson: wilson.map(|wilson| [wilson.lower, wilson.upper]),
        bases: over.map(|over| over.figure),
    }
}

fn latency(rows: &[Line<'_>]) -> Option<SuiteLatency> {
    let ms: Vec<f64> = rows.iter().filter_map(|line| line.answer.ms).collect();
    let answers = ms.len() as u64;
    let found = percentiles(ms)?;
    Some(SuiteLatency {
        median_ms: found.median_ms,
        p95_ms: found.p95_ms,
        answers,
    })
}

impl SuiteRow {
    /// The canonical identity of the option in the row's own place `id`.
    pub fn identity(&self, id: OptionId) -> Option<OptionId> {
        self.canonical.get(id.index()).copied()
    }
}
