//! Which models served a run, remarks on replies, and what an order canary withholds.

use flipside_core::answer::{Answer, Build};
use flipside_core::canary::{Canary, OrderFinding};
use flipside_core::gate::Gates;
use flipside_core::measure::{About, summarise};
use flipside_core::record::Outcome;
use flipside_core::summary::{Summary, Verdict};

use super::given::{cases, chose, line, number, plan, summary};
use crate::common;

const THREE: [&str; 3] = ["a", "b", "c"];

/// An answer of these provider, revision and fingerprint; nothing where they are empty.
fn by([provider, revision, fingerprint]: [&str; 3], choice: u16, remarks: &[&str]) -> Outcome {
    let said = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let Outcome::Answered(answer) = chose(choice) else {
        panic!("a choice is an answer");
    };
    Outcome::Answered(Answer {
        provider: said(provider).map(Into::into),
        build: Some(Box::new(Build {
            revision: said(revision),
            fingerprint: said(fingerprint),
        })),
        remarks: remarks.iter().map(|remark| (*remark).to_owned()).collect(),
        ..answer
    })
}

#[test]
fn a_pair_across_another_provider_revision_or_fingerprint_is_missing_and_one_across_silence_is_not()
{
    for (own, reverse, missing) in [
        (["p", "r", "f"], ["p", "r", "f"], 0),
        (["p", "r", "f"], ["q", "r", "f"], 20),
        (["p", "r", "f"], ["p", "s", "f"], 20),
        (["p", "r", "f"], ["p", "r", "g"], 20),
        (["p", "r", "f"], ["", "", ""], 0),
        (["", "", "f"], ["p", "r", ""], 0),
    ] {
        // Every reversed answer is another one: of one model 20 flips, of two models none.
        let result = summary(cases(20, &THREE), "reverse", false, &|_, variant| {
            if variant == "reverse" {
                by(reverse, 1, &[])
            } else {
                by(own, 0, &[])
            }
        });
        let line = line(&result, "reverse");
        assert_eq!(
            (line.other_version, line.figure.missing),
            (missing, missing),
            "{reverse:?}"
        );
        assert_eq!(line.figure.flips, Some(20 - missing), "{reverse:?}");
    }
}

#[test]
fn versions_are_counted_by_the_order_in_which_requests_are_sent() {
    let cases = cases(10, &THREE);
    let plan = plan(cases, "reverse");
    let schedule = plan.schedule();
    // The first 12 requests by one host, the others by another.
    let place = |ask: usize| {
        schedule
            .iter()
            .position(|slot| *slot as usize == ask)
            .unwrap()
    };
    let asked = (0..plan.asks.len()).map(|ask| {
        let host = if place(ask) < 12 { "p" } else { "q" };
        Some(common::asked(by([host, "", ""], 0, &[])))
    });
    let asked = asked.collect();
    let card = common::card();
    let result = summarise(
        &plan,
        asked,
        &Gates::resolve(&[], true, &[], false),
        common::about(&card),
    );
    let found: Vec<(Option<&str>, u64, u64, u64)> = (result.model.versions.iter())
        .map(|one| (one.provider.as_deref(), one.answers, one.first, one.last))
        .collect();
    assert_eq!(found, [(Some("p"), 12, 1, 12), (Some("q"), 8, 13, 20)]);
    // Replies that say nothing of it name nobody.
    let silent = summary(super::given::cases(2, &THREE), "reverse", false, &|_, _| {
        by(["", "", ""], 0, &[])
    });
    assert_eq!(silent.model.versions, []);
}

#[test]
fn equal_remarks_are_counted_and_of_many_the_most_frequent_are_kept() {
    let texts: Vec<String> = (0..25).map(|n| format!("remark {n:02}")).collect();
    // Case n has remark n in both orders, and every reversed answer one more.
    let result = summary(cases(25, &THREE), "reverse", false, &|shown, variant| {
        let own = texts[number(shown)].as_str();
        if variant == "reverse" {
            by(["", "", ""], 0, &[own, "everywhere"])
        } else {
            by(["", "", ""], 0, &[own])
        }
    });
    let found = &result.remarks;
    assert_eq!((found.texts.len(), found.more), (20, 6));
    assert_eq!(
        (found.texts[0].text.as_str(), found.texts[0].answers),
        ("everywhere", 25)
    );
    // Of equals the first by its letters.
    assert_eq!(
        (found.texts[1].text.as_str(), found.texts[1].answers),
        ("remark 00", 2)
    );
    assert_eq!(found.texts[19].text, "remark 18");
}

fn with_canary(keys: &[&str], order: OrderFinding, strict: bool) -> Summary {
    with_canary_and(keys, order, strict, "reverse", 0)
}

/// The same over `orders`, where a rotation brings option `rotated`, and every other order option 0.
fn with_canary_and(
    keys: &[&str],
    order: OrderFinding,
    strict: bool,
    orders: &str,
    rotated: u16,
) -> Summary {
    let plan = plan(cases(80, keys), orders);
    let choice = |ask| match plan.variant_of(ask).name.as_str() {
        "rotate:1" => rotated,
        _ => 0,
    };
    let asked = plan
        .asks
        .iter()
        .map(|ask| Some(common::asked(chose(choice(ask)))))
        .collect();
    let card = common::card();
    let canary = Canary {
        order,
        why: None,
        cut_texts: None,
        asks: 5,
    };
    let about = About {
        canary: Some(canary),
        ..common::about(&card)
    };
    let specs = flipside_core::gate::GateSpec::parse_list("none:fit").unwrap();
    summarise(
        &plan,
        asked,
        &Gates::resolve(&specs, true, &[], strict),
        about,
    )
}

#[test]
fn a_claim_in_general_is_withheld_where_something_drops_the_order() {
    const NUMBERS: [&str; 3] = ["1", "2", "3"];
    for (keys, order, strict, verdict) in [
        (&THREE, OrderFinding::Sorted, true, Verdict::Undecided),
        (&THREE, OrderFinding::Cached, true, Verdict::Undecided),
        (&THREE, OrderFinding::IntegerKeys, true, Verdict::Stable),
        (
            &NUMBERS,
            OrderFinding::IntegerKeys,
            true,
            Verdict::Undecided,
        ),
        (&THREE, OrderFinding::Arrives, true, Verdict::Stable),
        (&THREE, OrderFinding::Unmoved, true, Verdict::Undecided),
        (&THREE, OrderFinding::Unmoved, false, Verdict::Stable),
        (&THREE, OrderFinding::NotKnown, true, Verdict::Stable),
        (&THREE, OrderFinding::Sorted, false, Verdict::Stable),
    ] {
        let result = with_canary(keys, order, strict);
        let figure = &line(&result, "reverse").figure;
        assert_eq!(figure.verdict, verdict, "{order:?} {strict}");
        let held = verdict == Verdict::Stable;
        assert_eq!(
            (result.gates[0].held, result.exit),
            (held, u8::from(!held)),
            "{order:?}"
        );
        let reason = (!held).then_some(match order {
            OrderFinding::Unmoved => "no order was seen to reach the model",
            _ => "something on the way to the model drops the order",
        });
        assert_eq!(figure.reason.as_deref(), reason, "{order:?}");
        assert_eq!(
            result.canary.as_ref().map(|canary| canary.order),
            Some(order)
        );
    }
}

#[test]
fn an_order_that_moved_an_answer_of_the_run_reached_the_model_whatever_the_canary_saw() {
    for (order, rotated, verdict) in [
        (OrderFinding::Unmoved, 1, Verdict::Stable),
        (OrderFinding::Unmoved, 0, Verdict::Undecided),
        // A layer that was seen is there, whatever moved beside it.
        (OrderFinding::Sorted, 1, Verdict::Undecided),
    ] {
        let result = with_canary_and(&THREE, order, true, "reverse,rotate:1", rotated);
        let figure = &line(&result, "reverse").figure;
        assert_eq!(figure.verdict, verdict, "{order:?} {rotated}");
    }
}
