//! What an order canary withholds from a claim in general.

use indexmap::IndexMap;

use crate::canary::{Canary, OrderFinding, integer_like};
use crate::case::QuestionKind;
use crate::gate::Gates;
use crate::perturb::Axis;
use crate::plan::Plan;
use crate::summary::{Line, Verdict};

/// Takes `stable` from every line on orders where the claim is one in general and the canary did not see order reach the model:
/// it may have been shown one order only.
pub(super) fn withhold(
    axes: &mut IndexMap<String, IndexMap<String, Line>>,
    plan: &Plan,
    gates: &Gates,
    canary: Option<&Canary>,
) {
    let Some(reason) = canary
        .filter(|_| gates.strict)
        .and_then(|canary| reason(canary, plan))
    else {
        return;
    };
    // Where an order moved an answer of the run itself, order reached the model, whatever a question without content shows.
    let moved = |line: &Line| line.figure.flips.is_some_and(|flips| flips > 0);
    let unmoved = canary.is_some_and(|canary| canary.order == OrderFinding::Unmoved);
    let orders = axes.get(Axis::Order.name());
    if unmoved && orders.is_some_and(|lines| lines.values().any(moved)) {
        return;
    }
    for axis in [Axis::Order, Axis::Cross] {
        let lines = axes.get_mut(axis.name());
        for figure in lines.into_iter().flat_map(|lines| lines.values_mut()) {
            let figure = &mut figure.figure;
            if figure.verdict == Verdict::Stable {
                figure.verdict = Verdict::Undecided;
                figure.reason = Some(reason.to_owned());
            }
        }
    }
}

/// Why nothing can be said in general about orders that the canary saw dropped, or did not see arrive.
fn reason(canary: &Canary, plan: &Plan) -> Option<&'static str> {
    if canary.drops_order(integer_keys(plan)) {
        return Some("something on the way to the model drops the order");
    }
    // Where the canary says why, it is about the field that carries order.
    (canary.order == OrderFinding::Unmoved).then_some(match canary.why {
        Some(_) => "`option_order` was not seen to reach the model",
        None => "no order was seen to reach the model",
    })
}

/// Whether some ask shows several keys of which one looks like an integer.
fn integer_keys(plan: &Plan) -> bool {
    let of_case = |case: &crate::case::Case| {
        case.question.kind == QuestionKind::Choice
            && case.options.len() > 1
            && case
                .options
                .iter()
                .any(|option| integer_like(&option.key.0))
    };
    plan.cases.iter().any(of_case) || plan.asks.iter().any(|ask| of_case(&plan.shown_case(ask)))
}
