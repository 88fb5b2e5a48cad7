//! Where the order of options comes from when the record does not have it: the cases that the user names for it.

use std::collections::BTreeMap;

use flipside_core::case::{Case, CaseOption};
use flipside_core::order::OptionId;
use flipside_core::record::Outcome;
use flipside_core::recorded::Decision;

use super::build::identity;

/// Cases whose options stand in the order in which they were offered, by what they offer.
pub(super) struct Orders<'a> {
    by_keys: BTreeMap<Vec<&'a str>, Vec<&'a Case>>,
}

impl<'a> Orders<'a> {
    pub(super) fn of(cases: &'a [Case]) -> Self {
        let mut by_keys: BTreeMap<Vec<&str>, Vec<&Case>> = BTreeMap::new();
        for case in cases {
            by_keys.entry(keys(&case.options)).or_default().push(case);
        }
        Self { by_keys }
    }

    /// Puts the options of `case` into the order of the case with the same keys, and the same texts where both have them; the
    /// texts that the record lacks are that case's. The case of the same id decides where there is one, else all that fit must
    /// list the same; where they do not, or none fits, nothing is changed and `None` is given back.
    ///
    /// Gives back, by former identity, the identity that each option has now.
    pub(super) fn list(&self, case: &mut Case) -> Option<Vec<OptionId>> {
        let known = self.by_keys.get(&keys(&case.options))?;
        let mut fitting = known.iter().filter(|known| fits(known, case));
        let named = fitting.clone().find(|known| known.id == case.id);
        let first = named.or_else(|| fitting.next())?;
        if named.is_none() && fitting.any(|other| other.options != first.options) {
            return None;
        }
        let moved: Option<Vec<OptionId>> = (case.options.iter())
            .map(|option| identity(&first.options, &option.key.0))
            .collect();
        let moved = moved?;
        let mut listed = first.options.clone();
        for (option, id) in case.options.drain(..).zip(&moved) {
            if option.text.is_some() {
                listed[id.index()].text = option.text;
            }
        }
        case.options = listed;
        Some(moved)
    }

    /// [`Orders::list`] for a decision that has its answer already. Whether it was listed.
    pub(super) fn list_decision(&self, decision: &mut Decision) -> bool {
        let Some(moved) = self.list(&mut decision.case) else {
            return false;
        };
        let now = |id: &mut OptionId| *id = moved[id.index()];
        decision.case.accept.iter_mut().for_each(now);
        decision.case.accept.sort_unstable();
        if let Some(Outcome::Answered(answer)) = &mut decision.outcome {
            answer.choice.iter_mut().for_each(now);
            if let Some(all) = &mut answer.probabilities {
                let before = all.clone();
                for (id, p) in moved.iter().zip(before) {
                    all[id.index()] = p;
                }
            }
        }
        true
    }
}

fn keys(options: &[CaseOption]) -> Vec<&str> {
    let mut keys: Vec<&str> = options.iter().map(|option| option.key.0.as_str()).collect();
    keys.sort_unstable();
    keys
}

/// Whether both ask in the same way, and give no key two texts.
fn fits(known: &Case, case: &Case) -> bool {
    let same_text = |option: &CaseOption| {
        let other = known.options.iter().find(|known| known.key == option.key);
        let other = other.and_then(|other| other.text.as_ref());
        option.text.is_none() || other.is_none() || option.text.as_ref() == other
    };
    known.question.kind == case.question.kind && case.options.iter().all(same_text)
}
