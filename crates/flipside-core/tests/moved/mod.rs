//! Runs whose answers carry probabilities.

mod drift;
mod gates;
mod laws;
mod routing;
mod score;

use flipside_core::answer::{self, Answer};
use flipside_core::case::{
    Case, CaseId, CaseOption, Key, KeyBinding, Question, QuestionKind, Source,
};
use flipside_core::gate::{GateSpec, Gates};
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
use flipside_core::summary::{DriftFigure, Line, Summary};

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
        for option in shown.options() {
            bytes.extend_from_slice(option.key.0.as_bytes());
            bytes.extend(
                option
                    .text
                    .iter()
                    .flat_map(|text| text.to_text().into_bytes()),
            );
        }
        Ok(bytes)
    }

    fn send<'a>(&'a self, _: Sending<'a>) -> BoxFuture<'a, Result<Reply, Failure>> {
        unreachable!("nothing is asked here")
    }

    fn read(&self, _: &Presentation<'_>, _: &Reply) -> Result<Answer, Rejection> {
        unreachable!("nothing is asked here")
    }
}

/// What became of one ask.
#[derive(Clone, Debug)]
enum Said {
    /// Probabilities by identity; the most probable option is chosen.
    Spread(Vec<f64>),
    /// An option without probabilities.
    Bare(u16),
    /// A level and the level that is expected.
    Level(u16, f64),
    Failed,
}

/// One case: its number (its id is `c` and the number), its options, and what each variant's ask says, the own order first.
#[derive(Clone, Debug)]
struct Row {
    number: usize,
    options: usize,
    kind: QuestionKind,
    said: Vec<Said>,
}

/// A choice question.
fn row(number: usize, said: &[&[f64]]) -> Row {
    Row {
        number,
        options: said[0].len(),
        kind: QuestionKind::Choice,
        said: said.iter().map(|p| Said::Spread(p.to_vec())).collect(),
    }
}

/// A run to summarise.
struct Run<'a> {
    rows: &'a [Row],
    orders: &'a str,
    gates: &'a str,
    threshold: Option<f64>,
}

impl<'a> Run<'a> {
    fn new(rows: &'a [Row], orders: &'a str) -> Self {
        Self {
            rows,
            orders,
            gates: "none:fit",
            threshold: None,
        }
    }

    fn summary(&self) -> Summary {
        let orders = OrderSpec::parse_list(self.orders).unwrap();
        let input = PlanInput {
            orders: &orders,
            seed: 5,
            max_orders: 120,
            lists: &[],
        };
        let model = Bytes::new();
        let cases = self.rows.iter().map(case).collect();
        let plan = Plan::build(&distinct(cases).unwrap(), &input, &model).unwrap();
        let answers = plan.asks.iter().map(|ask| {
            let id = &plan.case_of(ask).id.0;
            let row = self
                .rows
                .iter()
                .find(|row| *id == format!("c{}", row.number));
            Some(asked(&row.unwrap().said[ask.variant as usize]))
        });
        let answers = answers.collect();
        let about = About {
            version: "test",
            card: model.card(),
            stopped: None,
            asking: None,
            threshold: self.threshold,
        };
        let gates = GateSpec::parse_list(self.gates).unwrap();
        summarise(&plan, answers, &Gates::resolve(&gates, true, false), about)
    }
}

fn reversed(rows: &[Row]) -> Line {
    Run::new(rows, "reverse").summary().axes["order"]["reverse"].clone()
}

/// The drift of a run of one order that reverses.
fn drift(rows: &[Row]) -> DriftFigure {
    reversed(rows).drift.unwrap()
}

fn case(row: &Row) -> Case {
    let option = |place: usize| CaseOption {
        key: Key(match row.kind {
            QuestionKind::Score => place.to_string(),
            _ => format!("k{place}"),
        }),
        text: Some(Json::String(format!("text {place}"))),
    };
    Case {
        id: CaseId(format!("c{}", row.number)),
        source: Source {
            format: "test".to_owned(),
            file: "test".to_owned(),
            line: row.number as u64 + 1,
        },
        state: Json::String(row.number.to_string()),
        question: Question {
            kind: row.kind,
            name: "pick".to_owned(),
            instructions: None,
            before: Vec::new(),
            after: Vec::new(),
        },
        options: (0..row.options).map(option).collect(),
        keys: match row.kind {
            QuestionKind::Score => KeyBinding::Place,
            _ => KeyBinding::Option,
        },
        accept: Vec::new(),
        named: true,
        position_dependent: None,
        note: None,
        fields: Vec::new(),
        equal: Vec::new(),
    }
    .checked()
    .unwrap()
}

fn asked(said: &Said) -> Asked {
    let outcome = match said {
        Said::Spread(p) => Outcome::Answered(Answer {
            choice: Some(answer::lowest_top(p)),
            tied: answer::tied(p),
            rounding: answer::rounding(p),
            probabilities: Some(p.clone()),
            ..Answer::default()
        }),
        Said::Bare(id) => Outcome::Answered(Answer {
            choice: Some(OptionId(*id)),
            ..Answer::default()
        }),
        Said::Level(id, score) => Outcome::Answered(Answer {
            choice: Some(OptionId(*id)),
            score: Some(*score),
            ..Answer::default()
        }),
        Said::Failed => Outcome::Failed(Failed {
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

fn close(found: Option<f64>, expected: f64) {
    let found = found.unwrap();
    assert!((found - expected).abs() < 1e-6, "{found} {expected}");
}

/// The golden entry `id` of `group`.
fn golden(group: &str, id: &str) -> serde_json::Value {
    let file: serde_json::Value =
        serde_json::from_str(include_str!("../data/stat-goldens.json")).unwrap();
    let entries = file["groups"][group].as_array().unwrap();
    entries
        .iter()
        .find(|entry| entry["id"] == id)
        .unwrap()
        .clone()
}

fn numbers(value: &serde_json::Value) -> Vec<f64> {
    let numbers = value.as_array().unwrap().iter();
    numbers.map(|number| number.as_f64().unwrap()).collect()
}
