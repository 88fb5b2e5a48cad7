//! The settings of `flipside report`.

use camino::Utf8PathBuf;

use super::Check;
use crate::diagnostic::Diagnostic;
use crate::flags::ReportFlags;

/// What `flipside report` does: so far one table in one format.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) runs: Vec<Utf8PathBuf>,
    /// The file; `None` for standard output.
    pub(crate) out: Option<String>,
}

/// Checks the flags of `flipside report`.
///
/// # Errors
/// Every bad value.
pub(crate) fn report(flags: &ReportFlags) -> Result<Report, Vec<Diagnostic>> {
    let mut check = Check::default();
    let only = |known: &'static str| move |text: &str| (text == known).then_some(());
    let expected = "`markdown`, the one format of tables so far";
    check.value(
        "--format",
        flags.format.as_deref(),
        expected,
        only("markdown"),
    );
    let expected = "`capability`, the one table so far";
    check.value(
        "--table",
        flags.table.as_deref(),
        expected,
        only("capability"),
    );
    for (place, run) in flags.runs.iter().enumerate() {
        if flags.runs[..place].contains(run) {
            let run = flipside_core::foreign::Foreign(run);
            check
                .errors
                .push(Diagnostic::new(format!("`{run}` is named twice")));
        }
    }
    check.done(Report {
        runs: flags.runs.iter().map(Utf8PathBuf::from).collect(),
        out: flags.out.clone().filter(|out| out != "-"),
    })
}
