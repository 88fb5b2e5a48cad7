//! What a reply says, whichever server's words it is in.

use flipside_core::answer::{Answer, Build, Usage};
use flipside_core::cost::usd_picos;
use flipside_core::json::{Json, Object};
use flipside_core::model::Rejection;

use super::listed::{Place, Token};
use super::settings::Api;
use crate::wire::message;

/// One generated text with what is said about it.
#[derive(Debug, Default)]
pub(super) struct Spoken {
    pub(super) content: String,
    /// `None` where the reply has no log-probabilities at all.
    pub(super) places: Option<Vec<Place>>,
    /// Whether the model or a filter refused.
    pub(super) refused: bool,
    /// Whether it ended at the limit of tokens.
    pub(super) cut: bool,
    /// Whether reasoning came beside the content.
    pub(super) reasoned: bool,
}

pub(super) fn malformed(rule: &'static str, message: impl Into<String>) -> Rejection {
    Rejection::Malformed {
        rule,
        message: message.into(),
    }
}

/// The reply as an object that is no error (the wire page, 8, V1 and V2).
pub(super) fn parse(body: &str) -> Result<Object, Rejection> {
    let body = body.strip_prefix('\u{feff}').unwrap_or(body);
    if body.trim().is_empty() {
        return Err(malformed("json", "the reply is empty, expected JSON"));
    }
    let value = flipside_formats::json::parse(body).map_err(|error| {
        if message::is_html(body) {
            malformed("json", "the reply is an HTML page, expected JSON")
        } else {
            malformed(
                "json",
                format!("the reply is no JSON that can be read: {error}"),
            )
        }
    })?;
    let Json::Object(reply) = value else {
        return Err(malformed(
            "json",
            format!("the reply is {}, expected an object", value.kind()),
        ));
    };
    let Some(error) = reply.get("error").filter(|error| **error != Json::Null) else {
        return Ok(reply);
    };
    let status = match error.as_object().and_then(|error| error.get("code")) {
        Some(Json::Number(code)) => code.to_u64().and_then(|code| u16::try_from(code).ok()),
        _ => None,
    };
    let said = message::of_value(&Json::Object(reply.clone())).unwrap_or_else(|| error.to_text());
    Err(Rejection::Backend {
        status,
        message: message::cut(&said),
    })
}

/// What `reply` says in the words of `api`.
pub(super) fn spoken(api: Api, reply: &Object) -> Result<Spoken, Rejection> {
    match api {
        Api::Chat => chat(choice(reply)?),
        Api::Completions => completion(choice(reply)?),
        Api::LlamaCpp => llamacpp(reply),
        Api::Ollama => ollama(reply),
    }
}

/// The choices of a reply in OpenAI's words, at least one.
pub(super) fn choices(reply: &Object) -> Result<Vec<&Object>, Rejection> {
    let choices = reply
        .get("choices")
        .and_then(Json::as_array)
        .unwrap_or_default();
    let objects: Vec<&Object> = choices.iter().filter_map(Json::as_object).collect();
    if objects.is_empty() || objects.len() != choices.len() {
        return Err(malformed(
            "choices",
            "the reply has no `choices`, expected at least one",
        ));
    }
    Ok(objects)
}

fn choice(reply: &Object) -> Result<&Object, Rejection> {
    Ok(choices(reply)?[0])
}

fn text<'a>(of: &'a Object, member: &str) -> Option<&'a str> {
    of.get(member).and_then(Json::as_str)
}

fn says(of: &Object, member: &str) -> bool {
    text(of, member).is_some_and(|text| !text.trim().is_empty())
}

fn chat(choice: &Object) -> Result<Spoken, Rejection> {
    let Some(message) = choice.get("message").and_then(Json::as_object) else {
        return Err(malformed("message", "the reply's choice has no `message`"));
    };
    let listed = choice.get("logprobs").and_then(Json::as_object);
    Ok(Spoken {
        content: text(message, "content").unwrap_or_default().to_owned(),
        places: listed
            .and_then(|listed| listed.get("content"))
            .and_then(Json::as_array)
            .map(places)
            .transpose()?,
        refused: says(message, "refusal")
            || text(choice, "finish_reason") == Some("content_filter"),
        cut: text(choice, "finish_reason") == Some("length"),
        reasoned: says(message, "reasoning_content") || says(message, "reasoning"),
    })
}

fn completion(choice: &Object) -> Result<Spoken, Rejection> {
    let listed = choice.get("logprobs").and_then(Json::as_object);
    Ok(Spoken {
        content: text(choice, "text").unwrap_or_default().to_owned(),
        places: listed.map(listed_completion).transpose()?.flatten(),
        refused: text(choice, "finish_reason") == Some("content_filter"),
        cut: text(choice, "finish_reason") == Some("length"),
        reasoned: false,
    })
}

/// `tokens`, `token_logprobs` and `top_logprobs` side by side, the last as objects from token to number; or `content` as in chat, as
/// llama.cpp's server writes it.
fn listed_completion(listed: &Object) -> Result<Option<Vec<Place>>, Rejection> {
    if let Some(content) = listed.get("content").and_then(Json::as_array) {
        return places(content).map(Some);
    }
    let Some(tokens) = listed.get("tokens").and_then(Json::as_array) else {
        return Ok(None);
    };
    let logs = listed
        .get("token_logprobs")
        .and_then(Json::as_array)
        .unwrap_or_default();
    let tops = listed
        .get("top_logprobs")
        .and_then(Json::as_array)
        .unwrap_or_default();
    let mut all = Vec::with_capacity(tokens.len());
    for (place, token) in tokens.iter().enumerate() {
        let Some(token) = token.as_str() else {
            return Err(malformed(
                "logprobs",
                format!("a token is {}, expected a string", token.kind()),
            ));
        };
        let log = logs
            .get(place)
            .ok_or_else(|| malformed("logprobs", "`token_logprobs` is shorter than `tokens`"))?;
        let mut top = Vec::new();
        if let Some(members) = tops.get(place).and_then(Json::as_object) {
            for (token, log) in members.members() {
                top.push(Token {
                    bytes: token.clone().into_bytes(),
                    log: number(log)?,
                });
            }
        }
        all.push(Place {
            token: Some(Token {
                bytes: token.as_bytes().to_vec(),
                log: number(log)?,
            }),
            top,
            sorted: false,
        });
    }
    Ok(Some(all))
}

fn llamacpp(reply: &Object) -> Result<Spoken, Rejection> {
    Ok(Spoken {
        content: text(reply, "content").unwrap_or_default().to_owned(),
        places: reply
            .get("completion_probabilities")
            .and_then(Json::as_array)
            .map(places)
            .transpose()?,
        refused: false,
        cut: text(reply, "stop_type") == Some("limit"),
        reasoned: false,
    })
}

fn ollama(reply: &Object) -> Result<Spoken, Rejection> {
    let Some(message) = reply.get("message").and_then(Json::as_object) else {
        return Err(malformed("message", "the reply has no `message`"));
    };
    Ok(Spoken {
        content: text(message, "content").unwrap_or_default().to_owned(),
        places: reply
            .get("logprobs")
            .and_then(Json::as_array)
            .map(places)
            .transpose()?,
        refused: false,
        cut: text(reply, "done_reason") == Some("length"),
        reasoned: says(message, "thinking"),
    })
}

/// Positions as chat, llama.cpp and Ollama list them.
fn places(entries: &[Json]) -> Result<Vec<Place>, Rejection> {
    entries
        .iter()
        .map(|entry| {
            let Some(entry) = entry.as_object() else {
                return Err(malformed(
                    "logprobs",
                    format!("a position is {}, expected an object", entry.kind()),
                ));
            };
            let top = entry
                .get("top_logprobs")
                .and_then(Json::as_array)
                .unwrap_or_default();
            Ok(Place {
                token: Some(token(entry)?),
                top: top
                    .iter()
                    .map(|top| match top {
                        Json::Object(top) => token(top),
                        other => Err(malformed(
                            "logprobs",
                            format!("a listed token is {}, expected an object", other.kind()),
                        )),
                    })
                    .collect::<Result<_, _>>()?,
                sorted: true,
            })
        })
        .collect()
}

/// One token: its bytes where the server gives them, since a token's text may be half a character.
fn token(of: &Object) -> Result<Token, Rejection> {
    let bytes = of.get("bytes").and_then(Json::as_array).and_then(|bytes| {
        bytes
            .iter()
            .map(|byte| match byte {
                Json::Number(byte) => byte.to_u64().and_then(|byte| u8::try_from(byte).ok()),
                _ => None,
            })
            .collect::<Option<Vec<u8>>>()
    });
    let bytes = bytes
        .filter(|bytes| !bytes.is_empty())
        .or_else(|| Some(text(of, "token")?.as_bytes().to_vec()));
    let Some(bytes) = bytes else {
        return Err(malformed(
            "logprobs",
            "a listed token has neither `bytes` nor `token`",
        ));
    };
    match of.get("logprob") {
        Some(log) => Ok(Token {
            bytes,
            log: number(log)?,
        }),
        None => Err(malformed("logprobs", "a listed token has no `logprob`")),
    }
}

pub(super) fn number(value: &Json) -> Result<f64, Rejection> {
    let number = match value {
        Json::Number(number) => number.to_f64().filter(|number| number.is_finite()),
        _ => None,
    };
    number.ok_or_else(|| {
        let found = flipside_core::answer::quoted(value);
        malformed(
            "logprobs",
            format!("a log-probability is {found}, expected a finite number"),
        )
    })
}

/// Adds what `reply` says about who answered and what it took.
pub(super) fn about(api: Api, reply: &Object, answer: &mut Answer) {
    answer.served_model = text(reply, "model")
        .filter(|name| !name.is_empty())
        .map(Into::into);
    if answer.served_model.is_none() && api != Api::LlamaCpp {
        answer
            .remarks
            .push("the reply does not say which model answered".to_owned());
    }
    if let Some(fingerprint) = text(reply, "system_fingerprint").filter(|text| !text.is_empty()) {
        answer.build = Some(Box::new(Build {
            fingerprint: Some(fingerprint.to_owned()),
            ..Build::default()
        }));
    }
    let count = |of: Option<&Object>, member: &str| match of?.get(member)? {
        Json::Number(count) => count.to_u64(),
        _ => None,
    };
    let inner = |of: Option<&'_ Object>, member: &str| {
        of.and_then(|of| of.get(member))
            .and_then(Json::as_object)
            .cloned()
    };
    answer.usage = match api {
        Api::Chat | Api::Completions => {
            let usage = reply.get("usage").and_then(Json::as_object);
            let details = inner(usage, "prompt_tokens_details");
            Usage {
                input_tokens: count(usage, "prompt_tokens"),
                output_tokens: count(usage, "completion_tokens"),
                cached_tokens: count(details.as_ref(), "cached_tokens"),
                cost_usd_picos: cost(usage),
            }
            .into()
        }
        Api::LlamaCpp => Usage {
            input_tokens: count(Some(reply), "tokens_evaluated"),
            output_tokens: count(Some(reply), "tokens_predicted"),
            ..Usage::default()
        }
        .into(),
        Api::Ollama => Usage {
            input_tokens: count(Some(reply), "prompt_eval_count"),
            output_tokens: count(Some(reply), "eval_count"),
            ..Usage::default()
        }
        .into(),
    };
}

/// US dollars as millionths of millionths, as OpenRouter states them.
fn cost(usage: Option<&Object>) -> Option<u64> {
    let Json::Number(cost) = usage?.get("cost")? else {
        return None;
    };
    usd_picos(cost.to_f64()?)
}
