//! Variants of a case that are not asked, and why.

use serde::{Deserialize, Serialize};

/// A variant of a case that was not planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vacuous {
    /// Index of the case.
    pub case: u32,
    /// Index of the variant.
    pub variant: u32,
    /// Why.
    pub reason: VacuousReason,
}

/// Why a variant cannot say anything about a case.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum VacuousReason {
    /// The case has one option.
    OneOption,
    /// The order is the case's own.
    OwnOrder,
    /// The request would be the baseline's, byte for byte.
    EqualBytes,
    /// What the case is for asks its options in one order.
    FixedOrder,
    /// An option speaks about other options, so another order is another question.
    PositionDependent,
    /// The list of orders has none for this number of options.
    NoListedOrder,
    /// The keys are given by the kind of the question.
    FixedKeys,
    /// An option is nothing but its key.
    KeysAreText,
    /// The keys are the case's own.
    OwnKeys,
    /// No list of keys has this number of options.
    NoListedKeys,
    /// An option has that key.
    KeyTaken,
    /// No option has a description.
    NoDescription,
    /// The levels of a score question are nothing but their texts.
    LevelsAreText,
    /// The case brings no such rewording.
    NoPhrasing,
    /// Nobody approved that the rewording means the same.
    NotApproved,
    /// No object of the state has two members.
    NoMembers,
    /// The change finds nothing to change.
    Unchanged,
    /// The question is asked alone.
    OneQuestion,
    /// Fewer than three options.
    TooFewOptions,
    /// More options than a case can have.
    TooManyOptions,
    /// Levels and statements cannot gain or lose an option.
    NotAChoice,
    /// The case brings no decoy.
    NoDecoy,
    /// The model cannot be asked the case so.
    CannotBeAsked,
    /// An option says what the decoy says.
    DecoyOffered,
    /// With other keys and without its description nothing says which option is which.
    InformationLost,
    /// The request of a combination would be that of some of its parts, byte for byte.
    EqualParts,
    /// The model reads no keys of options that have a text.
    KeysNotRead,
    /// The state's keys are sorted before the model reads them.
    StateKeysSorted,
}

impl VacuousReason {
    /// The reason, for a person.
    pub fn text(self) -> &'static str {
        match self {
            Self::OneOption => "one option",
            Self::OwnOrder => "the order is the case's own",
            Self::EqualBytes => "the request is the baseline's, byte for byte",
            Self::FixedOrder => "the order is fixed by what the question is for",
            Self::PositionDependent => "an option speaks about other options",
            Self::NoListedOrder => "no listed order has this number of options",
            Self::FixedKeys => "the kind of question gives the keys",
            Self::KeysAreText => "an option is nothing but its key",
            Self::OwnKeys => "the keys are the case's own",
            Self::NoListedKeys => "no listed keys have this number of options",
            Self::KeyTaken => "an option has that key already",
            Self::NoDescription => "no option has a description",
            Self::LevelsAreText => "levels are nothing but their texts",
            Self::NoPhrasing => "the case brings no such rewording",
            Self::NotApproved => "nobody approved the rewording",
            Self::NoMembers => "no object of the state has two members",
            Self::Unchanged => "there is nothing to change",
            Self::OneQuestion => "the question is asked alone",
            Self::TooFewOptions => "fewer than three options",
            Self::TooManyOptions => "the case has the most options there can be",
            Self::NotAChoice => "levels and statements gain and lose no option",
            Self::NoDecoy => "the case brings no decoy",
            Self::CannotBeAsked => "the model cannot be asked so",
            Self::DecoyOffered => "an option says what the decoy says",
            Self::InformationLost => "neither key nor description would say which option is which",
            Self::EqualParts => "the request is that of some of its parts",
            Self::KeysNotRead => "the model reads no keys of options that have a text",
            Self::StateKeysSorted => "the state's keys are sorted before the model reads them",
        }
    }
}
