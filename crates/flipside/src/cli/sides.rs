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

/// Refuses cases for sides that have their own: run folders of ours.
///
/// # Errors
/// One per flag that would be of no use.
pub(super) fn refuse_cases(settings: &Compare) -> Result<(), Vec<Diagnostic>> {
    let variant_has = settings.variant.as_deref().is_some_and(is_run);
    let own = !settings.variant_cases.is_empty();
    // Where the variant has none of its own they would be its cases too.
    let of_no_use =
        is_run(&settings.baseline) && (settings.variant.is_none() || variant_has || own);
    let mut errors = Vec::new();
    let mut refuse = |flag: &str, side: &Utf8Path| {
        let name = Foreign(side.as_str()).to_string();
        let text = format!("`{flag}`: `{name}` is a run folder, which holds its cases");
        errors.push(Diagnostic::new(text).help("leave it out"));
    };
    if of_no_use && !settings.cases.is_empty() {
        refuse("--cases", &settings.baseline);
    }
    if let Some(variant) = settings.variant.as_deref().filter(|_| variant_has && own) {
        refuse("--variant-cases", variant);
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}

fn is_run(path: &Utf8Path) -> bool {
    path.join("run.json").exists()
}

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
    let mut set = if is_run(path) {
        // With the cases that lack an answer, which count as unasked.
        let recorded = Recorded::read(path)
            .map_err(|error| vec![Diagnostic::caused(&error).maybe_help(error.help())])?;
        recorded.into_answers(path.as_str())
    } else {
        recording(path, cases, settings)?
    };
    for (field, value) in &settings.only {
        keep(&mut set, field, value)?;
    }
    Ok(set)
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
    Ok(recording.into_answers_and_gaps())
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
        let [field, value, name] =
            [field, value, &set.about.name].map(|text| Foreign(text).to_string());
        let text = format!("`--where {field}={value}`: no case of `{name}` has that value");
        let shown = known
            .iter()
            .take(8)
            .map(|text| format!("`{}`", Foreign(text)));
        let shown = shown.collect::<Vec<_>>().join(", ");
        let more = if known.len() > 8 { " and more" } else { "" };
        let help = if known.is_empty() {
            format!("no case of it has the field `{field}`")
        } else {
            format!("its values are {shown}{more}")
        };
        return Err(vec![Diagnostic::new(text).help(help)]);
    }
    set.cases
        .retain(|answers| answers.case.field(field) == Some(value));
    let asks = set.cases.iter().flat_map(|answers| &answers.asks);
    let failed = asks
        .clone()
        .filter(|ask| matches!(ask.outcome, Outcome::Failed(_)));
    set.about.failed = failed.count() as u64;
    set.about.recorded = asks.count() as u64;
    set.about.cases = set.cases.len() as u64;
    Ok(())
}
