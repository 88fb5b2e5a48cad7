//! From a request to its reply: paths, keys, encodings and answers.

use std::borrow::Cow;
use std::fmt::Write;
use std::io::Read;

use crate::answer::Pen;
use crate::decide::Memory;
use crate::dialect::{Dialect, Wrong};
use crate::fault::Fault;
use crate::head::{self, Encoding, Head};
use crate::json::{Json, write_text};
use crate::policy::Policy;
use crate::reply::Reply;
use crate::request::{self, Body, Envelope, Kind, Offer, Problem, Question, field, text_of};
use crate::seen::sha256;
use crate::sheet::{Judge, Number};
use crate::spoil;

const MAX_DECODED: u64 = 32 * 1024 * 1024;
const RELEASE: &str = "2026-10-01";

/// What a server answers with.
pub(crate) struct Settings {
    pub(crate) dialect: Dialect,
    pub(crate) policy: Policy,
    pub(crate) model: String,
    pub(crate) key: Option<String>,
    pub(crate) decimals: Option<u32>,
    pub(crate) echo_seen: bool,
}

/// A request, whole.
pub(crate) struct Call<'a> {
    /// Head and whatever follows it.
    pub(crate) bytes: &'a [u8],
    pub(crate) head: &'a Head,
    pub(crate) body: &'a [u8],
}

/// Where a request goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    Decision,
    Batch,
    Rank,
    Models,
    Health,
    WrongMethod,
    Nowhere,
}

impl Route {
    pub(crate) fn of(dialect: Dialect, method: &[u8], path: &[u8]) -> Self {
        let path = path.split(|byte| *byte == b'?').next().unwrap_or_default();
        let (route, expected): (Self, &[u8]) = match (dialect, path) {
            _ if path == dialect.path().as_bytes() => (Self::Decision, b"POST"),
            (Dialect::Laya | Dialect::ProblemJson, b"/v1/systemone/batch")
            | (Dialect::Predict, b"/predict/batch") => (Self::Batch, b"POST"),
            (Dialect::Clm, b"/v1/rank") => (Self::Rank, b"POST"),
            (Dialect::Typesafe | Dialect::LayaPkg | Dialect::Clm, b"/v1/models")
            | (Dialect::Openrouter, b"/api/v1/models")
            | (Dialect::Vercel, b"/typesafe/v1/models")
            | (Dialect::Predict, b"/models") => (Self::Models, b"GET"),
            (
                Dialect::Laya | Dialect::Predict | Dialect::Clm | Dialect::ProblemJson,
                b"/health",
            )
            | (Dialect::LayaPkg, b"/healthz")
            | (Dialect::ProblemJson, b"/livez" | b"/readyz") => (Self::Health, b"GET"),
            _ => return Self::Nowhere,
        };
        if method == expected {
            route
        } else {
            Self::WrongMethod
        }
    }

    /// Whether the request is one that the model decides on: counted, and subject to faults.
    pub(crate) fn is_decision(self) -> bool {
        matches!(self, Self::Decision | Self::Batch | Self::Rank)
    }
}

impl<'a> Call<'a> {
    pub(crate) fn method(&self) -> &'a [u8] {
        &self.bytes[self.head.method.clone()]
    }

    pub(crate) fn path(&self) -> &'a [u8] {
        &self.bytes[self.head.path.clone()]
    }

    /// The `Authorization` header's value.
    pub(crate) fn credentials(&self) -> Option<&'a str> {
        let range = self.head.authorization.clone()?;
        std::str::from_utf8(&self.bytes[range]).ok()
    }

    /// The option keys received, if the body can be read at all.
    pub(crate) fn keys(&self, dialect: Dialect) -> Vec<String> {
        let text = self.text(dialect).ok();
        text.map_or_else(Vec::new, |text| request::keys(&text))
    }

    /// The body, decoded.
    fn text(&self, dialect: Dialect) -> Result<Cow<'a, str>, Problem> {
        let not_text = || Problem::new(Wrong::NotJson, &["body"], "not UTF-8");
        let too_large = || Problem::new(Wrong::TooLarge, &["body"], "the body is too large");
        let body = match self.head.encoding {
            Encoding::Identity => Cow::Borrowed(self.body),
            Encoding::Zstd if dialect == Dialect::Typesafe => {
                let broken = || Problem::new(Wrong::NotJson, &["body"], "not a zstd stream");
                let decoder =
                    ruzstd::decoding::StreamingDecoder::new(self.body).map_err(|_| broken())?;
                let mut body = Vec::new();
                decoder
                    .take(MAX_DECODED + 1)
                    .read_to_end(&mut body)
                    .map_err(|_| broken())?;
                Cow::Owned(body)
            }
            Encoding::Zstd | Encoding::Other => {
                let message = "this content encoding is not supported";
                return Err(Problem::new(Wrong::Encoding, &["body"], message));
            }
        };
        if body.len() > dialect.limits().body_bytes {
            return Err(too_large());
        }
        match body {
            Cow::Borrowed(body) => std::str::from_utf8(body)
                .map(Cow::Borrowed)
                .map_err(|_| not_text()),
            Cow::Owned(body) => String::from_utf8(body)
                .map(Cow::Owned)
                .map_err(|_| not_text()),
        }
    }
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
            Dialect::Openrouter | Dialect::Vercel | Dialect::LayaPkg => {}
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
            Route::Health => {
                reply.put("{\"status\":\"ok\"}");
                return Ok(());
            }
            _ => {}
        }
        self.authorize(call)?;
        if route == Route::Models {
            self.models(reply);
            return Ok(());
        }
        let text = call.text(self.dialect)?;
        if route == Route::Rank {
            return self.rank(&text, number, memory, reply);
        }
        let batch = route == Route::Batch;
        let body = Body::read(&text, self.dialect, &self.model, batch)?;
        let seen = self.echo_seen.then(|| x_seen(call, &text));
        let pen = Pen {
            dialect: self.dialect,
            decimals: self.decimals.or(self.dialect.decimals()),
            model: &self.model,
            number,
            seen: seen.as_deref(),
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

    fn judge<'a>(&'a self, memory: &'a Memory) -> Judge<'a> {
        Judge {
            dialect: self.dialect,
            policy: &self.policy,
            model: &self.model,
            memory,
        }
    }

    fn authorize(&self, call: &Call<'_>) -> Result<(), Problem> {
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
        let node = crate::json::Reader::new(text).node();
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
        let envelope = Envelope::read(text).unwrap_or_default();
        let body = Body {
            states: vec![context.raw],
            questions: vec![question],
            temperature: crate::check::temperature(envelope.temperature.as_ref(), self.dialect)?,
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
fn x_seen(call: &Call<'_>, text: &str) -> String {
    let mut out = Vec::new();
    let list = |out: &mut Vec<u8>, items: &mut dyn Iterator<Item = String>| {
        out.push(b'[');
        for (at, item) in items.enumerate() {
            out.extend_from_slice(if at > 0 { b"," } else { b"" });
            write_text(out, &item);
        }
        out.push(b']');
    };
    out.extend_from_slice(b"{\"keys\":");
    list(&mut out, &mut request::keys(text).into_iter());
    let mut middle = String::new();
    write!(middle, ",\"sha256\":\"{}\",\"headers\":", sha256(call.body))
        .expect("a string takes every character");
    out.extend_from_slice(middle.as_bytes());
    let names = head::fields(&call.bytes[..call.head.length]);
    list(&mut out, &mut names.into_iter().map(|(name, _)| name));
    out.push(b'}');
    String::from_utf8(out).unwrap_or_default()
}
