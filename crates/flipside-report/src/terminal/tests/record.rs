//! What a report says of decisions on record.

use super::{VERBOSE, WIDE, flat};
use crate::example;
use crate::terminal::{render, render_several};
use crate::warning::{Warning, warnings};
use flipside_core::summary::Summary;

#[test]
fn the_record_has_a_line_of_its_own_with_what_was_left_and_why() {
    let text = render(&example::recorded(), &WIDE);
    let told = flat(&text);
    for sentence in [
        "record runs/monday: 33 decisions of laya (s1a-job): 30 can be asked again, 2 only compared, 1 neither; left: the rules \
         are not on record (2), no view has the options (1)",
        "record 2 cases stand for 4 recorded decisions; of 1 the recorded answers disagree (case-2), the first valid one counts",
        "record own order 3/28 differ differs from the record, 95% CI 3.7-27.2%, 1 within a tie, 21/29 right as recorded, 23/28 \
         now, 1 failed as recorded, 1 failed now, 4 pairs of other served models (laya-0.2 then, laya-0.3 now)",
    ] {
        assert!(told.contains(sentence), "{sentence}\n{text}");
    }
    // Which cases differ is told in full only.
    assert!(
        !told.contains("who is right") || !text.contains("as recorded  now"),
        "{text}"
    );
    let full = render(&example::recorded(), &VERBOSE);
    let listed: Vec<&str> = full
        .lines()
        .skip_while(|line| !line.starts_with("differs from the record"))
        .take_while(|line| !line.is_empty())
        .collect();
    assert_eq!(listed.len(), 2, "{full}");
    let id = &example::recorded().cases[0].id;
    assert!(listed[1].starts_with(id.as_str()), "{full}");
}

#[test]
fn nothing_that_differs_is_as_recorded_and_nothing_compared_is_not_measured() {
    let mut summary = example::recorded();
    let line = |summary: &mut Summary, flips, pairs| {
        let found = summary.recorded.as_mut().unwrap().line.as_mut().unwrap();
        found.line.figure.flips = Some(flips);
        found.line.figure.tie_flips = Some(0);
        found.line.figure.pairs = pairs;
        flat(&render(summary, &WIDE))
    };
    let told = line(&mut summary, 0, 28);
    assert!(
        told.contains("record own order 0/28 differ as recorded, 95% CI"),
        "{told}"
    );
    let told = line(&mut summary, 0, 0);
    assert!(told.contains("record own order 0/0 not measured"), "{told}");
}

#[test]
fn a_recorded_baseline_is_told_where_it_is_asked_about() {
    let summary = example::over_record();
    let told = flat(&render(&summary, &WIDE));
    let cases = summary.counts.cases;
    let asks = summary.counts.asks - 29;
    assert!(told.contains(&format!("{asks} asks")), "{told}");
    assert!(
        told.contains(&format!("baseline recorded (29 of {cases} cases)")),
        "{told}"
    );
    assert!(!told.contains("record own order"), "{told}");
    if summary.control.is_some() {
        assert!(
            told.contains("asked now and compared with the record"),
            "{told}"
        );
    }
}

#[test]
fn failed_asks_are_a_share_of_those_that_were_made() {
    let mut summary = example::over_record();
    let made = |summary: &Summary| {
        warnings(summary)
            .into_iter()
            .find_map(|warning| match warning {
                Warning::FailedAsks { failed, made, .. } => Some((failed, made)),
                _ => None,
            })
    };
    // One of 120, or of the 40 that were not on record.
    assert_eq!((summary.counts.asks, summary.counts.failed), (120, 1));
    assert_eq!(made(&summary), None);
    summary.counts.recorded = 80;
    assert_eq!(made(&summary), Some((1, 40)));
}

#[test]
fn several_models_have_the_record_beside_each_of_them() {
    let both = vec![example::recorded(), example::recorded()];
    let told = flat(&render_several(&both, &WIDE));
    assert_eq!(
        told.matches("record own order 3/28 differ").count(),
        2,
        "{told}"
    );
    assert_eq!(told.matches("record runs/monday").count(), 1, "{told}");
}

#[test]
fn names_in_a_record_cannot_steer_a_terminal() {
    let mut summary = example::recorded();
    let bad = "x\u{1b}[2J\u{202e}".to_owned();
    let found = summary.recorded.as_mut().unwrap();
    let recording = &mut found.recordings[0];
    (recording.name, recording.format, recording.model) = (bad.clone(), bad.clone(), bad.clone());
    recording.missing[0].what.clone_from(&bad);
    found.merged[1].case.clone_from(&bad);
    let line = found.line.as_mut().unwrap();
    (line.served_then, line.served_now) = (vec![bad.clone()], vec![bad.clone()]);
    summary.cases[0].id.clone_from(&bad);
    let text = render(&summary, &VERBOSE);
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
}
