//! The order axis: `ORDERS` as the user writes them, and the orders that they mean for one case.

use std::collections::BTreeSet;
use std::fmt;

use crate::order::Order;
use crate::perturb::{Axis, Variant};
use crate::stats::draw::{Part, Stream};
use crate::stats::order_set;

/// The most draws or repeats that one spec may ask for.
pub const MOST_DRAWS: u32 = 50;

/// The most other orders that `all` asks before it samples, unless the user says otherwise.
pub const MOST_ORDERS: usize = 120;

/// One entry of `--order`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderSpec {
    /// The own order backwards.
    Reverse,
    /// Every other cyclic rotation.
    Rotations,
    /// The own order moved this many places to the left, circularly.
    Rotate(usize),
    /// A Williams set that contains the own order.
    Balanced,
    /// Other orders drawn without repeats, its own draw per case.
    Random {
        /// How many.
        draws: u32,
        /// The name it was asked under: `random` or `shuffle`.
        name: DrawName,
    },
    /// Every other order.
    All,
    /// Orders given by the user in this file.
    List(String),
    /// The control, asked this many times.
    Same(u32),
    /// `reverse,rotate:1,same:1`, or `reverse,same:1` for two options.
    Check,
    /// `random:1`, asked adaptively until the gate is decided.
    Certify,
}

/// Under which name random orders were asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawName {
    /// `random:N`.
    Random,
    /// `shuffle:N`.
    Shuffle,
}

impl DrawName {
    fn text(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Shuffle => "shuffle",
        }
    }
}

/// Why text is not an order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// No such order.
    #[error("`{}` is no order", crate::foreign::Foreign(found))]
    Unknown {
        /// What was written.
        found: String,
    },
    /// A count that is not a plain decimal in range.
    #[error(
        "`{}`: expected a plain number from 1 to {most} after `{name}:`",
        crate::foreign::Foreign(found)
    )]
    Count {
        /// What was written.
        found: String,
        /// The order's name.
        name: &'static str,
        /// The largest count.
        most: u32,
    },
    /// `list:` without a file.
    #[error("`{}`: expected a file after `list:`", crate::foreign::Foreign(found))]
    NoFile {
        /// What was written.
        found: String,
    },
    /// An entry between two commas is empty.
    #[error("an order is empty in `{}`", crate::foreign::Foreign(found))]
    Empty {
        /// The whole list.
        found: String,
    },
}

/// The forms of an order, for help texts.
pub const FORMS: &str = "reverse, rotate, rotate:K, balanced, random:N, shuffle:N, all, list:FILE, same:N, check, certify";

impl OrderSpec {
    /// Reads a comma-separated list, collecting every error.
    ///
    /// # Errors
    /// One [`SpecError`] per bad entry.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, Vec<SpecError>> {
        let mut specs = Vec::new();
        let mut errors = Vec::new();
        for entry in text.split(',') {
            match Self::parse(entry, text) {
                Ok(spec) => specs.push(spec),
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() {
            Ok(specs)
        } else {
            Err(errors)
        }
    }

    fn parse(entry: &str, whole: &str) -> Result<Self, SpecError> {
        let (name, argument) = match entry.split_once(':') {
            Some((name, argument)) => (name, Some(argument)),
            None => (entry, None),
        };
        let found = || entry.to_owned();
        let count = |name: &'static str, most: u32| {
            let argument = argument.unwrap_or_default();
            plain_count(argument, most).ok_or_else(|| SpecError::Count {
                found: found(),
                name,
                most,
            })
        };
        match (name, argument) {
            ("", None) => Err(SpecError::Empty {
                found: whole.to_owned(),
            }),
            ("reverse", None) => Ok(Self::Reverse),
            ("rotate", None) => Ok(Self::Rotations),
            ("rotate", Some(_)) => Ok(Self::Rotate(count(
                "rotate",
                u32::try_from(Order::MOST).unwrap_or(u32::MAX),
            )? as usize)),
            ("balanced", None) => Ok(Self::Balanced),
            ("random", _) => Ok(Self::Random {
                draws: count("random", MOST_DRAWS)?,
                name: DrawName::Random,
            }),
            ("shuffle", _) => Ok(Self::Random {
                draws: count("shuffle", MOST_DRAWS)?,
                name: DrawName::Shuffle,
            }),
            ("all", None) => Ok(Self::All),
            ("list", None | Some("")) => Err(SpecError::NoFile { found: found() }),
            ("list", Some(file)) => Ok(Self::List(file.to_owned())),
            ("same", _) => Ok(Self::Same(count("same", MOST_DRAWS)?)),
            ("check", None) => Ok(Self::Check),
            ("certify", None) => Ok(Self::Certify),
            _ => Err(SpecError::Unknown { found: found() }),
        }
    }

    /// Whether this order draws, so that a seed matters. `all` draws only above the cap.
    pub fn draws(&self) -> bool {
        matches!(self, Self::Random { .. } | Self::All | Self::Certify)
    }

    /// Whether `variant` is one of those that this entry can mean.
    pub fn means(&self, variant: &Variant) -> bool {
        let (axis, name) = (variant.axis, variant.name.as_str());
        let order = |begins: &str| axis == Axis::Order && name.starts_with(begins);
        match self {
            Self::Reverse => order("reverse"),
            Self::Rotations => order("rotate:"),
            Self::Rotate(by) => axis == Axis::Order && name == format!("rotate:{by}"),
            Self::Balanced => order("balanced:"),
            Self::Random { name, .. } => order(name.text()),
            Self::Certify => order(DrawName::Random.text()),
            Self::All => order("all:"),
            Self::List(_) => order("list:"),
            Self::Same(_) => axis == Axis::Same,
            Self::Check => order("reverse") || order("rotate:1") || axis == Axis::Same,
        }
    }

    /// Whether this is only a control.
    pub fn is_control(&self) -> bool {
        matches!(self, Self::Same(_))
    }
}

/// A count in plain decimals from 1 to `most`, without sign or leading zero.
pub fn plain_count(text: &str, most: u32) -> Option<u32> {
    let plain = text.bytes().all(|b| b.is_ascii_digit()) && !text.starts_with('0');
    let count = text.parse::<u32>().ok()?;
    (plain && count <= most).then_some(count)
}

impl fmt::Display for OrderSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reverse => f.write_str("reverse"),
            Self::Rotations => f.write_str("rotate"),
            Self::Rotate(by) => write!(f, "rotate:{by}"),
            Self::Balanced => f.write_str("balanced"),
            Self::Random { draws, name } => write!(f, "{}:{draws}", name.text()),
            Self::All => f.write_str("all"),
            Self::List(file) => write!(f, "list:{file}"),
            Self::Same(repeats) => write!(f, "same:{repeats}"),
            Self::Check => f.write_str("check"),
            Self::Certify => f.write_str("certify"),
        }
    }
}

/// What the orders of one run are drawn from.
#[derive(Clone, Debug)]
pub struct Drawing<'a> {
    /// The run's seed.
    pub seed: u64,
    /// The most other orders that `all` asks before it samples.
    pub max_orders: usize,
    /// The orders of each `list:FILE`, by file.
    pub lists: &'a [(String, Vec<Order>)],
}

/// The variants that `spec` means for a case of `options` options, in a fixed order.
///
/// The case's own order is never among those that are drawn, rotated or enumerated; a listed or rotated order may
/// still equal it, which the plan recognises as vacuous. With fewer other orders than were asked for, all of them come.
pub fn variants(
    spec: &OrderSpec,
    draw_key: &str,
    options: usize,
    from: &Drawing<'_>,
) -> Vec<(Variant, Order)> {
    match spec {
        OrderSpec::Reverse => vec![(Variant::order("reverse"), Order::reverse(options))],
        OrderSpec::Rotations => (1..options).map(|by| rotation(options, by)).collect(),
        OrderSpec::Rotate(by) => vec![rotation(options, *by)],
        OrderSpec::Balanced => balanced(options),
        OrderSpec::Random { draws, name } => numbered(
            name.text(),
            drawn(draw_key, options, *draws as usize, from.seed),
        ),
        OrderSpec::Certify => numbered("random", drawn(draw_key, options, 1, from.seed)),
        OrderSpec::All => {
            let orders = if over_cap(options, from.max_orders) {
                drawn(draw_key, options, from.max_orders, from.seed)
            } else {
                every_other(options)
            };
            numbered("all", orders)
        }
        OrderSpec::List(file) => {
            let orders = from.lists.iter().find(|(name, _)| name == file);
            let orders = orders.map_or(&[][..], |(_, orders)| orders);
            let fitting = orders
                .iter()
                .enumerate()
                .filter(|(_, order)| order.len() == options);
            fitting
                .map(|(place, order)| {
                    (Variant::order(format!("list:{}", place + 1)), order.clone())
                })
                .collect()
        }
        OrderSpec::Same(repeats) => (1..=*repeats)
            .map(|repeat| (Variant::same(repeat), Order::own(options)))
            .collect(),
        OrderSpec::Check => {
            let mut check = vec![(Variant::order("reverse"), Order::reverse(options))];
            if options != 2 {
                check.push(rotation(options, 1));
            }
            check.push((Variant::same(1), Order::own(options)));
            check
        }
    }
}

fn rotation(options: usize, by: usize) -> (Variant, Order) {
    (
        Variant::order(format!("rotate:{by}")),
        Order::rotate(options, by),
    )
}

fn numbered(name: &str, orders: Vec<Order>) -> Vec<(Variant, Order)> {
    let named = orders.into_iter().enumerate();
    named
        .map(|(place, order)| (Variant::order(format!("{name}:{}", place + 1)), order))
        .collect()
}

/// The rows of a Williams set after its first, relabelled so that the first row is the own order.
fn balanced(options: usize) -> Vec<(Variant, Order)> {
    let rows: Vec<Order> = order_set::williams(options)
        .unwrap_or_default()
        .iter()
        .map(|row| {
            let row: Vec<u64> = row.iter().map(|&place| place as u64).collect();
            Order::new(&row).expect("a Williams row is a permutation")
        })
        .collect();
    let Some(first) = rows.first().map(Order::inverse) else {
        return Vec::new();
    };
    let others = rows[1..].iter().map(|row| row.compose(&first)).collect();
    numbered("balanced", others)
}

/// Whether a case has more other orders than `max_orders`, so that `all` is sampled for it.
pub fn over_cap(options: usize, max_orders: usize) -> bool {
    order_set::other_orders(options).is_none_or(|others| others > max_orders as u64)
}

/// Up to `wanted` other orders without repeats, from this case's own stream.
fn drawn(draw_key: &str, options: usize, wanted: usize, seed: u64) -> Vec<Order> {
    let wanted =
        usize::try_from(order_set::planned_orders(options, wanted as u64)).unwrap_or(wanted);
    let mut stream = Stream::new(&[Part::U64(seed), Part::Text("order"), Part::Text(draw_key)]);
    let mut known = BTreeSet::new();
    let mut orders = Vec::with_capacity(wanted);
    while orders.len() < wanted {
        let order = Order::shuffled(options, &mut stream);
        if !order.is_own() && known.insert(order.clone()) {
            orders.push(order);
        }
    }
    orders
}

/// Every order but the own one, in lexicographic order.
pub(crate) fn every_other(options: usize) -> Vec<Order> {
    let mut row: Vec<u64> = (0..options as u64).collect();
    let mut orders = Vec::new();
    while next_permutation(&mut row) {
        orders.push(Order::new(&row).expect("permuting keeps a permutation"));
    }
    orders
}

fn next_permutation(row: &mut [u64]) -> bool {
    let Some(pivot) = row.windows(2).rposition(|pair| pair[0] < pair[1]) else {
        return false;
    };
    let after = row
        .iter()
        .rposition(|&item| item > row[pivot])
        .expect("the item after the pivot is larger");
    row.swap(pivot, after);
    row[pivot + 1..].reverse();
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orders(spec: &str, options: usize) -> Vec<String> {
        let specs = OrderSpec::parse_list(spec).unwrap();
        let from = Drawing {
            seed: 7,
            max_orders: 120,
            lists: &[],
        };
        let all = specs
            .iter()
            .flat_map(|spec| variants(spec, "c-17", options, &from));
        all.map(|(variant, order)| format!("{variant} {order}"))
            .collect()
    }

    #[test]
    fn each_order_means_what_the_table_says() {
        assert_eq!(orders("reverse", 3), ["order/reverse [2,1,0]"]);
        assert_eq!(
            orders("rotate", 3),
            ["order/rotate:1 [1,2,0]", "order/rotate:2 [2,0,1]"]
        );
        assert_eq!(orders("rotate:2", 3), ["order/rotate:2 [2,0,1]"]);
        assert_eq!(orders("same:2", 2), ["same/1 [0,1]", "same/2 [0,1]"]);
        assert_eq!(orders("check", 2), ["order/reverse [1,0]", "same/1 [0,1]"]);
        assert_eq!(
            orders("check", 3),
            [
                "order/reverse [2,1,0]",
                "order/rotate:1 [1,2,0]",
                "same/1 [0,1,2]"
            ]
        );
        assert_eq!(orders("all", 3).len(), 5);
        assert_eq!(orders("all", 5).len(), 119);
        assert_eq!(orders("all", 6).len(), 120, "sampled above the cap");
        assert_eq!(
            orders("rotate,balanced,all,random:3", 1),
            Vec::<String>::new()
        );
    }

    #[test]
    fn a_draw_follows_the_golden_stream_of_seed_7_and_case_c_17() {
        assert_eq!(
            orders("shuffle:1", 8),
            ["order/shuffle:1 [7,2,1,0,3,6,5,4]"]
        );
        assert_eq!(orders("random:1", 8), ["order/random:1 [7,2,1,0,3,6,5,4]"]);
    }

    #[test]
    fn draws_never_repeat_and_never_show_the_own_order() {
        let drawn = orders("random:50", 3);
        assert_eq!(drawn.len(), 5);
        let distinct: BTreeSet<_> = drawn.iter().map(|text| text.split(' ').nth(1)).collect();
        assert_eq!(distinct.len(), 5);
        assert!(!distinct.contains(&Some("[0,1,2]")));
    }

    #[test]
    fn more_draws_begin_with_fewer() {
        assert_eq!(orders("random:2", 4)[..1], orders("random:1", 4)[..]);
    }

    #[test]
    fn a_balanced_set_with_the_own_order_puts_each_option_in_each_position_equally_often() {
        for options in 2..=9 {
            let from = Drawing {
                seed: 0,
                max_orders: 120,
                lists: &[],
            };
            let mut set = variants(&OrderSpec::Balanced, "", options, &from);
            set.push((Variant::baseline(), Order::own(options)));
            let each = set.len() / options;
            for position in 0..options {
                for id in 0..options {
                    let count = set
                        .iter()
                        .filter(|(_, o)| o.identities()[position].index() == id)
                        .count();
                    assert_eq!(count, each, "{options} options");
                }
            }
            let pairs: Vec<_> = set
                .iter()
                .flat_map(|(_, o)| o.identities().windows(2))
                .collect();
            let mut counts = std::collections::BTreeMap::new();
            for pair in &pairs {
                *counts.entry(*pair).or_insert(0) += 1;
            }
            assert_eq!(counts.len(), options * (options - 1));
            assert!(
                counts.values().all(|&count| count == each),
                "{options} options"
            );
        }
    }

    #[test]
    fn bad_orders_are_refused_together_naming_the_form() {
        let errors = OrderSpec::parse_list(
            "shuffle:01,shuffle:0,shuffle:51,same,nope,rotate:x,list:,,reverse:1,random:+2",
        );
        let texts: Vec<String> = errors
            .unwrap_err()
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            texts,
            [
                "`shuffle:01`: expected a plain number from 1 to 50 after `shuffle:`",
                "`shuffle:0`: expected a plain number from 1 to 50 after `shuffle:`",
                "`shuffle:51`: expected a plain number from 1 to 50 after `shuffle:`",
                "`same`: expected a plain number from 1 to 50 after `same:`",
                "`nope` is no order",
                "`rotate:x`: expected a plain number from 1 to 65535 after `rotate:`",
                "`list:`: expected a file after `list:`",
                "an order is empty in `shuffle:01,shuffle:0,shuffle:51,same,nope,rotate:x,list:,,reverse:1,random:+2`",
                "`reverse:1` is no order",
                "`random:+2`: expected a plain number from 1 to 50 after `random:`",
            ]
        );
    }
}
