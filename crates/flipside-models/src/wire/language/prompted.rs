//! Log-probabilities of texts, out of the `prompt_logprobs` of vLLM: for each token of what was sent an object with this token alone,
//! where 0 others are asked for; null for the first, which nothing stands before.

use flipside_core::foreign::Foreign;
use flipside_core::json::{Json, Object};
use flipside_core::model::Rejection;

use super::echo::not_above_zero;
use super::listed::quoted;
use super::reply::{malformed, number};

const NONE: &str = "the reply has no `prompt_logprobs`; the server does not know them, or a hop before it drops the field: ask with `scores=echo`, or for letters with `read=letter`";

/// The sum of log-probabilities over the tokens of the part of `text` after `prefix`: the last ones of a choice.
///
/// # Errors
/// [`Rejection::Malformed`] where there are none, or no token begins where that part begins.
pub(super) fn sum(choice: &Object, prefix: &str, text: &str) -> Result<f64, Rejection> {
    let listed = choice.get("prompt_logprobs").and_then(Json::as_array);
    let listed = listed.ok_or_else(|| malformed("no-prompt-logprobs", NONE))?;
    let option = &text[prefix.len()..];
    let (mut rest, mut sum) = (option, 0.0);
    for place in listed.iter().rev() {
        let (token, log) = one(place)?;
        let Some(before) = rest.strip_suffix(token) else {
            return Err(if token.ends_with(rest) {
                across(token)
            } else {
                malformed(
                    "prompt-tokens",
                    format!(
                        "a token of `prompt_logprobs` is {}, which does not end `{}`",
                        quoted(token.as_bytes()),
                        Foreign(rest).cut(20)
                    ),
                )
            });
        };
        not_above_zero(log, option)?;
        sum += log;
        rest = before;
        if rest.is_empty() {
            return Ok(sum);
        }
    }
    Err(malformed(
        "prompt-tokens",
        format!(
            "`prompt_logprobs` ends before `{}` of the option is read",
            Foreign(rest).cut(20)
        ),
    ))
}

/// The token of one place and its log-probability.
fn one(place: &Json) -> Result<(&str, f64), Rejection> {
    let members = place.as_object().map(Object::members).unwrap_or_default();
    let [(_, Json::Object(token))] = members else {
        let found = match place {
            Json::Object(_) => format!("{} tokens", members.len()),
            other => other.kind().to_owned(),
        };
        return Err(malformed(
            "prompt-tokens",
            format!(
                "a place of `prompt_logprobs` is {found}, expected the one token that was sent"
            ),
        ));
    };
    match (
        token.get("decoded_token").and_then(Json::as_str),
        token.get("logprob"),
    ) {
        (Some(text), Some(log)) if !text.is_empty() => Ok((text, number(log)?)),
        _ => Err(malformed(
            "prompt-tokens",
            "a token of `prompt_logprobs` has no `decoded_token` with its `logprob`",
        )),
    }
}

fn across(token: &str) -> Rejection {
    super::echo::across(token.as_bytes())
}
