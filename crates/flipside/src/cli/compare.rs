//! `flipside compare`: two run folders read back and set against each other; nothing is asked.

use std::io::{BufWriter, Write};
use std::path::Path;

use camino::Utf8Path;
use flipside_core::compare::{AnswerSet, Comparison, Wanted};
use flipside_core::foreign::Foreign;
use flipside_formats::recorded::Recorded;
use flipside_report::{json, terminal};

use crate::diagnostic::{self, Diagnostic, data, say};
use crate::exit::Exit;
use crate::flags::CompareFlags;
use crate::settings::{self, Compare};

/// Runs the command.
pub(crate) fn compare(flags: &CompareFlags) -> Exit {
    let compared = settings::compare(flags).and_then(|settings| {
        let comparison = compared(&settings)?;
        let out = settings.json.as_deref().filter(|path| *path != "-");
        let file = out.map(|path| open_json(path, &settings)).transpose();
        let file = file.map_err(|error| vec![error])?;
        Ok((settings, comparison, file))
    });
    let (settings, comparison, file) = match compared {
        Ok(compared) => compared,
        Err(errors) => {
            diagnostic::print(&errors);
            return Exit::Usage;
        }
    };
    if same_folder(&settings) {
        let folder = Foreign(settings.baseline.as_str());
        say(format!(
            "warning: both sides are the run folder `{folder}`: no answer can differ"
        ));
    }
    match report(&settings, &comparison, file) {
        Ok(()) if comparison.exit == 0 => Exit::Held,
        Ok(()) => Exit::NotHeld,
        Err(error) => {
            diagnostic::print(&[error]);
            Exit::Incomplete
        }
    }
}

/// Whether a run would be compared with itself.
fn same_folder(settings: &Compare) -> bool {
    let real = |folder: &Utf8Path| fs_err::canonicalize(folder).ok();
    let baseline = real(&settings.baseline);
    baseline.is_some() && baseline == real(&settings.variant)
}

/// Both runs, or what is wrong with each.
fn compared(settings: &Compare) -> Result<Comparison, Vec<Diagnostic>> {
    let (baseline, variant) = match (read(&settings.baseline), read(&settings.variant)) {
        (Ok(baseline), Ok(variant)) => (baseline, variant),
        (baseline, variant) => {
            return Err([baseline.err(), variant.err()]
                .into_iter()
                .flatten()
                .collect());
        }
    };
    let wanted = Wanted {
        version: env!("CARGO_PKG_VERSION"),
        orders: &settings.orders,
        equivalent: settings.equivalent,
        not_worse: settings.not_worse,
        alpha: settings.alpha,
    };
    flipside_core::compare::compare(&baseline, &variant, &wanted)
        .map_err(|refusal| vec![Diagnostic::new(&refusal).help(refusal.help())])
}

fn read(path: &Utf8Path) -> Result<AnswerSet, Diagnostic> {
    let recorded = Recorded::read(path)
        .map_err(|error| Diagnostic::caused(&error).maybe_help(error.help()))?;
    Ok(recorded.into_answers(path.as_str()))
}

/// Opens `--json`'s file; one in a compared run folder is refused.
fn open_json(path: &str, settings: &Compare) -> Result<fs_err::File, Diagnostic> {
    let parent = match Path::new(path).parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let parent = fs_err::canonicalize(parent).ok();
    let inside = |folder: &Utf8Path| {
        let folder = fs_err::canonicalize(folder).ok();
        folder
            .zip(parent.as_ref())
            .is_some_and(|(folder, parent)| parent.starts_with(folder))
    };
    let shown = Foreign(path);
    if inside(&settings.baseline) || inside(&settings.variant) {
        let help = "name another file; a run folder keeps what its own run wrote";
        let text = format!("`--json {shown}` is in a run folder that is compared");
        return Err(Diagnostic::new(text).help(help));
    }
    fs_err::File::create(path)
        .map_err(|error| Diagnostic::new(format!("`--json {shown}`: {error}")))
}

fn report(
    settings: &Compare,
    comparison: &Comparison,
    file: Option<fs_err::File>,
) -> Result<(), Diagnostic> {
    if settings.json.is_none() || file.is_some() {
        let style = crate::style(settings.verbose);
        data(&terminal::render_comparison(comparison, &style))?;
    }
    if settings.json.as_deref() == Some("-") {
        let mut out = BufWriter::new(std::io::stdout().lock());
        let written = json::write_comparison(comparison, &mut out).and_then(|()| out.flush());
        diagnostic::written(written)?;
    }
    let Some(file) = file else {
        return Ok(());
    };
    let mut out = BufWriter::new(file);
    let written = json::write_comparison(comparison, &mut out).and_then(|()| out.flush());
    written.map_err(|error| Diagnostic::new(format!("`--json`: {error}")))
}
