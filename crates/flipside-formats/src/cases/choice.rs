//! Multiple-choice rows: a question's text, options, and an answer in one of many spellings.

use flipside_core::case::{Case, CaseOption, KeyBinding, Question, QuestionKind};
use flipside_core::json::{Json, Object};
use flipside_core::perturb::counting::letters;

use super::probe::{QUESTION, integer_keys, option, repeated_option};
use super::reading::{self, ANSWERS, decide};
use super::text::{question, state_and_instructions};
use super::{Fields, Source, named, position};
use crate::read::{Error, Out, Row, Seen, Warning};

/// What is asked where the question's text stands in the state.
const INSTRUCTIONS: &str = "Answer the question.";

/// What makes the case, and so is no field of it.
const KNOWN: [&str; 21] = [
    "id",
    "question_id",
    "question",
    "prompt",
    "instruction",
    "ctx",
    "context",
    "passage",
    "options",
    "choices",
    "endings",
    "opa",
    "opb",
    "opc",
    "opd",
    "answer",
    "answer_index",
    "answerKey",
    "cop",
    "label",
    "gold",
];

pub(super) fn read(rows: &[Row], source: &Source<'_>, out: &mut Out) {
    let mut parts = Vec::new();
    for row in rows {
        match parts_of(row, source) {
            Ok(part) => parts.push(part),
            Err(error) => out.error(error),
        }
    }
    let (mut cases, answers): (Vec<Case>, Vec<reading::Row>) = parts.into_iter().unzip();
    let Some(accept) = decide(source.file, &answers, source.options.answer_base, out) else {
        return;
    };
    for ((case, row), accept) in cases.iter_mut().zip(&answers).zip(accept) {
        case.accept = accept.into();
        notice(case, row, source, out);
    }
    for case in cases {
        out.case(case);
    }
}

/// Flags and warnings of one case.
fn notice(case: &mut Case, row: &reading::Row, source: &Source<'_>, out: &mut Out) {
    let seen = || Seen {
        at: row.at.clone(),
        more: 0,
    };
    let texts: Vec<&str> = case
        .options
        .iter()
        .filter_map(|option| option.text.as_ref()?.as_str())
        .collect();
    if !source.options.keep_position_dependent
        && let Some(words) = texts.iter().find_map(|text| position::words(text))
    {
        out.warn(Warning::PositionDependent {
            seen: seen(),
            words: words.clone(),
        });
        case.position_dependent = Some(words);
    }
    let question = match (&case.state, &case.question.instructions) {
        (Json::Object(state), _) if state.get("question").is_some() => {
            state.get("question").and_then(Json::as_str)
        }
        (_, Some(instructions)) => instructions.as_str(),
        _ => None,
    };
    let quoted = texts
        .iter()
        .filter(|text| question.is_some_and(|question| quotes(question, text)))
        .count();
    if quoted > 1 {
        out.warn(Warning::QuotesOptions { seen: seen() });
    }
    if row.by_object && integer_keys(&case.options) {
        out.warn(Warning::IntegerKeys { seen: seen() });
    }
}

/// Whether `text` stands in `question` as whole words; a single character says too little.
fn quotes(question: &str, text: &str) -> bool {
    let inside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.chars().nth(1).is_some()
        && question.match_indices(text).any(|(at, _)| {
            !inside(question[..at].chars().next_back())
                && !inside(question[at + text.len()..].chars().next())
        })
}

fn parts_of(row: &Row, source: &Source<'_>) -> Result<(Case, reading::Row), Error> {
    let fields = Fields::of(row);
    let text = question(fields)?;
    let (options, keyed) = options(fields)?;
    repeated_option(fields.at, &options)?;
    let (state, instructions) =
        state_and_instructions(fields, text, source.options.question_as, INSTRUCTIONS);
    let keyed_object =
        |name| matches!(fields.get(name), Some(Json::Object(table)) if !is_table(table));
    let by_object = ["options", "choices"].into_iter().any(keyed_object);
    let answers = ANSWERS
        .into_iter()
        .filter_map(|name| Some((name, fields.get(name)?.clone())))
        .collect();
    let keys = if keyed && !are_place_labels(&options) {
        KeyBinding::Option
    } else {
        source.options.bind_keys
    };
    let case = Case {
        id: source.id(row, &["id", "question_id"])?,
        source: source.of(row),
        state,
        question: Question {
            kind: QuestionKind::Choice,
            name: QUESTION.to_owned(),
            instructions: Some(instructions),
            before: Vec::new(),
            after: Vec::new(),
        }
        .into(),
        options: options.clone().into(),
        keys,
        accept: Vec::new().into(),
        named: Source::names(row, &["id", "question_id"]),
        position_dependent: None,
        note: None,
        fields: named::unread(&row.object, &KNOWN).into(),
        equal: Vec::new().into(),
        brought: flipside_core::case::Brought::default(),
    };
    Ok((
        case,
        reading::Row {
            at: row.at.clone(),
            options,
            keyed,
            by_object,
            answers,
        },
    ))
}

/// Whether keys are `A`, `B`, `C`, or numbers from 0 or 1: labels of places and not names.
fn are_place_labels(options: &[CaseOption]) -> bool {
    let keys = |label: &dyn Fn(usize) -> String| {
        options
            .iter()
            .enumerate()
            .all(|(place, option)| option.key.0 == label(place))
    };
    keys(&letters)
        || keys(&|place| letters(place).to_lowercase())
        || keys(&|place| place.to_string())
        || keys(&|place| (place + 1).to_string())
}

/// The options, and whether they have keys of their own.
fn options(fields: Fields<'_>) -> Result<(Vec<CaseOption>, bool), Error> {
    let help = "list the options in `options` or `choices`";
    let original = fields.get("question").and_then(Json::as_object);
    let mut present: Vec<&'static str> = ["options", "choices", "endings", "opa"]
        .into_iter()
        .filter(|name| fields.get(name).is_some())
        .collect();
    if original.is_some() {
        present.push("question.choices");
    }
    let (options, keyed) = match present.as_slice() {
        [] => {
            return Err(Error::MissingField {
                at: fields.at.clone(),
                field: "options".to_owned(),
                help,
            });
        }
        ["opa"] => (four(fields)?, false),
        ["question.choices"] => {
            let inner = Fields::inside(fields.at, "question.", original.expect("it is present"));
            listed(inner, "choices", inner.required("choices", help)?)?
        }
        [field] => listed(fields, field, fields.required(field, help)?)?,
        [first, second, ..] => {
            let (first, second) = ((*first).to_owned(), (*second).to_owned());
            return Err(Error::Both {
                at: fields.at.clone(),
                first,
                second,
            });
        }
    };
    if options.is_empty() {
        Err(fields.empty(present[0], help))
    } else {
        Ok((options, keyed))
    }
}

/// The columns `opa` to `opd`.
fn four(fields: Fields<'_>) -> Result<Vec<CaseOption>, Error> {
    let names = ["opa", "opb", "opc", "opd"];
    let texts = names.map(|name| {
        fields
            .required(name, "such rows have `opa`, `opb`, `opc` and `opd`")
            .cloned()
    });
    let texts = texts.into_iter().collect::<Result<Vec<Json>, Error>>()?;
    unkeyed(fields, |place| names[place].to_owned(), &texts)
}

fn listed(fields: Fields<'_>, name: &str, value: &Json) -> Result<(Vec<CaseOption>, bool), Error> {
    let expected = "an array of texts, an object of texts by key, or an array of objects with `label` and `text`";
    match value {
        Json::Array(items) if items.iter().any(|item| item.as_object().is_some()) => {
            let keyed = |(place, item): (usize, &Json)| {
                let object = item.as_object();
                let label = object
                    .and_then(|object| object.get("label").or_else(|| object.get("key")))
                    .and_then(Json::as_str);
                match (label, object.and_then(|object| object.get("text"))) {
                    (Some(label), Some(text)) => Ok(option(label, Some(text))),
                    _ => Err(fields.type_error(
                        &format!("{name}[{place}]"),
                        item,
                        "an object with `label` and `text`",
                    )),
                }
            };
            Ok((
                items
                    .iter()
                    .enumerate()
                    .map(keyed)
                    .collect::<Result<_, _>>()?,
                true,
            ))
        }
        Json::Array(items) => Ok((
            unkeyed(fields, |place| format!("{name}[{place}]"), items)?,
            false,
        )),
        Json::Object(table) if is_table(table) => {
            columns(fields, name, table).map(|options| (options, true))
        }
        Json::Object(options) => Ok((
            options
                .members()
                .iter()
                .map(|(key, text)| option(key, Some(text)))
                .collect(),
            true,
        )),
        other => Err(fields.type_error(name, other, expected)),
    }
}

/// Whether an object is a table of `text` and `label` columns.
fn is_table(object: &Object) -> bool {
    let list = |name: &str| {
        object
            .get(name)
            .is_some_and(|value| value.as_array().is_some())
    };
    object.len() == 2 && list("text") && list("label")
}

fn columns(fields: Fields<'_>, name: &str, table: &Object) -> Result<Vec<CaseOption>, Error> {
    let column = |part: &str| table.get(part).and_then(Json::as_array).unwrap_or_default();
    let (texts, labels) = (column("text"), column("label"));
    if texts.len() != labels.len() {
        return Err(Error::Value {
            at: fields.at.clone(),
            field: fields.path(&format!("{name}.label")),
            expected: format!("{} labels, one for each text", texts.len()),
            found: labels.len().to_string(),
        });
    }
    let pair = |(place, (text, label)): (usize, (&Json, &Json))| match label {
        Json::String(label) => Ok(option(label, Some(text))),
        other => Err(fields.type_error(&format!("{name}.label[{place}]"), other, "a string")),
    };
    texts.iter().zip(labels).enumerate().map(pair).collect()
}

/// Options without keys, labelled by their places.
fn unkeyed(
    fields: Fields<'_>,
    path: impl Fn(usize) -> String,
    items: &[Json],
) -> Result<Vec<CaseOption>, Error> {
    let labelled = |(place, text): (usize, &Json)| match text {
        Json::String(_) | Json::Number(_) => Ok(option(&letters(place), Some(text))),
        other => Err(fields.type_error(&path(place), other, "a text")),
    };
    items.iter().enumerate().map(labelled).collect()
}
