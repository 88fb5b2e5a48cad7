//! Cases and answers as tests state them, planned and summarised by the program.

use flipside_core::answer::{self, Answer, Declined, Reported};
use flipside_core::case::{Case, CaseError};
use flipside_core::course::Course;
use flipside_core::gate::Gates;
use flipside_core::order::OptionId;
use flipside_core::present::Presentation;
use flipside_core::record::Outcome;
use flipside_core::summary::{Line, Summary};

use crate::common;
pub(crate) use crate::common::chose;
pub(crate) use crate::made::{failed, plan};

/// What a simulated model says to one presentation of the variant called so.
pub(crate) type Says<'a> = dyn Fn(&Presentation<'_>, &str) -> Outcome + 'a;

/// The summary of `cases` asked in `orders`.
pub(crate) fn summary(cases: Vec<Case>, orders: &str, strict: bool, says: &Says<'_>) -> Summary {
    let gates = Gates::resolve(&[], true, &[], strict);
    gated(cases, orders, &gates, says)
}

/// The same under other gates than the usual ones.
pub(crate) fn gated(cases: Vec<Case>, orders: &str, gates: &Gates, says: &Says<'_>) -> Summary {
    interrupted(cases, orders, gates, &|shown, variant| {
        Some(says(shown, variant))
    })
}

/// The same where some asks, those without an outcome, were not made.
pub(crate) fn interrupted(
    cases: Vec<Case>,
    orders: &str,
    gates: &Gates,
    says: &dyn Fn(&Presentation<'_>, &str) -> Option<Outcome>,
) -> Summary {
    let plan = plan(cases, orders);
    let answer = |slot: usize| {
        let (ask, _) = plan.slot(slot);
        let shown = Presentation::new(plan.case_of(ask), &ask.order);
        let outcome = says(&shown, &plan.variant_of(ask).name)?;
        Some(common::asked(outcome))
    };
    let mut asked = vec![None; plan.slots()];
    for (slot, asked) in asked.iter_mut().enumerate().take(plan.asks.len()) {
        *asked = answer(slot);
    }
    // Flips that are to be confirmed are asked once more, and answered alike.
    let mut course = Course::new(&plan, gates).unwrap();
    for slot in course.ready(&asked) {
        asked[slot as usize] = answer(slot as usize);
    }
    crate::made::summary(&plan, asked, gates)
}

/// The line of one order.
pub(crate) fn line<'a>(summary: &'a Summary, variant: &str) -> &'a Line {
    &summary.axes["order"][variant]
}

/// An unlabelled choice between `keys`.
pub(crate) fn case(number: usize, keys: &[&str]) -> Case {
    unchecked(number, keys).checked().unwrap()
}

/// The same with accepted options.
pub(crate) fn labelled(number: usize, keys: &[&str], accept: &[u16]) -> Case {
    let accept = accept.iter().map(|&id| OptionId(id)).collect();
    Case {
        accept,
        ..case(number, keys)
    }
}

/// What is wrong with a choice between `keys`.
pub(crate) fn refused(keys: &[&str]) -> CaseError {
    unchecked(0, keys).checked().unwrap_err()
}

fn unchecked(number: usize, keys: &[&str]) -> Case {
    common::case(number, keys.iter().copied())
}

/// `number` cases of the same keys.
pub(crate) fn cases(number: usize, keys: &[&str]) -> Vec<Case> {
    (0..number).map(|place| case(place, keys)).collect()
}

/// The number that `case` gave the case.
pub(crate) fn number(shown: &Presentation<'_>) -> usize {
    shown.case().id.0[1..].parse().unwrap()
}

/// A pick by identity, answered by the model called so.
pub(crate) fn served(id: u16, model: Option<&str>) -> Outcome {
    Outcome::Answered(Answer {
        choice: Some(OptionId(id)),
        served_model: model.map(Into::into),
        ..Answer::default()
    })
}

/// The pick of what stands first.
pub(crate) fn first(shown: &Presentation<'_>) -> Outcome {
    chose(shown.options().next().unwrap().id.0)
}

/// A reply that states `key` and gives probabilities by key; without a stated key the choice is derived.
pub(crate) fn replied(
    shown: &Presentation<'_>,
    key: Option<&str>,
    probabilities: &[(&str, f64)],
) -> Outcome {
    let reported = Reported {
        choice: key,
        probabilities: Some(probabilities.to_vec()),
        confidence: None,
    };
    Outcome::Answered(answer::choice(shown, &reported).unwrap())
}

/// A refusal.
pub(crate) fn declined() -> Outcome {
    Outcome::Answered(Answer {
        declined: Some(Declined::Refusal),
        ..Answer::default()
    })
}
