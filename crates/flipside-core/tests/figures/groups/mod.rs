//! Clusters, slices and equal options, through a plan and its answers to the summary.

#![expect(clippy::cast_precision_loss, reason = "small counts")]

mod clusters;
mod equal;
mod slices;
mod units;

use flipside_core::answer::Answer;
use flipside_core::case::{Case, FieldValue};
use flipside_core::gate::{GateSpec, Gates};
use flipside_core::groups::Groups;
use flipside_core::json::Json;
use flipside_core::measure::{About, summarise};
use flipside_core::order::OptionId;
use flipside_core::plan::{Planned, distinct};
use flipside_core::record::{Asked, Outcome};
use flipside_core::shared::List;
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
    /// What further orders and, after them, the repetitions of the first orders say.
    more: Vec<Option<u16>>,
    /// Top probability of an answer by ask; the rest is shared evenly.
    sure: Option<[f64; 10]>,
}

impl Told {
    /// An unlabelled case that chooses option 0 always, but for the reversal if it flips.
    fn new(id: usize, flips: bool) -> Self {
        Self {
            id,
            fields: List::new().to_vec(),
            chose: [Some(0), Some(u16::from(flips)), Some(0)],
            options: 3,
            accept: None,
            text: true,
            equal: Vec::new(),
            served: [None; 3],
            more: Vec::new(),
            sure: None,
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
        let chose = self.chose.iter().chain(&self.more).nth(ask).copied();
        common::asked(match chose.flatten() {
            Some(id) => Outcome::Answered(Answer {
                choice: Some(OptionId(id)),
                served_model: self.served.get(ask).copied().flatten().map(Into::into),
                probabilities: self.sure.map(|sure| {
                    let rest = (1.0 - sure[ask]) / (self.options - 1) as f64;
                    let of = |option| {
                        if option == usize::from(id) {
                            sure[ask]
                        } else {
                            rest
                        }
                    };
                    (0..self.options).map(of).collect()
                }),
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
    summary_of(told, groups, strict, gates, "reverse,same:1")
}

fn summary_of(told: &[Told], groups: &Groups, strict: bool, gates: &str, orders: &str) -> Summary {
    let cases = || told.iter().map(Told::case).collect();
    groups.check(&distinct(cases()).unwrap()).unwrap();
    let plan = plan(cases(), orders);
    let variants = plan.variants.len();
    let told = |ask: &Planned| {
        let id = plan.case_of(ask).id.0[1..].parse::<usize>().unwrap();
        told.iter().find(|told| told.id == id).unwrap()
    };
    let asks = || plan.asks.iter();
    let first = asks().map(|ask| Some(told(ask).asked(ask.variant as usize)));
    // A repetition says what the first round did, unless the case says otherwise.
    let again = asks().map(|ask| {
        let (told, variant) = (told(ask), ask.variant as usize);
        let other = told.chose.len() + told.more.len() > variants + variant;
        Some(told.asked(if other { variants + variant } else { variant }))
    });
    let answers = first.chain(again).collect();
    let specs = GateSpec::parse_list(gates).unwrap();
    let gates = Gates {
        groups: groups.clone(),
        ..Gates::resolve(&specs, true, &[], strict)
    };
    let card = common::card();
    let about = About {
        threshold: Some(0.6),
        ..common::about(&card)
    };
    summarise(&plan, answers, &gates, about)
}

fn reverse(summary: &Summary) -> &Line {
    &summary.axes["order"]["reverse"]
}

#[track_caller]
fn near(found: Option<f64>, expected: f64) {
    let found = found.unwrap();
    assert!((found - expected).abs() < 5e-7, "{found}, not {expected}");
}
