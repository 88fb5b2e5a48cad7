//! The order canary of a run: whether it is asked, kept and counted.

use flipside_core::canary::{self, Canary, MOST_ASKS, OrderFinding};
use flipside_core::cost::Spending;
use flipside_core::model::{Card, Wire};
use flipside_core::record::{Asked, Outcome};
use flipside_engine::{Before, CanaryEnded, CanaryJournal, Limits, Signals, canary_fits};
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
        let journal = self
            .folder
            .map(|folder| CanaryJournal::open(&folder.canary_journal()));
        let journal = match journal.transpose() {
            Ok(journal) => journal,
            Err(error) => {
                return not(&format!(
                    "its journal cannot be used: {}",
                    Diagnostic::caused(&error).text
                ));
            }
        };
        let ended = flipside_engine::canary(self.model, limits, signals, longest, journal).await;
        let CanaryEnded {
            canary,
            spending,
            unkept,
        } = ended;
        let before = Before {
            asks: spending.asks,
            spending,
        };
        // What was cut short is gone on with by the command that goes on.
        let kept = match (self.folder, unkept) {
            (_, Some(error)) => Err(Diagnostic::caused(&error).text),
            (Some(folder), None) if !signals.drain.is_cancelled() => folder
                .keep_canary(&canary)
                .map_err(|error| Diagnostic::caused(&error).text),
            _ => Ok(()),
        };
        if let Err(cause) = kept {
            say(format!(
                "warning: what the order canary asked is not kept: {cause}"
            ));
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
    // An ask that failed has been made again where an answer follows it.
    if canary.order == OrderFinding::NotAsked || !asked.last().is_some_and(answered) {
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
