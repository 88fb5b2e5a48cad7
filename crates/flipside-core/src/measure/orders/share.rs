//! Shares and means of cases with their intervals.

use crate::case::Case;
use crate::measure::accuracy::LEVEL;
use crate::measure::clusters::{Unit, Units};
use crate::measure::orders::View;
use crate::measure::units::totals;
use crate::stats::cluster::{self, FEWEST_FLIPS};
use crate::stats::proportion;
use crate::summary::{CaseMean, CaseShare};

/// What a case says about a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::measure) enum Shows {
    Yes,
    No,
    /// Not so far, and what is lost could change it.
    NotYet,
    /// Nobody knows: in no share, and only the one-sided bounds know it.
    Unknown,
}

impl From<bool> for Shows {
    fn from(shows: bool) -> Self {
        if shows { Self::Yes } else { Self::No }
    }
}

/// A share of cases, its bounds over independent units.
pub(in crate::measure) fn share<'c>(
    view: &View<'_>,
    cases: impl IntoIterator<Item = (&'c Case, Shows)>,
    reason: &str,
) -> CaseShare {
    let cases: Vec<(&Case, Shows)> = cases.into_iter().collect();
    let number = |wanted: Shows| cases.iter().filter(|(_, shows)| *shows == wanted).count() as u64;
    let (count, not_yet) = (number(Shows::Yes), number(Shows::NotYet));
    let (of, unknown) = (count + number(Shows::No) + not_yet, number(Shows::Unknown));
    let all = of + unknown;
    let wilson = proportion::wilson(count, of, LEVEL).ok();
    let (interval, lower, upper) = match view.cluster {
        None => (
            wilson.map(|share| [share.lower, share.upper]),
            proportion::lower_bound(count, all, view.alpha).ok(),
            proportion::upper_bound(count + not_yet + unknown, all, view.alpha).ok(),
        ),
        Some(field) => {
            let units = |not_yet: Unit| {
                let unit = move |&(case, shows): &(&'c Case, Shows)| match shows {
                    Shows::Yes => (case, Unit::Hit),
                    Shows::No => (case, Unit::NoHit),
                    Shows::NotYet => (case, not_yet),
                    Shows::Unknown => (case, Unit::Lost),
                };
                Units::of(field, cases.iter().map(unit)).share(view.alpha)
            };
            let (known, bounds) = (units(Unit::NoHit), units(Unit::Lost));
            (
                known.and_then(|share| share.interval),
                bounds.as_ref().map(|share| share.bounds.lower),
                bounds.as_ref().map(|share| share.bounds.upper),
            )
        }
    };
    CaseShare {
        count,
        of,
        rate: wilson.map(|share| share.value),
        interval,
        lower,
        upper,
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
pub(super) fn mean(view: &View<'_>, values: &[(&Case, f64)], reason: &str) -> CaseMean {
    // The same sum whatever order the cases stand in.
    let totals = totals(view.cluster, values.iter().copied());
    let interval = cluster::betting_interval_over(&totals, 1.0 - LEVEL).ok();
    CaseMean {
        value: interval.map(|estimate| estimate.value),
        cases: values.len() as u64,
        interval: interval.map(|estimate| [estimate.lower, estimate.upper]),
        method: interval.map(|estimate| estimate.method),
        seed: None,
        reason: interval.is_none().then(|| reason.to_owned()),
    }
}

/// Whether a bootstrap over `sorted` units shows what chance does: at least ten of them are not like the most frequent one.
///
/// Where nearly all units are one value, nearly every resample is too, and the interval collapses.
pub(in crate::measure) fn resamples_vary<T: PartialEq>(sorted: &[T]) -> bool {
    let groups = sorted.chunk_by(|a, b| a == b).map(<[T]>::len);
    (sorted.len() - groups.max().unwrap_or(0)) as u64 >= FEWEST_FLIPS
}
