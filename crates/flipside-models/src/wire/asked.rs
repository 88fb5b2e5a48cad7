//! The questions of a request as every protocol sees them: the case's own as shown, and those beside it.

use std::borrow::Cow;

use flipside_core::case::QuestionKind;
use flipside_core::foreign::Foreign;
use flipside_core::json::{Json, Object};
use flipside_core::model::Unsupported;
use flipside_core::present::Presentation;

/// One question of a request.
#[derive(Debug)]
pub(super) struct Asked<'a> {
    pub(super) name: &'a str,
    pub(super) kind: QuestionKind,
    pub(super) instructions: Option<&'a Json>,
    /// Options, levels or described sides, in the order in which they are shown.
    pub(super) offers: Vec<Offer<'a>>,
}

/// An option, a level or a side.
#[derive(Debug)]
pub(super) struct Offer<'a> {
    pub(super) key: Cow<'a, str>,
    pub(super) text: Option<&'a Json>,
}

/// What a protocol cannot say.
pub(super) fn unsupported<T>(reason: impl Into<String>) -> Result<T, Unsupported> {
    Err(Unsupported {
        reason: reason.into(),
    })
}

/// Every question of the request, in its order. Those beside the case's own are System One objects and are read as such.
///
/// # Errors
/// [`Unsupported`] for a question beside it that is none of choice, score and noul.
pub(super) fn all<'a>(shown: &Presentation<'a>) -> Result<Vec<Asked<'a>>, Unsupported> {
    let question = &shown.case().question;
    let mut all = Vec::with_capacity(1 + question.before.len() + question.after.len());
    for (name, sibling) in &question.before {
        all.push(beside(name, sibling)?);
    }
    all.push(own(shown));
    for (name, sibling) in &question.after {
        all.push(beside(name, sibling)?);
    }
    Ok(all)
}

fn own<'a>(shown: &Presentation<'a>) -> Asked<'a> {
    let question = &shown.case().question;
    let offer = |option: flipside_core::present::Shown<'a>| Offer {
        key: Cow::Borrowed(option.key.0.as_str()),
        text: option.text,
    };
    Asked {
        name: &question.name,
        kind: question.kind,
        instructions: shown.instructions(),
        offers: match question.kind {
            QuestionKind::Noul => shown
                .options()
                .filter(|side| side.text.is_some())
                .map(offer)
                .collect(),
            QuestionKind::Choice | QuestionKind::Score => shown.options().map(offer).collect(),
        },
    }
}

fn beside<'a>(name: &'a str, question: &'a Json) -> Result<Asked<'a>, Unsupported> {
    let found = |what: &str| {
        let name = Foreign(name).cut(40);
        unsupported(format!("the question `{name}` beside it {what}"))
    };
    let Some(question) = question.as_object() else {
        return found("is no object");
    };
    let kind = question.get("type").and_then(Json::as_str);
    let Some(kind) = kind.and_then(QuestionKind::parse) else {
        return found("is none of choice, score and noul");
    };
    let Some(offers) = offers(kind, question) else {
        return found("has no criteria that can be read");
    };
    Ok(Asked {
        name,
        kind,
        instructions: present(question.get("instructions")),
        offers,
    })
}

fn offers(kind: QuestionKind, question: &Object) -> Option<Vec<Offer<'_>>> {
    let criteria = present(question.get("criteria"));
    let keyed = |(key, text)| Offer {
        key: Cow::Borrowed(key),
        text: present(Some(text)),
    };
    match (kind, criteria) {
        (QuestionKind::Choice, Some(Json::Object(options))) => {
            Some(pairs(options).map(keyed).collect())
        }
        (QuestionKind::Noul, None) => Some(Vec::new()),
        (QuestionKind::Noul, Some(Json::Object(sides))) => {
            let said = pairs(sides).map(keyed).filter(|side| side.text.is_some());
            Some(said.collect())
        }
        (QuestionKind::Score, Some(Json::Array(levels))) => {
            let levels = levels.iter().enumerate();
            let levels = levels.map(|(place, text)| Offer {
                key: Cow::Owned(place.to_string()),
                text: Some(text),
            });
            Some(levels.collect())
        }
        _ => None,
    }
}

fn pairs(object: &Object) -> impl Iterator<Item = (&str, &Json)> {
    let members = object.members().iter();
    members.map(|(key, value)| (key.as_str(), value))
}

fn present(value: Option<&Json>) -> Option<&Json> {
    value.filter(|value| **value != Json::Null)
}
