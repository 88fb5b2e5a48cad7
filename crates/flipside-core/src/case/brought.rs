//! What a case brings along: for variants of itself, and what was answered before.

use super::{Case, CaseError, CaseOption, QuestionKind};
use crate::json::{self, Json};
use crate::order::OptionId;
use crate::record::Outcome;
use crate::shared::List;

/// What a case brings along; no part of what its baseline asks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Brought {
    /// Rewordings, in the order of the file.
    pub phrasings: List<Phrasing>,
    /// Irrelevant options that may be offered beside its own, in the order of the file.
    pub decoys: List<CaseOption>,
    /// What was answered to it before, in its own order and words, where that is on record.
    pub recorded: Option<Box<Outcome>>,
    /// Whether no order of its options is on record, so that their places mean nothing. Such a case can be compared and not asked.
    pub unlisted: bool,
    /// Whether the program that it is for asks its options in one order, whatever a request says, so that it has no other order.
    pub fixed_order: bool,
    /// Whether its keys, and those of the questions beside it, stand for typed values, as [`super::typed_value`] reads them; otherwise every key is a string.
    pub typed_keys: bool,
}

/// The same decision in other words. What it leaves out stays as the case has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phrasing {
    /// Unique in its case: its own name, or its number from 1.
    pub name: String,
    /// Another wording of the state.
    pub state: Option<Json>,
    /// Another wording of the instructions.
    pub instructions: Option<Json>,
    /// Other texts of options, by identity, ascending.
    pub texts: Vec<(OptionId, Json)>,
    /// Whether it asks for the opposite of a noul question's statement, so that its `true` is the case's `false`.
    pub negated: bool,
    /// Whether a person approved that it means the same; others are never asked.
    pub approved: bool,
}

impl Brought {
    /// Whether the case brings nothing for variants of itself.
    pub fn is_empty(&self) -> bool {
        self.phrasings.is_empty() && self.decoys.is_empty()
    }

    /// Appends all that variants are made of, every part after its length.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        fn part(out: &mut Vec<u8>, bytes: &[u8]) {
            out.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
            out.extend_from_slice(bytes);
        }
        fn value(out: &mut Vec<u8>, value: Option<&Json>) {
            part(out, value.map(Json::to_text).unwrap_or_default().as_bytes());
        }
        out.extend_from_slice(&(self.phrasings.len() as u64).to_le_bytes());
        for phrasing in &self.phrasings {
            part(out, phrasing.name.as_bytes());
            value(out, phrasing.state.as_ref());
            value(out, phrasing.instructions.as_ref());
            out.extend_from_slice(&(phrasing.texts.len() as u64).to_le_bytes());
            for (id, text) in &phrasing.texts {
                out.extend_from_slice(&id.0.to_le_bytes());
                value(out, Some(text));
            }
            out.extend([phrasing.negated, phrasing.approved].map(u8::from));
        }
        for decoy in &self.decoys {
            part(out, decoy.key.0.as_bytes());
            value(out, decoy.text.as_ref());
        }
    }
}

impl Phrasing {
    /// Whether it says something in other words than `case` does.
    pub fn rewords(&self, case: &Case) -> bool {
        let other_text = |(id, text): &(OptionId, Json)| {
            let own = case.options.get(id.index());
            own.is_some_and(|own| own.text.as_ref() != Some(text))
        };
        self.state
            .as_ref()
            .is_some_and(|state| *state != case.state)
            || (self.instructions.is_some() && self.instructions != case.question.instructions)
            || self.texts.iter().any(other_text)
    }
}

impl Case {
    /// Checks that the recorded answer is one to this case.
    pub(super) fn check_recorded(&self) -> Result<(), CaseError> {
        let Some(Outcome::Answered(answer)) = self.brought.recorded.as_deref() else {
            return Ok(());
        };
        let options = self.options.len();
        let wrong = |problem: String| Err(CaseError::Recorded { problem });
        if let Some(id) = answer.choice.filter(|id| id.index() >= options) {
            return wrong(format!(
                "is option {}, counted from 0, of {options} options",
                id.0
            ));
        }
        match &answer.probabilities {
            Some(all) if all.len() != options => {
                let found = all.len();
                wrong(format!("has {found} probabilities for {options} options"))
            }
            _ => Ok(()),
        }
    }

    /// Checks that every rewording is one of this case.
    pub(super) fn check_phrasings(&self) -> Result<(), CaseError> {
        let phrasings = &self.brought.phrasings;
        let problem = |phrasing: &Phrasing, problem| {
            let name = phrasing.name.clone();
            Err(CaseError::Phrasing { name, problem })
        };
        let names = phrasings.iter().map(|phrasing| phrasing.name.as_str());
        if let Some((_, second)) = json::first_duplicate(names) {
            return problem(&phrasings[second], "another one has its name");
        }
        for phrasing in phrasings {
            let known = |(id, _): &(OptionId, Json)| id.index() < self.options.len();
            if !phrasing.texts.iter().all(known) {
                return problem(phrasing, "it has a text for an option that there is not");
            }
            if phrasing.negated && self.question.kind != QuestionKind::Noul {
                return problem(
                    phrasing,
                    "only the statement of a noul question has an opposite",
                );
            }
        }
        Ok(())
    }
}
