//! Pieces of JSON that several forms have in common.

use std::fmt::Write as _;

use super::echo::Read;
use super::tokens::{Entry, Step};
use crate::answer::round;
use crate::json::write_text;

/// How tokens and numbers go out.
#[derive(Clone, Copy)]
pub(super) struct Pen {
    pub(super) decimals: Option<u32>,
    pub(super) bytes: Bytes,
    /// What a leading space is written as.
    pub(super) space: char,
    /// Whether the list goes out with the least probable first.
    pub(super) backwards: bool,
}

/// How a token's bytes are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bytes {
    List,
    Null,
    Absent,
}

/// A text as a JSON string.
pub(super) fn quoted(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len() + 2);
    write_text(&mut out, text);
    String::from_utf8(out).unwrap_or_default()
}

impl Pen {
    /// A log-probability, or a probability.
    pub(super) fn number(&self, value: f64) -> String {
        let value = self
            .decimals
            .map_or(value, |decimals| round(value, decimals));
        format!("{value:?}")
    }

    /// A token's text as it is shown.
    pub(super) fn shown(&self, text: &str) -> String {
        match text.strip_prefix(' ') {
            Some(rest) if self.space != ' ' => format!("{}{rest}", self.space),
            _ => text.to_owned(),
        }
    }

    /// The first `top` alternatives.
    pub(super) fn listed<'s>(&self, step: &'s Step, top: usize) -> Vec<&'s Entry> {
        let mut listed: Vec<&Entry> = step.all.iter().take(top).collect();
        if self.backwards {
            listed.reverse();
        }
        listed
    }

    /// `"token":..,"bytes":..,"logprob":..` without the braces.
    pub(super) fn entry(&self, entry: &Entry) -> String {
        format!(
            "\"token\":{}{},\"logprob\":{}",
            quoted(&self.shown(&entry.text)),
            self.bytes(entry),
            self.number(entry.logprob)
        )
    }

    /// `,"bytes":..`, or nothing.
    pub(super) fn bytes(&self, entry: &Entry) -> String {
        match self.bytes {
            Bytes::Absent => String::new(),
            Bytes::Null => ",\"bytes\":null".to_owned(),
            Bytes::List => {
                let mut out = ",\"bytes\":[".to_owned();
                for (at, byte) in entry.bytes.iter().enumerate() {
                    let comma = if at > 0 { "," } else { "" };
                    write!(out, "{comma}{byte}").expect("a string takes every text");
                }
                out.push(']');
                out
            }
        }
    }

    /// One token of a prompt as vLLM lists it: by its number, null for the first. A number says nothing here but which text it is.
    pub(super) fn prompted(&self, token: &Read) -> String {
        let Some(logprob) = token.logprob else {
            return "null".to_owned();
        };
        let number =
            (token.text.bytes()).fold(7, |sum, byte| (sum * 31 + u32::from(byte)) % 50_000);
        format!(
            "{{\"{number}\":{{\"logprob\":{},\"rank\":1,\"decoded_token\":{}}}}}",
            self.number(logprob),
            quoted(&token.text)
        )
    }

    /// One place of a reply in the shape of OpenAI's chat, which is Ollama's too.
    pub(super) fn step(&self, step: &Step, top: usize) -> String {
        let alternatives: Vec<String> = self
            .listed(step, top)
            .into_iter()
            .map(|entry| format!("{{{}}}", self.entry(entry)))
            .collect();
        format!(
            "{{{},\"top_logprobs\":[{}]}}",
            self.entry(&step.chosen),
            alternatives.join(",")
        )
    }

    /// All places.
    pub(super) fn steps(&self, steps: &[Step], top: usize) -> String {
        let steps: Vec<String> = steps.iter().map(|step| self.step(step, top)).collect();
        format!("[{}]", steps.join(","))
    }
}
