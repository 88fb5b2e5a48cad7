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

impl Protocol for SystemOne {
    fn wire(&self) -> Wire {
        Wire {
            name: Self::NAME.to_owned(),
            ..Wire::default()
        }
    }

    fn request(
        &self,
        shown: &Presentation<'_>,
        model: Option<&str>,
    ) -> Result<Vec<u8>, Unsupported> {
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
        Ok(request(shown, model))
    }

    fn read(&self, shown: &Presentation<'_>, reply: &Reply) -> Result<Answer, Rejection> {
        read(shown, &reply.body)
    }

    fn object_order(&self) -> bool {
        true
    }

    fn whole_replies(&self) -> bool {
        true
    }
}
