//! A row of a suite: one request, and how it came from its base case.

use serde::Serialize;

use crate::case::{Case, FieldValue, QuestionKind};
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

impl RowOrder {
    /// Both, in the order in which rows are made.
    pub const ALL: [Self; 2] = [Self::Forward, Self::Reversed];

    /// The name in a row.
    pub fn name(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Reversed => "reversed",
        }
    }

    /// The order with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|order| order.name() == name)
    }
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

impl KeyVariant {
    /// The two of a kind of question, in the order in which rows are made.
    pub fn of(kind: QuestionKind) -> [Self; 2] {
        match kind {
            QuestionKind::Choice | QuestionKind::Score => [Self::Semantic, Self::Abstract],
            QuestionKind::Noul => [Self::FirstQuestion, Self::SecondQuestion],
        }
    }

    /// The name in a row.
    pub fn name(self) -> &'static str {
        match self {
            Self::Semantic => "semantic",
            Self::Abstract => "abstract",
            Self::FirstQuestion => "q0",
            Self::SecondQuestion => "q1",
        }
    }

    /// The variant with this name that a question of this kind can have.
    pub fn parse(name: &str, kind: QuestionKind) -> Option<Self> {
        Self::of(kind)
            .into_iter()
            .find(|variant| variant.name() == name)
    }
}

/// The name that says nothing: `A1` for the first option of a choice, `L0` for the lowest level of a score.
///
/// `index` is the option's canonical identity. A noul question has no aliases; its sides would be called as options are.
pub fn alias(kind: QuestionKind, index: usize) -> String {
    match kind {
        QuestionKind::Choice | QuestionKind::Noul => format!("A{}", index + 1),
        QuestionKind::Score => format!("L{index}"),
    }
}

/// A row as a case that can be asked, and the way back to its base case.
#[derive(Clone, Debug, PartialEq)]
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

impl SuiteRow {
    /// The row's place in its base case, such as `p1/reversed/abstract`.
    pub fn place(&self) -> String {
        place(self.phrasing, self.order, self.keys)
    }

    /// The id of the row's case, such as `news-01/p1/reversed/abstract`.
    pub fn id(&self) -> String {
        format!("{}/{}", self.base, self.place())
    }

    /// What rows are grouped by, under the names that a row of the file has for them: `base_id`, `family`, `phrasing`, `order`,
    /// `key_variant`.
    pub fn fields(&self) -> Vec<(String, FieldValue)> {
        let phrasing = format!("p{}", self.phrasing);
        [
            ("base_id", self.base.as_str()),
            ("family", self.family.as_str()),
            ("phrasing", phrasing.as_str()),
            ("order", self.order.name()),
            ("key_variant", self.keys.name()),
        ]
        .map(|(name, value)| (name.to_owned(), FieldValue::Text(value.to_owned())))
        .into()
    }
}

/// A row's place in its base case, such as `p1/reversed/abstract`.
pub fn place(phrasing: u16, order: RowOrder, keys: KeyVariant) -> String {
    format!("p{phrasing}/{}/{}", order.name(), keys.name())
}
