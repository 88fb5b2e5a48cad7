//! A row of a suite: one request, and how it came from its base case.

use serde::Serialize;

use crate::case::Case;
use crate::order::OptionId;

/// The order in which a row lists the options of its base case.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum RowOrder {
    /// As the base case does.
    Forward,
    /// Backwards.
    Reversed,
}

/// Which names a row gives to the options, or for a noul question which wording it asks.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum KeyVariant {
    /// Names that say what the option is.
    Semantic,
    /// `A1` to `An`, or for levels `L0` to `Ln`; an alias belongs to its option and moves with it.
    Abstract,
    /// The first wording of a noul question, `q0`.
    FirstQuestion,
    /// The second wording, `q1`.
    SecondQuestion,
}

/// A row as a case that can be asked, and the way back to its base case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteCase {
    /// What is asked: identities of this case are places in the row's own list.
    pub case: Case,
    /// How it came from its base case.
    pub row: SuiteRow,
}

/// How a row came from its base case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteRow {
    /// The base case.
    pub base: String,
    /// Its family, such as `news_topic`.
    pub family: String,
    /// Which wording of the state, from 0: `p0`, `p1`, `p2`.
    pub phrasing: u16,
    /// The order of the options.
    pub order: RowOrder,
    /// The names of the options, or the wording of the question.
    pub keys: KeyVariant,
    /// The canonical identity of each place of the row's own list: what stands there, as an index in the base case.
    pub canonical: Vec<OptionId>,
    /// The accepted option, by canonical identity.
    pub accept: OptionId,
    /// Whether its forward and its reversed form are the same request, byte for byte, so that nothing was reversed.
    pub vacuous_order: bool,
}
