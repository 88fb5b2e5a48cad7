//! The adapter as a model.

use std::sync::{Mutex, PoisonError};

use flipside_core::answer::Answer;
use flipside_core::model::{
    BoxFuture, Card, Failure, Model, Rejection, Reply, Sending, Unsupported,
};
use flipside_core::present::Presentation;

use super::child::Running;
use super::line;
use super::words::Words;

/// How many asks of an adapter may be in flight unless the user says otherwise.
const CONCURRENCY: usize = 8;

/// A model behind a program of the user's: started at the first ask, ended when this is dropped.
#[derive(Debug)]
pub struct Adapter {
    card: Card,
    words: Words,
    running: Mutex<Option<Running>>,
}

impl Adapter {
    /// The adapter that the user calls `spec`, which starts as `words` say.
    pub fn new(spec: impl Into<String>, words: Words) -> Self {
        let card = Card {
            spec: spec.into(),
            requested: None,
            endpoint: None,
            key_variable: None,
            remote: true,
            concurrency: CONCURRENCY,
            price: None,
            confidence: None,
            whole_replies: false,
            object_order: false,
            protocol: None,
        };
        Self {
            card,
            words,
            running: Mutex::new(None),
        }
    }

    async fn ask(&self, request: &[u8]) -> Result<Reply, Failure> {
        let asked = {
            let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
            if running.as_ref().is_none_or(Running::has_ended) {
                *running = Some(Running::start(&self.words)?);
            }
            running.as_ref().map(|running| running.ask(request))
        };
        let body = match asked {
            Some(asked) => asked.await?,
            None => unreachable!("it was started above"),
        };
        Ok(Reply {
            body,
            ..Reply::default()
        })
    }
}

impl Model for Adapter {
    fn card(&self) -> &Card {
        &self.card
    }

    fn request(&self, shown: &Presentation<'_>) -> Result<Vec<u8>, Unsupported> {
        Ok(line::request(shown))
    }

    fn send<'a>(&'a self, sending: Sending<'a>) -> BoxFuture<'a, Result<Reply, Failure>> {
        Box::pin(self.ask(sending.bytes))
    }

    fn read(&self, shown: &Presentation<'_>, reply: &Reply) -> Result<Answer, Rejection> {
        line::read(shown, &reply.body)
    }
}
