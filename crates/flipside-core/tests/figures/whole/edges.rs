//! Inputs at the edge of what can be measured: the table of section 17 of the statistics page, row by row, with the outcomes of
//! asks and pairs of section 2.

use flipside_core::answer::noul;
use flipside_core::case::{Case, CaseError, QuestionKind};
use flipside_core::gate::{Gates, Subject};
use flipside_core::order::OptionId;
use flipside_core::perturb::order::OrderSpec;
use flipside_core::plan::{PlanError, VacuousReason, distinct};
use flipside_core::present::Presentation;
use flipside_core::stats::agreement::{case_agreement, fleiss};
use flipside_core::stats::drift::{Headroom, drift};
use flipside_core::stats::position::recall;
use flipside_core::stats::prior::{geometric_mean, position_prior};
use flipside_core::summary::{GateLine, Summary, Verdict};

use super::given::{
    case, cases, chose, declined, failed, first, interrupted, labelled, line, number, plan,
    refused, replied, served, summary,
};

const THREE: [&str; 3] = ["a", "b", "c"];

fn gate(summary: &Summary, subject: &Subject) -> GateLine {
    let named = |gate: &&GateLine| gate.subject == subject.name();
    summary.gates.iter().find(named).unwrap().clone()
}

fn rate(flips: u32, pairs: u32) -> f64 {
    f64::from(flips) / f64::from(pairs)
}

#[test]
fn no_case_is_an_input_error_before_any_plan() {
    assert_eq!(distinct(Vec::new()).unwrap_err(), [PlanError::NoCase]);
}

#[test]
fn one_option_everywhere_leaves_order_not_applicable_and_the_control_runs() {
    let given = cases(4, &["only"]);
    let result = summary(given, "reverse,rotate:1,random:1,same:1", false, &|_, _| {
        chose(0)
    });
    for (name, line) in &result.axes["order"] {
        assert_eq!(line.figure.verdict, Verdict::NotApplicable, "{name}");
        assert_eq!((line.figure.pairs, line.figure.vacuous), (0, 4), "{name}");
        assert_eq!(line.vacuous_reasons[&VacuousReason::OneOption], 4);
        let numbers = (line.figure.rate, line.figure.interval, line.figure.upper);
        assert_eq!(numbers, (None, None, None), "{name}");
    }
    let control = result.control.as_ref().unwrap();
    assert_eq!((control.figure.pairs, control.figure.flips), (4, Some(0)));
    // A gate with nothing to measure does not hold.
    let order = gate(
        &result,
        &Subject::Axis(flipside_core::perturb::Axis::Order, None),
    );
    assert_eq!((order.verdict, order.held), (Verdict::NotApplicable, false));
    assert_eq!(result.exit, 1);
}

#[test]
fn two_options_have_one_other_order_that_is_asked_once() {
    let plan = plan(
        cases(3, &["a", "b"]),
        "reverse,rotate:1,shuffle:1,random:4,all",
    );
    assert_eq!(
        plan.requests(),
        6,
        "each case in its own and in the other order"
    );
    let result = summary(
        cases(3, &["a", "b"]),
        "reverse,rotate:1,shuffle:1,random:4,all",
        false,
        &|shown, _| first(shown),
    );
    let names: Vec<&str> = result.axes["order"].keys().map(String::as_str).collect();
    assert_eq!(
        names,
        ["reverse", "rotate:1", "shuffle:1", "random:1", "all:1"]
    );
    for line in result.axes["order"].values() {
        assert_eq!((line.figure.pairs, line.figure.flips), (3, Some(3)));
    }
}

#[test]
fn vacuous_pairs_stand_out_of_the_denominator_and_are_counted() {
    let mut given = cases(3, &THREE);
    given.push(case(3, &["only"]));
    // The half turn of two options is their own order.
    given.push(case(4, &["a", "b"]));
    let depends = "none of the above".to_owned();
    given.push(Case {
        position_dependent: Some(depends),
        ..case(5, &THREE)
    });
    let mut fixed = case(6, &THREE);
    fixed.brought.fixed_order = true;
    given.push(fixed);
    let result = summary(given, "rotate:2", false, &|shown, _| first(shown));
    let line = line(&result, "rotate:2");
    assert_eq!((line.figure.pairs, line.figure.flips), (3, Some(3)));
    assert_eq!((line.figure.applicable, line.figure.vacuous), (3, 4));
    let reasons: Vec<_> = line.vacuous_reasons.iter().map(|(a, b)| (*a, *b)).collect();
    assert_eq!(
        reasons,
        [
            (VacuousReason::OneOption, 1),
            (VacuousReason::OwnOrder, 1),
            (VacuousReason::FixedOrder, 1),
            (VacuousReason::PositionDependent, 1)
        ]
    );
}

#[test]
fn a_shuffle_never_draws_the_own_order() {
    for keys in [&["a", "b"][..], &THREE] {
        let plan = plan(cases(200, keys), "shuffle:1");
        assert!(plan.vacuous.is_empty());
        let own = plan.asks.iter().filter(|ask| ask.order.is_own()).count();
        assert_eq!(own, 200, "the baselines and nothing else");
    }
}

#[test]
fn a_derived_tie_goes_to_the_identity_and_never_makes_a_flip() {
    let tied = [("a", 0.4), ("b", 0.4), ("c", 0.2)];
    let result = summary(cases(6, &THREE), "all", false, &|shown, _| {
        replied(shown, None, &tied)
    });
    for (name, line) in &result.axes["order"] {
        assert_eq!(
            (line.figure.pairs, line.figure.flips),
            (6, Some(0)),
            "{name}"
        );
    }
    assert_eq!(result.counts.tied, result.counts.asks);
}

#[test]
fn a_stated_choice_stands_where_the_probabilities_tie_and_its_flip_is_a_tie_flip() {
    let tied = [("a", 0.4), ("b", 0.4), ("c", 0.2)];
    let result = summary(cases(6, &THREE), "reverse", false, &|shown, variant| {
        let key = if variant == "reverse" { "b" } else { "a" };
        replied(shown, Some(key), &tied)
    });
    let figure = &line(&result, "reverse").figure;
    assert_eq!(
        (figure.flips, figure.firm_flips, figure.tie_flips),
        (Some(6), Some(0), Some(6))
    );
}

#[test]
fn two_decimal_probabilities_tie_as_reported_and_keep_their_step() {
    let result = summary(cases(1, &THREE), "reverse", false, &|shown, variant| {
        // Sums to 0.99, as live replies do.
        let probabilities = if variant == "reverse" {
            [("a", 0.33), ("b", 0.34), ("c", 0.32)]
        } else {
            [("a", 0.33), ("b", 0.33), ("c", 0.33)]
        };
        replied(shown, None, &probabilities)
    });
    let figure = &line(&result, "reverse").figure;
    assert_eq!((figure.flips, figure.tie_flips), (Some(1), Some(1)));
    let asks = &result.cases[0].asks;
    assert_eq!((asks[0].tied, asks[0].choice), (true, Some(OptionId(0))));
    assert_eq!((asks[1].tied, asks[1].choice), (false, Some(OptionId(1))));
    // Kept as received.
    assert_eq!(
        asks[0].probabilities.as_deref(),
        Some(&[0.33, 0.33, 0.33][..])
    );
}

#[test]
fn a_noul_within_the_rounding_of_one_half_is_tied_and_yes_from_one_half_on() {
    let mut given = case(0, &["true", "false"]);
    given.question.kind = QuestionKind::Noul;
    let own = flipside_core::order::Order::own(2);
    let shown = Presentation::new(&given, &own);
    let of = |p: f64| {
        let answer = noul(&shown, p, None).unwrap();
        (answer.choice.unwrap().0, answer.tied)
    };
    assert_eq!(of(0.5), (0, true));
    assert_eq!(of(0.51), (0, false));
    assert_eq!(of(0.49), (1, false));
    assert_eq!(
        of(0.5004),
        (0, false),
        "four decimals are given, so four count"
    );
    assert_eq!(of(0.499_999_9), (1, true), "float noise");
    assert!(noul(&shown, 1.2, None).is_err());
}

#[test]
fn missing_pairs_are_bounds_and_never_flips_or_their_absence() {
    // The last row but one of section 2.3: 90 same, 3 flips, 1 to no decision, 2 without any, 4 missing, 5 vacuous.
    let mut given = cases(100, &THREE);
    given.extend((100..105).map(|place| case(place, &["only"])));
    let result = summary(given, "reverse", true, &|shown, variant| {
        let changed = variant == "reverse";
        match number(shown) {
            0..3 => chose(u16::from(changed)),
            3 if changed => declined(),
            4..6 => declined(),
            6..8 if changed => failed(),
            8..10 if !changed => failed(),
            _ => chose(0),
        }
    });
    let line = line(&result, "reverse");
    let figure = &line.figure;
    assert_eq!(
        (figure.pairs, figure.flips, figure.rate),
        (94, Some(4), Some(rate(4, 94)))
    );
    assert_eq!(
        (figure.missing, figure.no_decision, figure.vacuous),
        (4, 2, 5)
    );
    assert_eq!(line.no_decision_flips, 1);
    assert_eq!(line.rate_if_missing_same, Some(rate(4, 98)));
    assert_eq!(line.rate_if_missing_flipped, Some(rate(8, 98)));
    // Worst case both ways, in general: upper(8, 98) and lower(4, 98).
    assert_eq!(figure.verdict, Verdict::Inconclusive);
    assert_eq!(line.more_pairs, None, "ask the missing again first");
}

#[test]
fn nothing_answered_is_open_and_between_zero_and_all() {
    for strict in [false, true] {
        let result = summary(cases(40, &THREE), "reverse", strict, &|_, _| failed());
        let line = line(&result, "reverse");
        let figure = &line.figure;
        assert_eq!((figure.pairs, figure.missing, figure.rate), (0, 40, None));
        assert_eq!(
            (figure.interval, figure.lower, figure.upper),
            (None, Some(0.0), Some(1.0))
        );
        assert_eq!(line.rate_if_missing_same, Some(0.0));
        assert_eq!(line.rate_if_missing_flipped, Some(1.0));
        let expected = if strict {
            Verdict::Inconclusive
        } else {
            Verdict::Undecided
        };
        assert_eq!(figure.verdict, expected);
        assert_eq!((result.counts.failed, result.exit), (80, 1));
        assert_eq!(result.order_averaged_accuracy, None);
    }
}

#[test]
fn refusals_are_answers_and_many_of_them_withhold_stable() {
    // 6 of 100 refuse both orders, 1 of 99 only the other one.
    let refusing = |both: usize, one: usize| {
        summary(
            cases(100, &THREE),
            "reverse",
            false,
            &move |shown, variant| {
                let place = number(shown);
                if place < both || (place < both + one && variant == "reverse") {
                    declined()
                } else {
                    chose(0)
                }
            },
        )
    };
    let result = refusing(6, 0);
    let figure = &line(&result, "reverse").figure;
    assert_eq!(
        (figure.pairs, figure.no_decision, figure.flips),
        (94, 6, Some(0))
    );
    assert_eq!(figure.verdict, Verdict::Undecided);
    let result = refusing(5, 1);
    let reverse = line(&result, "reverse");
    assert_eq!((reverse.figure.pairs, reverse.figure.flips), (95, Some(1)));
    assert_eq!(reverse.no_decision_flips, 1);
    assert_eq!(reverse.figure.verdict, Verdict::Stable);
    assert_eq!(result.counts.no_decision, 11);
    // A model that always refuses never flips, and is not stable for it.
    let result = refusing(100, 0);
    let figure = &line(&result, "reverse").figure;
    assert_eq!((figure.pairs, figure.rate), (0, None));
    assert_eq!(figure.verdict, Verdict::NotMeasured);
}

#[test]
fn duplicates_collapse_and_repeated_keys_are_input_errors() {
    let twice = Case {
        id: case(9, &THREE).id,
        ..case(0, &THREE)
    };
    let plan = plan(vec![case(0, &THREE), twice], "reverse");
    assert_eq!(
        (plan.cases.len(), plan.duplicates.len(), plan.asks.len()),
        (1, 1, 2)
    );
    let key = "a".to_owned();
    assert_eq!(refused(&["a", "b", "a"]), CaseError::RepeatedKey { key });
    assert_eq!(refused(&[]), CaseError::NoOption);
    // The same question with other accepted options is a contradiction and no duplicate.
    let other = Case {
        id: case(9, &THREE).id,
        ..labelled(0, &THREE, &[1])
    };
    let errors = distinct(vec![labelled(0, &THREE, &[0]), other]).unwrap_err();
    assert!(
        matches!(errors[..], [PlanError::Contradiction { .. }]),
        "{errors:?}"
    );
}

#[test]
fn nothing_accepted_leaves_fit_and_accuracy_null_and_flips_as_usual() {
    let result = summary(cases(12, &THREE), "reverse,same:1", false, &|shown, _| {
        first(shown)
    });
    let fit = &result.fit;
    assert_eq!(
        (fit.figure.verdict.clone(), fit.figure.rate),
        (Verdict::NotMeasured, None)
    );
    assert_eq!((&fit.position_baseline, &fit.key_baseline), (&None, &None));
    assert_eq!(result.order_averaged_accuracy, None);
    let reverse = line(&result, "reverse");
    assert_eq!(reverse.accuracy, None);
    assert_eq!(
        (reverse.figure.flips, reverse.figure.rate),
        (Some(12), Some(1.0))
    );
    assert_eq!(reverse.figure.verdict, Verdict::OrderSensitive);
    // No answers to tell apart by position either.
    assert!(recall(&[vec![0, 0], vec![0, 0]]).is_err());
    assert_eq!(
        recall(&[vec![3, 1], vec![0, 0]]).unwrap().rstd,
        None,
        "one position is used"
    );
}

#[test]
fn one_hot_replies_have_no_log_measure_and_no_geometric_mean() {
    let one_hot = |key: &'static str| THREE.map(|other| (other, f64::from(u8::from(other == key))));
    let result = summary(cases(4, &THREE), "reverse", false, &|shown, variant| {
        let key = if variant == "reverse" { "b" } else { "a" };
        replied(shown, Some(key), &one_hot(key))
    });
    let figure = &line(&result, "reverse").figure;
    assert_eq!((figure.flips, figure.firm_flips), (Some(4), Some(4)));
    assert_eq!(result.counts.tied, 0);
    let (own, other) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    let between = drift(&own, &other).unwrap();
    assert_eq!(
        (between.log_odds, between.centred, between.zeros),
        (None, None, 3)
    );
    assert_eq!(between.headroom, Headroom::Undefined);
    assert!((between.total_variation - 1.0).abs() < 1e-15);
    assert_eq!(geometric_mean(&[own.to_vec(), other.to_vec()]), Ok(None));
    assert_eq!(position_prior(&[own.to_vec(), other.to_vec()]), Ok(None));
}

#[test]
fn picks_without_probabilities_count_flips_and_have_no_probabilities() {
    let result = summary(cases(4, &THREE), "reverse", false, &|shown, _| first(shown));
    assert_eq!(line(&result, "reverse").figure.flips, Some(4));
    let mut asks = result.cases.iter().flat_map(|case| &case.asks);
    assert!(asks.all(|ask| ask.probabilities.is_none() && !ask.tied));
}

#[test]
fn a_constant_answer_is_a_real_zero_with_its_baselines_and_without_kappa() {
    let given = (0..20).map(|place| labelled(place, &THREE, &[0])).collect();
    let result = summary(given, "reverse", false, &|_, _| chose(0));
    let reverse = line(&result, "reverse");
    assert_eq!(
        (reverse.figure.flips, reverse.figure.rate),
        (Some(0), Some(0.0))
    );
    assert_eq!(
        reverse.figure.interval.unwrap()[0].to_bits(),
        0.0_f64.to_bits()
    );
    let key = result.fit.key_baseline.as_ref().unwrap();
    assert_eq!((key.key.as_str(), key.right, key.of), ("a", 20, 20));
    let position = result.fit.position_baseline.as_ref().unwrap();
    assert_eq!((position.position, position.right), (Some(0), 20));
    assert!(!result.fit.informative);
    assert_eq!(fleiss(&[vec![2, 0, 0], vec![2, 0, 0]]).unwrap().value, None);
}

#[test]
fn cases_asked_in_fewer_orders_weigh_alike_and_one_answer_has_no_disagreement() {
    // Two, three and one option: one, five and no other order. The first option is accepted.
    let given = vec![
        labelled(0, &["a", "b"], &[0]),
        labelled(1, &THREE, &[0]),
        labelled(2, &["only"], &[0]),
    ];
    let result = summary(given, "all", false, &|shown, _| first(shown));
    // Shares of accepted answers: 1 of 2, 2 of 6, 1 of 1.
    let mean = result.order_averaged_accuracy.unwrap();
    let expected = (1.0 / 2.0 + 2.0 / 6.0 + 1.0) / 3.0;
    assert!((mean.value - expected).abs() < 1e-15, "{mean:?}");
    assert_eq!((mean.cases, mean.asks), (3, 9));
    assert_eq!(case_agreement(&[1, 0, 0]).unwrap().disagreement, None);
    assert!(case_agreement(&[0, 0]).is_err());
}

#[test]
fn mixed_numbers_of_options_share_a_line_and_have_no_one_position() {
    let keys = ["a", "b", "c", "d", "e"];
    let given: Vec<Case> = (2..=5)
        .map(|options| labelled(options, &keys[..options], &[0]))
        .collect();
    let result = summary(given, "reverse,rotate:1", false, &|shown, _| first(shown));
    for variant in ["reverse", "rotate:1"] {
        let line = line(&result, variant);
        assert_eq!(
            (line.figure.pairs, line.figure.flips),
            (4, Some(4)),
            "{variant}"
        );
        assert_eq!(line.position_following, 4, "{variant}");
    }
    let position = result.fit.position_baseline.unwrap();
    assert_eq!(
        (position.right, position.of, position.position),
        (4, 4, None)
    );
    // Reversing three or five options leaves the middle in place; the first moves in all.
    assert_eq!(
        line(
            &summary(cases(1, &THREE), "reverse", false, &|_, _| chose(1)),
            "reverse"
        )
        .moved,
        0
    );
}

#[test]
fn pairs_across_a_change_of_the_served_model_are_missing() {
    let result = summary(cases(20, &THREE), "reverse", false, &|shown, variant| {
        let late = number(shown) >= 15;
        let model = if late && variant == "reverse" {
            "v2"
        } else {
            "v1"
        };
        served(u16::from(late && variant == "reverse"), Some(model))
    });
    let line = line(&result, "reverse");
    assert_eq!((line.figure.pairs, line.figure.flips), (15, Some(0)));
    assert_eq!((line.figure.missing, line.other_version), (5, 5));
    assert_eq!(line.figure.verdict, Verdict::Undecided);
    assert_eq!(result.model.served, ["v1", "v2"]);
}

#[test]
fn an_ask_that_was_not_made_is_no_failure_and_leaves_the_run_incomplete() {
    let gates = Gates::resolve(&[], true, &[], false);
    let result = interrupted(cases(20, &THREE), "reverse", &gates, &|shown, variant| {
        (variant != "reverse" || number(shown) < 18).then(|| chose(0))
    });
    let figure = &line(&result, "reverse").figure;
    assert_eq!((figure.pairs, figure.missing, figure.unasked), (18, 0, 2));
    assert_eq!(figure.verdict, Verdict::Undecided);
    assert_eq!((result.complete, result.exit), (false, 3));
}

#[test]
fn every_order_but_the_own_one_is_planned_where_fewer_exist_than_were_asked_for() {
    for (keys, orders) in [
        (&["a", "b"][..], 1),
        (&THREE, 5),
        (&["a", "b", "c", "d"], 23),
    ] {
        let plan = plan(vec![case(0, keys)], "random:50");
        assert_eq!(plan.asks.len(), orders + 1);
    }
    assert!(OrderSpec::parse_list("random:51").is_err());
}
