//! Cases whose options have no order on record: matched by key, in byte order.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::answers::{AnswerSet, CaseAnswers, RecordedAsk};
use crate::case::Brought;
use crate::order::OptionId;
use crate::perturb::Axis;
use crate::record::Outcome;

/// Both sets with the options of every case in byte order of their keys of which either side has no order on record. Of such a
/// case the answer remains and nothing else: other orders and variants were asked from an order that the other side lacks.
pub(super) fn by_key<'a>(
    baseline: &'a AnswerSet,
    variant: &'a AnswerSet,
) -> (Cow<'a, AnswerSet>, Cow<'a, AnswerSet>) {
    let cases = baseline.cases.iter().chain(&variant.cases);
    let unlisted = cases.filter(|answers| answers.case.brought.unlisted);
    let ids: BTreeSet<&str> = unlisted.map(|answers| answers.case.id.0.as_str()).collect();
    if ids.is_empty() {
        return (Cow::Borrowed(baseline), Cow::Borrowed(variant));
    }
    let sorted = |set: &AnswerSet| {
        let mut set = set.clone();
        let without = |answers: &&mut CaseAnswers| ids.contains(answers.case.id.0.as_str());
        set.cases.iter_mut().filter(without).for_each(sort);
        Cow::Owned(set)
    };
    (sorted(baseline), sorted(variant))
}

fn sort(answers: &mut CaseAnswers) {
    let case = &mut answers.case;
    let mut places: Vec<usize> = (0..case.options.len()).collect();
    places.sort_by(|a, b| case.options[*a].key.cmp(&case.options[*b].key));
    let mut to = vec![OptionId(0); places.len()];
    for (new, &old) in (0..).zip(&places) {
        to[old] = OptionId(new);
    }
    let id = |old: OptionId| to.get(old.index()).copied().unwrap_or(old);
    case.options = places
        .iter()
        .map(|&old| case.options[old].clone())
        .collect();
    case.accept = case.accept.iter().copied().map(id).collect();
    case.accept.sort_unstable();
    for class in &mut case.equal {
        for old in class.iter_mut() {
            *old = id(*old);
        }
        class.sort_unstable();
    }
    case.equal.sort_unstable();
    case.brought = Brought {
        unlisted: true,
        ..Brought::default()
    };
    answers
        .asks
        .retain(|ask| ask.variant.axis == Axis::Baseline);
    for RecordedAsk { outcome, .. } in &mut answers.asks {
        if let Outcome::Answered(answer) = outcome {
            answer.choice = answer.choice.map(id);
            let moved = answer
                .probabilities
                .as_ref()
                .filter(|p| p.len() == places.len());
            let moved = moved.map(|p| places.iter().map(|&old| p[old]).collect());
            answer.probabilities = moved;
        }
    }
}
