//! The decoy axis: one option more, an irrelevant one. It stands last, so that no other option moves.

use std::fmt;

use super::{Altered, Alternative, Axis, Change, Variant};
use crate::case::{Case, CaseOption, Key, QuestionKind};
use crate::json::Json;
use crate::order::{OptionId, Order};
use crate::plan::VacuousReason;

/// `decoy` as the user writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecoySpec {
    /// `none of these`.
    NoneOfThese,
    /// Those that the case brings.
    Own,
    /// This option.
    Given {
        /// Its key.
        key: String,
        /// Its text.
        text: String,
    },
}

/// One option more.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Decoy {
    /// The one of the case with this index.
    Own(u16),
    /// This key and text.
    Given {
        /// The key.
        key: String,
        /// The text.
        text: String,
    },
}

const NONE_KEY: &str = "none";
const NONE_TEXT: &str = "none of these";

impl DecoySpec {
    pub(super) const FORMS: &'static str =
        "`decoy`, or one of `none`, `own` or `KEY=TEXT` after `decoy:`";

    pub(super) fn parse(value: Option<&str>) -> Option<Self> {
        match value {
            None | Some("none") => Some(Self::NoneOfThese),
            Some("own") => Some(Self::Own),
            Some(value) => {
                let (key, text) = value.split_once('=')?;
                (!key.is_empty() && !text.is_empty()).then(|| Self::Given {
                    key: key.to_owned(),
                    text: text.to_owned(),
                })
            }
        }
    }

    pub(super) fn alternatives(&self, case: &Case) -> Vec<Alternative> {
        let one = |name: String, decoy| {
            Alternative::new(Variant::on(Axis::Decoy, name), Change::Decoy(decoy))
        };
        let given = |key: &str, text: &str| Decoy::Given {
            key: key.to_owned(),
            text: text.to_owned(),
        };
        match self {
            Self::NoneOfThese => vec![one("none".to_owned(), given(NONE_KEY, NONE_TEXT))],
            Self::Given { key, text } => vec![one(format!("{key}={text}"), given(key, text))],
            Self::Own => {
                let brought = u16::try_from(case.brought.decoys.len())
                    .unwrap_or(u16::MAX)
                    .max(1);
                (0..brought)
                    .map(|index| one(format!("own:{}", index + 1), Decoy::Own(index)))
                    .collect()
            }
        }
    }
}

impl fmt::Display for DecoySpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoneOfThese => f.write_str("none"),
            Self::Own => f.write_str("own"),
            Self::Given { key, text } => write!(f, "{key}={text}"),
        }
    }
}

impl Decoy {
    /// Offers the option after all others, with the identity after theirs.
    ///
    /// # Errors
    /// [`VacuousReason::NotAChoice`] for levels and statements; [`VacuousReason::NoDecoy`]; [`VacuousReason::KeyTaken`] where an
    /// option has its key; [`VacuousReason::PositionDependent`] where an option speaks about others; [`VacuousReason::TooManyOptions`].
    pub(super) fn apply(&self, to: &mut Altered) -> Result<(), VacuousReason> {
        if to.case.question.kind != QuestionKind::Choice {
            return Err(VacuousReason::NotAChoice);
        }
        if to.case.position_dependent.is_some() {
            return Err(VacuousReason::PositionDependent);
        }
        let decoy = match self {
            Self::Own(index) => to.case.brought.decoys.get(usize::from(*index)).cloned(),
            Self::Given { key, text } => Some(CaseOption {
                key: Key(key.clone()),
                text: Some(Json::String(text.clone())),
            }),
        };
        let decoy = decoy.ok_or(VacuousReason::NoDecoy)?;
        if to.case.options.len() >= Order::MOST {
            return Err(VacuousReason::TooManyOptions);
        }
        if to.case.options.iter().any(|option| option.key == decoy.key) {
            return Err(VacuousReason::KeyTaken);
        }
        let id = u16::try_from(to.case.options.len()).expect("under Order::MOST");
        to.case.options.push(decoy);
        to.shown.push(OptionId(id));
        Ok(())
    }
}
