//! Where the order of options comes from when the record does not have it: the cases that the user names for it.

use std::collections::BTreeMap;

use flipside_core::case::{Case, CaseOption};

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
    /// list the same; where they do not, or none fits, nothing is changed.
    pub(super) fn list(&self, case: &mut Case) -> bool {
        let Some(known) = self.by_keys.get(&keys(&case.options)) else {
            return false;
        };
        let mut fitting = known.iter().filter(|known| fits(known, case));
        let named = fitting.clone().find(|known| known.id == case.id);
        let Some(first) = named.or_else(|| fitting.next()) else {
            return false;
        };
        if named.is_none() && fitting.any(|other| other.options != first.options) {
            return false;
        }
        let texts: BTreeMap<&str, Option<&_>> = (case.options.iter())
            .map(|option| (option.key.0.as_str(), option.text.as_ref()))
            .collect();
        let listed = first.options.iter().map(|known| CaseOption {
            key: known.key.clone(),
            text: (texts.get(known.key.0.as_str()).copied().flatten())
                .or(known.text.as_ref())
                .cloned(),
        });
        case.options = listed.collect();
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
