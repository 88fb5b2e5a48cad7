//! Flips and probabilities by key, and averaged answers, in words.

use flipside_core::case::QuestionKind;
use flipside_core::drift_gate::digits;
use flipside_core::summary::{
    AveragedAnswer, AveragedBy, AveragedKey, KeyChange, KeyPair, ReportedDrift,
};

use super::figure::mcnemar;
use super::number::{count, p_value};
use super::text::{foreign, name, plural};

/// An option by its key, or a level by its number: `refund`, `level 2`.
fn option(question: QuestionKind, key: &str) -> String {
    match question {
        QuestionKind::Score => format!("level {}", name(key)),
        _ => name(key),
    }
}

/// Which way flips went: `strong to cheap 108, cheap to strong 13 (exact test p 0.00123)`. The p value is the one after adjustment.
pub fn ways(pair: &KeyPair) -> String {
    let [from, to] = [&pair.from, &pair.to].map(|key| option(pair.question, key));
    let test = match pair.clusters {
        Some(_) => "exact sign test over clusters",
        None => "exact test",
    };
    let adjusted = if pair.holm_p > pair.p {
        "adjusted "
    } else {
        ""
    };
    format!(
        "{from} to {to} {}, {to} to {from} {} ({test} {adjusted}p {})",
        count(pair.forth),
        count(pair.back),
        p_value(pair.holm_p)
    )
}

/// The mean change of a key's probability: `p(cheap) +0.0407 on average (95% CI +0.035 to +0.0464)`.
pub fn gained(change: &KeyChange) -> String {
    let [lower, upper] = change.interval;
    format!(
        "p({}) {} on average (95% CI {} to {})",
        option(change.question, &change.key),
        signed(change.mean),
        signed(lower),
        signed(upper)
    )
}

/// The same with its counts: `p(cheap) .. on average (..), up in 309, down in 91 and the same in 0 of 400 cases; chosen 234 times, then
/// 329`.
pub fn key_change(change: &KeyChange) -> String {
    format!(
        "{}, up in {}, down in {} and the same in {} of {}; chosen {}, then {}",
        gained(change),
        count(change.up),
        count(change.down),
        count(change.same),
        plural(change.cases, "case", "cases"),
        plural(change.own_chosen, "time", "times"),
        count(change.chosen)
    )
}

fn signed(value: f64) -> String {
    let sign = if value > 0.0 { "+" } else { "" };
    format!("{sign}{}", digits(value))
}

/// That something is not in a list: `and 3 more pairs of keys; --json has them`.
pub fn more_keyed(more: u64, one: &str, many: &str) -> String {
    format!("and {}; --json has them", plural(more, one, many))
}

/// Pairs of keys beyond those of a short report.
pub fn more_ways(more: u64) -> Option<String> {
    let pairs = plural(more, "more pair of keys", "more pairs of keys");
    (more > 0).then(|| format!("and {pairs}, --verbose lists them"))
}

/// Averaged answers beside the own order: `198/400 right`, or without labels `72/400 changed`.
pub fn averaged_share(found: &AveragedAnswer, by: &AveragedBy) -> String {
    match &by.accuracy {
        Some(accuracy) => format!("{}/{} right", count(accuracy.right), count(accuracy.of)),
        None => changed(found, by),
    }
}

fn changed(found: &AveragedAnswer, by: &AveragedBy) -> String {
    format!("{}/{} changed", count(by.changed), count(found.cases))
}

/// What stands beside that: `own order 194/400; +1.0 points (95% CI -3.2 to +5.2), exact McNemar p 0.724; 72/400 changed, 0 ties`.
pub fn averaged_beside(found: &AveragedAnswer, by: &AveragedBy) -> String {
    let ties = plural(by.ties, "tie", "ties");
    match &by.accuracy {
        Some(accuracy) => format!(
            "own order {}/{}; {}; {}, {ties}",
            count(accuracy.own_right),
            count(accuracy.of),
            mcnemar(accuracy),
            changed(found, by)
        ),
        None => format!("from the own order's answer; {ties}"),
    }
}

/// What is in no averaged answer: `2 cases left out with an order missing, 1 without probabilities`.
pub fn averaged_left_out(found: &AveragedAnswer) -> Option<String> {
    let mut parts = Vec::new();
    if found.left_out > 0 {
        let cases = plural(found.left_out, "case", "cases");
        parts.push(format!("{cases} left out with an order missing"));
    }
    if found.without_probabilities > 0 {
        let cases = plural(found.without_probabilities, "case", "cases");
        parts.push(format!("{cases} left out without probabilities"));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// How often a key is the answer: `cheap 234 in the own order, 298 by mean, 329 by vote of 400 cases`.
pub fn averaged_key(key: &AveragedKey) -> String {
    format!(
        "{} {} in the own order, {} by mean, {} by vote of {}",
        option(key.question, &key.key),
        count(key.own),
        count(key.mean),
        count(key.vote),
        plural(key.cases, "case", "cases")
    )
}

/// Drift of probabilities as they were reported: `mean total variation 0.0574 (95% CI 0.0532 to 0.0617), mean largest change 0.0574
/// (95% CI ..), largest 0.267 (c283), 400 pairs`.
pub fn reported(drift: &ReportedDrift) -> String {
    let (Some(variation), Some(change), Some(largest)) = (
        drift.mean_total_variation,
        drift.mean_largest_change,
        drift.largest_change,
    ) else {
        return "no pairs".to_owned();
    };
    let interval = |ends: Option<[f64; 2]>| {
        ends.map(|[lower, upper]| format!(" (95% CI {} to {})", digits(lower), digits(upper)))
            .unwrap_or_default()
    };
    let worst = drift.worst.as_deref();
    let worst = worst
        .map(|id| format!(" ({})", foreign(id)))
        .unwrap_or_default();
    format!(
        "mean total variation {}{}, mean largest change {}{}, largest {}{worst}, {}",
        digits(variation),
        interval(drift.mean_total_variation_interval),
        digits(change),
        interval(drift.mean_largest_change_interval),
        digits(largest),
        plural(drift.pairs, "pair", "pairs")
    )
}
