//! `flipside probe`: read, perturb, ask, align, measure, judge, report.

use flipside_formats::read::read_cases;
use flipside_models::env::Environment;

use crate::cli::prepared::{Prepared, ReadCases};
use crate::cli::watch::watch;
use crate::diagnostic::{self, Diagnostic, say};
use crate::exit::Exit;
use crate::flags::ProbeFlags;
use crate::settings::{self, Probe};

/// Runs the command.
pub(crate) fn probe(
    flags: &ProbeFlags,
    command: &[String],
    environment: &Environment,
    runtime: &tokio::runtime::Runtime,
) -> Exit {
    let settings = settings::probe(flags);
    if settings.as_ref().is_ok_and(|settings| settings.watch) {
        let round = |settings| Ok(prepare(settings, environment)?.run(command, runtime));
        return watch(|| settings::probe(flags), round, runtime);
    }
    let prepared = settings.and_then(|settings| prepare(settings, environment));
    match prepared {
        Ok(prepared) => prepared.run(command, runtime),
        Err(errors) => {
            diagnostic::print(&errors);
            Exit::Usage
        }
    }
}

fn prepare(settings: Probe, environment: &Environment) -> Result<Prepared, Vec<Diagnostic>> {
    let Probe {
        inputs,
        read,
        probing,
        watch: _,
    } = settings;
    let quiet = probing.quiet;
    Prepared::new(probing, environment, || {
        let read = read_cases(&inputs, &read).map_err(|found| {
            let told = found.iter();
            told.map(|error| Diagnostic::caused(error).maybe_help(error.help()))
                .collect::<Vec<_>>()
        })?;
        for warning in read.warnings.iter().filter(|_| !quiet) {
            say(format!("warning: {warning}"));
        }
        Ok(ReadCases::of_files(read))
    })
}
