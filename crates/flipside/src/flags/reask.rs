//! The flags of `flipside reask`.

use clap::Args;

use super::{AskedFlags, JudgedFlags, ModelFlags, OutputFlags};

#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(crate) struct ReaskFlags {
    /// Recordings of decisions: run folders of flipside, and files and folders of other programs
    #[arg(required = true, value_name = "RUN")]
    pub(crate) runs: Vec<String>,

    #[command(flatten)]
    pub(crate) asked: AskedFlags,

    /// Where the answers to the own order come from: ask (the model is asked them again), recorded (those on record, for the same model only) [default: ask]
    #[arg(long, value_name = "WHICH", help_heading = "What is asked")]
    pub(crate) baseline: Option<String>,

    #[command(flatten)]
    pub(crate) judged: JudgedFlags,

    /// The cases that recorded answers belong to, by id, where the record lacks requests
    #[arg(long, value_name = "CASES", help_heading = "What the record lacks")]
    pub(crate) cases: Vec<String>,

    /// Cases that list the options in the order in which they were offered, where the record lacks that order
    #[arg(long, value_name = "CASES", help_heading = "What the record lacks")]
    pub(crate) options_from: Vec<String>,

    /// What the model was told about how to decide, where the record lacks it
    #[arg(
        long,
        value_name = "TEXT|@FILE",
        help_heading = "What the record lacks"
    )]
    pub(crate) rules: Option<String>,

    /// Cases of the same agent, whose instructions are the rules that the record lacks
    #[arg(long, value_name = "CASES", help_heading = "What the record lacks")]
    pub(crate) rules_from: Vec<String>,

    #[command(flatten)]
    pub(crate) output: OutputFlags,

    #[command(flatten)]
    pub(crate) model: ModelFlags,
}

const HELP: &str = "\
Orders and axes are those of `flipside probe`; without --order and --axis the order `reverse` is asked.
Figures are split by `backend`, `front` and `question` where the decisions have several.

Examples:
  flipside reask runs/monday --model jev --order reverse,same:1
  flipside reask evals/results/router/2026-09-30__laya --rules @rules.txt --model laya-served
  flipside reask runs/monday --model jev --baseline recorded --out runs/again";
