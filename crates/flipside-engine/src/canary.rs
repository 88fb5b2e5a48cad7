//! The order canary: its few asks, made before a run under the limits of the run.

use std::borrow::Cow;
use std::sync::atomic::AtomicBool;

use flipside_core::canary::{Canary, Carrier, Heard, MOST_ASKS, Question, Wording, judge, next};
use flipside_core::digest::Digest;
use flipside_core::model::{Model, Reply, Sending, Wire};
use flipside_core::perturb::{Axis, Variant};
use flipside_core::present::Presentation;
use flipside_core::record::{Asked, Failed, FailedKind, Outcome};

use flipside_formats::journal::{self, Line};

use crate::ask::{self, Sent, send};
use crate::budget::Spending;
use crate::limit::{Limits, Pacer};
use crate::retry::{Policy, Trouble};
use crate::run::Signals;

/// Attempts at one ask of the canary: it is no use to wait long for what a run can do without.
const ATTEMPTS: u32 = 2;

/// What the canary asked and what that says.
#[derive(Debug)]
pub struct CanaryEnded {
    /// What it found.
    pub canary: Canary,
    /// Its asks in the order in which they were made.
    pub asks: Vec<CanaryAsk>,
    /// What they cost.
    pub spending: Spending,
}

/// One ask of the canary.
#[derive(Debug)]
pub struct CanaryAsk {
    /// The question.
    pub question: Question,
    /// The exact bytes.
    pub request: Vec<u8>,
    /// Their digest.
    pub digest: Digest,
    /// The reply as received, if one came.
    pub reply: Option<Reply>,
    /// What became of it.
    pub asked: Asked,
}

impl CanaryAsk {
    /// Its line in the canary's own journal; `number`: its place there, from 0.
    pub fn line(&self, number: u32) -> Line<'_> {
        let order = self.question.turn.order();
        let reply = self.reply.as_ref();
        Line {
            ask: number,
            confirms: None,
            case: Cow::Borrowed("canary"),
            axis: variant(&self.question).axis,
            variant: Cow::Owned(self.question.name()),
            confidence: journal::confidence_of(&self.asked.outcome, &order),
            order: Cow::Owned(order),
            digest: Cow::Owned(self.digest.to_string()),
            request: Some(String::from_utf8_lossy(&self.request)),
            shares: None,
            recorded: false,
            deeper: None,
            reply: reply.map(|reply| Cow::Borrowed(reply.body.as_str())),
            request_id: reply.and_then(|reply| reply.request_id.as_deref().map(Cow::Borrowed)),
            server_ms: reply.and_then(|reply| reply.server_ms),
            outcome: Cow::Borrowed(&self.asked.outcome),
            ms: self.asked.ms,
            attempts: self.asked.attempts,
            state: None,
        }
    }
}

/// What records call the variant that a question is.
fn variant(question: &Question) -> Variant {
    Variant {
        axis: if question.again {
            Axis::Same
        } else {
            Axis::Order
        },
        name: question.name(),
    }
}

/// Asks `model` the canary's questions one after another. `longest`: characters of the longest option text of the run.
///
/// It ends with its first failed ask: nothing that goes wrong here stops a run.
pub async fn canary(
    model: &dyn Model,
    limits: &Limits,
    signals: &Signals,
    longest: usize,
) -> CanaryEnded {
    let limits = &Limits {
        policy: Policy {
            attempts: limits.policy.attempts.min(ATTEMPTS),
            ..limits.policy
        },
        ..limits.clone()
    };
    let pacer = Pacer::new(limits.rate);
    let deeper_refused = AtomicBool::new(false);
    let line = ask::Line {
        model,
        limits,
        pacer: &pacer,
        deeper_refused: &deeper_refused,
    };
    let wording = wording(model);
    let (mut heard, mut asks, mut spending) = (Vec::new(), Vec::new(), Spending::default());
    let mut failed = None;
    while let Some(question) = next(&heard, longest) {
        let stopped = tokio::select! {
            biased;
            () = signals.drain.cancelled() => Err("interrupted".to_owned()),
            made = ask(line, question, wording) => made,
        };
        let made = match stopped {
            Ok(made) => made,
            Err(why) => {
                failed = Some(why);
                break;
            }
        };
        spending.add(&made.asked, limits.price);
        let id = made
            .reply
            .as_ref()
            .and_then(|reply| reply.request_id.as_deref());
        match &made.asked.outcome {
            Outcome::Answered(answer) => heard.push(Heard::new(question, answer, id)),
            Outcome::Failed(why) => failed = Some(why.message.clone()),
        }
        asks.push(made);
        if failed.is_some() {
            break;
        }
    }
    let mut canary = judge(&heard, failed, carrier(model));
    canary.asks = asks.len() as u64;
    CanaryEnded {
        canary,
        asks,
        spending,
    }
}

/// What carries option order to `model`.
fn carrier(model: &dyn Model) -> Carrier {
    let protocol = model.card().protocol.as_ref();
    if protocol.is_some_and(Wire::order_beside) {
        Carrier::Beside
    } else {
        Carrier::Members
    }
}

/// The wording in which `model` can be asked: one text for all options, unless its protocol refuses that.
fn wording(model: &dyn Model) -> Wording {
    let takes = |question: Question| {
        let (case, order) = (question.case(Wording::Same), question.turn.order());
        model.request(&Presentation::new(&case, &order)).is_ok()
    };
    if next(&[], 0).is_none_or(takes) {
        Wording::Same
    } else {
        Wording::Apart
    }
}

/// Whether the canary fits into what may be asked of a plan that needs so many `requests`.
pub fn canary_fits(limits: &Limits, requests: usize) -> bool {
    let needed = (requests + MOST_ASKS) as u64;
    limits.max_asks.is_none_or(|most| needed <= most)
}

async fn ask(
    line: ask::Line<'_>,
    question: Question,
    wording: Wording,
) -> Result<CanaryAsk, String> {
    let (case, order) = (question.case(wording), question.turn.order());
    let shown = Presentation::new(&case, &order);
    let request = line
        .model
        .request(&shown)
        .map_err(|unsupported| unsupported.reason)?;
    let variant = variant(&question);
    let sending = Sending {
        shown: &shown,
        bytes: &request,
        case: &case.id,
        variant: &variant,
        again: question.again,
        attempt: 1,
    };
    let Sent {
        read,
        reply,
        deeper: _,
        ms,
        attempts,
    } = send(line, sending, |_| 0.0).await;
    let outcome = match read {
        Ok(answer) => Outcome::Answered(answer),
        Err((trouble, _)) => Outcome::Failed(failed(trouble)),
    };
    Ok(CanaryAsk {
        question,
        digest: Digest::of(&request),
        request,
        reply,
        asked: Asked {
            outcome,
            ms,
            attempts,
        },
    })
}

fn failed(trouble: Trouble) -> Failed {
    match trouble {
        Trouble::Rejection(rejection) => Failed::from(&rejection),
        Trouble::Failure(failure) => Failed {
            kind: FailedKind::Unavailable,
            message: failure.to_string(),
            unanswered: true,
        },
    }
}
