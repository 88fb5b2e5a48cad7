//! `flipside explain`: what the words of reports mean.

use flipside_core::foreign::Foreign;
use flipside_report::glossary;

use crate::diagnostic::{self, Diagnostic, data};
use crate::exit::Exit;
use crate::flags::ExplainFlags;

/// Runs the command.
pub(crate) fn explain(flags: &ExplainFlags) -> Exit {
    let width = crate::style(false).width;
    let word = flags.word.join(" ");
    let text = if word.trim().is_empty() {
        glossary::render_list(width)
    } else if let Some(entry) = glossary::find(&word) {
        glossary::render(entry, width)
    } else {
        diagnostic::print(&[unknown(&word)]);
        return Exit::Usage;
    };
    match data(&text) {
        Ok(()) => Exit::Held,
        Err(error) => {
            diagnostic::print(&[error]);
            Exit::Incomplete
        }
    }
}

fn unknown(word: &str) -> Diagnostic {
    let near = glossary::nearest(word);
    let help = if near.is_empty() {
        "`flipside explain` lists the words".to_owned()
    } else {
        let near: Vec<String> = near.iter().map(|word| format!("`{word}`")).collect();
        format!(
            "there is {}; `flipside explain` lists all",
            flipside_report::wording::list(&near)
        )
    };
    Diagnostic::new(format!("no report has the word `{}`", Foreign(word))).help(help)
}
