//! Limits on a suite's own figures.

use super::report::{RowCounts, SuiteFigures, SuiteFlips};
use crate::foreign::Foreign;
use crate::gate::{ALPHA, Counts, GateSpec, Kind, Subject, judge_flips};
use crate::perturb::Axis;
use crate::stats::number::real;
use crate::summary::{GateLine, Rule, Verdict};

/// The gates that a suite can have, as `--gate` writes them.
pub const GATE_FORMS: &str = "`fit>=90%` (of all rows), `order<=5%`, `keys<=5%`, `phrasing<=5%`, `phrasing.p0-p1<=5%`, `phrasing.q0-q1<=5%` and \
     `missing<=1%`";

/// Under which name the wordings of a noul question are compared.
pub const QUESTIONS: &str = "q0-q1";

/// Why a gate is none of a suite's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SuiteGateError {
    /// A figure that a suite does not have.
    #[error(
        "`{}`: a suite has no such figure; its gates are {GATE_FORMS}",
        Foreign(subject)
    )]
    Subject {
        /// What the gate is about.
        subject: String,
    },
    /// The removal of a gate that is not there.
    #[error(
        "`none:{}`: a suite has no gate that is not asked for",
        Foreign(subject)
    )]
    None {
        /// What the gate would be about.
        subject: String,
    },
}

/// The limits that `specs` set on the figures of a suite.
///
/// # Errors
/// Every spec that says nothing about a suite.
pub fn limits(specs: &[GateSpec]) -> Result<Vec<(Subject, f64)>, Vec<SuiteGateError>> {
    let (mut limits, mut errors) = (Vec::new(), Vec::new());
    for spec in specs {
        let (subject, limit) = match spec {
            GateSpec::Limit(subject, limit) => (subject, *limit),
            GateSpec::None(subject) => {
                let subject = subject.name();
                errors.push(SuiteGateError::None { subject });
                continue;
            }
        };
        let known = match subject {
            Subject::Fit | Subject::Missing => true,
            Subject::Axis(axis, variant) => match axis {
                Axis::Order | Axis::Keys => variant.is_none(),
                Axis::Phrasing => true,
                _ => false,
            },
            Subject::Same | Subject::Drift(_) => false,
        };
        if known {
            limits.push((subject.clone(), limit));
        } else {
            let subject = subject.name();
            errors.push(SuiteGateError::Subject { subject });
        }
    }
    if errors.is_empty() {
        Ok(limits)
    } else {
        Err(errors)
    }
}

/// What each limit says about these rows. Nothing was asked twice, so that too many flips have an open cause.
pub(super) fn judge(
    limits: &[(Subject, f64)],
    figures: &SuiteFigures,
    counts: &RowCounts,
) -> Vec<GateLine> {
    let lines = limits.iter().map(|(subject, limit)| {
        let (verdict, decided_by, reason) = match subject {
            Subject::Fit => {
                let (verdict, reason) = fit(figures, *limit);
                (verdict, None, reason)
            }
            Subject::Missing => {
                let (verdict, reason) = missing(counts, *limit);
                (verdict, None, Some(reason))
            }
            Subject::Axis(axis, variant) => {
                let of_axis = axis_flips(figures, *axis);
                let chosen = of_axis
                    .iter()
                    .filter(|(name, _)| variant.as_ref().is_none_or(|variant| name == variant));
                worst(chosen, *limit, variant.is_none() && of_axis.len() > 1)
            }
            Subject::Same | Subject::Drift(_) => (Verdict::NotMeasured, None, None),
        };
        GateLine {
            subject: subject.name(),
            limit: *limit,
            rule: Rule::File,
            held: verdict.holds(),
            verdict,
            decided_by,
            reason,
        }
    });
    lines.collect()
}

type Named<'a> = (String, &'a SuiteFlips);

/// The comparisons of an axis, by name.
fn axis_flips(figures: &SuiteFigures, axis: Axis) -> Vec<Named<'_>> {
    let named = |name: &str, flips| (name.to_owned(), flips);
    match axis {
        Axis::Order => vec![named("reversed", &figures.order)],
        Axis::Keys => figures
            .keys
            .iter()
            .map(|flips| named("abstract", flips))
            .collect(),
        Axis::Phrasing => {
            let states = figures
                .phrasing
                .iter()
                .map(|(name, flips)| named(name, flips));
            let questions = figures.question.iter().map(|flips| named(QUESTIONS, flips));
            states.chain(questions).collect()
        }
        _ => Vec::new(),
    }
}

/// The verdict of the worst comparison, which one it is where that says something, and why.
fn worst<'a>(
    flips: impl Iterator<Item = &'a Named<'a>>,
    limit: f64,
    several: bool,
) -> (Verdict, Option<String>, Option<String>) {
    let judged = flips.map(|(name, flips)| (name, judged(flips, limit)));
    // The first of equally bad ones.
    let worst = judged.reduce(|worst, next| {
        let worse = severity(&next.1.0) > severity(&worst.1.0);
        if worse { next } else { worst }
    });
    let Some((name, (verdict, reason))) = worst else {
        let reason = "the rows have no such pairs".to_owned();
        return (Verdict::NotMeasured, None, Some(reason));
    };
    (verdict, several.then(|| name.clone()), reason)
}

fn severity(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::CauseOpen => 4,
        Verdict::Undecided => 3,
        Verdict::NotMeasured => 2,
        Verdict::NotApplicable => 1,
        _ => 0,
    }
}

fn judged(flips: &SuiteFlips, limit: f64) -> (Verdict, Option<String>) {
    let share = &flips.share;
    let counts = Counts {
        pairs: share.of,
        flips: share.hits,
        missing: share.missing + share.unasked,
        unasked: share.unasked,
        no_decision: share.no_decision,
        vacuous: flips.vacuous,
    };
    let judged = judge_flips(counts, limit, false, ALPHA);
    let verdict = match judged.kind {
        Kind::Stable => Verdict::Stable,
        Kind::Sensitive => Verdict::CauseOpen,
        Kind::Inconclusive => Verdict::Inconclusive,
        Kind::Undecided => Verdict::Undecided,
        Kind::NotApplicable => Verdict::NotApplicable,
        Kind::NotMeasured => Verdict::NotMeasured,
    };
    (verdict, judged.reason)
}

/// A missing row counts as wrong on the way to `fits` and as right on the way out.
fn fit(figures: &SuiteFigures, limit: f64) -> (Verdict, Option<String>) {
    let share = &figures.accuracy;
    let lost = share.missing + share.unasked;
    let all = share.of + lost;
    if all == 0 {
        (Verdict::NotMeasured, None)
    } else if real(share.hits) / real(all) >= limit {
        (Verdict::Fits, None)
    } else if real(share.hits + lost) / real(all) < limit {
        (Verdict::NotATask, None)
    } else {
        let reason = format!("{lost} of {all} answers are missing; ask them again first");
        (Verdict::Undecided, Some(reason))
    }
}

fn missing(counts: &RowCounts, limit: f64) -> (Verdict, String) {
    let lost = counts.failed + counts.unasked;
    let reason = format!("{lost} of {} rows", counts.rows);
    let verdict = if counts.rows == 0 {
        Verdict::NotMeasured
    } else if real(lost) / real(counts.rows) <= limit {
        Verdict::WithinLimit
    } else {
        Verdict::OverLimit
    };
    (verdict, reason)
}
