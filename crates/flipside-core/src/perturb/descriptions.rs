//! The descriptions axis: the same options with other descriptions, or none. An ablation: it takes information away.
//!
//! The description of a level that is written `NAME: description` is what follows its name.

use super::levels::{self, Level};
use super::{Altered, Alternative, Axis, Change, Variant};
use crate::case::{CaseOption, Key, KeyBinding, QuestionKind};
use crate::json::Json;
use crate::order::OptionId;
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

    /// Whether it leaves no description with its own option, so that the key alone still says which option is which.
    pub(super) fn leaves_the_key_alone(self) -> bool {
        match self {
            Self::Drop | Self::Swapped => true,
            Self::Key => false,
        }
    }

    /// Gives every option its other description.
    ///
    /// # Errors
    /// [`VacuousReason::NoDescription`] where no option has one; [`VacuousReason::LevelsAreText`] for levels without names, which are
    /// nothing but their texts; [`VacuousReason::InformationLost`] where keys are letters that stay in their places, so that the
    /// description alone says which option is which; [`VacuousReason::Unchanged`].
    pub(super) fn apply(self, to: &mut Altered) -> Result<(), VacuousReason> {
        let options = &to.case.options;
        if !options.iter().any(CaseOption::has_description) {
            return Err(VacuousReason::NoDescription);
        }
        let kind = to.case.question.kind;
        if kind == QuestionKind::Choice && to.case.keys == KeyBinding::Place {
            return Err(VacuousReason::InformationLost);
        }
        let texts: Vec<Option<Json>> = if kind == QuestionKind::Score {
            let levels = levels::named(options).ok_or(VacuousReason::LevelsAreText)?;
            each_with_the_next(&levels)
                .map(|(level, next)| Some(self.of_level(level, next)))
                .collect()
        } else {
            // The own order's keys, which are the other side's where a statement is asked as its opposite.
            let key = |id: u16| &options[to.case.keys.owner(OptionId(id), usize::from(id))].key;
            (0..)
                .zip(each_with_the_next(options))
                .map(|(id, (_, next))| self.of_option(key(id), next))
                .collect()
        };
        if options.iter().map(|option| &option.text).eq(&texts) {
            return Err(VacuousReason::Unchanged);
        }
        for (option, text) in to.case.options.iter_mut().zip(texts) {
            option.text = text;
        }
        Ok(())
    }

    fn of_option(self, key: &Key, next: &CaseOption) -> Option<Json> {
        match self {
            Self::Drop => None,
            Self::Key => Some(Json::String(key.0.clone())),
            Self::Swapped => next.text.clone(),
        }
    }

    fn of_level(self, level: &Level, next: &Level) -> Json {
        match self {
            Self::Drop => Json::String(level.name.clone()),
            Self::Key => levels::written(&level.name, &level.name),
            Self::Swapped => levels::written(&level.name, &next.description),
        }
    }
}

/// Each item with the one after it, the last with the first.
fn each_with_the_next<T>(all: &[T]) -> impl Iterator<Item = (&T, &T)> {
    all.iter().zip(all.iter().cycle().skip(1))
}

pub(super) fn alternative(kind: Descriptions) -> Alternative {
    Alternative::new(
        Variant::on(Axis::Descriptions, kind.name()),
        Change::Descriptions(kind),
    )
}

#[cfg(test)]
#[path = "descriptions_tests.rs"]
mod tests;
