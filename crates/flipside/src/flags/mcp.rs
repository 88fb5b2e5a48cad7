//! `flipside mcp`.

use clap::Args;

use super::ModelFlags;

/// The flags of `flipside mcp`.
#[derive(Args, Debug)]
#[command(after_help = MCP_HELP)]
pub(crate) struct McpFlags {
    /// A case file, or a folder of case files, that calls of `probe` may name; repeat it for several [default: none]
    #[arg(long, value_name = "PATH")]
    pub(crate) cases: Vec<String>,

    #[command(flatten)]
    pub(crate) model: ModelFlags,
}

const MCP_HELP: &str = "\
The first --model answers calls that name none; calls may name another --model, or a control that runs no command and reads
no file (first, last, slot:K, prior:.., overlap, random, noisy:P, next-to:KEY), and nothing else. Case files are those of
--cases. --max-asks and --max-cost bound every call [default: 500 asks]. Nothing is kept: for a run with a folder there is `flipside probe`.

A host starts it with a line such as
  {\"mcpServers\": {\"flipside\": {\"command\": \"flipside\", \"args\": [\"mcp\", \"--model\", \"jev\"]}}}";
