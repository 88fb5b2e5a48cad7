//! Whether what is listed beside an option matters to it.

use super::equal_size::Equal;
use super::shared::{Grid, Shared, Shows};
use crate::measure::table::Table;
use crate::perturb::Axis;
use crate::summary::{Attention, AttentionReason, DriftReason};

/// Whether log-odds move between two asks of the identical list, by the control; `None` where no control can tell.
pub(super) fn noise(table: &Table<'_>, grid: Grid) -> Option<bool> {
    let variants = table.plan.variants.iter().enumerate();
    let repeats = variants.filter(|(_, variant)| variant.axis == Axis::Same);
    let pairs = repeats.flat_map(|(place, _)| table.pairs(place));
    let shows = pairs.filter_map(|pair| {
        Some(Shows {
            case: pair.case,
            answers: pair.answers?,
            options: pair.from.identities().to_vec(),
        })
    });
    let control = Shared::new(grid, shows);
    control.is_measured().then(|| control.moves())
}

/// What pairs of different size say about it: `shared` their probabilities, `moved` how many choices moved among the others,
/// `lost` how many pairs have no outcome, and `came_again` whether those moves are confirmed. `noise` is whether the control moves.
pub(super) fn attention(
    shared: &Shared<'_>,
    [moved, lost]: [u64; 2],
    came_again: bool,
    equal: Option<&Equal>,
    noise: Option<bool>,
) -> (Attention, Option<AttentionReason>) {
    let open = |reason| (Attention::Open, Some(reason));
    let found = match equal {
        Some(equal) if equal.moves || (came_again && equal.figure.flips > 0) => {
            Attention::Attentive
        }
        Some(equal) if equal.still => Attention::Size,
        _ => Attention::AttentiveOrSize,
    };
    if came_again {
        return (found, None);
    }
    if shared.moves() {
        return match noise {
            Some(false) => (found, None),
            Some(true) => open(AttentionReason::NoisyControl),
            None => open(AttentionReason::NoControl),
        };
    }
    if moved > 0 {
        return open(AttentionReason::Flips);
    }
    match shared.unknown() {
        Some(DriftReason::NoAnswers) => open(AttentionReason::NoAnswers),
        Some(DriftReason::NoProbabilities) => open(AttentionReason::NoProbabilities),
        Some(DriftReason::Rounded) => open(AttentionReason::Rounded),
        Some(DriftReason::Zeros | DriftReason::OneHot) => open(AttentionReason::Zeros),
        None if lost > 0 => open(AttentionReason::Missing),
        None => (Attention::Independent, None),
    }
}
