//! The lines of `keys`, `drop` and `decoy` of a table of four cases, worked by hand.
//!
//! | case | accepts | own | keys | last:0 | drop/0 | last:1 | drop/1 | drop/2 | decoy |
//! |---|---|---|---|---|---|---|---|---|---|
//! | c0 | a | a | a | a | – | a | a | b | decoy |
//! | c1 | b | b | c | b | c | c | c | b | b |
//! | c2 | a | c | a | c | c | c | failed | – | decoy |
//! | c3 | | b | vacuous | b | declined | b | – | a | b |
//!
//! What `drop/2` is compared with is the own order, where c stands last already. A dash is an option that was chosen of all and is
//! left out: no pair. Case c3 is keys alone.

use flipside_core::answer::{Answer, Declined};
use flipside_core::case::Case;
use flipside_core::gate::{GateSpec, Gates};
use flipside_core::json::Json;
use flipside_core::order::OptionId;
use flipside_core::perturb::order::OrderSpec;
use flipside_core::perturb::{Axis, AxisSpec};
use flipside_core::plan::{Plan, PlanInput, VacuousReason, distinct};
use flipside_core::record::{Asked, Outcome};
use flipside_core::summary::{AskSummary, Line, Summary, Transitions, Verdict};

use crate::common::{self, Bytes, asked, chose};
use crate::made::{failed, summary};

/// Computed as exact fractions or by bisection in Python.
const TOLERANCE: f64 = 1e-12;

fn case(number: usize, accept: &[u16], described: bool) -> Case {
    let mut case = common::case(number, ["ka", "kb", "kc"]);
    case.accept = accept.iter().copied().map(OptionId).collect();
    if described {
        for (option, text) in case.options.iter_mut().zip(["one", "two", "three"]) {
            option.text = Some(Json::String(text.to_owned()));
        }
    }
    case.checked().unwrap()
}

fn four() -> Vec<Case> {
    vec![
        case(0, &[0], true),
        case(1, &[1], true),
        case(2, &[0], true),
        case(3, &[], false),
    ]
}

fn plan(cases: Vec<Case>, axes: &str, orders: &[OrderSpec]) -> Plan {
    let axes = AxisSpec::parse_list(axes).unwrap();
    let input = PlanInput {
        axes: &axes,
        ..PlanInput::orders(orders, 5)
    };
    Plan::build(&distinct(cases).unwrap(), &input, &Bytes::new()).unwrap()
}

fn probable(option: u16, p: &[f64]) -> Outcome {
    Outcome::Answered(Answer {
        choice: Some(OptionId(option)),
        probabilities: Some(p.to_vec()),
        ..Answer::default()
    })
}

fn declined() -> Outcome {
    Outcome::Answered(Answer {
        declined: Some(Declined::Abstention),
        ..Answer::default()
    })
}

/// The table: what each case says in each variant; a dash of it says the first option that is left.
#[expect(clippy::match_same_arms, reason = "a table reads case by case")]
fn said(case: u32, variant: &str) -> Outcome {
    match (case, variant) {
        (0, "drop/0") => chose(1),
        (0, "drop/2") => probable(1, &[0.4, 0.6, 0.0]),
        (0, "decoy/none") => probable(3, &[0.1, 0.1, 0.1, 0.7]),
        (0, _) => chose(0),
        (1, "baseline/own" | "drop/last:0" | "drop/2" | "decoy/none") => chose(1),
        (1, _) => chose(2),
        (2, "keys/abstract" | "drop/2") => chose(0),
        (2, "drop/1") => failed(),
        (2, "decoy/none") => chose(3),
        (2, _) => chose(2),
        (3, "drop/0") => declined(),
        (3, "drop/1" | "drop/2") => chose(0),
        (3, _) => chose(1),
        _ => unreachable!("four cases"),
    }
}

fn answers(plan: &Plan) -> Vec<Option<Asked>> {
    let answer = |ask| {
        let variant = plan.variant_of(ask).to_string();
        Some(asked(said(ask.case, &variant)))
    };
    plan.asks.iter().map(answer).collect()
}

fn gates(written: &str) -> Gates {
    let specs = GateSpec::parse_list(written).unwrap();
    Gates::resolve(&specs, false, &[Axis::Keys, Axis::Drop, Axis::Decoy], false)
}

fn whole() -> Summary {
    let plan = plan(four(), "keys,drop,decoy", &[]);
    summary(&plan, answers(&plan), &gates("drop<=5%"))
}

fn line<'a>(summary: &'a Summary, axis: &str, variant: &str) -> &'a Line {
    &summary.axes[axis][variant]
}

/// Pairs, flips, missing, vacuous.
fn counts(line: &Line) -> (u64, u64, u64, u64) {
    let figure = &line.figure;
    let flips = figure.flips.unwrap();
    (figure.pairs, flips, figure.missing, figure.vacuous)
}

fn close(found: Option<f64>, expected: f64) {
    let found = found.unwrap();
    assert!((found - expected).abs() < TOLERANCE, "{found} {expected}");
}

#[test]
fn renamed_options_are_compared_by_identity() {
    let summary = whole();
    let line = line(&summary, "keys", "abstract");
    assert_eq!(counts(line), (3, 2, 0, 1));
    assert_eq!(line.vacuous_reasons[&VacuousReason::KeysAreText], 1);
    close(line.figure.rate, 2.0 / 3.0);
    let [lower, upper] = line.figure.interval.unwrap();
    close(Some(lower), 0.207_659_600_802_047_76);
    close(Some(upper), 0.938_508_055_279_603_9);
    close(line.figure.lower, 0.135_350_362_171_583_78);
    close(line.figure.upper, 0.983_047_572_491_558_5);
    assert_eq!(
        line.transitions,
        Transitions {
            kept_right: 1,
            harmful: 1,
            repairing: 1,
            ..Transitions::default()
        }
    );
    let accuracy = line.accuracy.as_ref().unwrap();
    assert_eq!((accuracy.right, accuracy.of), (2, 3));
    assert_eq!(
        (line.moved, line.position_following),
        (0, 0),
        "no option stands elsewhere"
    );
    assert_eq!(line.figure.verdict, Verdict::CauseOpen, "over 5 %");
}

#[test]
fn an_option_less_is_compared_with_the_list_in_which_it_stands_last() {
    let summary = whole();
    let names: Vec<&String> = summary.axes["drop"].keys().collect();
    assert_eq!(names, ["0", "1", "2"], "a reference is no variant");
    for (variant, expected) in [
        ("0", (3, 2, 0, 0)),
        ("1", (2, 0, 1, 0)),
        ("2", (3, 2, 0, 0)),
    ] {
        let line = line(&summary, "drop", variant);
        assert_eq!(counts(line), expected, "drop/{variant}");
        assert_eq!((line.moved, line.position_following), (0, 0));
        assert!(line.accuracy.is_none() && line.drift.is_none());
    }
    assert_eq!(line(&summary, "drop", "0").no_decision_flips, 1);
    let one = line(&summary, "drop", "1");
    close(one.figure.rate, 0.0);
    close(one.figure.upper, 0.864_649_637_828_416_2);
    close(one.rate_if_missing_flipped, 1.0 / 3.0);
    let gate = summary.gates.iter().find(|gate| gate.subject == "drop");
    let gate = gate.unwrap();
    assert_eq!(gate.verdict, Verdict::CauseOpen);
    assert_eq!(gate.decided_by, None, "one figure over all of them");
}

#[test]
fn a_decoy_that_is_chosen_is_an_answer_that_no_case_accepts() {
    let summary = whole();
    let line = line(&summary, "decoy", "none");
    assert_eq!(counts(line), (4, 2, 0, 0));
    assert_eq!(
        line.transitions,
        Transitions {
            kept_right: 1,
            harmful: 1,
            lateral_wrong: 1,
            ..Transitions::default()
        }
    );
    let accuracy = line.accuracy.as_ref().unwrap();
    assert_eq!((accuracy.right, accuracy.of), (1, 3));
    assert_eq!(line.figure.verdict, Verdict::NoGate);
    let ask = ask(&summary, 0, "decoy", "none");
    assert_eq!(ask.choice, Some(OptionId(3)));
    assert_eq!((ask.key.as_deref(), ask.ok), (Some("none"), Some(false)));
    assert_eq!((ask.flip, ask.keys.len()), (Some(true), 4));
    // (4 x 0.7 - 1) / 3.
    let confidence = ask.confidence.unwrap();
    close(confidence.above_chance, 0.6);
    assert!(summary.position.is_none() && summary.orders.is_none());
}

fn ask<'a>(summary: &'a Summary, case: usize, axis: &str, variant: &str) -> &'a AskSummary {
    let mut asks = summary.cases[case].asks.iter();
    let named = |ask: &&AskSummary| ask.axis.name() == axis && &*ask.variant == variant;
    asks.find(named).unwrap()
}

#[test]
fn every_ask_says_what_it_was_compared_with_and_whether_it_flipped() {
    let summary = whole();
    let told = |case, variant| {
        let ask = ask(&summary, case, "drop", variant);
        (ask.against.as_deref(), ask.flip)
    };
    assert_eq!(
        told(0, "0"),
        (Some("last:0"), None),
        "a was chosen and left out"
    );
    assert_eq!(told(1, "0"), (Some("last:0"), Some(true)));
    assert_eq!(told(1, "1"), (Some("last:1"), Some(false)));
    assert_eq!(told(2, "1"), (Some("last:1"), None), "it failed");
    assert_eq!(told(0, "2"), (None, Some(true)), "the own order");
    assert_eq!(told(2, "2"), (None, None));
    assert_eq!(told(3, "0"), (Some("last:0"), Some(true)));
}

#[test]
fn confidence_is_over_the_options_that_were_offered() {
    let summary = whole();
    let ask = ask(&summary, 0, "drop", "2");
    assert_eq!(ask.probabilities.as_deref(), Some(&[0.4, 0.6, 0.0][..]));
    // Of two options and not of three: 2 x 0.6 - 1, and 1 - H(0.6, 0.4) / ln 2.
    let confidence = ask.confidence.unwrap();
    close(confidence.above_chance, 0.2);
    close(confidence.entropy, 0.029_049_405_545_331_197);
}

#[test]
fn an_option_that_is_the_same_answer_can_be_chosen_where_another_is_left_out() {
    let mut case = case(0, &[], true);
    case.equal = vec![vec![OptionId(0), OptionId(2)]].into();
    let plan = plan(vec![case.checked().unwrap()], "drop", &[]);
    let answers = plan.asks.iter().map(|ask| {
        let first = ask.order.identities().iter().map(|id| id.0).min();
        Some(asked(chose(first.unwrap())))
    });
    let summary = summary(&plan, answers.collect(), &gates("none:fit"));
    // Leaving the third out, the first is chosen again. Leaving the first out, it cannot be.
    assert_eq!(counts(line(&summary, "drop", "2")), (1, 0, 0, 0));
    assert_eq!(ask(&summary, 0, "drop", "2").flip, Some(false));
    assert_eq!(counts(line(&summary, "drop", "0")), (0, 0, 0, 0));
    assert_eq!(ask(&summary, 0, "drop", "0").flip, None);
}

#[test]
fn other_axes_change_no_figure_of_the_orders() {
    let orders = OrderSpec::parse_list("reverse,rotate:1,same:1").unwrap();
    let gates = Gates::resolve(&[], true, &[], false);
    let [alone, beside] = ["", "keys,descriptions,drop,decoy"].map(|axes| {
        let input: Vec<AxisSpec> = match axes {
            "" => Vec::new(),
            axes => AxisSpec::parse_list(axes).unwrap(),
        };
        let input = PlanInput {
            axes: &input,
            ..PlanInput::orders(&orders, 5)
        };
        let plan = Plan::build(&distinct(four()).unwrap(), &input, &Bytes::new()).unwrap();
        // The option in the first place, but a decoy wherever there is one.
        let answer = |order: &[OptionId]| match order.iter().find(|id| id.0 == 3) {
            Some(decoy) => chose(decoy.0),
            None => chose(order[0].0),
        };
        let answers = plan.asks.iter();
        let answers = answers.map(|ask| Some(asked(answer(ask.order.identities()))));
        let found = summary(&plan, answers.collect(), &gates);
        let figures = [
            serde_json::to_value(&found.axes["order"]),
            serde_json::to_value(&found.orders),
            serde_json::to_value(&found.position),
            serde_json::to_value(&found.control),
            serde_json::to_value(&found.fit),
            serde_json::to_value(&found.order_averaged_accuracy),
        ];
        figures.map(Result::unwrap)
    });
    assert_eq!(alone, beside);
    assert!(alone.iter().all(|figure| !figure.is_null()));
}
