//! Our own run folders, of any earlier version.

use camino::Utf8Path;
use flipside_core::case::FieldValue;
use flipside_core::compare::CaseAnswers;
use flipside_core::digest::Digest;
use flipside_core::perturb::Axis;
use flipside_core::recorded::{BACKEND, Decision, Missing};

use super::{Error, Record, Recording};
use crate::folder::journal_path;
use crate::journal;
use crate::recorded::{self, Recorded};

/// The format's name.
const FORMAT: &str = "flipside-run";

pub(super) fn read(path: &Utf8Path) -> Result<Recording, Error> {
    let recorded = Recorded::read(path)?;
    let file = journal_path(path);
    let bytes =
        fs_err::read(&file).map_err(|error| recorded::Error::from(journal::Error::Io(error)))?;
    let answers = recorded.into_answers(path.as_str());
    let backend = answers.about.model.clone();
    let decisions: Vec<Decision> = (answers.cases.into_iter())
        .map(|answers| decision(answers, &backend))
        .collect();
    Ok(Recording {
        format: FORMAT.to_owned(),
        about: answers.about,
        sources: vec![Record {
            name: path.to_string(),
            sha256: Digest::of(&bytes),
            decisions: decisions.len() as u64,
        }],
        decisions,
        margins: None,
        warnings: Vec::new(),
    })
}

fn decision(answers: CaseAnswers, backend: &str) -> Decision {
    let CaseAnswers { mut case, asks } = answers;
    let (own, others): (Vec<_>, Vec<_>) =
        (asks.into_iter()).partition(|ask| ask.variant.axis == Axis::Baseline);
    if case.field(BACKEND).is_none() {
        let backend = FieldValue::Text(backend.to_owned());
        case.fields.push((BACKEND.to_owned(), backend));
    }
    let missing = case.brought.unlisted.then_some(Missing::Order);
    Decision {
        case,
        outcome: own.into_iter().next().map(|ask| ask.outcome),
        others,
        missing: missing.into_iter().collect(),
    }
}
