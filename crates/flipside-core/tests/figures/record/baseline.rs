//! The recorded answers as the baseline: known before anything is asked, and counted nowhere as asked.

use super::*;

/// The plan of `cases` in reverse with the record as baseline.
fn over_record(cases: Vec<Case>) -> Plan {
    common::plan(cases, &[OrderSpec::Reverse], 1).with_recorded_baselines(false)
}

#[test]
fn a_recorded_baseline_is_known_before_anything_is_asked_and_counted_nowhere_as_asked() {
    let cases = vec![
        case(0, Some(chose(0))),
        case(1, Some(failed())),
        case(2, None),
    ];
    let asked_plan = common::plan(cases.clone(), &[OrderSpec::Reverse], 1);
    let plan = over_record(cases);
    assert_ne!(plan.digest(), asked_plan.digest());
    // Only the first case has a valid answer on record.
    assert_eq!((plan.requests(), plan.recorded_asks()), (5, 1));
    let known: Vec<bool> = plan.known().iter().map(Option::is_some).collect();
    assert_eq!(known.len(), plan.slots());
    let known: Vec<usize> = (0..known.len()).filter(|slot| known[*slot]).collect();
    assert_eq!(known, [0]);
    assert!(!plan.schedule().contains(&0));
    // A repetition is sent, whatever it repeats.
    assert!(!plan.sends(0) && plan.sends(plan.again(0) as usize));

    let best = preflight(&plan, &card(), &gates("order<=5%", true));
    assert_eq!((best.asks, best.requests, best.recorded), (5, 5, 1));
    let baseline = &best.variants[0];
    assert_eq!((baseline.axis, baseline.asks), (Axis::Baseline, 2));
    let whole = preflight(&asked_plan, &card(), &gates("order<=5%", true));
    assert!(best.request_bytes < whole.request_bytes);
}

#[test]
fn pairs_take_the_recorded_baseline_and_missing_counts_what_was_asked() {
    let plan = over_record(vec![
        case(0, Some(chose(0))),
        case(1, Some(chose(1))),
        case(2, None),
    ]);
    let gates = gates("none:fit,missing<=25%", true);
    let mut course = Course::new(&plan, &gates).unwrap();
    let mut known = plan.known();
    let first = course.ready(&known);
    // The reversed asks, and the one baseline that is not on record.
    assert_eq!(first.len(), 4);
    let says = [
        None,
        Some(chose(2)),
        None,
        Some(chose(1)),
        Some(chose(0)),
        Some(failed()),
    ];
    for (slot, outcome) in says.into_iter().enumerate() {
        if let Some(outcome) = outcome {
            assert!(first.contains(&u32::try_from(slot).unwrap()));
            known[slot] = Some(asked(outcome));
        }
    }
    // Both orders of the one flip are asked once more, the recorded one too.
    let again = course.ready(&known);
    let mut round: Vec<usize> = again
        .iter()
        .map(|slot| *slot as usize - plan.asks.len())
        .collect();
    round.sort_unstable();
    assert_eq!(round, [0, 1]);
    for slot in again {
        let said = if slot as usize == plan.asks.len() {
            chose(0)
        } else {
            chose(2)
        };
        known[slot as usize] = Some(asked(said));
    }
    let summary = summarise(&plan, known, &gates, about(&card()));
    let reverse = &summary.axes["order"]["reverse"];
    assert_eq!(
        (
            reverse.figure.flips,
            reverse.figure.pairs,
            reverse.figure.missing
        ),
        (Some(1), 2, 1)
    );
    assert_eq!(
        (
            summary.confirmed["order"].flips,
            summary.confirmed["order"].replicated
        ),
        (1, 1)
    );
    let counts = &summary.counts;
    assert_eq!((counts.asks, counts.recorded, counts.requests), (6, 2, 4));
    assert_eq!((counts.answered, counts.failed, counts.unasked), (5, 1, 0));
    assert!(summary.complete);
    // One of the four that were asked, not of all six.
    let missing = summary
        .gates
        .iter()
        .find(|gate| gate.subject == "missing")
        .unwrap();
    assert_eq!(missing.reason.as_deref(), Some("1 of 4 asks"));
    assert!(missing.held);
    let found = recorded(&summary);
    assert_eq!(
        (found.baseline, found.as_baseline, &found.line),
        (Baseline::Recorded, 2, &None)
    );
    assert_eq!(
        found.reason.as_deref(),
        Some(
            "the recorded answers are the baseline's, so that nothing was asked to compare them with"
        )
    );
    let own = &summary.cases[0].asks[0];
    assert_eq!(
        (own.recorded, own.ms, own.choice),
        (true, None, Some(OptionId(0)))
    );
    assert_eq!(summary.cases[0].recorded.as_ref().unwrap().flip, None);
    assert!(!summary.cases[2].asks[0].recorded);
}

#[test]
fn a_recorded_answer_of_another_served_model_makes_its_pair_missing_as_other_version() {
    let plan = over_record(vec![case(0, Some(spread(0, [0.7, 0.2, 0.1], "m-1")))]);
    let mut known = plan.known();
    known[1] = Some(asked(spread(0, [0.7, 0.2, 0.1], "m-2")));
    let summary = summarise(&plan, known, &gates("none:fit", true), about(&card()));
    let reverse = &summary.axes["order"]["reverse"];
    assert_eq!(
        (
            reverse.figure.missing,
            reverse.other_version,
            reverse.figure.pairs
        ),
        (1, 1, 0)
    );
}

#[test]
fn a_recorded_answer_shares_its_request_with_no_other_case() {
    // Two questions of one body: the same bytes, another name.
    let mut one = case(0, Some(chose(0)));
    let mut two = case(0, None);
    two.id = flipside_core::case::CaseId("c1".to_owned());
    two.question.name = "other".to_owned();
    one.question.name = "pick".to_owned();
    let distinct = distinct(vec![one, two]).unwrap();
    let model = common::Bytes::new();
    let plan = Plan::build(&distinct, &PlanInput::orders(&[], 1), &model).unwrap();
    let alone = plan.clone().with_recorded_baselines(true);
    assert_eq!(alone.asks[1].shares, None);
    assert!(alone.sends(1) && !alone.sends(0));
    assert_eq!(plan.asks[0].digest, plan.asks[1].digest);
}
