//! Axes that are judged as a whole: one figure over all variants.
//!
//! Which option is left out is no choice of the user's, so the worst of as many lines as a case has options would blame a model for
//! one option. Pairs of one case are not independent, so the bounds are over cases, or over declared clusters.

use indexmap::IndexMap;

use crate::gate::{self, Gates, Judged, Kind, Population, Subject};
use crate::measure::axis::{Judgement, withhold};
use crate::measure::clusters::{Units, more_clusters};
use crate::measure::line::{self, Ruling, Tally};
use crate::measure::pair::Said;
use crate::measure::table::{CasePair, Table};
use crate::perturb::Axis;
use crate::plan::VacuousReason;
use crate::summary::{Figure, Rule, Verdict};

/// An axis over all of its variants.
pub(crate) struct Pooled<'a> {
    pub(crate) axis: Axis,
    /// The pairs of every variant.
    pub(crate) pairs: Vec<CasePair<'a>>,
    pub(crate) vacuous_reasons: IndexMap<VacuousReason, u64>,
    pub(crate) ruling: Ruling,
    /// Test that the rate is at most the limit, alone and by Holm's method.
    pub(crate) over_limit: Option<(f64, f64)>,
    tally: Tally,
}

/// Whether a gate on the whole of `axis` judges one figure over all variants, and not the worst of them.
pub(crate) fn is_pooled(axis: Axis) -> bool {
    matches!(axis, Axis::Drop | Axis::Decoy)
}

impl<'a> Pooled<'a> {
    /// The axis over all variants in `judged`; `None` where it has none.
    pub(crate) fn new(
        axis: Axis,
        judged: &[Judgement<'a>],
        table: &Table<'a>,
        gates: &Gates,
    ) -> Option<Self> {
        let variants: Vec<&Judgement<'a>> =
            judged.iter().filter(|each| each.axis == axis).collect();
        if variants.is_empty() {
            return None;
        }
        let pairs = variants.iter().flat_map(|each| each.pairs.iter().copied());
        let pairs: Vec<CasePair<'a>> = pairs.collect();
        let mut vacuous_reasons = IndexMap::new();
        for vacuous in &table.plan.vacuous {
            if table.plan.variants[vacuous.variant as usize].axis == axis {
                *vacuous_reasons.entry(vacuous.reason).or_insert(0) += 1;
            }
        }
        vacuous_reasons.sort_keys();
        let tally = line::tally(&pairs, vacuous_reasons.values().sum());
        let limit = gates.limit(&Subject::Axis(axis, None));
        let (ruling, p) = ruling(&pairs, &tally, limit, gates);
        Some(Self {
            axis,
            pairs,
            vacuous_reasons,
            ruling,
            over_limit: p.map(|p| (p, p)),
            tally,
        })
    }

    /// Pairs that are missing because two models served them.
    pub(crate) fn other_version(&self) -> u64 {
        self.pairs.iter().filter(|each| each.other_version).count() as u64
    }

    /// The common fields; `words` has the word for the judged kind.
    pub(crate) fn figure(&self, words: impl Fn(&Judged) -> (Verdict, Option<String>)) -> Figure {
        let asked = self.pairs.iter();
        let asked = asked.filter(|each| each.variant != Said::Unasked).count();
        let mut figure = self.tally.figure(asked as u64, &self.ruling, words);
        line::two_models(&mut figure, self.other_version());
        figure
    }
}

/// What the limit says about `pairs`, and in general the test that their rate is at most it.
fn ruling(
    pairs: &[CasePair<'_>],
    tally: &Tally,
    limit: Option<f64>,
    gates: &Gates,
) -> (Ruling, Option<f64>) {
    let counts = tally.counts();
    let outcomes = line::outcomes(pairs);
    let units = outcomes.filter_map(|(case, outcome)| Some((case, line::unit(outcome)?)));
    let units = Units::of_cases(gates, units);
    let mut over = units.share(gates.alpha);
    let bounds = match gates.population {
        Population::Traffic => over.as_ref().map(|over| over.bounds),
        Population::File => counts.bounds(Population::File, gates.alpha),
    };
    let decisive = bounds.filter(|_| gates.strict);
    let mut judged =
        limit.map(|limit| gate::judge_by(counts, limit, decisive, gates.population, gates.alpha));
    if let (Some(over), Some(judged), Some(limit)) = (&mut over, &mut judged, limit) {
        if judged.kind == Kind::Inconclusive {
            judged.more_pairs = None;
            let (hits, lost) = (counts.flips, counts.missing);
            over.figure.more_clusters =
                more_clusters(over.clusters, hits, lost, limit, gates.alpha);
        }
        // Cases are trusted from the first one on: their bounds say how few they are.
        if gates.groups.cluster.is_some() {
            line::few_clusters(over, judged);
        }
    }
    let general = gates.strict && gates.population == Population::Traffic;
    let p = limit
        .filter(|_| general)
        .and_then(|limit| units.p_over(limit));
    let mut ruling = Ruling {
        limit,
        rule: if gates.strict {
            Rule::General
        } else {
            Rule::File
        },
        bounds,
        judged,
        over,
    };
    withhold(&mut ruling, pairs);
    (ruling, p)
}
