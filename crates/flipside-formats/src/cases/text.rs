//! What multiple-choice and pairwise rows share: the question's text and where it goes.

use flipside_core::json::{Json, Object};

use super::Fields;
use crate::read::{Error, QuestionAs};

/// Fields that can hold the question's text; a row has one of them.
pub(super) const QUESTIONS: [&str; 4] = ["question", "prompt", "instruction", "ctx"];

/// Fields that go into the state beside the question.
const CONTEXTS: [&str; 2] = ["context", "passage"];

/// The question's text.
pub(super) fn question(fields: Fields<'_>) -> Result<&str, Error> {
    let present: Vec<&str> = QUESTIONS
        .into_iter()
        .filter(|name| fields.get(name).is_some())
        .collect();
    match present.as_slice() {
        [] => Err(Error::MissingField {
            at: fields.at.clone(),
            field: QUESTIONS[0].to_owned(),
            help: "write the question's text into `question`, `prompt`, `instruction` or `ctx`",
        }),
        [field] => match fields.get(field) {
            Some(Json::Object(original)) if *field == "question" => {
                let inner = Fields::inside(fields.at, "question.", original);
                inner.required(
                    "stem",
                    "a question that is an object has `stem` and `choices`",
                )?;
                Ok(inner.string("stem")?.unwrap_or_default())
            }
            _ => Ok(fields.string(field)?.unwrap_or_default()),
        },
        [first, second, ..] => Err(Error::Both {
            at: fields.at.clone(),
            first: (*first).to_owned(),
            second: (*second).to_owned(),
        }),
    }
}

/// State and instructions: the question goes where `place` says, and `default` instructs where it is in the state.
pub(super) fn state_and_instructions(
    fields: Fields<'_>,
    text: &str,
    place: QuestionAs,
    default: &str,
) -> (Json, Json) {
    let text = Json::String(text.to_owned());
    let mut members = Vec::new();
    let instructions = match place {
        QuestionAs::State => {
            members.push(("question".to_owned(), text));
            Json::String(default.to_owned())
        }
        QuestionAs::Instructions => text,
    };
    for name in CONTEXTS {
        members.extend(
            fields
                .get(name)
                .map(|context| (name.to_owned(), context.clone())),
        );
    }
    (
        Json::Object(Object::new(members).expect("three different keys")),
        instructions,
    )
}
