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
        lines.push(format!(
            "error: {}",
            without_files(&as_arguments(&error.text))
        ));
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

/// A text without the forms that name files, which no call may.
fn without_files(text: &str) -> String {
    [", list:FILE", "|list:FILE", " or `list:FILE`"]
        .iter()
        .fold(text.to_owned(), |text, form| text.replace(form, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_help_names_a_form_that_reads_a_file() {
        let help = |forms: &str| {
            let error = Diagnostic::new("`--axis kyes`: no such axis").help(forms);
            told(&[error])
        };
        assert_eq!(
            help("axes are keys[:abstract|list:FILE], drop"),
            "error: `axis kyes`: no such axis\nhelp: axes are keys[:abstract], drop"
        );
        for forms in [
            flipside_core::perturb::AXIS_FORMS,
            flipside_core::perturb::order::FORMS,
        ] {
            assert!(
                forms.contains("FILE") && !help(forms).contains("FILE"),
                "{forms}"
            );
        }
    }

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
