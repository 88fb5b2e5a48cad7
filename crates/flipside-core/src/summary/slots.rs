//! Two slots and two sets of keys: what the four answers of a two-option case follow.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::clusters::ClusterSigns;
use crate::order::OptionId;
use crate::plan::VacuousReason;

/// Choices between two options, each asked in both orders under its own keys and under those of one variant of the keys axis:
/// four answers per case.
///
/// With `z` 1 where an answer is the case's first option and -1 where it is the second, `s` 0 in the own order and 1 in the
/// other, `k` 0 under the own keys and 1 under the others, a case has the effects `sum z / 4` (content),
/// `sum z (-1)^s / 4` (position), `sum z (-1)^k / 4` (keys) and `sum z (-1)^(s+k) / 4` (interaction). Each is 1 or -1 for a model
/// that follows nothing else, and exactly 0 for one that follows one of the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SlotsAndKeys {
    /// Cases whose four asks were planned: the sum of `decided`, `undecided` and `missing`.
    pub cases: u64,
    /// Cases in which all four answers decided: the denominator of every share and mean here but those of flips.
    pub decided: u64,
    /// Cases with an answer that did not decide; in no share.
    pub undecided: u64,
    /// Cases of which an ask failed, was not made, or was served by another model, and no answer did not decide.
    pub missing: u64,
    /// Decided cases with an answer whose top two probabilities are equal as reported.
    pub tied: u64,
    /// Choices between two options that are no part of this.
    pub left_out: SlotsLeftOut,
    /// Cases in which all four answers are the same option.
    pub content: SlotShare,
    /// Cases in which all four answers stand in the same slot.
    pub slot: SlotShare,
    /// Of those that follow the slot: the first one.
    pub first: u64,
    /// Of those that follow the slot: the second one.
    pub last: u64,
    /// Cases in which the keys alone decide: one option in both orders under the own keys, the other one in both under the
    /// others.
    pub keys: SlotShare,
    /// Of those that follow the keys: cases whose two keys change sides, so that all four answers are the same key.
    pub same_key: u64,
    /// Those by that key.
    pub followed: IndexMap<String, u64>,
    /// Cases in which the four answers are none of these.
    pub mixed: SlotShare,
    /// Flips between the two orders, under the own keys.
    pub order_flips: SlotFlips,
    /// Flips between the two orders, under the other keys.
    pub order_flips_other_keys: SlotFlips,
    /// Share of order flips under the other keys minus share under the own keys.
    pub order_flips_difference: Option<SlotDifference>,
    /// Flips between the two sets of keys, in the own order.
    pub key_flips: SlotFlips,
    /// Flips between the two sets of keys, in the other order.
    pub key_flips_other_order: SlotFlips,
    /// The position effect: positive where the first slot draws answers, negative where the second does. Null without a decided
    /// case, as the other effects.
    pub position_effect: Option<SlotEffect>,
    /// The effect of the keys: positive where the case's first option loses answers under the other keys. Where the two keys
    /// change sides that is a preference for the key that it has in the file.
    pub key_effect: Option<SlotEffect>,
    /// The interaction: half of what the position effect is under the own keys more than under the others.
    pub interaction: Option<SlotEffect>,
    /// What of the four answers each effect makes up, whatever its sign; null without a decided case.
    pub parts: Option<SlotParts>,
    /// Every case with its four answers.
    pub table: Vec<SlotRow>,
}

/// Choices between two options that are in no table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SlotsLeftOut {
    /// Cases of which one of the four cannot be asked, by reason.
    pub vacuous: IndexMap<VacuousReason, u64>,
    /// Cases for which the combination was not drawn.
    pub undrawn: u64,
    /// Cases whose keys stay with their places, so that slot and key are one.
    pub keys_stay: u64,
}

/// A share of the decided cases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SlotShare {
    /// Cases.
    pub cases: u64,
    /// Share of the decided cases; null without one.
    pub rate: Option<f64>,
    /// Two-sided 95 % interval: Wilson's, or with clusters that of Korn and Graubard.
    pub interval: Option<[f64; 2]>,
    /// The share if no missing case were one, and if every missing case were one whose known answers allow it; null without
    /// a decided or missing case.
    pub if_missing: Option<[f64; 2]>,
}

/// Pairs of answers that differ in one thing, the other one held.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SlotFlips {
    /// Pairs that could be compared.
    pub pairs: u64,
    /// Flips.
    pub flips: u64,
    /// Flips in which an answer's top two probabilities are equal as reported.
    pub tie_flips: u64,
    /// Flips to or from an answer that did not decide.
    pub no_decision_flips: u64,
    /// Pairs in which neither answer decided.
    pub no_decision: u64,
    /// Pairs with an ask that failed or was not made, or that two models served.
    pub missing: u64,
    /// Flips of pairs; null without pairs.
    pub rate: Option<f64>,
    /// Two-sided 95 % interval: Wilson's, or with clusters that of Korn and Graubard.
    pub interval: Option<[f64; 2]>,
    /// The share if no missing pair had flipped, and if every one had; null with neither.
    pub if_missing: Option<[f64; 2]>,
    /// Flips from the case's first option to its second. Between orders: the first slot both times. Between keys that change
    /// sides: both times the key that the first option has in the file.
    pub plus: u64,
    /// Flips from the case's second option to its first.
    pub minus: u64,
    /// Exact sign test of `plus` against `minus`; with clusters over `clusters`. Null without a flip between options.
    pub p: Option<f64>,
    /// Clusters in which more flips are `plus`, and in which more are `minus`; null where cases are independent.
    pub clusters: Option<ClusterSigns>,
}

/// A difference of two shares of flips of the same cases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SlotDifference {
    /// Cases that both compare.
    pub cases: u64,
    /// The difference, from -1 to 1.
    pub value: f64,
    /// Two-sided 95 % Newcombe interval; with clusters square-and-add from Korn and Graubard's limits of both shares.
    pub interval: [f64; 2],
    /// Exact McNemar test of no difference; with clusters the exact sign test over `clusters`.
    pub p: f64,
    /// Clusters with more flips under the other keys, and with more under the own; null where cases are independent.
    pub clusters: Option<ClusterSigns>,
}

/// Mean over the decided cases of one effect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SlotEffect {
    /// The mean: from -1 to 1.
    pub value: f64,
    /// Two-sided 95 % betting interval over cases, or over clusters.
    pub interval: [f64; 2],
    /// The smallest and the largest mean that missing cases could make of it.
    pub if_missing: [f64; 2],
    /// Cases in which it is over 0.
    pub plus: u64,
    /// Cases in which it is under 0.
    pub minus: u64,
    /// Exact sign test of `plus` against `minus`, with clusters over `clusters`; for exploration, corrected for nothing.
    pub p: f64,
    /// Clusters in which more cases are `plus`, and in which more are `minus`; null where cases are independent.
    pub clusters: Option<ClusterSigns>,
}

/// Means over the decided cases of the squares of the four effects. They sum to 1 in every case, so that they say how much of
/// the answers follows what. A fair coin has a quarter of each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SlotParts {
    /// The option.
    pub content: SlotPart,
    /// The slot.
    pub position: SlotPart,
    /// The keys.
    pub keys: SlotPart,
    /// The slot under one set of keys and another slot, or none, under the other.
    pub interaction: SlotPart,
}

/// A mean over the decided cases of a value from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SlotPart {
    /// The mean.
    pub value: f64,
    /// Two-sided 95 % betting interval over cases, or over clusters.
    pub interval: [f64; 2],
}

/// One case's four answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SlotRow {
    /// The case.
    pub case: String,
    /// The option that was answered, by identity: in the own order under the own and the other keys, then in the other order
    /// under both. Null where there is none.
    pub answers: [[Option<OptionId>; 2]; 2],
    /// Whether the case's two keys change sides.
    pub keys_change_sides: bool,
    /// What the four follow.
    pub follows: Follows,
}

/// What the four answers of a case follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Follows {
    /// The same option.
    Content,
    /// The same slot.
    Slot,
    /// The set of keys.
    Keys,
    /// None of these.
    Mixed,
    /// An answer did not decide.
    Undecided,
    /// An answer is missing.
    Missing,
}
