//! System One request bodies, alone or with the response they got; each question becomes a case.

use flipside_core::case::{Case, CaseId, CaseOption, KeyBinding, Question, QuestionKind};
use flipside_core::json::{Json, Object};

use super::probe::{integer_keys, noul_sides, option, repeated_option, score_levels};
use super::{Fields, Source, named};
use crate::read::{At, Error, Format, Out, Row, Seen, Warning};

/// What a body has that is not told as left out: the model is the user's choice, the rest names the row.
const KNOWN: &[&str] = &["model", "state", "questions", "id", "name", "request_id"];

/// What a row has that is no field of its cases.
const ROW: &[&str] = &[
    "model",
    "state",
    "questions",
    "id",
    "name",
    "request_id",
    "request",
    "response",
    "status",
];

pub(super) fn read(rows: &[Row], source: &Source<'_>, out: &mut Out) {
    let mut sorted = Sorted::default();
    for row in rows {
        match body(row, source.format) {
            Ok(Ok(body)) => {
                sorted.see_object(body.object);
                if let Err(error) = of_body(row, body, source, out) {
                    out.error(error);
                }
            }
            Ok(Err(reason)) => {
                let seen = Seen {
                    at: row.at.clone(),
                    more: 0,
                };
                out.warn(Warning::RecordedFailures { seen, reason });
            }
            Err(error) => out.error(error),
        }
    }
    if sorted.all() {
        out.warn(Warning::SortedKeys {
            file: source.file.to_owned(),
        });
    }
}

/// The request of a row, or why the row is a recorded failure.
fn body(row: &Row, format: Format) -> Result<Result<Fields<'_>, String>, Error> {
    let fields = Fields::of(row);
    if format != Format::Exchange {
        return Ok(Ok(fields));
    }
    if let Some(status) = fields.get("status") {
        let Json::Number(number) = status else {
            return Err(fields.type_error("status", status, "a number"));
        };
        if !number
            .to_u64()
            .is_some_and(|status| (200..300).contains(&status))
        {
            return Ok(Err(format!("status {}", number.as_str())));
        }
    }
    match fields.required("request", "an exchange has `request` and `response`")? {
        Json::Null => Ok(Err("the request was not recorded".to_owned())),
        Json::Object(request) => Ok(Ok(Fields::inside(fields.at, "request.", request))),
        other => Err(fields.type_error("request", other, "an object or null")),
    }
}

/// Takes the cases of the request `body` that `row` has or is.
pub(crate) fn of_body(
    row: &Row,
    body: Fields<'_>,
    source: &Source<'_>,
    out: &mut Out,
) -> Result<(), Error> {
    let named: &[&'static str] = if source.format == Format::Exchange {
        &["id", "name"]
    } else {
        &["id"]
    };
    let id = source.id(row, named)?;
    let is_named = Source::names(row, named);
    let state = body.state("a request says what the decision is about")?;
    let help = "a request asks at least one question, by name";
    let questions = match body.required("questions", help)? {
        Json::Object(questions) if questions.is_empty() => {
            return Err(body.empty("questions", help));
        }
        Json::Object(questions) => questions.members(),
        other => return Err(body.type_error("questions", other, "an object of questions by name")),
    };
    not_sent(body.at, "", body.object, KNOWN, out);
    let mut fields = named::unread(&row.object, ROW);
    if source.format == Format::Exchange {
        let of_body = named::unread(body.object, KNOWN);
        fields.extend(
            of_body
                .into_iter()
                .filter(|(name, _)| row.object.get(name).is_none()),
        );
    }
    for (place, (name, question)) in questions.iter().enumerate() {
        let path = body.path(&format!("questions.{name}"));
        let Some(object) = question.as_object() else {
            return Err(body.type_error(&format!("questions.{name}"), question, "an object"));
        };
        let path = path + ".";
        let inner = Fields::inside(body.at, &path, object);
        let (kind, options) = options(inner)?;
        not_sent(
            body.at,
            "questions.*.",
            object,
            &["type", "instructions", "criteria"],
            out,
        );
        let keyed = object
            .get("criteria")
            .is_some_and(|criteria| criteria.as_object().is_some());
        if keyed && kind == QuestionKind::Choice && integer_keys(&options) {
            let seen = Seen {
                at: row.at.clone(),
                more: 0,
            };
            out.warn(Warning::IntegerKeys { seen });
        }
        out.case(Case {
            id: CaseId(format!("{}#{name}", id.0)),
            source: source.of(row),
            state: state.clone(),
            question: Question {
                kind,
                name: name.clone(),
                instructions: object.get("instructions").cloned(),
                before: questions[..place].to_vec(),
                after: questions[place + 1..].to_vec(),
            }
            .into(),
            options: options.into(),
            keys: if kind == QuestionKind::Score {
                KeyBinding::Place
            } else {
                KeyBinding::Option
            },
            accept: Vec::new().into(),
            named: is_named,
            position_dependent: None,
            note: None,
            fields: fields.clone().into(),
            equal: Vec::new().into(),
            brought: flipside_core::case::Brought::default(),
        });
    }
    Ok(())
}

/// Warns of the members of `object` that are not `known`, under the path that leads to it.
pub(crate) fn not_sent(at: &At, path: &str, object: &Object, known: &[&str], out: &mut Out) {
    for (name, _) in object
        .members()
        .iter()
        .filter(|(name, _)| !known.contains(&name.as_str()))
    {
        let seen = Seen {
            at: at.clone(),
            more: 0,
        };
        out.warn(Warning::NotSent {
            seen,
            field: format!("{path}{name}"),
        });
    }
}

/// How a question is answered, and its options in the order in which it lists them.
pub(crate) fn options(question: Fields<'_>) -> Result<(QuestionKind, Vec<CaseOption>), Error> {
    let kinds = "`choice`, `score` or `noul`";
    let value = question.required(
        "type",
        "a question says how it is answered: `choice`, `score` or `noul`",
    )?;
    let kind = value
        .as_str()
        .and_then(QuestionKind::parse)
        .ok_or_else(|| question.value_error("type", value, kinds))?;
    let options = match kind {
        QuestionKind::Choice => choice_options(question)?,
        QuestionKind::Score => score_levels(question, "criteria")?,
        QuestionKind::Noul => match question.get("criteria") {
            Some(list @ Json::Array(_)) => {
                return Err(question.type_error(
                    "criteria",
                    list,
                    "an object with `true` and `false`",
                ));
            }
            _ => noul_sides(question, "criteria")?,
        },
    };
    Ok((kind, options))
}

fn choice_options(question: Fields<'_>) -> Result<Vec<CaseOption>, Error> {
    let help = "list the options";
    let options: Vec<CaseOption> = match question.required("criteria", help)? {
        Json::Object(options) => options
            .members()
            .iter()
            .map(|(key, text)| option(key, Some(text)))
            .collect(),
        Json::Array(labels) => {
            let label = |(place, label): (usize, &Json)| match label {
                Json::String(label) => Ok(option(label, None)),
                other => Err(question.type_error(&format!("criteria[{place}]"), other, "a label")),
            };
            labels
                .iter()
                .enumerate()
                .map(label)
                .collect::<Result<_, _>>()?
        }
        other => {
            return Err(question.type_error(
                "criteria",
                other,
                "an object of options, or an array of labels",
            ));
        }
    };
    if options.is_empty() {
        return Err(question.empty("criteria", help));
    }
    repeated_option(question.at, &options)?;
    Ok(options)
}

/// Whether every object of a file has its keys in sorted order: of their bytes, or as `jsonb` columns sort, of their
/// lengths first.
#[derive(Default)]
pub(crate) struct Sorted {
    objects: u64,
    unsorted: bool,
    unsorted_by_length: bool,
}

impl Sorted {
    /// Fewer objects than this can be sorted by chance.
    const ENOUGH: u64 = 4;

    pub(crate) fn see_object(&mut self, object: &Object) {
        if object.len() > 1 {
            self.objects += 1;
            self.unsorted |= !object
                .members()
                .is_sorted_by(|(one, _), (next, _)| one < next);
            self.unsorted_by_length |= !object
                .members()
                .is_sorted_by(|(one, _), (next, _)| (one.len(), one) < (next.len(), next));
        }
        object
            .members()
            .iter()
            .for_each(|(_, value)| self.see(value));
    }

    fn see(&mut self, value: &Json) {
        match value {
            Json::Object(object) => self.see_object(object),
            Json::Array(items) => items.iter().for_each(|item| self.see(item)),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
        }
    }

    pub(crate) fn all(&self) -> bool {
        !(self.unsorted && self.unsorted_by_length) && self.objects >= Self::ENOUGH
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    fn sorted(rows: &[&str]) -> bool {
        let mut sorted = Sorted::default();
        for row in rows {
            let row = json::parse(row).expect("a test writes JSON");
            sorted.see_object(row.as_object().expect("a test writes objects"));
        }
        sorted.all()
    }

    #[test]
    fn sorted_by_bytes_or_by_length_is_told_from_four_objects_on() {
        let by_bytes = r#"{"answer":1,"b":2}"#;
        // `b` is shorter than `answer`.
        let by_length = r#"{"b":2,"answer":1}"#;
        assert!(sorted(&[by_bytes; 4]));
        assert!(sorted(&[by_length; 4]));
        assert!(!sorted(&[by_bytes; 3]));
        assert!(!sorted(&[by_bytes, by_length, by_bytes, by_bytes]));
        assert!(!sorted(&[r#"{"a":1}"#; 4]), "one key is in every order");
    }
}
