//! Composition: what one option less, or one more, does to the choice among the others.
//!
//! Attending to which options are listed is legitimate where attending to their order is not. So these figures stand beside
//! those of the order axis, with words of their own, and no gate judges them unless one is asked for.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::drift::DriftQuantity;
use super::figure::Figure;
use crate::perturb::Axis;
use crate::plan::VacuousReason;

/// What the axes showed on which options are missing or added (the statistics page, 9).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CompositionSummary {
    /// One option less; null if that was not asked.
    pub drop: Option<DropComposition>,
    /// One option more; null if that was not asked.
    pub decoy: Option<DecoyComposition>,
}

impl CompositionSummary {
    /// The figure over all pairs of an axis that is judged as a whole; `None` for another axis, or where nothing was asked on it.
    pub fn figure(&self, axis: Axis) -> Option<&Figure> {
        match axis {
            Axis::Drop => self.drop.as_ref().map(|found| &found.figure),
            Axis::Decoy => self.decoy.as_ref().map(|found| &found.figure),
            _ => None,
        }
    }
}

/// Every option left out in turn, each list against the one in which that option stands last, so that no other option moves.
///
/// The figure counts pairs of a case and an option left out. A pair in which the choice itself was left out is in none of its
/// counts, since the model could not choose it again; `choice_dropped` has those.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DropComposition {
    /// The common fields over all pairs: a flip is a choice that was still listed and not chosen again. Interval and bounds are
    /// those of Korn and Graubard over cases, or over declared clusters, which `clusters` then counts. A gate on the axis judges
    /// this figure; a gate on one option judges that option's line.
    #[serde(flatten)]
    pub figure: Figure,
    /// Cases that were to be asked with an option less.
    pub cases: u64,
    /// Pairs that were not asked, by reason.
    pub vacuous_reasons: IndexMap<VacuousReason, u64>,
    /// Flips to or from an answer that did not decide; among `flips`.
    pub no_decision_flips: u64,
    /// Pairs counted as missing because two models served them; among `missing`.
    pub other_version: u64,
    /// Pairs in which another option was chosen that is declared to be the same answer, which is no flip.
    pub declared_same: u64,
    /// Pairs in which the choice itself was left out.
    pub choice_dropped: ChoiceDropped,
    /// How the options that stay stand to each other, pairs in which the choice was left out included.
    #[serde(flatten)]
    pub shared: SharedOptions,
    /// How many comparisons of single options these lists allow.
    pub single_options: SingleOptions,
    /// Lists of equal size that lack different options; null where no case has two of them that could tell.
    pub equal_size: Option<EqualSize>,
    /// Whether what is listed beside an option matters to it.
    pub attention: Attention,
    /// Why it is open.
    pub attention_reason: Option<AttentionReason>,
}

/// An irrelevant option more, after all others. Read backwards it is an option left out: the list with the decoy is the full one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DecoyComposition {
    /// The common fields over all pairs of a case and a decoy: a flip is another choice than without the decoy, the decoy itself
    /// included. Interval, bounds and gates as for an option less.
    #[serde(flatten)]
    pub figure: Figure,
    /// Cases that were to be asked with a decoy.
    pub cases: u64,
    /// Pairs that were not asked, by reason.
    pub vacuous_reasons: IndexMap<VacuousReason, u64>,
    /// Flips to or from an answer that did not decide; among `flips`.
    pub no_decision_flips: u64,
    /// Pairs counted as missing because two models served them; among `missing`.
    pub other_version: u64,
    /// Pairs in which another option was chosen that is declared to be the same answer, which is no flip.
    pub declared_same: u64,
    /// Answers that chose the decoy, of all answers to a list with one that decided.
    pub chosen: PairShare,
    /// Flips among the pairs in which the decoy was not chosen: its mere presence moved the choice among the others.
    pub moved_others: PairShare,
    /// How the other options stand to each other.
    #[serde(flatten)]
    pub shared: SharedOptions,
    /// Lists with different decoys; null where no case has two.
    pub equal_size: Option<EqualSize>,
    /// Whether what is listed beside an option matters to it.
    pub attention: Attention,
    /// Why it is open.
    pub attention_reason: Option<AttentionReason>,
}

/// A share of pairs. Pairs of one case are not independent, so that interval and bounds are over cases, or over declared clusters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PairShare {
    /// The denominator.
    pub of: u64,
    /// Pairs among them that show it.
    pub hits: u64,
    /// The share; null without a pair.
    pub rate: Option<f64>,
    /// Two-sided 95 % interval by Korn and Graubard; Wilson's where every case has one pair.
    pub interval: Option<[f64; 2]>,
    /// One-sided lower bound at the run's alpha.
    pub lower: Option<f64>,
    /// One-sided upper bound at the run's alpha.
    pub upper: Option<f64>,
}

/// Pairs in which the option that was chosen of all was left out. That is never a flip; the runner-up is expected.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChoiceDropped {
    /// All of them: the sum of the counts below and of `runner_up.of`.
    pub pairs: u64,
    /// Pairs among all of them in which an option stayed that is declared to be the same answer.
    pub equal_stayed: u64,
    /// Pairs without a valid answer to the shorter list by the same model.
    pub missing: u64,
    /// Pairs whose shorter list was not asked.
    pub unasked: u64,
    /// Pairs whose shorter list the model did not decide about.
    pub no_decision: u64,
    /// Pairs whose answer to the full list has no probabilities, so that no runner-up is known.
    pub no_runner_up: u64,
    /// The others, in which the most probable of the options that stay was chosen, or one declared to be the same answer.
    pub runner_up: PairShare,
    /// Pairs among those in which several options were equally probable, next in the full list or first in the shorter one; any of
    /// them will do.
    pub tied: u64,
}

/// How many comparisons of single options the lists that lack an option allow, as published studies of order and composition count
/// them. They say how much stands behind such a study and are no units of their own: those of one case are not independent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SingleOptions {
    /// An option that is left out and another one that stays: n(n - 1) of a case with n options.
    pub left_out: u64,
    /// Those among them of which one model answered the list with all options and the one without.
    pub left_out_answered: u64,
    /// An option and two others, one of which is left out of one list and the other of another, so that nothing but one neighbour
    /// differs: n(n - 1)(n - 2)/2 of a case with n options. What stands between the two is one place apart; `equal_size` has the
    /// lists in which nothing is.
    pub exchanged: u64,
    /// Those among them of which one model answered both lists.
    pub exchanged_answered: u64,
}

/// How far the options that two lists share moved against each other. A model that scores each option for itself moves none,
/// whatever else is listed (Luce's rule).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SharedOptions {
    /// Pairs in which both answers have probabilities.
    pub with_probabilities: u64,
    /// Pairs with two answers of one model, of which one or both have no probabilities.
    pub without_probabilities: u64,
    /// Pairs with a probability of exactly 0 for a shared option, so that there are no log-odds.
    pub zeros: u64,
    /// Largest change of the log-odds between two shared options, in nats.
    pub log_odds: DriftQuantity,
    /// Total variation between the probabilities of the shared options, each list's renormalised; from 0 to 1.
    pub luce_distance: DriftQuantity,
    /// Pairs whose log-odds changed by more than `tolerance` beyond what the rounding of the probabilities can explain, of all
    /// whose log-odds have bounds. A rounded 0 has bounds, an exact one has none.
    pub beyond_rounding: PairShare,
    /// The step of the coarsest decimal grid of 2 to 6 digits on which all probabilities of the run lie; null where there is none.
    pub step: Option<f64>,
    /// What float error explains of a change of log-odds, in nats: 2e-5, and 0.1 where all probabilities of the run are
    /// 16-bit floats.
    pub tolerance: f64,
}

/// Two lists of one case of equal size that differ in one option, in one place; every option that both show stands in the same place
/// in both. They lack neighbours of the own order, neither of which is the watched option: the choice in the own order. With decoys,
/// they have different ones.
///
/// This tells an effect of *which* option is missing from one of *how many* are offered: size and positions are the same on both
/// sides, so that nothing but the option that differs can move the others. A model that reacts to the number of options alone moves
/// its choice in both lists alike (`left`) and flips in none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EqualSize {
    /// The denominator: comparisons in which both answers decided for an option that both lists show.
    pub pairs: u64,
    /// Comparisons among them with different choices; to or from no decision among them.
    pub flips: u64,
    /// Flips in which either answer is tied.
    pub tie_flips: u64,
    /// The share; null without a pair.
    pub rate: Option<f64>,
    /// Two-sided 95 % interval by Korn and Graubard over cases, or over declared clusters.
    pub interval: Option<[f64; 2]>,
    /// One-sided lower bound at the run's alpha; what is missing counts as no flip.
    pub lower: Option<f64>,
    /// One-sided upper bound at the run's alpha; what is missing counts as a flip.
    pub upper: Option<f64>,
    /// Comparisons without a flip in which both choices left the watched option for the same other one.
    pub left: u64,
    /// Comparisons in which an answer chose the option that the other list does not show, which says nothing about the others.
    pub unshared: u64,
    /// Comparisons without two valid answers of one model, or whose own order has none.
    pub missing: u64,
    /// Comparisons with an ask that was not made.
    pub unasked: u64,
    /// Comparisons in which neither answer decided, or the own order's did not, so that nothing is watched.
    pub no_decision: u64,
    /// How far the options that both lists show moved against each other.
    #[serde(flatten)]
    pub shared: SharedOptions,
}

/// Whether what is listed beside an option matters to it.
///
/// It moves where log-odds moved beyond rounding in some pair and in none of the control, or where flips came again. Lists of equal
/// size then tell which options are listed from how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Attention {
    /// Which options are listed matters: lists of equal size move too.
    Attentive,
    /// How many options are listed matters and not which: no list of equal size moves, to within float error.
    Size,
    /// One of the two matters, and no lists of equal size tell which.
    AttentiveOrSize,
    /// Every pair's log-odds are the same to within float error and nothing flipped: each option is scored for itself.
    Independent,
    /// These answers do not tell.
    Open,
}

/// Why these answers do not tell whether a model attends to the other options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AttentionReason {
    /// No pair has two answers.
    NoAnswers,
    /// Some answer has no probabilities.
    NoProbabilities,
    /// Probabilities of exactly 0 have no log-odds.
    Zeros,
    /// The probabilities are rounded more coarsely than what is to be told apart.
    Rounded,
    /// Some ask is missing or was not made.
    Missing,
    /// Choices flipped, log-odds did not move, and the flips were not shown to come again.
    Flips,
    /// Log-odds moved, and no control was asked that would tell it from noise.
    NoControl,
    /// Log-odds moved, and so do those of the control.
    NoisyControl,
}
