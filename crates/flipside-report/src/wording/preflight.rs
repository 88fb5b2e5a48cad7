//! A plan in words, before anything is asked.

use flipside_core::gate::FEWEST_CLUSTERS;
use flipside_core::perturb::Axis;
use flipside_core::preflight::{Preflight, PreflightVariant};

use super::number::{bytes, count, limit, percent, percent_up, usd};
use super::text::{foreign, plural};

/// Where requests would go, and with whose key.
pub fn destination(preflight: &Preflight) -> String {
    let endpoint = preflight
        .endpoint
        .as_ref()
        .map(|endpoint| format!(" at {}", foreign(endpoint)));
    let variable = preflight.key_variable.as_ref();
    let key = variable.map(|variable| format!(", key from `{}`", foreign(variable)));
    foreign(&preflight.model) + &endpoint.unwrap_or_default() + &key.unwrap_or_default()
}

/// How much would be asked.
pub fn volume(preflight: &Preflight) -> String {
    let cases = plural(preflight.cases, "case", "cases");
    let duplicates = match preflight.duplicates {
        0 => String::new(),
        n => format!(" ({} left out)", plural(n, "duplicate", "duplicates")),
    };
    let clusters = preflight
        .clusters
        .map(|n| format!(" in {}", plural(n, "cluster", "clusters")));
    let clusters = clusters.unwrap_or_default();
    let asks = plural(preflight.asks, "ask", "asks");
    let requests = plural(preflight.requests, "request", "requests");
    let confirming = match preflight.confirming_at_most {
        0 => String::new(),
        n => format!(", and at most {} to confirm flips", count(n)),
    };
    let most = match preflight.sequential {
        Some(_) => "at most ",
        None => "",
    };
    format!("{cases}{duplicates}{clusters}, {most}{asks} in {requests}{confirming}")
}

/// What it would cost, as far as that is known.
pub fn cost(preflight: &Preflight) -> String {
    let tokens = plural(
        preflight.estimated_input_tokens,
        "input token",
        "input tokens",
    );
    let price = match preflight.estimated_cost_usd_micros {
        Some(micros) => format!("{} for them, output not counted", usd(micros)),
        None => "cost unknown".to_owned(),
    };
    format!(
        "about {tokens}, estimated from {} of requests; {price}",
        bytes(preflight.request_bytes)
    )
}

/// What one variant can show at best; `strict` says whether its gate speaks in general.
pub fn at_best(variant: &PreflightVariant, strict: bool) -> String {
    let mut parts = Vec::new();
    if let Some(best) = variant.best_limit {
        // Rounded up, so that the gate holds when it is pasted.
        let gate = format!("`{}<={}`", variant.axis.name(), percent_up(best));
        let shown = percent(best);
        let shown = if gate.contains(&shown) {
            gate
        } else {
            format!("{shown}, so at best {gate}")
        };
        let pairs = pairs(variant);
        let units = variant.clusters.map_or("", |_| " clusters");
        parts.push(format!("{pairs} without a flip show at most {shown}"));
        if let Some(wanted) = variant.limit {
            parts.push(match variant.pairs_needed {
                Some(needed) => {
                    format!("the limit {} needs {}{units}", limit(wanted), count(needed))
                }
                None => format!("no number of pairs shows {}", limit(wanted)),
            });
            if strict && best > wanted {
                parts.push("its gate cannot hold in general with these cases".to_owned());
            }
        }
    }
    if let Some(clusters) = variant.clusters.filter(|n| *n < FEWEST_CLUSTERS)
        && variant.asks > 0
    {
        parts.push(few_clusters(clusters));
    }
    if variant.vacuous > 0 {
        parts.push(format!("{} vacuous", count(variant.vacuous)));
    }
    parts.join("; ")
}

fn few_clusters(clusters: u64) -> String {
    let clusters = plural(clusters, "cluster", "clusters");
    format!("{clusters}, {FEWEST_CLUSTERS} are needed to show anything in general")
}

/// The pairs of a variant, and the clusters that they come in.
fn pairs(variant: &PreflightVariant) -> String {
    let pairs = plural(variant.asks, "pair", "pairs");
    match variant.clusters {
        Some(n) => format!("{pairs} in {}", plural(n, "cluster", "clusters")),
        None => pairs,
    }
}

/// Why gates that speak in general cannot hold, whatever is answered.
pub fn out_of_reach(preflight: &Preflight) -> Vec<String> {
    let adaptive = preflight.sequential.as_ref();
    let short = preflight.variants.iter().filter_map(|variant| {
        let wanted = variant.limit?;
        let unreachable = match adaptive {
            Some(found) if variant.axis == Axis::Order && variant.asks > 0 => {
                found.first_stable.is_none()
            }
            _ => variant.best_limit? > wanted,
        };
        unreachable.then(|| {
            let pairs = pairs(variant);
            let units = variant.clusters.map_or("", |_| " clusters");
            let name = foreign(&variant.variant);
            let limit = limit(wanted);
            let needed = match variant.pairs_needed {
                Some(needed) => format!("{}{units} without a flip would", count(needed)),
                None => "no number of pairs would".to_owned(),
            };
            format!(
                "{pairs} of `{name}` cannot show a limit of {limit} in general, {needed}; the gate cannot hold"
            )
        })
    });
    short.collect()
}
