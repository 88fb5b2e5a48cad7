//! A plan in words, before anything is asked.

use flipside_core::gate::FEWEST_CLUSTERS;
use flipside_core::perturb::Axis;
use flipside_core::preflight::{Preflight, PreflightVariant};
use indexmap::IndexMap;

use super::axis::reasons;
use super::number::{bytes, count, limit, percent_up, usd};
use super::text::{foreign, list, plural};

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
    let recorded = match preflight.recorded {
        0 => String::new(),
        n => format!(
            "; the baseline of {} is recorded",
            plural(n, "case", "cases")
        ),
    };
    format!("{cases}{duplicates}{clusters}, {most}{asks} in {requests}{confirming}{recorded}")
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

/// What one variant can show at best, or each of `several` that are alike; `strict` says whether its gate speaks in general.
pub fn at_best(variant: &PreflightVariant, several: bool, strict: bool) -> String {
    if variant.reference {
        return format!("what {} is compared with, no pairs", variant.axis.name());
    }
    if variant.asks == 0 && variant.vacuous > 0 {
        return format!("not applicable: {}", reasons(&variant.vacuous_reasons));
    }
    let mut parts = Vec::new();
    if let Some(best) = variant.best_limit {
        // Rounded up, so that the gate holds when it is pasted.
        let gate = format!("`{}<={}`", variant.axis.name(), percent_up(best));
        let pairs = pairs(variant);
        let each = if several { " each" } else { "" };
        let units = variant.clusters.map_or("", |_| " clusters");
        parts.push(format!("{pairs}{each} without a flip show {gate} at best"));
        if let Some(wanted) = variant.limit {
            parts.push(match variant.pairs_needed {
                Some(needed) => {
                    format!("limit {} needs {}{units}", limit(wanted), count(needed))
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
        let reasons = reasons(&variant.vacuous_reasons);
        parts.push(format!("{} vacuous: {reasons}", count(variant.vacuous)));
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

/// Why gates that speak in general cannot hold, whatever is answered; variants that are short of the same share a sentence.
pub fn out_of_reach(preflight: &Preflight) -> Vec<String> {
    let adaptive = preflight.sequential.as_ref();
    let short = preflight.variants.iter().filter(|variant| {
        let Some(wanted) = variant.limit else {
            return false;
        };
        match adaptive {
            Some(found) if variant.axis == Axis::Order && variant.asks > 0 => {
                found.first_stable.is_none()
            }
            _ => variant.best_limit.is_some_and(|best| best > wanted),
        }
    });
    let mut alike: IndexMap<(String, String), Vec<String>> = IndexMap::new();
    for variant in short {
        let units = variant.clusters.map_or("", |_| " clusters");
        let limit = limit(variant.limit.unwrap_or_default());
        let needed = match variant.pairs_needed {
            Some(needed) => format!("{}{units} without a flip would", count(needed)),
            None => "no number of pairs would".to_owned(),
        };
        let shows = format!("cannot show a limit of {limit} in general, {needed}");
        let name = super::variant(variant.axis.name(), &variant.variant);
        let names = alike.entry((pairs(variant), shows)).or_default();
        names.push(format!("`{name}`"));
    }
    let sentences = alike.iter().map(|((pairs, shows), names)| {
        let (each, gate) = match names.len() {
            1 => ("", "the gate"),
            _ => (" each", "their gates"),
        };
        format!(
            "{pairs}{each} of {} {shows}; {gate} cannot hold",
            list(names)
        )
    });
    sentences.collect()
}
