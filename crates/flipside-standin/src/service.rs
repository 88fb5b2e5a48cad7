//! Requests answered: keys, models, health, decisions.

use std::borrow::Cow;

use crate::answer::Pen;
use crate::cache::Memory;
use crate::check;
use crate::confidence::Confidence;
use crate::dialect::{Dialect, Wrong};
use crate::fault::Fault;
use crate::head;
use crate::json::{Json, Reader, write_text};
use crate::language::{Machine, Setting};
use crate::permute;
use crate::policy::Policy;
use crate::reply::Reply;
use crate::request::{Body, Envelope, Kind, Offer, Problem, Question, field, text_of};
use crate::route::{Call, Route};
use crate::seen::sha256;
use crate::sheet::{Judge, Number};
use crate::spoil;

const RELEASE: &str = "2026-10-01";

/// What a server answers with.
pub(crate) struct Settings {
    pub(crate) dialect: Dialect,
    pub(crate) policy: Policy,
    pub(crate) model: String,
    pub(crate) key: Option<String>,
    pub(crate) decimals: Option<u32>,
    pub(crate) echo_seen: bool,
    /// What `confidence` means, where it is not the dialect's own.
    pub(crate) confidence: Option<Confidence>,
    /// Headers that every reply carries.
    pub(crate) headers: Vec<(String, String)>,
    /// Of a language model's server.
    pub(crate) language: Vec<Setting>,
}

impl Settings {
    /// Answers a request; `number` is that of a decision request, `faults` those about its answer's shape.
    pub(crate) fn answer(
        &self,
        call: &Call<'_>,
        (route, number): (Route, u64),
        memory: &Memory,
        faults: &[&Fault],
        reply: &mut Reply,
    ) {
        if let Err(problem) = self.try_answer(call, (route, number), memory, faults, reply) {
            reply.problem(self.dialect, &problem);
        }
    }

    /// Adds the dialect's own headers.
    pub(crate) fn fields(&self, call: &Call<'_>, number: u64, reply: &mut Reply) {
        match self.dialect {
            Dialect::Typesafe => reply.field("x-typesafe-request-id", format_args!("req-{number}")),
            Dialect::Laya | Dialect::Predict => {
                reply.field("server-timing", "inference;dur=0.1");
                reply.field("x-inference-time-ms", "0.1");
            }
            Dialect::ProblemJson => {
                reply.field("server-timing", "inference;dur=0.1");
                let id = call.head.request_id.clone().map(|range| &call.bytes[range]);
                match id.and_then(|id| std::str::from_utf8(id).ok()) {
                    Some(id) => reply.field("x-request-id", id),
                    None => reply.field("x-request-id", format_args!("req-{number}")),
                }
            }
            Dialect::Clm => reply.field("x-clm-latency-ms", "0.1"),
            Dialect::Language(server) => server.fields(number, reply),
            Dialect::Kev => {
                reply.field("x-typesafe-request-id", format_args!("req-{number}"));
                reply.field("server-timing", "inference;dur=0.1");
            }
            Dialect::OpenaiDecisions => reply.field("x-request-id", format_args!("req-{number}")),
            Dialect::Openrouter
            | Dialect::Vercel
            | Dialect::LayaPkg
            | Dialect::Cua
            | Dialect::OllamaS1
            | Dialect::Runware
            | Dialect::Cloudflare
            | Dialect::JevCompatible
            | Dialect::Agentjev => {}
        }
        for (name, value) in &self.headers {
            reply.field(name, value);
        }
    }

    fn try_answer(
        &self,
        call: &Call<'_>,
        (route, number): (Route, u64),
        memory: &Memory,
        faults: &[&Fault],
        reply: &mut Reply,
    ) -> Result<(), Problem> {
        match route {
            Route::Nowhere => return Err(Problem::new(Wrong::NoSuchPath, &[], "no such path")),
            Route::WrongMethod => {
                return Err(Problem::new(Wrong::Method, &[], "not with this method"));
            }
            Route::Health if !matches!(self.dialect, Dialect::Language(_)) => {
                reply.put("{\"status\":\"ok\"}");
                return Ok(());
            }
            _ => {}
        }
        self.authorize(call)?;
        if let Dialect::Language(server) = self.dialect {
            let machine = Machine::new(self, server, memory, faults);
            machine.answer(call, (route, number), reply)?;
            if let Some(last) = reply.body.pop_if(|last| self.echo_seen && *last == b'}') {
                let seen = x_seen(call, &call.keys(self.dialect));
                reply.put(&format!(",\"x_seen\":{seen}"));
                reply.body.push(last);
            }
            return Ok(());
        }
        if route == Route::Models {
            self.models(reply);
            return Ok(());
        }
        let text = call.text(self.dialect)?;
        if route == Route::Rank {
            return self.rank(&text, number, memory, reply);
        }
        if route == Route::Permute {
            return permute::answer(&self.judge(memory), &text, number, reply);
        }
        let batch = route == Route::Batch;
        let seen = self
            .echo_seen
            .then(|| x_seen(call, &call.keys(self.dialect)));
        let pen = Pen {
            dialect: self.dialect,
            decimals: self.decimals.or(self.dialect.decimals()),
            number,
            provider: None,
            seen: seen.as_deref(),
        };
        if self.dialect.is_listed() {
            return self.listed(&text, pen, memory, faults, reply);
        }
        let body = Body::read(&text, self.dialect, &self.model, batch)?;
        let pen = Pen {
            provider: body.provider.as_deref(),
            ..pen
        };
        let judge = self.judge(memory);
        if batch {
            reply.put("{\"results\":[");
        }
        let mut tokens = 0.0;
        for (at, state) in body.states.iter().enumerate() {
            let mut sheet = judge.answer(&body, state, number)?;
            for fault in faults {
                spoil::sheet(&mut sheet, fault);
            }
            if let Some((Number::Exact(input), _)) = sheet.usage {
                tokens += input;
            }
            reply.put(if at > 0 { "," } else { "" });
            pen.sheet(&mut reply.body, &sheet);
        }
        if batch {
            reply.put("],\"total_usage\":");
            let usage = (Number::Exact(tokens), Number::Exact(0.0));
            pen.usage(&mut reply.body, usage, body.questions.len());
            reply.put("}");
        }
        Ok(())
    }

    pub(crate) fn judge<'a>(&'a self, memory: &'a Memory) -> Judge<'a> {
        Judge {
            dialect: self.dialect,
            policy: &self.policy,
            model: &self.model,
            confidence: self.confidence,
            memory,
        }
    }

    pub(crate) fn authorize(&self, call: &Call<'_>) -> Result<(), Problem> {
        let Some(key) = &self.key else {
            return Ok(());
        };
        match call.credentials() {
            None => Err(Problem::new(Wrong::NoKey, &[], "no key was given")),
            Some(credentials) if credentials.strip_prefix("Bearer ") == Some(key) => Ok(()),
            Some(_) => Err(Problem::new(
                Wrong::StrangeKey,
                &[],
                "this key is not known",
            )),
        }
    }

    fn models(&self, reply: &mut Reply) {
        if self.dialect == Dialect::Openrouter {
            reply.put("{\"data\":[{\"id\":");
            reply.text(&self.model);
            reply.put(",\"architecture\":{\"input_modalities\":[\"text\"],\"output_modalities\":[\"decisions\"]}}]}");
            return;
        }
        if self.dialect == Dialect::OpenaiDecisions {
            reply.put("{\"object\":\"list\",\"data\":[{\"id\":");
            reply.text(&self.model);
            reply.put(",\"object\":\"model\"}]}");
            return;
        }
        if self.dialect == Dialect::Agentjev {
            reply.put("{\"api_version\":\"agentjev.decision.v1\",\"model\":");
            reply.text(&self.model);
            reply.put("}");
            return;
        }
        reply.put("{\"models\":[{\"name\":");
        reply.text(&self.model);
        reply.put(",\"description\":\"a stand-in\",\"release_date\":\"");
        reply.put(RELEASE);
        reply.put("\"}]}");
    }

    /// CLM's `/v1/rank`: the policy over the answers, which are options without a key.
    fn rank(
        &self,
        text: &str,
        number: u64,
        memory: &Memory,
        reply: &mut Reply,
    ) -> Result<(), Problem> {
        let wrong = |name: &str| {
            Problem::new(
                Wrong::Envelope,
                &["body", name],
                format!("`{name}` is required"),
            )
        };
        let node = Reader::new(text).node();
        let node =
            node.map_err(|broken| Problem::new(Wrong::NotJson, &["body"], broken.to_string()))?;
        let Json::Object(fields) = &node.json else {
            return Err(wrong("context"));
        };
        let context = field(fields, "context").ok_or_else(|| wrong("context"))?;
        let Some(Json::Array(answers)) = field(fields, "answers").map(|node| &node.json) else {
            return Err(wrong("answers"));
        };
        let offers: Vec<Offer<'_>> = answers
            .iter()
            .map(|node| Offer {
                key: text_of(node).unwrap_or_default(),
                text: None,
                raw: "null",
            })
            .collect();
        if offers.is_empty() {
            return Err(wrong("answers"));
        }
        let question = Question {
            id: Cow::Borrowed("rank"),
            kind: Kind::Choice,
            instructions: field(fields, "question").map_or("null", |node| node.raw),
            offers,
            option_order: None,
        };
        let envelope = Envelope::read(text, self.dialect).unwrap_or_default();
        let body = Body {
            states: vec![context.raw],
            questions: vec![question],
            temperature: check::temperature(envelope.temperature.as_ref(), self.dialect)?,
            provider: None,
        };
        let sheet = self.judge(memory).answer(&body, context.raw, number)?;
        let (_, answer) = &sheet.answers[0];
        let mut ranked: Vec<usize> = (0..answer.p.len()).collect();
        ranked.sort_by(|a, b| answer.p[*b].total_cmp(&answer.p[*a]));
        reply.put("{\"model\":");
        reply.text(&self.model);
        reply.put(",\"ranked\":[");
        for (rank, at) in ranked.into_iter().enumerate() {
            reply.put(if rank > 0 { "," } else { "" });
            reply.put(&format!("{{\"rank\":{},\"candidate\":", rank + 1));
            reply.text(&body.questions[0].offers[at].key);
            reply.put(&format!(",\"prob\":{:?}}}", answer.p[at]));
        }
        reply.put("]}");
        Ok(())
    }
}

/// The key order, the digest of the body as received, and the header names.
fn x_seen(call: &Call<'_>, keys: &[String]) -> String {
    let names = head::fields(&call.bytes[..call.head.length]);
    let names: Vec<String> = names.into_iter().map(|(name, _)| name).collect();
    let (keys, names) = (list(keys), list(&names));
    let digest = sha256(call.body);
    format!("{{\"keys\":{keys},\"sha256\":\"{digest}\",\"headers\":{names}}}")
}

/// Texts as a JSON list.
fn list(texts: &[String]) -> String {
    let mut out = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        out.push(if at > 0 { b',' } else { b'[' });
        write_text(&mut out, text);
    }
    out.extend_from_slice(if texts.is_empty() { b"[]" } else { b"]" });
    String::from_utf8(out).unwrap_or_default()
}
