//! The settings of `flipside report`.

use camino::Utf8PathBuf;
use flipside_core::foreign::Foreign;
use flipside_report::tables;

use super::Check;
use crate::diagnostic::Diagnostic;
use crate::flags::ReportFlags;

/// The table of several runs that `--table` names beside those of single asks and figures.
const CAPABILITY: &str = "capability";

/// What `flipside report` does.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) runs: Vec<Utf8PathBuf>,
    pub(crate) rendered: Rendered,
    /// The file or folder; `None` for standard output.
    pub(crate) out: Option<String>,
    pub(crate) verbose: bool,
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rendered {
    /// The capability table, as Markdown.
    Capability,
    /// The report as it is printed.
    Terminal,
    /// A summary for a pull request.
    Markdown,
    /// Annotations, and a job summary.
    Github,
    /// One page for a browser.
    Html,
    /// `JUnit` XML.
    Junit,
    /// The summaries as they were stored.
    Json,
    /// One table as CSV, or all of them in a folder.
    Csv(Option<&'static str>),
}

/// The formats by name.
const FORMATS: [(&str, Rendered); 7] = [
    ("terminal", Rendered::Terminal),
    ("html", Rendered::Html),
    ("markdown", Rendered::Markdown),
    ("github", Rendered::Github),
    ("junit", Rendered::Junit),
    ("csv", Rendered::Csv(None)),
    ("json", Rendered::Json),
];

/// Checks the flags of `flipside report`; `step_summary` is the file that GitHub shows as the job's summary, where there is one.
///
/// # Errors
/// Every bad value, and what does not go together.
pub(crate) fn report(
    flags: &ReportFlags,
    step_summary: Option<String>,
) -> Result<Report, Vec<Diagnostic>> {
    let mut check = Check::default();
    let expected = "`terminal`, `html`, `markdown`, `github`, `junit`, `csv` or `json`";
    let format = check.value("--format", flags.format.as_deref(), expected, |text| {
        let mut known = FORMATS.iter();
        known
            .find(|(name, _)| *name == text)
            .map(|(_, format)| *format)
    });
    let expected = "`capability`, `asks`, `pairs`, `figures` or `gates`";
    let table = check.value("--table", flags.table.as_deref(), expected, |text| {
        let mut known = tables::NAMES.into_iter().chain([CAPABILITY]);
        known.find(|name| *name == text)
    });
    for (place, run) in flags.runs.iter().enumerate() {
        if flags.runs[..place].contains(run) {
            let run = Foreign(run);
            check
                .errors
                .push(Diagnostic::new(format!("`{run}` is named twice")));
        }
    }
    let out = flags.out.clone().filter(|out| out != "-");
    let unread =
        flags.format.is_some() && format.is_none() || flags.table.is_some() && table.is_none();
    let rendered = match together(format, table) {
        // What cannot be read is an error already.
        _ if unread => Rendered::Terminal,
        Ok(rendered) => rendered,
        Err(error) => {
            check.errors.push(error);
            Rendered::Terminal
        }
    };
    if rendered == Rendered::Csv(None) && out.is_none() && !unread {
        let help = "name one with `--table`, or a folder for all of them with `--out`";
        let text = "`--format csv` is four tables: asks, pairs, figures and gates";
        check.errors.push(Diagnostic::new(text).help(help));
    }
    if flags.verbose && rendered != Rendered::Terminal && !unread {
        let text = "`--verbose` is for the terminal: every other format has it all";
        check
            .errors
            .push(Diagnostic::new(text).help("leave it out"));
    }
    let out = match rendered {
        Rendered::Github if flags.out.is_none() => step_summary,
        _ => out,
    };
    check.done(Report {
        runs: flags.runs.iter().map(Utf8PathBuf::from).collect(),
        rendered,
        out,
        verbose: flags.verbose,
    })
}

/// A format and a table that go together.
fn together(format: Option<Rendered>, table: Option<&'static str>) -> Result<Rendered, Diagnostic> {
    match (format, table) {
        (None, None) => Ok(Rendered::Terminal),
        (Some(format), None) => Ok(format),
        (None | Some(Rendered::Markdown), Some(CAPABILITY)) => Ok(Rendered::Capability),
        (Some(Rendered::Csv(_)), Some(table)) if table != CAPABILITY => {
            Ok(Rendered::Csv(Some(table)))
        }
        (_, Some(CAPABILITY)) => {
            let help = "leave `--format` out, or name `markdown`";
            Err(Diagnostic::new("`--table capability` is Markdown").help(help))
        }
        (_, Some(table)) => {
            let text = format!("`--table {table}` is a table of values");
            Err(Diagnostic::new(text).help("add `--format csv`"))
        }
    }
}
