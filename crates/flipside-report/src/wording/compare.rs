//! Comparisons in words.

use flipside_core::compare::{
    About, Comparison, LeftOut, MeanDifference, Paired, Pooled, QuantileDifference, Share,
    VerdictLine, Word,
};

use super::figure::Said;
use super::number::{count, limit, p_value, percent, points, range};
use super::text::{foreign, list, model_or_none, plural};

/// One side: its model, its folder, what it holds, and when it began.
pub fn about(about: &About) -> String {
    let mut parts = vec![format!(
        "{} in `{}`",
        model_or_none(&about.model),
        foreign(&about.name)
    )];
    let served: Vec<String> = about.served.iter().map(|name| foreign(name)).collect();
    if !served.is_empty() && about.served != [about.model.as_str()] {
        parts.push(format!("served by {}", list(&served)));
    }
    parts.push(plural(about.cases, "case", "cases"));
    let asks = plural(about.recorded, "ask", "asks");
    let failed = match about.failed {
        0 => String::new(),
        n => format!(" ({} failed)", count(n)),
    };
    let unfinished = match about.planned {
        Some(planned) if !about.complete => format!(" of {}: not finished", count(planned)),
        _ => String::new(),
    };
    let stopped = match (&about.stopped_by, about.planned) {
        (Some(rule), Some(planned)) => {
            format!(
                " of {}: ended by the rule `{}`",
                count(planned),
                foreign(rule)
            )
        }
        _ => String::new(),
    };
    parts.push(asks + &unfinished + &stopped + &failed);
    parts.extend(about.started.as_deref().map(foreign));
    parts.extend(
        about
            .flipside
            .as_deref()
            .map(|version| format!("flipside {}", foreign(version))),
    );
    parts.join(", ")
}

/// What is compared: cases in both, and the orders.
pub fn compared(comparison: &Comparison) -> String {
    let counts = &comparison.cases;
    let labelled = match counts.labelled {
        all if all == counts.common => String::new(),
        n => format!(" ({} labelled)", count(n)),
    };
    let names: Vec<&str> = comparison
        .orders
        .keys()
        .skip(1)
        .map(String::as_str)
        .collect();
    let orders = match &names[..] {
        [] if counts.unlisted == counts.common => "as recorded".to_owned(),
        [] => "own order only".to_owned(),
        few if few.len() <= 4 => {
            let own = "own order".to_owned();
            let names: Vec<String> = std::iter::once(own)
                .chain(few.iter().map(|name| foreign(name)))
                .collect();
            list(&names)
        }
        many => format!("own order and {} others", count(many.len() as u64)),
    };
    format!(
        "{}{labelled}, {orders}",
        plural(counts.common, "common case", "common cases")
    )
}

/// What is left out, where something is.
pub fn left_out(comparison: &Comparison) -> Option<String> {
    let counts = &comparison.cases;
    let sum = |field: fn(&LeftOut) -> u64| -> u64 {
        comparison
            .orders
            .values()
            .map(|order| field(&order.left_out))
            .sum()
    };
    let case = |n, rest: &str| (n > 0).then(|| format!("{} {rest}", plural(n, "case", "cases")));
    let ask = |n, rest: &str| (n > 0).then(|| format!("{} {rest}", plural(n, "ask", "asks")));
    let only = |names: &[String], side: &str| {
        const MOST: usize = 4;
        let mut shown: Vec<String> = names.iter().take(MOST).map(|name| foreign(name)).collect();
        if names.len() > MOST {
            shown.push(format!("{} more", count((names.len() - MOST) as u64)));
        }
        (!names.is_empty()).then(|| format!("{} (asked only in the {side})", list(&shown)))
    };
    let parts = [
        case(counts.only_baseline, "only in the baseline"),
        case(counts.only_variant, "only in the variant"),
        case(counts.other_content, "of different content under one id"),
        case(
            counts.repeated_baseline,
            "that repeat an earlier one of the baseline",
        ),
        case(
            counts.repeated_variant,
            "that repeat an earlier one of the variant",
        ),
        case(
            counts.other_labels,
            "of different accepted options (from accuracy)",
        ),
        only(&comparison.orders_only_baseline, "baseline"),
        only(&comparison.orders_only_variant, "variant"),
        ask(sum(|left| left.failed_baseline), "failed in the baseline"),
        ask(sum(|left| left.failed_variant), "failed in the variant"),
        ask(sum(|left| left.failed_both), "failed in both"),
        ask(
            sum(|left| left.unasked_baseline),
            "not made yet in the baseline",
        ),
        ask(
            sum(|left| left.unasked_variant),
            "not made yet in the variant",
        ),
        ask(sum(|left| left.only_baseline), "made only in the baseline"),
        ask(sum(|left| left.only_variant), "made only in the variant"),
        ask(
            sum(|left| left.other_order),
            "in different orders under one name",
        ),
        ask(
            sum(|left| left.other_version),
            "across a change of the served model",
        ),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Both shares: `9/25 to 0/25 flipped`.
pub fn shares(baseline: &Share, variant: &Share, word: &str) -> String {
    let share = |share: &Share| format!("{}/{}", count(share.count), count(share.of));
    format!("{} to {} {word}", share(baseline), share(variant))
}

/// A paired difference: `-36.0 points (95% CI -55.5 to -15.4), exact McNemar p 0.00391`; with how many cases a
/// difference of its size needs, where it is not shown at `alpha`.
pub fn difference(paired: &Paired, alpha: f64) -> String {
    let known = paired
        .difference
        .zip(paired.difference_interval)
        .zip(paired.mcnemar_p);
    let mut parts = Vec::new();
    match known {
        Some(((difference, interval), p)) => {
            let span = interval_points(interval);
            parts.push(format!(
                "{} points ({span}), exact McNemar p {}",
                points(difference),
                p_value(p)
            ));
            if let Some(needed) = paired.pairs_needed.filter(|_| p >= alpha) {
                parts.push(format!(
                    "about {} would show it",
                    plural(needed, "case", "cases")
                ));
            }
        }
        None => parts.push("nothing to compare".to_owned()),
    }
    for (n, name) in [
        (paired.missing, "missing"),
        (paired.no_decision, "without a decision"),
    ] {
        if n > 0 {
            parts.push(format!("{} {name}", count(n)));
        }
    }
    parts.join(", ")
}

fn interval_points([lower, upper]: [f64; 2]) -> String {
    format!("95% CI {} to {}", points(lower), points(upper))
}

/// A difference of means over cases: `+16.7 points (95% CI +2.0 to +31.0), mean over 30 cases and 90 asks of each`.
pub fn mean_points(mean: &MeanDifference) -> String {
    format!(
        "{} points ({}), mean over {} and {} of each",
        points(mean.difference),
        interval_points(mean.interval),
        plural(mean.cases, "case", "cases"),
        plural(mean.asks, "ask", "asks"),
    )
}

/// What a pooled share is taken over.
pub fn pooled(pooled: &Pooled) -> String {
    format!(
        "mean over {} and {} of each (95% CI {})",
        plural(pooled.cases, "case", "cases"),
        plural(pooled.of, "ask", "asks"),
        range(pooled.interval)
    )
}

/// A quantile of both: `0.0125 to 0.0310, +0.0185 (95% CI +0.0010 to +0.0300)`.
pub fn quantiles(quantile: &QuantileDifference) -> String {
    let interval = quantile
        .interval
        .map(|[lower, upper]| format!(" (95% CI {lower:+.4} to {upper:+.4})"));
    format!(
        "{:.4} to {:.4}, {:+.4}{}",
        quantile.baseline,
        quantile.variant,
        quantile.difference,
        interval.unwrap_or_default()
    )
}

/// A demand's word with its margin, and the interval that it was judged by.
pub fn verdict(line: &VerdictLine, alpha: f64) -> Said {
    let margin = limit(line.margin);
    let margin = margin.trim_end_matches('%');
    let unit = if margin == "1" { "point" } else { "points" };
    let word = line.word.text();
    let word = match line.word {
        Word::NotMeasured => word.to_owned(),
        Word::NotWorse | Word::Worse => format!("{word} by more than {margin} {unit}"),
        _ => format!("{word} within {margin} {unit}"),
    };
    let interval = line
        .difference
        .zip(line.interval)
        .map(|(difference, [lower, upper])| {
            format!(
                "{} points ({} CI {} to {})",
                points(difference),
                percent(1.0 - 2.0 * alpha).replace(".0%", "%"),
                points(lower),
                points(upper)
            )
        });
    let reason = line.reason.as_deref().map(foreign);
    let rest = match (reason, interval) {
        (Some(reason), Some(interval)) => format!(": {reason}; {interval}"),
        (Some(text), None) => format!(": {text}"),
        (None, Some(text)) => format!(", {text}"),
        (None, None) => String::new(),
    };
    Said { word, rest }
}
