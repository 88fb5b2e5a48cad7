//! Accuracy per order against the own order, and averaged over orders.

use crate::case::Case;
use crate::measure::pair::Said;
use crate::measure::units::{contrast, share_interval, totals};
use crate::stats::cluster::betting_interval_over;
use crate::stats::{paired, proportion};
use crate::summary::{Accuracy, Mean};

/// Coverage of intervals in tables.
pub(crate) const LEVEL: f64 = 0.95;

/// Whether an ask of a labelled case is accepted; a model that declines is not. `None` where there is nothing to say.
pub(crate) fn right(case: &Case, said: Said) -> Option<bool> {
    match said {
        Said::Chose { id, .. } => case.accepts(id),
        Said::Nothing => case.is_labelled().then_some(false),
        Said::Missing | Said::Unasked => None,
    }
}

/// Accuracy under a variant beside the own order, on the labelled cases answered under both.
///
/// `cluster` names the field by whose values cases depend on each other, if any. `None` without such a case.
pub fn accuracy<'a>(
    pairs: impl Iterator<Item = (&'a Case, Said, Said)>,
    cluster: Option<&str>,
) -> Option<Accuracy> {
    let (mut both, mut own_only, mut variant_only, mut neither) = (0, 0, 0, 0);
    let rights = |(case, own, variant)| Some((case, (right(case, variant)?, right(case, own)?)));
    let compared: Vec<(&Case, (bool, bool))> = pairs.filter_map(rights).collect();
    for &(_, (variant, own)) in &compared {
        let count = match (own, variant) {
            (true, true) => &mut both,
            (true, false) => &mut own_only,
            (false, true) => &mut variant_only,
            (false, false) => &mut neither,
        };
        *count += 1;
    }
    let of = both + own_only + variant_only + neither;
    let right = both + variant_only;
    let share = proportion::wilson(right, of, LEVEL).ok()?;
    // Variant first, so that the difference is variant minus own order.
    let difference = paired::newcombe_paired(both, variant_only, own_only, neither, LEVEL).ok()?;
    let mut found = Accuracy {
        right,
        of,
        rate: share.value,
        interval: [share.lower, share.upper],
        own_right: both + own_only,
        difference: difference.value,
        difference_interval: [difference.lower, difference.upper],
        mcnemar_p: paired::mcnemar_exact(own_only, variant_only),
        clusters: None,
    };
    if let Some(field) = cluster {
        let contrast = contrast(field, &compared, LEVEL)?;
        let rights = compared.iter().map(|&(case, (variant, _))| (case, variant));
        found.interval = share_interval(cluster, rights)?;
        found.difference_interval = contrast.interval;
        found.mcnemar_p = contrast.p;
        found.clusters = Some(contrast.signs);
    }
    Some(found)
}

/// Mean over labelled cases of the share of accepted answers over all orders asked, the own one included.
///
/// Cases without an answered ask are left out. `None` without a case. Source: the statistics page, 11; the interval is the
/// betting interval of 4.4, since a case's share is a value between 0 and 1 and not a yes or no; over the clusters of the
/// field `cluster`, if cases depend on each other.
pub fn order_averaged<'a>(
    cases: impl Iterator<Item = (&'a Case, &'a [Said])>,
    cluster: Option<&str>,
) -> Option<Mean> {
    let (mut shares, mut asks) = (Vec::new(), 0_u64);
    for (case, said) in cases {
        let rights: Vec<bool> = said.iter().filter_map(|&said| right(case, said)).collect();
        if rights.is_empty() {
            continue;
        }
        asks += rights.len() as u64;
        #[expect(clippy::cast_precision_loss, reason = "ask counts are far below 2^52")]
        let share = rights.iter().filter(|right| **right).count() as f64 / rights.len() as f64;
        shares.push((case, share));
    }
    let number = shares.len() as u64;
    let totals = totals(cluster, shares);
    let interval = betting_interval_over(&totals, 1.0 - LEVEL).ok()?;
    Some(Mean {
        value: interval.value,
        cases: number,
        asks,
        interval: [interval.lower, interval.upper],
    })
}
