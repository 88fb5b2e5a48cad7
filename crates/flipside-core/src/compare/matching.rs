//! Which case and which order of one answer set meet which of the other.

use indexmap::IndexSet;

use super::answers::{AnswerSet, CaseAnswers};
use super::cases::{Pairing, pairs};
use super::figures::{CaseCounts, OtherField};
use super::meet::{matched_case, others};
use crate::answer::Answer;
use crate::case::Case;
use crate::measure::Said;

/// The name of the own order.
pub(super) const OWN: &str = "own";

/// What one side has for a case and an order.
#[derive(Clone, Copy, Debug)]
pub(super) enum Side<'a> {
    /// A valid answer.
    Answered(&'a Answer),
    /// A failed ask.
    Failed,
    /// An answer of another served model than the one behind the own order.
    OtherVersion,
    /// Not made yet: the side is unfinished.
    Unasked,
    /// Not among what the side asks.
    Absent,
}

/// What both sides have for a case and an order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Both<'a> {
    pub(super) baseline: Side<'a>,
    pub(super) variant: Side<'a>,
}

/// A case in both with an order of at least one side.
#[derive(Clone, Debug)]
pub(super) struct MatchedOrder<'a> {
    /// The rows in which it stands; for an order of one side, the names under which that side asked it.
    pub(super) names: Vec<String>,
    pub(super) both: Both<'a>,
    /// Whether the other side showed another order under the same name.
    pub(super) other_order: bool,
}

/// A case in both.
#[derive(Clone, Debug)]
pub(super) struct MatchedCase<'a> {
    pub(super) case: &'a Case,
    /// The baseline's and the variant's record of it.
    pub(super) sides: [&'a CaseAnswers; 2],
    /// Whether both accept the same options.
    pub(super) same_labels: bool,
    pub(super) own: Both<'a>,
    pub(super) orders: Vec<MatchedOrder<'a>>,
}

/// Two answer sets, case by case and order by order.
#[derive(Clone, Debug)]
pub(super) struct Matched<'a> {
    /// Sorted by what their draws are seeded by, so that no figure depends on the order of lines.
    pub(super) cases: Vec<MatchedCase<'a>>,
    pub(super) counts: CaseCounts,
    /// Cases with one id, different content and different types of question.
    pub(super) other_kind: u64,
    pub(super) other_fields: Vec<OtherField>,
    /// The names of other orders that both asked.
    pub(super) rows: IndexSet<String>,
    /// The names of other orders that one side asked: the baseline's, the variant's.
    pub(super) asked: [IndexSet<String>; 2],
}

impl Matched<'_> {
    /// Leaves out every other order that stands in none of `rows`; every name is that of a row afterwards.
    pub(super) fn keep(&mut self, rows: &IndexSet<String>) {
        for case in &mut self.cases {
            for entry in &mut case.orders {
                let named = |row: &&String| {
                    entry
                        .names
                        .iter()
                        .any(|name| *name == **row || is_part(row, name))
                };
                entry.names = rows.iter().filter(named).cloned().collect();
            }
            case.orders.retain(|entry| !entry.names.is_empty());
        }
    }
}

impl MatchedOrder<'_> {
    /// Whether it stands in the row called `name`.
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }
}

impl<'a> MatchedCase<'a> {
    /// Whether both accept the same options, and some.
    pub(super) fn is_labelled(&self) -> bool {
        self.same_labels && self.case.is_labelled()
    }

    /// The order called `name`, where both ask it, asked or not yet.
    pub(super) fn row(&self, name: &str) -> Option<Both<'a>> {
        let found = |entry: &&MatchedOrder<'a>| entry.both.is_present() && entry.is_called(name);
        self.orders.iter().find(found).map(|entry| entry.both)
    }

    /// The answers in the own order and in every other, where both have one.
    pub(super) fn answered(&self) -> Vec<(&'a Answer, &'a Answer)> {
        let others = self.orders.iter().map(|entry| entry.both);
        std::iter::once(self.own)
            .chain(others)
            .filter_map(Both::answers)
            .collect()
    }
}

/// Whether the order `name` is the row called `row`, or one of the two that it names.
pub(super) fn is_part(row: &str, name: &str) -> bool {
    row.split(" = ").any(|part| part == name)
}

impl<'a> Side<'a> {
    pub(super) fn answer(self) -> Option<&'a Answer> {
        match self {
            Self::Answered(answer) => Some(answer),
            _ => None,
        }
    }

    pub(super) fn said(self) -> Said {
        match self {
            Self::Answered(answer) => match answer.choice {
                Some(id) => Said::Chose {
                    id,
                    tied: answer.tied,
                },
                None => Said::Nothing,
            },
            Self::Failed | Self::OtherVersion => Said::Missing,
            Self::Unasked | Self::Absent => Said::Unasked,
        }
    }

    /// Whether an ask of the side stands behind it.
    pub(super) fn is_recorded(self) -> bool {
        !matches!(self, Self::Unasked | Self::Absent)
    }
}

impl<'a> Both<'a> {
    /// Both answers, where both were given.
    pub(super) fn answers(self) -> Option<(&'a Answer, &'a Answer)> {
        self.baseline.answer().zip(self.variant.answer())
    }

    /// Whether both recorded it.
    pub(super) fn is_recorded(self) -> bool {
        self.baseline.is_recorded() && self.variant.is_recorded()
    }

    /// Whether it belongs to what both ask, asked or not yet.
    pub(super) fn is_present(self) -> bool {
        !matches!(self.baseline, Side::Absent) && !matches!(self.variant, Side::Absent)
    }

    /// What both said.
    pub(super) fn said(self) -> (Said, Said) {
        (self.baseline.said(), self.variant.said())
    }
}

/// Pairs the cases and orders of two answer sets.
pub(super) fn matched<'a>(baseline: &'a AnswerSet, variant: &'a AnswerSet) -> Matched<'a> {
    let Pairing {
        pairs,
        counts,
        other_kind,
        other_fields,
    } = pairs(&baseline.cases, &variant.cases);
    let complete = [baseline.about.complete, variant.about.complete];
    let asked = [baseline, variant].map(|set| {
        let mut names = IndexSet::new();
        for case in sorted(&set.cases) {
            names.extend(others(case).map(|ask| ask.variant.name.clone()));
        }
        names
    });
    let mut cases: Vec<MatchedCase<'a>> = pairs
        .iter()
        .map(|&(first, second)| matched_case(first, second, complete, &asked))
        .collect();
    cases.sort_by_cached_key(|matched| matched.case.draw_key().into_owned());
    let mut rows = IndexSet::new();
    for entry in cases.iter().flat_map(|case| &case.orders) {
        if entry.both.is_recorded() {
            rows.extend(entry.names.iter().cloned());
        }
    }
    Matched {
        cases,
        counts,
        other_kind,
        other_fields,
        rows,
        asked,
    }
}

fn sorted(cases: &[CaseAnswers]) -> Vec<&CaseAnswers> {
    let mut cases: Vec<&CaseAnswers> = cases.iter().collect();
    cases.sort_by_cached_key(|answers| answers.case.draw_key().into_owned());
    cases
}
