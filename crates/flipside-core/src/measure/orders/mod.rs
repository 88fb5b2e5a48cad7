//! Figures across all orders asked. Source: the statistics page, 3, 11, 12 and 13.

mod accuracy;
pub(super) mod agreement;
mod calibration;
mod compare;
mod floor;
mod label_free;
mod reliability;
pub(super) mod share;
pub(super) mod spread;
mod variance;

pub use compare::{Incomparable, Quantity, comparable};

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::case::Case;
use crate::measure::pair::Said;
use crate::measure::table::{OrderAsk, Table};
use crate::measure::units::by_unit;
use crate::order::Order;
use crate::perturb::Variant;
use crate::stats::draw::{Part, Stream};
use crate::summary::{Orders, Range};

/// With more orders than this, figures of single orders and pairs of orders are not listed.
const LISTED: usize = 16;

/// A case with every distinct order in which it was to be asked, the own one first.
pub(super) struct CaseOrders<'a> {
    pub(super) case: &'a Case,
    pub(super) asks: Vec<OrderAsk<'a>>,
}

impl CaseOrders<'_> {
    fn options(&self) -> usize {
        self.case.options.len()
    }

    pub(super) fn ask(&self, variant: usize) -> Option<&OrderAsk<'_>> {
        self.asks.iter().find(|ask| ask.variant == variant)
    }

    /// Whether an ask failed or was not made.
    fn lost(&self) -> bool {
        self.asks
            .iter()
            .any(|ask| matches!(ask.said, Said::Missing | Said::Unasked))
    }
}

/// The cases of a run that were planned in at least two orders, with what names their orders.
pub(super) struct View<'a> {
    pub(super) cases: Vec<CaseOrders<'a>>,
    pub(super) variants: &'a [Variant],
    pub(super) seed: u64,
    /// Of one-sided bounds.
    pub(super) alpha: f64,
    /// The field by whose values cases are one unit; `None` where each case is one.
    pub(super) cluster: Option<&'a str>,
}

/// Everything that all orders asked show together; `None` if no other order was asked.
pub(crate) fn orders(table: &Table<'_>, alpha: f64, cluster: Option<&str>) -> Option<Orders> {
    let view = View::over(table, table.orders(), alpha, cluster)?;
    let planned = view.cases.iter().map(|case| case.asks.len() as u64);
    Some(Orders {
        cases: view.cases.len() as u64,
        planned: range(planned)?,
        missing: view.count(Said::Missing),
        unasked: view.count(Said::Unasked),
        no_decision: view.count(Said::Nothing),
        agreement: agreement::agreement(&view),
        noise_floor: floor::noise_floors(&view),
        accuracy: accuracy::accuracy(&view),
        calibration: calibration::calibration(&view),
        variance: variance::variance(&view),
    })
}

impl<'a> View<'a> {
    /// The cases of `table` that have more in `asks`, by case, than their own words and order; `None` if nothing else was asked.
    pub(super) fn over(
        table: &Table<'a>,
        asks: Vec<Vec<OrderAsk<'a>>>,
        alpha: f64,
        cluster: Option<&'a str>,
    ) -> Option<Self> {
        let by_case = table.plan.cases.iter().zip(asks);
        let cases: Vec<CaseOrders<'a>> = by_case
            .filter(|(_, asks)| asks.len() > 1)
            .map(|(case, asks)| CaseOrders { case, asks })
            .collect();
        let mut others = cases.iter().flat_map(|case| &case.asks[1..]);
        if others.all(|ask| ask.said == Said::Unasked) {
            return None;
        }
        Some(Self {
            cases,
            variants: &table.plan.variants,
            seed: table.plan.seed,
            alpha,
            cluster,
        })
    }

    /// Asks that said so.
    pub(super) fn count(&self, said: Said) -> u64 {
        let asks = self.cases.iter().flat_map(|case| &case.asks);
        asks.filter(|ask| ask.said == said).count() as u64
    }

    pub(super) fn name(&self, variant: usize) -> &str {
        &self.variants[variant].name
    }

    /// Items of cases by independent unit, each unit's sorted and the units too: the same whatever order cases stand in, and
    /// whatever clusters are called.
    pub(super) fn units<'c, T>(
        &self,
        items: impl IntoIterator<Item = (&'c Case, T)>,
        compare: impl Fn(&T, &T) -> Ordering,
    ) -> Vec<Vec<T>> {
        if self.cluster.is_none() {
            // Items that are their own units are faster sorted before each gets a list of its own.
            let mut items: Vec<T> = items.into_iter().map(|(_, item)| item).collect();
            items.sort_by(compare);
            return items.into_iter().map(|item| vec![item]).collect();
        }
        let mut units = by_unit(self.cluster, items);
        for unit in &mut units {
            unit.sort_by(&compare);
        }
        units.sort_by(|a, b| {
            let each = a.iter().zip(b).map(|(a, b)| compare(a, b));
            let differs = each.into_iter().find(|order| order.is_ne());
            differs.unwrap_or_else(|| a.len().cmp(&b.len()))
        });
        units
    }

    /// The stream of one figure.
    pub(super) fn stream(&self, figure: &str) -> Stream {
        Stream::new(&[Part::U64(self.seed), Part::Text(figure)])
    }

    /// Whether cases with one number of options are shown different orders under this name.
    fn drawn(&self, variant: usize) -> bool {
        let name = self.name(variant);
        if name.starts_with("random:") || name.starts_with("shuffle:") {
            return true;
        }
        let mut known: BTreeMap<usize, &Order> = BTreeMap::new();
        self.cases.iter().any(|case| {
            case.ask(variant)
                .is_some_and(|ask| *known.entry(case.options()).or_insert(ask.order) != ask.order)
        })
    }

    /// Whether some case accepts several options, so that bounds on accuracy from agreement do not hold.
    fn several_accepted(&self) -> bool {
        self.cases.iter().any(|case| case.case.accept.len() > 1)
    }
}

/// The smallest and largest of counts; `None` without any.
pub(super) fn range(counts: impl Iterator<Item = u64>) -> Option<Range> {
    counts.fold(None, |known: Option<Range>, count| {
        let known = known.unwrap_or(Range {
            least: count,
            most: count,
        });
        Some(Range {
            least: known.least.min(count),
            most: known.most.max(count),
        })
    })
}

/// `6 orders`, or `2 to 6 orders` where cases differ.
fn spoken(range: Range, what: &str) -> String {
    if range.least == range.most {
        format!("{} {what}", range.most)
    } else {
        format!("{} to {} {what}", range.least, range.most)
    }
}
