//! What a plan costs and can show at best, before anything is asked.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use crate::course::{Adaptive, Confirm, Course};
use crate::gate::{FEWEST_CLUSTERS, Gates, Population, Subject};
use crate::model::Card;
use crate::perturb::Axis;
use crate::plan::{Plan, VacuousReason};
use crate::stats::proportion;
use crate::stats::sequential::{first_clean_stop, first_flip_stop, open_boundaries};

/// Bytes of a request per token, for estimates where no tokenizer is at hand.
pub const BYTES_PER_TOKEN: u64 = 4;

/// What a plan costs and can show at best.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Preflight {
    /// How the user named the model.
    pub model: String,
    /// Where requests go; null in process.
    pub endpoint: Option<String>,
    /// The variable that the key comes from, if one is sent.
    pub key_variable: Option<String>,
    /// Cases.
    pub cases: u64,
    /// Cases left out because an earlier one is the same.
    pub duplicates: u64,
    /// Clusters that the cases come in; null where they are taken as independent.
    pub clusters: Option<u64>,
    /// Asks, without those that are answered by the record.
    pub asks: u64,
    /// Recorded answers that are the baseline's.
    pub recorded: u64,
    /// Requests that the asks need.
    pub requests: u64,
    /// Bytes of all requests.
    pub request_bytes: u64,
    /// Input tokens, estimated at [`BYTES_PER_TOKEN`].
    pub estimated_input_tokens: u64,
    /// Cost of that many input tokens in millionths of a US dollar; null where the price is unknown.
    pub estimated_cost_usd_micros: Option<u64>,
    /// Further requests at most, to confirm flips.
    pub confirming_at_most: u64,
    /// What asking adaptively can reach; null where it is not adaptive.
    pub sequential: Option<PreflightSequential>,
    /// Each variant in plan order, the baseline first.
    pub variants: Vec<PreflightVariant>,
}

/// What asking adaptively can reach.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PreflightSequential {
    /// The rule.
    pub rule: Adaptive,
    /// The limit.
    pub limit: f64,
    /// Error allowed on each side.
    pub alpha: f64,
    /// Cases that may be asked.
    pub units: u64,
    /// The fewest cases after which it can say `stable`, all of them without a flip; null if this file has too few.
    pub first_stable: Option<u64>,
    /// The fewest cases after which it can say the opposite, all of them flipped.
    pub first_sensitive: Option<u64>,
    /// How it would go at some true rates; empty for very large files.
    pub expected: Vec<Expected>,
}

/// How asking adaptively would go at one true rate of flips, by exact recursion.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Expected {
    /// The true rate.
    pub rate: f64,
    /// Mean number of cases asked.
    pub cases: f64,
    /// Chance of `stable`.
    pub stable: f64,
    /// Chance of the opposite.
    pub sensitive: f64,
    /// Chance of neither by the file's end.
    pub inconclusive: f64,
}

/// True rates at which [`Expected`] is computed.
const RATES: [f64; 6] = [0.0, 0.01, 0.02, 0.05, 0.1, 0.3];
/// Files up to this size are gone through exactly; beyond it the recursion takes longer than it is worth.
const MOST_EXACT: u64 = 5_000;

/// What asking `plan` adaptively under `gates` can reach; `None` where it is not adaptive.
fn sequential(plan: &Plan, gates: &Gates) -> Option<PreflightSequential> {
    let course = Course::new(plan, gates).ok()?;
    let standing = course.standing()?;
    let (units, limit, alpha) = (standing.units, standing.limit, standing.alpha);
    let boundaries = match &standing.planned {
        Some(planned) => Some(planned.boundaries.clone()),
        None if units <= MOST_EXACT => open_boundaries(units, limit, alpha).ok(),
        None => None,
    };
    let first = |side: &[Option<u64>], reached: &dyn Fn(u64, u64) -> bool| {
        let mut places = (1..).zip(side);
        let found = places.find(|(n, flips)| flips.is_some_and(|flips| reached(*n, flips)));
        found.map(|(n, _)| n)
    };
    let within = |n: Option<u64>| n.filter(|n| *n <= units);
    let (first_stable, first_sensitive) = match &boundaries {
        Some(boundaries) => (
            first(&boundaries.stable, &|_, _| true),
            first(&boundaries.sensitive, &|n, flips| flips <= n),
        ),
        None => (
            within(first_clean_stop(limit, alpha).ok().flatten()),
            within(first_flip_stop(limit, alpha).ok().flatten()),
        ),
    };
    let exact = boundaries.filter(|_| units <= MOST_EXACT);
    let expected = exact.iter().flat_map(|boundaries| {
        RATES.iter().filter_map(|&rate| {
            let operating = boundaries.operating(rate).ok()?;
            Some(Expected {
                rate,
                cases: operating.mean_cases,
                stable: operating.stable,
                sensitive: operating.sensitive,
                inconclusive: operating.inconclusive,
            })
        })
    });
    Some(PreflightSequential {
        rule: standing.rule,
        limit,
        alpha,
        units,
        first_stable,
        first_sensitive,
        expected: expected.collect(),
    })
}

/// How many requests the confirmation would need if every case flipped.
fn confirming_at_most(plan: &Plan, gates: &Gates) -> u64 {
    if gates.confirm == Confirm::Never {
        return 0;
    }
    // One flip of each case on each axis, its two asks; those of the baselines are one ask for all axes.
    let changes = plan.asks.iter().filter(|ask| {
        let variant = plan.variant_of(ask);
        variant.axis.changes()
            && ask.against.is_some()
            && (gates.confirm == Confirm::All || gates.limit_of(variant).is_some())
    });
    let mut first = BTreeSet::new();
    let mut second = BTreeSet::new();
    for ask in changes {
        let axis = plan.variant_of(ask).axis;
        // Which of several references of one axis flips is not known, only that it is one.
        let own = ask
            .against
            .is_some_and(|against| plan.asks[against as usize].variant == 0);
        first.insert((ask.case, (!own).then_some(axis)));
        second.insert((ask.case, axis));
    }
    (first.len() + second.len()) as u64
}

/// One variant of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PreflightVariant {
    /// The axis.
    pub axis: Axis,
    /// The value on it.
    pub variant: String,
    /// Asks, which are pairs for all but the baseline and references.
    pub asks: u64,
    /// Whether other variants alone are compared with it, so that it has no pairs of its own.
    pub reference: bool,
    /// Vacuous cases.
    pub vacuous: u64,
    /// The same by reason.
    pub vacuous_reasons: IndexMap<VacuousReason, u64>,
    /// Clusters that the pairs come in; null where cases are taken as independent, and for the baseline.
    pub clusters: Option<u64>,
    /// The limit of its gate, if there is one.
    pub limit: Option<f64>,
    /// The smallest limit that this many pairs, with clusters this many clusters, without a flip show in general; null for the
    /// baseline and without pairs, with fewer clusters than anything can be shown by, where asking goes on by the rule `open`,
    /// and where bounds speak about the file alone.
    pub best_limit: Option<f64>,
    /// Pairs, with clusters whole clusters, without a flip that the gate's limit needs in general; null without a gate, for a
    /// limit of zero and where bounds speak about the file alone.
    pub pairs_needed: Option<u64>,
}

/// What `plan` costs on the model of `card`, and what it can show at best against `gates`.
pub fn preflight(plan: &Plan, card: &Card, gates: &Gates) -> Preflight {
    let sent = (plan.asks.iter().enumerate()).filter(|(place, _)| plan.sends(*place));
    let request_bytes: u64 = sent.map(|(_, ask)| u64::from(ask.bytes)).sum();
    let tokens = request_bytes.div_ceil(BYTES_PER_TOKEN);
    let cost = card.price.map(|price| {
        let exact = u128::from(tokens) * u128::from(price.input_usd_micros);
        u64::try_from(exact.div_ceil(1_000_000)).unwrap_or(u64::MAX)
    });
    let variants = plan.variants.iter().enumerate().map(|(place, variant)| {
        let asks = (plan.asks.iter().enumerate())
            .filter(|(ask, planned)| {
                planned.variant as usize == place && plan.recorded(*ask).is_none()
            })
            .count() as u64;
        let mut vacuous_reasons: IndexMap<VacuousReason, u64> = IndexMap::new();
        let vacuous = plan.vacuous.iter();
        for each in vacuous.filter(|each| each.variant as usize == place) {
            *vacuous_reasons.entry(each.reason).or_insert(0) += 1;
        }
        vacuous_reasons.sort_keys();
        let reference = plan.is_reference(place);
        let limit = match variant.axis {
            Axis::Same => gates.limit(&Subject::Same),
            Axis::Baseline => None,
            _ => gates.limit_of(variant),
        };
        let pairs = variant.axis != Axis::Baseline && asks > 0 && !reference;
        let clusters = (variant.axis != Axis::Baseline)
            .then(|| clusters(plan, gates, Some(place)))
            .flatten();
        let fewest = clusters.map_or(0, |_| FEWEST_CLUSTERS);
        // Bounds of a sample of fixed size say nothing about these cases alone, nor about what stops by its flips.
        let sampled = gates.population == Population::Traffic;
        let open = gates.adaptive == Some(Adaptive::Open) && variant.axis == Axis::Order;
        let needed = |limit| match (sampled, open) {
            (false, _) => None,
            (true, true) => first_clean_stop(limit, gates.alpha).ok().flatten(),
            (true, false) => proportion::cases_needed(0, limit, gates.alpha),
        };
        let units = clusters.unwrap_or(asks);
        PreflightVariant {
            axis: variant.axis,
            variant: variant.name.clone(),
            asks,
            reference,
            vacuous: vacuous_reasons.values().sum(),
            vacuous_reasons,
            clusters,
            limit,
            best_limit: if pairs && sampled && !open && units >= fewest {
                proportion::upper_bound(0, units, gates.alpha).ok()
            } else {
                None
            },
            pairs_needed: limit.and_then(needed).map(|needed| needed.max(fewest)),
        }
    });
    Preflight {
        model: card.spec.clone(),
        endpoint: card.endpoint.clone(),
        key_variable: card.key_variable.clone(),
        cases: plan.cases.len() as u64,
        duplicates: plan.duplicates.len() as u64,
        clusters: clusters(plan, gates, None),
        asks: (plan.asks.len() - plan.recorded_asks()) as u64,
        recorded: plan.recorded_asks() as u64,
        requests: plan.requests() as u64,
        request_bytes,
        estimated_input_tokens: tokens,
        estimated_cost_usd_micros: cost,
        confirming_at_most: confirming_at_most(plan, gates),
        sequential: sequential(plan, gates),
        variants: variants.collect(),
    }
}

/// The clusters of the cases that are asked under `variant`, or of all; `None` where cases are taken as independent.
fn clusters(plan: &Plan, gates: &Gates, variant: Option<usize>) -> Option<u64> {
    let groups = &gates.groups;
    groups.cluster.as_ref()?;
    let asked = plan
        .asks
        .iter()
        .filter(|ask| variant.is_none_or(|variant| ask.variant as usize == variant));
    let found: BTreeSet<&str> = asked
        .filter_map(|ask| groups.cluster_of(plan.case_of(ask)))
        .collect();
    Some(found.len() as u64)
}
