//! The number of threads, said once as the program says it: otherwise every matrix product reads the system's list of processors.

use std::process::{Command, ExitCode};

const THREADS: &str = "RAYON_NUM_THREADS";

/// Runs `bench` in a process that knows the number of cores: this one, or itself once more.
pub(crate) fn counted(bench: impl FnOnce()) -> ExitCode {
    if std::env::var_os(THREADS).is_some() {
        bench();
        return ExitCode::SUCCESS;
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let itself = std::env::current_exe().and_then(|itself| {
        Command::new(itself)
            .args(std::env::args_os().skip(1))
            .env(THREADS, cores.to_string())
            .status()
    });
    match itself {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
