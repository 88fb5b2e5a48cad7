//! Flags of `flipside report`.

use clap::Args;

#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(crate) struct ReportFlags {
    /// Run folders, or files that `--json` wrote with the summary of a run or of several. Of two run folders the report says too what got better or worse
    #[arg(value_name = "RUN", required = true)]
    pub(crate) runs: Vec<String>,

    /// The format: terminal, html, markdown, github (annotations and job summary), junit, csv, json [default: terminal; markdown with --table capability]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<String>,

    /// Write to this file; `-` for standard output; for csv without --table a folder of four files; for github where the job summary goes [default: -; for github the file that `GITHUB_STEP_SUMMARY` names]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<String>,

    /// One table: capability, with a row per run and a column per axis (markdown); asks, pairs, figures or gates (csv)
    #[arg(long, value_name = "TABLE")]
    pub(crate) table: Option<String>,

    /// Print every flipped case and every variant, for the terminal
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

const HELP: &str = "\
Every figure is printed as its run stored it. A run that was killed is completed by its own command first.

Examples:
  flipside report runs/today
  flipside report runs/monday runs/today --format markdown
  flipside report runs/* --format html --out report.html
  flipside report runs/today --format github
  flipside report runs/today --format junit --out flipside.xml
  flipside report runs/today --format csv --table pairs --out pairs.csv
  flipside report runs/* --table capability --format markdown";
