//! Clusters, slices and equal options, through a plan and its answers to the summary.

#![expect(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    reason = "small counts, and a test fails where it unwraps nothing"
)]

#[path = "groups/clusters.rs"]
mod clusters;
#[path = "groups/equal.rs"]
mod equal;
#[path = "groups/slices.rs"]
mod slices;

use flipside_core::answer::Answer;
use flipside_core::case::{
    Case, CaseId, CaseOption, FieldValue, Key, KeyBinding, Question, QuestionKind, Source,
};
use flipside_core::gate::{GateSpec, Gates};
use flipside_core::groups::Groups;
use flipside_core::json::Json;
use flipside_core::measure::{About, summarise};
use flipside_core::model::{
    BoxFuture, Card, Failure, Model, Rejection, Reply, Sending, Unsupported,
};
use flipside_core::order::OptionId;
use flipside_core::perturb::order::OrderSpec;
use flipside_core::plan::{Plan, PlanInput, distinct};
use flipside_core::present::Presentation;
use flipside_core::record::{Asked, Failed, FailedKind, Outcome};
use flipside_core::summary::{Line, Summary};

/// A model that is never asked: plans need its bytes, and the answers come from the test.
struct Bytes(Card);

impl Bytes {
    fn new() -> Self {
        Self(Card {
            spec: "bytes".to_owned(),
            requested: None,
            endpoint: None,
            key_variable: None,
            remote: false,
            concurrency: 1,
            price: None,
            confidence: None,
            whole_replies: false,
            object_order: false,
        })
    }
}

impl Model for Bytes {
    fn card(&self) -> &Card {
        &self.0
    }

    fn request(&self, shown: &Presentation<'_>) -> Result<Vec<u8>, Unsupported> {
        let mut bytes = shown.state().to_text().into_bytes();
        shown
            .options()
            .for_each(|option| bytes.extend_from_slice(option.key.0.as_bytes()));
        Ok(bytes)
    }

    fn send<'a>(&'a self, _: Sending<'a>) -> BoxFuture<'a, Result<Reply, Failure>> {
        unreachable!("nothing is asked here")
    }

    fn read(&self, _: &Presentation<'_>, _: &Reply) -> Result<Answer, Rejection> {
        unreachable!("nothing is asked here")
    }
}

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
        let option = |place: usize| CaseOption {
            key: Key(format!("k{place}")),
            text: self.text.then(|| Json::String(format!("text {place}"))),
        };
        let fields = self.fields.iter();
        let ids = |class: &Vec<u16>| class.iter().copied().map(OptionId).collect();
        Case {
            id: CaseId(format!("c{}", self.id)),
            source: Source {
                format: "test".to_owned(),
                file: "test".to_owned(),
                line: self.id as u64 + 1,
            },
            state: Json::String(self.id.to_string()),
            question: Question {
                kind: QuestionKind::Choice,
                name: "pick".to_owned(),
                instructions: None,
                before: Vec::new(),
                after: Vec::new(),
            },
            options: (0..self.options).map(option).collect(),
            keys: KeyBinding::Option,
            accept: self.accept.into_iter().map(OptionId).collect(),
            named: true,
            position_dependent: None,
            note: None,
            fields: fields
                .map(|(name, value)| ((*name).to_owned(), FieldValue::Text(value.clone())))
                .collect(),
            equal: self.equal.iter().map(ids).collect(),
        }
        .checked()
        .unwrap()
    }

    fn asked(&self, ask: usize) -> Asked {
        let outcome = match self.chose[ask] {
            Some(id) => Outcome::Answered(Answer {
                choice: Some(OptionId(id)),
                served_model: self.served[ask].map(str::to_owned),
                ..Answer::default()
            }),
            None => Outcome::Failed(Failed {
                kind: FailedKind::Timeout,
                message: String::new(),
                unanswered: false,
            }),
        };
        Asked {
            outcome,
            ms: 1.0,
            attempts: 1,
        }
    }
}

fn groups(cluster: Option<&str>, by: &[&str]) -> Groups {
    Groups {
        cluster: cluster.map(str::to_owned),
        by: by.iter().map(|name| (*name).to_owned()).collect(),
    }
}

fn summary(told: &[Told], groups: &Groups, strict: bool, gates: &str) -> Summary {
    let orders = OrderSpec::parse_list("reverse,same:1").unwrap();
    let input = PlanInput {
        orders: &orders,
        seed: 5,
        max_orders: 120,
        lists: &[],
    };
    let model = Bytes::new();
    let distinct = distinct(told.iter().map(Told::case).collect()).unwrap();
    groups.check(&distinct).unwrap();
    let plan = Plan::build(&distinct, &input, &model).unwrap();
    let answers = plan.asks.iter().map(|ask| {
        let id = plan.case_of(ask).id.0[1..].parse::<usize>().unwrap();
        let told = told.iter().find(|told| told.id == id).unwrap();
        Some(told.asked(ask.variant as usize))
    });
    let about = About {
        version: "test",
        card: model.card(),
        stopped: None,
        asking: None,
        threshold: None,
    };
    let specs = GateSpec::parse_list(gates).unwrap();
    let gates = Gates {
        groups: groups.clone(),
        ..Gates::resolve(&specs, true, strict)
    };
    summarise(&plan, answers.collect(), &gates, about)
}

fn reverse(summary: &Summary) -> &Line {
    &summary.axes["order"]["reverse"]
}

#[track_caller]
fn near(found: Option<f64>, expected: f64) {
    let found = found.unwrap();
    assert!((found - expected).abs() < 5e-7, "{found}, not {expected}");
}
