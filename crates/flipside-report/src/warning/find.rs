//! Which warnings a summary gives rise to.

use std::collections::BTreeMap;

use flipside_core::case::QuestionKind;
use flipside_core::perturb::Axis;
use flipside_core::record::FailedKind;
use flipside_core::summary::{AskStatus, AskSummary, CaseSummary, Line, Summary, Verdict};

use super::kind::Warning;

/// Above this share of failed asks, what is missing may matter more than what was measured.
const FAILED_SHARE: f64 = 0.02;
/// Fewer equal answers than this happen by chance.
const CONSTANT_ANSWERS: u64 = 5;

/// The warnings of a finished summary, the gravest first. None advises what the summary's plan did already.
pub fn warnings(summary: &Summary) -> Vec<Warning> {
    let found = [
        failed_asks(summary),
        served_models(summary),
        confidence_kind(summary),
        no_labels(summary),
        control_flips(summary),
        no_control(summary),
        tie_flips_only(summary),
        constant_answer(summary),
        reversal_alone(summary),
        integer_keys(summary),
        sampled(summary),
        duplicates(summary),
    ];
    found.into_iter().flatten().collect()
}

fn orders(summary: &Summary) -> impl Iterator<Item = (&String, &Line)> {
    summary.axes.get(Axis::Order.name()).into_iter().flatten()
}

/// The order that flips most, with its flips and pairs; none if nothing flipped.
fn worst(summary: &Summary) -> Option<(&String, &Line, (u64, u64))> {
    let flipping = orders(summary).filter(|(_, line)| line.figure.flips > Some(0));
    let rate = |line: &Line| line.figure.rate.unwrap_or(0.0);
    // The first of equals.
    let (name, line) = flipping.reduce(|best, next| {
        if rate(next.1) > rate(best.1) {
            next
        } else {
            best
        }
    })?;
    Some((name, line, (line.figure.flips?, line.figure.pairs)))
}

fn control_flips(summary: &Summary) -> Option<Warning> {
    let control = &summary.control.as_ref()?.figure;
    let (variant, line, flips) = worst(summary)?;
    let as_often = control.flips > Some(0) && control.rate >= line.figure.rate;
    as_often.then_some(())?;
    Some(Warning::ControlFlips {
        control: (control.flips?, control.pairs),
        variant: variant.clone(),
        flips,
    })
}

fn no_control(summary: &Summary) -> Option<Warning> {
    let blamed =
        |verdict: &Verdict| matches!(verdict, Verdict::OrderSensitive | Verdict::CauseOpen);
    let failed = summary
        .gates
        .iter()
        .any(|gate| gate.subject.starts_with("order") && blamed(&gate.verdict));
    let (variant, _, flips) = worst(summary)?;
    (failed && summary.control.is_none()).then(|| Warning::NoControl {
        variant: variant.clone(),
        flips,
    })
}

fn asks(summary: &Summary) -> impl Iterator<Item = &AskSummary> {
    summary.cases.iter().flat_map(|case| &case.asks)
}

#[expect(clippy::cast_precision_loss, reason = "ask counts are far below 2^52")]
fn failed_asks(summary: &Summary) -> Option<Warning> {
    let (failed, made) = (
        summary.counts.failed,
        summary.counts.failed + summary.counts.answered,
    );
    if failed as f64 <= FAILED_SHARE * made as f64 {
        return None;
    }
    let mut kinds: BTreeMap<FailedKind, u64> = BTreeMap::new();
    for kind in asks(summary).filter_map(|ask| ask.failed) {
        *kinds.entry(kind).or_insert(0) += 1;
    }
    let most = kinds
        .into_iter()
        .max_by_key(|(_, n)| *n)
        .map(|(kind, _)| kind);
    Some(Warning::FailedAsks { failed, made, most })
}

/// Whether JavaScript treats `key` as an array index, which it moves before all other members.
fn integer_like(key: &str) -> bool {
    key.parse::<u32>()
        .is_ok_and(|index| index < u32::MAX && index.to_string() == key)
}

fn integer_keys(summary: &Summary) -> Option<Warning> {
    if !summary.model.object_order {
        return None;
    }
    // The levels of a score go out as an array, and the sides of a noul are no integers.
    let affected = |case: &&CaseSummary| {
        case.question == QuestionKind::Choice
            && case.keys.len() > 1
            && case.keys.iter().any(|key| integer_like(key))
    };
    let cases = summary.cases.iter().filter(affected).count() as u64;
    let key = summary
        .cases
        .iter()
        .filter(affected)
        .flat_map(|case| &case.keys)
        .find(|key| integer_like(key))?;
    Some(Warning::IntegerKeys {
        cases,
        key: key.to_string(),
    })
}

fn sampled(summary: &Summary) -> Option<Warning> {
    summary.plan.sampled.then_some(Warning::Sampled)
}

fn confidence_kind(summary: &Summary) -> Option<Warning> {
    let (declared, fits) = (summary.model.confidence?, &summary.model.confidence_fits);
    (!fits.is_empty() && !fits.contains(&declared)).then(|| Warning::ConfidenceKind {
        declared: declared.name(),
        fits: fits.iter().map(|kind| kind.name()).collect(),
    })
}

fn served_models(summary: &Summary) -> Option<Warning> {
    let served = &summary.model.served;
    (served.len() > 1).then(|| Warning::ServedModels {
        served: served.clone(),
    })
}

fn constant_answer(summary: &Summary) -> Option<Warning> {
    let own = |case: &CaseSummary| {
        let ask = case
            .asks
            .iter()
            .find(|ask| ask.axis == Axis::Baseline && ask.status == AskStatus::Answered)?;
        Some((ask.choice?.0, ask.key.as_ref()?.to_string()))
    };
    let answers: Vec<(u16, String)> = summary
        .cases
        .iter()
        .filter(|case| case.keys.len() > 1)
        .filter_map(own)
        .collect();
    let (position, key) = answers.first()?.clone();
    let position = answers
        .iter()
        .all(|(place, _)| *place == position)
        .then_some(position);
    let key = answers.iter().all(|(_, each)| *each == key).then_some(key);
    let answers = answers.len() as u64;
    if answers < CONSTANT_ANSWERS || (position.is_none() && key.is_none()) {
        return None;
    }
    Some(Warning::ConstantAnswer {
        answers,
        key,
        position,
        orders: orders(summary).next().is_some(),
    })
}

fn tie_flips_only(summary: &Summary) -> Option<Warning> {
    let sum = |of: fn(&Line) -> Option<u64>| {
        orders(summary)
            .filter_map(|(_, line)| of(line))
            .sum::<u64>()
    };
    let flips = sum(|line| line.figure.flips);
    (flips > 0 && sum(|line| line.figure.firm_flips) == 0)
        .then_some(Warning::TieFlipsOnly { flips })
}

fn duplicates(summary: &Summary) -> Option<Warning> {
    let left_out = summary.counts.duplicates;
    (left_out > 0).then_some(Warning::Duplicates { left_out })
}

fn no_labels(summary: &Summary) -> Option<Warning> {
    let gated = summary.gates.iter().any(|gate| gate.subject == "fit");
    (gated && summary.counts.labelled == 0).then_some(Warning::NoLabels)
}

fn reversal_alone(summary: &Summary) -> Option<Warning> {
    let mut asked = orders(summary);
    let (name, line) = asked.next()?;
    let alone = name == "reverse" && asked.next().is_none();
    // Where reversing shows it already, another order is no longer needed to see it.
    let shown = matches!(line.figure.verdict, Verdict::OrderSensitive);
    let cases = summary
        .cases
        .iter()
        .filter(|case| case.keys.len() > 2)
        .count() as u64;
    (alone && !shown && cases > 0).then_some(Warning::ReversalAlone {
        cases,
        control: summary.control.is_some(),
    })
}
