//! The order canary of a run: whether it is asked, kept and counted.

use flipside_core::canary::{self, Canary, MOST_ASKS, OrderFinding};
use flipside_core::model::{Card, Wire};
use flipside_core::record::{Asked, Outcome};
use flipside_engine::{Before, CanaryEnded, Limits, Signals, Spending, canary_fits};
use flipside_formats::folder::Folder;
use flipside_formats::journal;

use super::ask::Asking;
use crate::diagnostic::{Diagnostic, say};

/// Whether a command asks the canary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Where order is a question and can be lost.
    WhereOrderCounts,
    /// The user said not to.
    Not,
    /// The command has no verdict on order that it could qualify.
    NoQuestion,
}

impl Wanted {
    /// As `--no-canary` leaves it.
    pub(super) fn of(wanted: bool) -> Self {
        if wanted {
            Self::WhereOrderCounts
        } else {
            Self::Not
        }
    }
}

impl Asking<'_> {
    /// What the canary finds or found, and what its asks take from the limits. `left`: requests that the run needs.
    pub(super) async fn canary(
        &self,
        signals: &Signals,
        limits: &Limits,
        left: usize,
    ) -> (Option<Canary>, Before) {
        let card = self.model.card();
        if self.canary == Wanted::NoQuestion || !canary::concerns(self.plan) {
            return (None, Before::default());
        }
        if let Some(folder) = self.folder
            && let Some(kept) = kept(folder, limits)
        {
            return kept;
        }
        let not = |why: &str| (Some(Canary::not_asked(why)), Before::default());
        if let Some(why) = needless(card) {
            return not(why);
        }
        if self.canary == Wanted::Not {
            return not("`--no-canary`");
        }
        if left == 0 {
            return not("nothing was left to ask");
        }
        if !canary_fits(limits, left) {
            return not("`--max-asks` leaves no room for it");
        }
        say(format!(
            "before the run up to {MOST_ASKS} small asks tell whether option order reaches the model (`--no-canary` leaves them out)"
        ));
        let longest = canary::longest_text(self.plan);
        let CanaryEnded {
            canary,
            asks,
            spending,
        } = flipside_engine::canary(self.model, limits, signals, longest).await;
        let before = Before {
            asks: asks.len() as u64,
            spending,
        };
        // What was cut short is asked again by the command that goes on.
        if let Some(folder) = self.folder
            && !signals.drain.is_cancelled()
        {
            let kept = folder.keep_canary(&canary, |out| {
                let mut lines = Vec::new();
                for (number, ask) in (0..).zip(&asks) {
                    ask.line(number).write(&mut lines)?;
                }
                out.write_all(&lines)
            });
            if let Err(error) = kept {
                let cause = Diagnostic::caused(&error).text;
                say(format!(
                    "warning: what the order canary asked is not kept: {cause}"
                ));
            }
        }
        (Some(canary), before)
    }
}

/// Why no canary is needed, where order cannot be lost on the way.
pub(super) fn needless(card: &Card) -> Option<&'static str> {
    if card.endpoint.is_none() {
        Some("nothing of this model goes over a network")
    } else if !card.object_order && !card.protocol.as_ref().is_some_and(Wire::order_beside) {
        Some("its options travel in an array or a text, which every hop keeps in order")
    } else {
        None
    }
}

/// What the canary of an earlier command found, asked and spent; `None` where it asked nothing, or an ask of it failed.
fn kept(folder: &Folder, limits: &Limits) -> Option<(Option<Canary>, Before)> {
    let canary = folder.run().canary.clone()?;
    let lines = journal::read(&folder.canary_journal()).ok()?.lines;
    let asked: Vec<Asked> = lines.iter().map(journal::Line::asked).collect();
    let answered = |asked: &Asked| matches!(asked.outcome, Outcome::Answered(_));
    if canary.order == OrderFinding::NotAsked || asked.is_empty() || !asked.iter().all(answered) {
        return None;
    }
    let mut spending = Spending::default();
    for asked in &asked {
        spending.add(asked, limits.price);
    }
    let before = Before {
        asks: asked.len() as u64,
        spending,
    };
    Some((Some(canary), before))
}
