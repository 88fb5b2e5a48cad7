//! A sheet of answers written as the dialect writes it.

use std::io::Write;

use crate::confidence;
use crate::dialect::Dialect;
use crate::json::write_text;
use crate::request::Kind;
use crate::sheet::{Answer, Number, Sheet};

const USD_PER_TOKEN: f64 = 0.042e-6;

/// How numbers and names go out.
#[derive(Clone, Copy)]
pub(crate) struct Pen<'a> {
    pub(crate) dialect: Dialect,
    /// Decimals to round to; none is the shortest text that reads back the same.
    pub(crate) decimals: Option<u32>,
    pub(crate) number: u64,
    /// Who answers for OpenRouter, where the caller said so.
    pub(crate) provider: Option<&'a str>,
    /// The value of `x_seen`, as JSON.
    pub(crate) seen: Option<&'a str>,
}

impl Pen<'_> {
    /// Appends the sheet as a JSON object.
    pub(crate) fn sheet(&self, out: &mut Vec<u8>, sheet: &Sheet<'_>) {
        if self.dialect == Dialect::Cloudflare {
            put(
                out,
                "{\"success\":true,\"errors\":[],\"messages\":[],\"result\":",
            );
        }
        self.plain(out, sheet);
        if self.dialect == Dialect::Cloudflare {
            out.push(b'}');
        }
    }

    fn plain(&self, out: &mut Vec<u8>, sheet: &Sheet<'_>) {
        out.push(b'{');
        if self.dialect == Dialect::Openrouter {
            put(out, "\"id\":\"dec-");
            write!(out, "{}\",", self.number).expect("a vector takes every byte");
        }
        put(out, "\"model\":");
        write_text(out, &sheet.model);
        if self.dialect == Dialect::Openrouter {
            put(out, ",\"provider\":");
            write_text(out, sheet.provider.or(self.provider).unwrap_or("TypeSafe"));
        }
        put(out, ",\"answers\":{");
        for (at, (id, answer)) in sheet.answers.iter().enumerate() {
            put(out, if at > 0 { "," } else { "" });
            write_text(out, id);
            out.push(b':');
            self.answer(out, answer);
        }
        out.push(b'}');
        if let Some(usage) = sheet.usage {
            put(out, ",\"usage\":");
            self.usage(out, usage, sheet.answers.len());
        }
        if self.dialect.is_laya() {
            put(out, ",\"routing\":{\"model\":");
            write_text(out, &sheet.routed);
            put(out, ",\"repo\":");
            write_text(out, &format!("standin/{}", sheet.routed));
            put(
                out,
                ",\"reason\":\"language\",\"detection\":{},\"workflow\":null}",
            );
        }
        if self.dialect == Dialect::Kev {
            put(out, ",\"latency_ms\":0.1");
        }
        if let Some(extra) = sheet.extra {
            out.push(b',');
            put(out, extra);
        }
        if let Some(seen) = self.seen {
            put(out, ",\"x_seen\":");
            put(out, seen);
        }
        out.push(b'}');
    }

    /// Appends `{input_tokens, output_tokens}` with what the dialect adds.
    pub(crate) fn usage(
        &self,
        out: &mut Vec<u8>,
        (input, output): (Number, Number),
        questions: usize,
    ) {
        out.push(b'{');
        if self.dialect == Dialect::Clm {
            write!(out, "\"billing_units\":{questions},").expect("a vector takes every byte");
        }
        put(out, "\"input_tokens\":");
        self.number(out, input);
        put(out, ",\"output_tokens\":");
        self.number(out, output);
        if self.dialect == Dialect::Openrouter {
            let Number::Exact(tokens) = input else {
                return out.push(b'}');
            };
            put(
                out,
                ",\"input_tokens_details\":{\"cached_tokens\":0},\"cost\":",
            );
            let cost = (tokens * USD_PER_TOKEN * 1e9).round() / 1e9;
            write!(out, "{cost}").expect("a vector takes every byte");
        }
        out.push(b'}');
    }

    fn answer(&self, out: &mut Vec<u8>, answer: &Answer<'_>) {
        put(out, "{\"type\":\"");
        if let Some(other) = answer.other {
            put(out, other);
            out.push(b'"');
            if other == "unsupported" && self.dialect == Dialect::JevCompatible {
                let kind = match answer.kind {
                    Kind::Choice => "choice",
                    Kind::Score => "score",
                    Kind::Noul => "noul",
                };
                put(out, ",\"question_type\":\"");
                put(out, kind);
                put(out, "\",\"reason\":\"this model does not answer ");
                put(out, kind);
                put(out, " questions\",\"supported_types\":[]");
            }
            return out.push(b'}');
        }
        put(
            out,
            match answer.kind {
                Kind::Choice => "choice\",\"choice\":",
                Kind::Score => "score\",\"score\":",
                Kind::Noul => "noul\",\"noul\":",
            },
        );
        match answer.kind {
            Kind::Choice => write_text(out, &answer.choice),
            Kind::Score | Kind::Noul => self.number(out, Number::Float(answer.value)),
        }
        if let Some(confidence) = answer.confidence {
            put(out, ",\"confidence\":");
            self.number(out, confidence);
        }
        if let Some(legend) = answer
            .legend
            .as_ref()
            .filter(|_| self.dialect == Dialect::JevCompatible)
        {
            put(out, ",\"legend\":[");
            for (at, (_, raw)) in legend.iter().enumerate() {
                put(out, if at > 0 { "," } else { "" });
                put(out, raw);
            }
            out.push(b']');
        } else if let Some(legend) = &answer.legend {
            put(out, ",\"legend\":{");
            for (at, (key, raw)) in legend.iter().enumerate() {
                put(out, if at > 0 { "," } else { "" });
                write_text(out, key);
                out.push(b':');
                put(out, raw);
            }
            out.push(b'}');
        }
        if let Some(probabilities) = &answer.probabilities {
            put(out, ",\"probabilities\":{");
            for (at, (key, p)) in probabilities.iter().enumerate() {
                put(out, if at > 0 { "," } else { "" });
                write_text(out, key);
                out.push(b':');
                self.number(out, *p);
            }
            out.push(b'}');
        }
        if self.dialect.is_laya() && answer.kind != Kind::Noul {
            let top = confidence::top(&answer.p);
            put(out, ",\"answer_confidence\":");
            self.number(out, Number::Float(top));
            put(out, ",\"action\":{\"act_probability\":");
            self.number(out, Number::Float(top));
            put(out, "},\"x_jev_confidence\":");
            self.number(out, Number::Float(confidence::above_chance(&answer.p)));
        }
        out.push(b'}');
    }

    pub(crate) fn number(&self, out: &mut Vec<u8>, number: Number) {
        match (number, self.decimals) {
            (Number::Float(value), Some(decimals)) => write!(out, "{:?}", round(value, decimals)),
            (Number::Float(value), None) => write!(out, "{value:?}"),
            (Number::Exact(value), _) => write!(out, "{value}"),
            (Number::Raw(text), _) => write!(out, "{text}"),
            (Number::Quoted(value), _) => write!(out, "\"{value:?}\""),
        }
        .expect("a vector takes every byte");
    }
}

/// `value` to so many decimals.
pub(crate) fn round(value: f64, decimals: u32) -> f64 {
    let scale = 10f64.powi(i32::try_from(decimals).unwrap_or(15));
    (value * scale).round() / scale
}

fn put(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(text.as_bytes());
}
