//! What is on record, in words.

use flipside_core::plan::Baseline;
use flipside_core::recorded::RecordingTally;
use flipside_core::summary::{Merged, Recorded, RecordedAccuracy, RecordedLine, Summary};

use super::number::{count, range};
use super::text::{foreign, list, model_or_none, plural};

/// What the decisions of a recording are good for: `30 decisions of laya (s1a-job): 28 can be asked again, 2 only compared`.
pub fn recording(tally: &RecordingTally) -> String {
    let decisions = plural(tally.decisions, "decision", "decisions");
    let format = foreign(&tally.format);
    let model = model_or_none(&tally.model);
    let mut parts = vec![format!("{} can be asked again", count(tally.reask))];
    if tally.compare > 0 {
        parts.push(format!("{} only compared", count(tally.compare)));
    }
    if tally.neither > 0 {
        parts.push(format!("{} neither", count(tally.neither)));
    }
    format!("{decisions} of {model} ({format}): {}", parts.join(", "))
}

/// The recordings of a run, each in one sentence with why some of its decisions were left: `runs/a: 30 decisions …; left: the
/// rules … (2)`.
pub fn recordings(recorded: &Recorded) -> Vec<String> {
    let each = |tally: &RecordingTally| {
        let left: Vec<String> = (tally.missing.iter())
            .map(|lacking| format!("{} ({})", foreign(&lacking.what), count(lacking.decisions)))
            .collect();
        let left = match left[..] {
            [] => String::new(),
            _ => format!("; left: {}", left.join(", ")),
        };
        format!("{}: {}{left}", foreign(&tally.name), recording(tally))
    };
    recorded.recordings.iter().map(each).collect()
}

/// Cases that stand for several decisions: `2 cases stand for 5 recorded decisions; of 1 the recorded answers disagree (c-7)`.
pub fn merged(merged: &[Merged]) -> Option<String> {
    /// So many cases are named.
    const NAMED: usize = 3;
    if merged.is_empty() {
        return None;
    }
    let decisions = merged.iter().map(|each| each.decisions).sum();
    let stands = if merged.len() == 1 { "stands" } else { "stand" };
    let text = format!(
        "{} {stands} for {}",
        plural(merged.len() as u64, "case", "cases"),
        plural(decisions, "recorded decision", "recorded decisions")
    );
    let disagree: Vec<&Merged> = merged.iter().filter(|each| each.answers > 1).collect();
    if disagree.is_empty() {
        return Some(format!("{text}, whose answers agree"));
    }
    let mut named: Vec<String> = (disagree.iter().take(NAMED))
        .map(|each| foreign(&each.case))
        .collect();
    if disagree.len() > NAMED {
        named.push("…".to_owned());
    }
    Some(format!(
        "{text}; of {} the recorded answers disagree ({}), the first valid one counts",
        count(disagree.len() as u64),
        named.join(", ")
    ))
}

/// That the baseline is not asked: `baseline recorded (29 of 30 cases)`.
pub(super) fn from_record(summary: &Summary) -> Option<String> {
    let found = summary.recorded.as_ref()?;
    (found.baseline == Baseline::Recorded).then(|| {
        let (taken, cases) = (count(found.as_baseline), summary.counts.cases);
        format!(
            "baseline recorded ({taken} of {})",
            plural(cases, "case", "cases")
        )
    })
}

/// Answers now that differ from the record, of those that can be compared: `3/30 differ`.
pub fn differ(line: &RecordedLine) -> String {
    let figure = &line.line.figure;
    match figure.pairs {
        0 => "0/0".to_owned(),
        pairs => format!(
            "{}/{} differ",
            count(figure.flips.unwrap_or(0)),
            count(pairs)
        ),
    }
}

/// The word on the record: nothing is judged.
pub fn record_word(line: &RecordedLine) -> &'static str {
    match (line.line.figure.pairs, line.line.figure.flips) {
        (0, _) => "not measured",
        (_, Some(1..)) => "differs from the record",
        _ => "as recorded",
    }
}

/// Accepted answers on record: `21/30 right as recorded`.
fn recorded_right(accuracy: &RecordedAccuracy) -> String {
    let (right, of) = (count(accuracy.right), count(accuracy.of));
    format!("{right}/{of} right as recorded")
}

/// What stands beside the word: `, 95% CI 3.5-25.6%, 21/30 right as recorded, 24/30 now, served by a then and b now`.
pub fn record_notes(recorded: &Recorded, line: &RecordedLine) -> String {
    let figure = &line.line.figure;
    let mut notes = Vec::new();
    notes.extend(
        figure
            .interval
            .map(|ends| format!("95% CI {}", range(ends))),
    );
    notes.extend(
        figure
            .tie_flips
            .filter(|n| *n > 0)
            .map(|n| format!("{} within a tie", count(n))),
    );
    notes.extend(recorded.accuracy.as_ref().map(recorded_right));
    notes.extend(
        line.line
            .accuracy
            .as_ref()
            .map(|now| format!("{}/{} now", count(now.right), count(now.of))),
    );
    let lost = [
        (line.failed_then, "failed as recorded"),
        (line.failed_now, "failed now"),
        (figure.unasked, "not asked"),
        (figure.no_decision, "without a decision on both sides"),
    ];
    let lost = lost.into_iter().filter(|(n, _)| *n > 0);
    notes.extend(lost.map(|(n, why)| format!("{} {why}", count(n))));
    if line.other_model > 0 {
        let names = |names: &[String]| {
            let names: Vec<String> = names.iter().map(|name| foreign(name)).collect();
            list(&names)
        };
        notes.push(format!(
            "{} of other served models ({} then, {} now)",
            plural(line.other_model, "pair", "pairs"),
            names(&line.served_then),
            names(&line.served_now)
        ));
    }
    notes.insert(0, String::new());
    notes.join(", ")
}

/// What the control is compared with, where that was not asked in this run.
pub fn against_record(summary: &Summary) -> Option<&'static str> {
    let recorded = summary.recorded.as_ref()?;
    (recorded.baseline == Baseline::Recorded).then_some("asked now and compared with the record")
}

/// What a confirmation is, where the baseline was not asked before.
pub fn confirmed_by_asking(summary: &Summary) -> Option<&'static str> {
    let recorded = summary.recorded.as_ref()?;
    (recorded.baseline == Baseline::Recorded)
        .then_some("the own order is asked for the first time here, and compared with the record")
}
