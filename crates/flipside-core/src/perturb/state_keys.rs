//! The state-keys axis: the same state with the members of its objects in another order, at every depth.
//!
//! A text in the state is a text, also where it holds JSON: nothing in it moves. Nor do the elements of arrays, whose order says
//! something.

use std::collections::BTreeSet;
use std::fmt;

use super::order::plain_count;
use super::{Altered, Alternative, Axis, Change, Draws, Variant, order};
use crate::case::Case;
use crate::json::{Json, Object};
use crate::plan::VacuousReason;

/// `state-keys` as the user writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateKeysSpec {
    /// Backwards.
    Reverse,
    /// This many draws.
    Shuffle(u32),
}

/// Another order of every object's members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StateKeys {
    /// Backwards.
    Reverse,
    /// The draw of this number, from 0: never the own order, and none that an earlier draw is.
    Shuffle(u32),
}

impl StateKeysSpec {
    pub(super) const FORMS: &'static str = "`state-keys`, or `reverse` or `shuffle:N`, a plain number from 1 to 50, after `state-keys:`";

    pub(super) fn parse(value: Option<&str>) -> Option<Self> {
        match value {
            None | Some("reverse") => Some(Self::Reverse),
            Some(value) => {
                let count = value.strip_prefix("shuffle:")?;
                plain_count(count, order::MOST_DRAWS).map(Self::Shuffle)
            }
        }
    }

    /// With fewer other orders than draws, every other order once; at least one value, whatever the state.
    pub(super) fn alternatives(self, case: &Case) -> Vec<Alternative> {
        let one = |name: String, change| {
            Alternative::new(
                Variant::on(Axis::StateKeys, name),
                Change::StateKeys(change),
            )
        };
        match self {
            Self::Reverse => vec![one("reverse".to_owned(), StateKeys::Reverse)],
            Self::Shuffle(draws) => (0..draws.min(other_orders(&case.state)).max(1))
                .map(|draw| one(format!("shuffle:{}", draw + 1), StateKeys::Shuffle(draw)))
                .collect(),
        }
    }
}

impl fmt::Display for StateKeysSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reverse => f.write_str("reverse"),
            Self::Shuffle(draws) => write!(f, "shuffle:{draws}"),
        }
    }
}

impl StateKeys {
    /// Puts the members of every object of the state into another order.
    ///
    /// # Errors
    /// [`VacuousReason::NoMembers`] where no object of the state has two members; [`VacuousReason::Unchanged`] where there are
    /// fewer other orders than draws before this one.
    pub(super) fn apply(self, to: &mut Altered, draws: &Draws<'_>) -> Result<(), VacuousReason> {
        let others = other_orders(&to.case.state);
        if others == 0 {
            return Err(VacuousReason::NoMembers);
        }
        let sizes = sizes(&to.case.state);
        let arrangement: Arrangement = match self {
            Self::Reverse => sizes
                .iter()
                .map(|&size| (0..size).rev().collect())
                .collect(),
            Self::Shuffle(number) if number >= others => return Err(VacuousReason::Unchanged),
            Self::Shuffle(number) => drawn(&sizes, number, draws),
        };
        to.case.state = arranged(&to.case.state, &mut arrangement.iter());
        Ok(())
    }
}

/// By object with two members or more, in the order in which they begin: which member stands first, second and so on.
type Arrangement = Vec<Vec<usize>>;

/// The number of members of every object with two or more, in the order in which they begin.
fn sizes(value: &Json) -> Vec<usize> {
    fn collect(value: &Json, sizes: &mut Vec<usize>) {
        match value {
            Json::Object(object) => {
                sizes.extend((object.len() > 1).then_some(object.len()));
                let values = object.members().iter().map(|(_, value)| value);
                values.for_each(|value| collect(value, sizes));
            }
            Json::Array(items) => items.iter().for_each(|item| collect(item, sizes)),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
        }
    }
    let mut found = Vec::new();
    collect(value, &mut found);
    found
}

/// How many orders beside its own the members of `state` have, counted as far as draws go.
fn other_orders(state: &Json) -> u32 {
    let mut orders: u32 = 1;
    for size in sizes(state) {
        for factor in 2..=size {
            orders = orders.saturating_mul(u32::try_from(factor).unwrap_or(u32::MAX));
        }
    }
    orders - 1
}

/// The draw of this number, from 0, of arrangements of their own without repeats. There are more of them than `number`.
fn drawn(sizes: &[usize], number: u32, draws: &Draws<'_>) -> Arrangement {
    let mut stream = draws.stream("state-keys", 0);
    let own: Arrangement = sizes.iter().map(|&size| (0..size).collect()).collect();
    let mut known = BTreeSet::from([own.clone()]);
    loop {
        let mut arrangement = own.clone();
        for members in &mut arrangement {
            stream.shuffle(members);
        }
        if known.insert(arrangement.clone()) && known.len() > number as usize + 1 {
            return arrangement;
        }
    }
}

fn arranged<'a>(value: &Json, orders: &mut impl Iterator<Item = &'a Vec<usize>>) -> Json {
    match value {
        Json::Object(object) => {
            let order = (object.len() > 1).then(|| orders.next().expect("one per such object"));
            let members = object.members().iter();
            let members: Vec<(String, Json)> = members
                .map(|(key, value)| (key.clone(), arranged(value, orders)))
                .collect();
            let members = match order {
                Some(order) => order.iter().map(|&place| members[place].clone()).collect(),
                None => members,
            };
            Json::Object(Object::new(members).expect("the members of an object"))
        }
        Json::Array(items) => {
            Json::Array(items.iter().map(|item| arranged(item, orders)).collect())
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perturb::test_case::{altered, object, of_state, text};

    fn shown(state: &Json, change: StateKeys, draw_key: &str) -> Result<String, VacuousReason> {
        let mut to = altered(of_state(state.clone()));
        let draws = Draws { seed: 7, draw_key };
        change.apply(&mut to, &draws)?;
        Ok(to.case.state.to_text())
    }

    fn nested() -> Json {
        object(&[
            ("a", text("x")),
            (
                "b",
                Json::Array(vec![
                    object(&[("c", text(r#"{"q":1,"p":2}"#)), ("d", Json::Null)]),
                    object(&[("e", Json::Null)]),
                ]),
            ),
        ])
    }

    #[test]
    fn members_turn_round_at_every_depth_and_texts_and_arrays_stay() {
        assert_eq!(
            shown(&nested(), StateKeys::Reverse, "c").unwrap(),
            r#"{"b":[{"d":null,"c":"{\"q\":1,\"p\":2}"},{"e":null}],"a":"x"}"#
        );
    }

    #[test]
    fn a_state_without_two_members_anywhere_has_no_other_order() {
        let one = object(&[("a", Json::Array(vec![object(&[("b", Json::Null)])]))]);
        for state in [one, text(r#"{"a":1,"b":2}"#), Json::Array(Vec::new())] {
            for change in [StateKeys::Reverse, StateKeys::Shuffle(0)] {
                assert_eq!(shown(&state, change, "c"), Err(VacuousReason::NoMembers));
            }
            let asked = StateKeysSpec::Shuffle(3).alternatives(&of_state(state));
            assert_eq!(asked.len(), 1, "told once");
        }
    }

    #[test]
    fn two_members_are_drawn_the_other_way_round_in_every_case() {
        let state = object(&[("a", Json::Null), ("b", Json::Null)]);
        for case in 0..20 {
            let found = shown(&state, StateKeys::Shuffle(0), &format!("c{case}")).unwrap();
            assert_eq!(found, r#"{"b":null,"a":null}"#);
        }
        let asked = StateKeysSpec::Shuffle(50).alternatives(&of_state(state.clone()));
        assert_eq!(asked.len(), 1, "there is one other order");
        assert_eq!(
            shown(&state, StateKeys::Shuffle(1), "c"),
            Err(VacuousReason::Unchanged)
        );
    }

    #[test]
    fn draws_are_all_other_orders_where_as_many_are_asked_for() {
        // Two members times two members: three other orders.
        let state = nested();
        let asked = StateKeysSpec::Shuffle(9).alternatives(&of_state(state.clone()));
        let names: Vec<String> = asked.iter().map(|each| each.variant.to_string()).collect();
        assert_eq!(
            names,
            [
                "state-keys/shuffle:1",
                "state-keys/shuffle:2",
                "state-keys/shuffle:3"
            ]
        );
        let found: BTreeSet<String> = (0..3)
            .map(|draw| shown(&state, StateKeys::Shuffle(draw), "c").unwrap())
            .collect();
        assert_eq!(found.len(), 3);
        assert!(!found.contains(&state.to_text()));
    }

    #[test]
    fn draws_are_those_of_the_case_and_the_seed() {
        let names: Vec<String> = (0..6).map(|place| format!("k{place}")).collect();
        let members: Vec<(&str, Json)> = names
            .iter()
            .map(|name| (name.as_str(), Json::Null))
            .collect();
        let state = object(&members);
        let of = |draw, key| shown(&state, StateKeys::Shuffle(draw), key).unwrap();
        // By a dozen lines of Python, `stream(7, "state-keys", "c-17", 0)` of `tests/data/draw-reference.py`:
        // [0,1,4,5,2,3], then [3,2,4,0,1,5].
        let keys = |draw| {
            let order = shown(&state, StateKeys::Shuffle(draw), "c-17").unwrap();
            order.replace(":null", "").replace(['{', '}', '"', 'k'], "")
        };
        assert_eq!(
            (keys(0), keys(1)),
            ("0,1,4,5,2,3".into(), "3,2,4,0,1,5".into())
        );
        assert_ne!(of(0, "c-17"), of(0, "c-18"));
        // 720 orders in all, of which the draws come without repeats.
        let drawn: BTreeSet<String> = (0..50).map(|draw| of(draw, "c-17")).collect();
        assert_eq!(drawn.len(), 50);
    }
}
