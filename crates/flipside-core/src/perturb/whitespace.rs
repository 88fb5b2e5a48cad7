//! The whitespace axis: the same texts of state and instructions, spaced otherwise.

use super::{Altered, Alternative, Axis, Change, Variant, text};
use crate::plan::VacuousReason;

/// A kind of white space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Whitespace {
    /// Every space between two words twice.
    Doubled,
    /// Two spaces at the end of every line.
    Trailing,
    /// `\r\n` for every line end that is `\n`.
    LineEnds,
    /// JSON inside a text on several lines, indented by two spaces.
    Pretty,
}

const ALL: [Whitespace; 4] = [
    Whitespace::Doubled,
    Whitespace::Trailing,
    Whitespace::LineEnds,
    Whitespace::Pretty,
];

impl Whitespace {
    pub(super) const FORMS: &'static str = "`whitespace`, or one of `doubled`, `trailing`, `line-ends` or `pretty` after `whitespace:`";

    pub(super) fn parse(value: Option<&str>) -> Option<Option<Self>> {
        match value {
            None => Some(None),
            Some(value) => ALL.into_iter().find(|kind| kind.name() == value).map(Some),
        }
    }

    /// The name after `whitespace:`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Doubled => "doubled",
            Self::Trailing => "trailing",
            Self::LineEnds => "line-ends",
            Self::Pretty => "pretty",
        }
    }

    /// Spaces every text of state and instructions otherwise.
    ///
    /// # Errors
    /// [`VacuousReason::Unchanged`] where no text has such a place.
    pub(super) fn apply(self, to: &mut Altered) -> Result<(), VacuousReason> {
        match self {
            Self::Doubled => text::change(to, &|text| text.replace(' ', "  ")),
            Self::Trailing => text::change(to, &|text| text.replace('\n', "  \n") + "  "),
            Self::LineEnds => {
                text::change(to, &|text| text.replace("\r\n", "\n").replace('\n', "\r\n"))
            }
            Self::Pretty => Err(VacuousReason::Unchanged),
        }
    }
}

pub(super) fn alternatives(kind: Option<Whitespace>) -> Vec<Alternative> {
    ALL.into_iter()
        .filter(|each| kind.is_none_or(|kind| kind == *each))
        .map(|each| {
            Alternative::new(
                Variant::on(Axis::Whitespace, each.name()),
                Change::Whitespace(each),
            )
        })
        .collect()
}
