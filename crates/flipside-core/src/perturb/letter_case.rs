//! The letter-case axis: the same texts of state and instructions in other letters.

use super::{Altered, Alternative, Axis, Change, Variant, text};
use crate::plan::VacuousReason;

/// A letter case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LetterCase {
    /// All small.
    Lower,
    /// All capital.
    Upper,
}

const ALL: [LetterCase; 2] = [LetterCase::Lower, LetterCase::Upper];

impl LetterCase {
    pub(super) const FORMS: &'static str =
        "`letter-case`, or `lower` or `upper` after `letter-case:`";

    pub(super) fn parse(value: Option<&str>) -> Option<Option<Self>> {
        match value {
            None => Some(None),
            Some(value) => ALL.into_iter().find(|kind| kind.name() == value).map(Some),
        }
    }

    /// The name after `letter-case:`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lower => "lower",
            Self::Upper => "upper",
        }
    }

    /// Writes every text of state and instructions in other letters, by Unicode's mappings without regard to language.
    ///
    /// # Errors
    /// [`VacuousReason::Unchanged`] where no text has such a letter.
    pub(super) fn apply(self, to: &mut Altered) -> Result<(), VacuousReason> {
        match self {
            Self::Lower => text::change(to, &str::to_lowercase),
            Self::Upper => text::change(to, &str::to_uppercase),
        }
    }
}

pub(super) fn alternatives(kind: Option<LetterCase>) -> Vec<Alternative> {
    ALL.into_iter()
        .filter(|each| kind.is_none_or(|kind| kind == *each))
        .map(|each| {
            Alternative::new(
                Variant::on(Axis::LetterCase, each.name()),
                Change::LetterCase(each),
            )
        })
        .collect()
}
