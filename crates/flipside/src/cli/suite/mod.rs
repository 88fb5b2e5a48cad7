//! `flipside suite`: rows of a formatting-fragility suite, asked or read, and counted.

mod generate;
mod report;
mod run;
mod score;

use flipside_models::env::Environment;

use crate::exit::Exit;
use crate::flags::{SuiteCommand, SuiteFlags};

/// Runs the command.
pub(crate) fn suite(
    flags: &SuiteFlags,
    command: &[String],
    environment: &Environment,
    runtime: &tokio::runtime::Runtime,
) -> Exit {
    match &flags.command {
        SuiteCommand::Generate(flags) => generate::generate(flags),
        SuiteCommand::Run(flags) => run::run(flags, command, environment, runtime),
        SuiteCommand::Score(flags) => score::score(flags),
    }
}
