//! How far the answers of one case agree, over cases.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{CaseMean, CaseShare, Range};

/// How far the answers that a case got in several orders agree. Source: the statistics page, 3 and 12.
///
/// Not to decide is an answer: deciding in one order and not in another is a flip. Two answers that did not decide are no
/// pair, as everywhere, and a case without any decision is left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Agreement {
    /// Cases with at least two answers, one of them decided.
    pub cases: u64,
    /// Their answers.
    pub answers: u64,
    /// Answers per case; null without a case.
    pub orders: Option<Range>,
    /// Options per case; null without a case.
    pub options: Option<Range>,
    /// Cases left out because no answer decided.
    pub no_decision: u64,
    /// Cases left out because fewer than two orders were answered.
    pub too_few_answers: u64,
    /// D: mean over cases of the share of pairs of answers that differ.
    pub pairwise_disagreement: CaseMean,
    /// U: cases whose answers are not all the same. It grows with the number of orders.
    pub any_flip: CaseShare,
    /// Cases whose answers are all the same so far, with an order missing or unasked that could change that.
    pub any_flip_open: u64,
    /// Mean over cases of the share of the most frequent answer.
    pub modal_share: CaseMean,
    /// The disagreements that the any-flip share allows; null where cases differ in the number of answers.
    pub allowed: Option<Allowed>,
    /// Agreement beyond chance.
    pub chance_adjusted: ChanceAdjusted,
}

/// The mean disagreements that an any-flip share allows: `2U/m` to `U Dmax(K, m)`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Allowed {
    /// The smallest.
    pub least: f64,
    /// The largest, for the largest number of options.
    pub most: f64,
    /// Whether the disagreement lies between them, as it must.
    pub holds: bool,
}

/// Agreement beyond chance. Never the basis of a gate: it falls with skewed labels at equal agreement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChanceAdjusted {
    /// Brennan and Prediger's coefficient: chance is one of K, whatever the options are called.
    pub brennan_prediger: Coefficient,
    /// Fleiss' kappa: chance is how often each key was chosen. For one set of keys in all cases only.
    pub fleiss: Coefficient,
}

/// One coefficient of agreement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Coefficient {
    /// The coefficient, at most 1.
    pub value: Option<f64>,
    /// Cases.
    pub cases: u64,
    /// The share of pairs of answers that agree.
    pub observed: Option<f64>,
    /// The same by chance.
    pub chance: Option<f64>,
    /// Two-sided 95 % interval over cases.
    pub interval: Option<[f64; 2]>,
    /// Why there is no coefficient, or no interval.
    pub reason: Option<String>,
}
