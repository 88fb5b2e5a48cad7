//! The answers to one request before they are written: decisions made, faults not yet applied.

use std::borrow::Cow;

use crate::cache::Memory;
use crate::confidence::{self, Confidence};
use crate::decide::{Scene, decide};
use crate::dialect::{Dialect, Wrong};
use crate::policy::Policy;
use crate::request::{Body, Kind, Problem, Question};
use crate::shares::{Decision, float};

/// A number as it will be written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    /// Rounded as the settings say.
    Float(f64),
    /// Written as it is.
    Exact(f64),
    Raw(&'static str),
    Quoted(f64),
}

/// A reply's content.
#[derive(Clone, Debug)]
pub(crate) struct Sheet<'a> {
    pub(crate) model: Cow<'a, str>,
    /// The checkpoint that answered, which Laya has in `routing`.
    pub(crate) routed: Cow<'a, str>,
    pub(crate) answers: Vec<(Cow<'a, str>, Answer<'a>)>,
    pub(crate) usage: Option<(Number, Number)>,
    /// Another provider than that of the request, in the dialects that name one.
    pub(crate) provider: Option<&'static str>,
    /// An extra top-level field, as JSON.
    pub(crate) extra: Option<&'static str>,
}

/// One answer.
#[derive(Clone, Debug)]
pub(crate) struct Answer<'a> {
    pub(crate) kind: Kind,
    /// A type of its own in place of everything else: `refusal`, `unsupported`, `oracle`.
    pub(crate) other: Option<&'static str>,
    pub(crate) choice: Cow<'a, str>,
    /// The score, or the probability that the statement holds.
    pub(crate) value: f64,
    pub(crate) confidence: Option<Number>,
    pub(crate) legend: Option<Vec<(Cow<'a, str>, &'a str)>>,
    pub(crate) probabilities: Option<Vec<(Cow<'a, str>, Number)>>,
    /// The probabilities before any rounding or fault.
    pub(crate) p: Vec<f64>,
}

/// What the server is made of, for answering.
pub(crate) struct Judge<'a> {
    pub(crate) dialect: Dialect,
    pub(crate) policy: &'a Policy,
    pub(crate) model: &'a str,
    /// What `confidence` means, where it is not the dialect's own.
    pub(crate) confidence: Option<Confidence>,
    pub(crate) memory: &'a Memory,
}

impl<'j> Judge<'j> {
    /// Answers every question of `body` about one of its states.
    pub(crate) fn answer<'a>(
        &self,
        body: &'a Body<'a>,
        state: &'a str,
        number: u64,
    ) -> Result<Sheet<'a>, Problem>
    where
        'j: 'a,
    {
        let mut answers = Vec::with_capacity(body.questions.len());
        for (place, question) in body.questions.iter().enumerate() {
            let scene = Scene {
                body,
                state,
                question,
                place,
                number,
                hide_keys: matches!(
                    self.dialect,
                    Dialect::Clm | Dialect::Cua | Dialect::Agentjev
                ),
                letters: &[],
                memory: self.memory,
            };
            let mut decision = decide(self.policy, &scene).map_err(|why| {
                Problem::new(
                    Wrong::Policy,
                    &["body", "questions", &question.id, "criteria"],
                    why,
                )
            })?;
            if let Some(temperature) = body.temperature {
                heat(&mut decision, temperature);
            }
            answers.push((
                Cow::Borrowed(question.id.as_ref()),
                self.one(question, decision),
            ));
        }
        let output = match self.dialect {
            Dialect::Typesafe | Dialect::Vercel | Dialect::Runware => answers.len(),
            _ => 0,
        };
        let model = if self.dialect.is_laya() {
            "laya-rl-agent"
        } else {
            self.model
        };
        Ok(Sheet {
            model: Cow::Owned(model.to_owned()),
            routed: Cow::Borrowed(self.model),
            answers,
            usage: Some((
                Number::Exact(self.tokens(body, state)),
                Number::Exact(float(output)),
            )),
            provider: None,
            extra: None,
        })
    }

    /// Input tokens: Laya reads the state with each question, and of both only its window.
    fn tokens(&self, body: &Body<'_>, state: &str) -> f64 {
        if !self.dialect.is_laya() {
            return tokens(body, state);
        }
        let window = if self.model == "english" {
            512.0
        } else {
            1_024.0
        };
        let questions = body.questions.iter();
        questions
            .map(|q| float((state.len() + bytes(q)).div_ceil(4)).min(window))
            .sum()
    }

    fn confidence(&self, kind: Kind, p: &[f64]) -> Option<f64> {
        match self.confidence {
            Some(stated) if kind != Kind::Noul => Some(stated.of(p)),
            _ => confidence::of(self.dialect, kind, p),
        }
    }

    fn one<'a>(&self, question: &'a Question<'a>, decision: Decision) -> Answer<'a> {
        let offers = &question.offers;
        let p = decision.p;
        let mut answer = Answer {
            kind: question.kind,
            other: decision.refused.then_some("refusal"),
            choice: Cow::Borrowed(&offers[decision.choice].key),
            value: 0.0,
            confidence: self.confidence(question.kind, &p).map(Number::Float),
            legend: None,
            probabilities: None,
            p,
        };
        let keyed = || {
            let pairs = offers.iter().zip(&answer.p);
            pairs
                .map(|(offer, p)| (Cow::Borrowed(offer.key.as_ref()), Number::Float(*p)))
                .collect()
        };
        match question.kind {
            Kind::Choice => answer.probabilities = Some(keyed()),
            Kind::Noul => {
                let holds = offers.iter().position(|offer| offer.key == "true");
                answer.value = holds.map_or(0.0, |at| answer.p[at]);
            }
            Kind::Score => {
                answer.probabilities = Some(keyed());
                let legend = offers
                    .iter()
                    .map(|offer| (Cow::Borrowed(offer.key.as_ref()), offer.raw));
                answer.legend = Some(legend.collect());
                answer.value = expectation(&answer.p);
            }
        }
        answer
    }
}

fn expectation(p: &[f64]) -> f64 {
    p.iter().enumerate().map(|(at, p)| float(at) * p).sum()
}

/// Divides the logits by `temperature`.
fn heat(decision: &mut Decision, temperature: f64) {
    for p in &mut decision.p {
        *p = p.powf(1.0 / temperature);
    }
    let sum: f64 = decision.p.iter().sum();
    for p in &mut decision.p {
        *p /= sum;
    }
}

/// A quarter of the bytes of state, instructions and options.
fn tokens(body: &Body<'_>, state: &str) -> f64 {
    let bytes = state.len() + body.questions.iter().map(bytes).sum::<usize>();
    float(bytes.div_ceil(4))
}

fn bytes(question: &Question<'_>) -> usize {
    let offers = question.offers.iter().map(|o| o.key.len() + o.raw.len());
    question.instructions.len() + offers.sum::<usize>()
}
