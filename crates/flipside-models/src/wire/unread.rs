//! What requests carry and no model behind some protocols reads.

use flipside_core::case::{Case, QuestionKind};
use flipside_core::perturb::Axis;
use flipside_core::plan::VacuousReason;

/// That a model reads an option's key only where it has no text. The axis `keys` leaves such options alone; the name of a level is a
/// part of its text.
pub(super) fn keys_of_texts(axis: Axis, case: &Case) -> Option<VacuousReason> {
    let keys = axis == Axis::Keys && case.question.kind == QuestionKind::Choice;
    keys.then_some(VacuousReason::KeysNotRead)
}
