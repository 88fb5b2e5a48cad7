//! The run and its gates in words.

use flipside_core::cost::CostSummary;
use flipside_core::gate::{ALPHA, Population};
use flipside_core::summary::{Figure, GateLine, Judging, ModelSummary, Rule, Summary, Verdict};

use super::axis::axes_asked;
use super::figure::flipped;
use super::number::{count, duration_ms, limit, percent, usd_picos};
use super::record::from_record;
use super::text::{foreign, list, plural};

/// The model: how it was named, what it asked for, what answered, and where.
pub fn model(model: &ModelSummary) -> String {
    let endpoint = model
        .endpoint
        .as_ref()
        .map(|endpoint| format!(" at {}", foreign(endpoint)));
    let spec = if model.spec.is_empty() {
        "not on record".to_owned()
    } else {
        foreign(&model.spec)
    };
    let mut parts = vec![spec + &endpoint.unwrap_or_default()];
    if let Some(requested) = model.requested.as_ref().filter(|name| **name != model.spec) {
        parts.push(format!("requested as {}", foreign(requested)));
    }
    let served: Vec<String> = model.served.iter().map(|name| foreign(name)).collect();
    // A model that answers under the name that it was called by says nothing new.
    if !served.is_empty() && model.served.join(", ") != model.spec {
        parts.push(format!("served by {}", list(&served)));
    }
    parts.join(", ")
}

/// What was asked: cases, asks, orders, other axes, and the seed where one was used.
pub fn asked(summary: &Summary) -> String {
    let counts = &summary.counts;
    let cases = plural(counts.cases, "case", "cases");
    let labelled = if counts.labelled < counts.cases {
        format!(" ({} labelled)", count(counts.labelled))
    } else {
        String::new()
    };
    // What is on record was not asked.
    let asked = counts.asks - counts.recorded;
    let asks = plural(asked, "ask", "asks");
    let requests = if counts.requests == asked {
        String::new()
    } else {
        format!(" in {}", plural(counts.requests, "request", "requests"))
    };
    let orders: Vec<String> = summary
        .plan
        .orders
        .iter()
        .map(|order| foreign(order))
        .collect();
    let orders = match &orders[..] {
        [] => "own order only".to_owned(),
        [order] => format!("order {order}"),
        _ => format!("orders {}", list(&orders)),
    };
    let confirming = match counts.confirming - counts.confirming_unasked {
        0 => String::new(),
        n => format!(" and {} to confirm flips", count(n)),
    };
    let confirming = match counts.confirming_failed {
        0 => confirming,
        n => format!("{confirming} ({} of them failed)", count(n)),
    };
    let mut parts = vec![cases + &labelled, asks + &requests + &confirming, orders];
    parts.extend(from_record(summary));
    let plan = &summary.plan;
    parts.extend(axes_asked(&plan.axes, plan.cross.as_deref()));
    parts.extend(summary.plan.seed.map(|seed| format!("seed {seed}")));
    parts.join(", ")
}

/// What a run cost: how many asks, tokens as far as replies state them, and money as far as it is known.
pub fn cost_of_run(cost: &CostSummary) -> String {
    let parts = [
        (cost.canary, "on whether order arrives"),
        (cost.confirming, "to confirm flips"),
    ];
    let parts = parts.into_iter().filter(|(n, _)| *n > 0);
    let parts: Vec<String> = parts
        .map(|(n, what)| format!("{} {what}", count(n)))
        .collect();
    let among = if parts.is_empty() {
        String::new()
    } else {
        format!(" ({})", list(&parts))
    };
    let more = match cost.attempts - cost.asks {
        0 => String::new(),
        n => format!(" in {} attempts", count(cost.asks + n)),
    };
    let answered = cost.known + cost.unknown;
    let tokens = if cost.without_tokens == answered {
        "tokens unknown".to_owned()
    } else {
        let least = if cost.without_tokens > 0 {
            "at least "
        } else {
            ""
        };
        format!(
            "{least}{} in and {} out",
            plural(cost.input_tokens, "token", "tokens"),
            count(cost.output_tokens)
        )
    };
    let money = match (cost.usd_picos, cost.unknown) {
        (None, _) => "cost unknown".to_owned(),
        (Some(picos), 0) => usd_picos(picos),
        (Some(picos), unknown) => format!(
            "{}, and nobody says what {} cost",
            usd_picos(picos),
            plural(unknown, "other answer", "other answers")
        ),
    };
    let failed = match cost.failed {
        0 => String::new(),
        n => format!(
            "; {} without an answer not counted",
            plural(n, "ask", "asks")
        ),
    };
    format!(
        "{}{among}{more}, {tokens}: {money}{failed}",
        plural(cost.asks, "ask", "asks")
    )
}

/// How fast the model answered and the command asked, as far as it is known.
pub fn time(summary: &Summary) -> Option<String> {
    let latency = summary.latency.map(|latency| {
        let [median, most] = [latency.median_ms, latency.p95_ms].map(duration_ms);
        format!("half of the answers within {median}, 95% within {most}")
    });
    let asking = summary
        .asking
        .filter(|asking| asking.seconds > 0.0)
        .map(|asking| {
            let requests = plural(asking.requests, "request", "requests");
            format!("{requests} in {}", duration_ms(asking.seconds * 1e3))
        });
    match (asking, latency) {
        (Some(asking), Some(latency)) => Some(format!("{asking}; {latency}")),
        (asking, latency) => asking.or(latency),
    }
}

/// Why a run is not complete.
pub fn not_complete(summary: &Summary) -> String {
    let counts = &summary.counts;
    let unasked = counts.unasked + counts.confirming_unasked;
    let asks = counts.asks - counts.recorded + counts.confirming;
    let left = format!(
        "{} of {} not made",
        count(unasked),
        plural(asks, "ask", "asks")
    );
    match &summary.stopped {
        Some(reason) => format!("not complete, {left}: {}", foreign(reason)),
        None => format!("not complete, {left}"),
    }
}

/// A gate: `order: NOT HELD (reverse)`, with the variant that it failed on where it speaks about several, or that there was
/// nothing to measure.
pub fn gate(gate: &GateLine) -> String {
    let held = if gate.held { "held" } else { "NOT HELD" };
    let nothing = matches!(gate.verdict, Verdict::NotApplicable | Verdict::NotMeasured);
    let why = if nothing {
        Some(gate.verdict.text())
    } else {
        gate.decided_by.as_deref()
    };
    let by = why
        .filter(|_| !gate.held)
        .map(|by| format!(" ({})", foreign(by)));
    format!(
        "{}: {held}{}",
        foreign(&gate.subject),
        by.unwrap_or_default()
    )
}

/// What gates speak about, and at which error rate where it is not the usual one.
pub fn claim(rule: Rule, judging: &Judging) -> String {
    let claim = match (rule, judging.population) {
        (Rule::File, _) => "about this file",
        (Rule::General, Population::File) => "about this file and its unasked pairs",
        (Rule::General, Population::Traffic) => "in general",
    };
    if judging.alpha.to_bits() == ALPHA.to_bits() {
        claim.to_owned()
    } else {
        format!("{claim} at {}", limit(judging.alpha))
    }
}

/// Variants that are not among the rows of several models, where those of one axis or of several are.
pub fn more_variants(hidden: u64, axes: usize) -> String {
    let more = plural(hidden, "more variant", "more variants");
    let than = if axes > 1 {
        "none of which flips more than its axis's first here"
    } else {
        "none of which flips more"
    };
    format!("and {more}, {than}; --verbose lists them")
}

/// Variants that are not listed: how many, the worst share among them, and how many of their pairs have none.
pub fn remaining(more: u64, worst: Option<&Figure>, without: u64) -> String {
    let most = match worst.and_then(|figure| Some((figure, figure.rate?))) {
        Some((figure, rate)) => format!(": at most {} ({})", flipped(figure), percent(rate)),
        None => " with nothing to compare".to_owned(),
    };
    let without = match without {
        0 => String::new(),
        n => format!(", {} not compared", plural(n, "pair", "pairs")),
    };
    format!(
        "and {} more{most}{without}; --verbose lists them",
        count(more)
    )
}
