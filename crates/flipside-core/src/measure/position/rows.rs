//! The answers of cases by position, and the sets of orders that tests may use.

use std::collections::BTreeMap;

use crate::answer::Answer;
use crate::case::Case;
use crate::measure::pair::Said;
use crate::measure::table::Table;
use crate::order::Order;
use crate::perturb::Axis;
use crate::perturb::order::{Drawing, OrderSpec, variants};
use crate::plan::Plan;
use crate::stats::draw::{Part, Stream};
use crate::stats::order_set;

/// One order of a case and what was said in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed<'a> {
    pub(super) order: &'a Order,
    pub(super) said: Said,
}

/// A case that was to be asked in another order too.
#[derive(Clone, Debug)]
pub(super) struct Row<'a> {
    pub(super) case: &'a Case,
    /// Distinct orders, the own one first.
    pub(super) asks: Vec<Placed<'a>>,
    /// The first order that was drawn at random for this case.
    pub(super) drawn: Option<Placed<'a>>,
}

impl Placed<'_> {
    /// Where the chosen option stood.
    pub(super) fn position(&self) -> Option<usize> {
        match self.said {
            Said::Chose { id, .. } => Some(self.order.position_of(id)?.index()),
            Said::Nothing | Said::Missing | Said::Unasked => None,
        }
    }
}

impl<'a> Row<'a> {
    pub(super) fn own(&self) -> Option<Placed<'a>> {
        self.asks.iter().find(|ask| ask.order.is_own()).copied()
    }

    pub(super) fn asked_in(&self, order: &Order) -> Option<Placed<'a>> {
        self.asks.iter().find(|ask| ask.order == order).copied()
    }

    /// The asks of the largest balanced set among those planned: all of them, the rotations, or the Williams set.
    pub(super) fn balanced_set(&self) -> Option<Vec<Placed<'a>>> {
        let options = self.case.options.len();
        if self.asks.len() < options {
            return None;
        }
        if is_balanced(&self.asks, options) {
            return Some(self.asks.clone());
        }
        let all = |orders: &mut dyn Iterator<Item = Order>| {
            orders
                .map(|order| self.asked_in(&order))
                .collect::<Option<Vec<_>>>()
        };
        let rotations = all(&mut (0..options).map(|by| Order::rotate(options, by)));
        rotations.or_else(|| {
            let from = Drawing {
                seed: 0,
                max_orders: 0,
                lists: &[],
            };
            let others = variants(&OrderSpec::Balanced, "", options, &from);
            let own = std::iter::once(Order::own(options));
            all(&mut own.chain(others.into_iter().map(|(_, order)| order)))
        })
    }

    /// One ask in an order that is uniform over all `K!`: the drawn one or, one time in `K!`, the own one.
    ///
    /// The drawn order alone leaves the own one out, so that an answer about content would be rarer where it stands in the
    /// file, and a file with its accepted options first would look like a model that avoids the first position.
    pub(super) fn random_ask(&self, seed: u64) -> Option<Placed<'a>> {
        let drawn = self.drawn?;
        let key = self.case.draw_key();
        let parts = [Part::U64(seed), Part::Text("position"), Part::Text(&key)];
        let others = order_set::other_orders(self.case.options.len());
        let own = others.is_some_and(|others| Stream::new(&parts).below(others + 1) == 0);
        if own { self.own() } else { Some(drawn) }
    }
}

/// Whether every option stands in every position equally often.
fn is_balanced(asks: &[Placed<'_>], options: usize) -> bool {
    if options == 0 || !asks.len().is_multiple_of(options) {
        return false;
    }
    let each = asks.len() / options;
    let mut counts = vec![0; options * options];
    for ask in asks {
        for (place, id) in ask.order.identities().iter().enumerate() {
            counts[place * options + id.index()] += 1;
        }
    }
    counts.iter().all(|&count| count == each)
}

/// The option that was chosen itself: where it stood is not told by those that are declared to be the same answer.
pub(super) fn chosen(said: Said, answer: Option<&Answer>) -> Said {
    match (said, answer.and_then(|answer| answer.choice)) {
        (Said::Chose { tied, .. }, Some(id)) => Said::Chose { id, tied },
        (said, _) => said,
    }
}

/// By number of options from 2 on: the cases that were to be asked in another order too.
pub(super) fn rows<'a>(table: &Table<'a>) -> BTreeMap<usize, Vec<Row<'a>>> {
    let drawn = drawn(table);
    let mut by_options: BTreeMap<usize, Vec<Row<'a>>> = BTreeMap::new();
    for (place, (case, orders)) in table.plan.cases.iter().zip(table.orders()).enumerate() {
        let mut asks: Vec<Placed<'a>> = Vec::with_capacity(orders.len());
        for ask in orders {
            if asks.iter().all(|known| known.order != ask.order) {
                let (order, said) = (ask.order, chosen(ask.said, ask.answer));
                asks.push(Placed { order, said });
            }
        }
        // Without its own order on record an identity is no place.
        let listed = !case.brought.unlisted;
        if listed && case.options.len() > 1 && asks.len() > 1 {
            let row = Row {
                case,
                asks,
                drawn: drawn.get(&place).copied(),
            };
            by_options.entry(case.options.len()).or_default().push(row);
        }
    }
    by_options
}

/// By case: its first order that was drawn at random.
fn drawn<'a>(table: &Table<'a>) -> BTreeMap<usize, Placed<'a>> {
    let plan = table.plan;
    let sampled = sampled(plan);
    let mut by_case = BTreeMap::new();
    for (place, variant) in plan.variants.iter().enumerate() {
        if variant.axis != Axis::Order {
            continue;
        }
        let always = matches!(variant.name.as_str(), "random:1" | "shuffle:1");
        if !always && variant.name != "all:1" {
            continue;
        }
        for pair in table.pairs(place) {
            let case = plan.asks[pair.ask].case as usize;
            if always || sampled[case] {
                let answer = pair.answers.map(|(_, variant)| variant);
                by_case.entry(case).or_insert(Placed {
                    order: pair.order,
                    said: chosen(pair.variant, answer),
                });
            }
        }
    }
    by_case
}

/// By case: whether `all` drew its orders, since it has more than the cap.
fn sampled(plan: &Plan) -> Vec<bool> {
    let mut asked = vec![0_u64; plan.cases.len()];
    for ask in &plan.asks {
        let from_all = plan.variant_of(ask).name.starts_with("all:");
        asked[ask.case as usize] += u64::from(from_all);
    }
    let few = |(case, asked): (&Case, u64)| {
        let others = order_set::other_orders(case.options.len());
        plan.sampled && others.is_none_or(|others| asked < others)
    };
    plan.cases.iter().zip(asked).map(few).collect()
}
