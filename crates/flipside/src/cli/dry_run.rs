//! `--dry-run`: what plans cost and can show at best.

use std::sync::Arc;

use flipside_core::canary::{MOST_ASKS, concerns};
use flipside_core::gate::Gates;
use flipside_core::model::{Model, Price};
use flipside_core::plan::Plan;
use flipside_core::preflight::preflight;
use flipside_report::wording::plural;
use flipside_report::{Style, terminal};

use crate::cli::canary::{Wanted, needless};
use crate::diagnostic::{self, data, say};
use crate::exit::Exit;

/// Prints what every plan costs and can show at best; `price` replaces what is known of a remote model's, `canary` says whether its
/// asks come on top where order can be lost.
pub(crate) fn dry_run(
    plans: &[(Arc<dyn Model>, Plan)],
    price: Option<Price>,
    gates: &Gates,
    canary: Wanted,
    style: &Style,
) -> Exit {
    for (model, plan) in plans {
        let mut card = model.card().clone();
        card.price = price.or(card.price).filter(|_| card.remote);
        let preflight = preflight(plan, &card, gates);
        let text = terminal::render_preflight(&preflight, style, gates.strict);
        if let Err(error) = data(&text) {
            diagnostic::print(&[error]);
            return Exit::Incomplete;
        }
        if model.goes_deeper() {
            let most = preflight.requests + preflight.confirming_at_most;
            say(format!(
                "not counted: up to {}, one for each answer whose list of tokens leaves options out (`deeper` of the spec)",
                plural(most, "more request", "more requests")
            ));
        }
        if canary == Wanted::WhereOrderCounts && needless(&card).is_none() && concerns(plan) {
            say(format!(
                "not counted: up to {MOST_ASKS} small asks tell first whether option order reaches the model (`--no-canary`)"
            ));
        }
    }
    Exit::Held
}
