//! The drop axis: one option less.
//!
//! Leaving an option out moves those behind it up. So each is compared with the full list in which the option to be left out
//! stands last, where nothing moves (the statistics page, 9).

use super::{Altered, Alternative, Axis, Change, Variant};
use crate::case::{Case, QuestionKind};
use crate::order::OptionId;
use crate::plan::VacuousReason;

/// One option less, or the list that it is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Drop {
    /// This option is offered last.
    Last(OptionId),
    /// This option is not offered.
    Out(OptionId),
}

impl Drop {
    /// The option that is left out, if one is.
    pub fn out(self) -> Option<OptionId> {
        match self {
            Self::Last(_) => None,
            Self::Out(id) => Some(id),
        }
    }

    /// Moves the option to the end, or leaves it out.
    ///
    /// # Errors
    /// [`VacuousReason::NotAChoice`] for levels and statements; [`VacuousReason::TooFewOptions`] for two options or fewer;
    /// [`VacuousReason::PositionDependent`] where an option speaks about others.
    pub(super) fn apply(self, to: &mut Altered) -> Result<(), VacuousReason> {
        if to.case.question.kind != QuestionKind::Choice {
            return Err(VacuousReason::NotAChoice);
        }
        if to.case.options.len() < 3 {
            return Err(VacuousReason::TooFewOptions);
        }
        if to.case.position_dependent.is_some() {
            return Err(VacuousReason::PositionDependent);
        }
        let (Self::Last(moved) | Self::Out(moved)) = self;
        to.shown.retain(|id| *id != moved);
        if self == Self::Last(moved) {
            to.shown.push(moved);
        }
        Ok(())
    }
}

/// Each option left out in turn, named by its identity.
pub(super) fn alternatives(case: &Case) -> Vec<Alternative> {
    let each = |id: u16| {
        let change = |drop: fn(OptionId) -> Drop| Change::Drop(drop(OptionId(id)));
        Alternative {
            against: Some((
                Variant::on(Axis::Drop, format!("last:{id}")),
                change(Drop::Last),
            )),
            ..Alternative::new(Variant::on(Axis::Drop, id.to_string()), change(Drop::Out))
        }
    };
    let options =
        u16::try_from(case.options.len()).expect("a case has at most Order::MOST options");
    // A case that cannot be asked so is told once.
    let options = if Drop::Out(OptionId(0))
        .apply(&mut Altered {
            case: case.clone(),
            shown: Vec::new(),
        })
        .is_ok()
    {
        options
    } else {
        1
    };
    (0..options).map(each).collect()
}
