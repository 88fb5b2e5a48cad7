//! What is on record: against what is answered now, and as the baseline.

use flipside_core::answer::{Answer, Declined};
use flipside_core::case::Case;
use flipside_core::course::Course;
use flipside_core::gate::{GateSpec, Gates};
use flipside_core::measure::summarise;
use flipside_core::order::OptionId;
use flipside_core::perturb::Axis;
use flipside_core::perturb::order::OrderSpec;
use flipside_core::plan::{Baseline, Plan, PlanInput, distinct};
use flipside_core::preflight::preflight;
use flipside_core::record::{Asked, Failed, FailedKind, Outcome};
use flipside_core::recorded::{Decision, Missing, RecordingTally};
use flipside_core::summary::{Merged, Recorded, Summary, Verdict};

mod baseline;

use crate::common::{self, about, asked, card, chose};
use crate::made::keys;

const NEAR: f64 = 1e-9;

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < NEAR, "{found}, not {expected}");
}

/// A case of three options, of which the first is accepted, with what was answered to it before.
fn case(number: usize, recorded: Option<Outcome>) -> Case {
    let mut case = common::case(number, keys("k", 3));
    case.accept = vec![OptionId(0)].into();
    case.brought.recorded = recorded.map(Box::new);
    case.checked().unwrap()
}

fn failed() -> Outcome {
    Outcome::Failed(Failed {
        kind: FailedKind::Status,
        message: "answered 500".to_owned(),
        unanswered: false,
    })
}

fn declined() -> Outcome {
    Outcome::Answered(Answer {
        declined: Some(Declined::Refusal),
        ..Answer::default()
    })
}

fn tied(option: u16) -> Outcome {
    Outcome::Answered(Answer {
        choice: Some(OptionId(option)),
        tied: true,
        ..Answer::default()
    })
}

fn spread(option: u16, p: [f64; 3], served: &str) -> Outcome {
    Outcome::Answered(Answer {
        choice: Some(OptionId(option)),
        probabilities: Some(p.to_vec()),
        served_model: Some(served.into()),
        ..Answer::default()
    })
}

fn gates(text: &str, order: bool) -> Gates {
    let specs = GateSpec::parse_list(text).unwrap();
    Gates::resolve(&specs, order, &[], false)
}

/// Seven cases with what is on record and what is answered now, all their ways to be compared among them.
fn seven() -> (Vec<Case>, Vec<Outcome>) {
    let both = [
        (
            spread(0, [0.7, 0.2, 0.1], "m-1"),
            spread(1, [0.4, 0.5, 0.1], "m-2"),
        ),
        (chose(1), chose(1)),
        (tied(0), chose(2)),
        (failed(), chose(0)),
        (chose(0), failed()),
        (declined(), declined()),
        (chose(2), chose(2)),
    ];
    let (then, now): (Vec<Outcome>, Vec<Outcome>) = both.into_iter().unzip();
    let cases = then.into_iter().enumerate();
    let mut cases: Vec<Case> = cases.map(|(n, then)| case(n, Some(then))).collect();
    cases[6].accept.clear();
    (cases, now)
}

/// The summary of the own order alone.
fn own_order(cases: Vec<Case>, now: Vec<Outcome>) -> Summary {
    let plan = common::plan(cases, &[], 1);
    let now = now
        .into_iter()
        .map(|outcome| Some(asked(outcome)))
        .collect();
    summarise(&plan, now, &gates("none:fit", false), about(&card()))
}

fn recorded(summary: &Summary) -> &Recorded {
    summary.recorded.as_ref().unwrap()
}

#[test]
fn the_record_is_compared_with_now_by_identity_and_what_failed_on_either_side_is_counted() {
    let (cases, now) = seven();
    let summary = own_order(cases, now);
    let found = recorded(&summary);
    assert_eq!(found.baseline, Baseline::Ask);
    assert_eq!((found.cases, found.answered, found.as_baseline), (7, 6, 0));
    assert_eq!((&found.reason, found.merged.len()), (&None, 0));
    let line = found.line.as_ref().unwrap();
    let figure = &line.line.figure;
    // Compared: c0 and c2 differ, c1 and c6 do not.
    assert_eq!((figure.flips, figure.pairs), (Some(2), 4));
    assert_eq!((figure.firm_flips, figure.tie_flips), (Some(1), Some(1)));
    assert_eq!((figure.missing, figure.no_decision), (2, 1));
    assert_eq!((figure.applicable, figure.asked, figure.unasked), (7, 7, 0));
    assert_eq!((line.failed_then, line.failed_now), (1, 1));
    assert_eq!((figure.limit, &figure.verdict), (None, &Verdict::NoGate));
    // Wilson's interval of 2 in 4, and exact bounds of 2 and of 4 in 6, by Python.
    let [lower, upper] = figure.interval.unwrap();
    near(lower, 0.150_038_989_2);
    near(upper, 0.849_961_010_8);
    near(figure.lower.unwrap(), 0.062_849_891_7);
    near(figure.upper.unwrap(), 0.937_150_108_3);
    // Two served models are what is compared, and no pair is missing for them.
    assert_eq!((line.other_model, line.line.other_version), (1, 0));
    assert_eq!(
        (&line.served_then[..], &line.served_now[..]),
        (&["m-1".to_owned()][..], &["m-2".to_owned()][..])
    );
    // Right as recorded: c0, c2, c4 of c0, c1, c2, c4 and c5, which did not decide.
    let accuracy = found.accuracy.as_ref().unwrap();
    assert_eq!((accuracy.right, accuracy.of), (3, 5));
    near(accuracy.rate, 0.6);
    near(accuracy.interval[0], 0.230_724_281_3);
    near(accuracy.interval[1], 0.882_379_225_8);
    // Of the labelled cases answered on both sides none is right now, c0 and c2 were.
    let both = line.line.accuracy.as_ref().unwrap();
    assert_eq!((both.right, both.own_right, both.of), (0, 2, 4));
    assert_eq!(
        (
            line.line.transitions.harmful,
            line.line.transitions.kept_wrong
        ),
        (2, 1)
    );
    // One pair has probabilities: |.7-.4| + |.2-.5| over 2, and its divergence by Python.
    let drift = line.line.drift.as_ref().unwrap();
    assert_eq!((drift.pairs, drift.without_probabilities), (1, 4));
    near(drift.total_variation.median.unwrap(), 0.3);
    near(drift.jensen_shannon_bits.median.unwrap(), 0.077_794_633_5);
}

#[test]
fn every_case_shows_its_recorded_answer_and_whether_now_differs() {
    let (cases, now) = seven();
    let summary = own_order(cases, now);
    let recorded = |place: usize| summary.cases[place].recorded.as_deref().unwrap();
    let flips: Vec<Option<bool>> = (0..7).map(|place| recorded(place).flip).collect();
    let (differs, same) = (Some(true), Some(false));
    assert_eq!(flips, [differs, same, differs, None, None, None, same]);
    assert_eq!(
        (recorded(0).choice, recorded(0).ok),
        (Some(OptionId(0)), Some(true))
    );
    assert_eq!((recorded(0).recorded, recorded(0).ms), (true, None));
    assert_eq!(recorded(3).failed, Some(FailedKind::Status));
    let asked = &summary.cases[0].asks[0];
    assert_eq!(
        (asked.recorded, asked.ms, asked.flip),
        (false, Some(1.0), None)
    );
}

#[test]
fn options_of_one_class_are_the_same_answer_as_recorded_too() {
    let mut one = case(0, Some(chose(1)));
    one.equal = vec![vec![OptionId(1), OptionId(2)]].into();
    let summary = own_order(vec![one.checked().unwrap()], vec![chose(2)]);
    let line = recorded(&summary).line.as_ref().unwrap();
    assert_eq!(
        (line.line.figure.flips, line.line.figure.pairs),
        (Some(0), 1)
    );
    assert_eq!(
        summary.cases[0].recorded.as_ref().unwrap().flip,
        Some(false)
    );
}

#[test]
fn without_a_record_there_is_none_and_a_recording_without_answers_has_its_reason() {
    let summary = own_order(vec![case(0, None)], vec![chose(0)]);
    assert_eq!(summary.recorded, None);
    let plan = common::plan(vec![case(0, None)], &[], 1);
    let mut about_run = common::card();
    about_run.spec = "m".to_owned();
    let mut about = about(&about_run);
    about.recordings = vec![RecordingTally::of("run", "f", "m", &[])];
    let gates = gates("none:fit", false);
    let summary = summarise(&plan, vec![Some(asked(chose(0)))], &gates, about);
    let found = recorded(&summary);
    assert_eq!((found.recordings.len(), &found.line), (1, &None));
    assert_eq!(found.reason.as_deref(), Some("no answer is on record"));
}

fn again(number: usize, recorded: Option<Outcome>) -> Case {
    Case {
        state: case(0, None).state,
        ..case(number, recorded)
    }
}

#[test]
fn one_decision_recorded_several_times_is_one_case_and_disagreeing_answers_are_told() {
    let cases = vec![
        case(0, Some(failed())),
        again(7, Some(chose(2))),
        again(8, Some(chose(1))),
        again(9, Some(failed())),
        case(1, Some(chose(0))),
        Case {
            state: case(1, None).state,
            ..case(5, Some(tied(0)))
        },
    ];
    let found = distinct(cases.clone()).unwrap();
    assert_eq!(found.cases.len(), 2);
    // The first valid one counts.
    assert_eq!(found.cases[0].brought.recorded.as_deref(), Some(&chose(2)));
    assert_eq!(found.duplicates[0].recorded.as_deref(), Some(&chose(2)));
    let summary = own_order(cases, vec![chose(2), chose(0)]);
    let merged = |case: &str, decisions, answers| Merged {
        case: case.to_owned(),
        decisions,
        answers,
    };
    assert_eq!(
        recorded(&summary).merged,
        [merged("c0", 4, 2), merged("c1", 2, 1)]
    );
    assert_eq!(recorded(&summary).cases, 2);
}

#[test]
fn a_recorded_answer_that_is_none_to_its_case_is_refused() {
    let wrong = |answer: Answer| {
        let mut case = common::case(0, keys("k", 3));
        case.brought.recorded = Some(Box::new(Outcome::Answered(answer)));
        case.checked().unwrap_err().to_string()
    };
    let choice = Answer {
        choice: Some(OptionId(3)),
        ..Answer::default()
    };
    assert_eq!(
        wrong(choice),
        "the recorded answer is option 3, counted from 0, of 3 options"
    );
    let short = Answer {
        choice: Some(OptionId(0)),
        probabilities: Some(vec![0.5, 0.5]),
        ..Answer::default()
    };
    assert_eq!(
        wrong(short),
        "the recorded answer has 2 probabilities for 3 options"
    );
}

#[test]
fn asking_adaptively_compares_nothing_with_the_record() {
    let cases: Vec<Case> = (0..10).map(|n| case(n, Some(chose(0)))).collect();
    let plan = common::plan(cases, &[OrderSpec::Reverse], 1);
    let gates = Gates {
        adaptive: Some(flipside_core::course::Adaptive::Planned),
        strict: true,
        ..gates("none:fit", true)
    };
    let all: Vec<Option<Asked>> = plan.asks.iter().map(|_| Some(asked(chose(0)))).collect();
    let summary = summarise(&plan, all, &gates, about(&card()));
    let found = recorded(&summary);
    assert_eq!(found.line, None);
    assert!(
        found
            .reason
            .as_deref()
            .unwrap()
            .starts_with("asking adaptively")
    );
}

#[test]
fn a_recording_is_counted_by_what_its_decisions_are_good_for() {
    let decision = |missing: &[Missing], outcome: Option<Outcome>| Decision {
        case: case(0, None),
        outcome,
        others: Vec::new(),
        missing: missing.to_vec(),
    };
    let kept = |of| Missing::Options {
        kept: 6,
        of: Some(of),
    };
    let why = Missing::Answer {
        why: "status 422".to_owned(),
    };
    let decisions = [
        decision(&[], Some(chose(0))),
        // Its request is whole: it can be asked, though not compared.
        decision(std::slice::from_ref(&why), None),
        decision(&[Missing::Rules], Some(chose(0))),
        decision(&[Missing::Rules, Missing::Plan], Some(chose(0))),
        decision(&[Missing::Rules, why], None),
        decision(&[kept(21)], Some(chose(0))),
        decision(&[kept(9), Missing::Rules], Some(chose(0))),
    ];
    let tally = RecordingTally::of("run", "s1a-job", "laya", &decisions);
    assert_eq!(
        (tally.decisions, tally.reask, tally.compare, tally.neither),
        (7, 2, 2, 3)
    );
    let missing: Vec<(&str, u64, bool)> = (tally.missing.iter())
        .map(|lacking| {
            let what = lacking.what.as_str();
            (what, lacking.decisions, lacking.supplied_by.is_some())
        })
        .collect();
    assert_eq!(
        missing,
        [
            (
                "the rules that the model was given are not on record",
                4,
                true
            ),
            ("only 6 of the options are on record", 2, false),
            (
                "a plan stood in the state, its text is not on record",
                1,
                false
            ),
            ("there is no answer: status 422", 1, false),
        ]
    );
}
