//! Each warning, where it comes from and what it says.

mod axes;
mod labels;
mod recorded;

use flipside_core::case::QuestionKind;
use flipside_core::record::FailedKind;
use flipside_core::summary::{ServedVersion, Summary};

use super::*;
use crate::example::{self, Builder, Reply, Shape, Variants};

const CHECK: [Variants; 3] = [Variants::Reverse, Variants::Rotate(1), Variants::Same(1)];

fn texts(summary: &Summary) -> String {
    joined(&warnings(summary))
}

fn joined(warnings: &[Warning]) -> String {
    let lines: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    if lines.is_empty() {
        String::new()
    } else {
        lines.join("\n") + "\n"
    }
}

/// Thirty cases of three options whose answers do not depend on anything but content, unless `odd` says otherwise.
fn run(variants: &[Variants], odd: impl Fn(usize, &str) -> Option<Reply>) -> Summary {
    let shapes = example::labelled(30, &["refund", "deny", "escalate"]);
    Builder::new(shapes, variants).answered(|case, variant, _| {
        odd(case, variant).unwrap_or(Reply::Chose(example::id(case % 3), 0.9))
    })
}

fn other(case: usize) -> Reply {
    Reply::Chose(example::id((case + 1) % 3), 0.9)
}

#[test]
fn a_clean_run_has_no_warning() {
    assert_eq!(texts(&run(&CHECK, |_, _| None)), "");
    assert_eq!(texts(&run(&[], |_, _| None)), "");
}

#[test]
fn a_control_that_flips_as_often_as_the_order_is_said() {
    let summary = run(&CHECK, |case, variant| {
        (case < 3 && matches!(variant, "reverse" | "1")).then(|| other(case))
    });
    assert_eq!(
        texts(&summary),
        "the control flipped in 3/30 and `reverse` in 3/30: the backend disagrees with itself \
             as often, so these flips do not show that order matters; make the backend answer the \
             same request alike (temperature 0, a fixed seed) and probe again\n"
    );
    let less = run(&CHECK, |case, variant| {
        ((case < 3 && variant == "reverse") || (case < 2 && variant == "1")).then(|| other(case))
    });
    assert_eq!(texts(&less), "");
}

#[test]
fn a_failed_order_gate_of_which_nothing_was_asked_twice_asks_for_that() {
    let mut summary = run(
        &[Variants::Reverse, Variants::Rotate(1)],
        |case, variant| (case < 3 && variant == "reverse").then(|| other(case)),
    );
    assert_eq!(texts(&summary), "", "its flips were asked once more");
    summary.confirmed.clear();
    assert_eq!(
        texts(&summary),
        "`reverse` flipped 3/30, and nothing was asked twice: a backend that disagrees with \
             itself would flip too; leave out `--no-confirm`, or add `same:1` to `--order`\n"
    );
    let held = run(
        &[Variants::Reverse, Variants::Rotate(1)],
        |case, variant| (case < 1 && variant == "reverse").then(|| other(case)),
    );
    assert_eq!(
        texts(&held),
        "",
        "a gate that holds on raw flips needs no control"
    );
}

/// What asking again does.
const AGAIN: &str = "the same command with the same `--out` asks those again that failed for lack of an answer \
                     (a status of 5xx, 408, 409 or 429, a page of HTML, a broken connection, a timeout), and nothing else";

#[test]
fn failed_asks_above_two_percent_are_said_with_what_most_are() {
    let summary = run(&CHECK, |case, variant| match (case, variant) {
        (0..3, "reverse") => Some(Reply::Failed(
            FailedKind::Timeout,
            "no complete reply within 10 s",
        )),
        (5, "reverse") => Some(Reply::Failed(FailedKind::Status, "status 500")),
        _ => None,
    });
    assert_eq!(
        texts(&summary),
        format!(
            "4 of 120 asks failed (3.3%, mostly timeout): what they would have said is in no rate, and bounds \
             count it against the model; raise `--timeout` or lower `--concurrency`; {AGAIN}\n"
        )
    );
    let few = run(&CHECK, |case, variant| {
        (case < 2 && variant == "reverse").then_some(Reply::Failed(FailedKind::Timeout, "late"))
    });
    assert_eq!(texts(&few), "", "2 of 120 are under 2 %");
}

#[test]
fn every_kind_of_failure_has_its_own_remedy() {
    use FailedKind::{Connection, Malformed, Status, Timeout, Unavailable, Unsupported};
    let kinds = [
        Malformed,
        Status,
        Connection,
        Timeout,
        Unsupported,
        Unavailable,
    ]
    .map(Some);
    let all: Vec<Warning> = kinds
        .into_iter()
        .chain([None])
        .map(|most| Warning::FailedAsks {
            failed: 12,
            made: 400,
            most,
        })
        .collect();
    let all = joined(&all);
    let remedies = [
        (
            ", mostly malformed reply",
            "read their replies and mend the server's",
        ),
        (
            ", mostly error status",
            "look at the example in the report's `failed` line and mend what it names",
        ),
        (", mostly no connection", "see that the server is up"),
        (
            ", mostly timeout",
            "raise `--timeout` or lower `--concurrency`",
        ),
        (
            ", mostly unsupported question",
            "leave out questions that the model cannot answer",
        ),
        (
            ", mostly nothing recorded",
            "record what the replayed run does not hold",
        ),
        ("", "mend what failed"),
    ];
    let expected: String = remedies
        .map(|(mostly, remedy)| {
            format!(
                "12 of 400 asks failed (3.0%{mostly}): what they would have said is in no rate, and bounds \
                 count it against the model; {remedy}; {AGAIN}\n"
            )
        })
        .concat();
    assert_eq!(all, expected);
}

#[test]
fn integer_like_keys_on_a_model_with_an_endpoint_are_said() {
    let shapes = || example::labelled(6, &["1", "10", "02", "other"]);
    let ask = |endpoint: Option<&str>| {
        let mut summary = Builder::new(shapes(), &CHECK)
            .answered(|case, _, _| Reply::Chose(example::id(case % 4), 0.9));
        summary.model.endpoint = endpoint.map(str::to_owned);
        summary.model.object_order = endpoint.is_some();
        texts(&summary)
    };
    assert_eq!(
        ask(Some("http://127.0.0.1:9000")),
        "6 cases have keys such as `1`: a hop written in JavaScript moves such members to the \
             front of an object, so the model may not see the order that was sent; start such \
             keys with a letter, such as `k1`\n"
    );
    assert_eq!(ask(None), "", "no hop, no warning");
    let mut harmless = shapes();
    for shape in &mut harmless {
        shape.keys = ["01", "-1", "1.0", "4294967295"]
            .map(str::to_owned)
            .to_vec();
    }
    let mut summary = Builder::new(harmless, &CHECK)
        .answered(|case, _, _| Reply::Chose(example::id(case % 4), 0.9));
    summary.model.object_order = true;
    assert_eq!(texts(&summary), "", "JavaScript keeps these in place");
}

#[test]
fn integer_like_keys_of_questions_that_are_no_choice_are_not_counted() {
    let mut summary = Builder::new(example::labelled(6, &["0", "1", "2"]), &CHECK)
        .answered(|case, _, _| Reply::Chose(example::id(case % 3), 0.9));
    summary.model.object_order = true;
    for case in &mut summary.cases[..4] {
        case.question = QuestionKind::Score;
    }
    assert!(
        texts(&summary).starts_with("2 cases have keys such as `0`"),
        "{}",
        texts(&summary)
    );
    for case in &mut summary.cases {
        case.question = QuestionKind::Score;
    }
    assert_eq!(texts(&summary), "", "levels go out as an array");
}

#[test]
fn sampled_orders_are_said() {
    let mut summary = run(&CHECK, |_, _| None);
    summary.plan.sampled = true;
    assert_eq!(
        texts(&summary),
        "`all` was sampled: some case has more orders than `--max-orders`, so orders that \
             were not asked may flip it; raise `--max-orders`, or say `random:N` to name how many \
             are asked\n"
    );
}

#[test]
fn a_served_model_that_changed_is_said() {
    let mut summary = run(&CHECK, |_, _| None);
    let version = |name: &str, first, last| ServedVersion {
        model: Some(name.to_owned()),
        provider: None,
        revision: None,
        fingerprint: None,
        answers: last - first + 1,
        first,
        last,
    };
    summary.model.versions = vec![version("jev-1", 1, 9)];
    assert_eq!(texts(&summary), "");
    summary.model.versions.push(version("jev-2", 10, 16));
    assert_eq!(
        texts(&summary),
        "2 models answered in one run: `jev-1` (requests 1 to 9) and `jev-2` (requests 10 to 16): a pair across a change of the served model \
             compares two models and is counted as missing; name an exact version as the model and probe again\n"
    );
}

#[test]
fn a_constant_answer_is_said_with_its_count_and_what_constants_would_get() {
    let own = |_: usize, variant: &str| {
        let id = usize::from(variant == "own");
        Some(Reply::Chose(example::id(id), 0.9))
    };
    assert_eq!(
        texts(&run(&CHECK, own))
            .lines()
            .find(|line| line.starts_with("all")),
        Some(
            "all 30 own-order answers are `deny`, in position 2: a model that reads nothing answers like that (the best \
             fixed position would get 10/30, the best fixed key 1/30); look at the other orders, and add cases whose \
             right answers differ"
        )
    );
    assert_eq!(
        texts(&run(&[], |_, _| Some(Reply::Chose(example::id(0), 0.9)))),
        "all 30 own-order answers are `refund`, in position 1: a model that reads nothing answers like that (the best \
         fixed position would get 10/30, the best fixed key 1/30); add `--order check`, and cases whose right answers \
         differ\n"
    );
    assert_eq!(
        texts(
            &Builder::new(example::labelled(4, &["a", "b"]), &[])
                .answered(|_, _, _| Reply::Chose(example::id(0), 1.0))
        ),
        ""
    );
}

#[test]
fn one_answer_in_every_order_is_a_real_rate_of_0_and_still_said() {
    assert_eq!(
        texts(&run(&CHECK, |_, _| Some(Reply::Chose(example::id(1), 0.9)))),
        "all 120 answers, in every order asked, are `deny`: that they never flip is real, and a model that reads nothing \
         answers like that too (the best fixed position would get 10/30, the best fixed key 1/30); add cases whose right \
         answers differ\n"
    );
    let summary = Builder::new(example::labelled(6, &["a", "b", "c"]), &CHECK)
        .answered(|_, _, order| Reply::Chose(order.identities()[2], 0.9));
    assert!(
        texts(&summary)
            .contains("all 24 answers, in every order asked, are in position 3: a model"),
        "{}",
        texts(&summary)
    );
}

#[test]
fn one_answer_in_every_order_is_not_called_real_where_the_canary_saw_what_may_be_why() {
    use flipside_core::canary::{Canary, OrderFinding};
    let said = |order: OrderFinding| {
        let mut summary = run(&CHECK, |_, _| Some(Reply::Chose(example::id(1), 0.9)));
        summary.canary = Some(Canary {
            order,
            why: None,
            cut_texts: None,
            asks: 5,
        });
        texts(&summary)
    };
    for (order, found) in [
        (OrderFinding::Sorted, "a layer sorts the options"),
        (OrderFinding::Cached, "a cache that leaves out order"),
        (
            OrderFinding::Unmoved,
            "equivariant, or an order-dropping layer, such as a cache",
        ),
    ] {
        let text = said(order);
        let start = format!(
            "are `deny`: that they never flip may be no merit of the model, the order canary found this: {found}"
        );
        assert!(text.contains(&start), "{text}");
        assert!(!text.contains("is real"), "{text}");
    }
    // No key of these cases looks like an integer.
    for order in [
        OrderFinding::IntegerKeys,
        OrderFinding::Arrives,
        OrderFinding::NotKnown,
    ] {
        assert!(
            said(order).contains("that they never flip is real"),
            "{order:?}"
        );
    }
}

#[test]
fn a_constant_position_key_or_option_alone_is_said_as_such() {
    let shape = |n: usize, keys: [&str; 3]| Shape {
        id: n.to_string(),
        keys: keys.map(str::to_owned).to_vec(),
        right: None,
    };
    let shapes = || {
        (0..6)
            .map(|n| {
                let keys = if n % 2 == 0 {
                    ["a", "b", "c"]
                } else {
                    ["b", "a", "c"]
                };
                shape(n, keys)
            })
            .collect()
    };
    let mut builder = Builder::new(shapes(), &CHECK);
    builder.fit = None;
    assert_eq!(
        texts(&builder.answered(|_, _, _| Reply::Chose(example::id(0), 1.0))),
        "all 24 answers, in every order asked, are option 1 of their file's order: that they never flip is real, and a \
         model that reads nothing answers like that too; add cases whose right answers differ\n"
    );
    assert_eq!(
        texts(&builder.answered(|case, _, _| Reply::Chose(example::id(case % 2), 1.0))),
        "all 24 answers, in every order asked, are `a`: that they never flip is real, and a model that reads nothing \
         answers like that too; add cases whose right answers differ\n"
    );
    let mut alone = Builder::new(shapes(), &[]);
    alone.fit = None;
    assert_eq!(
        texts(&alone.answered(|_, _, _| Reply::Chose(example::id(0), 1.0))),
        "all 6 own-order answers are in position 1: a model that reads nothing answers like that; add `--order check`, \
         and cases whose right answers differ\n"
    );
}

#[test]
fn rotations_alone_are_said_to_keep_neighbours() {
    let alone = run(&[Variants::Rotate(1), Variants::Rotate(2)], |_, _| None);
    assert_eq!(
        texts(&alone),
        "`rotate:1` and `rotate:2` are the only orders asked, and 30 cases have three options or more: rotations keep \
         circular neighbours, so they cannot see an effect of the option before or after; add `reverse` or use `--order \
         balanced`\n"
    );
    let shown = run(&[Variants::Rotate(1), Variants::Same(1)], |_, variant| {
        (variant == "rotate:1").then(|| Reply::Chose(example::id(2), 0.9))
    });
    assert_eq!(texts(&shown), "", "what they show needs no other order");
    assert_eq!(texts(&run(&CHECK, |_, _| None)), "");
}

#[test]
fn a_position_that_no_order_changes_is_said() {
    let mut summary = run(&CHECK, |_, _| None);
    summary.position.as_mut().unwrap().by_options[0]
        .unseen
        .fixed_positions = vec![0];
    assert_eq!(
        texts(&summary),
        "position 1 holds the same option in every order asked of 30 cases: a model that always picks it never flips; add \
         `rotate:1` or `random:1` to `--order`\n"
    );
}

#[test]
fn flips_within_ties_only_are_said() {
    let summary = run(&CHECK, |case, variant| {
        (case < 2 && variant == "reverse").then_some(Reply::Tied(example::id((case + 1) % 3)))
    });
    assert_eq!(
        texts(&summary),
        "all 2 flips are within a tie: the two best probabilities are equal as reported, so \
             how the backend breaks ties decides; have it report more decimals, or read these \
             cases as undecided\n"
    );
}

#[test]
fn duplicates_left_out_are_said() {
    let mut summary = run(&CHECK, |_, _| None);
    summary.counts.duplicates = 1;
    assert_eq!(
        texts(&summary),
        "1 case was left out: an earlier case is the same, and one decision counts once; \
             remove them from the file, or write cases that differ\n"
    );
    summary.counts.duplicates = 3;
    assert!(texts(&summary).starts_with("3 cases were left out"));
}

#[test]
fn a_fit_gate_without_labels_says_how_to_remove_it() {
    let mut shapes = example::labelled(8, &["a", "b", "c"]);
    example::relabel(&mut shapes, None);
    let mut builder = Builder::new(shapes, &CHECK);
    let answer = |case: usize, _: &str, _: &flipside_core::order::Order| {
        Reply::Chose(example::id(case % 3), 0.9)
    };
    assert_eq!(
        texts(&builder.answered(answer)),
        "no case says which options are right: the fit gate has nothing to measure and cannot \
             hold; label the cases, or `--gate none:fit` removes it\n"
    );
    builder.fit = None;
    assert_eq!(texts(&builder.answered(answer)), "");
}

#[test]
fn reversal_alone_suggests_what_was_not_done_yet() {
    let alone = run(&[Variants::Reverse], |_, _| None);
    assert_eq!(
        texts(&alone),
        "`reverse` is the only order asked, and 30 cases have three options or more: reversal \
             cannot see a preference for both ends or for the middle; add `rotate:1` or use \
             `--order check`\n"
    );
    let controlled = run(&[Variants::Reverse, Variants::Same(1)], |_, _| None);
    assert_eq!(
        texts(&controlled),
        "`reverse` is the only order asked, and 30 cases have three options or more: reversal \
             cannot see a preference for both ends or for the middle; add `rotate:1` to `--order`\n"
    );
    let shown = run(&[Variants::Reverse, Variants::Same(1)], |case, variant| {
        (variant == "reverse").then(|| other(case))
    });
    assert_eq!(
        texts(&shown),
        "",
        "what reversal shows needs no other order"
    );
    let two = Builder::new(example::labelled(8, &["a", "b"]), &[Variants::Reverse]);
    assert_eq!(
        texts(&two.answered(|case, _, _| Reply::Chose(example::id(case % 2), 0.9))),
        ""
    );
}

#[test]
fn warnings_never_carry_escape_codes() {
    let mut summary = example::hostile();
    summary.plan.sampled = true;
    let text = texts(&summary);
    assert!(
        !text.contains(|c: char| (c.is_control() && c != '\n') || c == '\u{202e}'),
        "{text:?}"
    );
    assert!(text.contains("\\u{1b}"), "{text}");
}

#[test]
fn a_confidence_that_is_not_what_its_documents_say_is_named_by_what_it_looks_like() {
    use flipside_core::answer::ConfidenceKind;
    let mut summary = run(&CHECK, |_, _| None);
    summary.model.confidence = Some(ConfidenceKind::AboveChance);
    summary.model.confidence_fits = vec![ConfidenceKind::Entropy];
    assert!(texts(&summary).contains(
        "the backend's confidence looks like `entropy` and not like `above-chance`, which its documents name"
    ), "{}", texts(&summary));
    summary.model.confidence_fits = vec![ConfidenceKind::AboveChance, ConfidenceKind::Largest];
    assert_eq!(texts(&summary), "", "answers near certainty fit several");
    summary.model.confidence_fits = Vec::new();
    assert_eq!(texts(&summary), "", "none was stated, or it fits nothing");
}

#[test]
fn integer_like_keys_that_a_variant_gave_are_said_where_they_would_move() {
    let mut summary = run(&CHECK, |_, _| None);
    summary.model.object_order = true;
    let mut shown = |keys: &[&str]| {
        summary.cases[0].asks[1].keys = keys.iter().map(|key| (*key).into()).collect();
        texts(&summary)
    };
    for in_place in [
        &["1", "2", "3"][..],
        &["1", "deny", "escalate"],
        &["b", "a", "02"],
    ] {
        assert_eq!(shown(in_place), "", "{in_place:?}");
    }
    for (moved, first) in [(&["3", "2", "1"][..], "3"), (&["deny", "1"], "1")] {
        let text = shown(moved);
        let expected = format!("1 case has keys such as `{first}`: a hop written in JavaScript");
        assert!(text.starts_with(&expected), "{text}");
    }
    summary.model.object_order = false;
    assert_eq!(texts(&summary), "", "no hop, no warning");
}
