//! Replies in the servers' own shapes: llama.cpp's and Ollama's.

use super::ask::Ask;
use super::machine::{Machine, Said, tokens};
use super::server::Form;
use super::tokens::{Entry, Step};
use super::write::{Pen, quoted};
use crate::fault::{Fault, LanguageFault};
use crate::reply::Reply;

const LINES: &str = "application/x-ndjson";
const CREATED: &str = "2026-10-01T00:00:00Z";

impl Machine<'_> {
    /// llama.cpp's `/completion`.
    pub(super) fn llamacpp(&self, ask: &Ask, said: &Said) -> String {
        let spoken = &said.spoken;
        let pen = self.pen();
        let probabilities = match ask.top {
            None => String::new(),
            Some(_) if self.has(LanguageFault::LogprobsNull) => {
                ",\"completion_probabilities\":null".to_owned()
            }
            Some(top) => {
                let steps: Vec<String> = spoken
                    .steps
                    .iter()
                    .map(|step| place(&pen, step, top, ask.post_sampling))
                    .collect();
                format!(",\"completion_probabilities\":[{}]", steps.join(","))
            }
        };
        let (read, written) = tokens(std::slice::from_ref(said));
        let usage = if self.meets(&Fault::NoUsage) {
            String::new()
        } else {
            format!(
                ",\"tokens_predicted\":{written},\"tokens_evaluated\":{read},\"tokens_cached\":{}",
                read + written
            )
        };
        let stop = if spoken.full { "limit" } else { "eos" };
        format!(
            "{{\"index\":0,\"content\":{},\"tokens\":[],\"id_slot\":0,\"stop\":true,\"model\":{}{usage},\"generation_settings\":{{}},\
             \"truncated\":false,\"stop_type\":\"{stop}\",\"stopping_word\":\"\",\"timings\":{{}}{probabilities}}}",
            quoted(&spoken.text()),
            self.model(ask)
        )
    }

    /// Ollama's `/api/chat` and `/api/generate`; lines of JSON where the request does not say that it wants one object.
    pub(super) fn ollama(&self, ask: &Ask, said: &Said, form: Form, reply: &mut Reply) -> String {
        let spoken = &said.spoken;
        let model = self.model(ask);
        let thinking = if self.has(LanguageFault::ReasoningContent) {
            format!(",\"thinking\":{}", quoted(&said.thought.aloud()))
        } else {
            String::new()
        };
        let answer = |text: &str| {
            let text = quoted(text);
            match form {
                Form::OllamaGenerate => format!("\"response\":{text}{thinking}"),
                _ => format!("\"message\":{{\"role\":\"assistant\",\"content\":{text}{thinking}}}"),
            }
        };
        let logprobs = match ask.top {
            None => String::new(),
            Some(_) if self.has(LanguageFault::LogprobsNull) => ",\"logprobs\":null".to_owned(),
            Some(top) => format!(",\"logprobs\":{}", self.pen().steps(&spoken.steps, top)),
        };
        let (read, written) = tokens(std::slice::from_ref(said));
        let usage = if self.meets(&Fault::NoUsage) {
            String::new()
        } else {
            format!(",\"prompt_eval_count\":{read},\"eval_count\":{written}")
        };
        let head = format!("{{\"model\":{model},\"created_at\":\"{CREATED}\",");
        let end = format!(
            "\"done\":true,\"done_reason\":\"{}\",\"total_duration\":1000000{usage}",
            self.finish(spoken)
        );
        if !ask.stream {
            return format!("{head}{},{end}{logprobs}}}", answer(&spoken.text()));
        }
        reply.content_type = LINES;
        let (first, last) = (answer(&spoken.text()), answer(""));
        format!("{head}{first},\"done\":false{logprobs}}}\n{head}{last},{end}}}\n")
    }
}

/// One place as llama.cpp has it: with token numbers, and probabilities where they were asked for after sampling.
fn place(pen: &Pen, step: &Step, top: usize, post_sampling: bool) -> String {
    let entry = |entry: &Entry| {
        let (name, value) = if post_sampling {
            ("prob", entry.logprob.exp())
        } else {
            ("logprob", entry.logprob)
        };
        format!(
            "\"id\":{},\"token\":{}{},\"{name}\":{}",
            number(entry),
            quoted(&pen.shown(&entry.text)),
            pen.bytes(entry),
            pen.number(value)
        )
    };
    let list = if post_sampling {
        "top_probs"
    } else {
        "top_logprobs"
    };
    let listed: Vec<String> = pen
        .listed(step, top)
        .into_iter()
        .map(|each| format!("{{{}}}", entry(each)))
        .collect();
    format!(
        "{{{},\"{list}\":[{}]}}",
        entry(&step.chosen),
        listed.join(",")
    )
}

/// A token's number: that of its one printable character from `!` on, or one made of its bytes.
fn number(entry: &Entry) -> u32 {
    match entry.bytes[..] {
        [byte @ b'!'..=b'~'] => u32::from(byte - b'!'),
        _ => entry
            .bytes
            .iter()
            .fold(1000, |sum, byte| (sum * 31 + u32::from(*byte)) % 50_000),
    }
}
