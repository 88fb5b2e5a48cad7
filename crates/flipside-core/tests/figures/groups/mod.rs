//! Clusters, slices and equal options, through a plan and its answers to the summary.

#![expect(clippy::cast_precision_loss, reason = "small counts")]

mod clusters;
mod equal;
mod slices;

use flipside_core::answer::Answer;
use flipside_core::case::{Case, FieldValue};
use flipside_core::gate::{GateSpec, Gates};
use flipside_core::groups::Groups;
use flipside_core::json::Json;
use flipside_core::order::OptionId;
use flipside_core::plan::distinct;
use flipside_core::record::{Asked, Outcome};
use flipside_core::summary::{Line, Summary};

use crate::common;
use crate::made::{failed, keys, plan};

/// One case of three options with what its own order, its reversal and its control say.
#[derive(Clone, Debug)]
struct Told {
    id: usize,
    fields: Vec<(&'static str, String)>,
    /// The chosen options; `None` for a failed ask.
    chose: [Option<u16>; 3],
    options: usize,
    accept: Option<u16>,
    text: bool,
    equal: Vec<Vec<u16>>,
    served: [Option<&'static str>; 3],
}

impl Told {
    /// An unlabelled case that chooses option 0 always, but for the reversal if it flips.
    fn new(id: usize, flips: bool) -> Self {
        Self {
            id,
            fields: Vec::new(),
            chose: [Some(0), Some(u16::from(flips)), Some(0)],
            options: 3,
            accept: None,
            text: true,
            equal: Vec::new(),
            served: [None; 3],
        }
    }

    fn field(mut self, name: &'static str, value: impl std::fmt::Display) -> Self {
        self.fields.push((name, format!("{value}")));
        self
    }

    fn case(&self) -> Case {
        let fields = self.fields.iter();
        let ids = |class: &Vec<u16>| class.iter().copied().map(OptionId).collect();
        let mut case = Case {
            accept: self.accept.into_iter().map(OptionId).collect(),
            fields: fields
                .map(|(name, value)| ((*name).to_owned(), FieldValue::Text(value.clone())))
                .collect(),
            equal: self.equal.iter().map(ids).collect(),
            ..common::case(self.id, keys("k", self.options))
        };
        for (place, option) in case.options.iter_mut().enumerate() {
            option.text = self.text.then(|| Json::String(format!("text {place}")));
        }
        case.checked().unwrap()
    }

    fn asked(&self, ask: usize) -> Asked {
        common::asked(match self.chose[ask] {
            Some(id) => Outcome::Answered(Answer {
                choice: Some(OptionId(id)),
                served_model: self.served[ask].map(str::to_owned),
                ..Answer::default()
            }),
            None => failed(),
        })
    }
}

fn groups(cluster: Option<&str>, by: &[&str]) -> Groups {
    Groups {
        cluster: cluster.map(str::to_owned),
        by: by.iter().map(|name| (*name).to_owned()).collect(),
    }
}

fn summary(told: &[Told], groups: &Groups, strict: bool, gates: &str) -> Summary {
    let cases = || told.iter().map(Told::case).collect();
    groups.check(&distinct(cases()).unwrap()).unwrap();
    let plan = plan(cases(), "reverse,same:1");
    let answers = plan.asks.iter().map(|ask| {
        let id = plan.case_of(ask).id.0[1..].parse::<usize>().unwrap();
        let told = told.iter().find(|told| told.id == id).unwrap();
        Some(told.asked(ask.variant as usize))
    });
    let specs = GateSpec::parse_list(gates).unwrap();
    let gates = Gates {
        groups: groups.clone(),
        ..Gates::resolve(&specs, true, strict)
    };
    crate::made::summary(&plan, answers.collect(), &gates)
}

fn reverse(summary: &Summary) -> &Line {
    &summary.axes["order"]["reverse"]
}

#[track_caller]
fn near(found: Option<f64>, expected: f64) {
    let found = found.unwrap();
    assert!((found - expected).abs() < 5e-7, "{found}, not {expected}");
}
