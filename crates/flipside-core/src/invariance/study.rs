//! The study itself; counting rules of the `AgentJev` page, 10.

mod compositions;

use std::collections::BTreeMap;

use super::changes::{Differences, worst};
use super::figures::{
    ByOptions, Changes, Invariance, Part, Questions, Refused, SlotBias, Statement,
};
use super::inside::{Inside, Seen};
use crate::case::{Case, QuestionKind};
use crate::order::{OptionId, Order};
use crate::perturb::order::every_other;
use crate::present::Presentation;
use crate::stats::draw::{Part as Draw, Stream};

/// Up to this many options every order is scored at the head.
const EVERY: usize = 7;
/// Steps of the numbers computed in that rounding may move a logit by, at the largest logit.
const ROUNDING: f64 = 64.0;
/// The most that a logit may move by rounding as a share of the largest one, whatever the numbers: 64 steps of 16-bit ones would be
/// half of it, which hides what order does.
const MOST_ROUNDING: f64 = 1.0 / 32.0;

/// What is studied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Seed of the orders that are drawn where not every one is asked.
    pub seed: u64,
    /// Orders drawn at the head where there are more than 7 options.
    pub drawn: usize,
    /// Whole passes for the orders of one question, at most, where its vectors do not allow less.
    pub passes: usize,
    /// Options of a question up to which each is left out, and pairs are swapped.
    pub compositions: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 1,
            drawn: 1000,
            passes: 24,
            compositions: 12,
        }
    }
}

/// What is being counted over some questions.
#[derive(Debug, Default)]
struct Count {
    reverse: Part,
    reverse_logits: Differences,
    identical_vectors: u64,
    vectors: Differences,
    probabilities: Differences,
    permutations: Part,
    permuted_logits: Differences,
    by_head: u64,
    drawn: u64,
    leave_one_out: Differences,
    swap: Differences,
    cut: u64,
    /// The largest logit of the file's own orders less the mean of its list, without its sign: what all logits have in common
    /// decides nothing.
    largest: f64,
}

impl Count {
    fn merge(&mut self, other: &Self) {
        self.reverse.merge(&other.reverse);
        self.reverse_logits.merge(&other.reverse_logits);
        self.identical_vectors += other.identical_vectors;
        self.vectors.merge(&other.vectors);
        self.probabilities.merge(&other.probabilities);
        self.permutations.merge(&other.permutations);
        self.permuted_logits.merge(&other.permuted_logits);
        self.by_head += other.by_head;
        self.drawn += other.drawn;
        self.leave_one_out.merge(&other.leave_one_out);
        self.swap.merge(&other.swap);
        self.cut += other.cut;
        self.largest = self.largest.max(other.largest);
    }

    fn moved(&self) -> f64 {
        self.reverse_logits
            .largest()
            .max(self.permuted_logits.largest())
    }

    fn changes(self) -> Changes {
        Changes {
            reverse: Part {
                logits: self.reverse_logits.spread(),
                ..self.reverse
            },
            identical_vectors: self.identical_vectors,
            reverse_vectors: self.vectors.spread(),
            reverse_probabilities: self.probabilities.spread(),
            permutations: Part {
                logits: self.permuted_logits.spread(),
                ..self.permutations
            },
            by_head: self.by_head,
            drawn: self.drawn,
            leave_one_out: self.leave_one_out.spread(),
            swap: self.swap.spread(),
            cut: self.cut,
        }
    }
}

/// Studies the choices and scores of `cases`. `tick` is called with the number of cases done after each.
pub fn study(
    cases: &[Case],
    model: &dyn Inside,
    (spec, digest): (&str, Option<&str>),
    settings: &Settings,
    mut tick: impl FnMut(usize),
) -> Invariance {
    let mut questions = Questions::default();
    let mut all = Count::default();
    let mut sizes: BTreeMap<usize, Count> = BTreeMap::new();
    let mut slots: BTreeMap<usize, SlotBias> = BTreeMap::new();
    let mut refused = Refused::default();
    for (place, case) in cases.iter().enumerate() {
        let kind = case.question.kind;
        let options = case.options.len();
        match kind {
            QuestionKind::Noul => questions.noul += 1,
            QuestionKind::Choice | QuestionKind::Score if options < 2 => questions.single += 1,
            QuestionKind::Choice | QuestionKind::Score => {
                let slot_bias = !slots.contains_key(&options);
                match One::study(case, model, settings, slot_bias) {
                    Ok((count, bias)) => {
                        let studied = match kind {
                            QuestionKind::Score => &mut questions.score,
                            QuestionKind::Choice | QuestionKind::Noul => &mut questions.choice,
                        };
                        *studied += 1;
                        all.merge(&count);
                        sizes.entry(options).or_default().merge(&count);
                        slots.extend(bias.map(|bias| (options, bias)));
                    }
                    Err(reason) => {
                        refused.cases.add(&case.id.to_string());
                        refused.reason.get_or_insert(reason);
                    }
                }
            }
        }
        tick(place + 1);
    }
    let (moved, largest) = (all.moved(), all.largest);
    let precision = model.precision();
    let tolerance = (ROUNDING * precision.epsilon).min(MOST_ROUNDING) * largest.max(1.0);
    let all = all.changes();
    let composition = all.leave_one_out.as_ref().map(|spread| spread.median);
    Invariance {
        model: spec.to_owned(),
        digest: digest.map(str::to_owned),
        precision: precision.name.to_owned(),
        epsilon: precision.epsilon,
        seed: settings.seed,
        questions,
        statement: Statement {
            invariant: all.reverse.questions > 0
                && all.reverse.changed + all.permutations.changed == 0
                && moved <= tolerance,
            tolerance,
            largest_logit: largest,
            moved,
            composition_over_order: composition
                .filter(|_| moved > 0.0)
                .map(|median| median / moved),
        },
        by_options: if sizes.len() > 1 {
            sizes
                .into_iter()
                .map(|(options, count)| ByOptions {
                    options: options as u64,
                    changes: count.changes(),
                })
                .collect()
        } else {
            Vec::new()
        },
        slots: slots.into_values().collect(),
        refused,
        all,
    }
}

/// One question.
struct One<'a> {
    case: &'a Case,
    id: String,
    model: &'a dyn Inside,
    settings: &'a Settings,
    own: Seen,
}

impl<'a> One<'a> {
    fn new(case: &'a Case, model: &'a dyn Inside, settings: &'a Settings) -> Result<Self, String> {
        let own = model.see(&Presentation::new(case, &Order::own(case.options.len())))?;
        Ok(Self {
            id: case.id.to_string(),
            case,
            model,
            settings,
            own,
        })
    }

    fn options(&self) -> usize {
        self.case.options.len()
    }

    /// What changed in one question, and its slots where they are wanted.
    fn study(
        case: &'a Case,
        model: &'a dyn Inside,
        settings: &'a Settings,
        slot_bias: bool,
    ) -> Result<(Count, Option<SlotBias>), String> {
        let one = Self::new(case, model, settings)?;
        let logits: Vec<f64> = one.own.logits.iter().copied().map(f64::from).collect();
        let middle = mean(&logits);
        let mut count = Count {
            largest: logits
                .iter()
                .map(|z| (z - middle).abs())
                .fold(0.0, f64::max),
            ..Count::default()
        };
        let identical = one.reverse(&mut count)?;
        one.permutations(identical, &mut count)?;
        if (3..=settings.compositions).contains(&one.options()) {
            one.compositions(&mut count)?;
        }
        let slots = if slot_bias { one.slot_bias()? } else { None };
        Ok((count, slots))
    }

    /// A. Returns whether every vector is bit by bit the same.
    fn reverse(&self, count: &mut Count) -> Result<bool, String> {
        let order = Order::reverse(self.options());
        let seen = self.model.see(&Presentation::new(self.case, &order))?;
        let identical = order
            .identities()
            .iter()
            .zip(&seen.vectors)
            .all(|(id, vector)| {
                let own = &self.own.vectors[id.index()];
                own.len() == vector.len()
                    && own
                        .iter()
                        .zip(vector)
                        .all(|(a, b)| a.to_bits() == b.to_bits())
            });
        let vectors = order
            .identities()
            .iter()
            .zip(&seen.vectors)
            .map(|(id, vector)| worst(&self.own.vectors[id.index()], vector.iter().copied()));
        let vectors = vectors.fold(0.0, f64::max);
        let (logits, changed) = self.moved(&order, &seen.logits, seen.choice);
        let probabilities = worst(
            &self.own.probabilities,
            by_identity(&order, &seen.probabilities).into_iter(),
        );
        count.identical_vectors += u64::from(identical);
        count.vectors.add(vectors, &self.id);
        count.probabilities.add(probabilities, &self.id);
        count.reverse_logits.add(logits, &self.id);
        tally(&mut count.reverse, 1, u64::from(changed), &self.id);
        Ok(identical)
    }

    /// The worst move of a logit, and whether another option is chosen.
    fn moved(&self, order: &Order, logits: &[f32], choice: usize) -> (f64, bool) {
        let moved = worst(&self.own.logits, by_identity(order, logits).into_iter());
        let class = |option: OptionId| self.case.class_of(option);
        let own = class(id(self.own.choice));
        (moved, class(order.identities()[choice]) != own)
    }

    /// B.
    fn permutations(&self, identical: bool, count: &mut Count) -> Result<(), String> {
        let n = self.options();
        let by_head = identical && self.model.rescore(&self.own.vectors).is_some();
        let within = |most: usize| factorial(n).is_some_and(|all| all <= most);
        let every = if by_head {
            n <= EVERY || within(self.settings.drawn)
        } else {
            within(self.settings.passes)
        };
        let orders: Vec<Order> = if every {
            std::iter::once(Order::own(n))
                .chain(every_other(n))
                .collect()
        } else {
            let most = if by_head {
                self.settings.drawn
            } else {
                self.settings.passes
            };
            (0..most as u64).map(|draw| self.drawn(draw)).collect()
        };
        let mut changed_orders = 0;
        let mut moves = Vec::with_capacity(orders.len());
        for order in &orders {
            let (logits, choice) = if by_head {
                let vectors: Vec<Vec<f32>> = order
                    .identities()
                    .iter()
                    .map(|id| self.own.vectors[id.index()].clone())
                    .collect();
                let logits = self.model.rescore(&vectors).expect("it rescored before")?;
                let choice = first_largest(&logits);
                (logits, choice)
            } else {
                let seen = self.model.see(&Presentation::new(self.case, order))?;
                (seen.logits, seen.choice)
            };
            let (moved, changed) = self.moved(order, &logits, choice);
            moves.push(moved);
            changed_orders += u64::from(changed);
        }
        for moved in &moves {
            count.permuted_logits.add(*moved, &self.id);
        }
        count.by_head += if by_head { orders.len() as u64 } else { 0 };
        count.drawn += u64::from(!every);
        tally(
            &mut count.permutations,
            orders.len() as u64,
            changed_orders,
            &self.id,
        );
        Ok(())
    }

    /// An order by seed, case and number alone.
    fn drawn(&self, draw: u64) -> Order {
        let parts = [
            Draw::U64(self.settings.seed),
            Draw::Text("invariance"),
            Draw::Text(&self.case.id.0),
            Draw::U64(draw),
        ];
        Order::shuffled(self.options(), &mut Stream::new(&parts))
    }

    /// Every slot with the text of the first option, where the model takes that.
    fn slot_bias(&self) -> Result<Option<SlotBias>, String> {
        let order = Order::own(self.options());
        let Some(logits) = self
            .model
            .equal_slots(&Presentation::new(self.case, &order))
        else {
            return Ok(None);
        };
        let logits: Vec<f64> = logits?.into_iter().map(f64::from).collect();
        let mean = mean(&logits);
        Ok(Some(SlotBias {
            options: logits.len() as u64,
            case: self.id.clone(),
            logits: logits.into_iter().map(|logit| logit - mean).collect(),
        }))
    }
}

fn id(option: usize) -> OptionId {
    OptionId(u16::try_from(option).expect("a case has at most Order::MOST options"))
}

/// `values` by position, by identity.
fn by_identity(order: &Order, values: &[f32]) -> Vec<f32> {
    let mut aligned = vec![f32::NAN; values.len()];
    for (id, value) in order.identities().iter().zip(values) {
        aligned[id.index()] = *value;
    }
    aligned
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a case has at most Order::MOST options"
)]
fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn first_largest(values: &[f32]) -> usize {
    let mut best = 0;
    for (place, value) in values.iter().enumerate() {
        if *value > values[best] {
            best = place;
        }
    }
    best
}

fn tally(part: &mut Part, orders: u64, changed: u64, case: &str) {
    part.questions += 1;
    part.orders += orders;
    part.changed += changed;
    if changed > 0 {
        part.changed_questions.add(case);
    }
}

impl Part {
    fn merge(&mut self, other: &Self) {
        self.questions += other.questions;
        self.orders += other.orders;
        self.changed += other.changed;
        self.changed_questions.merge(&other.changed_questions);
    }
}

/// How many orders `options` options have, where a `usize` holds it.
fn factorial(options: usize) -> Option<usize> {
    (1..=options).try_fold(1usize, usize::checked_mul)
}

#[cfg(test)]
#[expect(
    clippy::cast_precision_loss,
    clippy::float_cmp,
    reason = "small whole numbers and halves, all exact"
)]
#[path = "study_tests.rs"]
mod tests;

#[cfg(test)]
#[expect(
    clippy::cast_precision_loss,
    clippy::float_cmp,
    reason = "small whole numbers and powers of two, all exact"
)]
#[path = "edge_tests.rs"]
mod edge_tests;
