//! A model behind a System One endpoint.

use flipside_core::answer::Answer;
use flipside_core::answer::ConfidenceKind;
use flipside_core::json::Json;
use flipside_core::model::{
    BoxFuture, Card, Failure, Model, Price, Rejection, Reply, Sending, Unsupported,
};
use flipside_core::present::Presentation;

use super::client::{Client, Proxies};
use super::endpoint::Endpoint;
use super::key::Key;
use crate::wire::systemone;

/// A model behind a System One endpoint.
#[derive(Debug)]
pub struct Served {
    card: Card,
    client: Client,
}

/// What a served model is made of.
pub(crate) struct Parts {
    pub(crate) spec: String,
    pub(crate) endpoint: Endpoint,
    pub(crate) model: Option<String>,
    pub(crate) key: Option<Key>,
    pub(crate) concurrency: usize,
    pub(crate) price: Option<Price>,
    pub(crate) confidence: Option<ConfidenceKind>,
}

impl Served {
    pub(crate) fn new(parts: Parts, proxies: Proxies) -> Self {
        let card = Card {
            spec: parts.spec,
            requested: parts.model,
            endpoint: Some(parts.endpoint.shown()),
            key_variable: parts.key.as_ref().map(|key| key.variable().to_owned()),
            remote: true,
            concurrency: parts.concurrency,
            price: parts.price,
            confidence: parts.confidence,
            whole_replies: true,
            object_order: true,
        };
        Self {
            card,
            client: Client::new(parts.endpoint, parts.key, proxies),
        }
    }
}

impl Model for Served {
    fn card(&self) -> &Card {
        &self.card
    }

    fn request(&self, shown: &Presentation<'_>) -> Result<Vec<u8>, Unsupported> {
        if !matches!(
            shown.state(),
            Json::String(_) | Json::Object(_) | Json::Array(_)
        ) {
            let found = shown.state().kind();
            return Err(Unsupported {
                reason: format!(
                    "the state is {found}, System One takes a string, an object or an array"
                ),
            });
        }
        Ok(systemone::request(shown, self.card.requested.as_deref()))
    }

    fn send<'a>(&'a self, sending: Sending<'a>) -> BoxFuture<'a, Result<Reply, Failure>> {
        Box::pin(self.client.post(sending.bytes))
    }

    fn read(&self, shown: &Presentation<'_>, reply: &Reply) -> Result<Answer, Rejection> {
        systemone::read(shown, &reply.body)
    }
}
