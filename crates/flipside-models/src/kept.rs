//! A model that remembers its replies, so that a command which asks in rounds asks only what is new.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use flipside_core::answer::Answer;
use flipside_core::digest::Digest;
use flipside_core::model::{
    BoxFuture, Card, Failure, Inquired, Model, Rejection, Reply, Sending, Unsupported,
};
use flipside_core::perturb::Axis;
use flipside_core::present::Presentation;

/// What tells one ask from another: the model, the exact bytes, and which repetition of them it is.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Ask {
    spec: String,
    digest: Digest,
    /// The repeat of a control; every other ask with these bytes is one.
    repeat: Option<String>,
    again: bool,
}

/// Replies of earlier rounds. Cloning shares them.
#[derive(Clone, Default)]
pub struct Replies(Arc<Mutex<HashMap<Ask, Reply>>>);

impl Replies {
    fn all(&self) -> MutexGuard<'_, HashMap<Ask, Reply>> {
        // Nothing is done under the lock that could leave half a reply.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all().len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl fmt::Debug for Replies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Replies({})", self.len())
    }
}

/// A model whose valid replies are remembered. A reply is kept for its exact bytes; controls and repetitions that confirm flips are each
/// kept apart, since they are asked to be answered anew. What failed, or leaves something out that the server may have, is asked again.
pub struct Kept {
    inner: Arc<dyn Model>,
    replies: Replies,
}

impl Kept {
    /// `inner`, with the replies of earlier rounds.
    #[expect(clippy::new_ret_no_self, reason = "it is a model like any other")]
    pub fn new(inner: Arc<dyn Model>, replies: Replies) -> Arc<dyn Model> {
        Arc::new(Self { inner, replies })
    }

    fn ask(&self, sending: &Sending<'_>) -> Ask {
        let control = sending.variant.axis == Axis::Same;
        Ask {
            spec: self.inner.card().spec.clone(),
            digest: Digest::of(sending.bytes),
            repeat: control.then(|| sending.variant.name.clone()),
            again: sending.again,
        }
    }

    fn is_whole(&self, shown: &Presentation<'_>, reply: &Reply) -> bool {
        self.inner.read(shown, reply).is_ok() && self.inner.deeper(shown, reply).is_none()
    }
}

impl Model for Kept {
    fn card(&self) -> &Card {
        self.inner.card()
    }

    fn request(&self, shown: &Presentation<'_>) -> Result<Vec<u8>, Unsupported> {
        self.inner.request(shown)
    }

    fn send<'a>(&'a self, sending: Sending<'a>) -> BoxFuture<'a, Result<Reply, Failure>> {
        Box::pin(async move {
            let reply = self.inner.send(sending).await?;
            if self.is_whole(sending.shown, &reply) {
                self.replies.all().insert(self.ask(&sending), reply.clone());
            }
            Ok(reply)
        })
    }

    fn read(&self, shown: &Presentation<'_>, reply: &Reply) -> Result<Answer, Rejection> {
        self.inner.read(shown, reply)
    }

    fn deeper(&self, shown: &Presentation<'_>, reply: &Reply) -> Option<Vec<u8>> {
        self.inner.deeper(shown, reply)
    }

    fn goes_deeper(&self) -> bool {
        self.inner.goes_deeper()
    }

    fn kept(&self, sending: &Sending<'_>) -> Option<Reply> {
        self.replies.all().get(&self.ask(sending)).cloned()
    }

    fn inquire(&self) -> BoxFuture<'_, Vec<Inquired>> {
        self.inner.inquire()
    }
}
