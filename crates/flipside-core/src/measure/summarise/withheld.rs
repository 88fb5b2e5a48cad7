//! What an order canary withholds from a claim in general.

use indexmap::IndexMap;

use crate::canary::{Canary, integer_like};
use crate::case::QuestionKind;
use crate::gate::Gates;
use crate::perturb::Axis;
use crate::plan::Plan;
use crate::summary::{Line, Verdict};

/// Takes `stable` from every line on orders where the canary saw something on the way that drops the order and the claim is one
/// in general: what the model was shown was then one order only.
pub(super) fn withhold(
    axes: &mut IndexMap<String, IndexMap<String, Line>>,
    plan: &Plan,
    gates: &Gates,
    canary: Option<&Canary>,
) {
    let drops = |canary: &Canary| canary.drops_order(integer_keys(plan));
    if !(gates.strict && canary.is_some_and(drops)) {
        return;
    }
    for axis in [Axis::Order, Axis::Cross] {
        let lines = axes.get_mut(axis.name());
        for figure in lines.into_iter().flat_map(|lines| lines.values_mut()) {
            let figure = &mut figure.figure;
            if figure.verdict == Verdict::Stable {
                figure.verdict = Verdict::Undecided;
                figure.reason =
                    Some("something on the way to the model drops the order".to_owned());
            }
        }
    }
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
