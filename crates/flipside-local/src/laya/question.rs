//! Questions as a Laya checkpoint reads them: texts (the Laya page, 3.1).

use flipside_core::case::QuestionKind;
use flipside_core::foreign::Foreign;
use flipside_core::json::{Json, Object, first_duplicate};

use crate::error::AskError;
use crate::python::{self, Style};

/// What the two sides of a statement say that are not described, false first.
const SIDES: [(&str, &str); 2] = [
    ("false", "no, the statement does not hold"),
    ("true", "yes, the statement holds"),
];

/// A question in texts: what is tokenised, before any cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// How it is answered.
    pub kind: QuestionKind,
    /// The instructions.
    pub instructions: String,
    /// The option texts in the order of the criteria, `key: description` for a choice.
    pub options: Vec<String>,
    /// What the reply calls each option, in the same order: keys, level numbers, `false` and `true`.
    pub keys: Vec<String>,
    /// The texts of levels, for the legend of a score; else empty.
    pub levels: Vec<String>,
    /// Which option each slot shows: a permutation of 0..k.
    pub order: Vec<usize>,
}

/// A state as text, and whether it is a list, of which the end is kept and not the beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The text.
    pub text: String,
    /// Whether its end is what matters.
    pub is_list: bool,
}

impl State {
    /// A string as it is, anything else as Python writes it.
    ///
    /// # Errors
    /// [`AskError`] for a number that is too large.
    pub fn of(state: &Json) -> Result<Self, AskError> {
        Ok(Self {
            text: text("the state", state)?,
            is_list: matches!(state, Json::Array(_)),
        })
    }
}

impl Question {
    /// The question in a System One question object; besides its usual members `option_order` and `labels` are read.
    ///
    /// # Errors
    /// [`AskError`] naming the member, what was found and what was expected.
    pub fn parse(question: &Json) -> Result<Self, AskError> {
        let Some(object) = question.as_object() else {
            return Err(expected("the question", question, "an object"));
        };
        let kind = match object.get("type") {
            Some(Json::String(name)) => QuestionKind::parse(name).ok_or_else(|| {
                AskError::refused(format!(
                    "`type` is `{}`, expected `choice`, `score` or `noul`",
                    Foreign(name).cut(QUOTED)
                ))
            })?,
            other => {
                return Err(expected(
                    "`type`",
                    other.unwrap_or(&Json::Null),
                    "`choice`, `score` or `noul`",
                ));
            }
        };
        let instructions = match object.get("instructions") {
            None | Some(Json::Null) => String::new(),
            Some(Json::Array(items)) if items.is_empty() => String::new(),
            Some(Json::Object(members)) if members.is_empty() => String::new(),
            Some(value) => text("`instructions`", value)?,
        };
        if instructions.trim().is_empty() {
            return Err(AskError::refused("the question has no `instructions`"));
        }
        let criteria = object.get("criteria").unwrap_or(&Json::Null);
        let (keys, options, levels) = match kind {
            QuestionKind::Choice => choice(criteria)?,
            QuestionKind::Score => score(criteria)?,
            QuestionKind::Noul => noul(criteria, object.get("labels"))?,
        };
        let labels = object.get("labels").filter(|labels| **labels != Json::Null);
        if kind != QuestionKind::Noul && labels.is_some() {
            return Err(AskError::refused(
                "`labels` belong to `noul` questions, whose sides have no other words",
            ));
        }
        let order = order(object.get("option_order"), options.len())?;
        Ok(Self {
            kind,
            instructions,
            options,
            keys,
            levels,
            order,
        })
    }

    /// The texts of the slots, first slot first.
    pub fn slots(&self) -> impl Iterator<Item = &str> {
        self.order
            .iter()
            .map(|option| self.options[*option].as_str())
    }
}

/// Characters of a foreign value that a message quotes.
const QUOTED: usize = 40;

fn expected(what: &str, found: &Json, expected: &str) -> AskError {
    AskError::refused(format!("{what} is {}, expected {expected}", found.kind()))
}

fn text(what: &str, value: &Json) -> Result<String, AskError> {
    if let Json::String(text) = value {
        return Ok(text.clone());
    }
    python::text(value, Style::PLAIN).map_err(|number| {
        AskError::refused(format!(
            "{what} holds the number {}, which is too large",
            Foreign(number.as_str()).cut(QUOTED)
        ))
    })
}

type Texts = (Vec<String>, Vec<String>, Vec<String>);

fn choice(criteria: &Json) -> Result<Texts, AskError> {
    let described = |key: &str, value: &Json| -> Result<String, AskError> {
        Ok(match value {
            Json::Null => key.to_owned(),
            Json::String(text) if text.is_empty() => key.to_owned(),
            other => format!(
                "{key}: {}",
                text(&format!("option `{}`", Foreign(key).cut(QUOTED)), other)?
            ),
        })
    };
    let (keys, options): (Vec<String>, Vec<String>) = match criteria {
        Json::Object(members) => {
            let pairs = members
                .members()
                .iter()
                .map(|(key, value)| Ok((key.clone(), described(key, value)?)));
            pairs
                .collect::<Result<Vec<_>, AskError>>()?
                .into_iter()
                .unzip()
        }
        Json::Array(items) => {
            let keys = items
                .iter()
                .map(|item| match item {
                    Json::Null | Json::Array(_) | Json::Object(_) => {
                        Err(expected("a label of `criteria`", item, "a scalar"))
                    }
                    scalar => text("a label of `criteria`", scalar),
                })
                .collect::<Result<Vec<_>, AskError>>()?;
            // One key for Python, as 1, 1.0 and true are.
            let same: Vec<String> = items
                .iter()
                .map(|item| match item {
                    Json::Bool(is) => f64::from(u8::from(*is)).to_string(),
                    Json::Number(number) => number.to_f64().unwrap_or(f64::MAX).to_string(),
                    other => other.to_text(),
                })
                .collect();
            if let Some((_, place)) = first_duplicate(same.iter().map(String::as_str)) {
                return Err(AskError::refused(format!(
                    "the label `{}` stands twice in `criteria`",
                    Foreign(&keys[place]).cut(QUOTED)
                )));
            }
            // The text is what Python prints, the key what its JSON says.
            let options = items.iter().zip(&keys).map(|(item, key)| match item {
                Json::Bool(true) => "True".to_owned(),
                Json::Bool(false) => "False".to_owned(),
                _ => key.clone(),
            });
            let options = options.collect();
            (keys, options)
        }
        other => {
            return Err(expected(
                "`criteria`",
                other,
                "an object or an array of labels",
            ));
        }
    };
    if keys.is_empty() {
        return Err(AskError::refused(
            "`criteria` is empty, expected an option or more",
        ));
    }
    Ok((keys, options, Vec::new()))
}

fn score(criteria: &Json) -> Result<Texts, AskError> {
    let Some(items) = criteria.as_array() else {
        return Err(expected("`criteria`", criteria, "an array of levels"));
    };
    if items.is_empty() {
        return Err(AskError::refused(
            "`criteria` is empty, expected a level or more",
        ));
    }
    let levels = items
        .iter()
        .enumerate()
        .map(|(level, item)| match item {
            Json::Null => Err(expected(&format!("level {level}"), item, "a text")),
            other => text(&format!("level {level}"), other),
        })
        .collect::<Result<Vec<_>, AskError>>()?;
    let keys = (0..levels.len()).map(|level| level.to_string()).collect();
    let options = levels
        .iter()
        .enumerate()
        .map(|(level, text)| format!("level {level}: {text}"))
        .collect();
    Ok((keys, options, levels))
}

fn noul(criteria: &Json, labels: Option<&Json>) -> Result<Texts, AskError> {
    let mut said: [Option<String>; 2] = [None, None];
    match criteria {
        Json::Null => {}
        Json::Object(members) => {
            for (key, value) in members.members() {
                let side = SIDES
                    .iter()
                    .position(|(side, _)| key.to_lowercase() == *side);
                let Some(side) = side else {
                    return Err(AskError::refused(format!(
                        "`criteria` has the key `{}`, expected `true` and `false`",
                        Foreign(key).cut(QUOTED)
                    )));
                };
                let text = match value {
                    Json::Null => String::new(),
                    other => text(&format!("criterion `{}`", SIDES[side].0), other)?,
                };
                said[side] = (!text.is_empty()).then_some(text);
            }
        }
        other => {
            return Err(expected(
                "`criteria`",
                other,
                "an object of `true` and `false`",
            ));
        }
    }
    let words = words(labels)?;
    let options = SIDES
        .iter()
        .zip(said)
        .zip(&words)
        .map(|(((_, default), said), word)| {
            format!("{word}: {}", said.as_deref().unwrap_or(default))
        })
        .collect();
    let keys = SIDES.iter().map(|(side, _)| (*side).to_owned()).collect();
    Ok((keys, options, Vec::new()))
}

/// The words in front of the two sides, false first.
fn words(labels: Option<&Json>) -> Result<[String; 2], AskError> {
    let labels = match labels {
        None | Some(Json::Null) => return Ok(SIDES.map(|(side, _)| side.to_owned())),
        Some(Json::Object(labels)) => labels,
        Some(other) => {
            return Err(expected(
                "`labels`",
                other,
                "an object of `true` and `false`",
            ));
        }
    };
    let word = |labels: &Object, side: &str| match labels.get(side) {
        Some(Json::String(word)) if !word.trim().is_empty() => Ok(word.trim().to_owned()),
        other => Err(expected(
            &format!("`labels.{side}`"),
            other.unwrap_or(&Json::Null),
            "a word",
        )),
    };
    let words = [word(labels, "false")?, word(labels, "true")?];
    if labels.len() != 2 || words[0] == words[1] {
        return Err(AskError::refused(
            "`labels` has to hold `true` and `false` with different words, and nothing else",
        ));
    }
    Ok(words)
}

fn order(given: Option<&Json>, options: usize) -> Result<Vec<usize>, AskError> {
    let items = match given {
        None | Some(Json::Null) => return Ok((0..options).collect()),
        Some(Json::Array(items)) => items,
        Some(other) => return Err(expected("`option_order`", other, "an array of indices")),
    };
    let order: Option<Vec<usize>> = items
        .iter()
        .map(|item| match item {
            Json::Number(number) => number.to_u64().and_then(|n| usize::try_from(n).ok()),
            _ => None,
        })
        .collect();
    let mut seen = vec![false; options];
    order
        .filter(|order| {
            order.len() == options
                && order.iter().all(|place| {
                    seen.get_mut(*place)
                        .is_some_and(|seen| !std::mem::replace(seen, true))
                })
        })
        .ok_or_else(|| {
            AskError::refused(format!(
                "`option_order` is no permutation of 0 to {}",
                options.saturating_sub(1)
            ))
        })
}
