//! The keys axis: the same options under other names.
//!
//! What a key is bound to stays as the case has it. A key that is a name moves with its option, whatever the order; a letter that
//! stays in its place is replaced by a key that stays there too. So, where letters stay in their places, another order and other
//! keys are two changes that do not imply each other, and `keys:letters` of a case with the letters A, B, C is vacuous in every order.
//!
//! The key of a level or of a statement's side is given by the kind of question. A level is nothing but its text on the wire; where
//! every level is written `NAME: description`, the name in the text is what the axis changes, else the axis is vacuous.

use std::fmt;
use std::sync::Arc;

use super::{Altered, Alternative, Axis, Change, Draws, Variant, counting, levels};
use crate::case::{Case, Key, QuestionKind};
use crate::plan::VacuousReason;

/// `keys` as the user writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeysSpec {
    /// `A1`, `A2`, ..; for the names of levels `L0`, `L1`, ..
    Abstract,
    /// `A`, `B`, .., then `AA`, `AB`, ..
    Letters,
    /// `1`, `2`, ..
    Numbers,
    /// The case's own keys, each at another option.
    Shuffled,
    /// The lists of this file.
    List(String),
}

/// Other keys, in the case's own order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Keys {
    /// `A1`, `A2`, ..; for the names of levels `L0`, `L1`, ..
    Abstract,
    /// `A`, `B`, .., then `AA`, `AB`, ..
    Letters,
    /// `1`, `2`, ..
    Numbers,
    /// The case's own keys, each at another option.
    Shuffled,
    /// These keys; they fit a case with as many options.
    Listed(Arc<[String]>),
    /// None of the lists fits the case.
    Unlisted,
}

impl KeysSpec {
    pub(super) const FORMS: &'static str = "`keys`, or one of `abstract`, `letters`, `numbers`, `shuffled` or `list:FILE` after `keys:`";

    pub(super) fn parse(value: Option<&str>) -> Option<Self> {
        match value {
            None | Some("abstract") => Some(Self::Abstract),
            Some("letters") => Some(Self::Letters),
            Some("numbers") => Some(Self::Numbers),
            Some("shuffled") => Some(Self::Shuffled),
            Some(value) => {
                let file = value
                    .strip_prefix("list:")
                    .filter(|file| !file.is_empty())?;
                Some(Self::List(file.to_owned()))
            }
        }
    }

    /// Whether a variant of this name is one of those that it can mean.
    pub(super) fn means(&self, name: &str) -> bool {
        match self {
            Self::List(_) => name.starts_with("list:"),
            _ => name == self.to_string(),
        }
    }

    /// The values that it means for `case`: one, or one for each list that fits.
    pub(super) fn alternatives(
        &self,
        case: &Case,
        lists: &[(String, Vec<Vec<String>>)],
    ) -> Vec<Alternative> {
        let one = |name: &str, keys| {
            vec![Alternative::new(
                Variant::on(Axis::Keys, name),
                Change::Keys(keys),
            )]
        };
        match self {
            Self::Abstract => one("abstract", Keys::Abstract),
            Self::Letters => one("letters", Keys::Letters),
            Self::Numbers => one("numbers", Keys::Numbers),
            Self::Shuffled => one("shuffled", Keys::Shuffled),
            Self::List(file) => {
                let lists = lists.iter().find(|(name, _)| name == file);
                let lists = lists.map_or(&[][..], |(_, lists)| lists);
                let fitting: Vec<Alternative> = (1..)
                    .zip(lists)
                    .filter(|(_, list)| list.len() == case.options.len())
                    .flat_map(|(number, list)| {
                        one(&format!("list:{number}"), Keys::Listed(list.clone().into()))
                    })
                    .collect();
                if fitting.is_empty() {
                    one("list:1", Keys::Unlisted)
                } else {
                    fitting
                }
            }
        }
    }
}

impl fmt::Display for KeysSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Abstract => f.write_str("abstract"),
            Self::Letters => f.write_str("letters"),
            Self::Numbers => f.write_str("numbers"),
            Self::Shuffled => f.write_str("shuffled"),
            Self::List(file) => write!(f, "list:{file}"),
        }
    }
}

impl Keys {
    /// Gives every option its other key.
    ///
    /// # Errors
    /// [`VacuousReason::OneOption`] for shuffled keys of one option; [`VacuousReason::FixedKeys`] for the sides of a statement, and for
    /// levels without names; [`VacuousReason::KeysAreText`] where an option is nothing but its key, so that another one would be
    /// another option; [`VacuousReason::PositionDependent`] where an option names another by its key, such as `both A and B`;
    /// [`VacuousReason::OwnKeys`] where they are the case's own; [`VacuousReason::NoListedKeys`]; [`VacuousReason::KeyTaken`] where two
    /// listed keys are one.
    pub(super) fn apply(&self, to: &mut Altered, draws: &Draws<'_>) -> Result<(), VacuousReason> {
        let options = &mut to.case.options;
        let levels = match to.case.question.kind {
            QuestionKind::Choice => None,
            QuestionKind::Score => Some(levels::named(options).ok_or(VacuousReason::FixedKeys)?),
            QuestionKind::Noul => return Err(VacuousReason::FixedKeys),
        };
        if levels.is_none() && options.iter().any(|option| !option.has_description()) {
            return Err(VacuousReason::KeysAreText);
        }
        let own: Vec<String> = match &levels {
            Some(levels) => levels.iter().map(|level| level.name.clone()).collect(),
            None => options.iter().map(|option| option.key.0.clone()).collect(),
        };
        if names_a_key(to.case.position_dependent.as_deref(), &own) {
            return Err(VacuousReason::PositionDependent);
        }
        let keys = self.instead_of(&own, levels.is_some(), draws)?;
        if crate::json::first_duplicate(keys.iter().map(String::as_str)).is_some() {
            return Err(VacuousReason::KeyTaken);
        }
        if keys == own {
            return Err(VacuousReason::OwnKeys);
        }
        for (place, (option, key)) in options.iter_mut().zip(keys).enumerate() {
            match &levels {
                Some(levels) => {
                    option.text = Some(levels::written(&key, &levels[place].description));
                }
                None => option.key = Key(key),
            }
        }
        Ok(())
    }

    /// As many keys as `own` has, in the same order.
    fn instead_of(
        &self,
        own: &[String],
        levels: bool,
        draws: &Draws<'_>,
    ) -> Result<Vec<String>, VacuousReason> {
        let counted = |way: fn(usize) -> String| (0..own.len()).map(way).collect();
        Ok(match self {
            Self::Abstract if levels => counted(|level| format!("L{level}")),
            Self::Abstract => counted(counting::numbered),
            Self::Letters => counted(counting::letters),
            Self::Numbers => counted(counting::numbers),
            Self::Shuffled => shuffled(own, draws)?,
            Self::Listed(keys) if keys.len() == own.len() => keys.to_vec(),
            Self::Listed(_) | Self::Unlisted => return Err(VacuousReason::NoListedKeys),
        })
    }
}

/// Whether the words by which an option speaks about others have one of `keys` among them.
fn names_a_key(words: Option<&str>, keys: &[String]) -> bool {
    let mut words = words
        .unwrap_or_default()
        .split(|c: char| !c.is_alphanumeric());
    words.any(|word| keys.iter().any(|key| key == word))
}

/// The keys moved on by a random cycle, so that none stays where it is.
fn shuffled(own: &[String], draws: &Draws<'_>) -> Result<Vec<String>, VacuousReason> {
    if own.len() < 2 {
        return Err(VacuousReason::OneOption);
    }
    // Sattolo's algorithm: a uniform cyclic permutation.
    let mut places: Vec<usize> = (0..own.len()).collect();
    let mut stream = draws.stream("keys", 0);
    for last in (1..own.len()).rev() {
        let other = stream.below(last as u64);
        places.swap(
            last,
            usize::try_from(other).expect("under the number of options"),
        );
    }
    Ok(places.iter().map(|&place| own[place].clone()).collect())
}

#[cfg(test)]
#[path = "keys_tests.rs"]
mod tests;
