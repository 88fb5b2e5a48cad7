//! What asks cost: added up exactly, in millionths of a millionth of a US dollar, since one ask may cost less than a millionth.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::Usage;
use crate::model::Price;
use crate::record::{Asked, Outcome};

/// US dollars in [`Usage::cost_usd_picos`] per millionth of a dollar.
pub const PICOS_PER_MICRO: u64 = 1_000_000;

/// US dollars as whole millionths of millionths, rounded to the nearest; `None` for what is no cost: less than zero, not finite, or
/// above ten million dollars.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be in range"
)]
pub fn usd_picos(dollars: f64) -> Option<u64> {
    let picos = (dollars * 1e12).round();
    (0.0..=1e19).contains(&picos).then_some(picos as u64)
}

/// Cost of one ask in millionths of millionths of a US dollar: as the backend states it, else its tokens at `price`, which is exact in
/// this unit. `None` if neither is known.
pub fn cost(usage: &Usage, price: Option<Price>) -> Option<u128> {
    if let Some(stated) = usage.cost_usd_picos {
        return Some(u128::from(stated));
    }
    let price = price?;
    let at = |tokens: u64, price: u64| u128::from(tokens) * u128::from(price);
    // Where output costs something, an output that nobody counted has no known cost.
    let output = match (usage.output_tokens, price.output_usd_micros) {
        (Some(tokens), price) => at(tokens, price),
        (None, 0) => 0,
        (None, _) => return None,
    };
    Some(at(usage.input_tokens?, price.input_usd_micros) + output)
}

/// What asks took and cost, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spending {
    /// Asks that were sent and have ended.
    pub asks: u64,
    /// Attempts at them; one that was repeated may be billed each time.
    pub attempts: u64,
    /// Asks without a valid answer: nobody says what they cost.
    pub failed: u64,
    /// Answered asks whose cost is known.
    pub known: u64,
    /// Answered asks whose cost is unknown.
    pub unknown: u64,
    /// Input tokens, as far as answers state them.
    pub input_tokens: u64,
    /// Output tokens, as far as answers state them.
    pub output_tokens: u64,
    /// Answered asks that state no input tokens.
    pub without_tokens: u64,
    /// Millionths of millionths of a US dollar of the asks whose cost is known.
    pub usd_picos: u128,
}

impl Spending {
    /// Counts one ask; asks that share another's reply, and those on record, were not sent and cost nothing.
    pub fn add(&mut self, asked: &Asked, price: Option<Price>) {
        if asked.attempts == 0 {
            return;
        }
        self.asks += 1;
        self.attempts += u64::from(asked.attempts);
        let Outcome::Answered(answer) = &asked.outcome else {
            self.failed += 1;
            return;
        };
        let usage = &answer.usage;
        self.input_tokens += usage.input_tokens.unwrap_or(0);
        self.output_tokens += usage.output_tokens.unwrap_or(0);
        self.without_tokens += u64::from(usage.input_tokens.is_none());
        match cost(usage, price) {
            Some(cost) => {
                self.usd_picos += cost;
                self.known += 1;
            }
            None => self.unknown += 1,
        }
    }

    /// What these and those asks cost together.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self {
            asks: self.asks + other.asks,
            attempts: self.attempts + other.attempts,
            failed: self.failed + other.failed,
            known: self.known + other.known,
            unknown: self.unknown + other.unknown,
            input_tokens: self.input_tokens + other.input_tokens,
            output_tokens: self.output_tokens + other.output_tokens,
            without_tokens: self.without_tokens + other.without_tokens,
            usd_picos: self.usd_picos + other.usd_picos,
        }
    }
}

/// How a run is paid for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Paying {
    /// The price of tokens, for replies that state no cost.
    pub price: Option<Price>,
    /// What the order canary took.
    pub canary: Spending,
}

/// What a run cost, with everything that earlier commands asked for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CostSummary {
    /// Asks that were sent and have ended, those of the order canary and those that confirm flips included.
    pub asks: u64,
    /// Those of the order canary among them.
    pub canary: u64,
    /// Those that confirm flips among them.
    pub confirming: u64,
    /// Attempts at all of them; one that was repeated may be billed each time.
    pub attempts: u64,
    /// Asks without a valid answer among them: nobody says what they cost.
    pub failed: u64,
    /// Answered asks whose cost is known.
    pub known: u64,
    /// Answered asks whose cost is unknown: the reply states none, and no price is known.
    pub unknown: u64,
    /// Input tokens, as far as answers state them.
    pub input_tokens: u64,
    /// Output tokens, as far as answers state them.
    pub output_tokens: u64,
    /// Answered asks that state no input tokens.
    pub without_tokens: u64,
    /// Cost of the asks whose cost is known, in millionths of millionths of a US dollar; null where none is known.
    pub usd_picos: Option<u64>,
    /// US dollars in millionths per million input tokens, for replies that state no cost; null where no price is known.
    pub price_input_usd_micros: Option<u64>,
    /// The same of output tokens.
    pub price_output_usd_micros: Option<u64>,
}

impl CostSummary {
    /// What a run cost whose planned asks and whose confirming ones came to this, by slot.
    pub(crate) fn of<'a>(
        planned: impl IntoIterator<Item = &'a Asked>,
        confirming: impl IntoIterator<Item = &'a Asked>,
        paying: Paying,
    ) -> Self {
        let spent = |asks: &mut dyn Iterator<Item = &'a Asked>| {
            let mut spending = Spending::default();
            asks.for_each(|asked| spending.add(asked, paying.price));
            spending
        };
        let confirming = spent(&mut confirming.into_iter());
        let all = spent(&mut planned.into_iter())
            .with(confirming)
            .with(paying.canary);
        Self {
            asks: all.asks,
            canary: paying.canary.asks,
            confirming: confirming.asks,
            attempts: all.attempts,
            failed: all.failed,
            known: all.known,
            unknown: all.unknown,
            input_tokens: all.input_tokens,
            output_tokens: all.output_tokens,
            without_tokens: all.without_tokens,
            usd_picos: (all.known > 0).then(|| u64::try_from(all.usd_picos).unwrap_or(u64::MAX)),
            price_input_usd_micros: paying.price.map(|price| price.input_usd_micros),
            price_output_usd_micros: paying.price.map(|price| price.output_usd_micros),
        }
    }
}

#[cfg(test)]
#[path = "cost_tests.rs"]
mod tests;
