//! What the canary found.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the canary found out about the way to a model. It is behavioural evidence: nobody outside can see what the model was shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Canary {
    /// What it found about option order.
    pub order: OrderFinding,
    /// Why nothing is known or nothing was asked, or what else shows the finding.
    pub why: Option<String>,
    /// Option texts of which the end changes nothing; null where their ends are read, and where that is not known.
    pub cut_texts: Option<CutTexts>,
    /// Asks that it took, among none of the run's own.
    pub asks: u64,
}

/// What is known about option order on its way to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OrderFinding {
    /// Another order brought another answer, also under keys that look like integers: order reaches the model.
    Arrives,
    /// Every order brought the same answer to the last bit: the model does not care about order, or something on the way drops it.
    Unmoved,
    /// Answers follow the sorted order of the keys, whatever order was sent.
    Sorted,
    /// The answer to the first order comes back for every other one.
    Cached,
    /// Order arrives under plain keys and not under keys that look like integers, which JavaScript moves.
    IntegerKeys,
    /// It was asked, and the answers do not tell.
    NotKnown,
    /// It was not asked.
    NotAsked,
}

/// Option texts of which the end changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CutTexts {
    /// Characters of the texts that were asked.
    pub characters: u64,
    /// Their first characters, which were the same; what followed them was changed and moved no number.
    pub alike: u64,
}

impl OrderFinding {
    /// Its name, as summaries have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Arrives => "arrives",
            Self::Unmoved => "unmoved",
            Self::Sorted => "sorted",
            Self::Cached => "cached",
            Self::IntegerKeys => "integer-keys",
            Self::NotKnown => "not-known",
            Self::NotAsked => "not-asked",
        }
    }
}

impl Canary {
    /// Nothing was asked, because of `why`.
    pub fn not_asked(why: impl Into<String>) -> Self {
        Self {
            order: OrderFinding::NotAsked,
            why: Some(why.into()),
            cut_texts: None,
            asks: 0,
        }
    }

    /// Whether it saw something that drops the order of every request, or with `integer_keys` of requests with such keys.
    ///
    /// What is the same in every order can be a model that does not care, which is no fault of anything.
    pub fn drops_order(&self, integer_keys: bool) -> bool {
        match self.order {
            OrderFinding::Sorted | OrderFinding::Cached => true,
            OrderFinding::IntegerKeys => integer_keys,
            OrderFinding::Arrives
            | OrderFinding::Unmoved
            | OrderFinding::NotKnown
            | OrderFinding::NotAsked => false,
        }
    }
}
