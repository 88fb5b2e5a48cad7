//! Flags of `flipside report`.

use clap::Args;

#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(crate) struct ReportFlags {
    /// Run folders, or files that `--json` wrote with the summary of a run or of several
    #[arg(value_name = "RUN", required = true)]
    pub(crate) runs: Vec<String>,

    /// The format: markdown [default: markdown]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<String>,

    /// Write the table to this file; `-` for standard output [default: -]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<String>,

    /// The table: capability, with a row per run and a column per axis [default: capability]
    #[arg(long, value_name = "TABLE")]
    pub(crate) table: Option<String>,
}

const HELP: &str = "\
Every figure is printed as its run stored it. A run that was killed is completed by its own command first.

Examples:
  flipside report runs/* --table capability --format markdown
  flipside report runs/today old-summary.json --out capabilities.md";
