//! Which warnings a summary gives rise to.

use std::collections::BTreeMap;
use std::sync::Arc;

use flipside_core::canary::{Canary, OrderFinding, integer_like};
use flipside_core::case::QuestionKind;
use flipside_core::perturb::Axis;
use flipside_core::record::FailedKind;
use flipside_core::summary::{
    AskStatus, AskSummary, CaseSummary, GateLine, Line, PositionPreference, ServedVersion, Summary,
    Unseen, Verdict,
};
use indexmap::IndexMap;

use super::kind::{ConstantAnswer, Flipping, Warning};
use super::{labels, recorded};

/// Above this share of failed asks, what is missing may matter more than what was measured.
const FAILED_SHARE: f64 = 0.02;
/// Remarks that are shown.
const REMARKS: usize = 3;
/// Fewer equal answers than this happen by chance.
const CONSTANT_ANSWERS: u64 = 5;

/// The warnings of a finished summary, the gravest first. None advises what the summary's plan did already.
pub fn warnings(summary: &Summary) -> Vec<Warning> {
    if summary.recorded_pairs.is_some() {
        // Nothing of a record can be asked in another way.
        let found = [
            confidence_kind(summary),
            no_labels(summary),
            labels::gold_in_one_position(summary),
            tie_flips_only(summary),
            constant_answer(summary).or_else(|| labels::position_beats(summary)),
        ];
        let recorded = recorded::warnings(summary);
        return recorded
            .into_iter()
            .chain(found.into_iter().flatten())
            .collect();
    }
    let found = [
        failed_asks(summary),
        served_models(summary),
        confidence_kind(summary),
        no_labels(summary),
        labels::gold_in_one_position(summary),
        labels::equal_texts(summary),
        labels::shared_states(summary),
        nothing_to_measure(summary),
        control_flips(summary),
        no_control(summary),
        tie_flips_only(summary),
        constant_answer(summary).or_else(|| labels::position_beats(summary)),
        reversal_alone(summary),
        rotations_alone(summary),
        fixed_positions(summary),
        integer_keys(summary),
        sampled(summary),
        duplicates(summary),
    ];
    let found = found.into_iter().flatten();
    found.chain(remarks(summary)).collect()
}

/// What replies deserve a warning for, the most frequent first and of many the first few.
fn remarks(summary: &Summary) -> Vec<Warning> {
    let (found, counts) = (&summary.remarks, &summary.counts);
    let of = counts.answered - counts.recorded;
    let shown = found
        .texts
        .iter()
        .take(REMARKS)
        .map(|remark| Warning::Remark {
            text: remark.text.clone(),
            answers: remark.answers,
            of,
        });
    let more = (found.texts.len().saturating_sub(REMARKS)) as u64 + found.more;
    shown
        .chain((more > 0).then_some(Warning::MoreRemarks { more }))
        .collect()
}

fn orders(summary: &Summary) -> impl Iterator<Item = (&String, &Line)> {
    summary.axes.get(Axis::Order.name()).into_iter().flatten()
}

/// Of every axis the variant that flips most, with its share; none of an axis under which nothing flipped.
fn worst(summary: &Summary) -> Vec<(Flipping, f64)> {
    let flipping = |(name, line): (&String, &Line)| {
        let flips = line.figure.flips.filter(|flips| *flips > 0)?;
        Some((name.clone(), flips, line.figure.pairs, line.figure.rate?))
    };
    let worst = |(axis, lines): (&String, &IndexMap<String, Line>)| {
        // The first of equals.
        let (variant, flips, pairs, rate) = lines
            .iter()
            .filter_map(flipping)
            .reduce(|worst, next| if next.3 > worst.3 { next } else { worst })?;
        let axis = axis.clone();
        Some((
            Flipping {
                axis,
                variant,
                flips,
                pairs,
            },
            rate,
        ))
    };
    summary.axes.iter().filter_map(worst).collect()
}

fn control_flips(summary: &Summary) -> Option<Warning> {
    let control = &summary.control.as_ref()?.figure;
    let (flips @ 1.., noise) = (control.flips?, control.rate?) else {
        return None;
    };
    let worst = worst(summary).into_iter();
    let as_often = worst.filter(|(_, rate)| noise >= *rate);
    let worst: Vec<Flipping> = as_often.map(|(each, _)| each).collect();
    (!worst.is_empty()).then_some(Warning::ControlFlips {
        control: (flips, control.pairs),
        worst,
    })
}

/// The axis that a gate is about, if it is about one.
fn axis_of(gate: &GateLine) -> &str {
    gate.subject
        .split_once('.')
        .map_or(gate.subject.as_str(), |(axis, _)| axis)
}

fn no_control(summary: &Summary) -> Option<Warning> {
    let worst = blamed(summary);
    (!worst.is_empty()).then(|| Warning::NoControl {
        worst,
        orders: orders(summary).next().is_some(),
    })
}

/// The worst of every axis whose gate failed, where neither a control was asked nor a flip of the axis once more.
pub(super) fn blamed(summary: &Summary) -> Vec<Flipping> {
    let blamed = |verdict: &Verdict| verdict.is_sensitive() || *verdict == Verdict::CauseOpen;
    let failed = |axis: &str| {
        let mut gates = summary.gates.iter();
        gates.any(|gate| axis_of(gate) == axis && blamed(&gate.verdict))
    };
    if summary.control.is_some() {
        return Vec::new();
    }
    let worst = worst(summary).into_iter().map(|(each, _)| each);
    let unchecked =
        worst.filter(|each| failed(&each.axis) && !summary.confirmed.contains_key(&each.axis));
    unchecked.collect()
}

/// Axes beside the order: that every case has one option is no fault of what was asked.
fn nothing_to_measure(summary: &Summary) -> Option<Warning> {
    let nothing = |gate: &&GateLine| {
        gate.verdict == Verdict::NotApplicable
            && Axis::parse(&gate.subject).is_some_and(|axis| axis != Axis::Order)
    };
    let gates = summary.gates.iter().filter(nothing);
    let axes: Vec<String> = gates.map(|gate| gate.subject.clone()).collect();
    (!axes.is_empty()).then_some(Warning::NothingToMeasure { axes })
}

fn asks(summary: &Summary) -> impl Iterator<Item = &AskSummary> {
    summary.cases.iter().flat_map(|case| &case.asks)
}

/// Whether more of `made` asks failed than can be shrugged off.
#[expect(clippy::cast_precision_loss, reason = "ask counts are far below 2^52")]
pub(super) fn failed_share(failed: u64, made: u64) -> bool {
    failed as f64 > FAILED_SHARE * made as f64
}

fn failed_asks(summary: &Summary) -> Option<Warning> {
    let (failed, made) = (
        summary.counts.failed,
        summary.counts.failed + summary.counts.answered - summary.counts.recorded,
    );
    if !failed_share(failed, made) {
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

/// Whether choices of the run have keys that JavaScript would move.
pub(crate) fn shows_integer_keys(summary: &Summary) -> bool {
    let mut choices = summary.cases.iter();
    choices.any(|case| case.question == QuestionKind::Choice && integer_key(case).is_some())
}

fn integer_keys(summary: &Summary) -> Option<Warning> {
    // Where the canary saw orders of such keys arrive there is nothing to fear.
    let arrive = |canary: &Canary| canary.order == OrderFinding::Arrives;
    if !summary.model.object_order || summary.canary.as_ref().is_some_and(arrive) {
        return None;
    }
    // The levels of a score go out as an array, and the sides of a noul are no integers.
    let choices = summary.cases.iter();
    let choices = choices.filter(|case| case.question == QuestionKind::Choice);
    let keys: Vec<&str> = choices.filter_map(integer_key).collect();
    let key = keys.first()?;
    Some(Warning::IntegerKeys {
        cases: keys.len() as u64,
        key: (*key).to_owned(),
    })
}

/// A key of the case that JavaScript would move: among its own, or among those of an ask that it would show in another order.
fn integer_key(case: &CaseSummary) -> Option<&str> {
    let integer = |keys: &&[Arc<str>]| keys.len() > 1 && keys.iter().any(|key| integer_like(key));
    let own = Some(&case.keys[..]).filter(integer);
    let renamed = || {
        let shown = case.asks.iter().map(|ask| &ask.keys[..]);
        shown.filter(|keys| is_moved(keys)).find(integer)
    };
    let keys = own.or_else(renamed)?;
    keys.iter().map(|key| &**key).find(|key| integer_like(key))
}

/// Whether JavaScript would list members with these keys in another order: integers first, ascending.
fn is_moved(keys: &[Arc<str>]) -> bool {
    let rank = |key: &Arc<str>| match key.parse::<u32>() {
        Ok(index) if integer_like(key) => index,
        _ => u32::MAX,
    };
    !keys.is_sorted_by_key(rank)
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
    let versions = &summary.model.versions;
    let differ = |one: &ServedVersion| {
        versions
            .iter()
            .any(|other| one.version().differs_from(&other.version()))
    };
    // Of two that say different things of themselves one may only say less.
    versions.iter().any(differ).then(|| Warning::ServedModels {
        versions: versions.clone(),
    })
}

fn constant_answer(summary: &Summary) -> Option<Warning> {
    let answered = |axis: fn(Axis) -> bool| -> Vec<(Option<u16>, Option<u16>, &str)> {
        let cases = summary.cases.iter().filter(|case| case.keys.len() > 1);
        let asks = cases.flat_map(|case| case.asks.iter().map(move |ask| (case, ask)));
        asks.filter(|(_, ask)| axis(ask.axis) && ask.status == AskStatus::Answered)
            .filter_map(|(case, ask)| {
                let id = ask.choice?;
                let place = ask.order.position_of(id)?;
                // Without an order on record neither is a place.
                let listed = |place: u16| (!case.unlisted).then_some(place);
                Some((listed(id.0), listed(place.0), ask.key.as_deref()?))
            })
            .collect()
    };
    let own = answered(|axis| axis == Axis::Baseline);
    // Under other keys or with other options an answer can be none of these, whatever the model reads.
    let all = answered(|axis| matches!(axis, Axis::Baseline | Axis::Order | Axis::Same));
    if (own.len() as u64) < CONSTANT_ANSWERS {
        return None;
    }
    // The own order alone says less: what is constant there only, may be so by content.
    let in_other_orders = all.len() > own.len() && orders(summary).next().is_some();
    for (answers, every) in [(&all, true), (&own, false)] {
        if every && !in_other_orders {
            continue;
        }
        let (id, position, key) = *answers.first()?;
        let is = |same: bool| same.then_some(());
        let key = is(answers.iter().all(|each| each.2 == key)).map(|()| key.to_owned());
        let position = position.filter(|_| answers.iter().all(|each| each.1 == position));
        let option = id.filter(|_| answers.iter().all(|each| each.0 == id));
        if key.is_some() || position.is_some() || option.is_some() {
            return Some(Warning::ConstantAnswer(ConstantAnswer {
                answers: answers.len() as u64,
                every,
                key,
                position,
                option,
                // Of a record no other order can be asked.
                orders: orders(summary).next().is_some() || summary.recorded_pairs.is_some(),
                position_baseline: baseline(summary),
                key_baseline: summary
                    .fit
                    .key_baseline
                    .as_ref()
                    .map(|best| (best.right, best.of)),
                canary: qualifying(summary),
            }));
        }
    }
    None
}

/// What the order canary found, where that may be why no order of this run changed an answer.
fn qualifying(summary: &Summary) -> Option<Canary> {
    let qualifies = |canary: &&Canary| {
        canary.order == OrderFinding::Unmoved || canary.drops_order(shows_integer_keys(summary))
    };
    summary.canary.as_ref().filter(qualifies).cloned()
}

fn baseline(summary: &Summary) -> Option<(u64, u64)> {
    let best = summary.fit.position_baseline.as_ref()?;
    Some((best.right, best.of))
}

fn tie_flips_only(summary: &Summary) -> Option<Warning> {
    let sum = |lines: &IndexMap<String, Line>, of: fn(&Line) -> Option<u64>| {
        lines.values().filter_map(of).sum::<u64>()
    };
    let (mut flips, mut axes, mut firm) = (0, Vec::new(), false);
    for (axis, lines) in &summary.axes {
        if sum(lines, |line| line.figure.firm_flips) > 0 {
            firm = true;
        } else if sum(lines, |line| line.figure.flips) > 0 {
            flips += sum(lines, |line| line.figure.flips);
            axes.push(axis.clone());
        }
    }
    if !firm {
        axes.clear();
    }
    (flips > 0).then_some(Warning::TieFlipsOnly { flips, axes })
}

fn duplicates(summary: &Summary) -> Option<Warning> {
    let left_out = summary.counts.duplicates;
    (left_out > 0).then_some(Warning::Duplicates { left_out })
}

fn no_labels(summary: &Summary) -> Option<Warning> {
    let gated = summary.gates.iter().any(|gate| gate.subject == "fit");
    (gated && summary.counts.labelled == 0).then_some(Warning::NoLabels)
}

/// Cases of three options or more, by whether `hidden` holds for the orders in which they were asked.
pub(super) fn unseen(summary: &Summary, hidden: fn(&Unseen) -> bool) -> u64 {
    let groups = summary.position.iter().flat_map(|found| &found.by_options);
    groups
        .filter(|group| hidden(&group.unseen))
        .map(|group| group.cases)
        .sum()
}

/// Whether an order gate failed by what was seen; then another order is no longer needed to see it.
fn shown(summary: &Summary) -> bool {
    orders(summary).any(|(_, line)| matches!(line.figure.verdict, Verdict::OrderSensitive))
}

fn names(summary: &Summary) -> Vec<String> {
    orders(summary).map(|(name, _)| name.clone()).collect()
}

fn reversal_alone(summary: &Summary) -> Option<Warning> {
    let cases = unseen(summary, |unseen| unseen.symmetric);
    (cases > 0 && !shown(summary)).then(|| Warning::ReversalAlone {
        asked: names(summary),
        cases,
        control: summary.control.is_some(),
    })
}

fn rotations_alone(summary: &Summary) -> Option<Warning> {
    let cases = unseen(summary, |unseen| unseen.neighbours);
    (cases > 0 && !shown(summary)).then(|| Warning::RotationsAlone {
        asked: names(summary),
        cases,
    })
}

fn fixed_positions(summary: &Summary) -> Option<Warning> {
    let groups = summary.position.iter().flat_map(|found| &found.by_options);
    // The middle of a reversal has its own warning.
    let fixed = |group: &&PositionPreference| {
        !group.unseen.fixed_positions.is_empty() && !group.unseen.symmetric
    };
    let group = groups.filter(fixed).max_by_key(|group| group.cases)?;
    let position = *group.unseen.fixed_positions.first()?;
    (!shown(summary)).then_some(Warning::FixedPosition {
        cases: group.cases,
        position,
    })
}
