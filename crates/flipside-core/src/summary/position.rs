//! Position preference: which positions answers came from, and what can be concluded from that.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::clusters::ClusterSigns;

/// Positions of the answers of a run in which another order was asked. Positions count from 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PositionSummary {
    /// Share of answers in the first position minus what chance gives, over every number of options.
    pub primacy: Option<EndPreference>,
    /// The same for the last position.
    pub recency: Option<EndPreference>,
    /// By number of options, fewest first.
    pub by_options: Vec<PositionPreference>,
    /// By order, the own one first: where its answers stood. Every order counts under its own name, though a case may show one under two
    /// names.
    pub by_order: IndexMap<String, OrderPlaces>,
}

/// Where the answers of one order stood, over cases with two options or more that were to be asked in another order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OrderPlaces {
    /// Answers that decided.
    pub answers: u64,
    /// Answers among them that chose the first-listed option.
    pub first: u64,
    /// Answers among them that chose the last-listed option.
    pub last: u64,
    /// How many of them even choice would put at the first position, and as many at the last: the sum of one over the number of options.
    pub expected: f64,
    /// By number of options, fewest first.
    pub by_options: Vec<PlaceCounts>,
}

/// Decided answers of one order to cases of one number of options, by position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlaceCounts {
    /// Options of these cases.
    pub options: u64,
    /// Answers by position, first position first.
    pub counts: Vec<u64>,
}

/// Mean over cases of the case's share of answers at one end minus one over its number of options.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EndPreference {
    /// The mean: from -1 to 1.
    pub value: f64,
    /// Two-sided 95 % betting interval over cases, or over clusters.
    pub interval: [f64; 2],
    /// Cases.
    pub cases: u64,
    /// Whether position alone can be behind it: true where every case counts by a balanced set or a random order.
    pub content_balanced: bool,
}

/// Positions of the answers of all cases with one number of options that were asked in another order too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PositionPreference {
    /// Options of these cases.
    pub options: u64,
    /// Cases.
    pub cases: u64,
    /// Asks of these cases, each order of a case once, the own one included; no controls.
    pub asks: u64,
    /// Answers among them that decided.
    pub answers: u64,
    /// Answers that did not decide.
    pub no_decision: u64,
    /// Asks that failed or were not made, or that another model served.
    pub missing: u64,
    /// Decided answers by position, over all orders.
    pub chosen: Vec<u64>,
    /// How often each option stood in each position and was chosen there, by position, then by option: one entry for each that was
    /// shown, over asks with an answer that decided. Empty from 1,001 options on.
    #[serde(default)]
    pub grid: Vec<PlaceCell>,
    /// Positions that no answer came from.
    pub never_chosen: Vec<NeverChosen>,
    /// What the orders asked allow.
    pub design: PositionDesign,
    /// Mean share of each position, with the case as the unit: over the cases of the test, where there is one.
    pub shares: Vec<PositionShare>,
    /// Uniformity of the answers of one random order per case; null for any other set of orders.
    pub uniformity: Option<PositionUniformity>,
    /// Equal shares over a balanced set of orders; null for any other set of orders.
    pub balanced: Option<PositionBalanced>,
    /// First against last among the flips of the reversal; null where it was not asked.
    pub reverse_pairs: Option<PositionPairs>,
    /// Why there is neither `uniformity` nor `balanced`.
    pub reason: Option<String>,
    /// The p value to go by: that of `balanced`, else of `uniformity`, else of `reverse_pairs`; with two options that of
    /// `reverse_pairs`, which is complete there. Null without one.
    pub p: Option<f64>,
    /// Which test `p` is of.
    pub p_of: Option<PositionTest>,
    /// `p` after Benjamini and Hochberg over all numbers of options. For exploration.
    pub p_adjusted: Option<f64>,
    /// The positions that the evidence favours; empty where `p_adjusted` is not under 5 %.
    pub preferred: Vec<u16>,
    /// Recall by position over the own-order asks.
    pub recall: PositionRecall,
    /// Recall by position over the asks of all orders.
    pub recall_all_orders: PositionRecall,
    /// Share of random other orders that flip a model that always picks one position.
    pub constant_position_flip_rate: f64,
    /// Share of orders that flip a model that answers at random.
    pub random_flip_rate: f64,
    /// What these orders cannot see.
    pub unseen: Unseen,
}

/// One option in one position, over cases with one number of options. Options go by their place in the case's own order, so that one
/// is the same answer in all cases only where these list the same options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlaceCell {
    /// The position, from 0.
    pub position: u16,
    /// The option's identity.
    pub option: u16,
    /// Answers that decided while the option stood there.
    pub shown: u64,
    /// Answers among them that chose it.
    pub chosen: u64,
}

/// What a set of orders allows to conclude about position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PositionDesign {
    /// Every case was asked in orders that show every option in every position equally often.
    BalancedSet,
    /// One order per case was drawn at random.
    RandomOrder,
    /// Neither: content and position are mixed, and shares only describe.
    Other,
}

/// A test of position preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PositionTest {
    /// Equal shares over balanced sets of orders.
    Balanced,
    /// Equal counts of one random order per case.
    Uniformity,
    /// First against last among the flips of the reversal.
    ReversePairs,
}

/// A position that no answer came from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NeverChosen {
    /// The position, from 0.
    pub position: u16,
    /// Answers that could have come from it.
    pub offered: u64,
    /// The chance of that if every position were equally likely; null where asks or cases depend on each other.
    pub chance: Option<f64>,
}

/// Mean over cases of the share of a case's answers in one position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PositionShare {
    /// The mean.
    pub value: f64,
    /// Two-sided 95 % interval: Wilson's with one ask per case (with clusters that of Korn and Graubard), else the betting
    /// interval over cases, or over clusters.
    pub interval: [f64; 2],
}

/// Test of equal counts, with one randomly ordered ask per case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PositionUniformity {
    /// Answers by position: of one ask per case, in the drawn order or, one time in `K!`, in the own one.
    pub counts: Vec<u64>,
    /// Answers in the own order among them.
    pub own_orders: u64,
    /// Cases without a decided answer in that order.
    pub left_out: u64,
    /// Pearson's chi-square.
    pub chi_square: f64,
    /// The likelihood ratio G.
    pub g: f64,
    /// Degrees of freedom of both.
    pub df: u64,
    /// p value of the chi-square; null with clusters.
    pub p_chi_square: Option<f64>,
    /// p value of G; null with clusters.
    pub p_g: Option<f64>,
    /// Exact multinomial p value, where fewer than 5 are expected per position and it can be computed; null with clusters.
    pub p_exact: Option<f64>,
    /// The p value to go by; null where the exact one is needed and cannot be computed. With clusters that of Hotelling's F
    /// on each cluster's mean shares, null where that does not exist.
    pub p: Option<f64>,
    /// The clusters behind `p`; null where cases are independent.
    pub clusters: Option<u64>,
}

/// Test of equal position shares over balanced sets of orders, with the case as the unit, or the cluster by the mean of its
/// cases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PositionBalanced {
    /// Answers by position, over the cases that count.
    pub counts: Vec<u64>,
    /// Cases with a decided answer in every order of the set.
    pub cases: u64,
    /// Their clusters, on whose mean shares the test is; null where cases are independent.
    pub clusters: Option<u64>,
    /// Cases left out because an ask of the set failed or was not made.
    pub left_out: u64,
    /// Cases left out because an answer of the set did not decide.
    pub no_decision: u64,
    /// Orders per case, the own one included.
    pub orders: u64,
    /// Squared distance from equal shares in units of its covariance; null where that is singular.
    pub wald: Option<f64>,
    /// Hotelling's F.
    pub f: Option<f64>,
    /// Its degrees of freedom.
    pub df: Option<[u64; 2]>,
    /// Its p value; where there is no F, [`PositionBalanced::method`] says whose.
    pub p: Option<f64>,
    /// Where `p` comes from.
    pub method: BalancedMethod,
    /// Why there is no F.
    pub reason: Option<String>,
}

/// Where the p value of a balanced set comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BalancedMethod {
    /// Hotelling's F.
    Hotelling,
    /// The covariance is singular: bets against an equal share of each position, times the number of positions.
    Betting,
    /// Every case gave the same identity in every order, so that no position is preferred.
    Unanimous,
    /// No case is complete.
    None,
}

/// Flips between the own order and its reversal that stayed at one end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PositionPairs {
    /// Cases with a decided answer in both orders.
    pub pairs: u64,
    /// Flips among them.
    pub flips: u64,
    /// Flips that chose the first-listed option both times.
    pub first_both: u64,
    /// Flips that chose the last-listed option both times.
    pub last_both: u64,
    /// From -1 (always the last) to 1 (always the first); null without such flips.
    pub index: Option<f64>,
    /// Two-sided exact sign test; null without such flips. With clusters over `clusters`.
    pub p: Option<f64>,
    /// Clusters with more such flips at the first position, and with more at the last; null where cases are independent.
    pub clusters: Option<ClusterSigns>,
    /// Whether a preference for both ends or for the middle stays unseen here: true from three options on.
    pub blind_to_symmetric: bool,
}

/// Recall by position of the accepted option, over cases with exactly one accepted option.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PositionRecall {
    /// Cases.
    pub cases: u64,
    /// Decided answers.
    pub answers: u64,
    /// Answers that did not decide; not in the table.
    pub no_decision: u64,
    /// Labelled cases left out because they accept several options.
    pub several_accepted: u64,
    /// Rows: the accepted option's position; columns: the answered position.
    pub table: Vec<Vec<u64>>,
    /// Share of right answers by position of the accepted option; null where it never stood.
    pub recalls: Vec<Option<f64>>,
    /// Their two-sided 95 % Wilson intervals; empty where a case has several answers, or cases come in clusters, which depend on each
    /// other.
    #[serde(default)]
    pub recall_intervals: Vec<Option<[f64; 2]>>,
    /// Positions left out because the accepted option never stood there.
    pub left_out: Vec<u16>,
    /// Population standard deviation of the recalls, in percent; null under two usable positions.
    pub rstd_percent: Option<f64>,
    /// The same without what sampling alone adds, cut off at 0; null where a usable position has one answer.
    pub rstd_corrected_percent: Option<f64>,
    /// Two-sided 95 % percentile interval of `rstd_percent` over draws of cases, or clusters, with all their asks.
    pub rstd_interval_percent: Option<[f64; 2]>,
    /// Those draws: 2,000, from 2,500 cases or clusters on fewer, and at least 200.
    pub rstd_draws: Option<u32>,
    /// Chi-square of equal recalls; null where all answers are right, or none.
    pub chi_square: Option<f64>,
    /// Its degrees of freedom.
    pub df: Option<u64>,
    /// Its p value; null too where a case has several answers, or a cluster several cases, which depend on each other.
    pub p: Option<f64>,
    /// Why something above is null.
    pub reason: Option<String>,
}

/// What a set of orders cannot see, whatever the model answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unseen {
    /// A preference for both ends or for the middle: all orders are the own one and its reversal.
    pub symmetric: bool,
    /// An effect of the neighbour: all orders are rotations of the own one.
    pub neighbours: bool,
    /// Positions that hold the same option in every order, so that always picking one of them never flips.
    pub fixed_positions: Vec<u16>,
}

/// Where accepted options stand in the own order, for cases with one number of options and one accepted option.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AcceptedPositions {
    /// Options of these cases.
    pub options: u64,
    /// Cases with exactly one accepted option.
    pub cases: u64,
    /// Cases left out because they accept several options.
    pub several_accepted: u64,
    /// Cases by position of the accepted option.
    pub counts: Vec<u64>,
    /// Pearson's chi-square against equal counts; null with one option or no case.
    pub chi_square: Option<f64>,
    /// Its degrees of freedom.
    pub df: Option<u64>,
    /// The p value: of the chi-square, or exact where fewer than 5 are expected per position.
    pub p: Option<f64>,
    /// Whether `p` is the exact multinomial one.
    pub exact: bool,
    /// Why there is no `p`.
    pub reason: Option<String>,
}
