//! Axes and variants: what kind of change, and which one.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One kind of change that must not change the answer, or none at all.
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
pub enum Axis {
    /// The case in its own order and words.
    Baseline,
    /// The options in another order.
    Order,
    /// The options under other keys.
    Keys,
    /// The options with other descriptions, or none.
    Descriptions,
    /// The same decision in other words.
    Phrasing,
    /// The members of the state in another order.
    StateKeys,
    /// Other white space in state and instructions.
    Whitespace,
    /// Other letter case in state and instructions.
    LetterCase,
    /// One option less.
    Drop,
    /// One option more, an irrelevant one.
    Decoy,
    /// Asked alone, or beside its own other questions in another order.
    Batch,
    /// Variants of several axes at once.
    Cross,
    /// Whatever was changed between two recorded answers whose requests are not on record; never asked.
    Unrecorded,
    /// The control: the identical presentation asked again.
    Same,
}

impl Axis {
    /// Every axis on which something changes, in the order of reports.
    pub const CHANGES: [Self; 12] = [
        Self::Order,
        Self::Keys,
        Self::Descriptions,
        Self::Phrasing,
        Self::StateKeys,
        Self::Whitespace,
        Self::LetterCase,
        Self::Drop,
        Self::Decoy,
        Self::Batch,
        Self::Cross,
        Self::Unrecorded,
    ];

    /// The name used in reports and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Order => "order",
            Self::Keys => "keys",
            Self::Descriptions => "descriptions",
            Self::Phrasing => "phrasing",
            Self::StateKeys => "state-keys",
            Self::Whitespace => "whitespace",
            Self::LetterCase => "letter-case",
            Self::Drop => "drop",
            Self::Decoy => "decoy",
            Self::Batch => "batch",
            Self::Cross => "cross",
            Self::Unrecorded => "unrecorded",
            Self::Same => "same",
        }
    }

    /// The axis of this name on which something changes.
    pub fn parse(name: &str) -> Option<Self> {
        Self::CHANGES.into_iter().find(|axis| axis.name() == name)
    }

    /// Whether something changes on it: neither the baseline nor the control.
    pub fn changes(self) -> bool {
        !matches!(self, Self::Baseline | Self::Same)
    }

    /// Whether asking it brings a gate of its own. The others may change an answer for good reasons, so they are reported, and
    /// gated on request.
    pub fn is_gated(self) -> bool {
        self.changes()
            && !matches!(
                self,
                Self::Descriptions | Self::Drop | Self::Decoy | Self::Cross | Self::Unrecorded
            )
    }
}

/// One value on an axis, such as `order/reverse` or `same/1`.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
pub struct Variant {
    /// The axis.
    pub axis: Axis,
    /// The value's name on it, such as `reverse`, `rotate:2`, `random:1`.
    pub name: String,
}

impl Variant {
    /// The own order and words.
    pub fn baseline() -> Self {
        Self {
            axis: Axis::Baseline,
            name: "own".to_owned(),
        }
    }

    /// `name` on the order axis.
    pub fn order(name: impl Into<String>) -> Self {
        Self {
            axis: Axis::Order,
            name: name.into(),
        }
    }

    /// `name` on `axis`.
    pub fn on(axis: Axis, name: impl Into<String>) -> Self {
        Self {
            axis,
            name: name.into(),
        }
    }

    /// The `repeat`-th control, from 1.
    pub fn same(repeat: u32) -> Self {
        Self {
            axis: Axis::Same,
            name: repeat.to_string(),
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.axis.name(), self.name)
    }
}
