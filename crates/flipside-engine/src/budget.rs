//! Whether another ask fits into what a run may cost.

use flipside_core::cost::{PICOS_PER_MICRO, Spending, cost};
use flipside_core::model::Price;
use flipside_core::record::{Asked, Outcome};

use crate::limit::Limits;

/// What a run has spent, and what its asks in flight may cost.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    /// The limit in millionths of a US dollar, if there is one.
    limit: Option<u64>,
    price: Option<Price>,
    spending: Spending,
    /// Of all asks so far the one that cost most for each byte of its request: its cost and its bytes.
    dearest: Option<(u128, u64)>,
    /// Bytes of the requests in flight.
    in_flight: u64,
}

/// Whether another ask may start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    /// It fits.
    Free,
    /// It may not fit beside those in flight; when they have ended it is known.
    Wait,
    /// It does not fit: the limit would be passed.
    Full,
    /// Nobody knows what was spent.
    Blind,
}

impl Budget {
    /// The budget of a run under `limits` of which `spent` is gone.
    pub(crate) fn new(limits: &Limits, spent: Spending) -> Self {
        Self {
            limit: limits.max_cost_usd_micros,
            price: limits.price,
            spending: spent,
            dearest: None,
            in_flight: 0,
        }
    }

    /// What was spent.
    pub(crate) fn spending(&self) -> Spending {
        self.spending
    }

    /// Counts what an ask came to whose request had so many bytes.
    pub(crate) fn add(&mut self, asked: &Asked, bytes: u32) {
        self.spending.add(asked, self.price);
        let Outcome::Answered(answer) = &asked.outcome else {
            return;
        };
        let bytes = u64::from(bytes);
        let cost = cost(&answer.usage, self.price).filter(|_| asked.attempts > 0 && bytes > 0);
        let dearer = |(cost, bytes): (u128, u64)| {
            let known = self.dearest;
            known.is_none_or(|(most, of)| cost * u128::from(of) > most * u128::from(bytes))
        };
        self.dearest = cost
            .map(|cost| (cost, bytes))
            .filter(|one| dearer(*one))
            .or(self.dearest);
    }

    /// An ask with a request of so many bytes starts.
    pub(crate) fn start(&mut self, bytes: u32) {
        self.in_flight += u64::from(bytes);
    }

    /// It ended.
    pub(crate) fn end(&mut self, bytes: u32) {
        self.in_flight -= u64::from(bytes);
    }

    /// Whether an ask with a request of so many bytes may start now.
    pub(crate) fn room(&self, bytes: u32) -> Room {
        let Some(limit) = self.limit else {
            return Room::Free;
        };
        if self.spending.unknown > 0 {
            return Room::Blind;
        }
        let limit = u128::from(limit) * u128::from(PICOS_PER_MICRO);
        let fits = match self.most(self.in_flight + u64::from(bytes)) {
            Some(most) => self.spending.usd_picos + most <= limit,
            // The first ask goes alone, and says what one costs.
            None => self.in_flight == 0 && self.spending.usd_picos < limit,
        };
        match (fits, self.in_flight) {
            (true, _) => Room::Free,
            (false, 0) => Room::Full,
            (false, _) => Room::Wait,
        }
    }

    /// The most that requests of so many bytes cost: as the dearest so far for each byte, and before one is known, at a token for
    /// each byte.
    fn most(&self, bytes: u64) -> Option<u128> {
        let bytes = u128::from(bytes);
        match (self.dearest, self.price) {
            (Some((cost, of)), _) => Some((cost * bytes).div_ceil(u128::from(of))),
            (None, Some(price)) => Some(bytes * u128::from(price.input_usd_micros)),
            (None, None) => None,
        }
    }
}

#[cfg(test)]
#[path = "budget_tests.rs"]
mod tests;
