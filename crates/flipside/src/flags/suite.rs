//! Flags of `flipside suite`.

use clap::{Args, Subcommand};

use super::ModelFlags;

#[derive(Args, Debug)]
pub(crate) struct SuiteFlags {
    #[command(subcommand)]
    pub(crate) command: SuiteCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SuiteCommand {
    /// Write the rows of a suite: of the built-in base cases, or of your own
    Generate(SuiteGenerateFlags),
    /// Ask models every row, and count flips over order, key names and wording
    Run(Box<SuiteRunFlags>),
    /// Count answers that were given to the rows elsewhere; nothing is asked
    Score(SuiteScoreFlags),
}

#[derive(Args, Debug)]
#[command(after_help = GENERATE_HELP)]
pub(crate) struct SuiteGenerateFlags {
    /// Write the rows to this file instead of standard output; a file that is there is replaced
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<String>,

    /// Base cases of your own, one JSON object a line; `-` for standard input [default: builtin:fragility]
    #[arg(long, value_name = "FILE")]
    pub(crate) template: Option<String>,
}

#[derive(Args, Debug)]
#[command(after_help = RUN_HELP)]
pub(crate) struct SuiteRunFlags {
    /// The rows: a file that `suite generate` or another tool wrote, `-` for standard input [default: builtin:fragility]
    #[arg(value_name = "ROWS")]
    pub(crate) rows: Option<String>,

    /// The seed of models that draw, such as `random` [default: 1]
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "N",
        help_heading = "The model"
    )]
    pub(crate) seed: Option<String>,

    /// Print what would be asked and what it costs; ask nothing
    #[arg(long, help_heading = "Output")]
    pub(crate) dry_run: bool,

    /// The run folder: every ask as it comes back. The same command goes on with an unfinished run
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) out: Option<String>,

    #[command(flatten)]
    pub(crate) judged: SuiteReportFlags,

    #[command(flatten)]
    pub(crate) model: ModelFlags,
}

#[derive(Args, Debug)]
#[command(after_help = SCORE_HELP)]
pub(crate) struct SuiteScoreFlags {
    /// The rows that were answered: a file, `-` for standard input, or `builtin:fragility`
    #[arg(value_name = "ROWS")]
    pub(crate) rows: String,

    /// Files of answers, one JSON object a line; each is a column
    #[arg(value_name = "ANSWERS", required = true)]
    pub(crate) answers: Vec<String>,

    /// What a column is called; repeat it, once for each ANSWERS [default: the file]
    #[arg(long, value_name = "NAME", help_heading = "Output")]
    pub(crate) name: Vec<String>,

    #[command(flatten)]
    pub(crate) judged: SuiteReportFlags,
}

/// How a suite is judged and reported.
#[derive(Args, Debug)]
pub(crate) struct SuiteReportFlags {
    /// Limits, comma-separated: `fit>=90%` (of all rows), `order<=5%`, `keys<=5%`, `phrasing<=5%`, `phrasing.p0-p1<=5%`, `phrasing.q0-q1<=5%`, `missing<=1%` [default: none]
    #[arg(long, value_name = "GATES", help_heading = "What is judged")]
    pub(crate) gate: Vec<String>,

    /// Write the report to this file as JSON; `-` for standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) json: Option<String>,

    /// Print every figure of every family
    #[arg(long, short, help_heading = "Output")]
    pub(crate) verbose: bool,
}

const GENERATE_HELP: &str = "\
A base case is one decision in several wordings that all have the same answer; levels stand lowest first, and a noul question has
`questions`, two wordings of it, instead of `question` and `options`:
  {\"id\":\"a\",\"family\":\"topic\",\"type\":\"choice\",\"states\":[\"…\",\"…\"],\"question\":\"…\",\"options\":{\"sport\":\"…\",\"world\":\"…\"},\"accept\":\"sport\"}

Examples:
  flipside suite generate > rows.jsonl
  flipside suite generate --template my-base-cases.jsonl --out rows.jsonl";

const RUN_HELP: &str = "\
Without --gate nothing is judged, and a finished run exits 0.

Examples:
  flipside suite run --model jev --model laya-served
  flipside suite run rows.jsonl --model 'exec:python3 examples/suite_adapter.py' --json suite.json
  flipside suite run --model jev --gate 'order<=5%,keys<=5%' --out runs/suite";

const SCORE_HELP: &str = "\
A line of ANSWERS has the `id` of its row (such as news-01/p0/forward/semantic) or its `base_id`, `phrasing`, `order` and `key_variant`,
and `answer`: the key, level or side as the row shows it, or a System One answer object; `ms` and `model` may be left out.
A number for a level is its place in the row's own list, from 0. `\"refusal\":true` and `\"error\":\"…\"` stand in for `answer`.
Rows without an answer are counted; answers to no row, or to one row twice, are errors.

Examples:
  flipside suite score builtin:fragility answers.jsonl
  flipside suite score rows.jsonl before.jsonl after.jsonl --name before --name after";
