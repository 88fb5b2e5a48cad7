//! Two recorded answer sets against each other.

use flipside_core::compare::{
    AllOrders, Claim, Comparison, Differing, DriftComparison, MeanDifference, OrderComparison,
    Share, VerdictLine, Word,
};

use super::differences;
use super::layout::{self, Row};
use crate::style::{Style, Tone};
use crate::wording;

/// More other orders than this are cut to those that differ most.
const ORDERS: usize = 4;
/// That many of them.
const MOST: usize = 3;

/// The report of a comparison: what was compared, what is left out, a line per figure, what was demanded.
pub fn render_comparison(comparison: &Comparison, style: &Style) -> String {
    let mut rows = vec![
        Row::new(["baseline"]).text(wording::about(&comparison.baseline)),
        Row::new(["variant"]).text(wording::about(&comparison.variant)),
        Row::new(["compared"]).text(wording::compared(comparison)),
    ];
    rows.extend(wording::left_out(comparison).map(|text| Row::new(["left out"]).text(text)));
    rows.extend(wording::unlisted(comparison).map(|text| Row::new(["orders"]).text(text)));
    let fields = wording::other_fields(&comparison.other_fields);
    rows.extend(fields.map(|text| Row::new(["fields"]).text(text)));
    let mut out = layout::rows(&rows, style);
    out.push('\n');
    let (orders, hidden) = cut(comparison, style);
    let mut rows = answers(&orders, &comparison.all_orders);
    rows.extend(accuracy(comparison, &orders, style));
    rows.extend(flips(comparison, &orders));
    if hidden > 0 {
        rows.push(Row::new(["orders"]).text(format!(
            "and {} whose flips differ no more; --verbose lists them",
            wording::plural(hidden, "more", "more")
        )));
    }
    if style.verbose {
        rows.extend(any_flip(comparison));
    }
    rows.extend(differences::axes(comparison, style));
    rows.extend(differences::apart(&orders, style));
    if style.verbose {
        rows.extend(comparison.all_orders.drift.iter().flat_map(drift));
    }
    rows.extend(differences::cases(&orders, style));
    out += &layout::rows(&rows, style);
    out.push('\n');
    out += &differences::parts(comparison, style);
    out += &layout::rows(&verdicts(comparison), style);
    out += &gates(comparison, style);
    out
}

type Orders<'a> = Vec<(&'a str, &'a OrderComparison)>;

/// The orders to list, the own one first, and how many are not.
fn cut<'a>(comparison: &'a Comparison, style: &Style) -> (Orders<'a>, u64) {
    let mut orders: Orders<'_> = comparison
        .orders
        .iter()
        .map(|(name, order)| (called(comparison, name), order))
        .collect();
    if style.verbose || orders.len() <= ORDERS + 1 {
        return (orders, 0);
    }
    let differs = |order: &OrderComparison| {
        let flips = order.flips.as_ref().and_then(|flips| flips.difference);
        flips.map_or(-1.0, f64::abs)
    };
    orders[1..].sort_by(|(_, a), (_, b)| differs(b).total_cmp(&differs(a)));
    let hidden = orders.split_off(MOST + 1);
    (orders, hidden.len() as u64)
}

/// The name of an order, where the own one is none: without any order on record.
fn called<'a>(comparison: &Comparison, order: &'a str) -> &'a str {
    let cases = comparison.cases;
    match order {
        "own" if cases.unlisted == cases.common => "as recorded",
        other => other,
    }
}

pub(super) fn name(order: &str) -> String {
    match order {
        "own" => "own order".to_owned(),
        other => wording::name(other),
    }
}

fn answers(orders: &Orders<'_>, all: &AllOrders) -> Vec<Row> {
    let mut rows: Vec<Row> = (orders.iter())
        .map(|(order, figures)| {
            let (share, rest) = differing(&figures.answers);
            Row::new(["answers", &name(order), &share]).text(rest)
        })
        .collect();
    if let (Some(pooled), true) = (&all.answers, orders.len() > 1) {
        let mean = format!("{} differ", wording::percent(pooled.mean));
        rows.push(Row::new(["answers", "all orders", &mean]).text(wording::pooled(pooled)));
    }
    rows
}

pub(super) fn differing(answers: &Differing) -> (String, String) {
    let Share { count, of, .. } = answers.share;
    let share = format!("{}/{} differ", wording::count(count), wording::count(of));
    let mut parts = Vec::new();
    match answers.share.rate.zip(answers.share.interval) {
        Some((rate, interval)) => parts.push(format!(
            "{} (95% CI {})",
            wording::percent(rate),
            wording::range(interval)
        )),
        None => parts.push("nothing to compare".to_owned()),
    }
    for (n, name) in [
        (answers.within_tie, "within a tie"),
        (answers.no_decision, "without a decision"),
    ] {
        if n > 0 {
            parts.push(format!("{} {name}", wording::count(n)));
        }
    }
    (share, parts.join(", "))
}

fn accuracy(comparison: &Comparison, orders: &Orders<'_>, style: &Style) -> Vec<Row> {
    let mut rows = Vec::new();
    // The own order speaks for accuracy; the others stand in their average.
    let shown = if style.verbose { orders.len() } else { 1 };
    for (order, figures) in orders.iter().take(shown) {
        let Some(paired) = &figures.accuracy else {
            continue;
        };
        let shares = wording::shares(&paired.baseline, &paired.variant, "right");
        let text = wording::difference(paired, comparison.alpha);
        rows.push(Row::new(["accuracy", &name(order), &shares]).text(text));
    }
    rows.extend(mean(
        "accuracy",
        comparison.all_orders.accuracy.as_ref(),
        "right",
    ));
    rows
}

fn flips(comparison: &Comparison, orders: &Orders<'_>) -> Vec<Row> {
    let mut rows = Vec::new();
    for (order, figures) in orders {
        let Some(paired) = &figures.flips else {
            continue;
        };
        let shares = wording::shares(&paired.baseline, &paired.variant, "flipped");
        let text = wording::difference(paired, comparison.alpha);
        rows.push(Row::new(["flips", &name(order), &shares]).text(text));
    }
    let disagreement = comparison.all_orders.disagreement.as_ref();
    rows.extend(mean("flips", disagreement, "of order pairs"));
    rows
}

fn mean(subject: &str, mean: Option<&MeanDifference>, word: &str) -> Option<Row> {
    let mean = mean?;
    let both = format!(
        "{} to {} {word}",
        wording::percent(mean.baseline),
        wording::percent(mean.variant)
    );
    Some(Row::new([subject, "all orders", &both]).text(wording::mean_points(mean)))
}

fn any_flip(comparison: &Comparison) -> Option<Row> {
    let any = &comparison.all_orders.any_flip;
    let row = if let Some(paired) = &any.shares {
        let orders = any.orders.map_or_else(
            || "any flip".to_owned(),
            |orders| format!("any of {}", wording::count(orders)),
        );
        let shares = wording::shares(&paired.baseline, &paired.variant, "flipped");
        let text = wording::difference(paired, comparison.alpha);
        Row::new(["flips", &orders, &shares]).text(text)
    } else {
        let reason = any.reason.as_deref().map(wording::foreign);
        Row::new(["flips", "any flip", "not compared"]).text(reason.unwrap_or_default())
    };
    (comparison.orders.len() > 1).then_some(row)
}

fn drift(drift: &DriftComparison) -> Vec<Row> {
    let mut rows = Vec::new();
    let measures = [
        ("JS bits", Some(&drift.jensen_shannon_bits)),
        ("total variation", Some(&drift.total_variation)),
        ("headroom", drift.headroom.as_ref()),
    ];
    let mut reasons: Vec<&str> = Vec::new();
    for (name, spread) in measures {
        let Some(spread) = spread else { continue };
        for (which, quantile) in [("median", &spread.median), ("p95", &spread.p95)] {
            rows.push(Row::new(["drift", name, which]).text(wording::quantiles(quantile)));
        }
        let reason = spread.reason.as_deref();
        reasons.extend(reason.filter(|reason| !reasons.contains(reason)));
    }
    for reason in reasons {
        let text = format!("some of these have none: {}", wording::foreign(reason));
        rows.push(Row::new(["drift", "intervals"]).text(text));
    }
    let notes = [
        (drift.without_probabilities, "without probabilities"),
        (drift.headroom_undefined, "without a finite headroom"),
    ];
    for (n, text) in notes {
        if n > 0 {
            let pairs = wording::plural(n, "pair", "pairs");
            rows.push(Row::new(["drift", "left out"]).text(format!("{pairs} {text}")));
        }
    }
    rows
}

fn verdicts(comparison: &Comparison) -> Vec<Row> {
    let row = |line: &VerdictLine| {
        let claim = match line.claim {
            Claim::Equivalent => "margin",
            Claim::NotWorse => "not worse",
        };
        let said = wording::verdict(line, comparison.alpha);
        let order = name(called(comparison, &line.order));
        Row::new([claim, &wording::name(&line.subject), &order])
            .word(said.word, tone(line))
            .text(said.rest)
    };
    comparison.verdicts.iter().map(row).collect()
}

fn tone(line: &VerdictLine) -> Tone {
    match line.word {
        _ if line.held => Tone::Good,
        Word::Worse => Tone::Bad,
        _ => Tone::Open,
    }
}

fn gates(comparison: &Comparison, style: &Style) -> String {
    let (text, tone) = match comparison.verdicts.iter().filter(|line| !line.held).count() {
        _ if comparison.verdicts.is_empty() => ("nothing was gated".to_owned(), Tone::Plain),
        0 => ("held".to_owned(), Tone::Good),
        open => (
            format!(
                "NOT HELD ({} of {})",
                wording::count(open as u64),
                wording::count(comparison.verdicts.len() as u64)
            ),
            Tone::Bad,
        ),
    };
    format!(
        "gates  {}   exit {}\n",
        style.paint(&text, tone),
        comparison.exit
    )
}
