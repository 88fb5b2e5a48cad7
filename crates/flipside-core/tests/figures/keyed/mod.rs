//! Which way flips went, how far keys moved, what averaging answers, and where each order's answers stood.

#![expect(clippy::cast_precision_loss, reason = "small counts")]

mod averaged;
mod changes;
mod direction;
mod laws;
mod places;
mod router;
mod slices;

use flipside_core::answer::{self, Answer};
use flipside_core::case::{Case, FieldValue, KeyBinding, QuestionKind};
use flipside_core::gate::Gates;
use flipside_core::groups::Groups;
use flipside_core::json::Json;
use flipside_core::order::OptionId;
use flipside_core::record::{Asked, Outcome};
use flipside_core::shared::List;
use flipside_core::summary::{Direction, KeyPair, Line, Summary};

use crate::common::{self, chose};
use crate::made::{failed, plan, summary};

/// What one ask says.
#[derive(Clone, Debug)]
enum Said {
    /// Probabilities by identity; the most probable option is chosen.
    Spread(Vec<f64>),
    /// An option and the probabilities beside it.
    With(u16, Vec<f64>),
    /// An option without probabilities.
    Bare(u16),
    Nothing,
    Failed,
    Unasked,
}

/// One case: its number (its id is `c` and the number), its keys, and what each variant's ask says, the own order first.
#[derive(Clone, Debug)]
struct Row {
    number: usize,
    keys: Vec<String>,
    kind: QuestionKind,
    binding: KeyBinding,
    accept: Vec<u16>,
    equal: Vec<Vec<u16>>,
    fields: Vec<(&'static str, String)>,
    unlisted: bool,
    said: Vec<Said>,
}

/// An unlabelled choice between `keys`.
fn row(number: usize, keys: &[&str], said: Vec<Said>) -> Row {
    Row {
        number,
        keys: keys.iter().map(|key| (*key).to_owned()).collect(),
        kind: QuestionKind::Choice,
        binding: KeyBinding::Option,
        accept: Vec::new(),
        equal: Vec::new(),
        fields: List::new().to_vec(),
        unlisted: false,
        said,
    }
}

/// The same between `cheap` and `strong`, which answers with these probabilities of `cheap`.
fn routes(number: usize, cheap: &[f64]) -> Row {
    let said = cheap.iter().map(|p| Said::Spread(vec![*p, 1.0 - p]));
    row(number, &["cheap", "strong"], said.collect())
}

/// A choice of `keys` by identity, without probabilities.
fn picks(number: usize, keys: &[&str], chosen: &[u16]) -> Row {
    row(
        number,
        keys,
        chosen.iter().map(|id| Said::Bare(*id)).collect(),
    )
}

impl Row {
    fn accept(mut self, id: u16) -> Self {
        self.accept = vec![id];
        self
    }

    fn field(mut self, name: &'static str, value: impl std::fmt::Display) -> Self {
        self.fields.push((name, format!("{value}")));
        self
    }

    fn case(&self) -> Case {
        let ids = |all: &[u16]| all.iter().map(|id| OptionId(*id)).collect::<Vec<_>>();
        let text =
            |(name, value): &(&str, String)| ((*name).to_owned(), FieldValue::Text(value.clone()));
        let mut case = common::case(self.number, self.keys.iter().cloned());
        for option in &mut case.options {
            // Keys of places alone would read the same in every order.
            option.text = Some(Json::String(format!("text of {}", option.key.0)));
        }
        case.accept = ids(&self.accept).into();
        case.equal = self.equal.iter().map(|class| ids(class)).collect();
        case.fields = self.fields.iter().map(text).collect();
        (case.question.kind, case.keys) = (self.kind, self.binding);
        case.brought.unlisted = self.unlisted;
        case.checked().unwrap()
    }
}

/// A row of levels, lowest first, which answers with these levels.
fn levels(number: usize, levels: usize, chosen: &[u16]) -> Row {
    let mut row = picks(number, &[], chosen);
    row.keys = (0..levels).map(|level| level.to_string()).collect();
    (row.kind, row.binding) = (QuestionKind::Score, KeyBinding::Place);
    row
}

fn asked(said: &Said) -> Option<Asked> {
    let answered = |choice, p: &[f64]| {
        Outcome::Answered(Answer {
            choice: Some(choice),
            tied: answer::tied(p),
            rounding: answer::rounding(p),
            probabilities: Some(p.to_vec()),
            ..Answer::default()
        })
    };
    Some(common::asked(match said {
        Said::Spread(p) => answered(answer::lowest_top(p), p),
        Said::With(id, p) => answered(OptionId(*id), p),
        Said::Bare(id) => chose(*id),
        Said::Nothing => Outcome::Answered(Answer::default()),
        Said::Failed => failed(),
        Said::Unasked => return None,
    }))
}

/// The summary of `rows` in `orders`, grouped by `cluster` and looked at by `by`.
fn grouped(rows: &[Row], orders: &str, cluster: Option<&str>, by: &[&str]) -> Summary {
    let plan = plan(rows.iter().map(Row::case).collect(), orders);
    let answers = plan.asks.iter().map(|ask| {
        let id = &plan.case_of(ask).id.0;
        let row = rows.iter().find(|row| *id == format!("c{}", row.number));
        asked(&row.unwrap().said[ask.variant as usize])
    });
    let gates = Gates {
        groups: Groups {
            cluster: cluster.map(str::to_owned),
            by: by.iter().map(|name| (*name).to_owned()).collect(),
        },
        ..Gates::resolve(&[], true, &[], false)
    };
    summary(&plan, answers.collect(), &gates)
}

fn run(rows: &[Row], orders: &str) -> Summary {
    grouped(rows, orders, None, &[])
}

/// The line of a run whose only other order is the reversal.
fn reversed(rows: &[Row]) -> Line {
    run(rows, "reverse").axes["order"]["reverse"].clone()
}

fn direction(rows: &[Row]) -> Direction {
    reversed(rows).direction.unwrap()
}

/// Names and counts of a pair of keys.
fn ways(pair: &KeyPair) -> (&str, &str, u64, u64) {
    (&pair.from, &pair.to, pair.forth, pair.back)
}

#[track_caller]
fn near(found: impl Into<Option<f64>>, expected: f64) {
    let found = found.into().unwrap();
    let off = (found - expected).abs();
    assert!(off < 5e-7, "{found}, not {expected}");
}
