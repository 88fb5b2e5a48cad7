//! Each policy's known truth, over real sockets.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends here")]

mod common;

use common::{ABC, Wire, choice, choice_question, serve};

const CASES: usize = 60;
const TIGHT: f64 = 1e-12; // sums of a few doubles

fn reversed<'a>(options: &[&'a str]) -> Vec<&'a str> {
    options.iter().rev().copied().collect()
}

fn rotated<'a>(options: &[&'a str]) -> Vec<&'a str> {
    let mut options = options.to_vec();
    options.rotate_left(1);
    options
}

/// How many of the cases change their choice from the first order to the second.
fn flips(policy: &str, first: &[&str], second: &[&str]) -> usize {
    let standin = serve(policy);
    let mut wire = Wire::to(&standin);
    let flipped = |case: &usize| {
        let state = format!("case {case}");
        let own = wire.ask(&choice(&state, first));
        own.choice() != wire.ask(&choice(&state, second)).choice()
    };
    (0..CASES).filter(flipped).count()
}

fn reverse(policy: &str, options: &[&str]) -> usize {
    flips(policy, options, &reversed(options))
}

fn rotate(policy: &str, options: &[&str]) -> usize {
    flips(policy, options, &rotated(options))
}

#[test]
fn first_and_last_follow_the_position_and_nothing_else() {
    for policy in ["first", "last"] {
        assert_eq!(
            (reverse(policy, &ABC), rotate(policy, &ABC)),
            (CASES, CASES),
            "{policy}"
        );
        assert_eq!(flips(policy, &ABC, &ABC), 0);
    }
    let standin = serve("first");
    let reply = Wire::to(&standin).ask(&choice("s", &ABC));
    assert_eq!(reply.choice(), "alpha");
    assert!((reply.share("alpha") - 0.9).abs() < TIGHT);
    assert!((reply.share("beta") - 0.05).abs() < TIGHT);
    assert!((reply.number("confidence") - 0.85).abs() < TIGHT);
    let reply = Wire::to(&standin).ask(&choice("s", &["only"]));
    assert!((reply.share("only") - 1.0).abs() < TIGHT);
}

#[test]
fn the_middle_slot_hides_from_reverse_and_not_from_rotate() {
    assert_eq!(
        (reverse("slot:2", &ABC), rotate("slot:2", &ABC)),
        (0, CASES)
    );
}

#[test]
fn a_slot_or_a_prior_that_does_not_fit_is_refused() {
    for (policy, message) in [
        ("slot:4", "slot 4 of 3"),
        ("prior:.5,.5", "a prior of 2 for 3"),
    ] {
        let standin = serve(policy);
        let reply = Wire::to(&standin).ask(&choice("s", &ABC));
        assert_eq!(reply.status, 422);
        assert!(reply.text().contains(message), "{}", reply.text());
    }
}

#[test]
fn a_prior_on_both_ends_hides_from_reverse_and_not_from_rotate() {
    let options = ["a", "b", "c", "d"];
    assert_eq!(reverse("prior:.35,.15,.15,.35", &options), 0);
    assert!(rotate("prior:.35,.15,.15,.35", &options) > CASES / 3);
}

#[test]
fn content_is_bit_identical_in_every_order() {
    assert_eq!((reverse("content", &ABC), rotate("content", &ABC)), (0, 0));
    let standin = serve("content");
    let mut wire = Wire::to(&standin);
    let (own, other) = (
        wire.ask(&choice("s", &ABC)),
        wire.ask(&choice("s", &reversed(&ABC))),
    );
    for key in ["alpha", "beta", "gamma"] {
        assert_eq!(own.share(key).to_bits(), other.share(key).to_bits());
    }
    let renamed = wire.ask(&choice("another state", &ABC));
    assert_ne!(
        own.share("alpha").to_bits(),
        renamed.share("alpha").to_bits()
    );
}

#[test]
fn overlap_counts_shared_words_and_gives_ties_to_the_first() {
    let standin = serve("overlap");
    let mut wire = Wire::to(&standin);
    let options = [
        "refund=money back",
        "technical_error=Errors, outages and errors",
    ];
    for order in [options.to_vec(), reversed(&options)] {
        let reply = wire.ask(&choice("an error and outages", &order));
        assert_eq!(reply.choice(), "technical_error");
        let expected = 1.0 / (1.0 + (-3.0_f64).exp());
        assert!((reply.share("technical_error") - expected).abs() < TIGHT);
    }
    assert_eq!(
        wire.ask(&choice("nothing shared", &options)).choice(),
        "refund"
    );
    assert_eq!(
        wire.ask(&choice("nothing shared", &reversed(&options)))
            .choice(),
        "technical_error"
    );
}

#[test]
fn uniform_is_one_great_tie() {
    let standin = serve("uniform");
    let reply = Wire::to(&standin).ask(&choice("s", &ABC));
    assert_eq!(reply.choice(), "alpha");
    assert_eq!(
        reply.share("alpha").to_bits(),
        reply.share("gamma").to_bits()
    );
    assert_eq!(reverse("uniform", &ABC), CASES);
}

/// How often two asks of the same body disagree.
fn disagreement(policy: &str, pairs: u32) -> f64 {
    let standin = serve(policy);
    let mut wire = Wire::to(&standin);
    let body = choice("s", &ABC);
    let differ = |_: &u32| wire.ask(&body).choice() != wire.ask(&body).choice();
    f64::from(u32::try_from((0..pairs).filter(differ).count()).unwrap()) / f64::from(pairs)
}

#[test]
fn noisy_disagrees_with_itself_as_often_as_it_says() {
    const PAIRS: u32 = 3000;
    for p in [0.1, 0.5] {
        let found = disagreement(&format!("noisy:{p}"), PAIRS);
        let limit = 4.0 * (p * (1.0 - p) / f64::from(PAIRS)).sqrt();
        assert!((found - p).abs() < limit, "{p}: {found}");
    }
    assert!(disagreement("noisy:0", 50) == 0.0);
}

#[test]
fn random_disagrees_with_itself_in_two_of_three() {
    let found = disagreement("random:3", 3000);
    assert!((found - 2.0 / 3.0).abs() < 0.035, "{found}");
}

#[test]
fn the_same_seed_gives_the_same_draws() {
    let answers = |policy: &str| {
        let standin = serve(policy);
        let mut wire = Wire::to(&standin);
        (0..20)
            .map(|_| wire.ask(&choice("s", &ABC)).choice())
            .collect::<Vec<_>>()
    };
    assert_eq!(answers("random:5"), answers("random:5"));
    assert_ne!(answers("random:5"), answers("random:6"));
}

#[test]
fn hops_that_reorder_make_a_position_bias_look_stable() {
    assert_eq!(reverse("sorted-order:first", &ABC), 0);
    assert_eq!(reverse("js-order:first", &["3", "1", "2"]), 0);
    assert_eq!(reverse("js-order:first", &ABC), CASES);
    let standin = serve("js-order:first");
    let mut wire = Wire::to(&standin);
    assert_eq!(
        wire.ask(&choice("s", &["zeta", "10", "2", "01"])).choice(),
        "2"
    );
    assert_eq!(
        wire.ask(&choice("s", &["zeta", "01", "4294967295"]))
            .choice(),
        "zeta"
    );
    let reply = wire.ask(&choice("s", &["zeta", "10", "2"]));
    let keys = common::after(reply.text(), "\"probabilities\":{", "}");
    assert!(
        keys.starts_with("\"zeta\":0.05,\"10\":0.05,\"2\":0.9"),
        "{keys}"
    );
}

#[test]
fn a_neighbour_changes_the_answer() {
    let standin = serve("neighbour");
    let mut wire = Wire::to(&standin);
    for case in 0..20 {
        let question = choice_question(&ABC);
        let alone = wire.ask(&choice(&format!("case {case}"), &ABC)).choice();
        let beside = format!(
            "{{\"model\":\"m\",\"state\":\"case {case}\",\"questions\":{{\"q\":{question},\"r\":{question}}}}}"
        );
        assert_ne!(alone, wire.ask(&beside).choice());
    }
    assert_eq!(reverse("neighbour", &ABC), 0);
}

#[test]
fn truncating_sees_a_tie_where_the_prefixes_agree() {
    let long = [
        "a=the very same beginning, one",
        "b=the very same beginning, two",
    ];
    assert_eq!(reverse("truncating:12", &long), CASES);
    assert_eq!(reverse("truncating:99", &long), 0);
    let standin = serve("truncating:12");
    let reply = Wire::to(&standin).ask(&choice("s", &long));
    assert_eq!(reply.share("a").to_bits(), reply.share("b").to_bits());
}

#[test]
fn a_key_reader_follows_its_key() {
    let unsorted = ["gamma", "alpha", "beta"];
    assert_eq!(
        (
            reverse("key-biased", &unsorted),
            rotate("key-biased", &unsorted)
        ),
        (0, 0)
    );
    let standin = serve("key-biased");
    assert_eq!(
        Wire::to(&standin).ask(&choice("s", &unsorted)).choice(),
        "alpha"
    );
}

#[test]
fn the_option_after_a_marked_one_hides_from_rotations() {
    assert_eq!(
        (reverse("next-to:beta", &ABC), rotate("next-to:beta", &ABC)),
        (CASES, 0)
    );
    let standin = serve("next-to:nobody");
    assert_eq!(Wire::to(&standin).ask(&choice("s", &ABC)).status, 422);
}

#[test]
fn mixed_adds_a_known_weight_for_each_place() {
    let standin = serve("mixed:0.5");
    let mut wire = Wire::to(&standin);
    let content = serve("content");
    let pure = Wire::to(&content).ask(&choice("s", &ABC));
    let mixed = wire.ask(&choice("s", &ABC));
    let logit = |reply: &common::Reply| (reply.share("alpha") / reply.share("gamma")).ln();
    assert!((logit(&mixed) - logit(&pure) - 1.0).abs() < 1e-9);
    assert_eq!(reverse("mixed:0", &ABC), 0);
    assert_eq!(reverse("mixed:100", &ABC), CASES);
}

#[test]
fn refuse_reversed_refuses_only_then() {
    let standin = serve("refuse-reversed");
    let mut wire = Wire::to(&standin);
    assert!(
        wire.ask(&choice("s", &ABC))
            .text()
            .contains("\"type\":\"choice\"")
    );
    let refused = wire.ask(&choice("s", &reversed(&ABC)));
    assert_eq!(refused.status, 200);
    assert!(refused.text().contains("{\"type\":\"refusal\"}"));
}

#[test]
fn a_cache_that_drops_the_order_repeats_its_first_answer() {
    assert_eq!(
        (
            reverse("cached:first", &ABC),
            reverse("cached:random", &ABC)
        ),
        (0, 0)
    );
    let standin = serve("cached:first");
    let mut wire = Wire::to(&standin);
    let own = wire.ask(&choice("s", &reversed(&ABC)));
    let other = wire.ask(&choice("s", &ABC));
    assert_eq!(
        (own.choice(), other.choice()),
        ("gamma".into(), "gamma".into())
    );
    assert!((other.share("gamma") - 0.9).abs() < TIGHT);
    assert_eq!(wire.ask(&choice("t", &ABC)).choice(), "alpha");
}

#[test]
fn score_questions_are_answered_over_their_levels() {
    let body = r#"{"model":"m","state":"s","questions":{"u":{"type":"score","criteria":["low",{"a":1},"high"]}}}"#;
    let standin = serve("slot:3");
    let reply = Wire::to(&standin).ask(body);
    assert!((reply.number("score") - 1.85).abs() < TIGHT);
    assert!(
        reply
            .text()
            .contains(r#""legend":{"0":"low","1":{"a":1},"2":"high"}"#)
    );
    assert!((reply.share("2") - 0.9).abs() < TIGHT);
}

#[test]
fn noul_questions_take_the_order_of_their_criteria() {
    let ask = |policy: &str, criteria: &str| {
        let standin = serve(policy);
        let body = format!(
            "{{\"model\":\"m\",\"state\":\"s\",\"questions\":{{\"n\":{{\"type\":\"noul\",\"criteria\":{criteria}}}}}}}"
        );
        Wire::to(&standin).ask(&body)
    };
    assert!((ask("first", "null").number("noul") - 0.9).abs() < TIGHT);
    assert!((ask("first", r#"{"false":"x"}"#).number("noul") - 0.1).abs() < TIGHT);
    let one_way = ask("content", r#"{"true":"x","false":"y"}"#).number("noul");
    let other_way = ask("slot:3", r#"{"false":"y","true":"x"}"#).number("noul");
    assert_eq!(one_way.to_bits(), other_way.to_bits());
}
