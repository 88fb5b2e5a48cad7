//! System One as a [`Protocol`].

use flipside_core::answer::Answer;
use flipside_core::json::Json;
use flipside_core::model::{Rejection, Reply, Unsupported, Wire};
use flipside_core::present::Presentation;

use super::{read, request};
use crate::wire::Protocol;

/// System One: `state` and `questions` in, `answers` out.
#[derive(Clone, Copy, Debug)]
pub struct SystemOne;

impl SystemOne {
    /// What records call it.
    pub const NAME: &str = "system-one";
}

/// Whether System One takes the state.
///
/// # Errors
/// [`Unsupported`] if it is null, a number or a boolean.
pub(crate) fn state(shown: &Presentation<'_>) -> Result<(), Unsupported> {
    match shown.state() {
        Json::String(_) | Json::Object(_) | Json::Array(_) => Ok(()),
        other => Err(Unsupported {
            reason: format!(
                "the state is {}, System One takes a string, an object or an array",
                other.kind()
            ),
        }),
    }
}

impl Protocol for SystemOne {
    fn wire(&self) -> Wire {
        Wire::named(Self::NAME)
    }

    fn request(
        &self,
        shown: &Presentation<'_>,
        model: Option<&str>,
    ) -> Result<Vec<u8>, Unsupported> {
        state(shown)?;
        Ok(request(shown, model))
    }

    fn read(&self, shown: &Presentation<'_>, reply: &Reply) -> Result<Answer, Rejection> {
        read(shown, &reply.body)
    }

    fn object_order(&self) -> bool {
        true
    }
}
