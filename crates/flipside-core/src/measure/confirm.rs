//! Flips asked once more: how many come again, and what caused them.

use crate::measure::accuracy::LEVEL;
use crate::measure::pair::{PairOutcome, Said, other_version, pair, said};
use crate::measure::table::{CasePair, Table};
use crate::record::Asked;
use crate::stats::net_effect::{confirmed, replications_needed};
use crate::summary::{Confirmation, Verdict};

/// The confirmation of one order's flips; `again` has the repetitions by ask. `None` if none was to be made.
///
/// Source: the statistics page, 5. An answer is replicated if both orders give theirs again, swapped if each gives the
/// other's.
pub(crate) fn confirmation(
    table: &Table<'_>,
    pairs: &[CasePair<'_>],
    needed: impl Fn(u32) -> bool,
    alpha: f64,
) -> Option<Confirmation> {
    let mut counts = Counts::default();
    let (mut compared, mut lost) = (0, 0);
    for each in pairs {
        match pair(each.own, each.variant) {
            PairOutcome::Same => compared += 1,
            PairOutcome::Missing | PairOutcome::Unasked => lost += 1,
            PairOutcome::NoDecision => {}
            PairOutcome::Flip { .. } => {
                compared += 1;
                let slots = [table.baseline(each.ask), each.ask].map(|ask| table.plan.again(ask));
                if slots.iter().all(|slot| needed(*slot)) {
                    counts.add(table, each, slots);
                }
            }
        }
    }
    if counts.flips == 0 {
        return None;
    }
    let Counts {
        flips,
        replicated,
        swapped,
        neither,
        missing,
        unasked,
    } = counts;
    let found = confirmed(replicated, swapped, compared, LEVEL).ok()?;
    let worst = replicated + missing + unasked + lost;
    let upper = confirmed(worst, swapped, compared + lost, 1.0 - 2.0 * alpha).ok()?;
    Some(Confirmation {
        flips,
        replicated,
        swapped,
        neither,
        missing,
        unasked,
        pairs: compared,
        effect: found.effect.value,
        interval: [found.effect.lower, found.effect.upper],
        upper: upper.effect.upper,
        p: found.p,
        replications_needed: replications_needed(replicated, swapped, alpha),
    })
}

#[derive(Default)]
struct Counts {
    flips: u64,
    replicated: u64,
    swapped: u64,
    neither: u64,
    missing: u64,
    unasked: u64,
}

impl Counts {
    fn add(&mut self, table: &Table<'_>, each: &CasePair<'_>, slots: [u32; 2]) {
        self.flips += 1;
        let baseline = table.asked[table.baseline(each.ask)].as_ref();
        let [own, variant] = slots
            .map(|slot| again(baseline, table.asked[slot as usize].as_ref()).within(each.case));
        let count = if own == Said::Unasked || variant == Said::Unasked {
            &mut self.unasked
        } else if own == Said::Missing || variant == Said::Missing {
            &mut self.missing
        } else if alike(own, each.own) && alike(variant, each.variant) {
            &mut self.replicated
        } else if alike(own, each.variant) && alike(variant, each.own) {
            &mut self.swapped
        } else {
            &mut self.neither
        };
        *count += 1;
    }
}

/// What a repetition said; missing where another model served it than the baseline.
fn again(baseline: Option<&Asked>, asked: Option<&Asked>) -> Said {
    if other_version(baseline, asked) {
        Said::Missing
    } else {
        said(asked)
    }
}

/// Whether two asks say the same, tied or not.
fn alike(a: Said, b: Said) -> bool {
    match (a, b) {
        (Said::Chose { id: a, .. }, Said::Chose { id: b, .. }) => a == b,
        (Said::Nothing, Said::Nothing) => true,
        _ => false,
    }
}

/// Why more than the limit flipped, as far as the confirmation tells.
pub(crate) fn cause(
    confirmation: Option<&Confirmation>,
    limit: Option<f64>,
    alpha: f64,
) -> (Verdict, Option<String>) {
    let open = |reason: String| (Verdict::CauseOpen, Some(reason));
    let Some(found) = confirmation else {
        return open("its flips were not asked once more".to_owned());
    };
    let Confirmation {
        replicated,
        swapped,
        ..
    } = *found;
    if found.unasked > 0 {
        let (unasked, flips) = (found.unasked, found.flips);
        return open(format!(
            "{unasked} of {flips} flips were not asked once more"
        ));
    }
    if replicated > swapped && found.p <= alpha {
        return (Verdict::OrderSensitive, None);
    }
    if limit.is_some_and(|limit| found.upper <= limit) {
        return (Verdict::Noisy, None);
    }
    open(match found.replications_needed {
        Some(more) => format!(
            "{replicated} flips came again and {swapped} swapped; {more} more that come again would show the order"
        ),
        None => format!("{replicated} flips came again and {swapped} swapped"),
    })
}
