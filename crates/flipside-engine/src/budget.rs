//! What a run has spent, and whether another ask fits.

use flipside_core::answer::Usage;
use flipside_core::model::Price;
use flipside_core::record::{Asked, Outcome};

/// What answered asks cost, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spending {
    /// Millionths of a US dollar of the asks whose cost is known.
    pub usd_micros: u128,
    /// Asks whose cost is known.
    pub known: u64,
    /// Answered asks whose cost is unknown.
    pub unknown: u64,
}

impl Spending {
    /// Counts one ask that was sent; asks that share another's reply cost nothing.
    pub fn add(&mut self, asked: &Asked, price: Option<Price>) {
        if asked.attempts == 0 {
            return;
        }
        let Outcome::Answered(answer) = &asked.outcome else {
            return;
        };
        match cost(&answer.usage, price) {
            Some(cost) => {
                self.usd_micros += u128::from(cost);
                self.known += 1;
            }
            None => self.unknown += 1,
        }
    }

    /// What the asks in flight will have cost, at the mean of those that are known.
    pub(crate) fn with_in_flight(&self, in_flight: usize) -> u128 {
        match self.known {
            0 => self.usd_micros,
            known => self.usd_micros + self.usd_micros * in_flight as u128 / u128::from(known),
        }
    }
}

/// Cost of one ask in millionths of a US dollar, rounded up: as the backend states it, else tokens at `price`.
fn cost(usage: &Usage, price: Option<Price>) -> Option<u64> {
    if usage.cost_usd_micros.is_some() {
        return usage.cost_usd_micros;
    }
    let price = price?;
    let input = u128::from(usage.input_tokens?) * u128::from(price.input_usd_micros);
    let output = u128::from(usage.output_tokens.unwrap_or(0)) * u128::from(price.output_usd_micros);
    u64::try_from((input + output).div_ceil(1_000_000)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cost_is_what_the_backend_states_else_tokens_at_the_price_else_unknown() {
        let price = Some(Price {
            input_usd_micros: 42_000,
            output_usd_micros: 0,
        });
        let tokens = Usage {
            input_tokens: Some(1_000),
            ..Usage::default()
        };
        assert_eq!(cost(&tokens, price), Some(42));
        assert_eq!(cost(&tokens, None), None);
        assert_eq!(cost(&Usage::default(), price), None);
        let stated = Usage {
            cost_usd_micros: Some(5),
            ..tokens
        };
        assert_eq!(cost(&stated, price), Some(5));
    }
}
