//! `flipside report`: runs that were recorded, in every format; nothing is asked and no figure computed anew.

mod changed;
mod write;

use camino::Utf8PathBuf;
use flipside_core::foreign::Foreign;
use flipside_core::summary::Summary;
use flipside_formats::capability;
use flipside_formats::summary::{self as stored, StoredSummary};
use flipside_report::html::{self, HtmlRun};
use flipside_report::tables::{self, Run};
use flipside_report::{csv, github, json, junit, markdown, terminal, warning};

use crate::cli::out::again;
use crate::diagnostic::{self, Diagnostic, data, say};
use crate::environment;
use crate::exit::Exit;
use crate::flags::ReportFlags;
use crate::settings::{self, Rendered, Report};

/// Runs the command.
pub(crate) fn report(flags: &ReportFlags) -> Exit {
    let step_summary = environment::value(&environment::GITHUB_STEP_SUMMARY);
    let settings = match settings::report(flags, step_summary) {
        Ok(settings) => settings,
        Err(errors) => {
            diagnostic::print(&errors);
            return Exit::Usage;
        }
    };
    let mut errors = named_again(&settings.runs);
    errors.extend(write::in_a_run(&settings));
    let read = read(&settings);
    let read = read.map_err(|mut found| {
        found.append(&mut errors);
        found
    });
    let found = match read {
        Ok(found) if errors.is_empty() => found,
        Ok(_) => {
            diagnostic::print(&errors);
            return Exit::Usage;
        }
        Err(errors) => {
            diagnostic::print(&errors);
            return Exit::Usage;
        }
    };
    match render(&settings, &found) {
        Ok(()) => Exit::Held,
        Err(error) => {
            diagnostic::print(&[error]);
            Exit::Incomplete
        }
    }
}

/// What was read of the runs.
enum Found {
    /// The capability table.
    Table(String),
    /// Whole summaries.
    Summaries(Vec<StoredSummary>),
}

fn read(settings: &Report) -> Result<Found, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    if settings.rendered == Rendered::Capability {
        let mut rows = Vec::new();
        for run in &settings.runs {
            match capability::read(run) {
                Ok(found) => rows.extend(found),
                Err(error) => errors.push(refused(&error, error.command(), error.help())),
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        return Ok(Found::Table(markdown::render_capability(&rows)));
    }
    let mut summaries = Vec::new();
    for run in &settings.runs {
        match stored::read(run) {
            Ok(found) => summaries.extend(found),
            Err(error) => errors.push(refused(&error, error.command(), error.help())),
        }
    }
    if errors.is_empty() {
        Ok(Found::Summaries(summaries))
    } else {
        Err(errors)
    }
}

fn refused(
    error: &dyn std::error::Error,
    command: Option<&[String]>,
    help: Option<&str>,
) -> Diagnostic {
    let command = command.map(|command| format!("complete it with `{}`", again(command, &[])));
    Diagnostic::caused(error).maybe_help(command.or_else(|| help.map(str::to_owned)))
}

fn render(settings: &Report, found: &Found) -> Result<(), Diagnostic> {
    let out = settings.out.as_deref();
    let summaries = match found {
        Found::Table(text) => return write::text(out, text),
        Found::Summaries(summaries) => summaries,
    };
    let runs: Vec<Run<'_>> = summaries.iter().map(run).collect();
    match settings.rendered {
        // Its rows were read in another way.
        Rendered::Capability => Ok(()),
        Rendered::Terminal => as_printed(settings, summaries),
        Rendered::Markdown => write::text(out, &summary(settings, &runs)),
        Rendered::Github => {
            data(&github::render(&runs))?;
            match out {
                Some(out) => write::appended(out, &summary(settings, &runs)),
                None => data(&summary(settings, &runs)),
            }
        }
        Rendered::Html => {
            let pages: Vec<HtmlRun<'_>> = summaries.iter().map(page).collect();
            write::text(out, &html::render(&pages))
        }
        Rendered::Junit => write::text(out, &junit::render(&runs)),
        Rendered::Json => {
            let whole: Vec<Summary> = summaries.iter().map(|one| one.summary.clone()).collect();
            write::text(
                out,
                &match &whole[..] {
                    [one] => json::render(one),
                    several => json::render_several(several),
                },
            )
        }
        Rendered::Csv(Some(name)) => {
            let table = tables::named(name, &runs);
            write::text(out, &table.map(csv::render).unwrap_or_default())
        }
        Rendered::Csv(None) => {
            let folder = out.unwrap_or(".");
            let tables = tables::all(&runs).into_iter();
            write::files(
                folder,
                tables.map(|table| (format!("{}.csv", table.name), csv::render(table))),
            )
        }
    }
}

fn run(stored: &StoredSummary) -> Run<'_> {
    Run {
        name: stored.path.as_str(),
        started: stored.run.as_ref().map(|run| run.started.as_str()),
        summary: &stored.summary,
    }
}

fn page(stored: &StoredSummary) -> HtmlRun<'_> {
    HtmlRun {
        summary: &stored.summary,
        started: stored.run.as_ref().map(|run| run.started.as_str()),
        cases: &stored.cases,
    }
}

/// The report as `flipside probe` prints it; of two runs what changed between them too.
fn as_printed(settings: &Report, summaries: &[StoredSummary]) -> Result<(), Diagnostic> {
    let mut style = crate::style(settings.verbose);
    // A file is no terminal.
    style.color &= settings.out.is_none();
    let whole: Vec<Summary> = summaries.iter().map(|one| one.summary.clone()).collect();
    let mut text = match &whole[..] {
        [one] => terminal::render(one, &style),
        several => terminal::render_several(several, &style),
    };
    if let Some(found) = changed::between(&settings.runs) {
        text.push('\n');
        let changed = match found {
            Ok(comparison) => terminal::render_standings(&comparison, &style),
            Err(reason) => format!("changed  not compared: {reason}\n"),
        };
        text.push_str(&changed);
    }
    write::text(settings.out.as_deref(), &text)?;
    for one in summaries {
        let about = match summaries {
            [_] => String::new(),
            _ => format!("{}: ", Foreign(one.path.as_str())),
        };
        for warning in warning::warnings(&one.summary) {
            say(format!("warning: {about}{warning}"));
        }
    }
    Ok(())
}

/// The summary for a pull request; of two runs what changed between them first.
fn summary(settings: &Report, runs: &[Run<'_>]) -> String {
    let changed = match changed::between(&settings.runs) {
        Some(Ok(comparison)) => markdown::render_standings(&comparison) + "\n",
        _ => String::new(),
    };
    changed + &markdown::render_summary(runs)
}

/// Runs that another path names too: a table with a row twice would look like one of two runs.
fn named_again(runs: &[Utf8PathBuf]) -> Vec<Diagnostic> {
    let real: Vec<_> = (runs.iter())
        .map(|run| fs_err::canonicalize(run).ok())
        .collect();
    let again = |(place, run): (usize, &Utf8PathBuf)| {
        let this = real[place].as_ref()?;
        let first = real[..place]
            .iter()
            .position(|other| other.as_ref() == Some(this))?;
        let (run, first) = (Foreign(run.as_str()), Foreign(runs[first].as_str()));
        Some(Diagnostic::new(format!("`{run}` names `{first}` again")).help("name each run once"))
    };
    runs.iter().enumerate().filter_map(again).collect()
}
