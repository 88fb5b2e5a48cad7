//! Inputs to one set of cases.

use std::collections::BTreeMap;

use camino::Utf8Path;
use flipside_core::case::Case;
use flipside_core::digest::Digest;

use super::bytes::load;
use super::rows::of_json;
use super::{At, Error, Format, Input, Out, ReadOptions, Warning, rows_of};
use crate::cases::{self, Source};
use crate::json::utf8;

/// The cases of several files.
#[derive(Clone, Debug, Default)]
pub struct CaseSet {
    /// The cases, in the order of the inputs and of their rows.
    pub cases: Vec<Case>,
    /// The files, in the order in which they were given.
    pub sources: Vec<SourceFile>,
    /// What the readers noticed.
    pub warnings: Vec<Warning>,
}

/// One file that cases were read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The file as the user named it.
    pub name: String,
    /// Its format.
    pub format: Format,
    /// How many bytes were read, before decompression.
    pub bytes: u64,
    /// SHA-256 of those bytes.
    pub sha256: Digest,
    /// How many cases it has.
    pub cases: usize,
}

/// Reads every case of `inputs`.
///
/// ```
/// use flipside_formats::read::{Input, ReadOptions, read_cases};
///
/// let input: Input = "builtin:ticket-router".parse().unwrap();
/// let set = read_cases(&[input], &ReadOptions::default()).unwrap();
/// assert_eq!(set.cases.len(), 30);
/// assert_eq!(set.cases[0].id.to_string(), "ticket-router:1");
/// ```
///
/// # Errors
/// Every [`Error`] of every input, at most [`super::MOST_ERRORS`] and then [`Error::More`].
pub fn read_cases(inputs: &[Input], options: &ReadOptions) -> Result<CaseSet, Vec<Error>> {
    let mut out = Out::default();
    let mut sources = Vec::new();
    for (place, input) in inputs.iter().enumerate() {
        if inputs[..place].contains(input) {
            out.error(Error::InputTwice {
                file: input.to_string(),
            });
            continue;
        }
        let told = out.error_count();
        match read_one(input, &stem(input, inputs), options, &mut out) {
            Ok(source) => sources.extend(source),
            Err(error) => out.error(error),
        }
        out.sort_errors(told);
    }
    repeated_ids(&mut out);
    if out.error_count() > 0 {
        return Err(out.into_errors());
    }
    Ok(CaseSet {
        cases: out.cases,
        sources,
        warnings: out.warnings,
    })
}

fn read_one(
    input: &Input,
    stem: &str,
    options: &ReadOptions,
    out: &mut Out,
) -> Result<Option<SourceFile>, Error> {
    let file = input.to_string();
    let loaded = load(input)?;
    let text = utf8(&loaded.bytes).map_err(|error| of_json(&file, 0, 0, error))?;
    let (before, errors) = (out.cases.len(), out.error_count());
    let rows = rows_of(&file, text, out);
    let Some(format) = cases::format_of(&rows, options.format, out) else {
        if out.error_count() == errors {
            out.error(Error::NoCase { file, failures: 0 });
        }
        return Ok(None);
    };
    let row_count = rows.len() as u64;
    let source = Source {
        file: &file,
        stem,
        format,
        options,
        whole: out.error_count() == errors,
    };
    cases::read(rows, &source, out);
    let cases = out.cases.len() - before;
    if cases == 0 && out.error_count() == errors {
        out.error(Error::NoCase {
            file: file.clone(),
            failures: row_count,
        });
    }
    Ok(Some(SourceFile {
        name: file,
        format,
        bytes: loaded.read_bytes,
        sha256: loaded.sha256,
        cases,
    }))
}

/// What ids begin with where a file has none: the file's name without its endings, or all of it if two inputs share that.
fn stem(input: &Input, inputs: &[Input]) -> String {
    let own = short_stem(input);
    if inputs
        .iter()
        .any(|other| other != input && short_stem(other) == own)
    {
        input.to_string()
    } else {
        own
    }
}

fn short_stem(input: &Input) -> String {
    match input {
        Input::Stdin => "stdin".to_owned(),
        Input::Builtin(name) => name.clone(),
        Input::Path(path) => {
            let name = Utf8Path::new(path.file_name().unwrap_or(path.as_str()));
            let name = if matches!(name.extension(), Some("gz" | "zst")) {
                name.with_extension("")
            } else {
                name.to_owned()
            };
            name.file_stem().unwrap_or(name.as_str()).to_owned()
        }
    }
}

fn repeated_ids(out: &mut Out) {
    let mut errors = Vec::new();
    let mut seen: BTreeMap<&str, &Case> = BTreeMap::new();
    for case in &out.cases {
        if let Some(first) = seen.get(case.id.0.as_str()) {
            let at = |case: &Case| At {
                file: (&*case.source.file).into(),
                line: case.source.line,
            };
            errors.push(Error::RepeatedId {
                at: at(case),
                id: case.id.0.clone(),
                first: at(first),
            });
        } else {
            seen.insert(&case.id.0, case);
        }
    }
    for error in errors {
        out.error(error);
    }
}
