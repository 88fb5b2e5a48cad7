//! Runs with an option less or more, answered by planted functions.

mod counted;
mod decoys;
mod gates;
mod laws;
mod planted;
mod rounded;

use flipside_core::answer::{self, Answer};
use flipside_core::case::Case;
use flipside_core::gate::{GateSpec, Gates};
use flipside_core::groups::Groups;
use flipside_core::measure::summarise;
use flipside_core::model::Model;
use flipside_core::order::OptionId;
use flipside_core::perturb::order::OrderSpec;
use flipside_core::perturb::{Axis, AxisSpec};
use flipside_core::plan::{Plan, PlanInput, distinct};
use flipside_core::record::{Asked, Outcome};
use flipside_core::summary::{DecoyComposition, DropComposition, Summary};

use crate::common::{self, Bytes, about, card, chose};
use crate::made::{failed, keys};

/// What an answer to a list says.
#[derive(Clone, Debug)]
pub(crate) enum Told {
    /// A weight for each option shown, in the order shown; probabilities are the weights over their sum.
    Weights(Vec<f64>),
    /// Probabilities as reported, in the order shown.
    Reported(Vec<f64>),
    /// An option without probabilities.
    Bare(u16),
    Nothing,
    Failed,
    Unasked,
}

/// What an answer is asked about: the case in the words shown, and the identities in the order shown.
pub(crate) struct Shown<'a> {
    pub(crate) case: &'a Case,
    pub(crate) list: &'a [OptionId],
    /// How often this was asked before.
    pub(crate) round: usize,
    pub(crate) axis: Axis,
}

impl Shown<'_> {
    /// The weight of each option shown, by identity.
    pub(crate) fn weigh(&self, weight: impl Fn(u16) -> f64) -> Told {
        Told::Weights(self.list.iter().map(|id| weight(id.0)).collect())
    }

    pub(crate) fn shows(&self, id: u16) -> bool {
        self.list.contains(&OptionId(id))
    }

    /// The number that the case was made with.
    pub(crate) fn number(&self) -> usize {
        self.case.id.0[1..].parse().unwrap()
    }
}

pub(crate) struct Run {
    pub(crate) cases: Vec<Case>,
    pub(crate) orders: &'static str,
    pub(crate) axes: &'static str,
    pub(crate) gates: &'static str,
    pub(crate) strict: bool,
    pub(crate) cluster: Option<&'static str>,
}

impl Run {
    /// `cases` cases of `options` options, asked with an option less and once more as a control.
    pub(crate) fn new(cases: usize, options: usize) -> Self {
        Self {
            cases: (0..cases)
                .map(|number| common::case(number, keys("k", options)))
                .collect(),
            orders: "same:1",
            axes: "drop",
            gates: "none:fit,none:order",
            strict: false,
            cluster: None,
        }
    }

    pub(crate) fn plan(&self) -> Plan {
        self.plan_on(&Bytes::new())
    }

    pub(crate) fn plan_on(&self, model: &dyn Model) -> Plan {
        let axes = AxisSpec::parse_list(self.axes).unwrap();
        let orders = match self.orders {
            "" => Vec::new(),
            orders => OrderSpec::parse_list(orders).unwrap(),
        };
        let cases = self
            .cases
            .iter()
            .map(|case| case.clone().checked().unwrap());
        let input = PlanInput {
            axes: &axes,
            ..PlanInput::orders(&orders, 5)
        };
        Plan::build(&distinct(cases.collect()).unwrap(), &input, model).unwrap()
    }

    pub(crate) fn summary(&self, answer: impl Fn(&Shown<'_>) -> Told) -> Summary {
        let plan = self.plan();
        let asked = (0..plan.slots()).map(|slot| {
            let ask = &plan.asks[slot % plan.asks.len()];
            let case = plan.shown_case(ask);
            let axis = plan.variant_of(ask).axis;
            let list = ask.order.identities();
            let told = answer(&Shown {
                case: &case,
                list,
                round: slot / plan.asks.len(),
                axis,
            });
            asked(&told, list, case.options.len())
        });
        let asked = asked.collect();
        let specs = AxisSpec::parse_list(self.axes).unwrap();
        let asked_axes: Vec<Axis> = specs.iter().map(AxisSpec::axis).collect();
        let gates = Gates {
            groups: Groups {
                cluster: self.cluster.map(str::to_owned),
                by: Vec::new(),
            },
            ..Gates::resolve(
                &GateSpec::parse_list(self.gates).unwrap(),
                true,
                &asked_axes,
                self.strict,
            )
        };
        summarise(&plan, asked, &gates, about(&card()))
    }

    pub(crate) fn drop(&self, answer: impl Fn(&Shown<'_>) -> Told) -> DropComposition {
        drop_of(&self.summary(answer))
    }
}

pub(crate) fn drop_of(summary: &Summary) -> DropComposition {
    summary.composition.clone().unwrap().drop.unwrap()
}

pub(crate) fn decoy_of(summary: &Summary) -> DecoyComposition {
    summary.composition.clone().unwrap().decoy.unwrap()
}

fn asked(told: &Told, list: &[OptionId], options: usize) -> Option<Asked> {
    let by_identity = |values: &[f64]| {
        let mut all = vec![0.0; options];
        for (id, value) in list.iter().zip(values) {
            all[id.index()] = *value;
        }
        all
    };
    let answer = |p: Vec<f64>| {
        Outcome::Answered(Answer {
            choice: Some(answer::lowest_top(&p)),
            tied: answer::tied(&p),
            rounding: answer::rounding(&p),
            probabilities: Some(p),
            ..Answer::default()
        })
    };
    let outcome = match told {
        Told::Weights(weights) => {
            let sum: f64 = weights.iter().sum();
            answer(by_identity(
                &weights
                    .iter()
                    .map(|weight| weight / sum)
                    .collect::<Vec<f64>>(),
            ))
        }
        Told::Reported(p) => answer(by_identity(p)),
        Told::Bare(id) => chose(*id),
        Told::Nothing => Outcome::Answered(Answer::default()),
        Told::Failed => failed(),
        Told::Unasked => return None,
    };
    Some(common::asked(outcome))
}

pub(crate) fn close(found: Option<f64>, expected: f64) {
    let found = found.unwrap();
    assert!((found - expected).abs() < 1e-6, "{found} {expected}");
}
