//! Where a report goes.

use std::io::Write;
use std::path::Path;

use camino::Utf8Path;
use flipside_core::foreign::Foreign;

use crate::diagnostic::{Diagnostic, data};
use crate::settings::Report;

/// Writes `text` to the file `out`, or to standard output.
///
/// # Errors
/// What keeps it from being written.
pub(super) fn text(out: Option<&str>, text: &str) -> Result<(), Diagnostic> {
    match out {
        None => data(text),
        Some(out) => {
            let file = fs_err::File::create(out);
            written(
                out,
                file.and_then(|mut file| file.write_all(text.as_bytes())),
            )
        }
    }
}

/// Adds `text` to the end of the file `out`.
///
/// # Errors
/// What keeps it from being written.
pub(super) fn appended(out: &str, text: &str) -> Result<(), Diagnostic> {
    let file = fs_err::OpenOptions::new()
        .create(true)
        .append(true)
        .open(out);
    written(
        out,
        file.and_then(|mut file| file.write_all(text.as_bytes())),
    )
}

/// Writes files into the folder `out`, which need not be there.
///
/// # Errors
/// The first thing that keeps one from being written.
pub(super) fn files(
    out: &str,
    mut all: impl Iterator<Item = (String, String)>,
) -> Result<(), Diagnostic> {
    written(out, fs_err::create_dir_all(out))?;
    all.try_for_each(|(name, text)| {
        let path = Path::new(out).join(name);
        written(out, fs_err::write(path, text))
    })
}

fn written(out: &str, result: std::io::Result<()>) -> Result<(), Diagnostic> {
    result.map_err(|error| Diagnostic::new(format!("`--out {}`: {error}", Foreign(out))))
}

/// Refuses to write into a run that is reported.
pub(super) fn in_a_run(settings: &Report) -> Option<Diagnostic> {
    let out = settings.out.as_deref()?;
    let run = settings.runs.iter().find(|run| keeps(run, out))?;
    let (out, run) = (Foreign(out), Foreign(run.as_str()));
    let text = format!("`--out {out}` is `{run}`, or in it");
    Some(Diagnostic::new(text).help("name another file; what was recorded stays as it is"))
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
