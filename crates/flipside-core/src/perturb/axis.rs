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
    /// The control: the identical presentation asked again.
    Same,
}

impl Axis {
    /// The name used in reports and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Order => "order",
            Self::Same => "same",
        }
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
