//! Flags of `flipside explain`, `flipside completions` and `flipside man`.

use clap::Args;
use clap_complete::Shell;

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  flipside explain headroom\n  flipside explain cause open")]
pub(crate) struct ExplainFlags {
    /// A word, or the words of a term
    #[arg(value_name = "WORD")]
    pub(crate) word: Vec<String>,
}

#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  flipside completions bash > ~/.local/share/bash-completion/completions/flipside"
)]
pub(crate) struct CompletionsFlags {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub(crate) shell: Shell,
}

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  flipside man probe | man -l -\n  flipside man --out ~/.local/share/man/man1"
)]
pub(crate) struct ManFlags {
    /// The command that the page is about [default: flipside itself]
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    pub(crate) command: Vec<String>,

    /// Write the pages of all commands into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<String>,
}
