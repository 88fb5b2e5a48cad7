//! The flipside command: flags, settings, wiring, progress, exit codes.

mod cli;
mod defaults;
mod diagnostic;
mod environment;
mod exit;
mod flags;
mod keys;
mod progress;
#[cfg(test)]
mod reference;
mod settings;
mod typed;

use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use flipside_core::model::Model;
use flipside_models::catalog::{self, ModelSpec, Options};
use flipside_models::env::Environment;
use flipside_models::kept::Kept;
use flipside_report::Style;

use crate::diagnostic::Diagnostic;
use crate::flags::{Command, Flags};

/// A file of recorded answers is millions of small values: this allocator takes half the time and less memory for them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Gives what is freed back at once, where much is read and little computed: what was read of one file would otherwise lie beside what is
/// made of the next. A forward pass frees and takes the same pages all the time, and would pay for each.
#[expect(
    unsafe_code,
    reason = "the allocator has no safe way to be told; its options may be set at any time, and this one is a plain number"
)]
fn keep_no_freed_memory() {
    /// `mi_option_purge_delay` of mimalloc 2, which the bindings leave out.
    const PURGE_DELAY: libmimalloc_sys::mi_option_t = 15;
    // SAFETY: `mi_option_set` checks the option's number and stores the value.
    unsafe { libmimalloc_sys::mi_option_set(PURGE_DELAY, 0) };
}

/// Says once how many threads a forward pass may use. The library otherwise reads the system's list of processors before every matrix
/// product, which takes longer than most products of a small model.
#[expect(
    unsafe_code,
    reason = "the library reads this variable alone; nothing else runs yet that could read the environment meanwhile"
)]
fn count_cores_once() {
    const THREADS: &str = "RAYON_NUM_THREADS";
    if std::env::var_os(THREADS).is_none() {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        // SAFETY: called first in `main`, when this is the only thread.
        unsafe { std::env::set_var(THREADS, cores.to_string()) };
    }
}

fn main() -> ExitCode {
    count_cores_once();
    let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    let command = typed::recorded(words);
    let flags = Flags::parse();
    if matches!(flags.command, Command::Compare(_) | Command::Report(_)) {
        keep_no_freed_memory();
    }
    let environment = Environment::read(|name| std::env::var(name).ok());
    // One thread: asks are bound by the network, and a thread per core costs more than it brings.
    let runtime = match tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            diagnostic::print(&[Diagnostic::new(format!(
                "the runtime cannot start: {error}"
            ))]);
            return exit::Exit::Incomplete.into();
        }
    };
    let exit = match &flags.command {
        Command::Probe(flags) => cli::probe(flags, &command, &environment, &runtime),
        Command::Reask(flags) => cli::reask(flags, &command, &environment, &runtime),
        Command::Decide(flags) => cli::decide(flags, &command, &environment, &runtime),
        Command::Compare(flags) => cli::compare(flags),
        Command::Report(flags) => cli::report(flags),
        Command::Models(flags) => cli::models(flags, &environment, &runtime),
        Command::Suite(flags) => cli::suite(flags, &command, &environment, &runtime),
        Command::Invariance(flags) => cli::invariance(flags),
        Command::Mcp(flags) => cli::mcp(flags, &environment, &runtime),
        Command::Explain(flags) => cli::explain(flags),
        Command::Completions(flags) => cli::completions(flags),
        Command::Man(flags) => cli::man(flags),
    };
    exit.into()
}

/// The models of `settings`; building connects to nothing.
fn build(
    models: &settings::Models,
    seed: u64,
    environment: &Environment,
) -> Result<Vec<Arc<dyn Model>>, Vec<Diagnostic>> {
    let (mut built, mut errors) = (Vec::new(), Vec::new());
    let environment = keys::named(environment, models.key_from.as_deref())?;
    let options = Options {
        seed,
        model_name: models.name.clone(),
        compress: models.compress,
    };
    for spec in &models.specs {
        match build_one(spec, &options, &environment) {
            Ok(model) => built.push(match &models.kept {
                Some(replies) => Kept::new(model, replies.clone()),
                None => model,
            }),
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() {
        keys::one_host(models.key_from.as_deref(), &built)?;
        Ok(built)
    } else {
        Err(errors)
    }
}

fn build_one(
    spec: &ModelSpec,
    options: &Options,
    environment: &Environment,
) -> Result<Arc<dyn Model>, Vec<Diagnostic>> {
    catalog::build(spec, environment, options)
        .map_err(|error| vec![Diagnostic::caused(&error).maybe_help(error.help())])
}

/// How reports look on this standard output.
fn style(verbose: bool) -> Style {
    let width = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let color = anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never;
    Style {
        color,
        width: width.unwrap_or(defaults::WIDTH),
        verbose,
    }
}
