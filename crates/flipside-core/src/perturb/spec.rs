//! `AXES` as the user writes them, and the values that they mean for one case.

use std::fmt;

use super::batch::Batch;
use super::decoy::DecoySpec;
use super::descriptions::Descriptions;
use super::keys::KeysSpec;
use super::letter_case::LetterCase;
use super::state_keys::StateKeysSpec;
use super::whitespace::Whitespace;
use super::{
    Alternative, Axis, Variant, batch, descriptions, drop, letter_case, phrasing, whitespace,
};
use crate::case::Case;
use crate::foreign::Foreign;

/// The forms of an axis, for help texts.
pub const AXIS_FORMS: &str = "keys[:abstract|letters|numbers|shuffled|list:FILE], descriptions[:drop|key|swapped], phrasing, state-keys[:reverse|shuffle:N], whitespace[:doubled|trailing|line-ends|pretty], letter-case[:lower|upper], drop, decoy[:none|own|KEY=TEXT], batch[:alone|reverse]";

/// One entry of `--axis`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AxisSpec {
    /// Other keys.
    Keys(KeysSpec),
    /// Other descriptions.
    Descriptions(Descriptions),
    /// Every rewording that the case brings.
    Phrasing,
    /// The state's members in other orders.
    StateKeys(StateKeysSpec),
    /// One kind of white space, or every kind.
    Whitespace(Option<Whitespace>),
    /// One letter case, or every one.
    LetterCase(Option<LetterCase>),
    /// Each option left out in turn.
    Drop,
    /// An irrelevant option.
    Decoy(DecoySpec),
    /// One change of company, or every one.
    Batch(Option<Batch>),
}

/// Why text is no axis.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AxisSpecError {
    /// No such axis.
    #[error("`{}` is no axis", Foreign(found))]
    Unknown {
        /// What was written.
        found: String,
    },
    /// An axis that has an argument of its own.
    #[error("`{}`: expected `{argument}` for this axis", Foreign(found))]
    Elsewhere {
        /// What was written.
        found: String,
        /// The argument.
        argument: &'static str,
    },
    /// A known axis with a value that it does not have.
    #[error("`{}`: expected {expected}", Foreign(found))]
    Value {
        /// What was written.
        found: String,
        /// What could follow.
        expected: &'static str,
    },
    /// An entry between two commas is empty.
    #[error("an axis is empty in `{}`", Foreign(found))]
    Empty {
        /// The whole list.
        found: String,
    },
}

impl AxisSpec {
    /// Reads a comma-separated list, collecting every error. A decoy's `KEY=TEXT` takes the rest of the list, commas and all.
    ///
    /// # Errors
    /// One [`AxisSpecError`] per bad entry.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, Vec<AxisSpecError>> {
        let (mut specs, mut errors) = (Vec::new(), Vec::new());
        let mut rest = Some(text);
        while let Some(list) = rest {
            let whole = list.starts_with("decoy:")
                && list
                    .split(',')
                    .next()
                    .is_some_and(|entry| entry.contains('='));
            let (entry, after) = match list.split_once(',') {
                Some((entry, after)) if !whole => (entry, Some(after)),
                _ => (list, None),
            };
            rest = after;
            match Self::parse(entry, text) {
                Ok(spec) => specs.push(spec),
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() {
            Ok(specs)
        } else {
            Err(errors)
        }
    }

    fn parse(entry: &str, whole: &str) -> Result<Self, AxisSpecError> {
        if entry.is_empty() {
            return Err(AxisSpecError::Empty {
                found: whole.to_owned(),
            });
        }
        let (name, value) = match entry.split_once(':') {
            Some((name, value)) => (name, Some(value)),
            None => (entry, None),
        };
        let of = |spec: Option<Self>, expected: &'static str| {
            spec.ok_or_else(|| AxisSpecError::Value {
                found: entry.to_owned(),
                expected,
            })
        };
        let elsewhere = |argument| {
            let found = entry.to_owned();
            Err(AxisSpecError::Elsewhere { found, argument })
        };
        match Axis::parse(name) {
            Some(Axis::Keys) => of(KeysSpec::parse(value).map(Self::Keys), KeysSpec::FORMS),
            Some(Axis::Descriptions) => of(
                Descriptions::parse(value).map(Self::Descriptions),
                Descriptions::FORMS,
            ),
            Some(Axis::Phrasing) => of(
                value.is_none().then_some(Self::Phrasing),
                "`phrasing` alone; the cases bring their rewordings",
            ),
            Some(Axis::StateKeys) => of(
                StateKeysSpec::parse(value).map(Self::StateKeys),
                StateKeysSpec::FORMS,
            ),
            Some(Axis::Whitespace) => of(
                one_of(value, Whitespace::ALL, Whitespace::name, Self::Whitespace),
                Whitespace::FORMS,
            ),
            Some(Axis::LetterCase) => of(
                one_of(value, LetterCase::ALL, LetterCase::name, Self::LetterCase),
                LetterCase::FORMS,
            ),
            Some(Axis::Drop) => of(
                value.is_none().then_some(Self::Drop),
                "`drop` alone; each option is left out in turn",
            ),
            Some(Axis::Decoy) => of(DecoySpec::parse(value).map(Self::Decoy), DecoySpec::FORMS),
            Some(Axis::Batch) => of(
                one_of(value, Batch::ALL, Batch::name, Self::Batch),
                Batch::FORMS,
            ),
            Some(Axis::Order) => elsewhere("--order"),
            Some(Axis::Cross) => elsewhere("--cross"),
            None if name == Axis::Same.name() => elsewhere("--order same:N"),
            Some(Axis::Unrecorded | Axis::Baseline | Axis::Same) | None => {
                Err(AxisSpecError::Unknown {
                    found: entry.to_owned(),
                })
            }
        }
    }

    /// The axis.
    pub fn axis(&self) -> Axis {
        match self {
            Self::Keys(_) => Axis::Keys,
            Self::Descriptions(_) => Axis::Descriptions,
            Self::Phrasing => Axis::Phrasing,
            Self::StateKeys(_) => Axis::StateKeys,
            Self::Whitespace(_) => Axis::Whitespace,
            Self::LetterCase(_) => Axis::LetterCase,
            Self::Drop => Axis::Drop,
            Self::Decoy(_) => Axis::Decoy,
            Self::Batch(_) => Axis::Batch,
        }
    }

    /// Whether its values draw, so that a seed matters.
    pub fn draws(&self) -> bool {
        match self {
            Self::Keys(keys) => *keys == KeysSpec::Shuffled,
            Self::StateKeys(state_keys) => matches!(state_keys, StateKeysSpec::Shuffle(_)),
            _ => false,
        }
    }

    /// The values that it means for `case`, at least one each time: what a case cannot be asked is found when the change is applied.
    /// `key_lists` has the lists of each `keys:list:FILE`.
    pub fn alternatives(
        &self,
        case: &Case,
        key_lists: &[(String, Vec<Vec<String>>)],
    ) -> Vec<Alternative> {
        match self {
            Self::Keys(keys) => keys.alternatives(case, key_lists),
            Self::Descriptions(kind) => vec![descriptions::alternative(*kind)],
            Self::Phrasing => phrasing::alternatives(case),
            Self::StateKeys(state_keys) => state_keys.alternatives(case),
            Self::Whitespace(kind) => whitespace::alternatives(*kind),
            Self::LetterCase(kind) => letter_case::alternatives(*kind),
            Self::Drop => drop::alternatives(case),
            Self::Decoy(decoy) => decoy.alternatives(case),
            Self::Batch(kind) => batch::alternatives(*kind),
        }
    }

    /// Whether `variant` is one of those that this entry can mean.
    pub fn means(&self, variant: &Variant) -> bool {
        let name = variant.name.as_str();
        let is = |kind: Option<&str>| kind.is_none_or(|kind| kind == name);
        variant.axis == self.axis()
            && match self {
                Self::Keys(keys) => keys.means(name),
                Self::Descriptions(kind) => kind.name() == name,
                Self::Phrasing | Self::Drop => true,
                Self::StateKeys(StateKeysSpec::Shuffle(_)) => name.starts_with("shuffle:"),
                Self::StateKeys(state_keys) => name == state_keys.to_string(),
                Self::Whitespace(kind) => is(kind.map(Whitespace::name)),
                Self::LetterCase(kind) => is(kind.map(LetterCase::name)),
                Self::Decoy(decoy) => decoy.means(name),
                Self::Batch(kind) => is(kind.map(Batch::name)),
            }
    }

    /// Whether this entry and `other` call two different things by one name, so that a run cannot have both.
    pub fn clashes(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Keys(KeysSpec::List(one)), Self::Keys(KeysSpec::List(other))) => one != other,
            (
                Self::Decoy(DecoySpec::Given { key: one, text }),
                Self::Decoy(DecoySpec::Given {
                    key: other,
                    text: others,
                }),
            ) => one == other && text != others,
            _ => false,
        }
    }
}

/// The entry that `value` after an axis's name makes: about the value of that name, or without one about every value.
fn one_of<T: Copy>(
    value: Option<&str>,
    all: impl IntoIterator<Item = T>,
    name: fn(T) -> &'static str,
    entry: fn(Option<T>) -> AxisSpec,
) -> Option<AxisSpec> {
    let Some(value) = value else {
        return Some(entry(None));
    };
    let found = all.into_iter().find(|each| name(*each) == value);
    found.map(|found| entry(Some(found)))
}

impl fmt::Display for AxisSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.axis().name();
        let of = |f: &mut fmt::Formatter<'_>, value: Option<&str>| match value {
            Some(value) => write!(f, "{name}:{value}"),
            None => f.write_str(name),
        };
        match self {
            Self::Keys(keys) => write!(f, "{name}:{keys}"),
            Self::Descriptions(kind) => of(f, Some(kind.name())),
            Self::Phrasing | Self::Drop => of(f, None),
            Self::StateKeys(state_keys) => write!(f, "{name}:{state_keys}"),
            Self::Whitespace(kind) => of(f, kind.map(Whitespace::name)),
            Self::LetterCase(kind) => of(f, kind.map(LetterCase::name)),
            Self::Decoy(decoy) => write!(f, "{name}:{decoy}"),
            Self::Batch(kind) => of(f, kind.map(Batch::name)),
        }
    }
}

#[cfg(test)]
#[path = "spec_tests.rs"]
mod tests;
