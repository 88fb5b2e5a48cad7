//! A whole request answered as the service would (the AgentJev page, 7 and 13).

use std::fmt::Write as _;

use flipside_core::case::QuestionKind;
use flipside_core::foreign::Foreign;
use flipside_core::json::{Json, first_duplicate};

use super::answer::Answer;
use super::checkpoint::AgentJev;
use super::path::Paths;
use super::question::{Question, text};
use crate::error::AskError;
use crate::written::{INFALLIBLE, members, quoted};

/// Questions of a request.
const QUESTIONS: usize = 128;
/// Candidates of a request together.
const PATHS: usize = 1024;

/// The questions of `request` with their paths.
pub(super) fn prepared(
    model: &AgentJev,
    request: &Json,
) -> Result<Vec<(Question, Paths)>, AskError> {
    let (state, questions) = parts(request)?;
    let most = |most: usize, what: &str, found: usize| {
        if found <= most {
            return Ok(());
        }
        Err(AskError::refused(format!(
            "{found} {what} in one request, expected {most} at most"
        )))
    };
    most(QUESTIONS, "questions", questions.len())?;
    let questions = questions
        .iter()
        .enumerate()
        .map(|(place, question)| Question::parse(question, place))
        .collect::<Result<Vec<_>, _>>()?;
    let paths = questions.iter().map(|question| question.candidates.len());
    most(PATHS, "candidates", paths.sum())?;
    if let Some((_, second)) =
        first_duplicate(questions.iter().map(|question| question.id.as_str()))
    {
        return Err(AskError::refused(format!(
            "two questions have the id `{}`",
            Foreign(&questions[second].id)
        )));
    }
    questions
        .into_iter()
        .map(|question| {
            let paths = model.paths(&state, &question)?;
            Ok((question, paths))
        })
        .collect()
}

/// The state as text and the first question of a request.
///
/// # Errors
/// [`AskError`] for a request that the service would refuse.
pub fn only(request: &Json) -> Result<(String, Question), AskError> {
    let (state, questions) = parts(request)?;
    Ok((state, Question::parse(&questions[0], 0)?))
}

fn parts(request: &Json) -> Result<(String, &[Json]), AskError> {
    let missing = || AskError::refused("the request needs `state` and an array of `questions`");
    let request = request.as_object().ok_or_else(missing)?;
    let state = text("state", request.get("state").unwrap_or(&Json::Null))?;
    let questions = request
        .get("questions")
        .and_then(Json::as_array)
        .filter(|questions| !questions.is_empty())
        .ok_or_else(missing)?;
    Ok((state, questions))
}

pub(super) fn reply(model: &AgentJev, name: &str, request: &Json) -> Result<String, AskError> {
    let prepared = prepared(model, request)?;
    let mut out = String::from("{\"api_version\":\"agentjev.decision.v1\",\"model\":");
    quoted(name, &mut out);
    out.push_str(",\"results\":[{\"id\":\"0\",\"answers\":[");
    let (mut path_tokens, mut read) = (0, 0);
    for (place, (question, paths)) in prepared.iter().enumerate() {
        let asked = model.ask_paths(question, paths)?;
        if place > 0 {
            out.push(',');
        }
        write(question, &asked.answer, &mut out);
        path_tokens += paths.lengths().sum::<usize>();
        read += asked.backbone_tokens;
    }
    write!(
        out,
        "]}}],\"usage\":{{\"input_path_tokens\":{path_tokens},\"backbone_tokens\":{read},\"generated_tokens\":0,\"truncated_inputs\":0}}}}"
    )
    .expect(INFALLIBLE);
    Ok(out)
}

fn write(question: &Question, answer: &Answer, out: &mut String) {
    let kind = match question.kind {
        QuestionKind::Choice => "choice",
        QuestionKind::Score => "score",
        QuestionKind::Noul => "boolean",
    };
    out.push_str("{\"id\":");
    quoted(&question.id, out);
    write!(out, ",\"type\":\"{kind}\"").expect(INFALLIBLE);
    let p = &answer.probabilities;
    match question.kind {
        QuestionKind::Noul => {
            write!(out, ",\"probability\":{},\"value\":{}", p[0], p[0] >= 0.5).expect(INFALLIBLE);
        }
        QuestionKind::Choice => {
            out.push_str(",\"value\":");
            quoted(&question.keys[answer.choice], out);
            out.push_str(",\"description\":");
            quoted(&question.candidates[answer.choice], out);
            write!(
                out,
                ",\"top_probability\":{},\"margin\":{}",
                p[answer.choice],
                answer.margin()
            )
            .expect(INFALLIBLE);
        }
        QuestionKind::Score => {
            let score = answer.score.unwrap_or_default();
            write!(
                out,
                ",\"level\":{},\"score\":{score},\"legend\":{{",
                answer.choice
            )
            .expect(INFALLIBLE);
            members(
                question.keys.iter().zip(&question.candidates),
                out,
                |text, out| {
                    quoted(text, out);
                },
            );
        }
    }
    for (name, values) in [("distribution", p), ("logits", &answer.logits)] {
        write!(out, ",\"{name}\":{{").expect(INFALLIBLE);
        members(question.keys.iter().zip(values), out, |value, out| {
            write!(out, "{value}").expect(INFALLIBLE);
        });
    }
    write!(out, ",\"temperature\":{}}}", answer.temperature).expect(INFALLIBLE);
}
