//! What every suite command reads and prints.

use flipside_core::suite::figures::SuiteReport;
use flipside_formats::read::{Error, Input};
use flipside_formats::suite::{Suite, read_suite};
use flipside_report::{Style, json, terminal};

use crate::cli::json_file::JsonFile;
use crate::diagnostic::{Diagnostic, data, say};

/// Errors of a file as a person reads them.
pub(super) fn told(errors: &[Error]) -> Vec<Diagnostic> {
    let told = errors
        .iter()
        .map(|error| Diagnostic::caused(error).maybe_help(error.help()));
    told.collect()
}

/// The rows of `input`; what was noticed about them is said.
///
/// # Errors
/// Every error of the file.
pub(super) fn rows(input: &Input) -> Result<Suite, Vec<Diagnostic>> {
    let suite = read_suite(input).map_err(|errors| told(&errors))?;
    // What is compiled in is ours, and there is nothing to find out about it.
    if !matches!(input, Input::Builtin(_)) {
        for warning in &suite.warnings {
            say(format!("warning: {warning}"));
        }
    }
    Ok(suite)
}

/// Prints the report and writes it where `--json` goes.
///
/// # Errors
/// What keeps either from being written.
pub(super) fn print(
    report: &SuiteReport,
    output: Option<JsonFile>,
    style: &Style,
) -> Result<(), Diagnostic> {
    if !output.as_ref().is_some_and(JsonFile::is_standard) {
        data(&terminal::render_suite(report, style))?;
    }
    match output {
        Some(output) => output.write(|out| json::write_suite(report, out)),
        None => Ok(()),
    }
}
