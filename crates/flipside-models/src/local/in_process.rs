//! A checkpoint as a model.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use flipside_core::answer::Answer;
use flipside_core::invariance::{self, Inside, Seen};
use flipside_core::model::{
    BoxFuture, Card, Failure, Inquired, Model, Rejection, Reply, Sending, Unsupported,
};
use flipside_core::present::Presentation;
use flipside_formats::json;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{Checkpoint, InsideModel};
use crate::wire::Protocol;

/// Bytes of weights up to which asks run beside each other; of larger ones one ask has all cores and the memory.
const SMALL: usize = 64 << 20;
/// Hexadecimal digits of the digest in a model's name.
const DIGITS: usize = 12;

/// A checkpoint in process: its request is what its server would be sent, so that what is vacuous there is vacuous here and
/// a recorded reply can be read again without it.
pub struct InProcess {
    card: Card,
    protocol: Box<dyn Protocol>,
    checkpoint: Arc<Checkpoint>,
    name: String,
    pools: Vec<ThreadPool>,
    turn: AtomicUsize,
}

impl fmt::Debug for InProcess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InProcess")
            .field("card", &self.card)
            .finish_non_exhaustive()
    }
}

impl InProcess {
    /// `checkpoint`, which the user calls `spec` and records call `name` with the beginning of its digest.
    pub(crate) fn new(
        spec: String,
        name: &str,
        protocol: Box<dyn Protocol>,
        checkpoint: Checkpoint,
    ) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let small = checkpoint.bytes() <= SMALL;
        let card = Card {
            spec,
            requested: None,
            endpoint: None,
            key_variable: None,
            remote: false,
            concurrency: if small { cores } else { 1 },
            price: None,
            confidence: checkpoint.confidence(),
            whole_replies: protocol.whole_replies(),
            object_order: false,
            protocol: Some(protocol.wire()),
        };
        Self {
            card,
            protocol,
            pools: pools(cores, small),
            turn: AtomicUsize::new(0),
            name: format!("{name}@{}", &checkpoint.digest()[..DIGITS]),
            checkpoint: Arc::new(checkpoint),
        }
    }
}

/// A thread for each core, since small passes lose more by being shared out than they gain; or one pool of all for large ones.
fn pools(cores: usize, small: bool) -> Vec<ThreadPool> {
    let pool = |threads: usize| {
        ThreadPoolBuilder::new()
            .num_threads(threads)
            // Whoever waits for the answer is told.
            .panic_handler(|_| ())
            .build()
            .expect("threads can be started")
    };
    if small {
        (0..cores).map(|_| pool(1)).collect()
    } else {
        vec![pool(cores)]
    }
}

impl InsideModel for InProcess {
    fn digest(&self) -> &str {
        self.checkpoint.digest()
    }
}

fn parsed(bytes: &[u8]) -> flipside_core::json::Json {
    let text = std::str::from_utf8(bytes).expect("requests are JSON");
    json::parse(text).expect("requests are JSON")
}

impl Model for InProcess {
    fn card(&self) -> &Card {
        &self.card
    }

    fn request(&self, shown: &Presentation<'_>) -> Result<Vec<u8>, Unsupported> {
        let bytes = self.protocol.request(shown, None)?;
        match self.checkpoint.check(&parsed(&bytes)) {
            Ok(()) => Ok(bytes),
            Err(error) => Err(Unsupported {
                reason: error.to_string(),
            }),
        }
    }

    fn send<'a>(&'a self, sending: Sending<'a>) -> BoxFuture<'a, Result<Reply, Failure>> {
        let checkpoint = Arc::clone(&self.checkpoint);
        let (name, bytes) = (self.name.clone(), sending.bytes.to_vec());
        let (answered, waiting) = tokio::sync::oneshot::channel();
        let turn = self.turn.fetch_add(1, Ordering::Relaxed) % self.pools.len();
        // Whoever waited may have left; nobody needs the answer then.
        self.pools[turn]
            .spawn(move || drop(answered.send(checkpoint.reply(&name, &parsed(&bytes)))));
        Box::pin(async move {
            let unavailable = |message: String| Failure::Unavailable { message };
            match waiting.await {
                Ok(Ok(body)) => Ok(Reply {
                    body,
                    ..Reply::default()
                }),
                Ok(Err(error)) => Err(unavailable(error.to_string())),
                Err(_) => Err(unavailable(
                    "the forward pass ended unexpectedly".to_owned(),
                )),
            }
        })
    }

    fn read(&self, shown: &Presentation<'_>, reply: &Reply) -> Result<Answer, Rejection> {
        self.protocol.read(shown, reply)
    }

    fn inquire(&self) -> BoxFuture<'_, Vec<Inquired>> {
        Box::pin(std::future::ready(vec![Inquired {
            place: "checkpoint".to_owned(),
            found: Ok(self.checkpoint.about()),
        }]))
    }
}

impl Inside for InProcess {
    fn precision(&self) -> invariance::Precision {
        let precision = self.checkpoint.precision();
        invariance::Precision {
            name: precision.name(),
            epsilon: precision.epsilon(),
        }
    }

    fn see(&self, shown: &Presentation<'_>) -> Result<Seen, String> {
        let bytes = self
            .protocol
            .request(shown, None)
            .map_err(|error| error.reason)?;
        self.checkpoint
            .see(&parsed(&bytes))
            .map_err(|error| error.to_string())
    }

    fn rescore(&self, vectors: &[Vec<f32>]) -> Option<Result<Vec<f32>, String>> {
        let scored = self.checkpoint.rescore(vectors)?;
        Some(scored.map_err(|error| error.to_string()))
    }

    fn equal_slots(&self, shown: &Presentation<'_>) -> Option<Result<Vec<f32>, String>> {
        let request = self.protocol.request(shown, None);
        let logits = request.map_err(|error| error.reason).and_then(|bytes| {
            let logits = self.checkpoint.equal_slots(&parsed(&bytes));
            logits.map_err(|error| error.to_string())
        });
        Some(logits)
    }
}
