//! Flags of `flipside invariance`.

use clap::Args;

/// `flipside invariance`.
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(crate) struct InvarianceFlags {
    /// Case files, `-` for standard input, `builtin:ticket-router` or `builtin:fragility`
    #[arg(required = true, value_name = "CASES")]
    pub(crate) cases: Vec<String>,

    /// A model in process: tiny-laya, tiny-agentjev, laya:DIR, agentjev:DIR, embed:DIR, gguf:FILE; repeat it for several columns [default: tiny-agentjev and tiny-laya]
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Vec<String>,

    /// The format of the case files, where it should not be told from their content
    #[arg(long, value_name = "NAME", help_heading = "How files are read")]
    pub(crate) format: Option<String>,

    /// Study the first N cases only
    #[arg(long, value_name = "N", help_heading = "What is studied")]
    pub(crate) limit: Option<String>,

    /// Study the choices with these numbers of options instead, from 2 to 255, comma-separated: the own first ones, then options of other cases of the file
    #[arg(long, value_name = "COUNTS", help_heading = "What is studied")]
    pub(crate) options: Option<String>,

    /// Orders drawn for a question of more than 7 options whose vectors allow scoring at the head [default: 1000]
    #[arg(long, value_name = "N", help_heading = "What is studied")]
    pub(crate) orders: Option<String>,

    /// Whole passes over the orders of one question, at most, where its vectors do not allow less; above it orders are drawn [default: 24]
    #[arg(long, value_name = "N", help_heading = "What is studied")]
    pub(crate) passes: Option<String>,

    /// Seed of what is drawn [default: 1]
    #[arg(long, value_name = "N", help_heading = "What is studied")]
    pub(crate) seed: Option<String>,

    /// Exit with 1 unless every model is numerically invariant
    #[arg(long, help_heading = "What is judged")]
    pub(crate) require: bool,

    /// Print a table in Markdown
    #[arg(long, help_heading = "Output")]
    pub(crate) markdown: bool,

    /// Write the study to this file as JSON; `-` for standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) json: Option<String>,
}

const HELP: &str = "\
A: the list reversed, each side computed from the text on. B: every order (above 7 options drawn ones); where vectors are bit by bit the
same, from the vectors of one pass, else by whole passes. C: one option left out. D: one neighbour exchanged in lists of the same size.
C and D are asked of questions with 3 to 12 options. Statements (noul) have a fixed order and are counted, not asked.

Examples:
  flipside invariance builtin:ticket-router
  flipside invariance cases.jsonl --model agentjev:models/agentjev --model 'agentjev:models/agentjev?precision=bf16'
  flipside invariance cases.jsonl --model tiny-agentjev --model 'tiny-agentjev?set=alone' --options 2,5,20,77 --markdown";
