//! A whole request answered as a server would.

use std::fmt::Write as _;

use flipside_core::foreign::Foreign;
use flipside_core::json::{Json, Object};

use super::checkpoint::Laya;
use super::question::{Question, State};
use crate::error::AskError;
use crate::written::{INFALLIBLE, quoted};

pub(super) fn reply(laya: &Laya, name: &str, request: &Json) -> Result<String, AskError> {
    let (state, questions) = parts(request)?;
    let state = State::of(state)?;
    let mut out = String::from("{\"model\":");
    quoted(name, &mut out);
    out.push_str(",\"answers\":{");
    let (mut tokens, mut state_tokens, mut dropped, mut truncated) = (0, 0, 0, 0);
    for (place, (id, question)) in questions.members().iter().enumerate() {
        let of = |error: AskError| match error {
            AskError::Refused(reason) => {
                AskError::refused(format!("question `{}`: {reason}", Foreign(id)))
            }
            other => other,
        };
        let question = Question::parse(question).map_err(of)?;
        let asked = laya.ask(&state, &question).map_err(of)?;
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
