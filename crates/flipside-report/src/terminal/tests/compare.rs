//! Comparisons.

use flipside_core::answer::Answer;
use flipside_core::case::{
    Case, CaseId, CaseOption, Key, KeyBinding, Question, QuestionKind, Source,
};
use flipside_core::compare::{
    About, AnswerSet, CaseAnswers, Comparison, Demand, RecordedAsk, Wanted, compare,
};
use flipside_core::json::Json;
use flipside_core::order::{OptionId, Order};
use flipside_core::perturb::Variant;
use flipside_core::record::{Failed, FailedKind, Outcome};
use flipside_core::shared::List;
use insta::assert_snapshot;

use super::{NARROW, VERBOSE, WIDE, line};
use crate::json::{render_comparison as to_json, schema_comparison};
use crate::terminal::render_comparison;

/// What a model says to a case in an order: an option with its probability, nothing, or a failure.
pub(super) type Says = fn(usize, &str) -> Option<(u16, f64)>;

pub(super) const ORDERS: [&str; 2] = ["reverse", "rotate:1"];

pub(super) fn set(
    model: &str,
    cases: std::ops::Range<usize>,
    orders: &[&str],
    says: Says,
) -> AnswerSet {
    let answers: Vec<CaseAnswers> = cases
        .map(|number| CaseAnswers {
            case: case(number),
            asks: std::iter::once("own")
                .chain(orders.iter().copied())
                .map(|order| ask(number, order, says))
                .collect(),
        })
        .collect();
    let asks = || answers.iter().flat_map(|answers| &answers.asks);
    let failed = |ask: &&RecordedAsk| matches!(ask.outcome, Outcome::Failed(_));
    AnswerSet {
        about: About {
            name: format!("runs/{model}"),
            model: model.to_owned(),
            requested: None,
            endpoint: None,
            served: Vec::new(),
            flipside: Some("0.1.0".to_owned()),
            method: Some(1),
            started: Some("2026-11-30T10:00:00Z".to_owned()),
            cases: answers.len() as u64,
            planned: Some(asks().count() as u64),
            recorded: asks().count() as u64,
            failed: asks().filter(failed).count() as u64,
            complete: true,
            stopped_by: None,
        },
        cases: answers,
    }
}

fn case(number: usize) -> Case {
    let option = |key: &str| CaseOption {
        key: Key(key.to_owned()),
        text: None,
    };
    Case {
        id: CaseId(format!("c{number:02}")),
        source: Source {
            format: "probe".into(),
            file: "cases.jsonl".into(),
            line: number as u64 + 1,
        },
        state: Json::String(number.to_string()),
        question: Question {
            kind: QuestionKind::Choice,
            name: "pick".to_owned(),
            instructions: None,
            before: Vec::new(),
            after: Vec::new(),
        }
        .into(),
        options: ["refund", "deny", "escalate"].map(option).to_vec().into(),
        keys: KeyBinding::Option,
        accept: vec![OptionId(0)].into(),
        named: true,
        position_dependent: None,
        note: None,
        fields: List::new(),
        equal: List::new(),
        brought: flipside_core::case::Brought::default(),
    }
}

fn ask(number: usize, name: &str, says: Says) -> RecordedAsk {
    let (variant, order) = match name {
        "own" => (Variant::baseline(), Order::own(3)),
        "reverse" => (Variant::order(name), Order::reverse(3)),
        other => {
            let by = other.trim_start_matches("rotate:").parse().unwrap_or(1);
            (Variant::order(name), Order::rotate(3, by))
        }
    };
    let outcome = match says(number, name) {
        None => Outcome::Failed(Failed {
            kind: FailedKind::Timeout,
            message: "no reply".to_owned(),
            unanswered: true,
        }),
        Some((option, p)) => {
            let mut all = vec![(1.0 - p) / 2.0; 3];
            all[usize::from(option)] = p;
            Outcome::Answered(Answer {
                choice: Some(OptionId(option)),
                probabilities: Some(all),
                ..Answer::default()
            })
        }
    };
    RecordedAsk {
        variant: variant.into(),
        order,
        outcome,
    }
}

pub(super) const PLAIN: Wanted<'static> = Wanted {
    version: "0.1.0",
    orders: &[],
    by: &[],
    equivalent: Demand {
        accuracy: None,
        flips: None,
    },
    not_worse: Demand {
        accuracy: None,
        flips: None,
    },
    alpha: 0.05,
};

const BOTH: Wanted<'static> = Wanted {
    equivalent: Demand {
        accuracy: Some(0.05),
        flips: Some(0.05),
    },
    not_worse: Demand {
        accuracy: Some(0.02),
        flips: Some(0.01),
    },
    ..PLAIN
};

/// Reads content, but every fourth case is wrong and every fifth flips when reversed.
#[expect(clippy::unnecessary_wraps, reason = "one type for every model")]
pub(super) fn good(number: usize, order: &str) -> Option<(u16, f64)> {
    let p = 0.6 + 0.005 * f64::from(u8::try_from(number).unwrap_or(0));
    match (number % 4, order) {
        (0, _) => Some((1, p)),
        (_, "reverse") if number % 5 == 1 => Some((2, p - 0.1)),
        _ => Some((0, p)),
    }
}

/// Right always, and the same in every order.
#[expect(clippy::unnecessary_wraps, reason = "one type for every model")]
pub(super) fn better(_: usize, _: &str) -> Option<(u16, f64)> {
    Some((0, 0.9))
}

fn failing(number: usize, order: &str) -> Option<(u16, f64)> {
    (number % 6 != 2 || order != "reverse").then_some((0, 0.9))
}

fn compared(baseline: &AnswerSet, variant: &AnswerSet, wanted: &Wanted<'_>) -> Comparison {
    compare(baseline, variant, wanted).unwrap()
}

fn ordinary(wanted: &Wanted<'_>) -> Comparison {
    let baseline = set("good", 0..40, &ORDERS, good);
    compared(&baseline, &set("better", 0..40, &ORDERS, better), wanted)
}

/// Other cases, other orders, failed asks, an unfinished side.
fn troubled() -> Comparison {
    let baseline = set("good", 0..30, &ORDERS, good);
    let mut variant = set("failing", 5..40, &["reverse", "rotate:2"], failing);
    variant.about.served = vec!["failing-2".to_owned()];
    variant.about.complete = false;
    variant.about.planned = Some(140);
    variant.cases[1].case.state = Json::String("changed".to_owned());
    variant.cases[2].case.accept = vec![OptionId(1)].into();
    variant.cases[3].asks.remove(1);
    compared(&baseline, &variant, &BOTH)
}

#[test]
fn two_runs_fit_on_one_screen_and_nothing_is_gated_unasked() {
    let text = render_comparison(&ordinary(&PLAIN), &WIDE);
    assert!(text.lines().count() <= 24, "{text}");
    assert_snapshot!(text);
}

#[test]
fn demands_have_a_line_each_with_their_own_words() {
    let text = render_comparison(&ordinary(&BOTH), &WIDE);
    assert_snapshot!(text);
}

#[test]
fn in_full_every_order_drift_and_any_flip_are_there() {
    assert_snapshot!(render_comparison(&ordinary(&PLAIN), &VERBOSE));
}

#[test]
fn everything_left_out_is_named() {
    assert_snapshot!(render_comparison(&troubled(), &WIDE));
}

#[test]
fn a_run_against_itself_has_no_difference() {
    let run = set("good", 0..40, &ORDERS, good);
    let text = render_comparison(&compared(&run, &run, &PLAIN), &WIDE);
    for start in ["accuracy", "flips"] {
        for line in text.lines().filter(|line| line.starts_with(start)) {
            assert!(line.contains("  0.0 points (95% CI -"), "{line}");
        }
    }
    assert_eq!(line(&text, "gates"), "gates  nothing was gated   exit 0");
}

#[test]
fn a_narrow_terminal_is_kept() {
    let text = render_comparison(&ordinary(&BOTH), &NARROW);
    let kept = text.lines().all(|line| line.chars().count() <= 80);
    assert!(kept, "{text}");
}

#[test]
fn many_orders_are_cut_to_those_whose_flips_differ_most() {
    let mut orders = vec!["reverse", "rotate:1", "rotate:2"];
    let names = ["rotate:4", "rotate:5"];
    orders.extend(names);
    let run = set("good", 0..40, &orders, good);
    // The same order under several names is one order, in every row that names it.
    let text = render_comparison(&compared(&run, &run, &PLAIN), &WIDE);
    assert!(
        text.contains("orders") && text.contains("and 2 more whose flips differ no more"),
        "{text}"
    );
    let full = render_comparison(&compared(&run, &run, &PLAIN), &VERBOSE);
    assert!(
        full.contains("rotate:5") && !full.contains("whose flips"),
        "{full}"
    );
}

#[test]
fn comparisons_keep_their_schema() {
    let schema: serde_json::Value = serde_json::from_str(&schema_comparison()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let unlabelled = {
        let mut run = set("good", 0..3, &[], good);
        for answers in &mut run.cases {
            answers.case.accept.clear();
        }
        compared(&run, &run, &BOTH)
    };
    for comparison in [ordinary(&PLAIN), ordinary(&BOTH), troubled(), unlabelled] {
        let text = to_json(&comparison);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(&value)
            .map(|error| error.to_string())
            .collect();
        assert_eq!(errors, Vec::<String>::new());
        assert!(text.ends_with("}\n"));
        let mut broken = value.clone();
        broken["orders"]["own"]
            .as_object_mut()
            .unwrap()
            .remove("left_out");
        assert!(!validator.is_valid(&broken));
    }
}
