//! Answers that any engine gave to the rows of a suite, one JSON object a line.

use std::collections::BTreeMap;

use flipside_core::case::QuestionKind;
use flipside_core::digest::Digest;
use flipside_core::json::Json;
use flipside_core::suite::{KeyVariant, RowOrder, SuiteCase, place};

use super::Problem;
use crate::cases::Fields;
use crate::json::utf8;
use crate::read::{At, Error, Input, Out, Row, load, of_json, rows_of};

/// What a line may have; whatever else it has is the engine's own.
const KNOWN: &[&str] = &[
    "id",
    "base_id",
    "phrasing",
    "order",
    "key_variant",
    "answer",
    "error",
    "refusal",
    "model",
    "ms",
];

/// What tells a line's row where it has no `id`.
const PLACE: [&str; 4] = ["base_id", "phrasing", "order", "key_variant"];

/// How a line tells its row.
const ROW_HELP: &str =
    "give the row's `id`, or its `base_id`, `phrasing`, `order` and `key_variant`";

/// Answers to the rows of a suite.
#[derive(Clone, Debug)]
pub struct SuiteAnswers {
    /// The file as the user named it.
    pub file: String,
    /// SHA-256 of its bytes as read.
    pub sha256: Digest,
    /// By row of the suite: what was given to it, `None` where the file has no line for it.
    pub rows: Vec<Option<GivenRow>>,
}

/// What a line gives to its row.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenRow {
    /// The line, from 1.
    pub line: u64,
    /// What it gives.
    pub given: Given,
    /// How long the answer took, as the line says it, in milliseconds.
    pub ms: Option<f64>,
    /// The model that answered, as it calls itself.
    pub model: Option<String>,
}

/// What became of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// An answer, not read yet: a key, a level, a side, or an answer object.
    Answer(Json),
    /// The model declined to decide.
    Refusal,
    /// The ask failed, with what the engine says of it.
    Failed(String),
}

/// Reads answers to `rows`: a line has the `id` of its row, or its `base_id`, `phrasing`, `order` and `key_variant`, and one of
/// `answer`, `error` and `"refusal":true`.
///
/// # Errors
/// Every [`Error`] of the file: a line that is none, that answers no row, or that answers one again.
pub fn read_answers(input: &Input, rows: &[SuiteCase]) -> Result<SuiteAnswers, Vec<Error>> {
    let file = input.to_string();
    let loaded = load(input).map_err(|error| vec![error])?;
    let text = utf8(&loaded.bytes).map_err(|error| vec![of_json(&file, 0, 0, error)])?;
    let mut out = Out::default();
    let lines = rows_of(&file, text, &mut out);
    let known: BTreeMap<&str, usize> = (rows.iter().enumerate())
        .map(|(place, row)| (row.case.id.0.as_str(), place))
        .collect();
    let mut given: Vec<Option<GivenRow>> = vec![None; rows.len()];
    for line in &lines {
        match read_line(line, &known) {
            Ok((row, found)) => match &given[row] {
                Some(first) => {
                    let row = rows[row].case.id.0.clone();
                    let first = first.line;
                    out.error(Problem::AnsweredTwice { row, first }.at(&line.at));
                }
                None => given[row] = Some(found),
            },
            Err(error) => out.error(error),
        }
    }
    if out.error_count() == 0 && lines.is_empty() {
        let at = At {
            file: file.as_str().into(),
            line: 1,
        };
        out.error(Problem::NoAnswers.at(&at));
    }
    if out.error_count() > 0 {
        out.sort_errors(0);
        return Err(out.into_errors());
    }
    Ok(SuiteAnswers {
        file,
        sha256: loaded.sha256,
        rows: given,
    })
}

/// The row that a line answers, and what it gives to it.
fn read_line(line: &Row, known: &BTreeMap<&str, usize>) -> Result<(usize, GivenRow), Error> {
    let fields = Fields::of(line);
    answered(fields, known).map_err(|error| match error {
        // Other fields are the engine's own, but where something is missing a name one edit away is a slip of the pen.
        Error::MissingField { .. } => slip(fields).unwrap_or(error),
        other => other,
    })
}

fn slip(fields: Fields<'_>) -> Option<Error> {
    fields.unknown(KNOWN).find(
        |error| matches!(error, Error::UnknownField { near: Some(near), .. } if !fields.has(near)),
    )
}

fn answered(fields: Fields<'_>, known: &BTreeMap<&str, usize>) -> Result<(usize, GivenRow), Error> {
    let id = row_id(fields)?;
    let Some(&row) = known.get(id.as_str()) else {
        return Err(Problem::NoRow { row: id }.at(fields.at));
    };
    let ms = match fields.get("ms") {
        None => None,
        Some(value) => {
            let number = match value {
                Json::Number(number) => number.to_f64().filter(|ms| *ms >= 0.0),
                _ => None,
            };
            let expected = "a time in milliseconds, a number from 0";
            Some(number.ok_or_else(|| fields.value_error("ms", value, expected))?)
        }
    };
    let found = GivenRow {
        line: fields.at.line,
        given: given(fields)?,
        ms,
        model: fields.string("model")?.map(str::to_owned),
    };
    Ok((row, found))
}

/// The id of the line's row: as given, or put together as rows have it. Beside an `id` the other fields are checked only where
/// they are all there, since an engine may have a field of such a name.
fn row_id(fields: Fields<'_>) -> Result<String, Error> {
    let placed = || PLACE.iter().map(|name| fields.get(name).is_some());
    match fields.id("id")? {
        Some(id) if placed().all(|there| there) => match placed_id(fields) {
            Ok(row) if row != id => Err(Problem::TwoRows { id, row }.at(fields.at)),
            _ => Ok(id),
        },
        Some(id) => Ok(id),
        None if placed().any(|there| there) => placed_id(fields),
        None => Err(Error::MissingField {
            at: fields.at.clone(),
            field: "id".to_owned(),
            help: ROW_HELP,
        }),
    }
}

fn placed_id(fields: Fields<'_>) -> Result<String, Error> {
    let part = |name: &str| match fields.required(name, ROW_HELP)? {
        Json::String(text) => Ok(text.as_str()),
        other => Err(fields.type_error(name, other, "a string")),
    };
    let bad = |name: &str, expected: &str| {
        let value = fields.get(name).cloned().unwrap_or(Json::Null);
        fields.value_error(name, &value, expected)
    };
    let base = part("base_id")?;
    let number = part("phrasing")?
        .strip_prefix('p')
        .and_then(|number| number.parse::<u16>().ok())
        .ok_or_else(|| bad("phrasing", "a wording such as `p0`"))?;
    let order =
        RowOrder::parse(part("order")?).ok_or_else(|| bad("order", "`forward` or `reversed`"))?;
    let keys = part("key_variant")?;
    let keys = [QuestionKind::Choice, QuestionKind::Noul]
        .into_iter()
        .find_map(|kind| KeyVariant::parse(keys, kind))
        .ok_or_else(|| bad("key_variant", "`semantic`, `abstract`, `q0` or `q1`"))?;
    Ok(format!("{base}/{}", place(number, order, keys)))
}

fn given(fields: Fields<'_>) -> Result<Given, Error> {
    let help = "give the key, level or side that was answered, or the answer object; or `\"refusal\":true`, or `error`";
    let mut found = Vec::new();
    if let Some(answer) = fields.get("answer") {
        found.push(("answer", Given::Answer(answer.clone())));
    }
    match fields.get("refusal") {
        None | Some(Json::Bool(false)) => {}
        Some(Json::Bool(true)) => found.push(("refusal", Given::Refusal)),
        Some(other) => return Err(fields.type_error("refusal", other, "`true` or `false`")),
    }
    match fields.get("error") {
        None => {}
        Some(Json::String(error)) => found.push(("error", Given::Failed(error.clone()))),
        Some(other) => found.push(("error", Given::Failed(other.to_text()))),
    }
    let mut found = found.into_iter();
    match (found.next(), found.next()) {
        (Some((first, _)), Some((second, _))) => Err(Error::Both {
            at: fields.at.clone(),
            first: first.to_owned(),
            second: second.to_owned(),
        }),
        (Some((_, given)), None) => Ok(given),
        (None, _) => Err(Error::MissingField {
            at: fields.at.clone(),
            field: "answer".to_owned(),
            help,
        }),
    }
}
