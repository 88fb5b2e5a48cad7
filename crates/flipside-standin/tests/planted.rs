//! Policies that each read one thing: what moves them, and that nothing else does, over real sockets.

mod common;

use common::{Wire, choice, serve};

const TIGHT: f64 = 1e-12; // one division and one sum of a few doubles

/// Weights 3, 5 and 2 in the texts; the third option's stands in its key.
const OPTIONS: [&str; 3] = ["slow-8=Bees carry 3", "fast-9=Ants carry 5", "lane-2"];

/// Keys, weights and first words otherwise arranged.
const ROTATED: [&str; 3] = [OPTIONS[1], OPTIONS[2], OPTIONS[0]];

/// The choice of `policy` on a body.
fn chosen(policy: &str, body: &str) -> String {
    let standin = serve(policy);
    let reply = Wire::to(&standin).ask(body);
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.choice()
}

/// A body with a JSON state and instructions and a choice among [`OPTIONS`] as its only question.
fn body(state: &str, instructions: &str) -> String {
    let whole = choice("STATE", &OPTIONS);
    whole
        .replace("\"STATE\"", state)
        .replace("\"Which?\"", instructions)
}

#[test]
fn weights_are_the_last_numbers_of_texts_and_are_shared_out_over_what_is_offered() {
    let standin = serve("weighed");
    let mut wire = Wire::to(&standin);
    let all = wire.ask(&choice("s", &OPTIONS));
    assert_eq!(all.choice(), "fast-9");
    for (key, weight) in [("slow-8", 3.0), ("fast-9", 5.0), ("lane-2", 2.0)] {
        assert!((all.share(key) - weight / 10.0).abs() < TIGHT, "{key}");
    }
    // Without the heaviest the others keep their ratio: 3 to 2.
    let less = wire.ask(&choice("s", &[OPTIONS[0], OPTIONS[2]]));
    assert!((less.share("slow-8") - 0.6).abs() < TIGHT);
    let other = wire.ask(&choice("another state", &ROTATED));
    for key in ["slow-8", "fast-9", "lane-2"] {
        assert_eq!(other.share(key).to_bits(), all.share(key).to_bits());
    }
    // A key counts only where there is no text, and what weighs nothing weighs 1.
    let other = wire.ask(&choice("s", &["nine-9=Bees carry 3", "b=words alone"]));
    assert!((other.share("b") - 0.25).abs() < TIGHT);
}

#[test]
fn a_missing_neighbour_lifts_the_lightest() {
    assert_eq!(chosen("misses:ants", &choice("s", &OPTIONS)), "fast-9");
    assert_eq!(chosen("misses:ants", &choice("s", &ROTATED)), "fast-9");
    let without = [OPTIONS[0], OPTIONS[2]];
    assert_eq!(chosen("misses:bees", &choice("s", &without)), "slow-8");
    assert_eq!(chosen("misses:ants", &choice("s", &without)), "lane-2");
    // The word may stand in a key, where there is no text.
    assert_eq!(chosen("misses:lane", &choice("s", &without)), "slow-8");
    let standin = serve("misses:ants");
    let reply = Wire::to(&standin).ask(&choice("s", &without));
    assert!((reply.share("lane-2") - 1002.0 / 1005.0).abs() < TIGHT);
}

#[test]
fn the_first_word_is_read_and_no_key() {
    assert_eq!(chosen("first-word", &choice("s", &ROTATED[..1])), "fast-9");
    let texts = ["z=Bees carry 3", "y=ants carry 5", "a=cows"];
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let shown = order.map(|at: usize| texts[at]);
        assert_eq!(chosen("first-word", &choice("s", &shown)), "y");
    }
    assert_eq!(
        chosen("first-word", &choice("s", &["b=x one", "a=x two"])),
        "b"
    );
    assert_eq!(chosen("first-word", &choice("s", &["b", "a"])), "b");
}

/// The heaviest of [`OPTIONS`], chosen where the count is the one named, and the lightest.
const HEAVIEST: &str = "fast-9";
const LIGHTEST: &str = "lane-2";

#[test]
fn the_heaviest_is_chosen_at_the_count_and_the_lightest_elsewhere() {
    let plain = body(r#"{"k":["ab 1",{"N":null}]}"#, r#""x""#);
    let counts = [
        (
            "capitals",
            body(r#"{"k":["Ab 1",{"N":null}]}"#, r#""x""#),
            [0, 1],
        ),
        (
            "capitals",
            body(r#"{"k":["AB 1",{"N":null}]}"#, r#""X""#),
            [0, 3],
        ),
        // `ab`, `1` and `x` are four.
        (
            "letters",
            body(r#"{"k":["abc 1",{"N":null}]}"#, r#""x""#),
            [4, 5],
        ),
        (
            "spaces",
            body(r#"{"k":["ab\n\t 1",{"N":null}]}"#, r#""x ""#),
            [1, 4],
        ),
    ];
    for (what, other, [own, changed]) in counts {
        for (count, expected) in [(own, [HEAVIEST, LIGHTEST]), (changed, [LIGHTEST, HEAVIEST])] {
            let policy = format!("counting:{what}={count}");
            let found = [&plain, &other].map(|body| chosen(&policy, body));
            assert_eq!(found, expected, "{policy} {other}");
        }
    }
    let states = [
        r#"{"a":1,"b":2,"c":3}"#,
        r#"{"b":2,"a":1,"c":3}"#,
        r#"{"c":1,"a":1,"b":1}"#,
    ];
    for (place, state) in states.into_iter().enumerate() {
        for count in 0..3 {
            let policy = format!("counting:first-member={count}");
            let expected = if count == place { HEAVIEST } else { LIGHTEST };
            assert_eq!(
                chosen(&policy, &body(state, "null")),
                expected,
                "{policy} {state}"
            );
        }
    }
    assert_eq!(
        chosen("counting:first-member=0", &body("[1]", "null")),
        HEAVIEST
    );
    // Nothing else moves it: the order of members leaves every other count alone.
    for what in [
        "capitals=0",
        "letters=1",
        "spaces=0",
        "company=0",
        "place=0",
    ] {
        for state in [r#"{"a":1,"b":"x"}"#, r#"{"b":"x","a":1}"#] {
            assert_eq!(
                chosen(&format!("counting:{what}"), &body(state, "null")),
                HEAVIEST
            );
        }
    }
}

#[test]
fn the_lightest_is_preferred_by_the_inverse_of_its_weight_and_never_one_without() {
    let standin = serve("counting:company=1");
    let options = [OPTIONS[0], OPTIONS[1], OPTIONS[2], "nothing=words alone"];
    let reply = Wire::to(&standin).ask(&choice("s", &options));
    // 1/3, 1/5, 1/2 and 1/1000: 1000, 600, 1500 and 3 of 3103.
    for (key, share) in [
        ("slow-8", 1000.0),
        ("fast-9", 600.0),
        ("lane-2", 1500.0),
        ("nothing", 3.0),
    ] {
        assert!((reply.share(key) - share / 3103.0).abs() < TIGHT, "{key}");
    }
}

#[test]
fn questions_beside_it_and_questions_before_it_are_counted_apart() {
    let question = common::choice_question(&OPTIONS);
    let choices = |policy: &str, names: &[&str]| -> Vec<String> {
        let questions: Vec<String> = names
            .iter()
            .map(|name| format!("\"{name}\":{question}"))
            .collect();
        let body = format!(
            "{{\"model\":\"m\",\"state\":\"s\",\"questions\":{{{}}}}}",
            questions.join(",")
        );
        let standin = serve(policy);
        let reply = Wire::to(&standin).ask(&body);
        let choices = reply.text().split("\"choice\":\"").skip(1);
        choices
            .map(|rest| rest.split('"').next().unwrap().to_owned())
            .collect()
    };
    let three = ["a", "b", "c"];
    assert_eq!(choices("counting:company=2", &three), [HEAVIEST; 3]);
    assert_eq!(choices("counting:company=2", &three[..2]), [LIGHTEST; 2]);
    assert_eq!(
        choices("counting:place=1", &three),
        [LIGHTEST, HEAVIEST, LIGHTEST]
    );
    assert_eq!(choices("counting:place=0", &three[..1]), [HEAVIEST]);
}
