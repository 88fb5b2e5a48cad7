//! Which options flips lead from and to, and which probabilities rise and fall, by key over cases.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::clusters::ClusterSigns;
use crate::case::QuestionKind;
use crate::stats::Method;

/// Which way the flips of one variant went, between keys that several cases share.
///
/// An option goes by the key that its case has for it, whatever it was shown under, and a level by its number. Keys that belong to a
/// place, as letters do, name no option, and those of different kinds of questions are different keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Direction {
    /// Flips from one option to another.
    pub flips: u64,
    /// Flips among them in cases whose keys belong to places; in no pair of keys.
    pub place_keys: u64,
    /// Flips among them between options that no other compared case offers together by these keys; in no pair of keys.
    pub unshared: u64,
    /// Pairs of keys with a flip between them that at least two compared cases offer together: the 50 with most flips, of equals
    /// the first by name.
    pub pairs: Vec<KeyPair>,
    /// Such pairs beyond those; adjusted together with them.
    pub pairs_left_out: u64,
}

/// Flips between two keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KeyPair {
    /// How the questions are answered.
    pub question: QuestionKind,
    /// The key that more flips led from than to; of equals the first in byte order. A level by its number.
    pub from: String,
    /// The other key.
    pub to: String,
    /// Compared cases that offer both.
    pub cases: u64,
    /// Flips from `from` to `to`.
    pub forth: u64,
    /// Flips from `to` to `from`.
    pub back: u64,
    /// Exact two-sided binomial test that both ways are equally likely, which is McNemar's on these cases; with clusters the sign
    /// test over `clusters`.
    pub p: f64,
    /// The same by Holm's method over all such pairs of all variants of the axis. Which pairs have a flip says nothing about its
    /// direction, so that pairs without one are in no test.
    pub holm_p: f64,
    /// Clusters with more flips forth, and with more back; null where cases are independent.
    pub clusters: Option<ClusterSigns>,
}

/// How far the probabilities of keys moved under one variant, as reported and not renormalised.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KeyChanges {
    /// Keys that at least two cases with probabilities in both answers offer: the 50 with most cases, of equals the first by name.
    pub keys: Vec<KeyChange>,
    /// Such keys beyond those.
    pub keys_left_out: u64,
    /// The seed of the resamples behind the intervals.
    pub seed: u64,
}

/// How far the probability of one key moved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KeyChange {
    /// How the questions are answered.
    pub question: QuestionKind,
    /// The key; a level by its number.
    pub key: String,
    /// Cases that offer it, with probabilities in both answers.
    pub cases: u64,
    /// Mean over them of its probability under the variant minus that of the baseline, from -1 to 1.
    pub mean: f64,
    /// Two-sided 95 % interval of the mean over cases, or over clusters.
    pub interval: [f64; 2],
    /// Where it comes from: a bootstrap, or bets where fewer than 10 cases or clusters differ from the most frequent value.
    pub interval_method: Method,
    /// Cases in which it rose.
    pub up: u64,
    /// Cases in which it fell.
    pub down: u64,
    /// Cases in which it moved by no more than float noise, 1e-6.
    pub same: u64,
    /// Cases among them whose baseline chose it.
    pub own_chosen: u64,
    /// Cases among them whose answer under the variant chose it.
    pub chosen: u64,
}
