//! Requests as bytes.

use flipside_core::json::write_string;

use super::settings::{Api, Read, Scores, Settings};
use super::show::Words;

/// The body that asks `words`, listing `top` tokens where letters are read.
pub(super) fn request(
    settings: &Settings,
    words: &Words,
    model: Option<&str>,
    top: u16,
) -> Vec<u8> {
    let mut body = Body::new();
    if let Some(model) = model.filter(|_| settings.api != Api::LlamaCpp) {
        body.text("model", model);
    }
    let letters = settings.read == Read::Letter;
    let tokens = settings.tokens.to_string();
    match settings.api {
        Api::Chat => {
            body.temperature(settings);
            body.raw("max_completion_tokens", &tokens);
            if letters {
                body.raw("logprobs", "true");
                body.raw("top_logprobs", &top.to_string());
            }
            if settings.no_reasoning {
                body.text("reasoning_effort", "none");
            }
            if settings.no_thinking {
                body.raw("chat_template_kwargs", r#"{"enable_thinking":false}"#);
            }
            body.messages(words);
        }
        Api::Completions => {
            body.temperature(settings);
            body.raw("max_tokens", &tokens);
            if letters {
                body.raw("logprobs", &top.to_string());
            }
            body.text("prompt", &words.joined());
        }
        Api::LlamaCpp => {
            body.raw("n_predict", &tokens);
            if letters {
                body.raw("n_probs", &top.to_string());
            }
            body.temperature(settings);
            body.raw(
                "cache_prompt",
                if settings.cache { "true" } else { "false" },
            );
            body.text("prompt", &words.joined());
        }
        Api::Ollama => {
            body.raw("stream", "false");
            if settings.no_thinking {
                body.raw("think", "false");
            }
            if letters {
                body.raw("logprobs", "true");
                body.raw("top_logprobs", &top.to_string());
            }
            let temperature = if settings.temperature {
                r#""temperature":0,"#
            } else {
                ""
            };
            body.raw(
                "options",
                &format!(r#"{{{temperature}"num_predict":{tokens}}}"#),
            );
            body.messages(words);
        }
    }
    body.end()
}

/// The body that has `prefix` followed by each of `answers` scored: one request, of which each reply is a choice by its index.
pub(super) fn echo(
    settings: &Settings,
    prefix: &str,
    answers: &[String],
    model: Option<&str>,
) -> Vec<u8> {
    let mut body = Body::new();
    if let Some(model) = model {
        body.text("model", model);
    }
    body.temperature(settings);
    body.raw("max_tokens", &settings.tokens.to_string());
    match settings.scores {
        Scores::Echo => {
            body.raw("logprobs", "1");
            body.raw("echo", "true");
        }
        // None beside the token that was sent: which of several it is would not be said.
        Scores::Prompt => body.raw("prompt_logprobs", "0"),
    }
    let mut all = vec![b'['];
    for (place, answer) in answers.iter().enumerate() {
        if place > 0 {
            all.push(b',');
        }
        write_string(&continued(prefix, answer), &mut all);
    }
    all.push(b']');
    body.member("prompt", &all);
    body.end()
}

/// The text that is scored: an answer after a blank.
pub(super) fn continued(prefix: &str, answer: &str) -> String {
    format!("{prefix} {answer}")
}

struct Body(Vec<u8>);

impl Body {
    fn new() -> Self {
        Self(vec![b'{'])
    }

    fn member(&mut self, name: &str, value: &[u8]) {
        if self.0.len() > 1 {
            self.0.push(b',');
        }
        write_string(name, &mut self.0);
        self.0.push(b':');
        self.0.extend_from_slice(value);
    }

    fn raw(&mut self, name: &str, value: &str) {
        self.member(name, value.as_bytes());
    }

    fn text(&mut self, name: &str, text: &str) {
        let mut value = Vec::with_capacity(text.len() + 2);
        write_string(text, &mut value);
        self.member(name, &value);
    }

    fn temperature(&mut self, settings: &Settings) {
        if settings.temperature {
            self.raw("temperature", "0");
        }
    }

    fn messages(&mut self, words: &Words) {
        let mut value = vec![b'['];
        if let Some(system) = &words.system {
            value.extend_from_slice(br#"{"role":"system","content":"#);
            write_string(system, &mut value);
            value.extend_from_slice(b"},");
        }
        value.extend_from_slice(br#"{"role":"user","content":"#);
        write_string(&words.user, &mut value);
        value.extend_from_slice(b"}]");
        self.member("messages", &value);
    }

    fn end(mut self) -> Vec<u8> {
        self.0.push(b'}');
        self.0
    }
}
