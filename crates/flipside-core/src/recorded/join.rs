//! Which case of one recorded set is which of the other.

use std::cmp::Ordering;

use super::align::align;
use super::difference::differences;
use crate::compare::{AnswerSet, CaseAnswers};
use crate::digest::Digest;

/// Which case of one recorded set is which of the other: by id, or by content where ids were made from file and line.
#[derive(Clone, Debug)]
pub struct Join {
    /// By case of the baseline: its mate.
    pub(super) mates: Vec<Option<u32>>,
    pub(super) only_baseline: u64,
    pub(super) only_variant: u64,
    pub(super) repeated: u64,
}

/// How common cases were shown on the two sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// Common cases that were shown alike.
    pub alike: u64,
    /// Common cases that were shown otherwise, with other options or another type of question among them.
    pub otherwise: u64,
    /// Common cases without an order of their options on record.
    pub unlisted: u64,
}

/// What a case is joined by.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Name<'a> {
    Id(&'a str),
    Content(Digest),
}

/// The cases of one side in the order of what they are joined by.
struct Sorted<'a> {
    places: Vec<(Name<'a>, u32)>,
    /// Names that stand several times with different content or answers.
    repeated: u64,
}

impl<'a> Sorted<'a> {
    fn new(cases: &'a [CaseAnswers]) -> Self {
        let name = |answers: &'a CaseAnswers| {
            if answers.case.named {
                Name::Id(&answers.case.id.0)
            } else {
                Name::Content(answers.case.content())
            }
        };
        let mut places: Vec<(Name<'a>, u32)> = (0..)
            .zip(cases)
            .map(|(place, answers)| (name(answers), place))
            .collect();
        places.sort_unstable();
        let mut sorted = Self {
            places: Vec::with_capacity(places.len()),
            repeated: 0,
        };
        let mut rest = places.into_iter().peekable();
        while let Some(first) = rest.next() {
            let mut alike = true;
            while let Some((_, place)) = rest.next_if(|(name, _)| *name == first.0) {
                alike &= same(&cases[first.1 as usize], &cases[place as usize]);
            }
            if alike {
                sorted.places.push(first);
            } else {
                sorted.repeated += 1;
            }
        }
        sorted
    }
}

/// Whether two rows of one name say the same.
fn same(first: &CaseAnswers, second: &CaseAnswers) -> bool {
    let (a, b) = (&first.case, &second.case);
    a.state == b.state
        && a.question == b.question
        && a.options == b.options
        && first.asks == second.asks
}

impl Join {
    /// Joins the cases of two sets.
    pub fn new(baseline: &AnswerSet, variant: &AnswerSet) -> Self {
        let (first, second) = (Sorted::new(&baseline.cases), Sorted::new(&variant.cases));
        let mut join = Self {
            mates: vec![None; baseline.cases.len()],
            only_baseline: 0,
            only_variant: 0,
            repeated: first.repeated + second.repeated,
        };
        let (mut ours, mut theirs) = (
            first.places.iter().peekable(),
            second.places.iter().peekable(),
        );
        loop {
            let next = match (ours.peek(), theirs.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some((a, _)), Some((b, _))) => a.cmp(b),
            };
            let mine = (next != Ordering::Greater).then(|| ours.next()).flatten();
            let other = (next != Ordering::Less).then(|| theirs.next()).flatten();
            match (mine, other) {
                (Some((_, place)), Some((_, mate))) => join.mates[*place as usize] = Some(*mate),
                (Some(_), None) => join.only_baseline += 1,
                (None, Some(_)) => join.only_variant += 1,
                (None, None) => {}
            }
        }
        join
    }

    /// How the common cases were shown on the two sides.
    pub fn shown(&self, baseline: &AnswerSet, variant: &AnswerSet) -> Shown {
        let mut shown = Shown::default();
        for (first, mate) in baseline.cases.iter().zip(&self.mates) {
            let Some(mate) = mate else { continue };
            let (first, second) = (&first.case, &variant.cases[*mate as usize].case);
            let alike = || {
                let map = align(first, second);
                let same_kind = first.question.kind == second.question.kind;
                same_kind && map.is_some_and(|map| differences(first, second, &map).is_empty())
            };
            if first.brought.unlisted || second.brought.unlisted {
                shown.unlisted += 1;
            } else if alike() {
                shown.alike += 1;
            } else {
                shown.otherwise += 1;
            }
        }
        shown
    }
}
