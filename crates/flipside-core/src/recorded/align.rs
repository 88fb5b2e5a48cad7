//! Which option of one side is which of the other, and an answer seen from there.

use crate::answer::{Answer, lowest_top};
use crate::case::{Case, CaseOption, KeyBinding, QuestionKind};
use crate::order::OptionId;
use crate::stats::number::length;

/// By option of `variant`: which option of `baseline` it is. `None` where that cannot be told of every one.
///
/// The same key and text first; of the others the same text, where no other option has it; of what is left the same key. A key
/// never outweighs a text, since keys can be renamed, and a place says nothing. Letters and level numbers, which belong to places,
/// tell no option from another.
pub(super) fn align(baseline: &Case, variant: &Case) -> Option<Vec<OptionId>> {
    if baseline.options.len() != variant.options.len() {
        return None;
    }
    let named = baseline.keys != KeyBinding::Place && variant.keys != KeyBinding::Place;
    let mut matching = Matching::new(&baseline.options, &variant.options);
    // The sides of a statement are told by their keys alone.
    if baseline.question.kind != QuestionKind::Noul {
        matching.pass(|first, second| {
            first.key == second.key && first.text == second.text && (named || first.text.is_some())
        });
        matching.unique_texts();
    }
    if named {
        matching.pass(|first, second| first.key == second.key);
    }
    matching.found.into_iter().collect()
}

struct Matching<'a> {
    baseline: &'a [CaseOption],
    variant: &'a [CaseOption],
    taken: Vec<bool>,
    /// By option of the variant.
    found: Vec<Option<OptionId>>,
}

impl<'a> Matching<'a> {
    fn new(baseline: &'a [CaseOption], variant: &'a [CaseOption]) -> Self {
        Self {
            baseline,
            variant,
            taken: vec![false; baseline.len()],
            found: vec![None; variant.len()],
        }
    }

    /// Gives every option that is left the first that is left and the `same`.
    fn pass(&mut self, same: impl Fn(&CaseOption, &CaseOption) -> bool) {
        let last = self.baseline.len().saturating_sub(1);
        for (place, option) in self.variant.iter().enumerate() {
            if self.found[place].is_some() {
                continue;
            }
            let fits = |at: &usize| !self.taken[*at] && same(&self.baseline[*at], option);
            // Most lists are the same or reversed.
            let near = [place, last - place];
            let at = near.into_iter().find(fits);
            if let Some(at) = at.or_else(|| (0..=last).find(fits)) {
                self.take(place, at);
            }
        }
    }

    /// Gives options that are left those with the same text, where no other of either list has it.
    fn unique_texts(&mut self) {
        let once = |options: &[CaseOption], option: &CaseOption| {
            let same = options.iter().filter(|other| other.text == option.text);
            same.count() == 1
        };
        for (place, option) in self.variant.iter().enumerate() {
            let unique = || {
                option.has_description()
                    && once(self.variant, option)
                    && once(self.baseline, option)
            };
            if self.found[place].is_some() || !unique() {
                continue;
            }
            let same = |other: &CaseOption| other.text == option.text;
            let at = self.baseline.iter().position(same);
            if let Some(at) = at.filter(|at| !self.taken[*at]) {
                self.take(place, at);
            }
        }
    }

    fn take(&mut self, place: usize, at: usize) {
        self.taken[at] = true;
        let id = u16::try_from(at).expect("a case has at most Order::MOST options");
        self.found[place] = Some(OptionId(id));
    }
}

/// `answer` to a case whose options are by `map` those of another, by the identities of that one.
///
/// A tie that nobody settled is settled again, for the lowest option of a reversed list is another; the expected level is taken
/// again over the levels of that one.
pub(super) fn seen_from(answer: &mut Answer, map: &[OptionId], kind: QuestionKind) {
    if (0..).zip(map).all(|(place, id)| id.0 == place) {
        return;
    }
    answer.choice = answer.choice.and_then(|id| map.get(id.index()).copied());
    let moved = answer
        .probabilities
        .take()
        .filter(|all| all.len() == map.len());
    let moved = moved.map(|all| {
        let mut moved = vec![0.0; all.len()];
        for (p, id) in all.iter().zip(map) {
            moved[id.index()] = *p;
        }
        moved
    });
    answer.score = match (answer.score, &moved) {
        (None, _) => None,
        (Some(_), Some(p)) => Some(
            p.iter()
                .enumerate()
                .map(|(level, p)| length(level) * p)
                .sum(),
        ),
        // An expectation alone is undone by a reversal and by no other order.
        (Some(score), None) => {
            let last = map.len().saturating_sub(1);
            let reversed = map
                .iter()
                .enumerate()
                .all(|(place, id)| id.index() == last - place);
            reversed.then(|| length(last) - score)
        }
    };
    if let (true, Some(p)) = (answer.tie_broken && kind != QuestionKind::Noul, &moved) {
        answer.choice = Some(lowest_top(p));
    }
    answer.probabilities = moved;
}
