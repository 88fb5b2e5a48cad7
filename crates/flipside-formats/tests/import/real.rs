//! The real answers of sys1-eval against what a separate script found in them (`expected.json`).

use std::collections::BTreeMap;

use flipside_core::case::Case;
use flipside_core::order::{OptionId, Order};
use flipside_core::record::Outcome;
use flipside_core::recorded::{Decision, Missing, Standing};
use flipside_formats::import::{Recording, Supplements};
use serde_json::Value;

use super::{Folder, cases, chosen, key, read, sys1_eval};

/// Where the chosen option stood, of how many, and whether it is right.
type Place = (usize, usize, Option<bool>);

fn expected() -> Value {
    let text = fs_err::read_to_string(sys1_eval("expected.json")).expect("the file is there");
    serde_json::from_str(&text).expect("the file is JSON")
}

fn with_cases(name: &str, of: &str) -> Recording {
    let supplements = Supplements {
        cases: cases(&sys1_eval(of)),
        ..Supplements::default()
    };
    read(&sys1_eval(name), &supplements)
}

fn by_id(recording: &Recording) -> BTreeMap<&str, &Decision> {
    let decisions = recording.decisions.iter();
    decisions
        .map(|decision| (decision.case.id.0.as_str(), decision))
        .collect()
}

/// The ids whose chosen key differs between two recordings.
fn flipped(first: &Recording, second: &Recording) -> Vec<String> {
    let second = by_id(second);
    let differs = |(id, decision): (&&str, &&Decision)| {
        let other = second.get(id)?;
        let (one, other) = (chosen(decision)?, chosen(other)?);
        (one != other).then(|| (*id).to_owned())
    };
    by_id(first).iter().filter_map(differs).collect()
}

fn texts(value: &Value) -> Vec<String> {
    let items = value.as_array().expect("an array").iter();
    items
        .map(|item| item.as_str().expect("a text").to_owned())
        .collect()
}

#[test]
fn results_without_cases_tell_flips_and_no_order() {
    let none = Supplements::default();
    let [first, second] =
        ["laya.jsonl", "laya-flip.jsonl"].map(|name| read(&sys1_eval(name), &none));
    assert_eq!(
        (first.format.as_str(), first.about.model.as_str()),
        ("sys1-eval-results", "english, multilingual")
    );
    assert_eq!(first.about.served, ["english", "multilingual"]);
    assert_eq!((first.decisions.len(), second.decisions.len()), (60, 60));
    assert_eq!(
        (
            first.about.recorded,
            first.about.failed,
            first.about.complete
        ),
        (60, 0, true)
    );
    assert_eq!(
        flipped(&first, &second),
        texts(&expected()["laya_pilot"]["ALL"]["flipped_ids"])
    );
    for decision in first.decisions.iter().chain(&second.decisions) {
        assert!(decision.case.brought.unlisted, "{}", decision.case.id);
        let keys = decision.case.options.iter().map(|option| &option.key);
        assert!(keys.is_sorted(), "byte order, since no order is on record");
        assert_eq!(decision.missing, [Missing::Request, Missing::Order]);
        assert_eq!(decision.standing(), Standing::Compare);
    }
    // The two questions of track A in the original, of which the reversed request kept one.
    let route = by_id(&first)["c077"];
    assert_eq!(route.case.question.name, "route");
    assert_eq!(route.case.question.after.len(), 1);
    assert_eq!(route.case.question.after[0].0, "difficulty");
    assert!(by_id(&second)["c077"].case.question.after.is_empty());
    for (name, value) in [
        ("track", "A_model_router"),
        ("dataset", "RouterBench/hellaswag"),
        ("lang", "en"),
        ("backend", "english"),
        ("question", "route"),
    ] {
        assert_eq!(route.case.field(name), Some(value), "{name}");
    }
}

#[test]
fn results_with_their_cases_are_in_the_order_that_was_offered() {
    let first = with_cases("laya.jsonl", "cases.jsonl");
    let second = with_cases("laya-flip.jsonl", "cases-flip.jsonl");
    let tool = |recording: &Recording| {
        let of = |decision: &&Decision| decision.case.field("track") == Some("B_tool_selection");
        recording
            .decisions
            .iter()
            .filter(of)
            .cloned()
            .collect::<Vec<_>>()
    };
    let (own, reversed) = (tool(&first), tool(&second));
    assert_eq!((own.len(), reversed.len()), (25, 25));
    let figures = expected();
    for (decisions, order) in [(&own, "original"), (&reversed, "reversed")] {
        let figures = &figures["position"]["laya_B"][order];
        let place = |decision: &Decision| match &decision.outcome {
            Some(Outcome::Answered(answer)) => answer.choice.expect("a choice").index(),
            other => panic!("{other:?}"),
        };
        let count =
            |wanted: &dyn Fn(&Decision) -> bool| decisions.iter().filter(|one| wanted(one)).count();
        assert_eq!(
            Value::from(count(&|one| place(one) == 0)),
            figures["first_listed"]
        );
        let last = count(&|one| place(one) + 1 == one.case.options.len());
        assert_eq!(Value::from(last), figures["last_listed"]);
        let right = count(&|one| {
            one.case
                .accepts(OptionId(u16::try_from(place(one)).unwrap()))
                == Some(true)
        });
        assert_eq!(Value::from(right), figures["correct"]);
    }
    for (one, other) in own.iter().zip(&reversed) {
        assert_eq!(one.standing(), Standing::Reask);
        let keys = |case: &Case| {
            case.options
                .iter()
                .map(|option| option.key.clone())
                .collect::<Vec<_>>()
        };
        let mut back = keys(&other.case);
        back.reverse();
        assert_eq!(keys(&one.case), back);
        assert_eq!(one.case.accept.len(), 1);
    }
    // Rows of which the case file has no case keep what their answers have.
    let caseless = first
        .decisions
        .iter()
        .filter(|one| one.missing.contains(&Missing::Request));
    assert_eq!(caseless.count(), 60 - 28);
}

#[test]
fn results_in_another_order_than_the_cases_are_joined_by_id() {
    let first = with_cases("jev.jsonl", "cases.jsonl");
    let second = with_cases("jev-flip.jsonl", "cases-flip.jsonl");
    assert_eq!(first.about.model, "jev-1.13.0");
    assert_eq!(flipped(&first, &second), Vec::<String>::new());
    let right = |recording: &Recording| {
        let right = |one: &&Decision| match &one.outcome {
            Some(Outcome::Answered(answer)) => {
                one.case.accepts(answer.choice.unwrap()) == Some(true)
            }
            _ => false,
        };
        recording.decisions.iter().filter(right).count()
    };
    let figures = &expected()["position"]["jev_B"];
    assert_eq!(Value::from(right(&first)), figures["original"]["correct"]);
    assert_eq!(Value::from(right(&second)), figures["reversed"]["correct"]);
    // The three cases that were never put to this model.
    let absent: Vec<&str> = (first.decisions.iter())
        .filter(|one| one.outcome.is_none())
        .map(|one| one.case.id.0.as_str())
        .collect();
    assert_eq!(absent, ["c068", "c069", "c070"]);
    assert!(!first.about.complete);
    let usage = by_id(&first)["c001"].outcome.as_ref().unwrap();
    let Outcome::Answered(answer) = usage else {
        panic!("{usage:?}")
    };
    assert_eq!(
        (answer.usage.input_tokens, answer.usage.output_tokens),
        (Some(623), Some(67))
    );
    assert_eq!(answer.served_model.as_deref(), Some("jev-1.13.0"));
}

#[test]
fn the_order_in_an_answer_is_not_the_order_that_was_offered() {
    let same = |name: &str, of: &str| {
        let cases = cases(&sys1_eval(of));
        let text = fs_err::read_to_string(sys1_eval(name)).unwrap();
        let mut same = 0;
        let mut all = 0;
        for row in text.lines() {
            let row = flipside_formats::json::parse(row).unwrap();
            let row = row.as_object().unwrap();
            let id = row.get("id").unwrap().as_str().unwrap();
            let Some(case) = cases.iter().find(|case| case.id.0 == id) else {
                continue;
            };
            let answer = row
                .get("answers")
                .unwrap()
                .as_object()
                .unwrap()
                .get(&case.question.name);
            let given = answer
                .unwrap()
                .as_object()
                .unwrap()
                .get("probabilities")
                .unwrap();
            let given = given
                .as_object()
                .unwrap()
                .members()
                .iter()
                .map(|(key, _)| key.as_str());
            all += 1;
            same += usize::from(given.eq(case.options.iter().map(|option| option.key.0.as_str())));
        }
        (same, all)
    };
    assert_eq!(same("laya.jsonl", "cases.jsonl"), (28, 28));
    assert_eq!(same("laya-flip.jsonl", "cases-flip.jsonl"), (28, 28));
    assert_eq!(same("jev.jsonl", "cases.jsonl"), (4, 25));
    assert_eq!(same("jev-flip.jsonl", "cases-flip.jsonl"), (4, 25));
    // So no result without its case has an order, whatever its answer looks like.
    let read = read(&sys1_eval("jev.jsonl"), &Supplements::default());
    assert!(read.decisions.iter().all(|one| one.case.brought.unlisted));
}

#[test]
fn cases_that_list_the_options_give_results_their_order_and_no_request() {
    let supplements = Supplements {
        options_from: cases(&sys1_eval("cases-flip.jsonl")),
        ..Supplements::default()
    };
    let listed = read(&sys1_eval("jev-flip.jsonl"), &supplements);
    let whole = with_cases("jev-flip.jsonl", "cases-flip.jsonl");
    let whole = by_id(&whole);
    for decision in &listed.decisions {
        let known = whole[decision.case.id.0.as_str()];
        assert!(!decision.case.brought.unlisted);
        assert_eq!(decision.missing, [Missing::Request]);
        assert_eq!(decision.case.options, known.case.options);
        assert_eq!(decision.outcome, known.outcome);
    }
}

#[test]
fn the_table_of_orders_comes_to_the_published_figures() {
    let table = read(&sys1_eval("order-table.csv"), &Supplements::default());
    assert_eq!(table.format, "answer-table");
    assert_eq!(table.about.model, "jev, laya");
    // 970 rows, two of each decision.
    assert_eq!((table.decisions.len(), table.about.recorded), (485, 970));
    let figures = expected();
    for (name, system, track) in [
        ("laya_A", "laya", "A"),
        ("laya_B", "laya", "B"),
        ("laya_F", "laya", "F"),
        ("laya_A400", "laya", "A400"),
        ("jev_B", "jev", "B"),
    ] {
        let of = |one: &&Decision| {
            one.case.field("system") == Some(system) && one.case.field("track") == Some(track)
        };
        let decisions: Vec<&Decision> = table.decisions.iter().filter(of).collect();
        for (order, figure) in ["original", "reversed"].into_iter().zip([false, true]) {
            let places: Vec<Place> = (decisions.iter())
                .map(|one| {
                    let n = one.case.options.len();
                    let (shown, outcome) = if figure {
                        let ask = &one.others[0];
                        (ask.order.clone(), &ask.outcome)
                    } else {
                        (Order::own(n), one.outcome.as_ref().unwrap())
                    };
                    let Outcome::Answered(answer) = outcome else {
                        panic!("{outcome:?}")
                    };
                    let id = answer.choice.unwrap();
                    (
                        shown.position_of(id).unwrap().index(),
                        n,
                        one.case.accepts(id),
                    )
                })
                .collect();
            let figures = &figures["position"][name][order];
            let count = |wanted: &dyn Fn(&Place) -> bool| {
                Value::from(places.iter().filter(|one| wanted(one)).count())
            };
            assert_eq!(count(&|_| true), figures["n"], "{name} {order}");
            assert_eq!(
                count(&|one| one.0 == 0),
                figures["first_listed"],
                "{name} {order}"
            );
            assert_eq!(
                count(&|one| one.0 + 1 == one.1),
                figures["last_listed"],
                "{name} {order}"
            );
            assert_eq!(
                count(&|one| one.2 == Some(true)),
                figures["correct"],
                "{name} {order}"
            );
            assert_eq!(
                count(&|one| one.2.is_some()),
                figures["gold_known"],
                "{name} {order}"
            );
        }
    }
    let both = by_id(&table);
    let laya = both["laya/c001"];
    assert_eq!(laya.case.field("backend"), Some("laya"));
    assert_eq!(
        chosen(laya),
        Some("4"),
        "options are called by their numbers"
    );
    assert_eq!(laya.standing(), Standing::Compare);
    let pilot: Vec<&str> = (table.decisions.iter())
        .filter(|one| {
            one.case.field("system") == Some("laya") && one.case.field("track") != Some("A400")
        })
        .filter(|one| chosen(one) != key(one, &one.others[0].outcome))
        .map(|one| one.case.id.0.strip_prefix("laya/").unwrap())
        .collect();
    let mut pilot: Vec<String> = pilot.into_iter().map(str::to_owned).collect();
    pilot.sort_unstable();
    assert_eq!(pilot, texts(&figures["laya_pilot"]["ALL"]["flipped_ids"]));
}

#[test]
fn the_table_of_orders_has_names_where_a_case_gives_them() {
    let supplements = Supplements {
        cases: cases(&sys1_eval("cases.jsonl")),
        ..Supplements::default()
    };
    let table = read(&sys1_eval("order-table.csv"), &supplements);
    let decisions = by_id(&table);
    let named = decisions["jev/c001"];
    assert_eq!(chosen(named), Some("reschedule_event"));
    assert_eq!(named.standing(), Standing::Reask);
    assert_eq!(
        chosen(decisions["laya/c076"]),
        Some("1"),
        "there is no such case"
    );
}

#[test]
fn the_wide_table_comes_to_the_published_figures() {
    let folder = Folder::new();
    let listed = folder.write(
        "route.jsonl",
        r#"{"state":"s","options":{"cheap":"a small model","strong":"a large model"},"rules":"r"}"#,
    );
    let supplements = Supplements {
        options_from: cases(&listed),
        ..Supplements::default()
    };
    let table = read(&sys1_eval("laya-router-400.csv"), &supplements);
    let figures = &expected()["laya_router_400"];
    assert_eq!(
        (
            table.decisions.len(),
            table.about.recorded,
            table.about.failed
        ),
        (400, 800, 0)
    );
    let mut counts = BTreeMap::new();
    let mut count = |what: &'static str| *counts.entry(what).or_insert(0) += 1;
    let (mut shift, mut largest) = (0.0, 0.0_f64);
    for one in &table.decisions {
        assert!(!one.case.brought.unlisted);
        assert_eq!(one.missing, [Missing::Request]);
        let answer = |outcome: &Outcome| match outcome {
            Outcome::Answered(answer) => answer.clone(),
            Outcome::Failed(failed) => panic!("{failed:?}"),
        };
        let (own, other) = (
            answer(one.outcome.as_ref().unwrap()),
            answer(&one.others[0].outcome),
        );
        let (before, after) = (
            chosen(one).unwrap(),
            key(one, &one.others[0].outcome).unwrap(),
        );
        if before == "cheap" {
            count("cheap_original");
        }
        if after == "cheap" {
            count("cheap_reversed");
        }
        match (before, after) {
            ("strong", "cheap") => count("strong_to_cheap"),
            ("cheap", "strong") => count("cheap_to_strong"),
            _ => {}
        }
        if one.case.accepts(own.choice.unwrap()) == Some(true) {
            count("correct_original");
        }
        if one.case.accepts(other.choice.unwrap()) == Some(true) {
            count("correct_reversed");
        }
        assert_eq!(one.others[0].variant.to_string(), "order/reverse");
        let [before, after] = [own, other].map(|answer| answer.probabilities.unwrap());
        assert!((before[0] + before[1] - 1.0).abs() < 1e-12);
        shift += (after[0] - before[0]) / 400.0;
        largest = largest.max((after[0] - before[0]).abs());
    }
    for (name, found) in counts {
        assert_eq!(Value::from(found), figures[name], "{name}");
    }
    assert!(
        (shift - figures["mean_dp_cheap"].as_f64().unwrap()).abs() < 5e-7,
        "{shift}"
    );
    assert!(
        (largest - figures["max_abs_dp"].as_f64().unwrap()).abs() < 1e-9,
        "{largest}"
    );
}

#[test]
fn the_wide_table_alone_does_not_say_which_option_stood_first() {
    let table = read(&sys1_eval("laya-router-400.csv"), &Supplements::default());
    for one in &table.decisions {
        assert!(one.case.brought.unlisted);
        assert_eq!(one.missing, [Missing::Request, Missing::Order]);
    }
    let flips = table
        .decisions
        .iter()
        .filter(|one| chosen(one) != key(one, &one.others[0].outcome));
    assert_eq!(
        Value::from(flips.count()),
        expected()["laya_router_400"]["flips"]
    );
}

#[test]
fn cases_of_sys1_eval_are_read_like_any_other() {
    let original = cases(&sys1_eval("cases.jsonl"));
    assert_eq!(original.len(), 28);
    let first = &original[0];
    assert_eq!(
        (first.id.0.as_str(), &*first.source.format),
        ("c001", "sys1-eval")
    );
    assert_eq!(first.question.name, "tool");
    assert_eq!(
        first.options[usize::from(first.accept[0].0)].key.0,
        "reschedule_event"
    );
    assert_eq!(first.note.as_deref(), Some("correct option is #4 of 5"));
    assert_eq!(first.field("difficulty"), Some("clear"));
    let set = flipside_formats::read::read_cases(
        &[flipside_formats::read::Input::Path(sys1_eval(
            "cases.jsonl",
        ))],
        &flipside_formats::read::ReadOptions::default(),
    )
    .unwrap();
    let collapsed: Vec<String> = (set.warnings.iter())
        .map(ToString::to_string)
        .filter(|warning| warning.contains("counts"))
        .collect();
    // 13 of the 25 cases of track B, formats page 12.11.
    assert_eq!(collapsed.len(), 1);
    assert!(
        collapsed[0].contains(
            "cases.jsonl:7 and 12 more cases: the case counts 10 options and lists 9; options of one key were made one before \
             they were written"
        ),
        "{collapsed:?}"
    );
}
