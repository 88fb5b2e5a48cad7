//! Letters and texts of equal largest probability.

use flipside_core::answer::{Answer, FLOAT_NOISE};
use flipside_core::present::{Presentation, Shown};

use super::listed::Listed;

/// The remark of an answer whose most likely options are equally likely, with nothing in the reply that prefers one.
pub const TIED: &str = "a tie that nothing in the reply decides: whether its choice moves says nothing about the order";

/// Gives a tied or undecided `answer` its choice: the letter that was generated, as far as it is one of the most likely, else the
/// first position. What positions do is asked, so that no identity may decide.
pub(super) fn settle(shown: &Presentation<'_>, listed: &Listed, answer: &mut Answer) {
    if !answer.tied && answer.choice.is_some() {
        return;
    }
    let total = match answer.probabilities {
        Some(_) => listed.covered,
        None => 1.0,
    };
    let share = |log: &Option<f64>| log.map_or(0.0, |log| log.exp() / total);
    let top = listed.logs.iter().map(share).fold(0.0, f64::max);
    let tied: Vec<Shown<'_>> = shown
        .options()
        .zip(&listed.logs)
        .filter(|(_, log)| top - share(log) <= FLOAT_NOISE)
        .map(|(option, _)| option)
        .collect();
    let stated = tied
        .iter()
        .find(|option| Some(option.position.index()) == listed.generated);
    answer.choice = stated.or(tied.first()).map(|option| option.id);
    answer.tie_broken = answer.tied && stated.is_none();
    if answer.tie_broken {
        answer.remarks.push(TIED.to_owned());
    }
}

/// Gives a tied `answer` the first position of the most likely `shares`, of which there is one for each position: nothing is
/// generated that could decide between texts, and the first of equals is what a program takes that looks for the largest.
pub(super) fn first_shown(shown: &Presentation<'_>, shares: &[f64], answer: &mut Answer) {
    if !answer.tied {
        return;
    }
    let total: f64 = shares.iter().sum();
    let top = shares.iter().copied().fold(0.0, f64::max);
    let first = shown
        .options()
        .zip(shares)
        .find(|(_, share)| (top - **share) / total <= FLOAT_NOISE);
    answer.choice = first.map(|(option, _)| option.id);
    answer.tie_broken = true;
    answer.remarks.push(TIED.to_owned());
}
