//! Shares and means of cases with their intervals.

use crate::measure::accuracy::LEVEL;
use crate::stats::cluster::{self, FEWEST_FLIPS};
use crate::stats::proportion;
use crate::summary::{CaseMean, CaseShare};

/// A share of cases; `open` further cases could show it or not, and only the one-sided bounds know them.
pub(super) fn share(count: u64, of: u64, open: u64, alpha: f64, reason: &str) -> CaseShare {
    let wilson = proportion::wilson(count, of, LEVEL).ok();
    CaseShare {
        count,
        of,
        rate: wilson.map(|share| share.value),
        interval: wilson.map(|share| [share.lower, share.upper]),
        lower: proportion::lower_bound(count, of + open, alpha).ok(),
        upper: proportion::upper_bound(count + open, of + open, alpha).ok(),
        reason: (of == 0).then(|| reason.to_owned()),
    }
}

/// A share that does not exist.
pub(super) fn no_share(reason: &str) -> CaseShare {
    CaseShare {
        count: 0,
        of: 0,
        rate: None,
        interval: None,
        lower: None,
        upper: None,
        reason: Some(reason.to_owned()),
    }
}

/// A mean over cases with its betting interval, which asks nothing of their distribution.
pub(super) fn mean(values: &[f64], reason: &str) -> CaseMean {
    let mut sorted = values.to_vec();
    // The same sum whatever order the cases stand in.
    sorted.sort_by(f64::total_cmp);
    let interval = cluster::betting_interval(&sorted, 1.0 - LEVEL).ok();
    CaseMean {
        value: interval.map(|estimate| estimate.value),
        cases: values.len() as u64,
        interval: interval.map(|estimate| [estimate.lower, estimate.upper]),
        method: interval.map(|estimate| estimate.method),
        seed: None,
        reason: interval.is_none().then(|| reason.to_owned()),
    }
}

/// Whether a bootstrap over `sorted` cases shows what chance does: at least ten of them are not like the most frequent one.
///
/// Where nearly all cases are one value, nearly every resample is too, and the interval collapses.
pub(super) fn resamples_vary<T: PartialEq>(sorted: &[T]) -> bool {
    let groups = sorted.chunk_by(|a, b| a == b).map(<[T]>::len);
    (sorted.len() - groups.max().unwrap_or(0)) as u64 >= FEWEST_FLIPS
}
