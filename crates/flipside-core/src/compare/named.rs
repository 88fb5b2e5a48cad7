//! The cases whose answers differ, by name.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::matching::{Both, MatchedCase};
use crate::case::Case;
use crate::measure::{PairOutcome, Said, pair, right};

/// The cases whose answers to one presentation differ between the two, each list by id.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Changes {
    /// Accepted in the baseline and not in the variant.
    pub regressed: Vec<Change>,
    /// Accepted in the variant and not in the baseline.
    pub repaired: Vec<Change>,
    /// Every case whose answers differ, those two and unlabelled ones included.
    pub changed: Vec<Change>,
}

/// A case whose answers differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Change {
    /// The baseline's id of the case.
    pub case: String,
    /// The key that the baseline chose, of options declared to be one answer the first one's; null if it did not decide.
    pub baseline: Option<String>,
    /// The key that the variant chose.
    pub variant: Option<String>,
    /// Whether the top two probabilities of either answer are equal as reported.
    pub tie: bool,
}

impl Changes {
    /// The changes that neither regressed nor repaired: of one option that is not accepted to another, of one accepted option to
    /// another, or without common labels.
    pub fn lateral(&self) -> impl Iterator<Item = &Change> {
        let told = self.regressed.iter().chain(&self.repaired);
        let told: BTreeSet<&str> = told.map(|change| change.case.as_str()).collect();
        let lateral = move |change: &&Change| !told.contains(change.case.as_str());
        self.changed.iter().filter(lateral)
    }
}

/// The cases of `pairs` whose answers differ.
pub(super) fn changes<'a>(pairs: impl Iterator<Item = (&'a MatchedCase<'a>, Both<'a>)>) -> Changes {
    let mut found = Changes::default();
    for (matched, both) in pairs {
        let (baseline, variant) = both.said();
        let PairOutcome::Flip { tie, .. } = pair(baseline, variant) else {
            continue;
        };
        let change = Change {
            case: matched.case.id.0.clone(),
            baseline: key(matched.case, baseline),
            variant: key(matched.case, variant),
            tie,
        };
        if matched.is_labelled() {
            match (right(matched.case, baseline), right(matched.case, variant)) {
                (Some(true), Some(false)) => found.regressed.push(change.clone()),
                (Some(false), Some(true)) => found.repaired.push(change.clone()),
                _ => {}
            }
        }
        found.changed.push(change);
    }
    for list in [
        &mut found.regressed,
        &mut found.repaired,
        &mut found.changed,
    ] {
        list.sort_by(|a, b| a.case.cmp(&b.case));
    }
    found
}

fn key(case: &Case, said: Said) -> Option<String> {
    match said {
        Said::Chose { id, .. } => case
            .options
            .get(id.index())
            .map(|option| option.key.0.clone()),
        Said::Nothing | Said::Missing | Said::Unasked => None,
    }
}
