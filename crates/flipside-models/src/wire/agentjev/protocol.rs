//! `AgentJev` as a [`Protocol`].

use flipside_core::answer::Answer;
use flipside_core::case::Case;
use flipside_core::model::{Rejection, Reply, Unsupported, Wire};
use flipside_core::perturb::Axis;
use flipside_core::plan::VacuousReason;
use flipside_core::present::Presentation;

use super::{read, request};
use crate::wire::Protocol;
use crate::wire::unread::keys_of_texts;

/// The `AgentJev` service. It is told no model name, and sorts the keys of a state before its model sees them.
#[derive(Clone, Copy, Debug)]
pub struct AgentJev;

impl AgentJev {
    /// What records call it.
    pub const NAME: &str = "agentjev";
}

impl Protocol for AgentJev {
    fn wire(&self) -> Wire {
        Wire::named(Self::NAME)
    }

    fn request(
        &self,
        shown: &Presentation<'_>,
        _model: Option<&str>,
    ) -> Result<Vec<u8>, Unsupported> {
        request(shown)
    }

    fn read(&self, shown: &Presentation<'_>, reply: &Reply) -> Result<Answer, Rejection> {
        read(shown, &reply.body)
    }

    fn object_order(&self) -> bool {
        true
    }

    fn unread(&self, axis: Axis, case: &Case) -> Option<VacuousReason> {
        match axis {
            Axis::StateKeys => Some(VacuousReason::StateKeysSorted),
            _ => keys_of_texts(axis, case),
        }
    }
}
