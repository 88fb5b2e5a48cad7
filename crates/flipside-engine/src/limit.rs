//! Limits of a run, and the pacer that keeps its rate.

use std::sync::Mutex;
use std::time::Duration;

use flipside_core::model::Price;
use tokio::time::Instant;

use crate::retry::Policy;

/// Limits of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// How many asks may be in flight; at least 1.
    pub concurrency: usize,
    /// How long one attempt may take.
    pub timeout: Duration,
    /// When and how often to try again.
    pub policy: Policy,
    /// Attempts per second, if they are paced; over 0.
    pub rate: Option<f64>,
    /// Asks of this plan, those in the journal included, after which no further one starts.
    pub max_asks: Option<u64>,
    /// Cost of this plan in millionths of a US dollar at which no further ask starts.
    pub max_cost_usd_micros: Option<u64>,
    /// The price of tokens, for backends that state no cost.
    pub price: Option<Price>,
}

/// Lets attempts start at an even rate.
#[derive(Debug)]
pub(crate) struct Pacer {
    gap: Option<Duration>,
    next: Mutex<Option<Instant>>,
}

impl Pacer {
    pub(crate) fn new(rate: Option<f64>) -> Self {
        let gap = rate.and_then(|rate| Duration::try_from_secs_f64(1.0 / rate).ok());
        Self {
            gap,
            next: Mutex::new(None),
        }
    }

    /// Waits for the next free slot.
    pub(crate) async fn ready(&self) {
        let Some(gap) = self.gap else { return };
        let slot = {
            let mut next = self.next.lock().expect("no holder of this lock can panic");
            let slot = next.map_or_else(Instant::now, |next| next.max(Instant::now()));
            *next = Some(slot + gap);
            slot
        };
        tokio::time::sleep_until(slot).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn rate_lets_attempts_start_evenly_and_never_catches_up() {
        let pacer = Pacer::new(Some(10.0));
        let start = Instant::now();
        for _ in 0..5 {
            pacer.ready().await;
        }
        assert_eq!(start.elapsed(), Duration::from_millis(400));
        tokio::time::advance(Duration::from_secs(5)).await;
        let later = Instant::now();
        for _ in 0..3 {
            pacer.ready().await;
        }
        assert_eq!(later.elapsed(), Duration::from_millis(200));
    }
}
