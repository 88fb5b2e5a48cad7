//! Pairwise judgements: a question, two candidate answers, and which of them is better.

use flipside_core::case::{Case, CaseOption, Key, Question, QuestionKind};
use flipside_core::json::Json;
use flipside_core::order::OptionId;
use flipside_core::perturb::counting::letters;

use super::probe::QUESTION;
use super::text::{QUESTIONS, question, state_and_instructions};
use super::{Fields, Source, named};
use crate::read::{Error, Out, QuestionAs, Row};

/// The fields of the two candidates; a row has one such pair.
pub(super) const PAIRS: [(&str, &str); 7] = [
    ("response_a", "response_b"),
    ("answer_a", "answer_b"),
    ("output_a", "output_b"),
    ("response_1", "response_2"),
    ("answer_1", "answer_2"),
    ("output_1", "output_2"),
    ("chosen", "rejected"),
];

/// The fields that can say which candidate is better.
const PREFERENCES: [&str; 3] = ["winner", "preference", "label"];

/// What is asked about two candidates whose question stands in the state.
const INSTRUCTIONS: &str = "Which answer to the question is better?";

pub(super) fn read(rows: &[Row], source: &Source<'_>, out: &mut Out) {
    for row in rows {
        out.take(case(row, source));
    }
}

fn case(row: &Row, source: &Source<'_>) -> Result<Case, Error> {
    let fields = Fields::of(row);
    let text = question(fields)?;
    let (first, second) = pair(fields)?;
    let candidate = |(place, field): (usize, &str)| match fields.required(field, "")? {
        text @ (Json::String(_) | Json::Array(_) | Json::Object(_)) => Ok(CaseOption {
            key: Key(letters(place)),
            text: Some(text.clone()),
        }),
        other => Err(fields.type_error(field, other, "a text, or a list of messages")),
    };
    let options = [first, second]
        .into_iter()
        .enumerate()
        .map(candidate)
        .collect::<Result<Vec<_>, Error>>()?;
    let accept = accept(fields, first, second)?;
    let mut known = vec!["id", "question_id", "context", "passage", first, second];
    known.extend(QUESTIONS.into_iter().chain(PREFERENCES));
    // Without its question in the instructions nobody would know what the candidates answer.
    let (state, instructions) =
        state_and_instructions(fields, text, QuestionAs::State, INSTRUCTIONS);
    Ok(Case {
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
        options: options.into(),
        keys: source.options.bind_keys,
        accept: accept.into(),
        named: Source::names(row, &["id", "question_id"]),
        position_dependent: None,
        note: None,
        fields: named::unread(&row.object, &known).into(),
        equal: Vec::new().into(),
        brought: flipside_core::case::Brought::default(),
    })
}

fn pair(fields: Fields<'_>) -> Result<(&'static str, &'static str), Error> {
    let present: Vec<_> = PAIRS
        .into_iter()
        .filter(|(one, two)| fields.has(one) && fields.has(two))
        .collect();
    match present.as_slice() {
        [pair] => Ok(*pair),
        [] => Err(Error::MissingField {
            at: fields.at.clone(),
            field: "response_a".to_owned(),
            help: "a pairwise row has `response_a` and `response_b`, `answer_a` and `answer_b`, `output_1` and `output_2`, or \
                   `chosen` and `rejected`",
        }),
        [(one, _), (two, _), ..] => Err(Error::Both {
            at: fields.at.clone(),
            first: (*one).to_owned(),
            second: (*two).to_owned(),
        }),
    }
}

fn accept(fields: Fields<'_>, first: &str, second: &str) -> Result<Vec<OptionId>, Error> {
    let (one, two) = (OptionId(0), OptionId(1));
    if first == "chosen" {
        return Ok(vec![one]);
    }
    let given: Vec<&str> = PREFERENCES
        .into_iter()
        .filter(|name| fields.get(name).is_some())
        .collect();
    let field = match given.as_slice() {
        [] => return Ok(Vec::new()),
        [field] => *field,
        [first, second, ..] => {
            return Err(Error::Both {
                at: fields.at.clone(),
                first: (*first).to_owned(),
                second: (*second).to_owned(),
            });
        }
    };
    let value = fields.get(field).unwrap_or(&Json::Null);
    let word = match value {
        Json::String(word) => word.as_str(),
        Json::Number(number) => number.as_str(),
        _ => "",
    };
    match word {
        "a" | "A" | "1" => Ok(vec![one]),
        "b" | "B" | "2" => Ok(vec![two]),
        "tie" => Ok(vec![one, two]),
        word if word == first => Ok(vec![one]),
        word if word == second => Ok(vec![two]),
        _ => Err(fields.value_error(
            field,
            value,
            format!("`a`, `b`, `1`, `2`, `tie`, `{first}` or `{second}`"),
        )),
    }
}
