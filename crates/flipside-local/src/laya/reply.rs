//! A whole request answered as a server would.

use std::fmt::Write as _;

use flipside_core::json::{Json, Object};

use super::checkpoint::Laya;
use super::question::{Question, State};
use super::sequence::Sequence;
use crate::error::AskError;
use crate::written::{INFALLIBLE, quoted};

/// The questions of `request` by id, with their sequences.
pub(super) fn prepared<'r>(
    laya: &Laya,
    request: &'r Json,
) -> Result<Vec<(&'r str, Question, Sequence)>, AskError> {
    let (state, questions) = parts(request)?;
    let state = State::of(state)?;
    let one = |(id, question): &'r (String, Json)| {
        if id.trim().is_empty() {
            return Err(AskError::refused("a question's name must not be blank"));
        }
        let question = Question::parse(question).map_err(|error| error.of_question(id))?;
        let sequence = laya.sequence(&state, &question);
        let sequence = sequence.map_err(|error| error.of_question(id))?;
        Ok((id.as_str(), question, sequence))
    };
    questions.members().iter().map(one).collect()
}

pub(super) fn reply(laya: &Laya, name: &str, request: &Json) -> Result<String, AskError> {
    let mut out = String::from("{\"model\":");
    quoted(name, &mut out);
    out.push_str(",\"answers\":{");
    let (mut tokens, mut state_tokens, mut dropped, mut truncated) = (0, 0, 0, 0);
    for (place, (id, question, sequence)) in prepared(laya, request)?.into_iter().enumerate() {
        let asked = laya.ask_sequence(&question, sequence)?;
        if place > 0 {
            out.push(',');
        }
        quoted(id, &mut out);
        out.push(':');
        let cuts = &asked.sequence.cuts;
        asked.answer.write(&question, cuts, &mut out);
        tokens += asked.sequence.ids.len();
        state_tokens += cuts.state.0;
        dropped += cuts.state.0 - cuts.state.1;
        truncated += usize::from(cuts.any());
    }
    write!(
        out,
        "}},\"usage\":{{\"input_tokens\":{tokens},\"state_tokens\":{state_tokens},\"state_tokens_dropped\":{dropped},\"truncated_questions\":{truncated}}}}}"
    )
    .expect(INFALLIBLE);
    Ok(out)
}

/// The state and the first question of a System One request.
///
/// # Errors
/// [`AskError`] for a request that a server would refuse.
pub fn only(request: &Json) -> Result<(State, Question), AskError> {
    let (state, questions) = parts(request)?;
    let (id, question) = &questions.members()[0];
    let question = Question::parse(question).map_err(|error| error.of_question(id))?;
    Ok((State::of(state)?, question))
}

fn parts(request: &Json) -> Result<(&Json, &Object), AskError> {
    let missing = || AskError::refused("the request needs `state` and an object of `questions`");
    let request = request.as_object().ok_or_else(missing)?;
    let state = request.get("state").ok_or_else(missing)?;
    let questions = request
        .get("questions")
        .and_then(Json::as_object)
        .filter(|questions| !questions.is_empty())
        .ok_or_else(missing)?;
    Ok((state, questions))
}
