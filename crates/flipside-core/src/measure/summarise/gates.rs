//! The verdict of every gate, from the figures that it is about.

use indexmap::IndexMap;

use super::Run;
use crate::gate::{Gates, Subject};
use crate::measure::{drift_gate, line};
use crate::perturb::Axis;
use crate::stats::number::real;
use crate::summary::{
    CompositionSummary, Control, CountSummary, Figure, GateLine, Line, Rule, Verdict,
};

/// The figures that gates are about.
pub(super) struct Figures<'a> {
    pub(super) fit: &'a Figure,
    pub(super) axes: &'a IndexMap<String, IndexMap<String, Line>>,
    pub(super) composition: Option<&'a CompositionSummary>,
    pub(super) control: Option<&'a Control>,
    pub(super) counts: &'a CountSummary,
}

impl Run<'_> {
    pub(super) fn gate_lines(&self, figures: &Figures<'_>) -> Vec<GateLine> {
        let Figures {
            fit,
            axes,
            composition,
            control,
            counts,
        } = *figures;
        let whole = |axis: Axis| composition.and_then(|found| found.figure(axis));
        let lines = |axis: Axis| axes.get(axis.name());
        let judge = |subject: &Subject, limit: f64| {
            let (verdict, decided_by, reason) = match subject {
                Subject::Fit => (fit.verdict.clone(), None, fit.reason.clone()),
                Subject::Axis(axis, None) => match whole(*axis) {
                    Some(figure) => (figure.verdict.clone(), None, figure.reason.clone()),
                    None => axis_verdict(*axis, lines(*axis), self.gates),
                },
                Subject::Axis(axis, Some(name)) => {
                    match lines(*axis).and_then(|lines| lines.get(name)) {
                        Some(line) => (
                            line.figure.verdict.clone(),
                            None,
                            line.figure.reason.clone(),
                        ),
                        None => (
                            Verdict::NotMeasured,
                            None,
                            Some(format!("this {} was not asked", noun(*axis))),
                        ),
                    }
                }
                Subject::Same => match control {
                    Some(control) => (
                        control.figure.verdict.clone(),
                        None,
                        control.figure.reason.clone(),
                    ),
                    None => (
                        Verdict::NotMeasured,
                        None,
                        Some("no control was asked".to_owned()),
                    ),
                },
                Subject::Missing => missing_verdict(counts, limit),
                Subject::Drift(stat) => drift_gate::verdict(self.table, *stat, limit),
            };
            GateLine {
                subject: subject.name(),
                limit,
                // How many asks of this run were lost is no sample of anything, and drift has no exact bound.
                rule: match subject {
                    Subject::Missing | Subject::Drift(_) => Rule::File,
                    _ => self.gates.rule(),
                },
                held: verdict.holds(),
                verdict,
                decided_by,
                reason,
            }
        };
        // Gates on every single variant replace the general one of their axis, unless that judges one figure over all of them.
        let replaced = |subject: &Subject| {
            let Subject::Axis(axis, None) = subject else {
                return false;
            };
            let own = |name: &String| {
                let own = Subject::Axis(*axis, Some(name.clone()));
                self.gates.limit(&own).is_some()
            };
            whole(*axis).is_none() && lines(*axis).is_some_and(|lines| lines.keys().all(own))
        };
        self.gates
            .limits
            .iter()
            .filter(|(subject, _)| !replaced(subject))
            .map(|(subject, limit)| judge(subject, *limit))
            .collect()
    }
}

/// What a variant of `axis` is called in a sentence.
fn noun(axis: Axis) -> &'static str {
    match axis {
        Axis::Order => "order",
        _ => "variant",
    }
}

/// What the general gate of an axis says: the worst of the variants that have no gate of their own, the first of equals.
fn axis_verdict(
    axis: Axis,
    lines: Option<&IndexMap<String, Line>>,
    gates: &Gates,
) -> (Verdict, Option<String>, Option<String>) {
    let own_gate = |name: &String| {
        let own = Subject::Axis(axis, Some(name.clone()));
        gates.limit(&own).is_some()
    };
    let mut worst: Option<(&String, &Line)> = None;
    let judged = lines
        .into_iter()
        .flatten()
        .filter(|(name, _)| !own_gate(name));
    for (name, line) in judged {
        let severity = |line: &Line| line::severity(&line.figure.verdict);
        if worst.is_none_or(|(_, known)| severity(line) > severity(known)) {
            worst = Some((name, line));
        }
    }
    match worst {
        Some((name, line)) => {
            let several = lines.is_some_and(|lines| lines.len() > 1);
            (
                line.figure.verdict.clone(),
                several.then(|| name.clone()),
                line.figure.reason.clone(),
            )
        }
        None => (
            Verdict::NotMeasured,
            None,
            Some(format!("no other {} was asked", noun(axis))),
        ),
    }
}

fn missing_verdict(counts: &CountSummary, limit: f64) -> (Verdict, Option<String>, Option<String>) {
    let lost = counts.failed + counts.unreadable + counts.unasked;
    // What is on record was not asked, and could not fail.
    let asks = counts.asks - counts.recorded;
    let share = real(lost) / real(asks);
    let verdict = if asks == 0 {
        Verdict::NotMeasured
    } else if share <= limit {
        Verdict::WithinLimit
    } else {
        Verdict::OverLimit
    };
    (verdict, None, Some(format!("{lost} of {asks} asks")))
}
