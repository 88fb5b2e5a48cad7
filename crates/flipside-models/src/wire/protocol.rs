//! What every wire protocol can do, and how one is found again from a record.

use std::fmt;

use flipside_core::answer::Answer;
use flipside_core::case::Case;
use flipside_core::model::{Failure, Rejection, Reply, Unsupported, Wire};
use flipside_core::perturb::Axis;
use flipside_core::plan::VacuousReason;
use flipside_core::present::Presentation;

use super::agentjev::AgentJev;
use super::clef::Clef;
use super::clm::Clm;
use super::cua::Cua;
use super::language::{Causal, LanguageModel};
use super::laya::Laya;
use super::openai_decisions::OpenAiDecisions;
use super::openrouter::OpenRouter;
use super::systemone::SystemOne;

/// One protocol with its settings: presentations to bytes, and replies to answers by identity. It sends nothing.
pub trait Protocol: fmt::Debug + Send + Sync {
    /// Its name and every setting that changes a request or how a reply is read: [`open`] makes the same of it.
    fn wire(&self) -> Wire;

    /// The exact bytes that ask `shown`, naming `model` where one is configured.
    ///
    /// # Errors
    /// [`Unsupported`] where the protocol has no words for `shown`.
    fn request(
        &self,
        shown: &Presentation<'_>,
        model: Option<&str>,
    ) -> Result<Vec<u8>, Unsupported>;

    /// The answer to `shown` in `reply`, by identity.
    ///
    /// # Errors
    /// [`Rejection`] if the reply is no valid answer to it.
    fn read(&self, shown: &Presentation<'_>, reply: &Reply) -> Result<Answer, Rejection>;

    /// The bytes that ask `shown` once more for what `reply` leaves out, naming `model`; `None` for a reply that is whole, and where
    /// asking again would bring nothing more.
    fn deeper(
        &self,
        _shown: &Presentation<'_>,
        _model: Option<&str>,
        _reply: &Reply,
    ) -> Option<Vec<u8>> {
        None
    }

    /// Whether [`Protocol::deeper`] can have a request for some reply.
    fn goes_deeper(&self) -> bool {
        false
    }

    /// Whether option order travels in the key order of a JSON object.
    fn object_order(&self) -> bool;

    /// Why nothing that a variant of `case` on `axis` changes reaches the model behind it, where that is known.
    fn unread(&self, _axis: Axis, _case: &Case) -> Option<VacuousReason> {
        None
    }

    /// The same protocol with option order in what carries it not now, where it has two carriers.
    fn other_carrier(&self) -> Option<Box<dyn Protocol>> {
        None
    }

    /// Whether one reply answers all questions of a request, as with every protocol of decisions.
    fn whole_replies(&self) -> bool {
        true
    }

    /// The server's id for the request, where it stands in the reply's body.
    fn reply_id(&self, _body: &str) -> Option<String> {
        None
    }

    /// `failure` with what the protocol knows of whether another attempt helps.
    fn failure(&self, failure: Failure) -> Failure {
        failure
    }
}

/// The protocol that `wire` names, as far as this flipside knows it and its settings.
///
/// ```
/// use flipside_core::model::Wire;
///
/// let wire = Wire { name: "system-one".to_owned(), ..Wire::default() };
/// assert_eq!(flipside_models::wire::open(&wire).unwrap().wire(), wire);
/// assert!(flipside_models::wire::open(&Wire::default()).is_none());
/// ```
pub fn open(wire: &Wire) -> Option<Box<dyn Protocol>> {
    match wire.name.as_str() {
        SystemOne::NAME => Some(Box::new(SystemOne)),
        Laya::NAME => boxed(Laya::of(&wire.settings)),
        Clm::NAME => boxed(Clm::of(&wire.settings)),
        Cua::NAME => boxed(Cua::of(&wire.settings)),
        OpenRouter::NAME => boxed(OpenRouter::of(&wire.settings)),
        Clef::NAME => boxed(Clef::of(&wire.settings)),
        OpenAiDecisions::NAME => Some(Box::new(OpenAiDecisions)),
        AgentJev::NAME => Some(Box::new(AgentJev)),
        Causal::NAME => boxed(Causal::open(wire)),
        LanguageModel::NAME => Some(Box::new(LanguageModel::open(wire)?)),
        _ => None,
    }
}

fn boxed<P: Protocol + 'static>(protocol: Option<P>) -> Option<Box<dyn Protocol>> {
    protocol.map(|protocol| Box::new(protocol) as Box<dyn Protocol>)
}
