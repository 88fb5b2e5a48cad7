//! Answers from logits (the Laya page, 6), and the reply that says them.

use std::fmt::Write as _;

use flipside_core::case::QuestionKind;

use super::question::Question;
use super::sequence::Cuts;
use crate::softmax::{first_largest, softmax};
use crate::written::{INFALLIBLE, members, quoted};

/// What a checkpoint answers to one question, nothing rounded; lists are in the order of the criteria.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Raw logits.
    pub logits: Vec<f32>,
    /// The temperature that they were divided by.
    pub temperature: f64,
    /// Probabilities.
    pub probabilities: Vec<f32>,
    /// The first largest probability's option.
    pub choice: usize,
    /// The expected level of a score.
    pub score: Option<f64>,
    /// 1 − H / ln k of a choice or score, the larger probability of a statement.
    pub confidence: f64,
    /// The probability of "act"; `None` for logits that did not come out of a forward pass.
    pub act: Option<f32>,
}

/// What a probability is raised to inside a logarithm.
const FLOOR: f64 = 1e-12;

impl Answer {
    /// The answer that raw logits by slot give.
    pub fn of(
        question: &Question,
        logits_by_slot: &[f32],
        temperature: f64,
        act: Option<f32>,
    ) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the original divides in 32 bits"
        )]
        let by_slot = softmax(logits_by_slot, temperature as f32);
        let mut logits = vec![0.0; by_slot.len()];
        let mut probabilities = vec![0.0; by_slot.len()];
        for (slot, option) in question.order.iter().enumerate() {
            logits[*option] = logits_by_slot[slot];
            probabilities[*option] = by_slot[slot];
        }
        let p: Vec<f64> = probabilities.iter().map(|p| f64::from(*p)).collect();
        let score = (question.kind == QuestionKind::Score).then(|| {
            p.iter()
                .enumerate()
                .map(|(level, p)| level as f64 * p)
                .sum()
        });
        let confidence = match question.kind {
            QuestionKind::Noul => p[1].max(1.0 - p[1]),
            QuestionKind::Choice | QuestionKind::Score if p.len() < 2 => 1.0,
            QuestionKind::Choice | QuestionKind::Score => {
                let entropy: f64 = -p.iter().map(|p| p * p.max(FLOOR).ln()).sum::<f64>();
                (1.0 - entropy / (p.len() as f64).ln()).clamp(0.0, 1.0)
            }
        };
        Self {
            choice: first_largest(&probabilities),
            logits,
            temperature,
            probabilities,
            score,
            confidence,
            act,
        }
    }

    /// Appends the answer object of a System One reply, with the logits beside what a server says.
    pub(crate) fn write(&self, question: &Question, cuts: &Cuts, out: &mut String) {
        write!(out, "{{\"type\":\"{}\"", question.kind.name()).expect(INFALLIBLE);
        match question.kind {
            QuestionKind::Choice => {
                out.push_str(",\"choice\":");
                quoted(&question.keys[self.choice], out);
            }
            QuestionKind::Score => {
                let score = self.score.unwrap_or_default();
                write!(out, ",\"score\":{score},\"legend\":{{").expect(INFALLIBLE);
                members(
                    question.keys.iter().zip(&question.levels),
                    out,
                    |text, out| {
                        quoted(text, out);
                    },
                );
            }
            QuestionKind::Noul => {
                write!(out, ",\"noul\":{}", self.probabilities[1]).expect(INFALLIBLE);
            }
        }
        if question.kind != QuestionKind::Noul {
            out.push_str(",\"probabilities\":{");
            numbers(question, &self.probabilities, out);
        }
        write!(out, ",\"confidence\":{}", self.confidence).expect(INFALLIBLE);
        let top = self.probabilities[self.choice];
        write!(out, ",\"answer_confidence\":{top}").expect(INFALLIBLE);
        if let Some(act) = self.act {
            write!(out, ",\"action\":{{\"act_probability\":{act}}}").expect(INFALLIBLE);
        }
        out.push_str(",\"logits\":{");
        numbers(question, &self.logits, out);
        write!(
            out,
            ",\"temperature\":{},\"options_distinct\":{},\"option_tokens\":{{",
            self.temperature, cuts.distinct
        )
        .expect(INFALLIBLE);
        let by_slot = question.order.iter().map(|option| &question.keys[*option]);
        members(by_slot.zip(&cuts.options), out, |(found, kept), out| {
            write!(out, "[{kept},{found}]").expect(INFALLIBLE);
        });
        out.push('}');
    }
}

fn numbers(question: &Question, values: &[f32], out: &mut String) {
    members(question.keys.iter().zip(values), out, |value, out| {
        write!(out, "{value}").expect(INFALLIBLE);
    });
}
