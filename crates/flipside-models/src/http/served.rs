//! A model behind an HTTP endpoint.

use flipside_core::answer::{Answer, ConfidenceKind, Usage};
use flipside_core::case::Case;
use flipside_core::model::{
    BoxFuture, Card, Failure, Inquired, Model, OtherWay, Price, Rejection, Reply, Sending,
    Unsupported,
};
use flipside_core::order::Order;
use flipside_core::perturb::Axis;
use flipside_core::plan::VacuousReason;
use flipside_core::present::Presentation;

use super::client::{Client, Proxies};
use super::endpoint::Endpoint;
use super::inquire::inquire;
use super::key::Key;
use super::other_way;
use crate::wire::{Protocol, message};

/// A model behind an HTTP endpoint, in whichever protocol it speaks.
#[derive(Debug)]
pub struct Served {
    card: Card,
    protocol: Box<dyn Protocol>,
    client: Client,
}

/// What a served model is made of.
pub(crate) struct Parts {
    pub(crate) spec: String,
    pub(crate) endpoint: Endpoint,
    pub(crate) protocol: Box<dyn Protocol>,
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
            whole_replies: parts.protocol.whole_replies(),
            object_order: parts.protocol.object_order(),
            protocol: Some(parts.protocol.wire()),
        };
        Self {
            card,
            protocol: parts.protocol,
            client: Client::new(parts.endpoint, parts.key, proxies),
        }
    }

    /// The same model, whose requests travel compressed where `on`.
    pub(crate) fn compressing(mut self, on: bool) -> Self {
        self.client.compress(on);
        self
    }
}

/// A page for people in a success comes from a hop before the server, so that the server has not answered: another attempt may.
fn page() -> Failure {
    Failure::Status {
        status: 200,
        message: "an HTML page in place of JSON".to_owned(),
        retry_after: None,
        should_retry: Some(true),
    }
}

impl Model for Served {
    fn card(&self) -> &Card {
        &self.card
    }

    fn request(&self, shown: &Presentation<'_>) -> Result<Vec<u8>, Unsupported> {
        self.protocol.request(shown, self.card.requested.as_deref())
    }

    fn send<'a>(&'a self, sending: Sending<'a>) -> BoxFuture<'a, Result<Reply, Failure>> {
        Box::pin(async move {
            let reply = self.client.post(sending.bytes).await;
            let mut reply = reply.map_err(|failure| self.protocol.failure(failure))?;
            if message::is_html(&reply.body) {
                return Err(page());
            }
            if let Some(id) = self.protocol.reply_id(&reply.body) {
                reply.request_id = Some(id);
            }
            Ok(reply)
        })
    }

    fn read(&self, shown: &Presentation<'_>, reply: &Reply) -> Result<Answer, Rejection> {
        let mut answer = self.protocol.read(shown, reply)?;
        if let (None, Some(cost)) = (answer.usage.cost_usd_picos, reply.cost_usd_picos) {
            answer.usage = Usage {
                cost_usd_picos: Some(cost),
                ..*answer.usage
            }
            .into();
        }
        Ok(answer)
    }

    fn deeper(&self, shown: &Presentation<'_>, reply: &Reply) -> Option<Vec<u8>> {
        self.protocol
            .deeper(shown, self.card.requested.as_deref(), reply)
    }

    fn goes_deeper(&self) -> bool {
        self.protocol.goes_deeper()
    }

    fn unread(&self, axis: Axis, case: &Case) -> Option<VacuousReason> {
        self.protocol.unread(axis, case)
    }

    fn other_way<'a>(&'a self, case: &'a Case, orders: &'a [Order]) -> Option<OtherWay<'a>> {
        const KEYS: &str = "the order of keys";
        const OPTION_ORDER: &str = "`option_order`";
        let model = self.card.requested.as_deref();
        if let Some(protocol) = self.protocol.other_carrier() {
            let (usual, other) = if self.protocol.object_order() {
                (KEYS, OPTION_ORDER)
            } else {
                (OPTION_ORDER, KEYS)
            };
            return Some(OtherWay {
                usual,
                other,
                answers: Box::pin(async move {
                    other_way::by_protocol(&self.client, &*protocol, model, case, orders).await
                }),
            });
        }
        let url = other_way::permute(self.client.url()).filter(|_| self.protocol.object_order())?;
        let own = Order::own(case.options.len());
        let request = self
            .protocol
            .request(&Presentation::new(case, &own), model)
            .ok()?;
        Some(OtherWay {
            usual: KEYS,
            other: "`/permute`",
            answers: Box::pin(other_way::by_permute(&self.client, url, request, case)),
        })
    }

    fn inquire(&self) -> BoxFuture<'_, Vec<Inquired>> {
        Box::pin(inquire(&self.client, self.client.url()))
    }
}
