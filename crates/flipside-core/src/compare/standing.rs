//! What got better, what got worse, and what stays undecided between two answer sets.

use super::figures::{Comparison, Paired};
use crate::stats::multiple::holm;

/// Where a figure stands in the variant of a comparison against the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// More right answers, or fewer flips, than chance explains.
    Better,
    /// Fewer right answers, or more flips, than chance explains.
    Worse,
    /// What differs may be chance; that is not to say that the two are the same.
    Undecided,
    /// No case is measured in both.
    NotMeasured,
}

impl Standing {
    /// The word as reports print it.
    pub fn text(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Undecided => "undecided",
            Self::NotMeasured => "not measured",
        }
    }
}

/// One figure of both sides, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared<'a> {
    /// What it counts.
    pub of: CountOf,
    /// `own`, an order, or a variant with its axis, such as `keys/abstract`.
    pub name: &'a str,
    /// Both shares, their difference and its test.
    pub paired: &'a Paired,
    /// The p value of the exact test, adjusted by Holm's method over all figures of the comparison that have one.
    pub adjusted_p: Option<f64>,
    /// Where it stands: `adjusted_p` at the comparison's `alpha` says whether, the difference says which way.
    pub standing: Standing,
}

/// What a compared figure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountOf {
    /// Accepted answers.
    Right,
    /// Flips.
    Flips,
}

/// Where every figure stands of which both sides have one: accuracy in the own order, then flips under every other order, every other
/// axis and the control.
///
/// Accuracy under other orders is in none, since flips and accuracy in the own order say as much with fewer tests.
pub fn standings(comparison: &Comparison) -> Vec<Compared<'_>> {
    let own = comparison.orders.get_index(0);
    let right =
        own.and_then(|(name, order)| Some((CountOf::Right, name, order.accuracy.as_ref()?)));
    let orders = comparison.orders.iter();
    let orders = orders.filter_map(|(name, order)| Some((name, order.flips.as_ref()?)));
    let axes = comparison
        .axes
        .iter()
        .map(|(name, found)| (name, &found.flips));
    let flips = orders.chain(axes);
    let flips = flips.map(|(name, paired)| (CountOf::Flips, name, paired));
    let all: Vec<_> = right.into_iter().chain(flips).collect();
    let tests: Vec<f64> = all
        .iter()
        .filter_map(|(.., paired)| paired.mcnemar_p)
        .collect();
    // Exact tests give what Holm's method takes.
    let mut adjusted = holm(&tests).unwrap_or_default().into_iter();
    let mut compared = Vec::new();
    for (of, name, paired) in all {
        let adjusted_p = paired.mcnemar_p.and_then(|_| adjusted.next());
        compared.push(Compared {
            of,
            name,
            paired,
            adjusted_p,
            standing: standing(of, paired, adjusted_p, comparison.alpha),
        });
    }
    compared
}

fn standing(of: CountOf, paired: &Paired, adjusted_p: Option<f64>, alpha: f64) -> Standing {
    let (Some(p), Some(difference)) = (adjusted_p, paired.difference) else {
        return Standing::NotMeasured;
    };
    let better = match of {
        CountOf::Right => difference > 0.0,
        CountOf::Flips => difference < 0.0,
    };
    if p > alpha {
        Standing::Undecided
    } else if better {
        Standing::Better
    } else {
        Standing::Worse
    }
}
