//! What the decisions of one recording are good for, counted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Decision, Missing, Standing};

/// What the decisions of one recording are good for; every decision is in one of the three counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecordingTally {
    /// The recording as the user named it.
    pub name: String,
    /// Its format.
    pub format: String,
    /// The model, as the record names it.
    pub model: String,
    /// Decisions in it.
    pub decisions: u64,
    /// Decisions that can be asked again.
    pub reask: u64,
    /// Decisions that can be compared and not asked again.
    pub compare: u64,
    /// Decisions that can be neither.
    pub neither: u64,
    /// What the decisions lack that cannot be asked again, what most of them lack first. A decision may lack several things.
    pub missing: Vec<Lacking>,
}

/// Something that decisions lack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Lacking {
    /// What is not on record.
    pub what: String,
    /// Decisions that lack it.
    pub decisions: u64,
    /// The flags that supply it; null where none does.
    pub supplied_by: Option<String>,
}

impl RecordingTally {
    /// The decisions of the recording `name`, counted.
    pub fn of(name: &str, format: &str, model: &str, decisions: &[Decision]) -> Self {
        let standing = |wanted: Standing| {
            let all = decisions.iter();
            all.filter(|decision| decision.standing() == wanted).count() as u64
        };
        let mut missing: Vec<Lacking> = Vec::new();
        let rest = decisions.iter();
        let rest = rest.filter(|decision| decision.standing() != Standing::Reask);
        for part in rest.flat_map(|decision| &decision.missing) {
            let part = &part.without_numbers();
            let what = part.to_string();
            match missing.iter_mut().find(|known| known.what == what) {
                Some(known) => known.decisions += 1,
                None => missing.push(Lacking {
                    what,
                    decisions: 1,
                    supplied_by: part.help().map(str::to_owned),
                }),
            }
        }
        missing.sort_by_key(|lacking| std::cmp::Reverse(lacking.decisions));
        Self {
            name: name.to_owned(),
            format: format.to_owned(),
            model: model.to_owned(),
            decisions: decisions.len() as u64,
            reask: standing(Standing::Reask),
            compare: standing(Standing::Compare),
            neither: standing(Standing::Neither),
            missing,
        }
    }
}

impl Missing {
    /// The same without what differs from decision to decision, so that it can be counted.
    fn without_numbers(&self) -> Self {
        match self {
            Self::Options { kept, .. } => Self::Options {
                kept: *kept,
                of: None,
            },
            other => other.clone(),
        }
    }
}
