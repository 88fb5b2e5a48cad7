//! Rows of the typed-decisions data set, exported as JSON lines: `state`, `questions` and `gold` are strings that hold JSON.
//!
//! The questions are those of a System One request. The gold of each is a distribution, the mean of what a teacher model said, so
//! that its most probable answers are accepted; the columns beside it repeat it and are read past.

use flipside_core::case::Case;
use flipside_core::case::FieldValue;
use flipside_core::json::{Json, Object};
use flipside_core::order::OptionId;

use super::{Fields, Source, systemone};
use crate::json;
use crate::read::{Error, Out, Row, Warning};

/// Two probabilities that differ by less are equal: they are means of three numbers, written with all their digits.
const EQUAL: f64 = 1e-9;

pub(super) fn read(rows: &[Row], source: &Source<'_>, out: &mut Out) {
    for row in rows {
        if let Err(error) = cases(row, source, out) {
            out.error(error);
        }
    }
}

fn cases(row: &Row, source: &Source<'_>, out: &mut Out) -> Result<(), Error> {
    let own = Fields::of(row);
    let held = |field: &'static str, value: &Json| {
        let Some(text) = value.as_str() else {
            return Err(own.type_error(field, value, "a string that holds JSON"));
        };
        json::parse(text).map_err(|why| Error::Inner {
            at: row.at.clone(),
            field,
            why: Box::new(why),
        })
    };
    let help = "a row has `state`, `questions` and `gold`, each a string that holds JSON";
    let state = held("state", own.required("state", help)?)?;
    let questions = held("questions", own.required("questions", help)?)?;
    let gold = match own.get("gold") {
        None => None,
        Some(value) => match held("gold", value)? {
            Json::Object(gold) => Some(gold),
            other => {
                return Err(own.type_error(
                    "gold",
                    &other,
                    "an object of distributions by question",
                ));
            }
        },
    };
    let mut members = vec![
        ("state".to_owned(), state),
        ("questions".to_owned(), questions),
    ];
    members.extend(own.object.get("id").map(|id| ("id".to_owned(), id.clone())));
    let request = Row {
        at: row.at.clone(),
        number: row.number,
        object: Object::new(members).expect("three different keys"),
    };
    let mut inner = Out::default();
    systemone::of_body(&request, Fields::of(&request), source, &mut inner)?;
    for warning in inner.warnings.drain(..) {
        // Told again when the labelled case is taken.
        if !matches!(warning, Warning::AlikeOptions { .. }) {
            out.warn(warning);
        }
    }
    let workflow = own.get("workflow").and_then(FieldValue::of);
    if gold.is_some() {
        out.warn(Warning::TeacherGold {
            file: source.file.to_owned(),
        });
    }
    for mut case in std::mem::take(&mut inner.cases) {
        case.fields
            .extend(workflow.clone().map(|value| ("workflow".to_owned(), value)));
        if let Some(gold) = &gold {
            case.accept = accepted(own, &case, gold)?.into();
        }
        out.case(case);
    }
    for error in inner.into_errors() {
        out.error(error);
    }
    Ok(())
}

/// The most probable answers to `case`; none where the gold leaves its question out.
fn accepted(row: Fields<'_>, case: &Case, gold: &Object) -> Result<Vec<OptionId>, Error> {
    let path = format!("gold.{}.", case.question.name);
    let object = match gold.get(&case.question.name) {
        None | Some(Json::Null) => return Ok(Vec::new()),
        Some(Json::Object(object)) => object,
        Some(other) => return Err(row.type_error(path.trim_end_matches('.'), other, "an object")),
    };
    let gold = Fields::inside(row.at, &path, object);
    let help = "the gold of a question is a distribution over its options";
    let distribution = match gold.required("probabilities", help)? {
        Json::Object(distribution) => distribution,
        other => {
            return Err(gold.type_error(
                "probabilities",
                other,
                "an object of probabilities by key",
            ));
        }
    };
    let keys = || case.options.iter().map(|option| option.key.0.as_str());
    if distribution.len() != case.options.len() || keys().any(|key| distribution.get(key).is_none())
    {
        let found = Json::Array(
            distribution
                .members()
                .iter()
                .map(|(key, _)| Json::String(key.clone()))
                .collect(),
        );
        let offered: Vec<String> = keys().map(|key| format!("`{key}`")).collect();
        let expected = format!("a probability for each of {}", offered.join(", "));
        return Err(gold.value_error("probabilities", &found, expected));
    }
    let probability = |key: &str| {
        let value = distribution
            .get(key)
            .expect("every key was found to have one");
        let number = match value {
            Json::Number(number) => number.to_f64(),
            _ => None,
        };
        let in_range = number.filter(|p| (0.0..=1.0).contains(p));
        in_range.ok_or_else(|| {
            gold.value_error(
                &format!("probabilities.{key}"),
                value,
                "a probability from 0 to 1",
            )
        })
    };
    let probabilities: Vec<f64> = keys().map(probability).collect::<Result<_, _>>()?;
    let largest = probabilities.iter().copied().fold(0.0, f64::max);
    let most = (0..).map(OptionId).zip(&probabilities);
    Ok(most
        .filter(|(_, p)| largest - **p < EQUAL)
        .map(|(id, _)| id)
        .collect())
}
