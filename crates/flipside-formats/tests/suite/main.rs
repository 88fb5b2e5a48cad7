//! The formatting-fragility suite: its rows are made, written and read back, and rows of others are read or refused.

#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

mod answers;
mod builtin;
mod foreign;
mod laws;
mod readings;
mod refusals;

use camino::Utf8PathBuf;
use flipside_core::case::QuestionKind;
use flipside_core::order::OptionId;
use flipside_core::suite::{BaseCase, BaseOption, BaseParts};
use flipside_formats::read::{Error, Input};
use flipside_formats::suite::{Suite, read_suite};

/// What reading `text` as a suite comes to; its name in errors is `rows.jsonl`.
fn read_text(text: &str) -> Result<Suite, Vec<Error>> {
    in_file(text, read_suite)
}

/// What `read` makes of a file with this text.
fn in_file<T>(text: &str, read: impl Fn(&Input) -> T) -> T {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rows.jsonl");
    fs_err::write(&file, text).unwrap();
    read(&Input::Path(Utf8PathBuf::from_path_buf(file).unwrap()))
}

/// Errors as a person sees them, without the folder of the file.
fn told(errors: &[Error]) -> String {
    let mut text = String::new();
    for error in errors {
        let line = error.to_string();
        let word = |word: &str| word.find("rows.jsonl").unwrap_or(0);
        let words: Vec<&str> = line.split(' ').map(|text| &text[word(text)..]).collect();
        text.extend([format!("error: {}\n", words.join(" "))]);
        if let Some(help) = error.help() {
            text.extend([format!("  help: {help}\n")]);
        }
    }
    text
}

/// A base case in two wordings with these options, of which the one at `accept` is right.
fn base(id: &str, kind: QuestionKind, names: &[&str], accept: u16) -> BaseCase {
    let noul = kind == QuestionKind::Noul;
    let option = |name: &&str| BaseOption {
        name: (*name).to_owned(),
        description: format!("about {name}"),
    };
    let questions: &[&str] = if noul {
        &["is it?", "or not?"]
    } else {
        &["which?"]
    };
    BaseCase::new(BaseParts {
        id: id.to_owned(),
        family: "f".to_owned(),
        kind,
        states: vec!["one".to_owned(), "two".to_owned()],
        questions: questions
            .iter()
            .map(|question| (*question).to_owned())
            .collect(),
        options: if noul {
            Vec::new()
        } else {
            names.iter().map(option).collect()
        },
        accept: OptionId(accept),
    })
    .unwrap()
}
