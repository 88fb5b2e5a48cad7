//! How a report looks.

use anstyle::{AnsiColor, Style as Ansi};

/// How a report looks on a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether to colour; colour never says what a word does not say too.
    pub color: bool,
    /// Columns of the terminal.
    pub width: usize,
    /// Whether to list everything instead of the worst.
    pub verbose: bool,
}

/// What a colour stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Nothing.
    Plain,
    /// It holds.
    Good,
    /// It does not hold.
    Bad,
    /// It is open.
    Open,
    /// A heading.
    Strong,
}

impl Style {
    /// `text` in the colour of `tone`, or as it is.
    pub(crate) fn paint(&self, text: &str, tone: Tone) -> String {
        if !self.color || text.is_empty() {
            return text.to_owned();
        }
        let ansi = match tone {
            Tone::Plain => return text.to_owned(),
            Tone::Good => AnsiColor::Green.on_default(),
            Tone::Bad => AnsiColor::Red.on_default().bold(),
            Tone::Open => AnsiColor::Yellow.on_default(),
            Tone::Strong => Ansi::new().bold(),
        };
        format!("{ansi}{text}{ansi:#}")
    }
}
