//! What a limit on flips says about counts of pairs.

use super::{FEWEST_CLUSTERS, Population, TOLERANCE, UNDECIDED_SHARE};
use crate::stats::number::real;
use crate::stats::proportion;

/// Counts of pairs that a limit on flips is judged by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Pairs that could be compared.
    pub pairs: u64,
    /// Flips among them.
    pub flips: u64,
    /// Pairs with a failed or unasked ask.
    pub missing: u64,
    /// How many of the missing pairs were not asked yet.
    pub unasked: u64,
    /// Pairs in which neither answer decided.
    pub no_decision: u64,
    /// Pairs left out because the change could not change the request.
    pub vacuous: u64,
}

/// One-sided bounds of a rate of flips, each at alpha.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    /// A missing pair counts as no flip.
    pub(crate) lower: f64,
    /// A missing pair counts as a flip.
    pub(crate) upper: f64,
}

impl Counts {
    /// Exact bounds of the rate; `None` without a pair.
    ///
    /// For traffic Clopper and Pearson's. For the file the hypergeometric ones of 4.5 over the pairs that were not asked,
    /// which the seeded schedule leaves out at random; failed pairs are no random ones and count as they would be worst.
    pub(crate) fn bounds(&self, population: Population, alpha: f64) -> Option<Bounds> {
        let all = self.pairs + self.missing;
        match population {
            Population::Traffic => Some(Bounds {
                lower: proportion::lower_bound(self.flips, all, alpha).ok()?,
                upper: proportion::upper_bound(self.flips + self.missing, all, alpha).ok()?,
            }),
            Population::File => {
                let asked = all - self.unasked;
                if asked == 0 {
                    return (all > 0).then_some(Bounds {
                        lower: 0.0,
                        upper: 1.0,
                    });
                }
                let most = self.flips + self.missing - self.unasked;
                let flips = proportion::finite_file_bound(all, asked, most, alpha).ok()?;
                let same = asked - self.flips;
                let same = proportion::finite_file_bound(all, asked, same, alpha).ok()?;
                Some(Bounds {
                    lower: share_of(all - same.max_flips, all),
                    upper: flips.upper_rate,
                })
            }
        }
    }
}

/// What a limit says about counts, before the axis gives it its words.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The kind of outcome.
    pub kind: Kind,
    /// Why, where the kind alone does not say it.
    pub reason: Option<String>,
    /// Further pairs that would settle an inconclusive verdict.
    pub more_pairs: Option<proportion::MorePairs>,
}

impl Judged {
    fn plain(kind: Kind) -> Self {
        Self {
            kind,
            reason: None,
            more_pairs: None,
        }
    }

    fn because(kind: Kind, reason: String) -> Self {
        Self {
            reason: Some(reason),
            ..Self::plain(kind)
        }
    }
}

/// Kinds of outcome of a limit on flips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// At or under the limit.
    Stable,
    /// Over the limit.
    Sensitive,
    /// The exact bounds lie on both sides of the limit.
    Inconclusive,
    /// Missing answers or missing decisions leave it open.
    Undecided,
    /// Every pair is vacuous.
    NotApplicable,
    /// Nothing was asked or nothing decided.
    NotMeasured,
}

/// Judges `counts` against `limit`, about this file or in general (the statistics page, 6.1).
///
/// A missing pair counts as a flip on the way to `Stable` and as none on the way to `Sensitive`, so failures can
/// never look like a clean zero.
pub fn judge_flips(counts: Counts, limit: f64, strict: bool, alpha: f64) -> Judged {
    let bounds = strict
        .then(|| counts.bounds(Population::Traffic, alpha))
        .flatten();
    judge_by(counts, limit, bounds, Population::Traffic, alpha)
}

/// Judges `counts` against `limit`: in general where `bounds` of the rate are given, about this file without.
pub(crate) fn judge_by(
    counts: Counts,
    limit: f64,
    bounds: Option<Bounds>,
    population: Population,
    alpha: f64,
) -> Judged {
    let Counts {
        pairs,
        flips,
        missing,
        unasked,
        no_decision,
        vacuous,
    } = counts;
    let all = pairs + missing;
    if all == 0 && no_decision == 0 {
        return if vacuous > 0 {
            Judged::because(Kind::NotApplicable, "every pair is vacuous".to_owned())
        } else {
            Judged::plain(Kind::NotMeasured)
        };
    }
    if all == 0 {
        return Judged::because(Kind::NotMeasured, "no answer decided".to_owned());
    }
    let judged = if let Some(bounds) = bounds {
        in_general(counts, limit, bounds, population, alpha)
    } else if share_of(flips + missing, all) <= limit {
        Judged::plain(Kind::Stable)
    } else if share_of(flips, all) > limit {
        Judged::plain(Kind::Sensitive)
    } else {
        Judged::because(Kind::Undecided, lost(missing, unasked, all))
    };
    if judged.kind == Kind::Stable && share_of(no_decision, all + no_decision) > UNDECIDED_SHARE {
        let of = all + no_decision;
        return Judged::because(
            Kind::Undecided,
            format!("in {no_decision} of {of} pairs the model did not decide"),
        );
    }
    judged
}

/// Why too few clusters show nothing.
pub(crate) fn few_clusters(clusters: u64) -> String {
    match clusters {
        1 => format!("all cases are of one cluster, {FEWEST_CLUSTERS} are needed"),
        _ => format!("{clusters} clusters, {FEWEST_CLUSTERS} are needed"),
    }
}

/// Why pairs without an outcome leave a verdict open, and what to do about them.
fn lost(missing: u64, unasked: u64, all: u64) -> String {
    match missing - unasked {
        0 => format!("{unasked} of {all} pairs were not asked"),
        _ => format!("{missing} of {all} pairs are missing; ask them again first"),
    }
}

fn in_general(
    counts: Counts,
    limit: f64,
    bounds: Bounds,
    population: Population,
    alpha: f64,
) -> Judged {
    let Counts {
        pairs,
        flips,
        missing,
        unasked,
        ..
    } = counts;
    let all = pairs + missing;
    match bounds {
        Bounds { upper, .. } if upper <= limit * (1.0 + TOLERANCE) => Judged::plain(Kind::Stable),
        Bounds { lower, .. } if lower > limit * (1.0 + TOLERANCE) => Judged::plain(Kind::Sensitive),
        _ if missing > 0 => Judged::because(Kind::Inconclusive, lost(missing, unasked, all)),
        // Every case is known, so no further one could settle it.
        _ if population == Population::File => Judged::plain(Kind::Inconclusive),
        _ if limit == 0.0 => Judged::because(
            Kind::Inconclusive,
            "no number of cases shows that a rate is zero".to_owned(),
        ),
        _ => Judged {
            more_pairs: proportion::more_pairs(flips, pairs, missing, limit, alpha).ok(),
            ..Judged::plain(Kind::Inconclusive)
        },
    }
}

fn share_of(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        real(part) / real(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::ALPHA;

    #[test]
    fn about_this_file_a_missing_pair_never_makes_it_stable() {
        let kind = |pairs, flips, missing| {
            judge_flips(
                Counts {
                    pairs,
                    flips,
                    missing,
                    ..Counts::default()
                },
                0.05,
                false,
                ALPHA,
            )
            .kind
        };
        assert_eq!(kind(40, 2, 0), Kind::Stable);
        assert_eq!(kind(40, 3, 0), Kind::Sensitive);
        assert_eq!(kind(39, 2, 1), Kind::Undecided);
        assert_eq!(kind(0, 0, 40), Kind::Undecided);
        assert_eq!(kind(0, 0, 0), Kind::NotMeasured);
    }

    #[test]
    fn a_model_that_never_decides_is_not_stable() {
        let counts = |pairs, no_decision| Counts {
            pairs,
            no_decision,
            ..Counts::default()
        };
        assert_eq!(
            judge_flips(counts(94, 6), 0.05, false, ALPHA).kind,
            Kind::Undecided
        );
        assert_eq!(
            judge_flips(counts(95, 5), 0.05, false, ALPHA).kind,
            Kind::Stable
        );
        assert_eq!(
            judge_flips(counts(0, 5), 0.05, false, ALPHA).kind,
            Kind::NotMeasured
        );
    }
}
