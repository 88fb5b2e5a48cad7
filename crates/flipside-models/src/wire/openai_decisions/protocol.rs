//! `OpenAI` Decisions as a [`Protocol`].

use std::time::Duration;

use flipside_core::answer::Answer;
use flipside_core::model::{Failure, Rejection, Reply, Unsupported, Wire};
use flipside_core::present::Presentation;

use super::{read, request};
use crate::wire::Protocol;

/// A wait that is longer is not waited for, as `OpenAI`'s own client does.
const LONGEST_WAIT: Duration = Duration::from_mins(2);
/// The status that is worth another attempt here and nowhere else.
const CONFLICT: u16 = 409;

/// `OpenAI` Decisions, as `OpenAI`, Fireworks, `LiteLLM`, `LocalAI` and `SGLang` serve it. Order is that of arrays.
#[derive(Clone, Copy, Debug)]
pub struct OpenAiDecisions;

impl OpenAiDecisions {
    /// What records call it.
    pub const NAME: &str = "openai-decisions";
}

impl Protocol for OpenAiDecisions {
    fn wire(&self) -> Wire {
        Wire::named(Self::NAME)
    }

    fn request(
        &self,
        shown: &Presentation<'_>,
        model: Option<&str>,
    ) -> Result<Vec<u8>, Unsupported> {
        request(shown, model)
    }

    fn read(&self, shown: &Presentation<'_>, reply: &Reply) -> Result<Answer, Rejection> {
        read(shown, &reply.body)
    }

    fn object_order(&self) -> bool {
        false
    }

    fn failure(&self, mut failure: Failure) -> Failure {
        if let Failure::Status {
            status,
            retry_after,
            should_retry,
            ..
        } = &mut failure
        {
            if retry_after.is_some_and(|wait| wait > LONGEST_WAIT) {
                *should_retry = Some(false);
            } else if *status == CONFLICT {
                should_retry.get_or_insert(true);
            }
        }
        failure
    }
}
