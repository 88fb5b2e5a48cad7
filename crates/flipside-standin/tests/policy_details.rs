//! What makes a policy the truth that it is said to be, beyond which option it chooses.

mod common;

use std::time::{SystemTime, UNIX_EPOCH};

use common::{ABC, Wire, after, choice, serve};
use flipside_standin::{Dialect, Fault, Policy, Retry, Standin, When};

const CASES: usize = 40;

#[test]
fn after_the_last_option_comes_the_first() {
    let standin = serve("next-to:gamma");
    assert_eq!(Wire::to(&standin).ask(&choice("s", &ABC)).choice(), "alpha");
}

#[test]
fn a_noisy_choice_has_the_largest_probability_and_the_same_numbers_as_a_quiet_one() {
    let (noisy, quiet) = (serve("noisy:0.5"), serve("content"));
    let (mut noisy, mut quiet) = (Wire::to(&noisy), Wire::to(&quiet));
    let mut turned = 0;
    for case in 0..CASES {
        let body = choice(&format!("case {case}"), &ABC);
        let (noise, own) = (noisy.ask(&body), quiet.ask(&body));
        let chosen = noise.share(&noise.choice());
        let sorted = |reply: &common::Reply| {
            let mut shares = ["alpha", "beta", "gamma"].map(|key| reply.share(key));
            shares.sort_by(f64::total_cmp);
            shares.map(f64::to_bits)
        };
        assert_eq!(sorted(&noise), sorted(&own));
        assert_eq!(chosen.to_bits(), sorted(&noise)[2]);
        turned += usize::from(noise.choice() != own.choice());
    }
    assert!(turned > 0);
}

#[test]
fn questions_of_one_request_are_drawn_apart() {
    let standin = serve("random:3");
    let mut wire = Wire::to(&standin);
    let question = r#"{"type":"choice","criteria":{"alpha":null,"beta":null,"gamma":null}}"#;
    let body =
        format!(r#"{{"model":"m","state":"s","questions":{{"one":{question},"two":{question}}}}}"#);
    let apart = |_: &usize| {
        let reply = wire.ask(&body);
        let of = |name: &str| {
            let answer = after(reply.text(), &format!("\"{name}\":{{"), "]");
            after(answer, "\"choice\":\"", "\"").to_owned()
        };
        of("one") != of("two")
    };
    // Two draws of three differ in 2 of 3: of 40, in fewer than 13 with a probability of 2e-5.
    assert!((0..CASES).filter(apart).count() >= 13);
}

#[test]
fn content_moves_a_prior_by_a_hundredth_and_no_more() {
    let standin = serve("prior:.4,.2,.1");
    let mut wire = Wire::to(&standin);
    let mut moved = 0.0_f64;
    for case in 0..CASES {
        let reply = wire.ask(&choice(&format!("case {case}"), &ABC));
        let ratio = reply.share("alpha") / reply.share("beta") / 2.0;
        assert!((1.0 / 1.01..=1.01).contains(&ratio), "{ratio}");
        moved = moved.max((ratio - 1.0).abs());
    }
    assert!(moved > 0.001, "{moved}");
}

#[test]
fn a_cache_remembers_refusals_and_reads_texts() {
    let standin = serve("cached:refuse-reversed");
    let mut wire = Wire::to(&standin);
    let mut backwards = ABC;
    backwards.reverse();
    for order in [&backwards, &ABC] {
        let reply = wire.ask(&choice("s", order));
        assert!(
            reply.text().contains("{\"type\":\"refusal\"}"),
            "{}",
            reply.text()
        );
    }
    let standin = serve("cached:first");
    let mut wire = Wire::to(&standin);
    let mut chosen = |criteria: &str| {
        let body = format!(
            r#"{{"model":"m","state":"s","questions":{{"q":{{"type":"choice","criteria":{criteria}}}}}}}"#
        );
        wire.ask(&body).choice()
    };
    assert_eq!(chosen(r#"{"b":"two","a":"one"}"#), "b");
    assert_eq!(chosen(r#"{"a":"one","b":"two"}"#), "b");
    assert_eq!(chosen(r#"{"a":"one","b":"three"}"#), "a");
}

#[test]
fn a_model_that_changes_is_another_route_too() {
    let standin = Standin::builder()
        .dialect(Dialect::Laya)
        .policy(Policy::First)
        .fault(Fault::ModelChanges, When::Nth(2))
        .start()
        .unwrap();
    let mut wire = Wire::to(&standin);
    let mut routed = || {
        let reply = wire.ask(&choice("s", &ABC));
        let routing = after(reply.text(), "\"routing\":{", "}").to_owned();
        after(&routing, "\"model\":\"", "\"").to_owned()
    };
    assert_eq!(
        [routed(), routed()],
        ["english".to_owned(), "english-changed".to_owned()]
    );
}

#[test]
fn a_date_to_retry_after_is_two_seconds_ahead() {
    const DAY: i64 = 86_400;
    let standin = Standin::builder()
        .fault(Fault::RetryAfter(429, Retry::Date), When::Always)
        .start()
        .unwrap();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let now = i64::try_from(now.as_secs()).unwrap() % DAY;
    let reply = Wire::to(&standin).ask(&choice("s", &ABC));
    let clock = reply.header("retry-after").unwrap();
    let clock = clock.split(' ').nth(4).unwrap();
    let at = (clock.split(':')).fold(0, |sum, part| 60 * sum + part.parse::<i64>().unwrap());
    // Two, and as long as the request may have taken.
    let ahead = (at - now).rem_euclid(DAY);
    assert!((2..20).contains(&ahead), "{clock}: {ahead}");
}
