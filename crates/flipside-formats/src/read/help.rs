//! What to do about an error, and where it stands.

use super::{At, Error, Format};
use crate::json::ParseErrorKind;

impl Error {
    /// The line that it is about, if it is about one.
    pub fn at(&self) -> Option<&At> {
        match self {
            Self::Missing { .. }
            | Self::Directory { .. }
            | Self::RunFolder { .. }
            | Self::Unreadable { .. }
            | Self::Archive { .. }
            | Self::TooLarge { .. }
            | Self::UnknownBuiltin { .. }
            | Self::InputTwice { .. }
            | Self::NoCase { .. }
            | Self::Answers { .. }
            | Self::Unread { .. }
            | Self::More { .. } => None,
            Self::Json { at, .. }
            | Self::RepeatedKey { at, .. }
            | Self::RepeatedOption { at, .. }
            | Self::NotObject { at, .. }
            | Self::UnknownRow { at, .. }
            | Self::Mixed { at, .. }
            | Self::Both { at, .. }
            | Self::MissingField { at, .. }
            | Self::UnknownField { at, .. }
            | Self::Type { at, .. }
            | Self::Value { at, .. }
            | Self::EmptyField { at, .. }
            | Self::NotOffered { at, .. }
            | Self::RepeatedId { at, .. }
            | Self::Contradiction { at, .. }
            | Self::Ambiguous { at, .. }
            | Self::Disagree { at, .. }
            | Self::Inner { at, .. }
            | Self::Base { at, .. }
            | Self::Suite { at, .. }
            | Self::Record { at, .. }
            | Self::Case { at, .. } => Some(at),
        }
    }

    /// What to do about it, in the imperative, where there is something to do.
    pub fn help(&self) -> Option<String> {
        let text = match self {
            Self::Missing { .. } => {
                "check the path; a file that is compiled in is named `builtin:NAME`, standard input `-`"
            }
            Self::Directory { .. } => "name a file in it",
            Self::RunFolder { .. } => {
                "name its `cases.jsonl` to ask its cases again, or pass the folder to `flipside reask` or `flipside compare`"
            }
            Self::Answers { .. } => {
                "`flipside compare` compares recorded answers, `flipside reask` asks recorded decisions again"
            }
            Self::Archive { .. } => "make the archive again, or give the file unpacked",
            Self::TooLarge { .. }
            | Self::Json {
                kind: ParseErrorKind::Size { .. },
                ..
            } => "split the file",
            Self::UnknownBuiltin { known, .. } => {
                return Some(format!("there is {}", builtins(known)));
            }
            Self::InputTwice { file } if file == "-" => {
                "standard input can be read once; leave the second `-` out"
            }
            Self::InputTwice { .. } => "leave the second one out; a case is asked once",
            Self::NoCase { failures: 0, .. } => {
                "a case file has one JSON object a line, or one JSON array of them"
            }
            Self::NoCase { .. } => "give exchanges that have a request and no error status",
            Self::Json {
                kind: ParseErrorKind::NotFinite { .. },
                ..
            } => {
                "write `null` or a string; Python's `json.dumps(…, allow_nan=False)` finds where it comes from"
            }
            Self::Json {
                kind: ParseErrorKind::Utf8 { .. },
                ..
            } => "save the file as UTF-8",
            Self::Json {
                kind: ParseErrorKind::Surrogate { .. },
                ..
            } => "write the character itself, or both halves",
            Self::Json { column: 1, .. }
            | Self::Json {
                kind: ParseErrorKind::Trailing { .. } | ParseErrorKind::End { .. },
                ..
            } => "one JSON object a line, or one JSON array of them, is expected",

            Self::RepeatedKey {
                noun: "option key", ..
            }
            | Self::RepeatedOption { .. } => {
                "give each option its own key; flipside never merges or drops one"
            }
            Self::RepeatedKey { .. } => "keep one of the two; flipside never merges or drops one",
            Self::Unread { .. } => {
                return Some(format!(
                    "flipside reads {}",
                    Format::names().replace(" or ", " and ")
                ));
            }
            Self::UnknownRow { .. } => {
                return Some(format!(
                    "a probe case has `state`, `options` and `rules`; `--format` takes {}",
                    Format::names()
                ));
            }
            Self::Mixed { .. } => {
                "put rows of one format into one file, or name the format with `--format`"
            }
            Self::Both { .. } => "leave one of them out",
            Self::MissingField { help, .. } | Self::EmptyField { help, .. } if help.is_empty() => {
                return None;
            }
            Self::MissingField { help, .. } | Self::EmptyField { help, .. } => help,
            Self::UnknownField { known, .. } => {
                let known: Vec<String> = known.iter().map(|field| format!("`{field}`")).collect();
                return Some(format!("the fields are {}", known.join(", ")));
            }
            Self::NotOffered { .. } => {
                "write the option as it is offered; nothing is trimmed or folded"
            }
            Self::RepeatedId { .. } => "give each case of a run its own `id`",
            Self::Contradiction { .. } => {
                "write every answer of a file in the same way, or pass `--answer-base 0|1|letter|text`"
            }
            Self::Suite { why, .. } => why.help(),
            Self::Record { why, .. } => return why.help().map(str::to_owned),
            Self::Ambiguous { .. } => "pass `--answer-base 0|1|letter|text`",
            Self::Unreadable { .. }
            | Self::NotObject { .. }
            | Self::Disagree { .. }
            | Self::Type { .. }
            | Self::Value { .. }
            | Self::Inner { .. }
            | Self::Base { .. }
            | Self::Case { .. }
            | Self::Json { .. }
            | Self::More { .. } => return None,
        };
        Some(text.to_owned())
    }
}

fn builtins(known: &[String]) -> String {
    let known: Vec<String> = known
        .iter()
        .map(|name| format!("`builtin:{name}`"))
        .collect();
    known.join(", ")
}
