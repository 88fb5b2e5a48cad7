//! The descriptions axis: the same options with other descriptions, or none. An ablation: it takes information away.

use super::{Altered, Alternative, Axis, Change, Variant};
use crate::case::QuestionKind;
use crate::json::Json;
use crate::plan::VacuousReason;

/// Other descriptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Descriptions {
    /// None.
    Drop,
    /// The option's key.
    Key,
    /// Each option has the description of the next, the last that of the first.
    Swapped,
}

impl Descriptions {
    pub(super) const FORMS: &'static str =
        "`descriptions`, or one of `drop`, `key` or `swapped` after `descriptions:`";

    pub(super) fn parse(value: Option<&str>) -> Option<Self> {
        match value {
            None => Some(Self::Drop),
            Some(value) => [Self::Drop, Self::Key, Self::Swapped]
                .into_iter()
                .find(|kind| kind.name() == value),
        }
    }

    /// The name after `descriptions:`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Drop => "drop",
            Self::Key => "key",
            Self::Swapped => "swapped",
        }
    }

    /// Gives every option its other description.
    ///
    /// # Errors
    /// [`VacuousReason::NoDescription`] where no option has one; [`VacuousReason::LevelsAreText`] for the levels of a score question,
    /// which are nothing but their texts; [`VacuousReason::Unchanged`].
    pub(super) fn apply(self, to: &mut Altered) -> Result<(), VacuousReason> {
        let options = &mut to.case.options;
        if options.iter().all(|option| option.text.is_none()) {
            return Err(VacuousReason::NoDescription);
        }
        if to.case.question.kind == QuestionKind::Score {
            return Err(VacuousReason::LevelsAreText);
        }
        let before: Vec<Option<Json>> = options.iter().map(|option| option.text.clone()).collect();
        match self {
            Self::Drop => options.iter_mut().for_each(|option| option.text = None),
            Self::Key => options
                .iter_mut()
                .for_each(|option| option.text = Some(Json::String(option.key.0.clone()))),
            Self::Swapped => {
                let next = before.iter().cycle().skip(1);
                for (option, text) in options.iter_mut().zip(next) {
                    option.text.clone_from(text);
                }
            }
        }
        if options.iter().map(|option| &option.text).eq(&before) {
            return Err(VacuousReason::Unchanged);
        }
        Ok(())
    }
}

pub(super) fn alternative(kind: Descriptions) -> Alternative {
    Alternative::new(
        Variant::on(Axis::Descriptions, kind.name()),
        Change::Descriptions(kind),
    )
}
