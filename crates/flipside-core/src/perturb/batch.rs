//! The batch axis: the question alone, or beside its own other questions in another order.

use super::{Altered, Alternative, Axis, Change, Variant};
use crate::plan::VacuousReason;

/// Another company.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Batch {
    /// No other question.
    Alone,
    /// The questions backwards.
    Reverse,
}

impl Batch {
    /// Every one, in the order in which they are asked.
    pub(super) const ALL: [Self; 2] = [Self::Alone, Self::Reverse];

    pub(super) const FORMS: &'static str = "`batch`, or `alone` or `reverse` after `batch:`";

    /// The name after `batch:`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Alone => "alone",
            Self::Reverse => "reverse",
        }
    }

    /// Asks the question in other company.
    ///
    /// # Errors
    /// [`VacuousReason::OneQuestion`] where it has none.
    pub(super) fn apply(self, to: &mut Altered) -> Result<(), VacuousReason> {
        let question = &mut *to.case.question;
        if question.before.is_empty() && question.after.is_empty() {
            return Err(VacuousReason::OneQuestion);
        }
        match self {
            Self::Alone => {
                question.before.clear();
                question.after.clear();
            }
            Self::Reverse => {
                std::mem::swap(&mut question.before, &mut question.after);
                question.before.reverse();
                question.after.reverse();
            }
        }
        Ok(())
    }
}

pub(super) fn alternatives(kind: Option<Batch>) -> Vec<Alternative> {
    Batch::ALL
        .into_iter()
        .filter(|each| kind.is_none_or(|kind| kind == *each))
        .map(|each| Alternative::new(Variant::on(Axis::Batch, each.name()), Change::Batch(each)))
        .collect()
}
