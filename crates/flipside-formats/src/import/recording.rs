//! What a recording holds, whatever program wrote it.

use std::collections::BTreeSet;

use flipside_core::case::Case;
use flipside_core::compare::{About, AnswerSet, CaseAnswers, RecordedAsk};
use flipside_core::digest::Digest;
use flipside_core::order::Order;
use flipside_core::perturb::Variant;
use flipside_core::record::{Failed, FailedKind, Outcome};
use flipside_core::recorded::{Decision, Margins, Missing, Standing};
use flipside_core::shared::Shared;

use crate::read::Warning;

/// A recording: decisions with what is on record of them.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The format's name, such as `s1a-job`.
    pub format: String,
    /// Where it comes from.
    pub about: About,
    /// Its decisions in the order of the record.
    pub decisions: Vec<Decision>,
    /// The files that it was read from.
    pub sources: Vec<Record>,
    /// How close its decisions were, where that is all that it can say of them.
    pub margins: Option<Margins>,
    /// What a reader of the figures should know.
    pub warnings: Vec<Warning>,
}

/// One file of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The file as the user named it, or its path beneath the folder that the user named.
    pub name: String,
    /// SHA-256 of its bytes as read.
    pub sha256: Digest,
    /// Decisions in it.
    pub decisions: u64,
}

/// What the user supplies where a record lacks it; nothing of it replaces what is on record.
#[derive(Clone, Debug, Default)]
pub struct Supplements {
    /// The rules of every decision: `--rules`.
    pub rules: Option<String>,
    /// Cases of the same agent, whose instructions are the rules: `--rules-from`.
    pub rules_from: Vec<Case>,
    /// Cases that list the options in the order in which they were offered: `--options-from`.
    pub options_from: Vec<Case>,
    /// The cases that the answers belong to, by id: `--cases`.
    pub cases: Vec<Case>,
}

impl Recording {
    /// Its answers, to be compared: the cases whose answer is on record and can be, each with all its asks. What it says of itself
    /// counts every decision.
    pub fn into_answers(self) -> AnswerSet {
        let own = Shared::from(Variant::baseline());
        let answers = |decision: Decision| {
            if decision.standing() == Standing::Neither {
                return None;
            }
            let first = RecordedAsk {
                variant: own.clone(),
                order: Order::own(decision.case.options.len()),
                outcome: decision.outcome?,
            };
            Some(CaseAnswers {
                case: decision.case,
                asks: std::iter::once(first).chain(decision.others).collect(),
            })
        };
        AnswerSet {
            about: self.about,
            cases: self.decisions.into_iter().filter_map(answers).collect(),
        }
    }

    /// Its answers, as [`Recording::into_answers`], with every other decision that has a row of its own as a failed ask: what
    /// failed is no case that only the other side has. A supplied case without a row was not asked.
    pub fn into_answers_and_gaps(mut self) -> AnswerSet {
        let recorded: BTreeSet<&str> = (self.sources.iter())
            .map(|source| source.name.as_str())
            .collect();
        for decision in &mut self.decisions {
            if !recorded.contains(&*decision.case.source.file) {
                continue;
            }
            let mut why = None;
            decision.missing.retain(|missing| match missing {
                Missing::Answer { why: said } => {
                    why = Some(said.clone());
                    false
                }
                _ => true,
            });
            decision.outcome.get_or_insert_with(|| {
                Outcome::Failed(Failed {
                    kind: FailedKind::Unavailable,
                    message: why.unwrap_or_else(|| "no answer is on record".to_owned()),
                    unanswered: false,
                })
            });
        }
        self.into_answers()
    }
}
