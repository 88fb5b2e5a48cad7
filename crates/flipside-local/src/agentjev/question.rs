//! Questions as an `AgentJev` checkpoint reads them: texts (the AgentJev page, 3.1 and 3.2).

use flipside_core::case::QuestionKind;
use flipside_core::foreign::Foreign;
use flipside_core::json::{Json, Object, first_duplicate};

use crate::error::AskError;
use crate::python::{self, Style};

/// Options of a choice, fewest and most.
const OPTIONS: (usize, usize) = (2, 255);
/// Levels of a score, fewest and most.
const LEVELS: (usize, usize) = (2, 10);
/// What the sides of a statement say that are not described, in their order.
const SIDES: [(&str, &str, &str); 2] = [
    ("true", "TRUE", "true criterion"),
    ("false", "FALSE", "false criterion"),
];
/// Characters of a foreign value that a message quotes.
const QUOTED: usize = 40;

/// A question in texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// What the reply calls it.
    pub id: String,
    /// How it is answered; `Noul` is a boolean here.
    pub kind: QuestionKind,
    /// Its text.
    pub text: String,
    /// What the reply calls each candidate: keys, indices, or `true` and `false`.
    pub keys: Vec<String>,
    /// The candidates' texts, in order: what is read, unlike keys.
    pub candidates: Vec<String>,
}

/// One text from one value: a string that is not blank as it is, an object or array as compact JSON with sorted keys.
///
/// # Errors
/// [`AskError`] naming `what`.
pub fn text(what: &str, value: &Json) -> Result<String, AskError> {
    match value {
        Json::String(text) if !blank(text) => Ok(text.clone()),
        Json::Object(_) | Json::Array(_) => {
            python::text(value, Style::COMPACT_SORTED).map_err(|number| {
                AskError::refused(format!(
                    "{what} holds the number {}, which is too large",
                    Foreign(number.as_str()).cut(QUOTED)
                ))
            })
        }
        _ => Err(AskError::refused(format!(
            "{what} must be nonempty text, an object or an array"
        ))),
    }
}

/// Whether Python's `strip` leaves nothing.
fn blank(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}'))
}

impl Question {
    /// The question in a question object of the service, the one at `place` from 0 in its request: that is its id where it has none.
    ///
    /// # Errors
    /// [`AskError`] naming the member.
    pub fn parse(question: &Json, place: usize) -> Result<Self, AskError> {
        let object = question
            .as_object()
            .ok_or_else(|| AskError::refused("a question must be an object"))?;
        let id = match object.get("id") {
            None => place.to_string(),
            Some(Json::String(id)) if !id.is_empty() => id.clone(),
            Some(_) => {
                return Err(AskError::refused(
                    "a question's `id` must be a string that is not empty",
                ));
            }
        };
        Self::of(&id, object).map_err(|error| error.of_question(&id))
    }

    fn of(id: &str, object: &Object) -> Result<Self, AskError> {
        let kind = match object.get("type") {
            None => QuestionKind::Choice,
            Some(Json::String(name)) if name == "choice" => QuestionKind::Choice,
            Some(Json::String(name)) if name == "score" => QuestionKind::Score,
            Some(Json::String(name)) if name == "boolean" => QuestionKind::Noul,
            Some(_) => {
                return Err(AskError::refused(
                    "`type` must be `boolean`, `choice` or `score`",
                ));
            }
        };
        let asked = object
            .get("question")
            .or_else(|| object.get("instructions"));
        let text = text("question", asked.unwrap_or(&Json::Null))?;
        let (keys, candidates) = match kind {
            QuestionKind::Choice => choice(object.get("options"))?,
            QuestionKind::Score => score(object.get("levels"))?,
            QuestionKind::Noul => boolean(object.get("criteria"))?,
        };
        if let Some((first, second)) = first_duplicate(candidates.iter().map(String::as_str)) {
            return Err(AskError::refused(format!(
                "`{}` and `{}` have the same text, which no model could tell apart",
                Foreign(&keys[first]).cut(QUOTED),
                Foreign(&keys[second]).cut(QUOTED)
            )));
        }
        Ok(Self {
            id: id.to_owned(),
            kind,
            text,
            keys,
            candidates,
        })
    }
}

type Named = (Vec<String>, Vec<String>);

fn within((least, most): (usize, usize), what: &str, found: usize) -> Result<(), AskError> {
    if (least..=most).contains(&found) {
        return Ok(());
    }
    let plural = if found == 1 { "" } else { "s" };
    Err(AskError::refused(format!(
        "{found} {what}{plural}, expected {least} to {most}"
    )))
}

fn choice(options: Option<&Json>) -> Result<Named, AskError> {
    match options {
        Some(Json::Object(members)) => {
            within(OPTIONS, "option", members.len())?;
            let named = members.members().iter().map(|(key, value)| {
                if key.is_empty() {
                    return Err(AskError::refused("an option's key must not be empty"));
                }
                Ok((key.clone(), text("option", value)?))
            });
            Ok(named.collect::<Result<Vec<_>, _>>()?.into_iter().unzip())
        }
        Some(Json::Array(items)) => {
            within(OPTIONS, "option", items.len())?;
            numbered(items, "option")
        }
        _ => Err(AskError::refused("`options` must be an object or an array")),
    }
}

fn score(levels: Option<&Json>) -> Result<Named, AskError> {
    let Some(Json::Array(items)) = levels else {
        return Err(AskError::refused("`levels` must be an array"));
    };
    within(LEVELS, "level", items.len())?;
    numbered(items, "level")
}

fn numbered(items: &[Json], what: &str) -> Result<Named, AskError> {
    let texts = items.iter().map(|item| text(what, item));
    let keys = (0..items.len()).map(|place| place.to_string()).collect();
    Ok((keys, texts.collect::<Result<_, _>>()?))
}

fn boolean(criteria: Option<&Json>) -> Result<Named, AskError> {
    let criteria = match criteria {
        None => None,
        Some(Json::Object(criteria)) => Some(criteria),
        Some(_) => return Err(AskError::refused("`criteria` must be an object")),
    };
    let candidates = SIDES.iter().map(|(side, word, name)| {
        match criteria.and_then(|criteria| criteria.get(side)) {
            None => Ok((*word).to_owned()),
            Some(value) => text(name, value),
        }
    });
    let keys = SIDES.iter().map(|(side, ..)| (*side).to_owned()).collect();
    Ok((keys, candidates.collect::<Result<_, _>>()?))
}
