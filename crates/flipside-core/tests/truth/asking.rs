//! Simulated models asked by the program: planned, asked in the course that it takes, confirmed and summarised.

use flipside_core::case::Case;
use flipside_core::course::Course;
use flipside_core::gate::Gates;
use flipside_core::measure::summarise;
use flipside_core::order::OptionId;
use flipside_core::perturb::order::{DrawName, OrderSpec};
use flipside_core::plan::Plan;
use flipside_core::summary::Summary;

use super::common;

/// One ask of a simulated model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ask {
    /// The case, from 0.
    pub(crate) case: usize,
    /// Whether it is asked in the other order.
    pub(crate) changed: bool,
    /// Whether it confirms a flip.
    pub(crate) again: bool,
}

/// Asks `plan` until nothing more is needed; the summary, and how many asks it took.
pub(crate) fn measured(plan: &Plan, gates: &Gates, says: impl Fn(Ask) -> u16) -> (Summary, u64) {
    let mut asked = vec![None; plan.slots()];
    let mut asks = 0;
    let mut course = Course::new(plan, gates).expect("a plan of one order");
    loop {
        let ready = course.ready(&asked);
        if ready.is_empty() {
            break;
        }
        for slot in ready {
            let slot = slot as usize;
            let (planned, again) = plan.slot(slot);
            let choice = says(Ask {
                case: planned.case as usize,
                changed: planned.variant > 0,
                again,
            });
            asks += 1;
            asked[slot] = Some(common::asked(common::chose(choice)));
        }
    }
    assert!(course.is_done(), "the course ends");
    let summary = summarise(plan, asked, gates, common::about(&common::card()));
    (summary, asks)
}

/// `cases` cases of some options, each to be asked in one random other order; in labelled ones the first option is accepted.
pub(crate) fn plan(cases: u64, options: &[&str], labelled: bool, seed: u64) -> Plan {
    let cases = usize::try_from(cases).expect("cases fit in memory");
    let cases = (0..cases).map(|number| case(number, options, labelled));
    let orders = [OrderSpec::Random {
        draws: 1,
        name: DrawName::Random,
    }];
    common::plan(cases.collect(), &orders, seed)
}

fn case(number: usize, options: &[&str], labelled: bool) -> Case {
    Case {
        accept: labelled.then_some(OptionId(0)).into_iter().collect(),
        ..common::case(number, options.iter().copied())
    }
    .checked()
    .expect("a case with options")
}
