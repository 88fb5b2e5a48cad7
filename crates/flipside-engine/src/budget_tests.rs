use std::time::Duration;

use flipside_core::answer::{Answer, Usage};
use flipside_core::record::{Failed, FailedKind};

use super::*;
use crate::retry::Policy;

/// A limit of 10 millionths of a dollar, tokens at 0.042 dollars a million where `priced`.
fn limits(priced: bool) -> Limits {
    Limits {
        concurrency: 4,
        timeout: Duration::from_secs(1),
        policy: Policy {
            attempts: 1,
            first_wait: Duration::ZERO,
            longest_wait: Duration::ZERO,
            budget: Duration::from_secs(1),
        },
        rate: None,
        max_asks: None,
        max_cost_usd_micros: Some(10),
        price: priced.then_some(Price {
            input_usd_micros: 42_000,
            output_usd_micros: 0,
        }),
    }
}

fn stating(micros: Option<u64>) -> Asked {
    let usage = Usage {
        cost_usd_picos: micros.map(|micros| micros * PICOS_PER_MICRO),
        ..Usage::default()
    };
    Asked {
        outcome: Outcome::Answered(Answer {
            usage: usage.into(),
            ..Answer::default()
        }),
        ms: 1.0,
        attempts: 1,
    }
}

#[test]
fn without_a_price_the_first_ask_goes_alone_and_the_others_as_it_says() {
    let mut budget = Budget::new(&limits(false), Spending::default());
    assert_eq!(budget.room(100), Room::Free);
    budget.start(100);
    assert_eq!(budget.room(100), Room::Wait);
    budget.end(100);
    // 3 of 10 are gone for 100 bytes; two more of 100 bytes fit beside each other, and a third does not.
    budget.add(&stating(Some(3)), 100);
    budget.start(100);
    assert_eq!(budget.room(100), Room::Free);
    budget.start(100);
    assert_eq!(budget.room(100), Room::Wait);
    // A third of the bytes costs a third: 3 + 6 + 1 are the limit, which may be reached and not passed.
    assert_eq!(budget.room(33), Room::Free);
    assert_eq!(budget.room(34), Room::Wait);
    budget.end(100);
    budget.end(100);
    budget.add(&stating(Some(3)), 100);
    // A cheaper one does not lower what the next may cost.
    budget.add(&stating(Some(2)), 100);
    assert_eq!(budget.spending().usd_picos, 8_000_000);
    assert_eq!(budget.room(100), Room::Full);
    assert_eq!(budget.room(66), Room::Free);
}

#[test]
fn with_a_price_no_ask_starts_that_could_pass_the_limit_at_a_token_a_byte() {
    // 10 millionths of a dollar are 238.1 tokens at 0.042 dollars a million.
    let mut budget = Budget::new(&limits(true), Spending::default());
    assert_eq!(
        (budget.room(238), budget.room(239)),
        (Room::Free, Room::Full)
    );
    budget.start(138);
    assert_eq!(
        (budget.room(100), budget.room(101)),
        (Room::Free, Room::Wait)
    );
}

#[test]
fn what_is_unknown_is_not_spent_blindly_and_a_failed_ask_is_not_unknown() {
    let mut budget = Budget::new(&limits(true), Spending::default());
    let failed = Failed {
        kind: FailedKind::Timeout,
        message: String::new(),
        unanswered: true,
    };
    let failed = Asked {
        outcome: Outcome::Failed(failed),
        ..stating(None)
    };
    budget.add(&failed, 100);
    assert_eq!(budget.room(100), Room::Free);
    budget.add(&stating(None), 100);
    assert_eq!(budget.room(100), Room::Blind);
    let unlimited = Limits {
        max_cost_usd_micros: None,
        ..limits(false)
    };
    let mut budget = Budget::new(&unlimited, Spending::default());
    budget.add(&stating(None), 100);
    assert_eq!(budget.room(u32::MAX), Room::Free);
}

#[test]
fn asks_before_a_run_count() {
    let mut spent = Spending::default();
    spent.add(&stating(Some(10)), None);
    let budget = Budget::new(&limits(false), spent);
    assert_eq!(budget.room(1), Room::Full);
}
