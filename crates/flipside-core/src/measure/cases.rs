//! Every case with its asks, as the summary keeps them.

use std::borrow::Cow;
use std::sync::Arc;

use crate::answer;
use crate::case::{Case, KeyBinding};
use crate::groups::Groups;
use crate::measure::accuracy::right;
use crate::measure::pair::{PairOutcome, Said, other_version, pair, said, said_of};
use crate::order::{OptionId, Order};
use crate::plan::Plan;
use crate::present::Presentation;
use crate::record::{Asked, Outcome};
use crate::shared::{List, Pool};
use crate::summary::{AskStatus, AskSummary, CaseSummary};

/// Every case of the plan with what became of its asks.
pub(crate) fn cases(
    plan: &Plan,
    mut asked: Vec<Option<Asked>>,
    needed: &[bool],
    groups: &Groups,
) -> Vec<CaseSummary> {
    let mut again = asked.split_off(plan.asks.len());
    let mut lists = Pool::default();
    let mut cases: Vec<CaseSummary> = plan
        .cases
        .iter()
        .map(|case| case_summary(case, groups, &mut lists))
        .collect();
    let mut sizes = vec![0; cases.len()];
    for planned in &plan.asks {
        sizes[planned.case as usize] += 1;
    }
    for (case, size) in cases.iter_mut().zip(sizes) {
        case.asks.reserve_exact(size);
    }
    let names: Vec<Arc<str>> = plan
        .variants
        .iter()
        .map(|variant| variant.name.as_str().into())
        .collect();
    let said_first: Vec<Said> = asked.iter().map(|ask| said(ask.as_ref())).collect();
    let served: Vec<bool> = plan
        .asks
        .iter()
        .zip(&asked)
        .map(|(planned, ask)| {
            let against = planned
                .against
                .and_then(|against| asked[against as usize].as_ref());
            other_version(against, ask.as_ref())
        })
        .collect();
    let chosen: Vec<Option<OptionId>> = asked
        .iter()
        .map(|asked| match said(asked.as_ref()) {
            Said::Chose { id, .. } => Some(id),
            Said::Nothing | Said::Missing | Said::Unasked => None,
        })
        .collect();
    let asks = plan.asks.iter().zip(asked).zip(served).enumerate();
    for (place, ((planned, asked), other_version)) in asks {
        let case = plan.case_of(planned);
        let mut keys = match plan.shown_case(planned) {
            Cow::Borrowed(_) => shown(
                &cases[planned.case as usize].keys,
                case.keys,
                &planned.order,
            ),
            Cow::Owned(altered) => {
                let keys = Presentation::new(&altered, &planned.order);
                keys.options()
                    .map(|option| option.key.0.as_str().into())
                    .collect()
            }
        };
        lists.share(&mut keys);
        let axis = plan.variant_of(planned).axis;
        // An option that is not offered cannot be chosen again, which is no flip; one that is the same answer can.
        let out = plan.left_out(planned.variant as usize);
        let against = planned
            .against
            .filter(|against| out.is_none() || chosen[*against as usize] != out);
        let flip = against.and_then(|against| {
            compared([against as usize, place].map(|ask| said_first[ask].within(case)))
        });
        let reference = planned
            .against
            .map(|against| plan.asks[against as usize].variant as usize);
        let against_name = reference
            .filter(|variant| *variant > 0)
            .map(|variant| Arc::clone(&names[variant]));
        let recorded = plan.recorded(place).is_some();
        let one = |asked: Option<Asked>| {
            let mut ask = AskSummary {
                axis,
                variant: Arc::clone(&names[planned.variant as usize]),
                order: planned.order.clone(),
                keys: keys.clone(),
                status: AskStatus::Unasked,
                choice: None,
                key: None,
                probabilities: None,
                tied: false,
                backend_confidence: None,
                confidence: None,
                ok: right(case, said(asked.as_ref())),
                flip: None,
                against: against_name.clone(),
                recorded: false,
                ms: asked.as_ref().map(|asked| asked.ms),
                declined: None,
                failed: None,
                failure: None,
                again: None,
            };
            if let Some(asked) = asked {
                fill(&mut ask, asked.outcome);
            }
            ask
        };
        // Asks that share a repetition show it once, with the ask that it repeats.
        let slot = plan.again(place) as usize;
        let repeated = slot == plan.asks.len() + place && needed[slot];
        let again = repeated.then(|| Box::new(one(again[place].take())));
        let of_record = |outcome: &Outcome| {
            let said = [said_of(outcome), said_first[place]].map(|said| said.within(case));
            let mut ask = one(Some(Asked {
                outcome: outcome.clone(),
                ms: 0.0,
                attempts: 0,
            }));
            (ask.recorded, ask.ms) = (true, None);
            ask.flip = compared(said).filter(|_| !recorded);
            Box::new(ask)
        };
        if planned.variant == 0 {
            cases[planned.case as usize].recorded = case.brought.recorded.as_deref().map(of_record);
        }
        let mut ask = one(asked);
        if recorded {
            (ask.recorded, ask.ms) = (true, None);
        }
        ask.flip = flip.filter(|_| !other_version);
        ask.again = again;
        cases[planned.case as usize].asks.push(ask);
    }
    cases
}

/// Whether two asks say different things; `None` where they cannot be compared.
fn compared([own, variant]: [Said; 2]) -> Option<bool> {
    match pair(own, variant) {
        PairOutcome::Flip { .. } => Some(true),
        PairOutcome::Same => Some(false),
        PairOutcome::Unasked | PairOutcome::Missing | PairOutcome::NoDecision => None,
    }
}

fn fill(ask: &mut AskSummary, outcome: Outcome) {
    match outcome {
        Outcome::Failed(failed) => {
            ask.status = AskStatus::Failed;
            ask.failed = Some(failed.kind);
            ask.failure = Some(failed.message);
        }
        Outcome::Answered(answer) => {
            ask.status = if answer.choice.is_some() {
                AskStatus::Answered
            } else {
                AskStatus::Declined
            };
            ask.choice = answer.choice;
            let place = answer.choice.and_then(|id| ask.order.position_of(id));
            ask.key = place.and_then(|place| ask.keys.get(place.index()).cloned());
            ask.declined = answer.declined;
            ask.confidence = answer
                .offered(&ask.order)
                .and_then(|p| answer::confidence(&p));
            ask.probabilities = answer.probabilities;
            ask.tied = answer.tied;
            ask.backend_confidence = answer.backend_confidence;
        }
    }
}

/// The keys as shown, first position first.
fn shown(keys: &[Arc<str>], binding: KeyBinding, order: &Order) -> List<Arc<str>> {
    let places = order.identities().iter().enumerate();
    places
        .map(|(place, id)| Arc::clone(&keys[binding.owner(*id, place)]))
        .collect()
}

fn case_summary(case: &Case, groups: &Groups, lists: &mut Pool<List<Arc<str>>>) -> CaseSummary {
    let keys = case.options.iter();
    let mut keys: List<Arc<str>> = keys.map(|option| option.key.0.as_str().into()).collect();
    lists.share(&mut keys);
    let value = |field: &String| Some((field.clone(), case.field(field)?.to_owned()));
    CaseSummary {
        id: case.id.0.clone(),
        file: case.source.file.clone(),
        line: case.source.line,
        keys,
        question: case.question.kind,
        keys_stay: case.keys == KeyBinding::Place,
        unlisted: case.brought.unlisted,
        accept: case.accept.clone(),
        equal: case.equal.clone(),
        fields: groups
            .cluster
            .iter()
            .chain(&groups.by)
            .filter_map(value)
            .collect(),
        recorded: None,
        asks: Vec::new(),
    }
}
