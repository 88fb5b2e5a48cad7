//! What a set of orders can and cannot see.

use crate::order::Order;
use crate::summary::Unseen;

/// What `orders` of one number of options, the own order among them or not, cannot see.
///
/// Nothing is said for under three options: with two, the one other order is a reversal and a rotation, and sees everything
/// that an order can show. Nothing is said either where no other order is among them.
///
/// Source: the statistics page, 3.1.
pub fn unseen(options: usize, orders: &[&Order]) -> Unseen {
    let others = || orders.iter().copied().filter(|order| !order.is_own());
    if options < 3 || others().next().is_none() {
        return Unseen::default();
    }
    let reverse = Order::reverse(options);
    let fixed = (0..options).filter(|&place| {
        others().all(|order| {
            order
                .identities()
                .get(place)
                .is_some_and(|id| id.index() == place)
        })
    });
    Unseen {
        symmetric: others().all(|order| *order == reverse),
        neighbours: others().all(is_rotation),
        fixed_positions: fixed
            .filter_map(|place| u16::try_from(place).ok())
            .collect(),
    }
}

/// Whether the order is the own one moved circularly.
fn is_rotation(order: &Order) -> bool {
    let options = order.len();
    order
        .identities()
        .first()
        .is_some_and(|first| *order == Order::rotate(options, first.index()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::Position;
    use crate::perturb::order::{Drawing, OrderSpec, variants};

    fn orders(spec: &str, options: usize) -> Vec<Order> {
        let from = Drawing {
            seed: 1,
            max_orders: 120,
            lists: &[],
        };
        let specs = OrderSpec::parse_list(spec).unwrap();
        let asked = specs
            .iter()
            .flat_map(|spec| variants(spec, "", options, &from));
        asked.map(|(_, order)| order).collect()
    }

    fn blind(spec: &str, options: usize) -> Unseen {
        unseen(options, &orders(spec, options).iter().collect::<Vec<_>>())
    }

    /// Whether a picker of `place` chooses different options under the two orders.
    fn flips(place: u16, a: &Order, b: &Order) -> bool {
        a.at(Position(place)) != b.at(Position(place))
    }

    #[test]
    fn three_options_give_the_pages_table_by_enumeration() {
        let own = Order::own(3);
        let rate = |spec: &str, place: u16| {
            let others = orders(spec, 3);
            let flipped = others.iter().filter(|order| flips(place, &own, order));
            (flipped.count(), others.len())
        };
        assert_eq!(
            [0, 2, 1].map(|place| rate("reverse", place)),
            [(1, 1), (1, 1), (0, 1)],
            "first, last, middle"
        );
        assert_eq!(
            [0, 2, 1].map(|place| rate("rotate:1", place)),
            [(1, 1); 3],
            "every picker flips"
        );
        let mut all = orders("all", 3);
        all.push(own);
        for place in 0..3 {
            let pairs: Vec<bool> = (0..all.len())
                .flat_map(|a| (0..a).map(move |b| (a, b)))
                .map(|(a, b)| flips(place, &all[a], &all[b]))
                .collect();
            let flipped = pairs.iter().filter(|flipped| **flipped).count();
            assert_eq!((flipped, pairs.len()), (12, 15), "0.8 of all order pairs");
        }
    }

    #[test]
    fn a_position_that_no_order_changes_is_named_and_is_the_one_whose_picker_never_flips() {
        for (spec, options) in [
            ("reverse", 3),
            ("reverse", 4),
            ("reverse", 5),
            ("rotate:1", 3),
            ("check", 5),
            ("balanced", 4),
            ("random:1", 5),
        ] {
            let (own, others) = (Order::own(options), orders(spec, options));
            let still: Vec<u16> = (0..u16::try_from(options).unwrap())
                .filter(|place| !others.iter().any(|order| flips(*place, &own, order)))
                .collect();
            assert_eq!(blind(spec, options).fixed_positions, still, "{spec}");
        }
        assert_eq!(blind("reverse", 5).fixed_positions, [2]);
    }

    #[test]
    fn reversal_hides_symmetry_rotations_hide_neighbours_and_the_check_hides_neither() {
        let seen = |spec, options| {
            let unseen = blind(spec, options);
            (unseen.symmetric, unseen.neighbours)
        };
        assert_eq!(seen("reverse", 3), (true, false));
        assert_eq!(seen("reverse", 7), (true, false));
        assert_eq!(seen("rotate:1", 4), (false, true));
        assert_eq!(seen("rotate", 4), (false, true));
        assert_eq!(seen("rotate:1,rotate:2,same:1", 4), (false, true));
        assert_eq!(seen("check", 4), (false, false));
        assert_eq!(seen("balanced", 4), (false, false));
        assert_eq!(seen("balanced", 3), (false, false));
        assert_eq!(seen("all", 4), (false, false));
        assert_eq!(
            seen("reverse", 2),
            (false, false),
            "two options have no middle"
        );
        assert_eq!(seen("same:1", 4), (false, false), "nothing was asked");
    }

    #[test]
    fn symmetric_weights_are_really_unchanged_by_what_is_called_blind_to_them() {
        // The page's example: content (.34,.33,.20,.13), position weights (.35,.15,.15,.35).
        let (content, weights) = ([0.34, 0.33, 0.20, 0.13], [0.35, 0.15, 0.15, 0.35]);
        let chosen = |order: &Order| {
            let mut best = (0.0, 0);
            for (place, id) in order.identities().iter().enumerate() {
                let score = content[id.index()] * weights[place];
                if score > best.0 {
                    best = (score, id.index());
                }
            }
            best.1
        };
        assert_eq!(chosen(&Order::own(4)), 0);
        assert_eq!(chosen(&Order::reverse(4)), 0);
        assert_eq!(chosen(&Order::rotate(4, 2)), 1);
    }
}
