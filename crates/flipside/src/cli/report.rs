//! `flipside report`: tables of runs that were recorded; nothing is asked and nothing computed.

use std::io::Write;
use std::path::Path;

use camino::{Utf8Path, Utf8PathBuf};
use flipside_core::foreign::Foreign;
use flipside_formats::capability;
use flipside_report::markdown;

use crate::cli::out::again;
use crate::diagnostic::{self, Diagnostic, data};
use crate::exit::Exit;
use crate::flags::ReportFlags;
use crate::settings;

/// Runs the command.
pub(crate) fn report(flags: &ReportFlags) -> Exit {
    let settings = match settings::report(flags) {
        Ok(settings) => settings,
        Err(errors) => {
            diagnostic::print(&errors);
            return Exit::Usage;
        }
    };
    let (mut rows, mut errors) = (Vec::new(), Vec::new());
    for run in &settings.runs {
        match capability::read(run) {
            Ok(found) => rows.extend(found),
            Err(error) => errors.push(diagnostic(&error)),
        }
    }
    errors.extend(named_again(&settings.runs));
    if let Some(out) = &settings.out
        && let Some(run) = settings.runs.iter().find(|run| keeps(run, out))
    {
        let (out, run) = (Foreign(out), Foreign(run.as_str()));
        let text = format!("`--out {out}` is `{run}`, or in it");
        errors.push(
            Diagnostic::new(text).help("name another file; what was recorded stays as it is"),
        );
    }
    if !errors.is_empty() {
        diagnostic::print(&errors);
        return Exit::Usage;
    }
    let text = markdown::render_capability(&rows);
    let written = match &settings.out {
        None => data(&text),
        Some(out) => write(out, &text),
    };
    match written {
        Ok(()) => Exit::Held,
        Err(error) => {
            diagnostic::print(&[error]);
            Exit::Incomplete
        }
    }
}

fn diagnostic(error: &capability::Error) -> Diagnostic {
    let command = error
        .command()
        .map(|command| format!("complete it with `{}`", again(command, &[])));
    let help = command.or_else(|| error.help().map(str::to_owned));
    Diagnostic::caused(error).maybe_help(help)
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

/// Whether writing `out` would change what `run` holds.
fn keeps(run: &Utf8Path, out: &str) -> bool {
    let real = |path: &Path| fs_err::canonicalize(path).ok();
    let out = Path::new(out);
    let parent = match out.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let place = real(out).or_else(|| Some(real(parent)?.join(out.file_name()?)));
    real(run.as_std_path())
        .zip(place)
        .is_some_and(|(run, place)| place.starts_with(run))
}

fn write(path: &str, text: &str) -> Result<(), Diagnostic> {
    let written = fs_err::File::create(path).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| Diagnostic::new(format!("`--out {}`: {error}", Foreign(path))))
}
