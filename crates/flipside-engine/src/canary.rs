//! The order canary: its few asks, made before a run under the limits of the run.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use camino::Utf8Path;
use flipside_core::canary::{Canary, Carrier, Heard, MOST_ASKS, Question, Wording, judge, next};
use flipside_core::cost::Spending;
use flipside_core::digest::Digest;
use flipside_core::model::{Model, Reply, Sending, Wire};
use flipside_core::perturb::{Axis, Variant};
use flipside_core::present::Presentation;
use flipside_core::record::{Asked, Failed, FailedKind, Outcome};

use flipside_formats::journal::{self, Line};

use crate::append::{Append, AppendError};
use crate::ask::{self, Sent, send};
use crate::budget::{Budget, Room};
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
    /// What its asks took, those of an earlier command included.
    pub spending: Spending,
    /// Why what was asked is not kept, where it should be.
    pub unkept: Option<AppendError>,
}

/// The canary's own journal: what an earlier command asked, and where the next asks go.
#[derive(Debug)]
pub struct CanaryJournal {
    append: Append,
    known: Vec<Line<'static>>,
}

/// Why the canary's journal cannot be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum CanaryJournalError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] journal::Error),
    /// It cannot be written.
    #[error(transparent)]
    Append(#[from] AppendError),
}

impl CanaryJournal {
    /// Reads the journal at `path` and opens it for writing; a missing one is created.
    ///
    /// # Errors
    /// [`CanaryJournalError`]; the journal is unchanged then.
    pub fn open(path: &Utf8Path) -> Result<Self, CanaryJournalError> {
        let read = journal::read(path)?;
        Ok(Self {
            append: Append::open(path, read.whole_bytes, BTreeSet::new())?,
            known: read.lines,
        })
    }

    /// The answer on record to `question` in these bytes, with the server's id for the request.
    fn answer(&self, question: &Question, digest: Digest) -> Option<(Asked, Option<String>)> {
        let (name, digest) = (question.name(), digest.to_string());
        let is = |line: &&Line<'_>| {
            line.variant == name
                && line.digest == digest
                && matches!(*line.outcome, Outcome::Answered(_))
        };
        let line = self.known.iter().find(is)?;
        let id = line.request_id.as_deref().map(str::to_owned);
        Some((line.asked(), id))
    }

    fn write(&mut self, ask: &CanaryAsk, number: u32) -> Result<(), AppendError> {
        self.append.add(&ask.line(number))?;
        self.append.flush()
    }
}

/// One ask of the canary.
struct CanaryAsk {
    question: Question,
    request: Vec<u8>,
    digest: Digest,
    reply: Option<Reply>,
    asked: Asked,
}

impl CanaryAsk {
    /// Its line in the canary's own journal; `number`: its place there, from 0.
    fn line(&self, number: u32) -> Line<'_> {
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
/// Every ask is in `journal`, if there is one, before the next begins, and what it has already is not asked again. The canary ends with
/// its first failed ask, and where the next could pass the limit of costs: nothing that goes wrong here stops a run.
pub async fn canary(
    model: &dyn Model,
    limits: &Limits,
    signals: &Signals,
    longest: usize,
    mut journal: Option<CanaryJournal>,
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
    let mut budget = Budget::new(limits, Spending::default());
    let (mut heard, mut failed, mut unkept) = (Vec::new(), None, None);
    while let Some(question) = next(&heard, longest) {
        let bytes = match request(model, question, wording) {
            Ok(bytes) => bytes,
            Err(why) => {
                failed = Some(why);
                break;
            }
        };
        let (digest, length) = (Digest::of(&bytes), length(&bytes));
        let known = journal
            .as_ref()
            .and_then(|journal| journal.answer(&question, digest));
        if let Some((asked, id)) = known {
            budget.add(&asked, length);
            if let Outcome::Answered(answer) = &asked.outcome {
                heard.push(Heard::new(question, answer, id.as_deref()));
            }
            continue;
        }
        if let Some(why) = no_room(&budget, length) {
            failed = Some(why.to_owned());
            break;
        }
        let stopped = tokio::select! {
            biased;
            () = signals.drain.cancelled() => None,
            made = ask(line, question, wording, bytes) => Some(made),
        };
        let Some(made) = stopped else {
            failed = Some("interrupted".to_owned());
            break;
        };
        budget.add(&made.asked, length);
        let number = u32::try_from(heard.len()).expect("the canary makes few asks");
        let written = journal.as_mut().map(|journal| journal.write(&made, number));
        let id = made
            .reply
            .as_ref()
            .and_then(|reply| reply.request_id.as_deref());
        match &made.asked.outcome {
            Outcome::Answered(answer) => heard.push(Heard::new(question, answer, id)),
            Outcome::Failed(why) => failed = Some(why.message.clone()),
        }
        if let Some(Err(error)) = written {
            failed = failed.or_else(|| Some(error.to_string()));
            unkept = Some(error);
        }
        if failed.is_some() {
            break;
        }
    }
    let spending = budget.spending();
    let mut canary = judge(&heard, failed, carrier(model));
    canary.asks = spending.asks;
    CanaryEnded {
        canary,
        spending,
        unkept,
    }
}

/// Why the limit of costs leaves no room for another ask, if it does.
fn no_room(budget: &Budget, bytes: u32) -> Option<&'static str> {
    match budget.room(bytes) {
        Room::Free => None,
        Room::Blind => Some("an answer came whose cost nobody states, and `--max-cost` is given"),
        Room::Full | Room::Wait => Some("`--max-cost` leaves no room for it"),
    }
}

fn length(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).unwrap_or(u32::MAX)
}

/// The exact bytes of a question, or why it cannot be asked.
fn request(model: &dyn Model, question: Question, wording: Wording) -> Result<Vec<u8>, String> {
    let (case, order) = (question.case(wording), question.turn.order());
    let request = model.request(&Presentation::new(&case, &order));
    request.map_err(|unsupported| unsupported.reason)
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
    request: Vec<u8>,
) -> CanaryAsk {
    let (case, order) = (question.case(wording), question.turn.order());
    let shown = Presentation::new(&case, &order);
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
    CanaryAsk {
        question,
        digest: Digest::of(&request),
        request,
        reply,
        asked: Asked {
            outcome,
            ms,
            attempts,
        },
    }
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
