//! Cua-S1's worker: System One for choices alone, of which the model reads a letter and the text of each option (the wire page, 4.2).

use std::collections::BTreeMap;

use flipside_core::answer::Answer;
use flipside_core::case::Case;
use flipside_core::model::{Rejection, Reply, Unsupported, Wire};
use flipside_core::perturb::Axis;
use flipside_core::plan::VacuousReason;
use flipside_core::present::Presentation;

use super::Protocol;
use super::systemone::SystemOne;
use super::unread::keys_of_texts;

/// System One before a model that is shown an option's key only where it has no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cua;

impl Cua {
    /// What records call it.
    pub const NAME: &str = "cua";

    pub(super) fn of(settings: &BTreeMap<String, String>) -> Option<Self> {
        settings.is_empty().then_some(Self)
    }
}

impl Protocol for Cua {
    fn wire(&self) -> Wire {
        Wire::named(Self::NAME)
    }

    fn request(
        &self,
        shown: &Presentation<'_>,
        model: Option<&str>,
    ) -> Result<Vec<u8>, Unsupported> {
        SystemOne.request(shown, model)
    }

    fn read(&self, shown: &Presentation<'_>, reply: &Reply) -> Result<Answer, Rejection> {
        SystemOne.read(shown, reply)
    }

    fn object_order(&self) -> bool {
        true
    }

    fn unread(&self, axis: Axis, case: &Case) -> Option<VacuousReason> {
        keys_of_texts(axis, case)
    }
}
