//! Figures over all orders that both asked.

use indexmap::IndexSet;

use super::average::{Values, mean, mean_difference, pooled};
use super::drift;
use super::figures::{AllOrders, AnyFlip, MeanDifference, Pooled};
use super::matching::{Both, MatchedCase, Side};
use super::paired::Cells;
use crate::answer::Answer;
use crate::measure::Said;
use crate::order::OptionId;
use crate::stats::agreement::case_agreement;

/// The figures; `several` says whether another order than the own one is compared.
pub(super) fn compared(cases: &[MatchedCase<'_>], several: bool, alpha: f64) -> AllOrders {
    let other = several.then_some(cases);
    AllOrders {
        answers: answers(cases),
        accuracy: other.and_then(accuracy),
        disagreement: other.and_then(disagreement),
        any_flip: any_flip(cases, several, alpha),
        drift: other.and_then(drift::compared),
    }
}

fn answers(cases: &[MatchedCase<'_>]) -> Option<Pooled> {
    let mut shares = Vec::new();
    for case in cases {
        let (mut differ, mut of) = (0, 0);
        for (first, second) in case.answered() {
            if first.choice.is_some() || second.choice.is_some() {
                differ += u64::from(first.choice != second.choice);
                of += 1;
            }
        }
        if of > 0 {
            shares.push((differ, of));
        }
    }
    pooled(&shares)
}

/// The mean over cases of the share of accepted answers over the orders that both answered.
fn accuracy(cases: &[MatchedCase<'_>]) -> Option<MeanDifference> {
    let mut values = Vec::new();
    for case in cases.iter().filter(|case| case.is_labelled()) {
        let (first, second): (Vec<&Answer>, Vec<&Answer>) = case.answered().into_iter().unzip();
        if first.is_empty() {
            continue;
        }
        let accepted = |answer: &&Answer| {
            let accepts = |id| case.case.accepts(id) == Some(true);
            f64::from(u8::from(answer.choice.is_some_and(accepts)))
        };
        values.push(Values {
            baseline: mean(first.iter().map(accepted)),
            variant: mean(second.iter().map(accepted)),
            asks: first.len() as u64,
        });
    }
    mean_difference(&values)
}

/// The mean over cases of the share of pairs of orders that disagree. A case that one side never decided is left out.
fn disagreement(cases: &[MatchedCase<'_>]) -> Option<MeanDifference> {
    let mut values = Vec::new();
    for case in cases {
        let (first, second): (Vec<&Answer>, Vec<&Answer>) = case.answered().into_iter().unzip();
        let options = case.case.options.len();
        if let (Some(baseline), Some(variant)) =
            (disagrees(&first, options), disagrees(&second, options))
        {
            values.push(Values {
                baseline,
                variant,
                asks: first.len() as u64,
            });
        }
    }
    mean_difference(&values)
}

/// The share of pairs of answers that differ; declining is an answer of its own. `None` under two answers, or without a
/// decision in any.
fn disagrees(answers: &[&Answer], options: usize) -> Option<f64> {
    let mut counts = vec![0; options + 1];
    for answer in answers {
        counts[answer.choice.map_or(options, OptionId::index)] += 1;
    }
    let decided = answers.iter().any(|answer| answer.choice.is_some());
    decided.then(|| case_agreement(&counts).ok()?.disagreement)?
}

/// Cases that are not unanimous, over the same orders on both sides only: the share grows with their number.
///
/// Source: the statistics page, 3.
fn any_flip(cases: &[MatchedCase<'_>], several: bool, alpha: f64) -> AnyFlip {
    let none = |reason: String| AnyFlip {
        orders: None,
        shares: None,
        reason: Some(reason),
    };
    if !several {
        return none("no other order is compared".to_owned());
    }
    let (mut cells, mut counts) = (Cells::default(), IndexSet::new());
    for case in cases {
        let entries: Vec<Both<'_>> = case.orders.iter().map(|entry| entry.both).collect();
        let asked = |side: &Side<'_>| !matches!(side, Side::Absent);
        let first = 1 + entries.iter().filter(|both| asked(&both.baseline)).count();
        let second = 1 + entries.iter().filter(|both| asked(&both.variant)).count();
        let id = &case.case.id;
        if first != second {
            return none(format!(
                "case `{id}` was asked in {first} orders by the baseline and in {second} by the variant, and the share \
                 grows with that number"
            ));
        }
        if !entries.iter().all(|both| both.is_present()) {
            return none(format!("case `{id}` was asked in different orders by each"));
        }
        if first < 2 {
            continue;
        }
        counts.insert(first as u64);
        let said = std::iter::once(case.own).chain(entries).map(Both::said);
        let (first, second): (Vec<Said>, Vec<Said>) = said.unzip();
        let declined = |said: &[Said]| said.iter().all(|said| *said == Said::Nothing);
        if declined(&first) || declined(&second) {
            cells.add_no_decision();
        } else {
            cells.add(differ(&first), differ(&second));
        }
    }
    AnyFlip {
        orders: (counts.len() == 1).then(|| counts[0]),
        shares: Some(cells.figures(alpha)),
        reason: None,
    }
}

/// Whether not every order got the same answer; `None` where one is missing.
fn differ(said: &[Said]) -> Option<bool> {
    let mut chosen = IndexSet::new();
    for said in said {
        chosen.insert(match said {
            Said::Chose { id, .. } => Some(id),
            Said::Nothing => None,
            Said::Missing | Said::Unasked => return None,
        });
    }
    Some(chosen.len() > 1)
}
