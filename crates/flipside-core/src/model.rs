//! `Model`, the port: what the engine needs of anything that answers.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::{Answer, ConfidenceKind};
use crate::case::{Case, CaseId};
use crate::order::Order;
use crate::perturb::{Axis, Variant};
use crate::plan::VacuousReason;
use crate::present::Presentation;

/// A future that can be sent between threads, boxed so that `Model` stays an object.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Something that answers presentations.
///
/// Building the bytes, sending them and reading the reply are apart, so that bytes are hashed before they are sent,
/// sent again unchanged, and replies can be read again later. One call of `send` is one attempt: a model never
/// retries, schedules or counts.
pub trait Model: Send + Sync {
    /// What is known about it before anything is asked.
    fn card(&self) -> &Card;

    /// The exact bytes that ask `shown`. The same presentation always gives the same bytes.
    ///
    /// # Errors
    /// [`Unsupported`] if this model cannot be asked such a presentation at all.
    fn request(&self, shown: &Presentation<'_>) -> Result<Vec<u8>, Unsupported>;

    /// Sends the bytes once.
    fn send<'a>(&'a self, sending: Sending<'a>) -> BoxFuture<'a, Result<Reply, Failure>>;

    /// The answer in `reply`, by identity.
    ///
    /// # Errors
    /// [`Rejection`] if the reply is no valid answer to `shown`. Nothing is repaired or guessed.
    fn read(&self, shown: &Presentation<'_>, reply: &Reply) -> Result<Answer, Rejection>;

    /// The bytes that ask `shown` once more for what `reply` leaves out, where it leaves something out that the server may have: it is
    /// sent once, and what observes more is taken. `None` for a reply that is whole, and for models that have no such request.
    fn deeper(&self, _shown: &Presentation<'_>, _reply: &Reply) -> Option<Vec<u8>> {
        None
    }

    /// Whether [`Model::deeper`] can have a request for some reply, which may then cost another one.
    fn goes_deeper(&self) -> bool {
        false
    }

    /// Whether asks of one case should start one after the other, since what they share is computed once. Elsewhere all asks of a run
    /// start in one random order, so that no drift of a server looks like an effect.
    fn by_case(&self) -> bool {
        false
    }

    /// Why nothing that a variant of `case` on `axis` changes reaches this model, although its requests differ from the baseline's.
    /// `None` where it may read the change, and where nobody knows.
    ///
    /// Such a variant is vacuous: no flip on it says nothing about the model.
    fn unread(&self, _axis: Axis, _case: &Case) -> Option<VacuousReason> {
        None
    }

    /// How `case` can be asked in `orders`, or in some of the server's choice, by another way for option order than that of requests, so
    /// that what loses order on the one shows. `None` where there is no other. Nothing is asked before the future is polled.
    fn other_way<'a>(&'a self, _case: &'a Case, _orders: &'a [Order]) -> Option<OtherWay<'a>> {
        None
    }

    /// The reply to `sending` that this model remembers from an earlier run of the same process, so that nothing need be sent; `None` for
    /// models that remember nothing.
    fn kept(&self, _sending: &Sending<'_>) -> Option<Reply> {
        None
    }

    /// Asks the server what it is and serves, beside its answers. It costs nothing, and what does not answer is one of the findings.
    ///
    /// A model that has nobody to ask finds nothing.
    fn inquire(&self) -> BoxFuture<'_, Vec<Inquired>> {
        Box::pin(std::future::ready(Vec::new()))
    }
}

/// Another way for option order to a model.
pub struct OtherWay<'a> {
    /// What carries order on the usual way, such as ``the order of keys``.
    pub usual: &'static str,
    /// What carries it on this one, such as `` `option_order` ``.
    pub other: &'static str,
    /// Probabilities by identity in each order, or why there are none.
    pub answers: BoxFuture<'a, Result<Vec<Vec<f64>>, String>>,
}

/// What a server says of itself in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inquired {
    /// Where it was asked, such as `/v1/models`.
    pub place: String,
    /// What was found there, a line each; or why nothing was.
    pub found: Result<Vec<String>, String>,
}

/// What is known about a model before anything is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    /// How the user names it, such as `jev` or `slot:2`.
    pub spec: String,
    /// The model name that requests carry, if they carry one.
    pub requested: Option<String>,
    /// Scheme, host, port and path that requests go to; `None` in process.
    pub endpoint: Option<String>,
    /// The environment variable that the key came from, if one is sent.
    pub key_variable: Option<String>,
    /// Whether answers cost something that must not be lost: money, or somebody's server time.
    pub remote: bool,
    /// How many asks may be in flight unless the user says otherwise.
    pub concurrency: usize,
    /// Price, where it is known.
    pub price: Option<Price>,
    /// What its documents say that its confidence is, if they say so.
    pub confidence: Option<ConfidenceKind>,
    /// Whether one reply answers all questions of a request, so that cases that are questions of one body share it.
    pub whole_replies: bool,
    /// Whether option order travels in the key order of a JSON object, which some hops do not keep.
    pub object_order: bool,
    /// What requests are written and replies are read by; `None` where nothing goes over a wire.
    pub protocol: Option<Wire>,
}

/// A wire protocol with its settings, complete enough to write the same request and to read a recorded reply again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Wire {
    /// Its name, such as `system-one`.
    pub name: String,
    /// Its settings by name; none for a protocol that has none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
}

impl Wire {
    /// The setting that says what carries option order.
    pub const ORDER: &str = "order";
    /// Its value where a field beside the object of options does, which a server that does not know it ignores.
    pub const OPTION_ORDER: &str = "option_order";

    /// Whether a field beside the object of options carries their order.
    pub fn order_beside(&self) -> bool {
        self.settings
            .get(Self::ORDER)
            .is_some_and(|carrier| carrier == Self::OPTION_ORDER)
    }

    /// The protocol of this name, without settings.
    pub fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            settings: BTreeMap::new(),
        }
    }
}

/// A price per million tokens, in millionths of a US dollar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    /// Per million input tokens.
    pub input_usd_micros: u64,
    /// Per million output tokens.
    pub output_usd_micros: u64,
}

/// A presentation that a model cannot be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Unsupported {
    /// Why, as a lower-case fragment.
    pub reason: String,
}

/// One attempt to send an ask.
#[derive(Clone, Copy, Debug)]
pub struct Sending<'a> {
    /// What is asked, for models in process.
    pub shown: &'a Presentation<'a>,
    /// The exact bytes.
    pub bytes: &'a [u8],
    /// The case.
    pub case: &'a CaseId,
    /// The variant of the case; with `case` and `again` it identifies the ask.
    pub variant: &'a Variant,
    /// Whether the same ask was made before and is made once more to confirm a flip.
    pub again: bool,
    /// Which attempt this is, from 1.
    pub attempt: u32,
}

/// What came back, untouched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// The body as received.
    pub body: String,
    /// The server's id for the request, if it gave one.
    pub request_id: Option<String>,
    /// How long the server says that it took.
    pub server_ms: Option<u64>,
    /// What it cost as a header beside the body says, in millionths of millionths of a US dollar.
    pub cost_usd_picos: Option<u64>,
}

/// Why an attempt brought no reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The server answered with a status that is no success.
    Status {
        /// The HTTP status, or the code of an error object inside a success.
        status: u16,
        /// What the server said, shortened.
        message: String,
        /// How long it asks to wait.
        retry_after: Option<Duration>,
        /// Whether it says that another attempt helps.
        should_retry: Option<bool>,
    },
    /// No connection: refused, unknown host, TLS.
    Connect {
        /// What went wrong.
        message: String,
    },
    /// The connection broke before a complete reply.
    Broken {
        /// What went wrong.
        message: String,
    },
    /// No complete reply in time.
    TimedOut {
        /// The limit that was reached.
        after: Duration,
    },
    /// Nothing to answer with: a recorded run without this ask, an adapter that ended.
    Unavailable {
        /// What is missing.
        message: String,
    },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status {
                status, message, ..
            } if message.is_empty() => write!(f, "answered {status}"),
            Self::Status {
                status, message, ..
            } => write!(f, "answered {status}: {message}"),
            Self::Connect { message }
            | Self::Broken { message }
            | Self::Unavailable { message } => f.write_str(message),
            Self::TimedOut { after } => {
                write!(f, "gave no complete answer within {} ms", after.as_millis())
            }
        }
    }
}

/// Why a reply is no valid answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// A rule of the protocol is broken.
    Malformed {
        /// The rule's name, such as `probability-keys`.
        rule: &'static str,
        /// What was found and expected.
        message: String,
    },
    /// A success whose body is an error.
    Backend {
        /// The code in it, if there is one.
        status: Option<u16>,
        /// What it says.
        message: String,
    },
    /// The model says that it cannot answer this kind of question.
    Unsupported {
        /// What it says.
        message: String,
    },
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed { rule, message } => write!(f, "{message} ({rule})"),
            Self::Backend {
                status: Some(status),
                message,
            } => {
                write!(f, "the reply is an error {status}: {message}")
            }
            Self::Backend {
                status: None,
                message,
            } => write!(f, "the reply is an error: {message}"),
            Self::Unsupported { message } => {
                write!(f, "the model cannot answer this question: {message}")
            }
        }
    }
}
