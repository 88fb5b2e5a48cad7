//! Right answers across orders in words: accuracy, calibration, and whether the next asks should buy cases or orders.

use flipside_core::summary::{Calibrated, Drawn, OrderAccuracy, OrderCalibration, OrderVariance};

use super::{Told, decimal, decimals, nothing, share_line, told};
use crate::wording::number::{count, percent, points, range};
use crate::wording::text::{foreign, name, plural};

pub(super) fn accuracy(accuracy: &OrderAccuracy) -> Vec<Told> {
    let left = |n: u64| match n {
        0 => String::new(),
        n => format!(", {} left out", plural(n, "case", "cases")),
    };
    let spread = &accuracy.format_spread;
    let mut lines = vec![match spread.value {
        None => nothing("format spread", spread.reason.as_ref()),
        Some(value) => {
            let noise = spread.shuffled_mean.zip(spread.shuffled_at_least);
            let noise = noise.map(|(mean, share)| {
                format!(
                    "; shuffled within cases {} points on average, at least as much in {} of {} shuffles",
                    points(mean).trim_start_matches('+'),
                    percent(share),
                    spread.shuffles
                )
            });
            told(
                "format spread",
                format!("{} points", points(value).trim_start_matches('+')),
                format!(
                    "over {} and {}{}{}",
                    plural(spread.orders.len() as u64, "order", "orders"),
                    plural(spread.cases, "case", "cases"),
                    left(spread.left_out),
                    noise.unwrap_or_default()
                ),
            )
        }
    }];
    lines.extend(spread.orders.iter().map(|order| {
        told(
            format!("accuracy {}", name(&order.order)),
            format!(
                "{}/{} ({})",
                count(order.right),
                count(order.of),
                percent(order.rate)
            ),
            format!("95% CI {}", range(order.interval)),
        )
    }));
    let sensitivity = &accuracy.sensitivity;
    let over = sensitivity
        .orders
        .map(|orders| format!(", over {}", plural(orders, "order", "orders")));
    let rest = over.unwrap_or_default() + &left(sensitivity.left_out);
    lines.push(share_line("any order right", &sensitivity.any_right, &rest));
    lines.push(share_line(
        "every order right",
        &sensitivity.every_right,
        &rest,
    ));
    lines.push(share_line("sensitivity gap", &sensitivity.gap, &rest));
    lines.push(share_line(
        "circular accuracy",
        &accuracy.circular_accuracy,
        &left(accuracy.circular_left_out),
    ));
    lines.extend(accuracy.min_consistency_accuracy.iter().map(|consistency| {
        let title = format!("right in {:.0}% of orders", consistency.at_least * 100.0);
        share_line(&title, &consistency.share, "")
    }));
    lines
}

fn drawn(value: Drawn) -> String {
    match value.interval {
        Some(interval) => format!("{} ({})", decimal(value.value), decimals(interval)),
        None => decimal(value.value),
    }
}

pub(super) fn calibration(calibration: &OrderCalibration) -> Vec<Told> {
    let mut lines = Vec::new();
    if let Some(reason) = &calibration.reason {
        lines.push(nothing("calibration", Some(reason)));
    }
    lines.extend(
        calibration
            .by_order
            .iter()
            .chain(&calibration.pooled)
            .map(calibrated),
    );
    for change in &calibration.changes {
        let parts = [
            Some(("confidence", change.mean_confidence)),
            change.ece.map(|ece| ("ECE", ece)),
            change.brier.map(|brier| ("Brier over all options", brier)),
        ];
        lines.push(told(
            format!("Brier change {}", name(&change.order)),
            signed(change.brier_top),
            format!(
                "chosen option, {} against own; {}{}",
                plural(change.cases, "case", "cases"),
                parts
                    .into_iter()
                    .flatten()
                    .map(|(what, value)| format!("{what} {}", signed(value)))
                    .collect::<Vec<_>>()
                    .join(", "),
                because(change.reason.as_ref())
            ),
        ));
    }
    if calibration.orders_left_out > 0 {
        let orders = plural(calibration.orders_left_out, "order", "orders");
        lines.push(told("calibration", "-", format!("{orders} not listed")));
    }
    if calibration.without_probabilities > 0 && calibration.reason.is_none() {
        lines.push(told(
            "no probabilities",
            count(calibration.without_probabilities),
            "answers left out of calibration",
        ));
    }
    let bounds = &calibration.label_free;
    let cases = plural(bounds.cases, "case", "cases");
    lines.push(match bounds.accuracy_ceiling {
        None => nothing("accuracy ceiling", bounds.reason.as_ref()),
        Some(ceiling) => told(
            "accuracy ceiling",
            percent(ceiling),
            format!("mean modal share of {cases}: averaged over orders, no more can be right"),
        ),
    });
    if let Some((least, sure)) = bounds.overconfidence_at_least.zip(bounds.mean_confidence) {
        lines.push(told(
            "over-confidence",
            format!("at least {}", decimal(least)),
            format!(
                "mean confidence {} of {cases}, needs no label",
                decimal(sure)
            ),
        ));
    }
    lines
}

fn because(reason: Option<&String>) -> String {
    reason
        .map(|reason| format!("; {}", foreign(reason)))
        .unwrap_or_default()
}

fn signed(change: Drawn) -> String {
    let text = drawn(change);
    if change.value > 0.0 {
        format!("+{text}")
    } else {
        text
    }
}

fn calibrated(found: &Calibrated) -> Told {
    let parts = [
        found.ece.map(|ece| ("ECE", ece)),
        found.brier.map(|brier| ("Brier over all options", brier)),
        Some(("confidence", found.mean_confidence)),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .flatten()
        .map(|(what, value)| format!("{what} {}", drawn(value)))
        .collect();
    told(
        format!("Brier {}", name(&found.order)),
        drawn(found.brier_top),
        format!(
            "chosen option, {}, {}/{} right; {}{}",
            plural(found.cases, "case", "cases"),
            count(found.right),
            count(found.answers),
            parts.join(", "),
            because(found.reason.as_ref())
        ),
    )
}

pub(super) fn variance(variance: &OrderVariance) -> Vec<Told> {
    let Some(rho) = variance.rho else {
        return vec![nothing("correlation rho", variance.reason.as_ref())];
    };
    let over = format!(
        "flips of {} in {}",
        plural(variance.cases, "case", "cases"),
        plural(
            variance.other_orders.unwrap_or(0),
            "other order",
            "other orders"
        )
    );
    let interval = variance
        .rho_interval
        .map(|interval| format!(" (95% CI {})", decimals(interval)));
    let parts = variance
        .between
        .zip(variance.within)
        .map(|(between, within)| {
            format!(
                ": variance {} between cases, {} within",
                decimal(between),
                decimal(within)
            )
        });
    let mut lines = vec![told(
        "correlation rho",
        decimal(rho),
        format!(
            "{over}{}{}",
            interval.unwrap_or_default(),
            parts.unwrap_or_default()
        ),
    )];
    lines.extend(variance.best_orders.map(|best| {
        let advice = if best <= 1.0 {
            "other orders per case: one, then more cases"
        } else {
            "other orders per case for the money"
        };
        told("best m", format!("{best:.2}"), advice)
    }));
    lines.extend(variance.choices.iter().map(|choice| {
        told(
            format!("{} asks", count(choice.asks)),
            format!("se {:.4}", choice.standard_error),
            format!(
                "{} x {}",
                plural(choice.cases, "case", "cases"),
                plural(choice.orders, "order", "orders")
            ),
        )
    }));
    lines
}
