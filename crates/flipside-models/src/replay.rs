//! `replay:RUN`: answers recorded in a run folder.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use flipside_core::answer::Answer;
use flipside_core::case::Case;
use flipside_core::digest::Digest;
use flipside_core::foreign::Foreign;
use flipside_core::model::{
    BoxFuture, Card, Failure, Model, Rejection, Reply, Sending, Unsupported,
};
use flipside_core::order::Order;
use flipside_core::perturb::{Axis, Variant};
use flipside_core::plan::VacuousReason;
use flipside_core::present::Presentation;
use flipside_core::record::{FailedKind, Outcome};
use flipside_formats::{folder, journal, json};

use crate::exec;
use crate::wire::systemone::SystemOne;
use crate::wire::{self, Protocol};

/// How many asks may be in flight unless the user says otherwise.
const CONCURRENCY: usize = 8;

/// A model that gives the replies that a run recorded, and nothing else.
///
/// An ask is found by its case and its order, a control and a variant of another axis by its name as well, a confirmation among its
/// like. Requests are the recorded ones, byte for
/// byte, so that a case whose content has changed is noticed. Replies are read anew, by the rules of today.
#[derive(Debug)]
pub struct Replay {
    card: Card,
    writing: Writing,
    asks: BTreeMap<Asked, Recorded>,
}

/// What tells one recorded ask from another.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Asked {
    case: String,
    order: Order,
    /// What tells it from other asks in this order.
    variant: Option<Variant>,
    again: bool,
}

#[derive(Debug)]
struct Recorded {
    digest: String,
    reply: Result<Reply, String>,
}

/// How the recorded requests were written.
#[derive(Debug)]
enum Writing {
    Wire(Box<dyn Protocol>),
    Exec,
}

/// Why a run cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The folder is no run folder.
    #[error("it is no run folder that can be read")]
    Folder(#[from] folder::Error),
    /// Its journal cannot be read.
    #[error("its journal cannot be read")]
    Journal(#[from] journal::Error),
    /// It was asked by a protocol of a later flipside.
    #[error("it was asked over `{}`, which this flipside cannot read", Foreign(name).cut(40))]
    Protocol {
        /// The protocol's name.
        name: String,
    },
    /// Nothing was asked in it.
    #[error("`{path}` has no recorded ask")]
    Empty {
        /// The run folder.
        path: Utf8PathBuf,
    },
}

impl Asked {
    fn new(case: &str, order: &Order, variant: &Variant, again: bool) -> Self {
        let of_order = matches!(variant.axis, Axis::Baseline | Axis::Order);
        Self {
            case: case.to_owned(),
            order: order.clone(),
            variant: (!of_order).then(|| variant.clone()),
            again,
        }
    }
}

impl Replay {
    /// The run recorded in the folder `run`, under the name `spec`.
    ///
    /// # Errors
    /// [`ReplayError`] if it is no run folder, or nothing was asked in it.
    pub fn open(spec: impl Into<String>, run: &Utf8Path) -> Result<Self, ReplayError> {
        let recorded = folder::read_run(run)?;
        let mut writing =
            match &recorded.protocol {
                Some(named) => Some(wire::open(named).map(Writing::Wire).ok_or_else(|| {
                    ReplayError::Protocol {
                        name: named.name.clone(),
                    }
                })?),
                None => None,
            };
        let mut of_record = false;
        let mut asks = BTreeMap::new();
        // A reply shared by several asks stands in the line of the first of them.
        let mut replies: BTreeMap<u32, String> = BTreeMap::new();
        let mut shared: Vec<(Asked, u32)> = Vec::new();
        journal::visit(&folder::journal_path(run), |line| {
            if let Some(request) = &line.request {
                writing.get_or_insert_with(|| Writing::of(request));
            }
            let asked = Asked::new(
                &line.case,
                &line.order,
                &line.variant(),
                line.confirms.is_some(),
            );
            let reply = match (&*line.outcome, line.taken()) {
                (Outcome::Answered(answer), None) if line.recorded => {
                    of_record = true;
                    Ok(Reply {
                        body: OF_RECORD.to_owned() + &journal::answer_text(answer),
                        ..Reply::default()
                    })
                }
                (Outcome::Failed(failed), _) if !is_read_again(failed.kind) => {
                    Err(format!("recorded as failed: {}", failed.message))
                }
                (_, Some(body)) => Ok(Reply {
                    body: body.to_owned(),
                    request_id: line.request_id.clone().map(std::borrow::Cow::into_owned),
                    server_ms: line.server_ms,
                    ..Reply::default()
                }),
                (_, None) => Err("its reply was not recorded".to_owned()),
            };
            if let (None, Some(leader), true) = (&line.reply, line.shares, reply.is_err()) {
                shared.push((
                    Asked::new(
                        &line.case,
                        &line.order,
                        &line.variant(),
                        line.confirms.is_some(),
                    ),
                    leader,
                ));
            }
            if let Ok(reply) = &reply {
                replies.insert(line.ask, reply.body.clone());
            }
            // An ask that failed for lack of an answer has a later line where it was asked again.
            let answered = asks
                .get(&asked)
                .is_some_and(|known: &Recorded| known.reply.is_ok());
            if !(answered && reply.is_err()) {
                asks.insert(
                    asked,
                    Recorded {
                        digest: line.digest.clone().into_owned(),
                        reply,
                    },
                );
            }
        })?;
        for (asked, leader) in shared {
            if let (Some(recorded), Some(body)) = (asks.get_mut(&asked), replies.get(&leader)) {
                recorded.reply = Ok(Reply {
                    body: body.clone(),
                    ..Reply::default()
                });
            }
        }
        // Where everything was on record, nothing says how requests were written.
        let writing = writing.or_else(|| of_record.then(|| Writing::sent_to(&recorded)));
        let (Some(writing), false) = (writing, asks.is_empty()) else {
            return Err(ReplayError::Empty {
                path: run.to_owned(),
            });
        };
        let card = Card {
            spec: spec.into(),
            requested: recorded.requested_model,
            endpoint: None,
            key_variable: None,
            remote: false,
            concurrency: CONCURRENCY,
            price: None,
            confidence: None,
            whole_replies: false,
            object_order: false,
            protocol: recorded.protocol,
        };
        Ok(Self {
            card,
            writing,
            asks,
        })
    }

    fn reply(&self, sending: &Sending<'_>) -> Result<Reply, Failure> {
        let unavailable = |message| Err(Failure::Unavailable { message });
        let asked = Asked::new(
            &sending.case.0,
            sending.shown.order(),
            sending.variant,
            sending.again,
        );
        let Some(recorded) = self.asks.get(&asked) else {
            return unavailable(format!(
                "nothing is recorded for case `{}` in this order",
                sending.case
            ));
        };
        if Digest::of(sending.bytes).to_string() != recorded.digest {
            return unavailable(format!(
                "case `{}` was recorded with another content",
                sending.case
            ));
        }
        match &recorded.reply {
            Ok(reply) => Ok(reply.clone()),
            Err(message) => unavailable(message.clone()),
        }
    }
}

/// Whether reading the recorded reply again fails in the same way; other failures had none.
fn is_read_again(kind: FailedKind) -> bool {
    matches!(kind, FailedKind::Malformed | FailedKind::Unsupported)
}

/// What stands before an answer of the record in place of a reply: no JSON, as every reply is that can be read.
const OF_RECORD: &str = "flipside.record ";

impl Writing {
    /// That of a run's endpoint.
    fn sent_to(run: &folder::Run) -> Self {
        if run.endpoint.is_some() {
            Self::Wire(Box::new(SystemOne))
        } else {
            Self::Exec
        }
    }

    fn of(request: &str) -> Self {
        let questions = json::parse(request).ok().is_some_and(|request| {
            request
                .as_object()
                .is_some_and(|request| request.get("questions").is_some())
        });
        if questions {
            Self::Wire(Box::new(SystemOne))
        } else {
            Self::Exec
        }
    }
}

impl Model for Replay {
    fn card(&self) -> &Card {
        &self.card
    }

    fn request(&self, shown: &Presentation<'_>) -> Result<Vec<u8>, Unsupported> {
        match &self.writing {
            Writing::Wire(protocol) => protocol.request(shown, self.card.requested.as_deref()),
            Writing::Exec => Ok(exec::request(shown)),
        }
    }

    fn unread(&self, axis: Axis, case: &Case) -> Option<VacuousReason> {
        match &self.writing {
            Writing::Wire(protocol) => protocol.unread(axis, case),
            Writing::Exec => None,
        }
    }

    fn send<'a>(&'a self, sending: Sending<'a>) -> BoxFuture<'a, Result<Reply, Failure>> {
        Box::pin(std::future::ready(self.reply(&sending)))
    }

    fn read(&self, shown: &Presentation<'_>, reply: &Reply) -> Result<Answer, Rejection> {
        if let Some(answer) = reply.body.strip_prefix(OF_RECORD) {
            return journal::read_answer(answer).map_err(|error| Rejection::Malformed {
                rule: "record",
                message: error.to_string(),
            });
        }
        match &self.writing {
            Writing::Wire(protocol) => protocol.read(shown, reply),
            Writing::Exec => exec::read(shown, &reply.body),
        }
    }
}
