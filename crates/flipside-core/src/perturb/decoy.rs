//! The decoy axis: one option more, an irrelevant one.
//!
//! It stands after all others in every order, so that no other option moves and one that speaks about those before it, such as
//! `none of these`, says the same in each. Its identity is the one after theirs, which no case accepts.

use std::fmt;

use super::{Altered, Alternative, Axis, Change, Variant, counting};
use crate::case::{Case, CaseOption, Key, KeyBinding, QuestionKind};
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
        /// Its key: not empty, and without what would keep a gate from naming its variant.
        key: String,
        /// Its text.
        text: String,
    },
}

/// One option more.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Decoy {
    /// `none of these`.
    NoneOfThese,
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
/// What an option says that is `none of these` in other words, in lower case and without punctuation.
const NONE: [&str; 12] = [
    "none",
    "none of these",
    "none of these options",
    "none of the above",
    "none of the options",
    "none of the others",
    "none of them",
    "none of those",
    "none apply",
    "none applies",
    "neither",
    "neither of these",
];

impl DecoySpec {
    pub(super) const FORMS: &'static str = "`decoy`, or one of `none`, `own` or `KEY=TEXT` after `decoy:`, a key without `<`, `>` or a blank at its ends";

    pub(super) fn parse(value: Option<&str>) -> Option<Self> {
        match value {
            None | Some("none") => Some(Self::NoneOfThese),
            Some("own") => Some(Self::Own),
            Some(value) => {
                let (key, text) = value.split_once('=')?;
                // `--gate decoy.given:KEY<=5%` names it.
                let named = !key.is_empty() && key.trim() == key && !key.contains(['<', '>']);
                (named && !text.is_empty()).then(|| Self::Given {
                    key: key.to_owned(),
                    text: text.to_owned(),
                })
            }
        }
    }

    /// Whether a variant of this name is one of those that it can mean.
    pub(super) fn means(&self, name: &str) -> bool {
        match self {
            Self::NoneOfThese => name == "none",
            Self::Own => name.starts_with("own:"),
            Self::Given { key, .. } => name.strip_prefix("given:") == Some(key),
        }
    }

    pub(super) fn alternatives(&self, case: &Case) -> Vec<Alternative> {
        let one = |name: String, decoy| {
            Alternative::new(Variant::on(Axis::Decoy, name), Change::Decoy(decoy))
        };
        match self {
            Self::NoneOfThese => vec![one("none".to_owned(), Decoy::NoneOfThese)],
            Self::Given { key, text } => {
                let (key, text) = (key.clone(), text.clone());
                vec![one(format!("given:{key}"), Decoy::Given { key, text })]
            }
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
    /// Offers the option after all others, with the identity after theirs; `renamed` says whether the others have other keys
    /// than the case gave them.
    ///
    /// Where the others count (`A`, `B`, .. or `1`, `2`, ..) and their keys name nothing, the decoy counts on in place of its own key:
    /// where keys stay in their places, where the keys axis gave them, and for `none of these`, whose key is ours.
    ///
    /// # Errors
    /// [`VacuousReason::NotAChoice`] for levels and statements; [`VacuousReason::NoDecoy`]; [`VacuousReason::KeyTaken`] where an
    /// option has its key, letter case aside; [`VacuousReason::DecoyOffered`] where an option says the same, letter case and
    /// punctuation aside; [`VacuousReason::PositionDependent`] where an option speaks about others; [`VacuousReason::TooManyOptions`].
    pub(super) fn apply(&self, to: &mut Altered, renamed: bool) -> Result<(), VacuousReason> {
        let case = &mut to.case;
        if case.question.kind != QuestionKind::Choice {
            return Err(VacuousReason::NotAChoice);
        }
        if case.position_dependent.is_some() {
            return Err(VacuousReason::PositionDependent);
        }
        let mut decoy = self.option(case).ok_or(VacuousReason::NoDecoy)?;
        if case.options.len() >= Order::MOST {
            return Err(VacuousReason::TooManyOptions);
        }
        if case
            .options
            .iter()
            .any(|option| says_the_same(option, &decoy))
        {
            return Err(VacuousReason::DecoyOffered);
        }
        if renamed || case.keys == KeyBinding::Place || *self == Self::NoneOfThese {
            let keys = case.options.iter().map(|option| option.key.0.as_str());
            if let Some(key) = counting::next(&keys.collect::<Vec<_>>()) {
                decoy.key = Key(key);
            }
        }
        let key = decoy.key.0.to_lowercase();
        let taken = |option: &CaseOption| option.key.0.to_lowercase() == key;
        if case.options.iter().any(taken) {
            return Err(VacuousReason::KeyTaken);
        }
        let id = u16::try_from(case.options.len()).expect("under Order::MOST");
        case.options.push(decoy);
        to.shown.push(OptionId(id));
        Ok(())
    }

    /// The option, under its own key.
    fn option(&self, case: &Case) -> Option<CaseOption> {
        let given = |key: &str, text: &str| CaseOption {
            key: Key(key.to_owned()),
            text: Some(Json::String(text.to_owned())),
        };
        match self {
            Self::NoneOfThese => Some(given(NONE_KEY, NONE_TEXT)),
            Self::Own(index) => case.brought.decoys.get(usize::from(*index)).cloned(),
            Self::Given { key, text } => Some(given(key, text)),
        }
    }
}

/// Whether two options say the same: in their descriptions, or in their keys where they have none, or both `none of these`.
fn says_the_same(one: &CaseOption, other: &CaseOption) -> bool {
    let none = |option: &CaseOption| {
        NONE.contains(&words(&option.key.0).as_str()) || NONE.contains(&said(option).as_str())
    };
    said(one) == said(other) || (none(one) && none(other))
}

/// The words of an option's description, or of its key where it has none.
fn said(option: &CaseOption) -> String {
    match &option.text {
        Some(Json::String(text)) if option.has_description() => words(text),
        Some(value) if option.has_description() => value.to_text(),
        _ => words(&option.key.0),
    }
}

/// The words of `text` in lower case, one blank between them; the text itself where it has no word.
fn words(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    if words.is_empty() {
        text.to_owned()
    } else {
        words.join(" ").to_lowercase()
    }
}

#[cfg(test)]
#[path = "decoy_tests.rs"]
mod tests;
