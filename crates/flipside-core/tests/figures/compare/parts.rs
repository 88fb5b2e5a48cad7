//! Cases by name, parts of the cases, and how far the two are apart, worked by hand or by another implementation.

use flipside_core::answer::Answer;
use flipside_core::case::FieldValue;
use flipside_core::compare::{
    AnswerSet, CaseAnswers, Change, Comparison, Refusal, Tested, Wanted, compare,
};
use flipside_core::order::OptionId;
use flipside_core::record::Outcome;
use flipside_core::stats::Method;
use flipside_core::summary::DriftReason;

use super::sets::{
    PLAIN, case, chose, compared, declined, failed, near, own, reversed, set, three,
    with_probabilities,
};

fn change(case: &str, baseline: Option<&str>, variant: Option<&str>, tie: bool) -> Change {
    Change {
        case: case.to_owned(),
        baseline: baseline.map(str::to_owned),
        variant: variant.map(str::to_owned),
        tie,
    }
}

#[test]
fn every_case_whose_answer_differs_is_named_with_both_keys() {
    let tied = Outcome::Answered(Answer {
        choice: Some(OptionId(1)),
        tied: true,
        ..Answer::default()
    });
    let baseline = three(&[
        (Some(0), chose(0), chose(0)),
        (Some(0), chose(1), chose(0)),
        (Some(0), chose(1), chose(0)),
        (None, chose(2), chose(2)),
        (Some(0), chose(0), chose(0)),
        (Some(0), failed(), chose(0)),
        (Some(0), declined(), declined()),
    ]);
    let variant = three(&[
        (Some(0), tied, chose(0)),
        (Some(0), chose(0), chose(0)),
        (Some(0), chose(2), chose(0)),
        (None, chose(0), chose(1)),
        (Some(0), declined(), chose(0)),
        (Some(0), chose(0), chose(0)),
        (Some(0), declined(), chose(0)),
    ]);
    let comparison = compared(&baseline, &variant);
    let found = &comparison.orders["own"].cases;
    let (k0, k1, k2) = (Some("k0"), Some("k1"), Some("k2"));
    assert_eq!(
        found.regressed,
        [
            change("c000", k0, k1, true),
            change("c004", k0, None, false)
        ]
    );
    assert_eq!(found.repaired, [change("c001", k1, k0, false)]);
    let lateral: Vec<&Change> = found.lateral().collect();
    assert_eq!(
        lateral,
        [
            &change("c002", k1, k2, false),
            &change("c003", k2, k0, false)
        ]
    );
    assert_eq!(
        found.changed.len() as u64,
        comparison.orders["own"].answers.share.count
    );
    let reverse = &comparison.orders["reverse"].cases;
    assert_eq!(reverse.repaired, [change("c006", None, k0, false)]);
    assert_eq!(reverse.changed.len(), 2);
}

#[test]
fn a_case_with_other_labels_in_each_is_neither_better_nor_worse() {
    let mut relabelled = three(&[(Some(1), chose(1), chose(1))]);
    let baseline = three(&[(Some(0), chose(0), chose(0))]);
    let found = compared(&baseline, &relabelled).orders["own"].cases.clone();
    assert_eq!((found.regressed.len(), found.repaired.len()), (0, 0));
    assert_eq!(found.changed.len(), 1);
    relabelled.cases[0].case.accept = vec![OptionId(0)].into();
    assert_eq!(
        compared(&baseline, &relabelled).orders["own"]
            .cases
            .regressed
            .len(),
        1
    );
}

fn field(answers: &mut CaseAnswers, name: &str, value: &str) {
    let value = FieldValue::Text(value.to_owned());
    answers.case.fields.push((name.to_owned(), value));
}

/// Ten hard and ten easy cases: `(right, flips)` of each.
fn sides(hard: [(u64, u64); 10], easy: [(u64, u64); 10]) -> AnswerSet {
    let answers = hard.iter().chain(&easy).map(|&(right, flips)| {
        let own = u16::from(right == 0);
        let other = if flips == 1 { 2 } else { own };
        (Some(0), chose(own), chose(other))
    });
    let mut set = three(&answers.collect::<Vec<_>>());
    for (place, answers) in set.cases.iter_mut().enumerate() {
        field(answers, "level", if place < 10 { "hard" } else { "easy" });
    }
    set
}

fn by(baseline: &AnswerSet, variant: &AnswerSet, fields: &[&str]) -> Result<Comparison, Refusal> {
    let fields: Vec<String> = fields.iter().map(|field| (*field).to_owned()).collect();
    let wanted = Wanted {
        by: &fields,
        ..PLAIN
    };
    compare(baseline, variant, &wanted)
}

#[test]
fn each_value_of_a_field_has_its_own_paired_tests_adjusted_together() {
    // Hard: 0 lost and 8 gained of 10, flips 2 less and 1 more. Easy: 3 lost and 1 gained, flips 6 less and none more.
    let hard = |side: usize| {
        std::array::from_fn(|place| {
            let right = if place < 8 { side as u64 } else { 1 };
            let flips = match place {
                0 | 1 => 1 - side as u64,
                2 => side as u64,
                _ => 0,
            };
            (right, flips)
        })
    };
    let easy = |side: usize| {
        std::array::from_fn(|place| {
            let right = match place {
                0..3 => 1 - side as u64,
                3 => side as u64,
                _ => 1,
            };
            (right, if place < 6 { 1 - side as u64 } else { 0 })
        })
    };
    let (baseline, variant) = (sides(hard(0), easy(0)), sides(hard(1), easy(1)));
    let found = by(&baseline, &variant, &["level"]).unwrap().by;
    assert_eq!((found.tests, found.fields.len()), (4, 1));
    let [easy, hard] = &found.fields[0].values[..] else {
        panic!("two values, in byte order");
    };
    assert_eq!((easy.value.as_str(), easy.cases), ("easy", 10));
    assert_eq!((hard.value.as_str(), &hard.variant_value), ("hard", &None));
    assert_eq!((easy.answers.share.count, hard.answers.share.count), (4, 8));
    let flips = |value: &flipside_core::compare::ValueComparison| value.orders["reverse"].flips;
    let told = |tested: Tested| {
        let paired = tested.paired;
        (paired.baseline.count, paired.variant.count, tested.flagged)
    };
    assert_eq!(told(easy.accuracy.unwrap()), (9, 7, false));
    assert_eq!(told(hard.accuracy.unwrap()), (2, 10, true));
    assert_eq!(told(flips(easy)), (6, 0, false));
    assert_eq!(told(flips(hard)), (2, 1, false));
    // Exact tests 0.625, 0.03125, 0.0078125, 1 and their adjustment, by Python's integers.
    let tests = [
        (easy.accuracy.unwrap(), 0.625, 0.833_333_333),
        (flips(easy), 0.031_25, 0.062_5),
        (hard.accuracy.unwrap(), 0.007_812_5, 0.031_25),
        (flips(hard), 1.0, 1.0),
    ];
    for (test, p, adjusted) in tests {
        near(test.paired.mcnemar_p, p);
        near(test.adjusted_p, adjusted);
    }
}

#[test]
fn values_that_differ_between_the_two_are_parts_of_their_own_and_counted() {
    let mut baseline = three(&vec![(Some(0), chose(0), chose(0)); 5]);
    let mut variant = baseline.clone();
    for (place, (first, second)) in baseline
        .cases
        .iter_mut()
        .zip(&mut variant.cases)
        .enumerate()
    {
        field(first, "backend", "one");
        field(second, "backend", "two");
        match place {
            0 => {}
            1 => field(first, "track", "a"),
            2 => field(second, "track", "a"),
            3 => {
                field(first, "track", "a");
                field(second, "track", "b");
            }
            _ => {
                field(first, "track", "b");
                field(second, "track", "b");
            }
        }
    }
    let comparison = by(&baseline, &variant, &["track", "backend", "track"]).unwrap();
    let [track, backend] = &comparison.by.fields[..] else {
        panic!("a field that is asked for twice is one");
    };
    let values = |field: &flipside_core::compare::FieldComparison| -> Vec<(String, u64)> {
        let values = field.values.iter();
        let name = |value: &flipside_core::compare::ValueComparison| match &value.variant_value {
            Some(other) => format!("{} to {other}", value.value),
            None => value.value.clone(),
        };
        values.map(|value| (name(value), value.cases)).collect()
    };
    let owned = |name: &str, cases| (name.to_owned(), cases);
    assert_eq!(
        values(track),
        [owned("a", 2), owned("a to b", 1), owned("b", 1)]
    );
    assert_eq!(track.cases_without, 1);
    assert_eq!(values(backend), [owned("one to two", 5)]);
    // Three cases have another track in each or on one side only; who answered is no difference of the cases.
    assert_eq!(comparison.cases.other_fields, 3);
    let [other] = &comparison.other_fields[..] else {
        panic!("one field differs");
    };
    assert_eq!((other.field.as_str(), other.cases), ("track", 3));
}

#[test]
fn a_field_that_no_common_case_has_is_refused_with_those_that_there_are() {
    let mut baseline = three(&[(Some(0), chose(0), chose(0))]);
    let refusal = by(&baseline, &baseline, &["track"]).unwrap_err();
    assert_eq!(refusal.to_string(), "no common case has the field `track`");
    assert_eq!(refusal.help(), "no common case has any field");
    field(&mut baseline.cases[0], "level", "hard");
    field(&mut baseline.cases[0], "base", "1");
    let refusal = by(&baseline, &baseline, &["track"]).unwrap_err();
    assert_eq!(refusal.help(), "the fields are `base`, `level`");
}

#[test]
fn the_distance_of_the_two_is_that_of_their_answers_to_one_presentation() {
    let at = |p: &[f64]| with_probabilities(p);
    let pairs = [
        ([0.7, 0.2, 0.1], [0.5, 0.3, 0.2]),
        ([0.6, 0.3, 0.1], [0.6, 0.3, 0.1]),
        ([0.2, 0.5, 0.3], [0.1, 0.8, 0.1]),
    ];
    let side = |place: usize| {
        let answers = pairs.iter().map(|pair| {
            let p = if place == 0 { &pair.0 } else { &pair.1 };
            (None, at(p), chose(0))
        });
        three(&answers.collect::<Vec<_>>())
    };
    let orders = compared(&side(0), &side(1)).orders;
    let drift = &orders["own"].drift;
    assert_eq!((drift.pairs, drift.without_probabilities), (3, 0));
    assert_eq!((drift.reason, drift.baseline_step), (None, None));
    // Means, medians, largest and the betting interval of the mean of three values, by Python after the page's formulas.
    let expected = [
        (
            &drift.total_variation,
            0.166_667,
            0.2,
            0.3,
            [0.012_166, 0.837_856],
        ),
        (
            &drift.largest_change,
            0.166_667,
            0.2,
            0.3,
            [0.012_166, 0.837_856],
        ),
        (
            &drift.jensen_shannon_bits,
            0.035_598,
            0.031_597,
            0.075_196,
            [0.002_435, 0.810_612],
        ),
    ];
    for (spread, mean, median, largest, interval) in expected {
        near(spread.mean, mean);
        near(spread.median, median);
        near(spread.largest, largest);
        near(spread.mean_interval.unwrap()[0], interval[0]);
        near(spread.mean_interval.unwrap()[1], interval[1]);
        assert_eq!(spread.mean_method, Some(Method::Betting));
        assert_eq!(spread.worst.as_deref(), Some("c002"));
        let [lower, upper] = spread.median_interval.unwrap();
        near(lower, 0.0);
        near(upper, largest);
    }
    let reverse = &orders["reverse"].drift;
    assert_eq!((reverse.pairs, reverse.without_probabilities), (0, 3));
    assert_eq!(reverse.reason, Some(DriftReason::NoProbabilities));
    assert_eq!(reverse.total_variation.mean, None);
    assert_eq!(reverse.total_variation.median_interval, None);
}

#[test]
fn a_mean_distance_over_many_cases_has_a_bootstrap_interval_of_the_usual_width() {
    // Total variation 0, 0.01, .. 0.39: mean 0.195, standard deviation 0.11543, so 0.195 -+ 1.96 * 0.11543 / sqrt(40).
    let side = |step: f64| {
        let answers = (0..40_u32).map(|number| CaseAnswers {
            case: case(&format!("d{number:02}"), 2, &[]),
            asks: vec![own(2, {
                let p = 0.9 - step * f64::from(number);
                with_probabilities(&[p, 1.0 - p])
            })],
        });
        set(answers.collect())
    };
    let drift = compared(&side(0.0), &side(0.01)).orders["own"]
        .drift
        .clone();
    near(drift.total_variation.mean, 0.195);
    assert_eq!(
        drift.total_variation.mean_method,
        Some(Method::ClusterBootstrap)
    );
    let [lower, upper] = drift.total_variation.mean_interval.unwrap();
    assert!((lower - (0.195 - 0.035_77)).abs() < 0.003, "{lower}");
    assert!((upper - (0.195 + 0.035_77)).abs() < 0.003, "{upper}");
}

#[test]
fn a_side_that_rounds_is_named_with_its_step_and_the_finest_answer_counts() {
    let rounded = |p: [f64; 3], half: f64| {
        let Outcome::Answered(answer) = with_probabilities(&p) else {
            unreachable!("it is answered");
        };
        Outcome::Answered(Answer {
            rounding: half,
            ..answer
        })
    };
    let exact = with_probabilities(&[0.123, 0.456, 0.421]);
    let baseline = three(&[
        (None, rounded([0.5, 0.25, 0.25], 0.005), exact.clone()),
        (None, rounded([0.12, 0.46, 0.42], 0.005), exact.clone()),
    ]);
    let variant = three(&[
        (None, rounded([0.5, 0.25, 0.25], 0.005), exact.clone()),
        (None, rounded([0.123, 0.456, 0.421], 0.0005), exact),
    ]);
    let orders = compared(&baseline, &variant).orders;
    let steps = |order: &str| {
        let drift = &orders[order].drift;
        (drift.baseline_step, drift.variant_step)
    };
    assert_eq!(steps("own"), (Some(0.01), Some(0.001)));
    assert_eq!(steps("reverse"), (None, None));
}

#[test]
fn cases_that_one_side_has_twice_count_once_and_are_named_so() {
    let one = |id: &str, choice: u16| CaseAnswers {
        case: case(id, 3, &[0]),
        asks: vec![own(3, chose(choice)), reversed(3, chose(choice))],
    };
    let baseline = set(vec![one("a", 0), one("b", 0), one("a", 1)]);
    let variant = set(vec![one("b", 0), one("a", 0), one("b", 1), one("b", 2)]);
    let comparison = compared(&baseline, &variant);
    let counts = comparison.cases;
    assert_eq!((counts.common, counts.only_baseline), (2, 0));
    assert_eq!(counts.only_variant, 0);
    assert_eq!((counts.repeated_baseline, counts.repeated_variant), (1, 2));
    assert_eq!(comparison.orders["own"].answers.share.count, 0);
    // Two contents under one id each meet their own.
    let other = |choice| {
        let mut answers = one("a", choice);
        answers.case.state = flipside_core::json::Json::Bool(true);
        answers
    };
    let baseline = set(vec![one("a", 0), other(1)]);
    let variant = set(vec![other(1), one("a", 0)]);
    let comparison = compared(&baseline, &variant);
    assert_eq!(comparison.cases.common, 2);
    assert_eq!(comparison.orders["own"].answers.share.count, 0);
}
