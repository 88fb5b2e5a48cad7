//! `flipside probe --watch`: the probe again each time a case file changes.
//!
//! Files are looked at a few times a second: that sees what editors do that write a new file and rename it, works on every file system,
//! and needs nothing of the system.

use std::time::Duration;

use flipside_core::digest::Digest;
use flipside_core::foreign::Foreign;
use flipside_formats::read::Input;
use flipside_models::kept::Replies;
use flipside_report::wording;

use crate::cli::out::interrupt;
use crate::diagnostic::{self, Diagnostic, say};
use crate::exit::Exit;
use crate::settings::Probe;

/// How often files are looked at: soon enough for whoever just saved one.
const EVERY: Duration = Duration::from_millis(200);

/// Does `round` now, and again each time that a case file has changed, until interrupted. `settings` are read for every round.
///
/// Returns how the last round ended; where cases could not be read in it, nothing was asked and that is told.
pub(crate) fn watch(
    settings: impl Fn() -> Result<Probe, Vec<Diagnostic>>,
    mut round: impl FnMut(Probe) -> Result<Exit, Vec<Diagnostic>>,
    runtime: &tokio::runtime::Runtime,
) -> Exit {
    let replies = Replies::default();
    let mut number = 1;
    loop {
        let mut probe = match settings() {
            Ok(probe) => probe,
            Err(errors) => {
                diagnostic::print(&errors);
                return Exit::Usage;
            }
        };
        let files = files(&probe.inputs);
        let quiet = probe.probing.quiet;
        let seen = contents(&files);
        probe.probing.models.kept = Some(replies.clone());
        if let Some(out) = &probe.probing.out {
            number = free(out, number);
            probe.probing.out = Some(out.join(format!("round-{number}")));
        }
        let before = replies.len();
        let (exit, read) = match round(probe) {
            Ok(exit) => (exit, true),
            Err(errors) => {
                diagnostic::print(&errors);
                (Exit::Usage, false)
            }
        };
        if !quiet {
            let new = (replies.len() - before) as u64;
            let asked = if read && before > 0 {
                let new = wording::plural(new, "new answer", "new answers");
                format!("{new}, the others kept; ")
            } else {
                String::new()
            };
            say(format!("{asked}watching {}, Ctrl-C ends", named(&files)));
        }
        if exit == Exit::Incomplete {
            // An interrupt ends the command, and what else ended a round would end the next.
            return exit;
        }
        if !runtime.block_on(changed(&files, &seen)) {
            return exit;
        }
    }
}

/// The files among the inputs.
fn files(inputs: &[Input]) -> Vec<String> {
    let files = inputs.iter().filter_map(|input| match input {
        Input::Path(path) => Some(path.to_string()),
        _ => None,
    });
    files.collect()
}

fn named(files: &[String]) -> String {
    let names: Vec<String> = files
        .iter()
        .map(|file| format!("`{}`", Foreign(file)))
        .collect();
    wording::list(&names)
}

/// The first round from `number` on that has no folder in `out` yet.
fn free(out: &camino::Utf8Path, mut number: usize) -> usize {
    while out.join(format!("round-{number}")).exists() {
        number += 1;
    }
    number
}

/// What is in each file; `None` for one that cannot be read, as while an editor replaces it.
fn contents(files: &[String]) -> Vec<Option<Digest>> {
    let read = |file: &String| Some(Digest::of(&fs_err::read(file).ok()?));
    files.iter().map(read).collect()
}

/// Waits until something else is in a file, and the same twice, so that no half of it is read; false for an interrupt.
async fn changed(files: &[String], seen: &[Option<Digest>]) -> bool {
    let settled = async {
        let mut last = seen.to_vec();
        loop {
            tokio::time::sleep(EVERY).await;
            let now = contents(files);
            let whole = now.iter().all(Option::is_some);
            if whole && now != seen && now == last {
                return;
            }
            last = now;
        }
    };
    tokio::select! {
        () = settled => true,
        () = interrupt() => false,
    }
}
