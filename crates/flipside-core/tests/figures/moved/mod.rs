//! Runs whose answers carry probabilities.

mod drift;
mod gates;
mod laws;
mod routing;
mod score;

use flipside_core::answer::{self, Answer};
use flipside_core::case::{Case, Key, KeyBinding, QuestionKind};
use flipside_core::gate::{GateSpec, Gates};
use flipside_core::json::Json;
use flipside_core::measure::{About, summarise};
use flipside_core::order::OptionId;
use flipside_core::record::{Asked, Outcome};
use flipside_core::summary::{DriftFigure, Line, Summary};

use crate::common::{self, about, card, chose};
use crate::made::{failed, goldens, keys, plan};

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
        let plan = plan(self.rows.iter().map(case).collect(), self.orders);
        let answers = plan.asks.iter().map(|ask| {
            let id = &plan.case_of(ask).id.0;
            let row = self
                .rows
                .iter()
                .find(|row| *id == format!("c{}", row.number));
            Some(asked(&row.unwrap().said[ask.variant as usize]))
        });
        let answers = answers.collect();
        let card = card();
        let about = About {
            threshold: self.threshold,
            recordings: Vec::new(),
            ..about(&card)
        };
        let gates = GateSpec::parse_list(self.gates).unwrap();
        summarise(
            &plan,
            answers,
            &Gates::resolve(&gates, true, &[], false),
            about,
        )
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
    let mut case = common::case(row.number, keys("k", row.options));
    case.question.kind = row.kind;
    for (place, option) in case.options.iter_mut().enumerate() {
        option.text = Some(Json::String(format!("text {place}")));
        if row.kind == QuestionKind::Score {
            option.key = Key(place.to_string());
        }
    }
    if row.kind == QuestionKind::Score {
        case.keys = KeyBinding::Place;
    }
    case.checked().unwrap()
}

fn asked(said: &Said) -> Asked {
    common::asked(match said {
        Said::Spread(p) => Outcome::Answered(Answer {
            choice: Some(answer::lowest_top(p)),
            tied: answer::tied(p),
            rounding: answer::rounding(p),
            probabilities: Some(p.clone()),
            ..Answer::default()
        }),
        Said::Bare(id) => chose(*id),
        Said::Level(id, score) => Outcome::Answered(Answer {
            choice: Some(OptionId(*id)),
            score: Some(*score),
            ..Answer::default()
        }),
        Said::Failed => failed(),
    })
}

fn close(found: Option<f64>, expected: f64) {
    let found = found.unwrap();
    assert!((found - expected).abs() < 1e-6, "{found} {expected}");
}

/// The golden entry `id` of `group`.
fn golden(group: &str, id: &str) -> serde_json::Value {
    goldens(group)
        .into_iter()
        .find(|entry| entry["id"] == id)
        .unwrap()
}

fn numbers(value: &serde_json::Value) -> Vec<f64> {
    let numbers = value.as_array().unwrap().iter();
    numbers.map(|number| number.as_f64().unwrap()).collect()
}
