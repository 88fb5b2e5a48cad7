//! Pairs of recorded answers.

use flipside_core::perturb::Axis;
use flipside_core::recorded::Difference;
use flipside_core::summary::{AlsoDiffers, Quoted, RecordedPairs, Summary};

use super::{WIDE, flat, line};
use crate::example::{self, Variants, recorded_pairs as pairs};
use crate::terminal::render;

fn with(found: RecordedPairs) -> Summary {
    Summary {
        recorded_pairs: Some(Box::new(found)),
        ..example::first(&[Variants::Reverse])
    }
}

#[test]
fn the_head_names_both_records_and_says_nothing_of_asking() {
    let text = render(&with(pairs()), &WIDE);
    assert_eq!(
        line(&text, "recorded"),
        "recorded  a.jsonl and b\\u{1b}[2J.jsonl: 8 cases in both, 16 answers"
    );
    assert!(
        !text.contains("\nasked") && !text.contains("left out"),
        "{text}"
    );
    assert!(
        !text.contains("also") && !text.contains("not told"),
        "{text}"
    );
    let alone = with(RecordedPairs {
        variant: None,
        ..pairs()
    });
    let text = render(&alone, &WIDE);
    assert_eq!(
        line(&text, "recorded"),
        "recorded  a.jsonl: 8 cases, 16 answers"
    );
}

#[test]
fn what_is_left_out_lost_or_not_alike_has_a_line_under_its_own_name() {
    let also = |what, questions| AlsoDiffers {
        axis: Axis::Order,
        what,
        pairs: 8,
        questions,
    };
    let mut found = RecordedPairs {
        only_baseline: 1,
        only_variant: 2,
        repeated: 1,
        other_options: 3,
        other_types: 1,
        not_compared: 4,
        other_labels: 2,
        failed: [1, 2],
        unlisted: 5,
        also: vec![
            also(Difference::Keys, None),
            also(Difference::Descriptions, None),
            also(Difference::State, None),
            also(Difference::Instructions, None),
            also(Difference::Company, Some([2, 1])),
        ],
        quoted: Quoted {
            state: 6,
            instructions: 1,
        },
        ..pairs()
    };
    let text = flat(&render(&with(found.clone()), &WIDE));
    let expected = [
        "left out 1 case only in the baseline, 2 cases only in the variant, 1 id that stands several times with different \
         answers on one side, 3 cases with options that cannot be told to be the same, 1 case with another type of question \
         and 4 answers in further orders",
        "but 1 case without an answer on the baseline's side, 2 cases without an answer on the variant's side and 2 cases with \
         other accepted options on the variant's side, of which the baseline's count",
        "also keys 8 pairs: other keys also descriptions 8 pairs: other texts of options also state 8 pairs: another state \
         also instructions 8 pairs: other instructions also company 8 pairs: 2 questions in one request, 1 in the other \
         also state the state of 6 cases lists the options too, and kept its order \
         also instructions the instructions of 1 case list the options too, and kept their order",
        "position not told: no order of the options is on record for 5 cases; `--cases` (and `--variant-cases`) with the \
         cases that were asked, or `--options-from`, supplies it",
    ];
    for expected in expected {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    found.also = vec![
        also(Difference::Company, None),
        also(Difference::Order, None),
    ];
    found.variant = None;
    let text = flat(&render(&with(found), &WIDE));
    assert!(
        text.contains("also company 8 pairs: other questions in the same request"),
        "{text}"
    );
    assert!(
        text.contains("also order 8 pairs: other orders of the options"),
        "{text}"
    );
    assert!(text.contains("4 answers on other axes"), "{text}");
    assert!(
        text.contains(
            "1 case without an answer in the own order, 2 cases without an answer in another"
        ),
        "{text}"
    );
}

#[test]
fn a_case_without_an_order_shows_its_answers_and_no_places() {
    let mut summary = with(pairs());
    summary
        .cases
        .iter_mut()
        .for_each(|case| case.unlisted = true);
    let text = render(&summary, &WIDE);
    assert!(!text.contains("1st") && !text.contains("3rd"), "{text}");
    assert!(flat(&text).contains("fit baseline 8/8 right"), "{text}");
    let placed = render(&with(pairs()), &WIDE);
    assert!(
        placed.contains("1st") && flat(&placed).contains("fit own order 8/8 right"),
        "{placed}"
    );
}
