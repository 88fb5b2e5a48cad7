//! The keys axis: the same options under other names.

use std::fmt;
use std::sync::Arc;

use super::{Altered, Alternative, Axis, Change, Draws, Variant};
use crate::case::{Case, Key, KeyBinding, QuestionKind};
use crate::plan::VacuousReason;

/// `keys` as the user writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeysSpec {
    /// `A1`, `A2`, ..
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

/// Other keys, by identity: the key of an option does not depend on where it stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Keys {
    /// `A1`, `A2`, ..
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
    /// [`VacuousReason::OneOption`] for shuffled keys of one option; [`VacuousReason::FixedKeys`] where the question's kind gives the
    /// keys; [`VacuousReason::KeysAreText`] where an option is nothing but its key, so that another one would be another option;
    /// [`VacuousReason::OwnKeys`] where they are the case's own; [`VacuousReason::NoListedKeys`].
    pub(super) fn apply(&self, to: &mut Altered, draws: &Draws<'_>) -> Result<(), VacuousReason> {
        if to.case.question.kind != QuestionKind::Choice {
            return Err(VacuousReason::FixedKeys);
        }
        if to.case.options.iter().any(|option| option.text.is_none()) {
            return Err(VacuousReason::KeysAreText);
        }
        let count = to.case.options.len();
        let named = |name: fn(usize) -> String| (0..count).map(name).collect::<Vec<_>>();
        let keys: Vec<String> = match self {
            Self::Abstract => named(|id| format!("A{}", id + 1)),
            Self::Letters => named(letters),
            Self::Numbers => named(|id| (id + 1).to_string()),
            Self::Shuffled => shuffled(&to.case, draws)?,
            Self::Listed(keys) => {
                let mut keys = keys.to_vec();
                // A decoy keeps its own key.
                keys.extend(
                    to.case
                        .options
                        .iter()
                        .skip(keys.len())
                        .map(|option| option.key.0.clone()),
                );
                keys
            }
            Self::Unlisted => return Err(VacuousReason::NoListedKeys),
        };
        if crate::json::first_duplicate(keys.iter().map(String::as_str)).is_some() {
            return Err(VacuousReason::KeyTaken);
        }
        let own = to.case.options.iter().map(|option| &option.key.0).eq(&keys);
        if own {
            return Err(VacuousReason::OwnKeys);
        }
        // Whatever a key was bound to, the new one names its option.
        to.case.keys = KeyBinding::Option;
        for (option, key) in to.case.options.iter_mut().zip(keys) {
            option.key = Key(key);
        }
        Ok(())
    }
}

/// `A` for 0, `Z` for 25, `AA` for 26.
pub(super) fn letters(place: usize) -> String {
    let mut left = place + 1;
    let mut letters = Vec::new();
    while left > 0 {
        left -= 1;
        letters.push(b'A' + u8::try_from(left % 26).expect("under 26"));
        left /= 26;
    }
    letters.reverse();
    String::from_utf8(letters).expect("letters")
}

/// The case's keys moved on by a random cycle, so that no option keeps its own.
fn shuffled(case: &Case, draws: &Draws<'_>) -> Result<Vec<String>, VacuousReason> {
    let count = case.options.len();
    if count < 2 {
        return Err(VacuousReason::OneOption);
    }
    // Sattolo's algorithm: a uniform cyclic permutation.
    let mut places: Vec<usize> = (0..count).collect();
    let mut stream = draws.stream("keys", 0);
    for last in (1..count).rev() {
        let other = stream.below(last as u64);
        places.swap(
            last,
            usize::try_from(other).expect("under the number of options"),
        );
    }
    Ok(places
        .iter()
        .map(|&place| case.options[place].key.0.clone())
        .collect())
}
