//! What a call of a tool comes to.

use flipside_core::json::Json;

use crate::cli::values::{object, text};
use crate::diagnostic::Diagnostic;

/// The flags that are arguments of a tool under another spelling.
const ARGUMENTS: [(&str, &str); 6] = [
    ("--model", "model"),
    ("--order", "order"),
    ("--axis", "axis"),
    ("--gate", "gate"),
    ("--seed", "seed"),
    ("--max-asks", "max_asks"),
];

/// What a call of a tool comes to.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    /// Texts for a reader, the main one first.
    pub(super) texts: Vec<String>,
    /// What conforms to the tool's output schema.
    pub(super) structured: Option<Json>,
    /// Whether the tool failed.
    pub(super) failed: bool,
}

impl Outcome {
    /// A failure told by `errors`.
    pub(super) fn of_errors(errors: &[Diagnostic]) -> Self {
        Self {
            texts: vec![told(errors)],
            structured: None,
            failed: true,
        }
    }

    /// The result of `tools/call`.
    pub(super) fn result(self) -> Json {
        let block = |words: String| object(vec![("type", text("text")), ("text", text(words))]);
        let content = self.texts.into_iter().map(block).collect();
        let mut members = vec![("content", Json::Array(content))];
        if let Some(structured) = self.structured {
            members.push(("structuredContent", structured));
        }
        members.push(("isError", Json::Bool(self.failed)));
        object(members)
    }
}

/// Errors as one text: each on a line, its help on the next.
fn told(errors: &[Diagnostic]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for (place, error) in errors.iter().enumerate() {
        lines.push(format!("error: {}", as_arguments(&error.text)));
        let next = errors.get(place + 1).and_then(|next| next.help.as_ref());
        if let Some(help) = error.help.as_ref().filter(|help| Some(*help) != next) {
            lines.push(format!("help: {}", without_files(help)));
        }
    }
    lines.join("\n")
}

/// An error about a flag, where a call gave its value as an argument: the name at its start is the argument's.
pub(super) fn as_arguments(error: &str) -> String {
    let rest = |flag: &str| {
        let rest = error.strip_prefix('`')?.strip_prefix(flag)?;
        rest.starts_with([' ', '`']).then_some(rest)
    };
    let named = ARGUMENTS.iter();
    let mut named =
        named.filter_map(|(flag, argument)| Some(format!("`{argument}{}", rest(flag)?)));
    named.next().unwrap_or_else(|| error.to_owned())
}

/// A help without the forms that name files, which no call may.
fn without_files(help: &str) -> String {
    help.replace(", list:FILE", "").replace("|list:FILE", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_arguments_and_share_a_help() {
        let errors = [
            Diagnostic::new("`--order shuffle:01`: expected a plain number")
                .help("orders are all, list:FILE, same:N"),
            Diagnostic::new("`--order`: two names").help("orders are all, list:FILE, same:N"),
            Diagnostic::new("`--orders` is no flag"),
            Diagnostic::new("`--max-asks 9000`: this server allows 500 asks a call")
                .help("ask fewer"),
        ];
        assert_eq!(
            told(&errors),
            "error: `order shuffle:01`: expected a plain number\nerror: `order`: two names\nhelp: orders are all, same:N\n\
             error: `--orders` is no flag\nerror: `max_asks 9000`: this server allows 500 asks a call\nhelp: ask fewer"
        );
    }
}
