//! Axes: what the limit of each variant says, over all variants together, and why.

use crate::course::Sequential;
use crate::gate::{Gates, Judged, Kind, Population, Subject, TOLERANCE};
use crate::measure::confirm;
use crate::measure::line::{self, Ruling};
use crate::measure::pooled::{Pooled, is_pooled};
use crate::measure::table::{CasePair, Table};
use crate::perturb::Axis;
use crate::stats::multiple;
use crate::stats::proportion::p_over;
use crate::stats::sequential::{Decision, confidence_sequence};
use crate::summary::{Confirmation, Rule, Verdict};

/// One variant with its pairs and what its limit says about them.
pub(crate) struct Judgement<'a> {
    pub(crate) axis: Axis,
    pub(crate) variant: usize,
    pub(crate) pairs: Vec<CasePair<'a>>,
    pub(crate) ruling: Ruling,
    /// Test that the rate is at most the limit, alone and by Holm's method.
    pub(crate) over_limit: Option<(f64, f64)>,
}

/// Every variant that changes something, and every axis that is judged as a whole.
pub(crate) struct Judgements<'a> {
    pub(crate) each: Vec<Judgement<'a>>,
    pub(crate) pooled: Vec<Pooled<'a>>,
}

/// Everything that limits say about `table`; `counted` says which asks count.
pub(crate) fn judgements<'a>(
    table: &Table<'a>,
    gates: &Gates,
    standing: Option<&Sequential>,
    counted: impl Fn(usize) -> bool,
) -> Judgements<'a> {
    let each = variants(table, gates, standing, counted);
    let whole = Axis::CHANGES.into_iter().filter(|axis| is_pooled(*axis));
    let pooled = whole.filter_map(|axis| Pooled::new(axis, &each, table, gates));
    let pooled = pooled.collect();
    let mut judgements = Judgements { each, pooled };
    correct(&mut judgements, gates.alpha);
    judgements
}

fn variants<'a>(
    table: &Table<'a>,
    gates: &Gates,
    standing: Option<&Sequential>,
    counted: impl Fn(usize) -> bool,
) -> Vec<Judgement<'a>> {
    let variants = table.plan.variants.iter().enumerate();
    let changes = variants
        .filter(|(place, variant)| variant.axis.changes() && !table.plan.is_reference(*place));
    changes
        .map(|(place, variant)| {
            let mut pairs = table.pairs(place);
            pairs.retain(|each| counted(each.ask));
            let vacuous = table.plan.vacuous.iter();
            let vacuous = vacuous
                .filter(|each| each.variant as usize == place)
                .count() as u64;
            let counts = line::tally(&pairs, vacuous).counts();
            let limit = if is_pooled(variant.axis) {
                gates.limit(&Subject::Axis(variant.axis, Some(variant.name.clone())))
            } else {
                gates.limit_of(variant)
            };
            let outcomes = || line::outcomes(&pairs);
            let mut ruling = Ruling::new(counts, outcomes(), limit, gates.strict, gates);
            if let Some(standing) = standing {
                sequential_ruling(&mut ruling, standing);
            }
            let general = ruling.rule == Rule::General && gates.population == Population::Traffic;
            let all = counts.pairs + counts.missing;
            let units = line::units(gates, outcomes());
            let p = |limit| match &units {
                Some(units) => units.p_over(limit),
                None => p_over(counts.flips, all, limit).ok(),
            };
            let over_limit = limit
                .filter(|_| general && standing.is_none())
                .and_then(p)
                .map(|p| (p, p));
            withhold(&mut ruling, &pairs);
            Judgement {
                axis: variant.axis,
                variant: place,
                pairs,
                ruling,
                over_limit,
            }
        })
        .collect()
}

/// What asking adaptively showed in place of what a fixed number of pairs would have.
fn sequential_ruling(ruling: &mut Ruling, standing: &Sequential) {
    let Some(judged) = &mut ruling.judged else {
        return;
    };
    if standing.pairs == 0 || judged.kind == Kind::NotApplicable {
        return;
    }
    // A model that declines too often was found so by the counts, whatever flips they have.
    if !(judged.kind == Kind::Undecided && judged.reason.is_some()) {
        (judged.kind, judged.reason) = match standing.decision {
            Decision::Stable => (Kind::Stable, None),
            Decision::Sensitive => (Kind::Sensitive, None),
            Decision::Open => (
                Kind::Inconclusive,
                Some(open_text(standing, ruling.over.is_some())),
            ),
        };
    }
    judged.more_pairs = None;
    if let Some(over) = &mut ruling.over {
        over.figure.more_clusters = None;
        line::few_clusters(over, judged);
        // No interval that stays valid under looking is known over clusters.
        over.interval = None;
        ruling.bounds = None;
        return;
    }
    let sequence = confidence_sequence(standing.flips, standing.pairs, standing.alpha);
    let worst = confidence_sequence(
        standing.flips + standing.missing,
        standing.pairs,
        standing.alpha,
    );
    if let (Some(bounds), Ok(sequence), Ok(worst)) = (&mut ruling.bounds, sequence, worst) {
        (bounds.lower, bounds.upper) = (sequence.lower, worst.upper);
    }
}

fn open_text(standing: &Sequential, ruling_over: bool) -> String {
    let units = if ruling_over { "clusters" } else { "cases" };
    if standing.known < standing.units {
        let (known, all) = (standing.known, standing.units);
        return format!("asking stopped after {known} of {all} {units}");
    }
    match standing.rule {
        crate::course::Adaptive::Planned => format!(
            "the plan of {} cases ended undecided; more cases need a new plan, or `--adaptive open`",
            standing.units
        ),
        // Clusters that were looked at may not gain cases.
        crate::course::Adaptive::Open if ruling_over => format!(
            "{} clusters leave it open; more of them need a new run",
            standing.observed
        ),
        crate::course::Adaptive::Open => {
            format!("{} cases leave it open; go on with more", standing.observed)
        }
    }
}

/// Withholds `stable` in general where two models served the answers.
pub(crate) fn withhold(ruling: &mut Ruling, pairs: &[CasePair<'_>]) {
    let Some(judged) = ruling
        .judged
        .as_mut()
        .filter(|judged| judged.kind == Kind::Stable && ruling.rule == Rule::General)
    else {
        return;
    };
    let mut served: Vec<&str> = pairs
        .iter()
        .filter_map(|each| each.answers?.0.served_model.as_deref())
        .collect();
    served.sort_unstable();
    served.dedup();
    if served.len() > 1 {
        *judged = Judged {
            kind: Kind::Undecided,
            reason: Some(format!("{} served models answered", served.len())),
            more_pairs: None,
        };
    }
}

/// Corrects for several variants of all axes: none is called sensitive by chance because many were asked (the statistics
/// page, 6.3).
fn correct(judgements: &mut Judgements<'_>, alpha: f64) {
    let each = judgements.each.iter_mut();
    let each = each.map(|each| (each.axis, &mut each.over_limit, &mut each.ruling));
    let pooled = judgements.pooled.iter_mut();
    let pooled = pooled.map(|each| (each.axis, &mut each.over_limit, &mut each.ruling));
    let mut tested: Vec<_> = each
        .chain(pooled)
        .filter_map(|(axis, over_limit, ruling)| Some((axis, over_limit.as_mut()?, ruling)))
        .collect();
    let p: Vec<f64> = tested
        .iter()
        .map(|(_, over_limit, _)| over_limit.0)
        .collect();
    let Ok(holm) = multiple::holm(&p) else {
        return;
    };
    let family = p.len();
    let orders = tested.iter().all(|(axis, ..)| *axis == Axis::Order);
    let of = if orders { "orders" } else { "variants" };
    for ((_, over_limit, ruling), holm) in tested.iter_mut().zip(holm) {
        over_limit.1 = holm;
        let Some(judged) = &mut ruling.judged else {
            continue;
        };
        if judged.kind == Kind::Sensitive && holm > alpha * (1.0 + TOLERANCE) {
            judged.kind = Kind::Inconclusive;
            judged.reason = Some(format!(
                "over the limit alone, not after correction for {family} {of} (Holm p {holm:.2})"
            ));
        }
    }
}

/// The words of `axis`, with the cause of too many flips.
pub(crate) fn words(
    axis: Axis,
    judged: &Judged,
    limit: Option<f64>,
    confirmation: Option<&Confirmation>,
    alpha: f64,
) -> (Verdict, Option<String>) {
    let word = match judged.kind {
        Kind::Stable => Verdict::Stable,
        Kind::Sensitive => return confirm::cause(axis, confirmation, limit, alpha),
        Kind::Inconclusive => Verdict::Inconclusive,
        Kind::Undecided => Verdict::Undecided,
        Kind::NotApplicable => Verdict::NotApplicable,
        Kind::NotMeasured => Verdict::NotMeasured,
    };
    (word, judged.reason.clone())
}
