//! Pairs, directions, gates, exit codes and baselines against the golden file.

use std::collections::{BTreeMap, BTreeSet};

use flipside_core::answer::Answer;
use flipside_core::case::{Case, Key, QuestionKind};
use flipside_core::gate::{self, Counts, Gates, Kind};
use flipside_core::measure::{PairOutcome, Said, pair, position_baseline, transitions};
use flipside_core::model::{
    BoxFuture, Card, Failure, Model, Rejection, Reply, Sending, Unsupported,
};
use flipside_core::order::{OptionId, Order};
use flipside_core::perturb::order::OrderSpec;
use flipside_core::plan::{Plan, PlanInput, VacuousReason, distinct};
use flipside_core::present::Presentation;
use flipside_core::summary::{Transitions, Verdict};
use serde_json::Value;

use crate::common::{self, card};
use crate::made::{goldens as group, keys};

/// Absolute tolerance of the golden file's printed digits.
const TOLERANCE: f64 = 1e-9;

fn case(options: usize, accept: &[u16]) -> Case {
    Case {
        accept: accept.iter().copied().map(OptionId).collect(),
        ..common::case(0, keys("k", options))
    }
    .checked()
    .unwrap()
}

/// The identity of an option's letter in the golden file.
fn identity(
    letters: &[String],
    key_map: &serde_json::Map<String, Value>,
    answer: &str,
) -> OptionId {
    let letter = key_map
        .iter()
        .find(|(_, shown)| shown.as_str() == Some(answer))
        .unwrap()
        .0;
    let place = letters.iter().position(|known| known == letter).unwrap();
    OptionId(u16::try_from(place).unwrap())
}

fn said(letters: &[String], ask: &Value) -> Said {
    match ask["status"].as_str().unwrap() {
        "ok" => {
            let answer = ask["answer"].as_str().unwrap();
            Said::Chose {
                id: identity(letters, ask["keys"].as_object().unwrap(), answer),
                tied: false,
            }
        }
        "refused" | "unreadable" => Said::Nothing,
        "timeout" | "malformed" => Said::Missing,
        other => panic!("{other}"),
    }
}

/// Options that the golden file puts into one class.
fn equal(letters: &[String], ask: &Value) -> Vec<Vec<OptionId>> {
    let mut classes: BTreeMap<&str, Vec<OptionId>> = BTreeMap::new();
    for (place, letter) in letters.iter().enumerate() {
        if let Some(class) = ask["class"][letter].as_str() {
            let place = OptionId(u16::try_from(place).unwrap());
            classes.entry(class).or_default().push(place);
        }
    }
    classes.into_values().collect()
}

#[test]
fn every_golden_pair_has_its_outcome() {
    let entries = group("pair_semantics");
    let mut ids = BTreeSet::new();
    for entry in &entries {
        let (base, perturbed) = (&entry["inputs"]["base"], &entry["inputs"]["perturbed"]);
        let expected = entry["expected"]["outcome"].as_str().unwrap();
        let id = entry["id"].as_str().unwrap();
        assert!(ids.insert(id));
        let mut letters: Vec<String> = base["keys"].as_object().unwrap().keys().cloned().collect();
        if expected == "vacuous" {
            // Never asked: the plan says so before there is an answer.
            assert_eq!(vacuous(id, base, perturbed), [reason(id)], "{id}");
            continue;
        }
        letters.sort();
        let mut case = case(letters.len(), &[]);
        case.equal = equal(&letters, base).into();
        let case = case.checked().unwrap();
        let said = |ask| said(&letters, ask).within(&case);
        let outcome = match pair(said(base), said(perturbed)) {
            PairOutcome::Same => "same",
            PairOutcome::Flip {
                no_decision: true, ..
            } => "flip_to_or_from_no_decision",
            PairOutcome::Flip { .. } => "flip",
            PairOutcome::NoDecision => "no_decision",
            PairOutcome::Missing => "missing",
            PairOutcome::Unasked => "unasked",
        };
        assert_eq!(outcome, expected, "{id}");
    }
    assert_eq!(ids.len(), 17);
}

fn reason(id: &str) -> VacuousReason {
    match id {
        "one_option" => VacuousReason::OneOption,
        "identical_render" => VacuousReason::OwnOrder,
        "fixed_order_noul" => VacuousReason::EqualBytes,
        other => panic!("{other}"),
    }
}

/// Why a plan leaves out the order that a golden pair has.
fn vacuous(id: &str, base: &Value, perturbed: &Value) -> Vec<VacuousReason> {
    let letters = |ask: &Value| -> Vec<String> {
        let order = ask["order"].as_array().unwrap().iter();
        order
            .map(|letter| letter.as_str().unwrap().to_owned())
            .collect()
    };
    let (own, other) = (letters(base), letters(perturbed));
    let pinned = base["fixed_order"] == Value::Bool(true);
    let mut case = case(own.len(), &[]);
    if pinned {
        case.question.kind = QuestionKind::Noul;
        case.options[0].key = Key("true".to_owned());
        case.options[1].key = Key("false".to_owned());
    }
    let identities = other
        .iter()
        .map(|letter| own.iter().position(|known| known == letter).unwrap() as u64);
    let order = Order::new(&identities.collect::<Vec<_>>()).unwrap();
    let specs = OrderSpec::parse_list("list:golden").unwrap();
    let input = PlanInput {
        orders: &specs,
        lists: &[("golden".to_owned(), vec![order])],
        ..PlanInput::orders(&specs, 1)
    };
    let plan = Plan::build(
        &distinct(vec![case]).unwrap(),
        &input,
        &Pinning(card(), pinned),
    )
    .unwrap();
    assert_eq!(plan.asks.len(), 1, "{id}: only the baseline is asked");
    plan.vacuous.iter().map(|vacuous| vacuous.reason).collect()
}

/// A model that writes options in the order shown, or that has one order for the two sides of a statement.
struct Pinning(Card, bool);

impl Model for Pinning {
    fn card(&self) -> &Card {
        &self.0
    }

    fn request(&self, shown: &Presentation<'_>) -> Result<Vec<u8>, Unsupported> {
        let mut keys: Vec<&str> = shown
            .options()
            .map(|option| option.key.0.as_str())
            .collect();
        if self.1 {
            keys.sort_unstable();
        }
        Ok(keys.join(",").into_bytes())
    }

    fn send<'a>(&'a self, _: Sending<'a>) -> BoxFuture<'a, Result<Reply, Failure>> {
        unreachable!("nothing is asked here")
    }

    fn read(&self, _: &Presentation<'_>, _: &Reply) -> Result<Answer, Rejection> {
        unreachable!("nothing is asked here")
    }
}

#[test]
fn an_unreadable_answer_is_missing_and_a_refusal_is_an_outcome() {
    use flipside_core::answer::Declined;
    use flipside_core::measure::said;
    use flipside_core::record::{Asked, Outcome};

    let said_by = |declined, choice| {
        let outcome = Outcome::Answered(Answer {
            declined,
            choice,
            ..Answer::default()
        });
        said(Some(&Asked {
            outcome,
            ms: 0.0,
            attempts: 1,
        }))
    };
    let unreadable = said_by(Some(Declined::Unreadable), None);
    let refused = said_by(Some(Declined::Refusal), None);
    let chose = said_by(None, Some(OptionId(0)));
    assert_eq!((unreadable, refused), (Said::Missing, Said::Nothing));
    assert_eq!(pair(chose, unreadable), PairOutcome::Missing);
    assert_eq!(pair(unreadable, chose), PairOutcome::Missing);
    assert_eq!(pair(unreadable, unreadable), PairOutcome::Missing);
    assert_eq!(pair(unreadable, refused), PairOutcome::Missing);
    let flip = PairOutcome::Flip {
        tie: false,
        no_decision: true,
    };
    assert_eq!(pair(chose, refused), flip);
}

#[test]
fn a_flip_is_a_tie_flip_where_either_answer_is_tied() {
    let chose = |id, tied| Said::Chose {
        id: OptionId(id),
        tied,
    };
    let flip = |tie| PairOutcome::Flip {
        tie,
        no_decision: false,
    };
    assert_eq!(pair(chose(0, true), chose(1, false)), flip(true));
    assert_eq!(pair(chose(0, false), chose(1, true)), flip(true));
    assert_eq!(pair(chose(0, false), chose(1, false)), flip(false));
    assert_eq!(pair(chose(0, true), chose(0, true)), PairOutcome::Same);
}

#[test]
fn directions_are_counted_as_in_the_golden_table() {
    let entries = group("transitions");
    assert_eq!(entries.len(), 1);
    let entry = &entries[0];
    let mut counts = Transitions::default();
    let number = |text: &Value| u16::from(text.as_str().unwrap().as_bytes()[0] - b'a');
    for row in entry["inputs"]["rows"].as_array().unwrap() {
        let accept: Vec<u16> = row["accept"]
            .as_array()
            .unwrap()
            .iter()
            .map(number)
            .collect();
        let case = case(3, &accept);
        transitions(
            &mut counts,
            &case,
            OptionId(number(&row["base"])),
            OptionId(number(&row["perturbed"])),
        );
    }
    let expected = &entry["expected"];
    let found = [
        ("kept_right", counts.kept_right),
        ("harmful", counts.harmful),
        ("repairing", counts.repairing),
        ("lateral_wrong", counts.lateral_wrong),
        ("lateral_accepted", counts.lateral_accepted),
        ("kept_wrong", counts.kept_wrong),
    ];
    for (name, count) in found {
        assert_eq!(Some(count), expected[name].as_u64(), "{name}");
    }
    transitions(&mut counts, &case(3, &[]), OptionId(0), OptionId(1));
    assert_eq!(counts.harmful, 1, "an unlabelled pair has no direction");
}

#[test]
fn strict_gates_give_every_golden_verdict() {
    for entry in group("gate_verdict") {
        let inputs = &entry["inputs"];
        let count = |name: &str| inputs[name].as_u64().unwrap();
        let counts = Counts {
            pairs: count("pairs"),
            flips: count("flips"),
            missing: count("missing"),
            ..Counts::default()
        };
        let alpha = inputs["alpha"].as_f64().unwrap();
        let judged = gate::judge_flips(counts, inputs["theta"].as_f64().unwrap(), true, alpha);
        let word = match judged.kind {
            Kind::Stable => "stable",
            Kind::Sensitive => "sensitive",
            Kind::Inconclusive => "inconclusive",
            Kind::NotMeasured => "not_measured",
            Kind::NotApplicable => "not_applicable",
            Kind::Undecided => "undecided",
        };
        let expected = &entry["expected"];
        assert_eq!(Some(word), expected["verdict"].as_str(), "{}", entry["id"]);
        if let Some(more) = judged.more_pairs {
            assert_eq!(
                more.if_no_further_flip,
                expected["more_pairs_if_no_further_flip"].as_u64(),
                "{}",
                entry["id"]
            );
            assert_eq!(
                more.if_rate_persists,
                expected["more_pairs_if_rate_persists"].as_u64(),
                "{}",
                entry["id"]
            );
        }
        let advised = expected["advice"].is_string();
        assert_eq!(
            judged.kind == Kind::Inconclusive && judged.more_pairs.is_none(),
            advised,
            "{}",
            entry["id"]
        );
    }
}

#[test]
fn the_exit_code_is_computed_from_the_gates() {
    let verdict = |name: &Value| match name.as_str().unwrap() {
        "stable" => Verdict::Stable,
        "fits" => Verdict::Fits,
        "misfits" => Verdict::NotATask,
        "sensitive" | "noisy" => Verdict::OrderSensitive,
        "inconclusive" => Verdict::Inconclusive,
        "not_applicable" => Verdict::NotApplicable,
        "not_measured" => Verdict::NotMeasured,
        other => panic!("{other}"),
    };
    let entries = group("exit_code");
    assert_eq!(entries.len(), 7);
    for entry in entries {
        let requested = entry["inputs"]["requested_gate_verdicts"]
            .as_array()
            .unwrap();
        let verdicts: Vec<Verdict> = requested.iter().map(verdict).collect();
        let exit = gate::exit_code(&verdicts, true);
        assert_eq!(
            Some(u64::from(exit)),
            entry["expected"]["exit"].as_u64(),
            "{}",
            entry["id"]
        );
        assert_eq!(gate::exit_code(&verdicts, false), 3);
    }
}

#[test]
fn the_position_baseline_is_the_golden_one() {
    for entry in group("position_baseline") {
        let options = usize::try_from(entry["inputs"]["K"].as_u64().unwrap()).unwrap();
        let positions = entry["inputs"]["accepted_positions"].as_array().unwrap();
        let accepted = positions
            .iter()
            .map(|position| u16::try_from(position.as_u64().unwrap()).unwrap());
        let cases: Vec<Case> = accepted.map(|accept| case(options, &[accept])).collect();
        let baseline = position_baseline(&cases).unwrap();
        let expected = &entry["expected"];
        assert_eq!(
            baseline.position.map(u64::from),
            expected["best_constant_position"].as_u64()
        );
        assert!((baseline.rate - expected["accuracy"].as_f64().unwrap()).abs() < TOLERANCE);
        assert!((baseline.lower - expected["lower_one_sided"].as_f64().unwrap()).abs() < TOLERANCE);
    }
}

#[test]
fn gates_about_a_file_pass_as_often_as_the_golden_table_says() {
    // 8 cases at 5 % allow no flip, 40 allow two.
    let gates = Gates::resolve(&[], true, &[], false);
    let kind = |pairs, flips| {
        gate::judge_flips(
            Counts {
                pairs,
                flips,
                ..Counts::default()
            },
            0.05,
            gates.strict,
            gates.alpha,
        )
        .kind
    };
    for entry in group("point_rule_error") {
        let cases = entry["inputs"]["cases"].as_u64().unwrap();
        let most = entry["expected"]["max_flips_that_pass"].as_u64().unwrap();
        assert_eq!(kind(cases, most), Kind::Stable);
        assert_eq!(kind(cases, most + 1), Kind::Sensitive);
    }
}
