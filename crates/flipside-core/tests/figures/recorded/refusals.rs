//! What makes no pairs, in words.

use flipside_core::recorded::{Join, Refusal, Shown, several};

use super::{case, chose, paired, reversed, side};

const TWO: [(&str, &str); 2] = [("cheap", "a small model"), ("strong", "a large model")];

fn told(refusal: &Refusal) -> (String, &'static str) {
    (refusal.to_string(), refusal.help())
}

#[test]
fn every_refusal_says_what_was_found_and_what_to_do() {
    let own = || vec![(case(0, &TWO), chose(0))];
    let other = || vec![(reversed(case(0, &TWO)), chose(0))];
    let unlisted = || {
        let mut case = crate::common::case(0, ["cheap", "strong"]);
        case.brought.unlisted = true;
        vec![(case, chose(0))]
    };
    let refused = |baseline, variant| told(&paired(baseline, variant).unwrap_err());
    let mut statement = case(0, &TWO);
    statement.question.kind = flipside_core::case::QuestionKind::Score;
    let texts = [
        refused(side("a", own()), side("b", other())),
        refused(side("a", unlisted()), side("b", unlisted())),
        refused(side("a", own()), side("a", vec![(case(1, &TWO), chose(0))])),
        refused(side("a", own()), side("a", vec![(statement, chose(0))])),
        told(&several(side("a", own())).unwrap_err()),
    ];
    let expected = [
        (
            "the two sides differ in two things at once: `a` answered one and `b` the other, and 1 of 1 common cases were shown otherwise",
            "compare one model's answers to two presentations, or two models' answers to one",
        ),
        (
            "`a` answered one side and `b` the other, and what 1 of 1 common cases were shown is not on record",
            "give the cases of both sides with `--cases CASES`, and `--variant-cases CASES` where they differ",
        ),
        (
            "no case is in both: 1 only in the baseline, 1 only in the variant",
            "compare answers to the same cases; those are told by their ids",
        ),
        (
            "no common case can be compared: 0 offered other options, 1 asked another type of question",
            "compare answers to the same cases; options are the same by key and text, by text or by key",
        ),
        (
            "`a.jsonl` holds one answer to each case",
            "name a second file to compare it with, or one file that holds several orders of each case",
        ),
    ];
    assert_eq!(texts, expected.map(|(text, help)| (text.to_owned(), help)));
    let twice = vec![(case(0, &TWO), chose(0)), (case(0, &TWO), chose(1))];
    let (text, _) = refused(side("a", twice), side("a", own()));
    assert_eq!(
        text,
        "no case is in both: 0 only in the baseline, 1 only in the variant, 1 id stands several times with different answers"
    );
}

#[test]
fn models_are_told_apart_by_what_served_where_both_sides_say() {
    let with = |name: &str, served: &[&str], reverse: bool| {
        let own = case(0, &TWO);
        let case = if reverse { reversed(own) } else { own };
        let mut set = side(name, vec![(case, chose(0))]);
        set.about.served = served.iter().map(|name| (*name).to_owned()).collect();
        set
    };
    // Two names of one checkpoint.
    assert!(
        paired(
            with("jev-latest", &["jev-1"], false),
            with("jev", &["jev-1"], true)
        )
        .is_ok()
    );
    let refused = paired(
        with("jev", &["jev-1"], false),
        with("jev", &["jev-2"], true),
    );
    assert!(matches!(refused, Err(Refusal::TwoThings { .. })));
}

#[test]
fn how_common_cases_were_shown_is_counted_before_anything_is_paired() {
    let mut unlisted = crate::common::case(2, ["cheap", "strong"]);
    unlisted.brought.unlisted = true;
    let baseline = side(
        "a",
        vec![
            (case(0, &TWO), chose(0)),
            (case(1, &TWO), chose(0)),
            (unlisted.clone(), chose(0)),
            (case(3, &TWO), chose(0)),
        ],
    );
    let variant = side(
        "a",
        vec![
            (unlisted, chose(0)),
            (reversed(case(1, &TWO)), chose(0)),
            (case(0, &TWO), chose(0)),
        ],
    );
    let shown = Join::new(&baseline, &variant).shown(&baseline, &variant);
    let expected = Shown {
        alike: 1,
        otherwise: 1,
        unlisted: 1,
    };
    assert_eq!(shown, expected);
}
