//! One ask's life between its permit and the journal: rate limit, send, classify, back off, align.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use flipside_core::answer::Answer;
use flipside_core::digest::Digest;
use flipside_core::model::{Failure, Model, Rejection, Reply, Sending};
use flipside_core::plan::{Plan, Planned};
use flipside_core::present::Presentation;
use flipside_core::record::{Failed, FailedKind, Outcome};
use flipside_core::stats::draw::{Part, Stream};
use tokio::time::Instant;

use crate::deeper::{self, Deeper};
use crate::limit::{Limits, Pacer};
use crate::retry::{Decision, Trouble, decide};

/// What all asks of a run share.
pub(crate) struct Context<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) model: &'a dyn Model,
    pub(crate) limits: &'a Limits,
    pub(crate) pacer: Pacer,
    /// Whether the server refused a deeper request: then it is sent no other.
    pub(crate) deeper_refused: AtomicBool,
}

/// An ask that ended.
pub(crate) struct Done {
    pub(crate) ask: usize,
    pub(crate) end: End,
    pub(crate) request: Vec<u8>,
    pub(crate) reply: Option<Reply>,
    /// The deeper request, where one was sent.
    pub(crate) deeper: Option<Deeper>,
    pub(crate) ms: f64,
    pub(crate) attempts: u32,
}

impl Done {
    /// The reply that the outcome was read from.
    pub(crate) fn taken(&self) -> Option<&Reply> {
        let deeper = self.deeper.as_ref().filter(|deeper| deeper.taken);
        deeper.map_or(self.reply.as_ref(), |deeper| deeper.reply.as_ref())
    }
}

/// How an ask ended.
pub(crate) enum End {
    /// With an answer or a failure that belongs into the journal.
    Outcome(Outcome),
    /// With a trouble of the backend that the next ask may meet too.
    Trouble(Failed, Severity),
}

/// How bad a trouble of the backend is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Severity {
    /// This ask failed; others may not.
    Transport,
    /// There is no connection.
    Down,
    /// Every further ask would be refused.
    Refused,
}

/// Sends one ask until it is answered, failed for good, or stops the run.
pub(crate) async fn ask(context: &Context<'_>, place: usize) -> Done {
    let Context {
        plan,
        model,
        limits,
        pacer,
        deeper_refused,
    } = context;
    let (planned, again) = plan.slot(place);
    let case = plan.shown_case(planned);
    let shown = Presentation::new(&case, &planned.order);
    let request = build(*model, &shown, planned);
    let sending = Sending {
        shown: &shown,
        bytes: &request,
        case: &case.id,
        variant: plan.variant_of(planned),
        again,
        attempt: 1,
    };
    let line = Line {
        model: *model,
        limits,
        pacer,
        deeper_refused,
    };
    let sent = send(line, sending, |attempt| jitter(plan, planned, attempt)).await;
    let end = match sent.read {
        Ok(answer) => End::Outcome(Outcome::Answered(answer)),
        Err((trouble, refused)) => end(trouble, refused),
    };
    Done {
        ask: place,
        end,
        request,
        reply: sent.reply,
        deeper: sent.deeper,
        ms: sent.ms,
        attempts: sent.attempts,
    }
}

/// What sending an ask brought in the end.
pub(crate) struct Sent {
    /// The answer, or why there is none and whether every further ask would be refused.
    pub(crate) read: Result<Answer, (Trouble, bool)>,
    pub(crate) reply: Option<Reply>,
    /// The deeper request, where one was sent.
    pub(crate) deeper: Option<Deeper>,
    /// How long the last attempt took.
    pub(crate) ms: f64,
    pub(crate) attempts: u32,
}

/// The way to a model, under the limits of a run.
#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    pub(crate) model: &'a dyn Model,
    pub(crate) limits: &'a Limits,
    pub(crate) pacer: &'a Pacer,
    /// Whether the server refused a deeper request: then it is sent no other.
    pub(crate) deeper_refused: &'a AtomicBool,
}

/// Sends the same bytes until they are answered, failed for good, or would be refused for ever. `jitter`: from 0 to 1, by attempt.
pub(crate) async fn send(line: Line<'_>, ask: Sending<'_>, jitter: impl Fn(u32) -> f64) -> Sent {
    let Line {
        model,
        limits,
        pacer,
        deeper_refused: _,
    } = line;
    let start = Instant::now();
    if let Some(reply) = model.kept(&ask)
        && let Ok(answer) = model.read(ask.shown, &reply)
    {
        // Nothing was sent: it takes no time, costs nothing and is no attempt.
        return Sent {
            read: Ok(answer),
            reply: Some(reply),
            deeper: None,
            ms: 0.0,
            attempts: 0,
        };
    }
    let mut attempt = 1;
    loop {
        pacer.ready().await;
        let sent = Instant::now();
        let sending = Sending { attempt, ..ask };
        let left = limits.policy.budget.saturating_sub(start.elapsed());
        let limit = limits.timeout.min(left);
        let received = match tokio::time::timeout(limit, model.send(sending)).await {
            Ok(received) => received,
            Err(_) => Err(Failure::TimedOut { after: limit }),
        };
        let ms = sent.elapsed().as_secs_f64() * 1e3;
        let done = |read, reply| Sent {
            read,
            reply,
            deeper: None,
            ms,
            attempts: attempt,
        };
        let (trouble, reply) = match received {
            Ok(reply) => {
                let read = model.read(sending.shown, &reply);
                let (read, deeper) = deeper::ask(&line, &reply, read, sending, start).await;
                match (read, deeper) {
                    (Ok(answer), deeper) => {
                        let attempts = attempt + u32::from(deeper.is_some());
                        return Sent {
                            deeper,
                            attempts,
                            ms: sent.elapsed().as_secs_f64() * 1e3,
                            ..done(Ok(answer), Some(reply))
                        };
                    }
                    // What a deeper reply does not mend either is not mended by asking again.
                    (Err(rejection), Some(deeper)) => {
                        let trouble = Trouble::Rejection(rejection);
                        return Sent {
                            deeper: Some(deeper),
                            attempts: attempt + 1,
                            ..done(Err((trouble, false)), Some(reply))
                        };
                    }
                    (Err(rejection), None) => (Trouble::Rejection(rejection), Some(reply)),
                }
            }
            Err(failure) => (Trouble::Failure(failure), None),
        };
        match decide(
            &trouble,
            attempt,
            start.elapsed(),
            &limits.policy,
            jitter(attempt),
        ) {
            Decision::Again(wait) => back_off(wait).await,
            Decision::GiveUp => return done(Err((trouble, false)), reply),
            Decision::StopRun => return done(Err((trouble, true)), reply),
        }
        attempt += 1;
    }
}

async fn back_off(wait: Duration) {
    tokio::time::sleep(wait).await;
}

/// The exact bytes, which are those that the plan hashed.
fn build(model: &dyn Model, shown: &Presentation<'_>, planned: &Planned) -> Vec<u8> {
    let request = model
        .request(shown)
        .expect("the plan built this request before");
    debug_assert_eq!(
        Digest::of(&request),
        planned.digest,
        "a request is the same each time it is built"
    );
    request
}

fn jitter(plan: &Plan, planned: &Planned, attempt: u32) -> f64 {
    let variant = plan.variant_of(planned).to_string();
    let case = &plan.case_of(planned).id.0;
    let parts = [
        Part::U64(plan.seed),
        Part::Text("jitter"),
        Part::Text(case),
        Part::Text(&variant),
        Part::U64(u64::from(attempt)),
    ];
    Stream::new(&parts).unit()
}

fn end(trouble: Trouble, refused: bool) -> End {
    let severity = if refused {
        Severity::Refused
    } else {
        Severity::Transport
    };
    match trouble {
        Trouble::Failure(failure) => {
            let message = failure.to_string();
            let failed = |kind| Failed {
                kind,
                message,
                unanswered: false,
            };
            match failure {
                Failure::Status { status: 500.., .. } => {
                    End::Trouble(failed(FailedKind::Status), severity)
                }
                Failure::Status { .. } if refused => {
                    End::Trouble(failed(FailedKind::Status), severity)
                }
                // What the server says will go otherwise another time is no answer yet.
                Failure::Status {
                    status: 408 | 409 | 429,
                    ..
                }
                | Failure::Status {
                    should_retry: Some(true),
                    ..
                } => End::Trouble(failed(FailedKind::Status), severity),
                Failure::Status { .. } => End::Outcome(Outcome::Failed(failed(FailedKind::Status))),
                Failure::Connect { .. } => {
                    End::Trouble(failed(FailedKind::Connection), Severity::Down)
                }
                Failure::Broken { .. } => End::Trouble(failed(FailedKind::Connection), severity),
                Failure::TimedOut { .. } => End::Trouble(failed(FailedKind::Timeout), severity),
                Failure::Unavailable { .. } => {
                    End::Outcome(Outcome::Failed(failed(FailedKind::Unavailable)))
                }
            }
        }
        Trouble::Rejection(rejection) => {
            let failed = Failed::from(&rejection);
            // An error inside a success is an answer as little as the status that it names.
            let passing = matches!(
                rejection,
                Rejection::Backend {
                    status: Some(408 | 409 | 429 | 500..),
                    ..
                }
            );
            if refused || passing {
                End::Trouble(failed, severity)
            } else {
                End::Outcome(Outcome::Failed(failed))
            }
        }
    }
}
