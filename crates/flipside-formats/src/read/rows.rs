//! A file's text to rows: one JSON object a line, one JSON array of objects, or one JSON object.

use std::ops::ControlFlow;

use flipside_core::json::{Json, Object};

use super::{At, Error, Out};
use crate::json::{self, ParseError, ParseErrorKind, Place};

/// One object of a file.
pub(crate) struct Row {
    pub(crate) at: At,
    /// The number of the row that makes an id where the file has none: its line, or its place in an array.
    pub(crate) number: u64,
    pub(crate) object: Object,
}

/// Takes a row, or leaves the rest of them unread.
pub(crate) type Take<'a> = &'a mut dyn FnMut(Row, &mut Out) -> ControlFlow<()>;

/// The rows of `text`; what is no row becomes an error in `out`.
pub(crate) fn rows_of(file: &str, text: &str, out: &mut Out) -> Vec<Row> {
    let mut rows = Vec::new();
    each_row(file, text, out, &mut |row, _| {
        rows.push(row);
        ControlFlow::Continue(())
    });
    rows
}

/// Hands every row of `text` to `take`, one a time where they stand one a line, until it wants no more; what is no row
/// becomes an error in `out`.
pub(crate) fn each_row(file: &str, text: &str, out: &mut Out, take: Take<'_>) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match text
        .trim_start_matches([' ', '\t', '\r', '\n'])
        .as_bytes()
        .first()
    {
        Some(b'[') => array(file, text, out, take),
        Some(b'{') if spreads(text) => {
            let row = json::parse(text)
                .map_err(|error| vec![error])
                .map(|value| (start(text), value));
            let row = row.map(|row| vec![row]);
            from_values(file, text, row, out, |_, at| at.line, take);
        }
        Some(_) => lines(file, text, out, take),
        None => {}
    }
}

/// Whether `text` is one object over several lines rather than one a line.
fn spreads(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let (first, second) = (lines.next().unwrap_or_default(), lines.next());
    let open = matches!(
        json::parse(first).map_err(|error| error.kind),
        Err(ParseErrorKind::End { .. } | ParseErrorKind::UnclosedString)
    );
    open && second.is_some_and(|line| !line.trim_start().starts_with('{'))
}

fn start(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

fn array(file: &str, text: &str, out: &mut Out, take: Take<'_>) {
    let values = json::parse_rows(text);
    from_values(file, text, values, out, |place, _| place as u64 + 1, take);
}

fn from_values(
    file: &str,
    text: &str,
    values: Result<Vec<(usize, Json)>, Vec<ParseError>>,
    out: &mut Out,
    number: impl Fn(usize, &At) -> u64,
    take: Take<'_>,
) {
    let values = match values {
        Ok(values) => values,
        Err(errors) => {
            for error in errors {
                out.error(of_json(file, 0, 0, error));
            }
            return;
        }
    };
    let (mut line, mut counted) = (1, 0);
    for (place, (offset, value)) in values.into_iter().enumerate() {
        line += text[counted..offset]
            .bytes()
            .filter(|byte| *byte == b'\n')
            .count() as u64;
        counted = offset;
        let at = At {
            file: file.into(),
            line,
        };
        let number = number(place, &at);
        if push(at, number, value, out, take).is_break() {
            return;
        }
    }
}

fn lines(file: &str, text: &str, out: &mut Out, take: Take<'_>) {
    let mut offset = 0;
    for (place, whole) in text.split_inclusive('\n').enumerate() {
        let before = Before {
            lines: place as u64,
            bytes: offset,
        };
        offset += whole.len();
        if line(file, before, whole, out, take).is_break() {
            return;
        }
    }
}

/// What of a file stands before a line.
#[derive(Clone, Copy)]
pub(crate) struct Before {
    pub(crate) lines: u64,
    pub(crate) bytes: usize,
}

/// Hands the row of the line `whole` to `take`; a blank line has none.
pub(crate) fn line(
    file: &str,
    before: Before,
    whole: &str,
    out: &mut Out,
    take: Take<'_>,
) -> ControlFlow<()> {
    let text = whole.trim_end_matches(['\n', '\r']);
    if text.trim().is_empty() {
        return ControlFlow::Continue(());
    }
    let Before { lines, bytes } = before;
    match json::parse(text) {
        Ok(value) => {
            let at = At {
                file: file.into(),
                line: lines + 1,
            };
            return push(at, lines + 1, value, out, take);
        }
        Err(_) if lines == 0 && is_header(text) => {
            out.error(Error::Answers {
                at: file.to_owned(),
                what: "a CSV table",
            });
            return ControlFlow::Break(());
        }
        // Parsed once more, for every repeated key of the line and not the first alone.
        Err(first) => match json::parse_rows(&format!("[{text}]")) {
            Err(errors) if errors.iter().all(|error| error.second.is_some()) => {
                for error in errors {
                    out.error(of_json(file, lines, bytes, unwrapped(error)));
                }
            }
            _ => out.error(of_json(file, lines, bytes, first)),
        },
    }
    ControlFlow::Continue(())
}

/// An error of a line that was parsed inside brackets, as if it had stood alone.
fn unwrapped(mut error: ParseError) -> ParseError {
    error.offset -= 1;
    error.column -= 1;
    if let Some(second) = &mut error.second {
        second.offset -= 1;
        second.column -= 1;
    }
    error
}

/// Whether a line looks like the header of a CSV table.
fn is_header(line: &str) -> bool {
    let name = |name: &str| {
        !name.is_empty()
            && name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | ' ' | '"' | '.'))
    };
    line.contains(',') && line.split(',').all(|field| name(field.trim()))
}

fn push(
    at: At,
    number: u64,
    value: Json,
    out: &mut Out,
    take: &mut dyn FnMut(Row, &mut Out) -> ControlFlow<()>,
) -> ControlFlow<()> {
    match value {
        Json::Object(object) => take(Row { at, number, object }, out),
        other => {
            out.error(Error::NotObject {
                at,
                found: other.kind(),
            });
            ControlFlow::Continue(())
        }
    }
}

/// A parser's error as an error of the file: `lines` lines and `bytes` bytes stand before the text.
pub(crate) fn of_json(file: &str, lines: u64, bytes: usize, error: ParseError) -> Error {
    let at = At {
        file: file.into(),
        line: lines + error.line,
    };
    let (offset, length, column) = (bytes + error.offset, error.length, error.column);
    match (error.kind, error.second.as_deref()) {
        (
            ParseErrorKind::Duplicate { key },
            Some(&Place {
                offset: o,
                length: l,
                line,
                column: c,
            }),
        ) => {
            let places = if line == error.line {
                format!("at columns {column} and {c}")
            } else {
                format!(
                    "at column {column} and in line {}, column {c}",
                    lines + line
                )
            };
            let noun = noun(error.within.last().map(String::as_str));
            Error::RepeatedKey {
                at,
                noun,
                key,
                places,
                spans: Box::new([(offset, length), (bytes + o, l)]),
            }
        }
        (kind, _) => Error::Json {
            at,
            column,
            offset,
            length,
            kind,
        },
    }
}

fn noun(parent: Option<&str>) -> &'static str {
    match parent {
        Some("options" | "criteria" | "choices") => "option key",
        Some("questions") => "question",
        None => "field",
        Some(_) => "key",
    }
}
