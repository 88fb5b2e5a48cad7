//! Every control gets its known value (the statistics page, 18).

#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

mod common;

use common::{ask, block_on, case, choices, json, model, send};
use flipside_core::answer::Declined;
use flipside_core::case::{Case, CaseOption, Key, KeyBinding, QuestionKind};
use flipside_core::order::{OptionId, Order};
use flipside_core::perturb::Variant;
use flipside_core::present::Presentation;

const TOPICS: [&str; 6] = [
    "invoice refund",
    "login password",
    "parcel delivery",
    "crash error",
    "broken screen",
    "cancel contract",
];

/// `n` cases of `k` options; the state of each speaks about one option.
fn cases(n: usize, k: usize) -> Vec<Case> {
    (0..n)
        .map(|i| {
            let texts: Vec<String> = TOPICS[..k]
                .iter()
                .map(|topic| format!("\"about {topic} {i}\""))
                .collect();
            let keys: Vec<String> = (0..k).map(|place| format!("k{place}")).collect();
            let options: Vec<(&str, &str)> = keys
                .iter()
                .zip(&texts)
                .map(|(key, text)| (key.as_str(), text.as_str()))
                .collect();
            case(
                &format!("c-{i}"),
                &format!("{{\"ticket\":\"My {} number {i}\"}}", TOPICS[i % k]),
                &options,
            )
        })
        .collect()
}

/// Flips among `cases` under `reverse`, `rotate:1` and `same:1`.
fn flips(spec: &str, cases: &[Case]) -> [usize; 3] {
    let model = model(spec);
    let mut flips = [0; 3];
    for case in cases {
        let [own, others @ ..] = choices(model.as_ref(), case);
        for (count, other) in flips.iter_mut().zip(others) {
            *count += usize::from(other != own);
        }
    }
    flips
}

#[test]
fn first_and_last_flip_always_under_reverse_and_rotate_and_never_under_same() {
    assert_eq!(flips("first", &cases(8, 3)), [8, 8, 0]);
    assert_eq!(flips("last", &cases(8, 3)), [8, 8, 0]);
    assert_eq!(flips("first", &cases(8, 2)), [8, 8, 0]);
}

#[test]
fn the_middle_slot_is_invisible_to_reverse() {
    assert_eq!(flips("slot:2", &cases(8, 3)), [0, 8, 0]);
}

#[test]
fn a_slot_puts_nine_tenths_on_itself_and_spreads_the_rest() {
    let case = &cases(1, 3)[0];
    let answer = ask(
        model("slot:3").as_ref(),
        case,
        &Order::reverse(3),
        &Variant::order("reverse"),
    );
    assert_eq!(answer.choice, Some(OptionId(0)));
    let p = answer.probabilities.unwrap();
    assert!(
        (p[0] - 0.9).abs() < 1e-12 && (p[1] - 0.05).abs() < 1e-12 && (p[1] - p[2]).abs() < 1e-12,
        "{p:?}"
    );
    assert_eq!(answer.served_model.as_deref(), Some("slot:3"));
    assert!(answer.remarks.is_empty());
}

#[test]
fn a_symmetric_prior_flips_under_rotate_and_not_under_reverse() {
    let [reverse, rotate, same] = flips("prior:.35,.15,.15,.35", &cases(40, 4));
    assert_eq!((reverse, same), (0, 0));
    assert!(rotate > 0);
}

#[test]
fn overlap_follows_content_wherever_it_stands() {
    assert_eq!(flips("overlap", &cases(12, 6)), [0, 0, 0]);
    let cases = cases(6, 6);
    for (place, case) in (0..).zip(&cases) {
        let answer = ask(
            model("overlap").as_ref(),
            case,
            &Order::own(6),
            &Variant::baseline(),
        );
        assert_eq!(answer.choice, Some(OptionId(place)));
        assert!(!answer.tied);
    }
}

#[test]
fn overlap_breaks_exact_ties_by_content_and_gives_the_same_bits_in_every_order() {
    let case = case(
        "tie",
        r#""nothing in common but error""#,
        &[
            ("b", "\"one error\""),
            ("a", "\"two error\""),
            ("c", "\"blue\""),
            ("d", "null"),
        ],
    );
    let model = model("overlap");
    let own = ask(model.as_ref(), &case, &Order::own(4), &Variant::baseline());
    assert_eq!(own.choice, Some(OptionId(1)));
    assert!(own.tied);
    for by in 0..4 {
        for order in [
            Order::rotate(4, by),
            Order::reverse(4).compose(&Order::rotate(4, by)),
        ] {
            let other = ask(model.as_ref(), &case, &order, &Variant::order("x"));
            assert_eq!(
                (other.choice, other.probabilities),
                (own.choice, own.probabilities.clone())
            );
        }
    }
}

#[test]
fn letters_that_stay_in_their_place_are_no_content() {
    let mut case = case(
        "letters",
        r#""x""#,
        &[("A", "\"red\""), ("B", "\"green\""), ("C", "\"blue\"")],
    );
    case.keys = KeyBinding::Place;
    for spec in ["overlap", "prior:.4,.2,.4"] {
        let [own, reverse, _, same] = choices(model(spec).as_ref(), &case);
        assert_eq!((reverse, same), (own, own), "{spec}");
    }
}

#[test]
fn random_disagrees_with_itself_as_often_as_chance() {
    let n = 600;
    for flips in flips("random", &cases(n, 3)) {
        // 2/3 of 600 is 400, its standard deviation 11.5; five of them never fail by chance.
        assert!((342..=458).contains(&flips), "{flips}");
    }
}

#[test]
fn noisy_disagrees_with_itself_with_the_stated_probability() {
    let n = 600;
    for flips in flips("noisy:0.2", &cases(n, 3)) {
        // 120 expected, standard deviation 9.8.
        assert!((71..=169).contains(&flips), "{flips}");
    }
    assert_eq!(flips("noisy:0", &cases(20, 3)), [0, 0, 0]);
    // Capped where every answer is equally likely: 1/2 of 600 with two options, standard deviation 12.2.
    for flips in flips("noisy:1", &cases(n, 2)) {
        assert!((239..=361).contains(&flips), "{flips}");
    }
}

#[test]
fn drawn_answers_depend_on_seed_case_and_variant_and_not_on_the_attempt() {
    let case = &cases(1, 6)[0];
    let model = model("random");
    let own = Order::own(6);
    let shown = Presentation::new(case, &own);
    let bytes = model.request(&shown).unwrap();
    let bodies: Vec<String> = (1..4)
        .map(|attempt| {
            let variant = &Variant::baseline();
            let sending = flipside_core::model::Sending {
                shown: &shown,
                bytes: &bytes,
                case: &case.id,
                variant,
                again: false,
                attempt,
            };
            block_on(model.send(sending)).unwrap().body
        })
        .collect();
    assert!(bodies.iter().all(|body| *body == bodies[0]));
}

#[test]
fn the_option_after_a_marked_one_is_invisible_to_rotations() {
    assert_eq!(flips("next-to:k1", &cases(8, 3)), [8, 0, 0]);
}

#[test]
fn what_a_control_cannot_be_asked_is_refused_before_it_is_sent() {
    let case = &cases(1, 3)[0];
    let order = Order::own(3);
    let reason = |spec: &str| {
        model(spec)
            .request(&Presentation::new(case, &order))
            .unwrap_err()
            .reason
    };
    assert_eq!(reason("slot:4"), "`slot:4` has no answer among 3 options");
    assert_eq!(
        reason("prior:1,2"),
        "`prior` has 2 weights, the case has 3 options"
    );
    assert_eq!(
        reason("next-to:zz"),
        "`next-to:zz` needs that key, which is not offered"
    );
}

#[test]
fn rules_choose_by_text_and_abstain_without_a_match() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rules.jsonl");
    let rules = "{\"contains\":\"INVOICE\",\"choose\":\"gone\"}\n{\"contains\":\"Invoice\",\"choose\":\"k2\"}\n";
    fs_err::write(&file, rules).unwrap();
    let model = model(&format!("rule:{}", file.display()));
    let cases = cases(2, 3);
    assert_eq!(choices(model.as_ref(), &cases[0]), [Some(OptionId(2)); 4]);
    let answer = ask(
        model.as_ref(),
        &cases[1],
        &Order::own(3),
        &Variant::baseline(),
    );
    assert_eq!(
        (answer.choice, answer.declined),
        (None, Some(Declined::Abstention))
    );
}

#[test]
fn controls_answer_score_and_noul_questions_too() {
    let mut score = cases(1, 3).remove(0);
    score.question.kind = QuestionKind::Score;
    let answer = ask(
        model("last").as_ref(),
        &score,
        &Order::reverse(3),
        &Variant::order("reverse"),
    );
    assert_eq!(answer.choice, Some(OptionId(0)));
    assert!((answer.score.unwrap() - 0.15).abs() < 1e-12);
    let mut noul = cases(1, 2).remove(0);
    noul.question.kind = QuestionKind::Noul;
    noul.options = ["true", "false"]
        .map(|key| CaseOption {
            key: Key(key.to_owned()),
            text: None,
        })
        .to_vec()
        .into();
    let [own, reverse, ..] = choices(model("first").as_ref(), &noul);
    assert_eq!((own, reverse), (Some(OptionId(0)), Some(OptionId(1))));
    assert_eq!(
        choices(model("overlap").as_ref(), &noul),
        [Some(OptionId(0)); 4]
    );
}

#[test]
fn sibling_questions_are_answered_as_unsupported_and_disturb_nothing() {
    let mut case = cases(1, 3).remove(0);
    case.question.before = vec![(
        "angry".to_owned(),
        json(r#"{"type":"noul","instructions":"Angry."}"#),
    )];
    case.question.after = vec![(
        "how".to_owned(),
        json(r#"{"type":"score","criteria":["a","b"]}"#),
    )];
    assert_eq!(
        choices(model("first").as_ref(), &case)[1],
        Some(OptionId(2))
    );
    let reply = block_on(send(
        model("first").as_ref(),
        &case,
        &Order::own(3),
        &Variant::baseline(),
    ))
    .unwrap();
    assert!(
        reply.body.contains(r#""angry":{"type":"unsupported"}"#),
        "{}",
        reply.body
    );
}

#[test]
fn a_case_of_one_option_has_one_answer() {
    for spec in [
        "first",
        "last",
        "slot:1",
        "prior:1",
        "overlap",
        "random",
        "noisy:1",
        "next-to:k0",
    ] {
        let case = &cases(1, 1)[0];
        let answer = ask(
            model(spec).as_ref(),
            case,
            &Order::own(1),
            &Variant::baseline(),
        );
        assert_eq!(answer.choice, Some(OptionId(0)), "{spec}");
    }
}
