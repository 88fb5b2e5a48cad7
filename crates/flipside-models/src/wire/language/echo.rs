//! Log-probabilities of texts, out of a request that is echoed.

use flipside_core::foreign::Foreign;
use flipside_core::json::{Json, Object};
use flipside_core::model::Rejection;

use super::listed::quoted;
use super::prompted;
use super::reply::{choices, malformed, number};
use super::settings::Scores;

/// Up to this a log-probability counts as 0, for float noise.
const NOISE: f64 = 1e-6;

/// What the texts of a reply add up to, in the order in which they were sent: the sum of log-probabilities over the tokens of the
/// part after `prefix`, one per text.
///
/// # Errors
/// [`Rejection::Malformed`] where a text has no reply, or no token begins where it begins.
pub(super) fn sums(
    reply: &Object,
    scores: Scores,
    prefix: &str,
    texts: &[String],
) -> Result<Vec<f64>, Rejection> {
    let sum = match scores {
        Scores::Echo => sum,
        Scores::Prompt => prompted::sum,
    };
    let mut sums: Vec<Option<f64>> = vec![None; texts.len()];
    for choice in choices(reply)? {
        let index = match choice.get("index") {
            Some(Json::Number(index)) => {
                index.to_u64().and_then(|index| usize::try_from(index).ok())
            }
            None if texts.len() == 1 => Some(0),
            _ => None,
        };
        let Some(index) = index.filter(|index| *index < texts.len()) else {
            return Err(malformed(
                "choice-index",
                format!("a choice has no `index` from 0 to {}", texts.len() - 1),
            ));
        };
        if sums[index]
            .replace(sum(choice, prefix, &texts[index])?)
            .is_some()
        {
            return Err(malformed(
                "choice-index",
                format!("two choices have the index {index}"),
            ));
        }
    }
    let missing = sums.iter().position(Option::is_none);
    sums.into_iter()
        .collect::<Option<Vec<f64>>>()
        .ok_or_else(|| {
            let missing = missing.unwrap_or_default();
            malformed(
                "choice-index",
                format!("no choice has the index {missing}, so that option is not scored"),
            )
        })
}

fn sum(choice: &Object, prefix: &str, text: &str) -> Result<f64, Rejection> {
    const NONE: &str = "the reply has no log-probabilities of what was sent; the server does not echo them, or a hop before it drops `echo` or `logprobs`: ask for letters with `read=letter`, with `scores=prompt` for vLLM's `prompt_logprobs`, or with `read=plain`";
    let listed = choice.get("logprobs").and_then(Json::as_object);
    let list = |member: &str| {
        listed
            .and_then(|listed| listed.get(member))
            .and_then(Json::as_array)
    };
    let (Some(tokens), Some(logs), Some(offsets)) =
        (list("tokens"), list("token_logprobs"), list("text_offset"))
    else {
        return Err(malformed("no-echo", NONE));
    };
    if tokens.len() != logs.len() || tokens.len() != offsets.len() {
        return Err(malformed(
            "echo-lists",
            format!(
                "`tokens`, `token_logprobs` and `text_offset` have {}, {} and {} entries",
                tokens.len(),
                logs.len(),
                offsets.len()
            ),
        ));
    }
    let not_whole = || {
        malformed(
            "echo-lists",
            "`text_offset` has an entry that is no whole number",
        )
    };
    let offsets: Vec<Option<usize>> = offsets
        .iter()
        .map(|offset| match offset {
            Json::Number(offset) => Ok(offset
                .to_u64()
                .and_then(|offset| usize::try_from(offset).ok())),
            _ => Err(not_whole()),
        })
        .collect::<Result<_, _>>()?;
    let (before, offsets) = match spelled(tokens, text) {
        Some(own) => own,
        None => (
            0,
            offsets
                .into_iter()
                .collect::<Option<_>>()
                .ok_or_else(not_whole)?,
        ),
    };
    let start = before + prefix.chars().count();
    let end = before + text.chars().count();
    if offsets.iter().all(|offset| *offset < start) {
        return Err(malformed("no-echo", NONE));
    }
    if !offsets.contains(&start) {
        let across = offsets.iter().rposition(|offset| *offset < start);
        let token = across
            .and_then(|place| tokens[place].as_str())
            .unwrap_or_default();
        return Err(self::across(token.as_bytes()));
    }
    let mut sum = 0.0;
    // What was generated stands after the end.
    for (log, _) in logs
        .iter()
        .zip(&offsets)
        .filter(|(_, offset)| (start..end).contains(*offset))
    {
        let log = number(log)?;
        not_above_zero(log, &text[prefix.len()..])?;
        sum += log;
    }
    Ok(sum)
}

/// That `token` stands across the place where an option begins.
pub(super) fn across(token: &[u8]) -> Rejection {
    malformed(
        "token-boundary",
        format!(
            "no token begins where the option begins: token {} stands across; end the template's `[user]` part in another character, such as `:`",
            quoted(token)
        ),
    )
}

/// That a log-probability of a token of `option` can be one.
pub(super) fn not_above_zero(log: f64, option: &str) -> Result<(), Rejection> {
    if log <= NOISE {
        return Ok(());
    }
    Err(malformed(
        "logprob-positive",
        format!(
            "a token of `{}` has the log-probability {log}, which is above 0",
            Foreign(option).cut(20)
        ),
    ))
}

/// How many characters stand before what was sent, such as a token that begins every text, and where each token begins, where the
/// tokens spell what was sent.
///
/// Then nobody needs the server's own offsets: some count bytes, and some have -1 for every token.
fn spelled(tokens: &[Json], text: &str) -> Option<(usize, Vec<usize>)> {
    let tokens: Vec<&str> = tokens.iter().map(Json::as_str).collect::<Option<_>>()?;
    let before = tokens.concat();
    let before = before[..before.find(text)?].chars().count();
    let mut next = 0;
    let mut begins = |token: &&str| {
        let begin = next;
        next += token.chars().count();
        begin
    };
    Some((before, tokens.iter().map(&mut begins).collect()))
}
