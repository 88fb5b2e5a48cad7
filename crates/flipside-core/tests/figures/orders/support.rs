//! A run made of a table: cases, and what each order's ask says.

use flipside_core::answer::Answer;
use flipside_core::case::Case;
use flipside_core::gate::Gates;
use flipside_core::record::{Asked, Outcome};
use flipside_core::summary::{Orders, Summary};

use crate::common;
use crate::made::{failed, id, keys, plan};

/// What one ask says.
#[derive(Clone, Debug)]
pub(crate) enum Said {
    Chose(usize),
    /// A choice with its probabilities.
    With(usize, Vec<f64>),
    Nothing,
    Failed,
    Unasked,
}

/// One case: its options, the accepted ones, and what its asks say by variant, the own order first.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) name: usize,
    pub(crate) options: usize,
    pub(crate) accept: Vec<usize>,
    pub(crate) said: Vec<Said>,
}

/// Cases of `options` options without labels, one text per case: a letter per order, `-` for no decision, `!` for a
/// failed ask, `?` for one that was not made.
pub(crate) fn rows(options: usize, texts: &[&str]) -> Vec<Row> {
    let said = |letter: char| match letter {
        '-' => Said::Nothing,
        '!' => Said::Failed,
        '?' => Said::Unasked,
        letter => Said::Chose(letter as usize - 'a' as usize),
    };
    let row = |(name, text): (usize, &&str)| Row {
        name,
        options,
        accept: Vec::new(),
        said: text.chars().map(said).collect(),
    };
    texts.iter().enumerate().map(row).collect()
}

/// The same, where option `a` is right.
pub(crate) fn labelled(options: usize, texts: &[&str]) -> Vec<Row> {
    let mut rows = rows(options, texts);
    for row in &mut rows {
        row.accept = vec![0];
    }
    rows
}

fn case(row: &Row, prefix: &str) -> Case {
    Case {
        accept: row.accept.iter().map(|&option| id(option)).collect(),
        ..common::case(row.name, keys(prefix, row.options))
    }
    .checked()
    .unwrap()
}

fn asked(said: &Said) -> Option<Asked> {
    let answered = |choice, probabilities| {
        Outcome::Answered(Answer {
            choice,
            probabilities,
            ..Answer::default()
        })
    };
    let outcome = match said {
        Said::Unasked => return None,
        Said::Chose(option) => answered(Some(id(*option)), None),
        Said::With(option, probabilities) => {
            answered(Some(id(*option)), Some(probabilities.clone()))
        }
        Said::Nothing => answered(None, None),
        Said::Failed => failed(),
    };
    Some(common::asked(outcome))
}

/// The summary of a run of `rows` under `orders`; a row's answers go to its asks in plan order.
pub(crate) fn summary(rows: &[Row], orders: &str, prefix: &str) -> Summary {
    let cases = rows.iter().map(|row| case(row, prefix)).collect();
    let plan = plan(cases, orders);
    let mut next = vec![0; rows.len()];
    let answers = plan
        .asks
        .iter()
        .map(|ask| {
            let row = &rows[ask.case as usize];
            let place = &mut next[ask.case as usize];
            *place += 1;
            asked(&row.said[*place - 1])
        })
        .collect();
    crate::made::summary(&plan, answers, &Gates::resolve(&[], true, &[], false))
}

/// The figures across all orders of such a run.
pub(crate) fn orders(rows: &[Row], specs: &str) -> Orders {
    *summary(rows, specs, "k").orders.unwrap()
}

/// Compares up to the digits that a reference prints.
#[track_caller]
pub(crate) fn near(found: Option<f64>, expected: f64) {
    let found = found.unwrap();
    assert!((found - expected).abs() < 1e-9, "{found} {expected}");
}
