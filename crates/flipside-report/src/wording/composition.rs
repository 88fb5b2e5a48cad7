//! Composition in words: what an option less or more does to the choice among the others.

use flipside_core::drift_gate::digits;
use flipside_core::gate::Population;
use flipside_core::plan::VacuousReason;
use flipside_core::summary::{
    Attention, AttentionReason, ChoiceDropped, DecoyComposition, DriftQuantity, DropComposition,
    EqualSize, Figure, PairShare, SharedOptions, SingleOptions,
};

use super::drift::{quantity, why};
use super::figure::{Said, claimed, figure_notes, said};
use super::number::{count, percent, range};
use super::split::more_clusters;
use super::text::{list, plural};

/// The word on leaving options out, its reason and its counts. `clustered`: whether clusters are declared.
pub fn drop_verdict(found: &DropComposition, clustered: bool) -> Said {
    let left_out = match found.choice_dropped.pairs {
        0 => None,
        n => Some(format!(
            "{} without the choice itself",
            plural(n, "more pair", "more pairs")
        )),
    };
    verdict(
        &found.figure,
        &found.vacuous_reasons.iter().collect::<Vec<_>>(),
        [
            found.no_decision_flips,
            found.other_version,
            found.declared_same,
        ],
        left_out,
        clustered,
    )
}

/// The word on adding decoys, its reason and its counts. `clustered`: whether clusters are declared.
pub fn decoy_verdict(found: &DecoyComposition, clustered: bool) -> Said {
    verdict(
        &found.figure,
        &found.vacuous_reasons.iter().collect::<Vec<_>>(),
        [
            found.no_decision_flips,
            found.other_version,
            found.declared_same,
        ],
        None,
        clustered,
    )
}

fn verdict(
    figure: &Figure,
    reasons: &[(&VacuousReason, &u64)],
    [no_decision_flips, other_version, declared_same]: [u64; 3],
    first: Option<String>,
    clustered: bool,
) -> Said {
    let mut notes: Vec<String> = first.into_iter().collect();
    if no_decision_flips > 0 {
        let flips = plural(no_decision_flips, "flip", "flips");
        notes.push(format!("{flips} to or from no decision"));
    }
    if declared_same > 0 {
        notes.push(format!("{} with an equal option", count(declared_same)));
    }
    let vacuous = reasons.iter().map(|(reason, n)| match reasons.len() {
        1 => reason.text().to_owned(),
        _ => format!("{}: {}", count(**n), reason.text()),
    });
    let vacuous: Vec<String> = vacuous.collect();
    let vacuous = format!("{} vacuous ({})", count(figure.vacuous), list(&vacuous));
    notes.extend(figure_notes(figure, Some(vacuous), other_version));
    let settle = if clustered {
        more_clusters(figure.clusters.as_ref())
    } else {
        let more = figure
            .clusters
            .as_ref()
            .and_then(|found| found.more_clusters);
        more.map(|more| {
            let cases = plural(more, "more case", "more cases");
            format!("about {cases} without a flip would settle it")
        })
    };
    said(figure, settle, &notes)
}

/// Whether what is listed beside an option matters to it, as a word and what follows it. `blind`: whether the order does not.
pub fn attention(found: Attention, reason: Option<AttentionReason>, blind: bool) -> Said {
    let order = if blind { ", not to their order" } else { "" };
    let (word, rest) = match (found, reason) {
        (Attention::Attentive, _) => ("attentive", format!(" to which options are listed{order}")),
        (Attention::Size, _) => (
            "sized",
            format!(": it matters how many options are listed, not which{order}"),
        ),
        (Attention::AttentiveOrSize, _) => (
            "attentive",
            format!(" to which or how many options are listed{order}"),
        ),
        (Attention::Independent, _) => (
            "independent",
            ": each option is scored for itself".to_owned(),
        ),
        (Attention::Open, Some(reason)) => ("open", format!(": {}", why_open(reason))),
        (Attention::Open, None) => ("open", String::new()),
    };
    Said {
        word: word.to_owned(),
        rest,
    }
}

fn why_open(reason: AttentionReason) -> &'static str {
    match reason {
        AttentionReason::NoAnswers => "no pair has two answers",
        AttentionReason::NoProbabilities => {
            "choices did not move, and answers without probabilities hide the rest"
        }
        AttentionReason::Zeros => "choices did not move, and probabilities of 0 hide the rest",
        AttentionReason::Rounded => "nothing moved beyond rounding, which may hide the rest",
        AttentionReason::Missing => "nothing moved in the answers there are, and some are missing",
        AttentionReason::Flips => "choices moved, and were not shown to come again",
        AttentionReason::NoControl => {
            "log-odds moved, and no control with probabilities tells it from noise; add `same:1` to `--order`"
        }
        AttentionReason::NoisyControl => "log-odds moved, and so do those of the control",
    }
}

/// Where the choice was left out: `runner-up kept in 22/24`.
pub fn runner_up(found: &ChoiceDropped) -> Option<String> {
    let share = &found.runner_up;
    (share.of > 0).then(|| format!("runner-up kept in {}", part(share)))
}

/// How often the decoy itself was chosen: `decoy chosen in 2/30 (up to 19.5% in general)`.
pub fn chosen(found: &DecoyComposition, population: Population) -> Option<String> {
    let share = &found.chosen;
    let upper = share.upper.filter(|_| share.of > 0)?;
    let bound = claimed(format!("up to {} in general", percent(upper)), population);
    Some(format!("decoy chosen in {} ({bound})", part(share)))
}

/// What its presence did to the choice among the others: `others moved in 1/28`.
pub fn moved_others(found: &DecoyComposition) -> Option<String> {
    let share = &found.moved_others;
    (share.of > 0).then(|| format!("choice among the others moved in {}", part(share)))
}

/// How log-odds of the options that both lists show moved: `log-odds moved by 0.02 (median), 0.31 (p95), beyond rounding to 0.01
/// in 3/140`.
pub fn shared(found: &SharedOptions) -> String {
    let log_odds = &found.log_odds;
    let moved = match (log_odds.median, log_odds.p95, log_odds.largest) {
        (Some(_), Some(_), Some(largest)) if largest <= found.tolerance => {
            "no log-odds moved".to_owned()
        }
        (Some(median), Some(p95), Some(_)) => {
            // What float error explains is no move.
            let amount = |value: f64| digits(if value <= found.tolerance { 0.0 } else { value });
            let (median, p95) = (amount(median), amount(p95));
            format!("log-odds moved by {median} (median), {p95} (p95)")
        }
        _ => format!("no log-odds: {}", log_odds.reason.map_or("no pairs", why)),
    };
    match beyond(found) {
        Some(beyond) if log_odds.largest > Some(found.tolerance) => format!("{moved}, {beyond}"),
        Some(beyond) if found.beyond_rounding.hits > 0 => format!("{moved}; moved {beyond}"),
        _ => moved,
    }
}

fn beyond(found: &SharedOptions) -> Option<String> {
    let share = &found.beyond_rounding;
    let explained = match found.step {
        Some(step) => format!("rounding to {}", digits(step)),
        None => "float error".to_owned(),
    };
    (share.of > 0).then(|| format!("beyond {explained} in {}", part(share)))
}

/// Lists of equal size, where they tell something: `at equal size 2/60 flipped`.
pub fn equal_size(found: Option<&EqualSize>) -> Option<String> {
    let found = found.filter(|found| found.pairs > 0)?;
    let left = match found.left {
        0 => String::new(),
        n => format!(", {} left the choice alike", count(n)),
    };
    Some(format!(
        "at equal size {}/{} flipped{left}",
        count(found.flips),
        count(found.pairs)
    ))
}

fn part(share: &PairShare) -> String {
    format!("{}/{}", count(share.hits), count(share.of))
}

/// A share with its interval: `3/140 (2.1%, 95% CI 0.7-6.1%)`.
fn whole(share: &PairShare) -> String {
    match (share.rate, share.interval) {
        (Some(rate), Some(interval)) => format!(
            "{} ({}, 95% CI {})",
            part(share),
            percent(rate),
            range(interval)
        ),
        _ => "0/0".to_owned(),
    }
}

/// Everything about leaving options out, a name and a text each.
pub fn drop_in_full(found: &DropComposition) -> Vec<(&'static str, String)> {
    let dropped = &found.choice_dropped;
    let mut told = Vec::new();
    if dropped.pairs > 0 {
        let apart = [
            (dropped.tied, "of them with several next"),
            (dropped.equal_stayed, "with an equal option left"),
            (dropped.no_runner_up, "without a known runner-up"),
            (dropped.no_decision, "without a decision"),
            (dropped.missing, "missing"),
            (dropped.unasked, "unasked"),
        ];
        told.push((
            "runner-up",
            format!(
                "kept in {}; {} without the choice itself{}",
                whole(&dropped.runner_up),
                plural(dropped.pairs, "pair", "pairs"),
                counted(&apart)
            ),
        ));
    }
    told.extend(shared_in_full(
        &found.shared,
        ["log-odds", "Luce distance", "rounding"],
    ));
    told.extend(equal_size_in_full(found.equal_size.as_ref()));
    told.push(("single options", single_options(&found.single_options)));
    told
}

/// How many comparisons of single options there are, as published studies count them.
fn single_options(found: &SingleOptions) -> String {
    let of = |answered: u64, all: u64| {
        if answered == all {
            count(all)
        } else {
            format!("{} of {}", count(answered), count(all))
        }
    };
    format!(
        "{} beside an option left out, {} at equal size with one neighbour exchanged",
        of(found.left_out_answered, found.left_out),
        of(found.exchanged_answered, found.exchanged)
    )
}

/// Everything about adding decoys, a name and a text each.
pub fn decoy_in_full(found: &DecoyComposition) -> Vec<(&'static str, String)> {
    let mut told = vec![
        ("chosen", format!("in {}", whole(&found.chosen))),
        ("others", format!("moved in {}", whole(&found.moved_others))),
    ];
    told.extend(shared_in_full(
        &found.shared,
        ["log-odds", "Luce distance", "rounding"],
    ));
    told.extend(equal_size_in_full(found.equal_size.as_ref()));
    told
}

fn shared_in_full(found: &SharedOptions, names: [&'static str; 3]) -> Vec<(&'static str, String)> {
    let measured = |of: &DriftQuantity| quantity(of);
    let steps = match found.step {
        Some(step) => format!("steps of {}", digits(step)),
        None => "no decimal steps".to_owned(),
    };
    let apart = [
        (found.zeros, "with a probability of 0"),
        (found.without_probabilities, "without probabilities"),
    ];
    let rounding = format!(
        "moved beyond it in {}; {steps}, tolerance {}{}",
        whole(&found.beyond_rounding),
        digits(found.tolerance),
        counted(&apart)
    );
    vec![
        (names[0], measured(&found.log_odds)),
        (names[1], measured(&found.luce_distance)),
        (names[2], rounding),
    ]
}

fn equal_size_in_full(found: Option<&EqualSize>) -> Vec<(&'static str, String)> {
    let Some(found) = found else {
        return Vec::new();
    };
    let flips = PairShare {
        of: found.pairs,
        hits: found.flips,
        rate: found.rate,
        interval: found.interval,
        lower: found.lower,
        upper: found.upper,
    };
    let apart = [
        (found.tie_flips, "within a tie"),
        (found.left, "left the choice alike"),
        (found.unshared, "chose what one list lacks"),
        (found.no_decision, "without a decision"),
        (found.missing, "missing"),
        (found.unasked, "unasked"),
    ];
    let mut told = vec![(
        "equal size",
        format!("{} flipped{}", whole(&flips), counted(&apart)),
    )];
    told.extend(shared_in_full(
        &found.shared,
        ["its log-odds", "its Luce distance", "its rounding"],
    ));
    told
}

/// Counts under their names, those of nothing left out: `, 2 missing, 1 unasked`.
fn counted(named: &[(u64, &str)]) -> String {
    let some = named.iter().filter(|(n, _)| *n > 0);
    some.map(|(n, name)| format!(", {} {name}", count(*n)))
        .collect::<Vec<_>>()
        .concat()
}
