//! What is on record against what was answered now.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use crate::case::Case;
use crate::gate::Gates;
use crate::measure::accuracy::{LEVEL, right};
use crate::measure::line::{self, Ruling};
use crate::measure::pair::{Said, said_of};
use crate::measure::table::{CasePair, Table};
use crate::measure::units::share_interval;
use crate::measure::{drift, routing, score};
use crate::order::OptionId;
use crate::perturb::Axis;
use crate::plan::{Baseline, Plan};
use crate::record::Outcome;
use crate::recorded::{BACKEND, RecordingTally};
use crate::stats::proportion;
use crate::summary::{Merged, Recorded, RecordedAccuracy, RecordedLine};

/// What a recorded outcome is compared by.
pub(crate) struct Comparing<'a> {
    pub(crate) gates: &'a Gates,
    /// The field by whose values cases depend on each other.
    pub(crate) cluster: Option<&'a str>,
    pub(crate) threshold: Option<f64>,
    /// Whether the number of cases was fixed beforehand.
    pub(crate) fixed: bool,
}

/// What is on record of the plan's cases; `None` where nothing is and they come from no recording.
pub(crate) fn recorded(
    table: &Table<'_>,
    by: &Comparing<'_>,
    recordings: Vec<RecordingTally>,
) -> Option<Recorded> {
    let plan = table.plan;
    let outcomes: Vec<(usize, &Outcome)> = (plan.cases.iter().enumerate())
        .filter_map(|(place, case)| Some((place, case.brought.recorded.as_deref()?)))
        .collect();
    if outcomes.is_empty() && recordings.is_empty() {
        return None;
    }
    let answered = outcomes.iter();
    let answered = answered.filter(|(_, outcome)| matches!(outcome, Outcome::Answered(_)));
    let line = if plan.baseline == Baseline::Recorded {
        Err(
            "the recorded answers are the baseline's, so that nothing was asked to compare them with",
        )
    } else if outcomes.is_empty() {
        Err("no answer is on record")
    } else if by.fixed {
        Ok(compared(table, &outcomes, by))
    } else {
        Err("asking adaptively stops by its flips, and what it asked is no sample of the record")
    };
    let (line, reason) = match line {
        Ok(line) => (Some(line), None),
        Err(reason) => (None, Some(reason.to_owned())),
    };
    Some(Recorded {
        baseline: plan.baseline,
        recordings,
        cases: outcomes.len() as u64,
        answered: answered.count() as u64,
        as_baseline: plan.recorded_asks() as u64,
        merged: merged(plan),
        accuracy: accuracy(plan, &outcomes, by.cluster),
        line,
        reason,
    })
}

fn compared(table: &Table<'_>, outcomes: &[(usize, &Outcome)], by: &Comparing<'_>) -> RecordedLine {
    let pairs: Vec<CasePair<'_>> = outcomes
        .iter()
        .map(|&(place, then)| pair(table, place, then))
        .collect();
    let gates = by.gates;
    let counts = line::tally(&pairs, 0).counts();
    let ruling = Ruling::new(counts, line::outcomes(&pairs), None, false, gates);
    let mut line = line::line(
        Axis::Same,
        &pairs,
        IndexMap::new(),
        &ruling,
        by.cluster,
        line::control_words,
    );
    let lost = line.figure.missing + line.figure.unasked;
    let mut ranks = drift::RankDraws::default();
    line.drift = Some(drift::Measured::new(&pairs).figure(&mut ranks, by.cluster));
    line.routing = by
        .threshold
        .map(|threshold| routing::routing(&pairs, threshold, lost, gates, by.cluster));
    line.score = score::score(&pairs, by.cluster);
    let failed = |wanted: &dyn Fn(&CasePair<'_>) -> Said| {
        let missing = pairs.iter().filter(|each| wanted(each) == Said::Missing);
        missing.count() as u64
    };
    let other_model = pairs.iter().filter(|each| {
        let served = each
            .answers
            .map(|(then, now)| (then.served_model.as_ref(), now.served_model.as_ref()));
        matches!(served, Some((Some(then), Some(now))) if then != now)
    });
    let cases = || outcomes.iter().map(|(place, _)| *place);
    let then = outcomes.iter().filter_map(|(_, outcome)| match outcome {
        Outcome::Answered(answer) => answer.served_model.as_deref(),
        Outcome::Failed(_) => None,
    });
    let now = cases().filter_map(|place| table.baseline_answer(place)?.served_model.as_deref());
    RecordedLine {
        other_model: other_model.count() as u64,
        failed_then: failed(&|each| each.own),
        failed_now: failed(&|each| each.variant),
        backends: each_once(cases().filter_map(|place| table.plan.cases[place].field(BACKEND))),
        served_then: each_once(then),
        served_now: each_once(now),
        line,
    }
}

/// The recorded outcome of a case, as what its baseline now is compared with.
fn pair<'a>(table: &Table<'a>, place: usize, then: &'a Outcome) -> CasePair<'a> {
    let case = &table.plan.cases[place];
    let ask = table.baseline(place);
    let order = &table.plan.asks[ask].order;
    let answer = match then {
        Outcome::Answered(answer) => Some(answer),
        Outcome::Failed(_) => None,
    };
    let unreadable =
        |outcome: &Outcome| matches!(outcome, Outcome::Answered(answer) if answer.is_unreadable());
    let now = table.asked[ask].as_ref().map(|asked| &asked.outcome);
    CasePair {
        ask,
        case,
        order,
        from: order,
        own: said_of(then).within(case),
        variant: table.said(ask),
        answers: answer
            .filter(|answer| !answer.is_unreadable())
            .zip(table.answer(ask)),
        other_version: false,
        unreadable: unreadable(then) || now.is_some_and(unreadable),
    }
}

/// The texts in the order in which they appear first.
fn each_once<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let first = texts.filter(|text| seen.insert(*text));
    first.map(str::to_owned).collect()
}

fn accuracy(
    plan: &Plan,
    outcomes: &[(usize, &Outcome)],
    cluster: Option<&str>,
) -> Option<RecordedAccuracy> {
    let rights: Vec<(&Case, bool)> = outcomes
        .iter()
        .filter_map(|(place, outcome)| {
            let case = &plan.cases[*place];
            Some((case, right(case, said_of(outcome))?))
        })
        .collect();
    let accepted = rights.iter().filter(|(_, right)| *right).count() as u64;
    let share = proportion::wilson(accepted, rights.len() as u64, LEVEL).ok()?;
    Some(RecordedAccuracy {
        right: accepted,
        of: rights.len() as u64,
        rate: share.value,
        interval: share_interval(cluster, rights)?,
    })
}

/// The cases that stand for more than one recorded decision.
fn merged(plan: &Plan) -> Vec<Merged> {
    let mut by_case: IndexMap<&str, Vec<Option<&Outcome>>> = IndexMap::new();
    for duplicate in &plan.duplicates {
        let known = by_case.entry(&duplicate.same_as.0).or_default();
        known.push(duplicate.recorded.as_deref());
    }
    let case = |case: &Case| {
        let others = by_case.get(case.id.0.as_str())?;
        let own = case.brought.recorded.as_deref()?;
        let chosen = |outcome: &Outcome| match said_of(outcome).within(case) {
            Said::Chose { id, .. } => Some(Some(id)),
            Said::Nothing => Some(None),
            Said::Missing | Said::Unasked => None,
        };
        let all = std::iter::once(own).chain(others.iter().copied().flatten());
        let answers: BTreeSet<Option<OptionId>> = all.filter_map(chosen).collect();
        Some(Merged {
            case: case.id.0.clone(),
            decisions: 1 + others.len() as u64,
            answers: answers.len() as u64,
        })
    };
    plan.cases.iter().filter_map(case).collect()
}
