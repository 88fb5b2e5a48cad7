//! The control as a model.

use flipside_core::answer::Answer;
use flipside_core::model::{
    BoxFuture, Card, Failure, Model, Rejection, Reply, Sending, Unsupported,
};
use flipside_core::present::Presentation;

use super::policy::{Decision, Policy};
use crate::wire::systemone;

/// How many asks of a control may be in flight unless the user says otherwise.
const CONCURRENCY: usize = 8;

/// A model in process that answers by a [`Policy`]: deterministic, from what is shown alone.
///
/// Its request is the System One body of the presentation, so that what is vacuous elsewhere is vacuous here, and its
/// reply is read like any other.
#[derive(Clone, Debug)]
pub struct Control {
    card: Card,
    policy: Policy,
}

impl Control {
    /// The control that the user calls `spec`.
    pub fn new(spec: impl Into<String>, policy: Policy) -> Self {
        let card = Card {
            spec: spec.into(),
            requested: None,
            endpoint: None,
            key_variable: None,
            remote: false,
            concurrency: CONCURRENCY,
            price: None,
            confidence: None,
            whole_replies: false,
            object_order: false,
            protocol: None,
        };
        Self { card, policy }
    }
}

impl Model for Control {
    fn card(&self) -> &Card {
        &self.card
    }

    fn request(&self, shown: &Presentation<'_>) -> Result<Vec<u8>, Unsupported> {
        self.policy.supports(shown)?;
        Ok(systemone::request(shown, None))
    }

    fn send<'a>(&'a self, sending: Sending<'a>) -> BoxFuture<'a, Result<Reply, Failure>> {
        let decision = self.policy.decide(&sending);
        let given = match &decision {
            Decision::Pick {
                place,
                probabilities,
            } => systemone::Given::Pick {
                place: *place,
                probabilities,
            },
            Decision::Abstain => systemone::Given::Abstention,
        };
        let body = systemone::reply(sending.shown, &self.card.spec, given);
        Box::pin(std::future::ready(Ok(Reply {
            body,
            ..Reply::default()
        })))
    }

    fn read(&self, shown: &Presentation<'_>, reply: &Reply) -> Result<Answer, Rejection> {
        systemone::read(shown, &reply.body)
    }
}
