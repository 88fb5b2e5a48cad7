//! What the order canary says beneath the verdicts that it qualifies.

use flipside_core::canary::{Canary, CutTexts, OrderFinding};
use flipside_core::summary::{Remark, Summary};

use super::*;
use crate::warning;

const REVERSE: [Variants; 1] = [Variants::Reverse];

fn with(order: OrderFinding, cut_texts: Option<CutTexts>) -> Summary {
    Summary {
        canary: Some(Canary {
            order,
            why: (order == OrderFinding::Cached)
                .then(|| "requests\u{1b} in other orders came back with one request id".to_owned()),
            cut_texts,
            asks: 5,
        }),
        ..content(8, &REVERSE, false)
    }
}

fn said(summary: &Summary) -> String {
    let text = crate::terminal::render(summary, &WIDE);
    let rows: Vec<&str> = text.split("\norder").skip(1).collect();
    flat(rows.get(1).copied().unwrap_or_default())
}

#[test]
fn what_may_have_dropped_the_order_stands_beneath_the_verdict_and_nothing_else_does() {
    for order in [
        OrderFinding::Arrives,
        OrderFinding::NotKnown,
        OrderFinding::NotAsked,
    ] {
        assert_eq!(said(&with(order, None)), "", "{order:?}");
    }
    assert!(
        said(&with(OrderFinding::Unmoved, None)).starts_with(
            "canary equivariant, or an order-dropping layer, such as a cache: a question that says nothing was answered alike in every order; \
             `flipside models overlap` says how to tell"
        )
    );
    assert!(
        said(&with(OrderFinding::Sorted, None)).starts_with(
            "canary a layer sorts the options (or the model goes by its keys): answers follow their sorted order, whatever order is \
             sent; ask the server itself as `systemone:URL` past every proxy and client library"
        )
    );
    assert!(
        said(&with(OrderFinding::Cached, None)).starts_with(
            "canary a cache that leaves out order repeats its first answer: requests\\u{1b} in other orders came back with one request \
             id; switch it off for these requests, or put a digest of the exact body into its key"
        )
    );
    // Keys of this run are words.
    assert_eq!(said(&with(OrderFinding::IntegerKeys, None)), "");
    let cut = Some(CutTexts {
        characters: 1_600,
        alike: 1_595,
    });
    assert!(
        said(&with(OrderFinding::Arrives, cut)).starts_with(
            "canary option texts are cut, or only how they begin counts: of 1600 characters nothing after the first 1595 changes an answer; shorten them, or put \
             what tells them apart first"
        )
    );
}

#[test]
fn an_order_that_flipped_answers_reached_the_model() {
    let flipping = Builder::new(
        example::labelled(8, &["refund", "deny", "escalate"]),
        &REVERSE,
    );
    let summary = Summary {
        canary: with(OrderFinding::Unmoved, None).canary,
        ..flipping.answered(|_, variant, _| {
            Reply::Chose(example::id(usize::from(variant == "reverse")), 0.9)
        })
    };
    assert!(!crate::terminal::render(&summary, &WIDE).contains("canary"));
}

#[test]
fn the_most_frequent_remarks_are_warnings_and_the_others_are_counted() {
    let mut summary = content(8, &REVERSE, false);
    let before = warning::warnings(&summary).len();
    summary.remarks.texts = (1..=5)
        .map(|n| Remark {
            text: format!("remark\u{1b} {n}"),
            answers: 10 - n,
        })
        .collect();
    summary.remarks.more = 2;
    let texts: Vec<String> = warning::warnings(&summary)
        .iter()
        .skip(before)
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        texts,
        [
            "9 of 16 answers: remark\\u{1b} 1",
            "8 of 16 answers: remark\\u{1b} 2",
            "7 of 16 answers: remark\\u{1b} 3",
            "4 further remarks on replies in the summary (`--json`, or `summary.json` of the run folder)",
        ]
    );
}
