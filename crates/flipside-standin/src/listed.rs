//! What the dialects share whose questions are an array.

use crate::answer::Pen;
use crate::cache::Memory;
use crate::dialect::{Dialect, Wrong};
use crate::fault::Fault;
use crate::json::{Json, Member, Node, Reader};
use crate::reply::Reply;
use crate::request::{Problem, field};
use crate::service::Settings;
use crate::{agentjev, openai};

/// Appends text to a body.
pub(crate) fn put(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(text.as_bytes());
}

/// A refusal of something at `place`.
pub(crate) fn refused<T>(place: &[&str], message: impl Into<String>) -> Result<T, Problem> {
    Err(Problem::new(Wrong::Question, place, message))
}

/// The body's one object.
pub(crate) fn members(text: &str) -> Result<Vec<Member<'_>>, Problem> {
    let mut reader = Reader::new(text);
    let node = reader.node().and_then(|node| reader.end().map(|()| node));
    let node =
        node.map_err(|broken| Problem::new(Wrong::NotJson, &["body"], broken.to_string()))?;
    match node.json {
        Json::Object(members) => Ok(members),
        _ => Err(Problem::new(
            Wrong::Envelope,
            &["body"],
            "the body must be an object",
        )),
    }
}

/// The string under `name`; `None` if it is missing or null.
pub(crate) fn text_at<'n>(
    fields: &'n [Member<'_>],
    name: &str,
) -> Result<Option<&'n str>, Problem> {
    match field(fields, name).map(|node| &node.json) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::Text(text)) => Ok(Some(text)),
        Some(_) => refused(&[name], format!("`{name}` must be a string")),
    }
}

/// The elements of the array under `name`.
pub(crate) fn list_at<'n, 'a>(
    fields: &'n [Member<'a>],
    name: &str,
) -> Result<&'n [Node<'a>], Problem> {
    match field(fields, name).map(|node| &node.json) {
        Some(Json::Array(nodes)) => Ok(nodes),
        _ => refused(&[name], format!("`{name}` must be an array")),
    }
}

/// The option keys of the first choice in the order received.
pub(crate) fn keys(dialect: Dialect, text: &str) -> Vec<String> {
    let questions = match dialect {
        Dialect::OpenaiDecisions => {
            openai::Request::read(text).map(|request| request.body.questions)
        }
        _ => agentjev::read(text).map(|requests| {
            let bodies = requests.into_iter().map(|request| request.body.questions);
            bodies.flatten().collect()
        }),
    };
    let questions = questions.unwrap_or_default();
    let choice = questions
        .iter()
        .find(|question| question.kind == crate::request::Kind::Choice);
    choice.map_or_else(Vec::new, |choice| {
        choice.offers.iter().map(|o| o.key.to_string()).collect()
    })
}

impl Settings {
    /// Answers a request of such a dialect.
    pub(crate) fn listed(
        &self,
        text: &str,
        pen: Pen<'_>,
        memory: &Memory,
        faults: &[&Fault],
        reply: &mut Reply,
    ) -> Result<(), Problem> {
        let judge = self.judge(memory);
        match self.dialect {
            Dialect::OpenaiDecisions => {
                let request = openai::Request::read(text)?;
                request.answer(&judge, pen, faults, &mut reply.body)
            }
            _ => agentjev::answer(&agentjev::read(text)?, &judge, pen, faults, &mut reply.body),
        }
    }
}
