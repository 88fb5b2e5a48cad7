//! Summaries of runs whose answers are made by hand.

use flipside_core::answer::Answer;
use flipside_core::case::Case;
use flipside_core::gate::Gates;
use flipside_core::order::{Order, Position};
use flipside_core::record::Outcome;
use flipside_core::summary::{PositionPreference, Summary};

use crate::common;
use crate::made::{failed, id, keys, plan};

/// What one ask says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Say {
    /// The option shown in this position.
    At(usize),
    /// The option with this identity.
    Is(usize),
    Nothing,
    Fails,
}

/// A case: its options, its accepted identities, what the keys begin with.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) number: usize,
    pub(crate) options: usize,
    pub(crate) accept: Vec<usize>,
    pub(crate) prefix: &'static str,
}

/// `count` cases of `options` options without labels.
pub(crate) fn shapes(count: usize, options: usize) -> Vec<Shape> {
    let shape = |number| Shape {
        number,
        options,
        accept: Vec::new(),
        prefix: "k",
    };
    (0..count).map(shape).collect()
}

/// The same with the accepted identity of each.
pub(crate) fn labelled(options: usize, accept: &[usize]) -> Vec<Shape> {
    let mut all = shapes(accept.len(), options);
    for (shape, id) in all.iter_mut().zip(accept) {
        shape.accept = vec![*id];
    }
    all
}

fn case(shape: &Shape) -> Case {
    Case {
        accept: shape.accept.iter().map(|&option| id(option)).collect(),
        ..common::case(shape.number, keys(shape.prefix, shape.options))
    }
    .checked()
    .unwrap()
}

/// The summary of `shapes` asked in `orders`, each ask saying what `says` makes of the case, the variant and the order.
pub(crate) fn summary(
    shapes: &[Shape],
    orders: &str,
    says: impl Fn(usize, &str, &Order) -> Say,
) -> Summary {
    let plan = plan(shapes.iter().map(case).collect(), orders);
    let ask = |ask: &flipside_core::plan::Planned| {
        let number = plan.case_of(ask).id.0[1..].parse().unwrap();
        let choice = match says(number, &plan.variant_of(ask).name, &ask.order) {
            Say::At(place) => ask.order.at(Position(u16::try_from(place).unwrap())),
            Say::Is(identity) => Some(id(identity)),
            Say::Nothing => None,
            Say::Fails => return failed(),
        };
        Outcome::Answered(Answer {
            choice,
            ..Answer::default()
        })
    };
    let answers = plan
        .asks
        .iter()
        .map(|each| Some(common::asked(ask(each))))
        .collect();
    crate::made::summary(&plan, answers, &Gates::resolve(&[], true, &[], false))
}

/// The position preference of a run whose cases all have one number of options.
pub(crate) fn one(summary: Summary) -> PositionPreference {
    let mut all = summary.position.unwrap().by_options;
    assert_eq!(all.len(), 1);
    all.remove(0)
}
