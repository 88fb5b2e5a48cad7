//! `--dry-run`: what plans cost and can show at best.

use std::sync::Arc;

use flipside_core::gate::Gates;
use flipside_core::model::{Model, Price};
use flipside_core::plan::Plan;
use flipside_core::preflight::preflight;
use flipside_report::{Style, terminal};

use crate::diagnostic::{self, data};
use crate::exit::Exit;

/// Prints what every plan costs and can show at best; `price` replaces what is known of a remote model's.
pub(crate) fn dry_run(
    plans: &[(Arc<dyn Model>, Plan)],
    price: Option<Price>,
    gates: &Gates,
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
    }
    Exit::Held
}
