use super::*;
use crate::answer::Answer;
use crate::record::{Failed, FailedKind};

const JEV: Option<Price> = Some(Price {
    input_usd_micros: 42_000,
    output_usd_micros: 0,
});

fn asked(usage: Usage, attempts: u32) -> Asked {
    let answer = Answer {
        usage: usage.into(),
        ..Answer::default()
    };
    Asked {
        outcome: Outcome::Answered(answer),
        ms: 1.0,
        attempts,
    }
}

fn tokens(input: u64, output: u64) -> Usage {
    Usage {
        input_tokens: Some(input),
        output_tokens: Some(output),
        ..Usage::default()
    }
}

#[test]
fn cost_is_what_the_backend_states_else_tokens_at_the_price_else_unknown() {
    // 118 tokens at 0.042 dollars a million: 118 * 0.042 / 1e6 = 0.000004956 dollars.
    assert_eq!(cost(&tokens(118, 3), JEV), Some(4_956_000));
    // 7 tokens cost less than a millionth of a dollar, and more than nothing: 0.000000294 dollars.
    assert_eq!(cost(&tokens(7, 0), JEV), Some(294_000));
    assert_eq!(cost(&tokens(7, 0), None), None);
    assert_eq!(cost(&Usage::default(), JEV), None);
    let stated = Usage {
        cost_usd_picos: Some(5),
        ..tokens(118, 3)
    };
    assert_eq!(cost(&stated, JEV), Some(5));
    // 1000 in at 0.10 and 20 out at 0.40 dollars a million: 0.0001 + 0.000008 dollars.
    let both = Some(Price {
        input_usd_micros: 100_000,
        output_usd_micros: 400_000,
    });
    assert_eq!(cost(&tokens(1_000, 20), both), Some(108_000_000));
    let uncounted = Usage {
        output_tokens: None,
        ..tokens(1_000, 0)
    };
    assert_eq!(cost(&uncounted, both), None, "output has a price here");
    assert_eq!(cost(&uncounted, JEV), Some(42_000_000), "and none here");
}

#[test]
fn dollars_are_picos_and_what_is_no_cost_is_unknown() {
    for (dollars, picos) in [
        (0.000_005, 5_000_000),
        (0.000_000_294, 294_000),
        (2.5e-12, 3),
        (0.0, 0),
        (1.0, 1_000_000_000_000),
    ] {
        assert_eq!(usd_picos(dollars), Some(picos), "{dollars}");
    }
    for bad in [-1e-6, f64::NAN, f64::INFINITY, 1e300, 1e8] {
        assert_eq!(usd_picos(bad), None, "{bad}");
    }
}

#[test]
fn a_run_counts_each_ask_that_was_sent_once_and_what_it_does_not_know_apart() {
    let failed = Asked {
        outcome: Outcome::Failed(Failed {
            kind: FailedKind::Timeout,
            message: String::new(),
            unanswered: true,
        }),
        ms: 1.0,
        attempts: 3,
    };
    let planned = [
        asked(tokens(100, 1), 1),
        asked(tokens(100, 1), 0),
        asked(tokens(200, 2), 2),
        asked(Usage::default(), 1),
        failed.clone(),
    ];
    let confirming = [asked(tokens(100, 1), 1), failed];
    let mut canary = Spending::default();
    canary.add(&asked(tokens(10, 1), 1), JEV);
    let found = CostSummary::of(&planned, &confirming, Paying { price: JEV, canary });
    let expected = CostSummary {
        asks: 7,
        canary: 1,
        confirming: 2,
        // 1 + 2 + 1 + 3 planned, 1 + 3 confirming, 1 of the canary.
        attempts: 12,
        failed: 2,
        known: 4,
        unknown: 1,
        // 100 + 200 + 100 + 10; what shares another's reply is not paid twice.
        input_tokens: 410,
        output_tokens: 5,
        without_tokens: 1,
        // 410 * 42,000.
        usd_picos: Some(17_220_000),
        price_input_usd_micros: Some(42_000),
        price_output_usd_micros: Some(0),
    };
    assert_eq!(found, expected);
    let unknown = CostSummary::of(&planned, &[], Paying::default());
    assert_eq!((unknown.usd_picos, unknown.unknown), (None, 3));
}
