//! What rewordings show together: accuracy and flips by wording, their spread, and different answers per case.

use flipside_core::answer::Answer;
use flipside_core::case::{Case, Phrasing};
use flipside_core::gate::Gates;
use flipside_core::groups::Groups;
use flipside_core::json::Json;
use flipside_core::perturb::{Axis, AxisSpec};
use flipside_core::plan::{Plan, PlanInput, distinct};
use flipside_core::record::{Asked, Outcome};
use flipside_core::summary::{DifferentAnswers, PhrasingSummary, Range, Summary, WordingSpread};
use proptest::prelude::*;

use crate::common::{self, Bytes, asked, chose};
use crate::made::{failed, goldens, id, keys, summary};

/// What the wordings of a case answered, its own words first: an option, or something else.
type Row = (&'static str, Vec<(&'static str, Outcome)>);

fn gates() -> Gates {
    Gates::resolve(&[], false, &[Axis::Phrasing], false)
}

fn silent() -> Outcome {
    Outcome::Answered(Answer::default())
}

/// A case of three options, the first accepted, with these rewordings.
fn case(name: &str, rewordings: &[&str]) -> Case {
    let number: usize = name[1..].parse().unwrap();
    let mut case = common::case(number, keys("k", 3));
    case.accept = vec![id(0)].into();
    let phrasing = |name: &&str| Phrasing {
        name: (*name).to_owned(),
        state: Some(Json::String(format!("{number} as {name}"))),
        instructions: None,
        texts: Vec::new(),
        negated: false,
        approved: true,
    };
    case.brought.phrasings = rewordings.iter().map(phrasing).collect();
    case
}

fn plan(cases: Vec<Case>) -> Plan {
    let input = PlanInput {
        axes: &[AxisSpec::Phrasing],
        ..PlanInput::orders(&[], 5)
    };
    Plan::build(&distinct(cases).unwrap(), &input, &Bytes::new()).unwrap()
}

/// The summary of cases that answered by `rows`, changed by `change` before they are planned.
fn measured(rows: &[Row], gates: &Gates, change: impl Fn(&mut Case)) -> Summary {
    let cases = rows.iter().map(|(name, answers)| {
        let names: Vec<&str> = answers[1..].iter().map(|(name, _)| *name).collect();
        let mut case = case(name, &names);
        change(&mut case);
        case
    });
    let plan = plan(cases.collect());
    let answers: Vec<Option<Asked>> = plan
        .asks
        .iter()
        .map(|ask| {
            let of_case = rows
                .iter()
                .find(|(name, _)| *name == plan.case_of(ask).id.0);
            let wording = plan.variant_of(ask).name.as_str();
            let mut answers = of_case.unwrap().1.iter();
            let (_, outcome) = answers.find(|(name, _)| *name == wording).unwrap();
            Some(asked(outcome.clone()))
        })
        .collect();
    summary(&plan, answers, gates)
}

fn row(name: &'static str, answers: &[(&'static str, u16)]) -> Row {
    let chosen = answers.iter().map(|(name, option)| (*name, chose(*option)));
    (name, chosen.collect())
}

/// Own words and rewordings `1` to `3`.
fn four(name: &'static str, [own, one, two, three]: [u16; 4]) -> Row {
    row(name, &[("own", own), ("1", one), ("2", two), ("3", three)])
}

/// Five cases that answered everything; one without a label, one that lost an answer, one with one rewording, one with none, and
/// one rewording that only the first case brings.
fn rows() -> Vec<Row> {
    let mut first = four("c0", [0, 0, 0, 0]);
    first.1.push(("extra", chose(0)));
    let mut lost = four("c5", [0, 0, 0, 0]);
    lost.1[1].1 = failed();
    vec![
        first,
        four("c1", [0, 0, 1, 0]),
        four("c2", [0, 1, 1, 0]),
        four("c3", [1, 1, 1, 0]),
        four("c4", [0, 0, 1, 2]),
        lost,
        four("c6", [1, 1, 2, 1]),
        row("c7", &[("own", 0), ("1", 1)]),
        row("c8", &[("own", 0)]),
    ]
}

fn unlabel(case: &mut Case) {
    if case.id.0 == "c6" {
        case.accept.clear();
    }
}

fn found(rows: &[Row]) -> PhrasingSummary {
    measured(rows, &gates(), unlabel).phrasing.unwrap()
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
}

/// Each wording with its count, denominator, share and interval.
fn shares(spread: &WordingSpread, expected: &[(&str, u64, u64, f64, [f64; 2])]) {
    let names: Vec<&str> = spread
        .wordings
        .iter()
        .map(|each| each.wording.as_str())
        .collect();
    let wanted: Vec<&str> = expected.iter().map(|each| each.0).collect();
    assert_eq!(names, wanted);
    for (found, (_, count, of, rate, interval)) in spread.wordings.iter().zip(expected) {
        assert_eq!((found.count, found.of), (*count, *of));
        close(found.rate, *rate);
        close(found.interval[0], interval[0]);
        close(found.interval[1], interval[1]);
    }
}

/// Intervals by Wilson's formula in Python; means over shuffles by `tests/data/draw-reference.py`'s stream
/// `stream(5, "phrasing_accuracy")` over the sorted rows, each row shuffled in place 200 times.
#[test]
fn accuracy_by_wording_is_over_labelled_cases_answered_in_all_of_them() {
    let spread = found(&rows()).accuracy;
    // Of c0 to c5 and c7, the fifth answer of c5 and two rewordings of c7 are missing.
    assert_eq!((spread.cases, spread.left_out), (5, 2));
    let four_of_five = [0.375_534_629_762_525_2, 0.963_775_891_367_569_8];
    shares(
        &spread,
        &[
            ("own", 4, 5, 0.8, four_of_five),
            (
                "1",
                3,
                5,
                0.6,
                [0.230_724_281_276_012_8, 0.882_379_225_767_352],
            ),
            (
                "2",
                1,
                5,
                0.2,
                [0.036_224_108_632_430_085, 0.624_465_370_237_474_7],
            ),
            ("3", 4, 5, 0.8, four_of_five),
        ],
    );
    close(spread.least.unwrap(), 0.2);
    close(spread.most.unwrap(), 0.8);
    close(spread.value.unwrap(), 0.6);
    close(spread.shuffled_mean.unwrap(), 0.458);
    close(spread.shuffled_at_least.unwrap(), 0.33);
    assert_eq!(
        (spread.shuffles, spread.seed, spread.reason),
        (200, Some(5), None)
    );
}

/// As above, with `stream(5, "phrasing_flips")`.
#[test]
fn flips_by_rewording_need_no_label() {
    let spread = found(&rows()).flips;
    assert_eq!((spread.cases, spread.left_out), (6, 2));
    shares(
        &spread,
        &[
            (
                "1",
                1,
                6,
                1.0 / 6.0,
                [0.030_053_369_748_306_58, 0.563_502_822_186_470_2],
            ),
            (
                "2",
                4,
                6,
                4.0 / 6.0,
                [0.299_993_315_138_392, 0.903_228_588_894_821_9],
            ),
            (
                "3",
                2,
                6,
                2.0 / 6.0,
                [0.096_771_411_105_780_41, 0.700_006_684_861_608],
            ),
        ],
    );
    close(spread.least.unwrap(), 1.0 / 6.0);
    close(spread.most.unwrap(), 4.0 / 6.0);
    close(spread.value.unwrap(), 0.5);
    close(spread.shuffled_mean.unwrap(), 0.338_333_333_333_333_2);
    close(spread.shuffled_at_least.unwrap(), 0.345);
}

#[test]
fn different_answers_are_counted_over_all_wordings_of_a_case() {
    let phrasing = found(&rows());
    assert_eq!(phrasing.cases, 8, "c8 brings none");
    assert_eq!(phrasing.wordings, Range { least: 2, most: 5 });
    assert_eq!(
        (phrasing.missing, phrasing.unasked, phrasing.no_decision),
        (1, 0, 0)
    );
    // c0 gave one answer, c4 three, five others two, and of c5 one is missing.
    let numbers = [(1, 1), (2, 5), (3, 1)];
    let expected = numbers.map(|(answers, cases)| DifferentAnswers { answers, cases });
    assert_eq!(phrasing.different_answers, expected);
    assert_eq!(phrasing.different_answers_left_out, 1);
    assert_eq!((phrasing.any_flip.count, phrasing.any_flip.of), (6, 8));
    assert_eq!(phrasing.any_flip_open, 1);
    let [low, high] = phrasing.any_flip.interval.unwrap();
    close(low, 0.409_275_430_310_168_83);
    close(high, 0.928_520_787_247_890_9);
    // Clopper and Pearson by bisection in Python: 6 of 8 from below, and 7 of 8 from above, since c5 may still flip.
    close(phrasing.any_flip.lower.unwrap(), 0.400_310_610_809_166_8);
    close(phrasing.any_flip.upper.unwrap(), 0.993_608_849_045_455);
}

#[test]
fn not_to_decide_is_an_answer_and_never_to_decide_is_none() {
    let mut rows = vec![four("c0", [0, 0, 0, 0]), four("c1", [0, 0, 0, 0])];
    rows[0].1[2].1 = silent();
    rows[1]
        .1
        .iter_mut()
        .for_each(|(_, outcome)| *outcome = silent());
    let phrasing = found(&rows);
    assert_eq!(
        phrasing.different_answers,
        [DifferentAnswers {
            answers: 2,
            cases: 1
        }]
    );
    assert_eq!(
        (phrasing.different_answers_left_out, phrasing.no_decision),
        (1, 5)
    );
    assert_eq!((phrasing.any_flip.count, phrasing.any_flip.of), (1, 1));
    // A model that declines is not right; a pair that decided nothing is no pair.
    assert_eq!((phrasing.accuracy.cases, phrasing.flips.cases), (2, 1));
    let rights: Vec<u64> = phrasing
        .accuracy
        .wordings
        .iter()
        .map(|each| each.count)
        .collect();
    assert_eq!(rights, [1, 1, 0, 1]);
}

#[test]
fn the_golden_spread_of_the_statistics_page_comes_out() {
    let golden = &goldens("spread")[0];
    let column = |order: &str| -> Vec<u64> {
        let rights = golden["inputs"]["correct"][order].as_array().unwrap();
        rights.iter().map(|right| right.as_u64().unwrap()).collect()
    };
    let (one, two, three) = (column("o1"), column("o2"), column("o3"));
    let chosen = |right: u64| u16::from(right == 0);
    // The first column twice: three rewordings, as a spread takes.
    let rows: Vec<Row> = (["c0", "c1", "c2", "c3", "c4"].into_iter().enumerate())
        .map(|(case, name)| {
            four(
                name,
                [one[case], two[case], three[case], one[case]].map(chosen),
            )
        })
        .collect();
    let spread = found(&rows).accuracy;
    let rates: Vec<f64> = spread.wordings.iter().map(|each| each.rate).collect();
    let expected = golden["expected"]["accuracy_by_order"][0].as_f64().unwrap();
    for rate in rates {
        close(rate, expected);
    }
    close(
        spread.value.unwrap(),
        golden["expected"]["format_spread"].as_f64().unwrap(),
    );
}

#[test]
fn what_cannot_be_told_says_why() {
    let two = |name| row(name, &[("own", 0), ("1", 1), ("2", 0)]);
    let phrasing = found(&[two("c0"), two("c1")]);
    assert_eq!(phrasing.accuracy.value, None);
    assert_eq!(
        phrasing.accuracy.reason.as_deref(),
        Some("a spread takes three rewordings")
    );
    assert_eq!(
        phrasing.accuracy.wordings.len(),
        3,
        "each wording is told all the same"
    );
    let unlabelled = measured(&rows(), &gates(), |case| case.accept.clear());
    let accuracy = unlabelled.phrasing.unwrap().accuracy;
    assert_eq!(
        accuracy.reason.as_deref(),
        Some("no case with a rewording says which options are right")
    );
    let mut lost = vec![four("c0", [0, 0, 0, 0])];
    lost[0].1[0].1 = failed();
    assert_eq!(
        found(&lost).flips.reason.as_deref(),
        Some("no case was answered in all of these wordings")
    );
    let none = measured(&[row("c0", &[("own", 0)])], &gates(), unlabel);
    assert_eq!(none.phrasing, None);
}

#[test]
fn clusters_are_the_units_of_intervals_and_shuffles() {
    let gates = Gates {
        groups: Groups {
            cluster: Some("template".to_owned()),
            ..Groups::default()
        },
        ..gates()
    };
    let twins: Vec<Row> = (["c0", "c1", "c2", "c3"].into_iter().enumerate())
        .map(|(place, name)| four(name, [0, u16::from(place < 2), 0, 0]))
        .collect();
    let in_pairs = |case: &mut Case| {
        let template = if case.id.0.as_str() < "c2" { "a" } else { "b" };
        let value = flipside_core::case::FieldValue::of(&Json::String(template.to_owned()));
        case.fields = vec![("template".to_owned(), value.unwrap())].into();
    };
    let apart = found(&twins).accuracy;
    let together = measured(&twins, &gates, in_pairs)
        .phrasing
        .unwrap()
        .accuracy;
    assert_eq!(apart.value, together.value);
    let width =
        |spread: &WordingSpread| spread.wordings[1].interval[1] - spread.wordings[1].interval[0];
    assert!(
        width(&together) > width(&apart),
        "two units say less than four"
    );
    // Both cases of a cluster are shuffled at once, so that chance moves more of them together.
    assert!(together.shuffled_mean > apart.shuffled_mean);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn figures_do_not_depend_on_the_order_of_cases_and_stay_in_their_bounds(
        answers in prop::collection::vec(prop::array::uniform4(0..3_u16), 1..9), turn in 0..9_usize
    ) {
        const NAMES: [&str; 9] = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8"];
        let rows: Vec<Row> = NAMES.into_iter().zip(&answers).map(|(name, answers)| four(name, *answers)).collect();
        let mut turned = rows.clone();
        turned.rotate_left(turn % rows.len());
        let all = measured(&rows, &gates(), |_| ()).phrasing.unwrap();
        prop_assert_eq!(&measured(&turned, &gates(), |_| ()).phrasing.unwrap(), &all);
        for spread in [&all.accuracy, &all.flips] {
            let (least, most) = (spread.least.unwrap(), spread.most.unwrap());
            prop_assert!((spread.value.unwrap() - (most - least)).abs() < 1e-12);
            for share in &spread.wordings {
                prop_assert!(least <= share.rate && share.rate <= most);
                prop_assert!(share.interval[0] <= share.rate && share.rate <= share.interval[1]);
            }
        }
        let told: u64 = all.different_answers.iter().map(|each| each.cases).sum();
        prop_assert_eq!(told + all.different_answers_left_out, all.cases);
        let several: u64 = all.different_answers.iter().filter(|each| each.answers > 1).map(|each| each.cases).sum();
        prop_assert_eq!(several, all.any_flip.count);
    }
}
