//! The sides of a comparison: recordings, whatever program wrote them.

use camino::Utf8Path;
use flipside_core::case::Case;
use flipside_core::compare::AnswerSet;
use flipside_core::foreign::Foreign;
use flipside_core::record::Outcome;
use flipside_formats::import::{self, Supplements};
use flipside_formats::read::{Input, ReadOptions, read_cases};
use flipside_formats::recorded::Recorded;

use crate::diagnostic::{Diagnostic, say};
use crate::settings::Compare;

/// Reads the recorded answers at `path`, which belong to `cases` where the record lacks them; of all the cases that
/// `--where` keeps.
///
/// # Errors
/// Whatever is wrong with its files.
pub(super) fn read(
    path: &Utf8Path,
    cases: &[Input],
    settings: &Compare,
) -> Result<AnswerSet, Vec<Diagnostic>> {
    let mut set = if path.join("run.json").exists() {
        run(path, cases)?
    } else {
        recording(path, cases, settings)?
    };
    for (field, value) in &settings.only {
        keep(&mut set, field, value)?;
    }
    Ok(set)
}

/// A run folder of ours, with the cases that lack an answer: they count as unasked.
fn run(path: &Utf8Path, cases: &[Input]) -> Result<AnswerSet, Vec<Diagnostic>> {
    if !cases.is_empty() {
        let name = Foreign(path.as_str()).to_string();
        let text = format!("`{name}` is a run folder, which has its cases");
        let help = "leave `--cases` out, or name them with `--variant-cases` where VARIANT lacks them";
        return Err(vec![Diagnostic::new(text).help(help)]);
    }
    let recorded = Recorded::read(path)
        .map_err(|error| vec![Diagnostic::caused(&error).maybe_help(error.help())])?;
    Ok(recorded.into_answers(path.as_str()))
}

fn recording(
    path: &Utf8Path,
    cases: &[Input],
    settings: &Compare,
) -> Result<AnswerSet, Vec<Diagnostic>> {
    let supplements = Supplements {
        cases: supplied(cases)?,
        options_from: supplied(&settings.options_from)?,
        ..Supplements::default()
    };
    let recording = import::read(path, &supplements).map_err(|errors| {
        let told = |error: &import::Error| Diagnostic::caused(error).maybe_help(error.help());
        errors.iter().map(told).collect::<Vec<_>>()
    })?;
    drop(supplements);
    for warning in &recording.warnings {
        say(format!("warning: {warning}"));
    }
    Ok(recording.into_answers())
}

fn supplied(inputs: &[Input]) -> Result<Vec<Case>, Vec<Diagnostic>> {
    if inputs.is_empty() {
        return Ok(Vec::new());
    }
    let set = read_cases(inputs, &ReadOptions::default()).map_err(|errors| {
        let told = errors.iter();
        let told = told.map(|error| Diagnostic::caused(error).maybe_help(error.help()));
        told.collect::<Vec<_>>()
    })?;
    for warning in &set.warnings {
        say(format!("warning: {warning}"));
    }
    Ok(set.cases)
}

/// Leaves the cases with this value of the field; what the set says of itself counts those alone.
fn keep(set: &mut AnswerSet, field: &str, value: &str) -> Result<(), Vec<Diagnostic>> {
    let mut known: Vec<&str> = (set.cases.iter())
        .filter_map(|answers| answers.case.field(field))
        .collect();
    if !known.contains(&value) {
        known.sort_unstable();
        known.dedup();
        let [field, value, name] = [field, value, &set.about.name].map(|text| Foreign(text).to_string());
        let text = format!("`--where {field}={value}`: no case of `{name}` has that value");
        let help = match known.len() {
            0 => format!("no case of it has the field `{field}`"),
            _ => {
                let shown = known.iter().take(8).map(|text| format!("`{}`", Foreign(text)));
                let more = if known.len() > 8 { " and more" } else { "" };
                format!("its values are {}{more}", shown.collect::<Vec<_>>().join(", "))
            }
        };
        return Err(vec![Diagnostic::new(text).help(help)]);
    }
    set.cases.retain(|answers| answers.case.field(field) == Some(value));
    let asks = set.cases.iter().flat_map(|answers| &answers.asks);
    let failed = asks.clone().filter(|ask| matches!(ask.outcome, Outcome::Failed(_)));
    set.about.failed = failed.count() as u64;
    set.about.recorded = asks.count() as u64;
    set.about.cases = set.cases.len() as u64;
    Ok(())
}
