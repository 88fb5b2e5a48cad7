//! A run over decisions on record, figures written down and not counted.

use flipside_core::plan::Baseline;
use flipside_core::recorded::{Lacking, RecordingTally};
use flipside_core::summary::{Merged, Recorded, RecordedAccuracy, RecordedLine, Summary};

use super::{drift, ordinary};

/// Thirty-three decisions of one recording, of which thirty were asked again; three are answered otherwise now.
pub(crate) fn recorded() -> Summary {
    let mut summary = ordinary();
    let mut line = summary.axes["order"]["reverse"].clone();
    line.figure.flips = Some(3);
    line.figure.tie_flips = Some(1);
    line.figure.firm_flips = Some(2);
    line.figure.pairs = 28;
    line.figure.missing = 2;
    line.figure.interval = Some([0.037, 0.272]);
    line.drift = Some(drift(1.0, "case-1"));
    if let Some(accuracy) = &mut line.accuracy {
        (accuracy.right, accuracy.own_right, accuracy.of) = (23, 20, 28);
    }
    let lacking = |what: &str, decisions, supplied_by: Option<&str>| Lacking {
        what: what.to_owned(),
        decisions,
        supplied_by: supplied_by.map(str::to_owned),
    };
    let merged = |case: &str, answers| Merged {
        case: case.to_owned(),
        decisions: 2,
        answers,
    };
    summary.recorded = Some(Box::new(Recorded {
        baseline: Baseline::Ask,
        recordings: vec![RecordingTally {
            name: "runs/monday".to_owned(),
            format: "s1a-job".to_owned(),
            model: "laya".to_owned(),
            decisions: 33,
            reask: 30,
            compare: 2,
            neither: 1,
            missing: vec![
                lacking("the rules are not on record", 2, Some("`--rules TEXT`")),
                lacking("no view has the options", 1, None),
            ],
        }],
        cases: 30,
        answered: 29,
        as_baseline: 0,
        merged: vec![merged("case-1", 1), merged("case-2", 2)],
        accuracy: Some(RecordedAccuracy {
            right: 21,
            of: 29,
            rate: 21.0 / 29.0,
            interval: [0.543, 0.853],
        }),
        line: Some(RecordedLine {
            line,
            backends: vec!["laya".to_owned()],
            served_then: vec!["laya-0.2".to_owned()],
            served_now: vec!["laya-0.3".to_owned()],
            other_model: 4,
            failed_then: 1,
            failed_now: 1,
        }),
        reason: None,
    }));
    for case in summary.cases.iter_mut().take(2) {
        let mut then = case.asks[0].clone();
        (then.recorded, then.ms) = (true, None);
        then.flip = Some(false);
        case.recorded = Some(Box::new(then));
    }
    if let Some(then) = &mut summary.cases[0].recorded {
        then.flip = Some(true);
    }
    summary
}

/// The same with the recorded answers as the baseline's.
pub(crate) fn over_record() -> Summary {
    let mut summary = recorded();
    summary.counts.recorded = 29;
    summary.counts.requests = summary.counts.asks - 29;
    if let Some(found) = &mut summary.recorded {
        found.baseline = Baseline::Recorded;
        found.as_baseline = 29;
        found.line = None;
        found.reason = Some("the recorded answers are the baseline's".to_owned());
    }
    summary
}
