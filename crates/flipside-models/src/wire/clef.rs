//! Clef at Cloudflare: a System One body at the model's own path, the answer in an envelope (the wire page, 2.1).

use std::collections::BTreeMap;

use flipside_core::answer::{Answer, quoted};
use flipside_core::json::{Json, Object};
use flipside_core::model::{Rejection, Reply, Unsupported, Wire};
use flipside_core::present::Presentation;

use super::systemone::{self, malformed};
use super::{Protocol, message};

/// System One inside Cloudflare's `{"success","errors","result"}`. The path names the model, so that the body need not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clef;

impl Clef {
    /// What records call it.
    pub const NAME: &str = "clef";

    pub(super) fn of(settings: &BTreeMap<String, String>) -> Option<Self> {
        settings.is_empty().then_some(Self)
    }
}

impl Protocol for Clef {
    fn wire(&self) -> Wire {
        Wire::named(Self::NAME)
    }

    fn request(
        &self,
        shown: &Presentation<'_>,
        _model: Option<&str>,
    ) -> Result<Vec<u8>, Unsupported> {
        systemone::state(shown)?;
        Ok(systemone::request(shown, None))
    }

    fn read(&self, shown: &Presentation<'_>, reply: &Reply) -> Result<Answer, Rejection> {
        let envelope = systemone::parsed(&reply.body)?;
        match (envelope.get("success"), envelope.get("result")) {
            (Some(Json::Bool(false)), _) => Err(failed(&envelope)),
            (_, Some(Json::Object(result))) => systemone::of_object(shown, result),
            // A gateway before it says so without the envelope.
            (_, None)
                if envelope
                    .get("error")
                    .is_some_and(|error| *error != Json::Null) =>
            {
                systemone::of_object(shown, &envelope)
            }
            (_, None | Some(Json::Null)) => Err(malformed(
                "envelope",
                "the reply has no `result`".to_owned(),
            )),
            (_, Some(other)) => Err(malformed(
                "envelope",
                format!("`result` is {}, expected an object", quoted(other)),
            )),
        }
    }

    fn object_order(&self) -> bool {
        true
    }
}

/// An envelope that says that nothing was answered. Its codes are Cloudflare's own and no HTTP status.
fn failed(envelope: &Object) -> Rejection {
    let message = message::of_value(&Json::Object(envelope.clone()));
    Rejection::Backend {
        status: None,
        message: message::cut(&message.unwrap_or_else(|| "no reason given".to_owned())),
    }
}
