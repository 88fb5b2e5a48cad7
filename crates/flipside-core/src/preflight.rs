//! What a plan costs and can show at best, before anything is asked.

use schemars::JsonSchema;
use serde::Serialize;

use crate::gate::{Gates, Subject};
use crate::model::Card;
use crate::perturb::Axis;
use crate::plan::Plan;
use crate::stats::proportion;

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
    /// Asks.
    pub asks: u64,
    /// Requests that they need.
    pub requests: u64,
    /// Bytes of all requests.
    pub request_bytes: u64,
    /// Input tokens, estimated at [`BYTES_PER_TOKEN`].
    pub estimated_input_tokens: u64,
    /// Cost of that many input tokens in millionths of a US dollar; null where the price is unknown.
    pub estimated_cost_usd_micros: Option<u64>,
    /// Each variant in plan order, the baseline first.
    pub variants: Vec<PreflightVariant>,
}

/// One variant of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PreflightVariant {
    /// The axis.
    pub axis: Axis,
    /// The value on it.
    pub variant: String,
    /// Asks, which are pairs for all but the baseline.
    pub asks: u64,
    /// Vacuous cases.
    pub vacuous: u64,
    /// The limit of its gate, if there is one.
    pub limit: Option<f64>,
    /// The smallest limit that this many pairs without a flip show in general; null for the baseline and without pairs.
    pub best_limit: Option<f64>,
    /// Pairs without a flip that the gate's limit needs in general; null without a gate or for a limit of zero.
    pub pairs_needed: Option<u64>,
}

/// What `plan` costs on the model of `card`, and what it can show at best against `gates`.
pub fn preflight(plan: &Plan, card: &Card, gates: &Gates) -> Preflight {
    let sent = plan.asks.iter().filter(|ask| ask.shares.is_none());
    let request_bytes: u64 = sent.map(|ask| u64::from(ask.bytes)).sum();
    let tokens = request_bytes.div_ceil(BYTES_PER_TOKEN);
    let cost = card.price.map(|price| {
        let exact = u128::from(tokens) * u128::from(price.input_usd_micros);
        u64::try_from(exact.div_ceil(1_000_000)).unwrap_or(u64::MAX)
    });
    let variants = plan.variants.iter().enumerate().map(|(place, variant)| {
        let asks = plan
            .asks
            .iter()
            .filter(|ask| ask.variant as usize == place)
            .count() as u64;
        let vacuous = plan
            .vacuous
            .iter()
            .filter(|each| each.variant as usize == place)
            .count() as u64;
        let limit = match variant.axis {
            Axis::Order => gates
                .limit(&Subject::Order(Some(variant.name.clone())))
                .or_else(|| gates.limit(&Subject::Order(None))),
            Axis::Same => gates.limit(&Subject::Same),
            Axis::Baseline => None,
        };
        let pairs = variant.axis != Axis::Baseline && asks > 0;
        PreflightVariant {
            axis: variant.axis,
            variant: variant.name.clone(),
            asks,
            vacuous,
            limit,
            best_limit: if pairs {
                proportion::upper_bound(0, asks, gates.alpha).ok()
            } else {
                None
            },
            pairs_needed: limit.and_then(|limit| proportion::cases_needed(0, limit, gates.alpha)),
        }
    });
    Preflight {
        model: card.spec.clone(),
        endpoint: card.endpoint.clone(),
        key_variable: card.key_variable.clone(),
        cases: plan.cases.len() as u64,
        duplicates: plan.duplicates.len() as u64,
        asks: plan.asks.len() as u64,
        requests: plan.requests() as u64,
        request_bytes,
        estimated_input_tokens: tokens,
        estimated_cost_usd_micros: cost,
        variants: variants.collect(),
    }
}
