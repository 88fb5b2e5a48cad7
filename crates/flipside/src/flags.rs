//! Flags as the user writes them; `settings` gives them meaning.

mod invariance;
mod manual;
mod mcp;
mod models;
mod reask;
mod report;
mod suite;

use clap::{Args, Parser, Subcommand};
use flipside_core::perturb::AXIS_FORMS;

use crate::environment::{VARIABLES, Variable};

pub(crate) use invariance::InvarianceFlags;
pub(crate) use manual::{CompletionsFlags, ExplainFlags, ManFlags};
pub(crate) use mcp::McpFlags;
pub(crate) use models::ModelsFlags;
pub(crate) use reask::ReaskFlags;
pub(crate) use report::ReportFlags;
pub(crate) use suite::{
    SuiteCommand, SuiteFlags, SuiteGenerateFlags, SuiteReportFlags, SuiteRunFlags, SuiteScoreFlags,
};

/// Asks a decision model the same question on its flip side, and says whether the answer was about the content.
#[derive(Debug, Parser)]
#[command(name = "flipside", version, propagate_version = true, after_help = root_help())]
pub(crate) struct Flags {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXITS: &str = "Exit codes: 0 every gate held; 1 some gate did not hold; 2 usage or input error, nothing was \
asked; 3 the run is not complete, what was measured is written.";

/// What stands beneath the list of commands.
fn root_help() -> String {
    let variable = |variable: &&Variable| format!("  {}: {}", variable.name, variable.meaning);
    let own: Vec<String> = VARIABLES.iter().map(variable).collect();
    format!(
        "{EXITS}\n\nEnvironment variables, beside those that `flipside models` lists:\n{}",
        own.join("\n")
    )
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Ask every case as written and in other orders, keys or words, and judge what that changes
    Probe(Box<ProbeFlags>),
    /// Ask recorded decisions again in other orders, and judge what that changes
    Reask(Box<ReaskFlags>),
    /// Ask one question and print the answer as one JSON object
    Decide(Box<DecideFlags>),
    /// Compare recorded answers: two runs on what both asked, or one model's answers to two presentations of the same cases; nothing is asked
    Compare(Box<CompareFlags>),
    /// Report recorded runs in any format, every figure as it was stored, and what changed between two; nothing is asked
    Report(ReportFlags),
    /// List the models and what each needs, or ask one model whether it answers now
    Models(ModelsFlags),
    /// The formatting-fragility suite: write its rows, ask models, or count answers from elsewhere
    Suite(SuiteFlags),
    /// Look below the answer of a model in process: how far vectors, logits and probabilities move when options are reordered
    Invariance(Box<InvarianceFlags>),
    /// Serve `decide` and `probe` to agents as tools of the Model Context Protocol, over standard input and output
    Mcp(Box<McpFlags>),
    /// Say what a word of a report means; without a word, list them
    Explain(ExplainFlags),
    /// Print the completions of a shell
    Completions(CompletionsFlags),
    /// Print a manual page, or write all of them into a folder
    Man(ManFlags),
}

#[derive(Args, Debug)]
#[command(after_help = probe_help())]
pub(crate) struct ProbeFlags {
    /// Case files, `-` for standard input, `builtin:ticket-router` or `builtin:fragility`
    #[arg(required = true, value_name = "CASES")]
    pub(crate) cases: Vec<String>,

    #[command(flatten)]
    pub(crate) asked: AskedFlags,

    #[command(flatten)]
    pub(crate) judged: JudgedFlags,

    /// Whether multiple-choice answers count from 0 or 1, or are letters or texts: 0, 1, letter, text [default: decided per file]
    #[arg(long, value_name = "BASE", help_heading = "How files are read")]
    pub(crate) answer_base: Option<String>,

    /// Whether letters of multiple-choice options stay with the place or move with the option: place, option [default: place]
    #[arg(long, value_name = "WHAT", help_heading = "How files are read")]
    pub(crate) bind_keys: Option<String>,

    /// The format of the case files, where it should not be told from their content
    #[arg(long, value_name = "NAME", help_heading = "How files are read")]
    pub(crate) format: Option<String>,

    /// Reorder cases in which an option speaks about other options ("none of the above") too
    #[arg(long, help_heading = "How files are read")]
    pub(crate) keep_position_dependent: bool,

    /// Whether the question of multiple-choice files is sent as state or as instructions [default: state]
    #[arg(long = "as", value_name = "WHAT", help_heading = "How files are read")]
    pub(crate) question_as: Option<String>,

    #[command(flatten)]
    pub(crate) output: OutputFlags,

    /// Stay, and do it again each time a case file changes, asking only what is new; --out gets a folder for each round. Ctrl-C ends
    #[arg(long, help_heading = "Output")]
    pub(crate) watch: bool,

    #[command(flatten)]
    pub(crate) model: ModelFlags,
}

/// What is asked of every case.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct AskedFlags {
    /// Other orders to ask, comma-separated: reverse, rotate, rotate:K, balanced, random:N, shuffle:N, all, list:FILE, same:N (the control), check, certify
    #[arg(long, value_name = "ORDERS", help_heading = "What is asked")]
    pub(crate) order: Vec<String>,

    /// Other things to change, comma-separated: keys, descriptions, phrasing, state-keys, whitespace, letter-case, drop, decoy, batch; some take a value, as in keys:letters (all forms are below)
    #[arg(long, value_name = "AXES", help_heading = "What is asked")]
    pub(crate) axis: Vec<String>,

    /// Ask axes and orders combined too, one variant each of two or more: every combination, or with `--cross=N` N of them per case, drawn; reported apart, gated on request
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "full",
        help_heading = "What is asked"
    )]
    pub(crate) cross: Option<String>,

    /// The most other orders that `all` asks per case; above it a seeded sample [default: 120]
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "N",
        help_heading = "What is asked"
    )]
    pub(crate) max_orders: Option<String>,

    /// Do not ask the model, before orders or keys are asked over HTTP, whether option order reaches it (14 small asks at most, mostly 5 to 9)
    #[arg(long, help_heading = "What is asked")]
    pub(crate) no_canary: bool,

    /// The seed of orders and axes that draw [default: 1]
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "N",
        help_heading = "What is asked"
    )]
    pub(crate) seed: Option<String>,
}

/// How it is judged.
#[derive(Args, Debug, Default)]
pub(crate) struct JudgedFlags {
    /// Limits, comma-separated: `fit>=90%`, `order<=10%`, `order.reverse<=2%`, `keys<=10%` and so for every axis, `same<=1%`, `missing<=1%`, `drift.js.p95<=0.02` (tv, dp, js, logodds, logit; p50, p95, max), `none:order`
    #[arg(long, value_name = "GATES", help_heading = "What is judged")]
    pub(crate) gate: Vec<String>,

    /// Split the figures by a field of the cases, to look at and not to judge by; repeat it for more fields
    #[arg(long, value_name = "FIELD", help_heading = "What is judged")]
    pub(crate) by: Vec<String>,

    /// Cases with one value of this field are one independent unit, such as those of one template: bounds count units
    #[arg(long, value_name = "FIELD", help_heading = "What is judged")]
    pub(crate) cluster: Option<String>,

    /// Let gates speak in general: they hold only when the one-sided 95 % exact bound does
    #[arg(long, help_heading = "What is judged")]
    pub(crate) strict: bool,

    /// Ask case by case until the order gate is decided in general (one order, no `--axis`): planned (the file is the budget), open (no maximum) [default with --order certify: planned]
    #[arg(long, value_name = "RULE", help_heading = "What is judged")]
    pub(crate) adaptive: Option<String>,

    /// Error rate of bounds and tests, such as `1%` [default: 5%]
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "SHARE",
        help_heading = "What is judged"
    )]
    pub(crate) alpha: Option<String>,

    /// Which flips are asked once more both ways, to tell what was changed from noise: auto (where a gate does not hold), never, all [default: auto]
    #[arg(long, value_name = "WHICH", help_heading = "What is judged")]
    pub(crate) confirm: Option<String>,

    /// The same as `--confirm never`: causes stay open
    #[arg(long, help_heading = "What is judged")]
    pub(crate) no_confirm: bool,

    /// What bounds speak about: traffic (that the cases are a sample of), file (these cases and no others) [default: traffic]
    #[arg(long, value_name = "WHAT", help_heading = "What is judged")]
    pub(crate) population: Option<String>,

    /// Count answers that a change moves across this top probability, from which they are accepted without review: `0.9` or `90%`
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "P",
        help_heading = "What is judged"
    )]
    pub(crate) threshold: Option<String>,
}

/// Where it goes.
#[derive(Args, Debug, Default)]
pub(crate) struct OutputFlags {
    /// Print what would be asked, what it costs and what it can show at best; ask nothing
    #[arg(long, help_heading = "Output")]
    pub(crate) dry_run: bool,

    /// What the model runs on, kept in the run and printed in tables [default: this machine for models in process, unknown for others]
    #[arg(long, value_name = "TEXT", help_heading = "Output")]
    pub(crate) hardware: Option<String>,

    /// Write the summary to this file as JSON; `-` for standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) json: Option<String>,

    /// The run folder: every ask as it comes back. The same command goes on with an unfinished run
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) out: Option<String>,

    /// Print the gates and errors, and nothing else: no figures, warnings or progress
    #[arg(long, short, conflicts_with = "verbose", help_heading = "Output")]
    pub(crate) quiet: bool,

    /// Print every flipped case and every variant
    #[arg(long, short, help_heading = "Output")]
    pub(crate) verbose: bool,
}

#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ModelFlags {
    /// Send requests of 1,024 bytes and more compressed with zstd; servers of your own mostly cannot read that
    #[arg(long, help_heading = "The model")]
    pub(crate) compress: bool,

    /// Asks in flight at most [default: 8; 1 for Laya, Cua-S1 and language models of this machine]
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "N",
        help_heading = "The model"
    )]
    pub(crate) concurrency: Option<String>,

    /// The environment variable that holds the key of the host that is asked, where it has none of its own; the key goes to no other
    #[arg(long, value_name = "VARIABLE", help_heading = "The model")]
    pub(crate) key_from: Option<String>,

    /// Stop before this many US dollars are spent: no ask starts that could pass it, counting each in flight as the dearest so far by the bytes of its request
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "USD",
        help_heading = "The model"
    )]
    pub(crate) max_cost: Option<String>,

    /// Stop after this many asks
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "N",
        help_heading = "The model"
    )]
    pub(crate) max_asks: Option<String>,

    /// The model, `name[:argument]`; repeat it to compare several; `flipside models` lists them. Costs are those that replies state, else tokens at --price, else at the prices that are known: TypeSafe's and OpenAI's own hosts [default: tiny-laya]
    #[arg(long, value_name = "MODEL", help_heading = "The model")]
    pub(crate) model: Vec<String>,

    /// The model name that requests carry [default: the model's own; jev-latest for systemone:URL]
    #[arg(long, value_name = "NAME", help_heading = "The model")]
    pub(crate) model_name: Option<String>,

    /// US dollars per million input tokens, and after a comma per million output tokens [default: what is known of the model; what a reply says of its cost counts first]
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "USD[,USD]",
        help_heading = "The model"
    )]
    pub(crate) price: Option<String>,

    /// Attempts per second at most
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "N",
        help_heading = "The model"
    )]
    pub(crate) rate: Option<String>,

    /// Attempts after a failed first one; statuses of 5xx other than 502, 503, 504 and 529 are tried once more at most, whatever is given [default: 2]
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "N",
        help_heading = "The model"
    )]
    pub(crate) retries: Option<String>,

    /// How long one attempt may take, such as `10s` or `500ms` [default: 10s]
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "TIME",
        help_heading = "The model"
    )]
    pub(crate) timeout: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct DecideFlags {
    /// What the decision is about: a JSON value, or @FILE
    #[arg(long, value_name = "JSON|@FILE")]
    pub(crate) state: String,

    /// An option; repeat it, in the order in which the model sees them
    #[arg(long, value_name = "KEY=TEXT", required = true)]
    pub(crate) option: Vec<String>,

    /// What the model is told about how to decide
    #[arg(long, value_name = "TEXT")]
    pub(crate) rules: String,

    /// Other orders to ask too, as in `flipside probe`
    #[arg(long, value_name = "ORDERS")]
    pub(crate) order: Vec<String>,

    /// The seed of orders that draw [default: 1]
    #[arg(long, allow_hyphen_values = true, value_name = "N")]
    pub(crate) seed: Option<String>,

    #[command(flatten)]
    pub(crate) model: ModelFlags,
}

#[derive(Args, Debug)]
#[command(after_help = COMPARE_HELP)]
pub(crate) struct CompareFlags {
    /// The recorded answers to compare with: a run folder, or a file of another program
    #[arg(value_name = "BASELINE")]
    pub(crate) baseline: String,

    /// The recorded answers that are compared; every difference is VARIANT minus BASELINE. Without it BASELINE holds several orders of each case
    #[arg(value_name = "VARIANT")]
    pub(crate) variant: Option<String>,

    /// The cases that the answers belong to, where they are not on record with them; for both sides unless `--variant-cases` is given
    #[arg(long, value_name = "CASES", help_heading = "What is on record")]
    pub(crate) cases: Vec<String>,

    /// Cases that list the options in the order in which they were offered, where the answers do not
    #[arg(long, value_name = "CASES", help_heading = "What is on record")]
    pub(crate) options_from: Vec<String>,

    /// The cases that VARIANT's answers belong to
    #[arg(long, value_name = "CASES", help_heading = "What is on record")]
    pub(crate) variant_cases: Vec<String>,

    /// Compare only cases with this value of this field; repeat it for more fields
    #[arg(
        long = "where",
        value_name = "FIELD=VALUE",
        help_heading = "What is on record"
    )]
    pub(crate) only: Vec<String>,

    /// The other orders to compare, comma-separated, as reports name them; `own` for none [default: all that both asked]
    #[arg(
        long,
        value_name = "ORDERS",
        help_heading = "Answers to the same presentations"
    )]
    pub(crate) order: Vec<String>,

    /// Hold only if accuracy is shown equal within this share, and flips no more than it above: `5%`, `accuracy=5%`, `flips=5%`
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "SHARE",
        help_heading = "Answers to the same presentations"
    )]
    pub(crate) margin: Vec<String>,

    /// Hold only if VARIANT is shown not worse by more than this share: `2%`, `accuracy=2%`, `flips=2%`
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "SHARE",
        help_heading = "Answers to the same presentations"
    )]
    pub(crate) not_worse: Vec<String>,

    /// Cases with one value of this field are one independent unit, such as those of one template: bounds count units
    #[arg(
        long,
        value_name = "FIELD",
        help_heading = "Answers to other presentations"
    )]
    pub(crate) cluster: Option<String>,

    /// Limits, comma-separated, as in `flipside probe`: `fit>=90%`, `order<=10%`, `keys<=10%`, `unrecorded<=5%`, `missing<=1%`, `drift.js.p95<=0.02`, `none:order`
    #[arg(
        long,
        value_name = "GATES",
        help_heading = "Answers to other presentations"
    )]
    pub(crate) gate: Vec<String>,

    /// What bounds speak about: traffic (that the cases are a sample of), file (these cases and no others) [default: traffic]
    #[arg(
        long,
        value_name = "WHAT",
        help_heading = "Answers to other presentations"
    )]
    pub(crate) population: Option<String>,

    /// Let gates speak in general: they hold only when the one-sided 95 % exact bound does
    #[arg(long, help_heading = "Answers to other presentations")]
    pub(crate) strict: bool,

    /// Count answers that move across this top probability, from which they are accepted without review: `0.9` or `90%`
    #[arg(
        long,
        allow_hyphen_values = true,
        value_name = "P",
        help_heading = "Answers to other presentations"
    )]
    pub(crate) threshold: Option<String>,

    /// Error rate of bounds and tests [default: 5%]
    #[arg(long, allow_hyphen_values = true, value_name = "SHARE")]
    pub(crate) alpha: Option<String>,

    /// Split the figures by a field of the cases, to look at and not to judge by; repeat it for more fields
    #[arg(long, value_name = "FIELD")]
    pub(crate) by: Vec<String>,

    /// Write the comparison, or the summary of pairs, to this file as JSON; `-` for standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<String>,

    /// Print every order and variant, every case whose answers differ, accuracy in each, any-flip shares and drift
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

/// What stands beneath the flags of `probe`.
fn probe_help() -> String {
    format!("Axes: {AXIS_FORMS}.\n\n{PROBE_HELP}")
}

const PROBE_HELP: &str = "\
Without --order and --axis this is the plain fit probe: 0 fits, 1 does not, 2 usage error.

Examples:
  flipside probe builtin:ticket-router --order check
  flipside probe cases.jsonl --model jev --order reverse,rotate:1,same:1 --out runs/today
  flipside probe cases.jsonl --model systemone:http://127.0.0.1:8000/v1/systemone --order random:2 --strict
  flipside probe cases.jsonl --model jev --order certify                # asks no more cases than it takes
  flipside probe cases.jsonl --model jev --order same:1 --axis keys,phrasing --gate 'keys<=10%'";

const COMPARE_HELP: &str = "\
Answers to the same presentations are paired by case and by the same order of its options, and without --margin and --not-worse
nothing is gated. Where the two sides showed the same cases otherwise (options in another order, under other keys, in other words),
or where BASELINE alone holds several orders of each case, their flips are counted and judged as those of a probe.
What only one side has is counted and left out.

Examples:
  flipside compare runs/monday runs/today
  flipside compare runs/monday runs/today --not-worse 2%
  flipside compare runs/first-model runs/second-model --margin accuracy=5% --json comparison.json
  flipside compare laya.jsonl laya-flip.jsonl --cases cases.jsonl --variant-cases cases-flip.jsonl
  flipside compare answers.csv --gate 'order<=5%'";
