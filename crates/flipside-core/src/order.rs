//! Orders of options, and the newtypes that keep identity and position apart.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// An option's identity: its index in the case's own order. No perturbation changes it.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(transparent)]
pub struct OptionId(pub u16);

/// Where an option is shown, from 0. People are told from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position(pub u16);

impl OptionId {
    /// The identity as an index into a list by identity.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl Position {
    /// The position as an index into a list as shown.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Which option is shown where: a bijection from position to identity, but for a list that leaves an option out or has a decoy
/// more ([`Order::listing`]). Cloning shares the list.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, schemars::JsonSchema)]
#[serde(transparent)]
pub struct Order(Arc<[OptionId]>);

/// Why a list of identities is not an order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OrderError {
    /// An identity is not one of `0..options`.
    #[error("identity {identity} is not in 0 to {last}", last = options.saturating_sub(1))]
    Range {
        /// The identity found.
        identity: u64,
        /// How many options there are.
        options: usize,
    },
    /// An identity stands twice, so another one is missing.
    #[error("identity {identity} stands twice")]
    Repeated {
        /// The repeated identity.
        identity: u64,
    },
    /// More options than an order can hold.
    #[error("{options} options, the most is {most}", most = Order::MOST)]
    TooMany {
        /// How many options there are.
        options: usize,
    },
}

impl Order {
    /// The most options one case can have.
    pub const MOST: usize = 65_535;

    /// The own order of `options` options: identity `i` in position `i`.
    ///
    /// # Panics
    /// If `options` is over [`Order::MOST`], which cases never are.
    pub fn own(options: usize) -> Self {
        let last = u16::try_from(options).expect("a case has at most Order::MOST options");
        Self((0..last).map(OptionId).collect())
    }

    /// The order that shows `identities[p]` in position `p`.
    ///
    /// # Errors
    /// [`OrderError`] if the list is not a permutation of `0..identities.len()`.
    pub fn new(identities: &[u64]) -> Result<Self, OrderError> {
        let options = identities.len();
        if options > Self::MOST {
            return Err(OrderError::TooMany { options });
        }
        let mut seen = vec![false; options];
        let mut order = Vec::with_capacity(options);
        for &identity in identities {
            let small = u16::try_from(identity).ok();
            let Some(id) = small.filter(|id| usize::from(*id) < options) else {
                return Err(OrderError::Range { identity, options });
            };
            if std::mem::replace(&mut seen[usize::from(id)], true) {
                return Err(OrderError::Repeated { identity });
            }
            order.push(OptionId(id));
        }
        Ok(Self(order.into()))
    }

    /// The list that shows `identities[p]` in position `p`: some of a case's options, or one more than it has.
    ///
    /// # Panics
    /// If an identity stands twice.
    pub fn listing(identities: &[OptionId]) -> Self {
        let mut sorted = identities.to_vec();
        sorted.sort_unstable();
        assert!(
            sorted.windows(2).all(|pair| pair[0] != pair[1]),
            "no option is offered twice"
        );
        Self(identities.into())
    }

    /// Whether it shows each of `options` options once and nothing else.
    pub fn is_permutation(&self, options: usize) -> bool {
        self.len() == options && self.0.iter().all(|id| id.index() < options)
    }

    /// The own order with its last option first.
    pub fn reverse(options: usize) -> Self {
        Self(Self::own(options).0.iter().rev().copied().collect())
    }

    /// The own order moved `by` places to the left, circularly: the option shown first is identity `by mod options`.
    pub fn rotate(options: usize, by: usize) -> Self {
        let mut order = Self::own(options).0.to_vec();
        if options > 0 {
            order.rotate_left(by % options);
        }
        Self(order.into())
    }

    /// The own order shuffled by `draws`.
    pub fn shuffled(options: usize, draws: &mut crate::stats::draw::Stream) -> Self {
        let mut order = Self::own(options).0.to_vec();
        draws.shuffle(&mut order);
        Self(order.into())
    }

    /// How many options.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no option.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this is the own order.
    pub fn is_own(&self) -> bool {
        self.0
            .iter()
            .enumerate()
            .all(|(place, id)| id.index() == place)
    }

    /// The identity shown at `position`, if there is such a position.
    pub fn at(&self, position: Position) -> Option<OptionId> {
        self.0.get(position.index()).copied()
    }

    /// Where `id` is shown, if it is.
    pub fn position_of(&self, id: OptionId) -> Option<Position> {
        let place = self.0.iter().position(|shown| *shown == id)?;
        u16::try_from(place).ok().map(Position)
    }

    /// The identities as shown.
    pub fn identities(&self) -> &[OptionId] {
        &self.0
    }

    /// The order that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut inverse = self.0.to_vec();
        for (place, id) in (0u16..).zip(self.0.iter()) {
            inverse[id.index()] = OptionId(place);
        }
        Self(inverse.into())
    }

    /// This order applied to the list that `first` shows: position `p` shows `first[self[p]]`.
    ///
    /// # Panics
    /// If the two orders have different lengths.
    #[must_use]
    pub fn compose(&self, first: &Self) -> Self {
        assert_eq!(
            self.len(),
            first.len(),
            "orders of one case have one length"
        );
        Self(self.0.iter().map(|id| first.0[id.index()]).collect())
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (place, id) in self.0.iter().enumerate() {
            let comma = if place > 0 { "," } else { "" };
            write!(f, "{comma}{}", id.0)?;
        }
        f.write_str("]")
    }
}

impl<'de> Deserialize<'de> for Order {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let identities = Vec::<OptionId>::deserialize(deserializer)?;
        let mut sorted = identities.clone();
        sorted.sort_unstable();
        match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(serde::de::Error::custom(OrderError::Repeated {
                identity: u64::from(pair[0].0),
            })),
            None => Ok(Self(identities.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reverse_and_rotate_show_the_expected_identities() {
        assert_eq!(Order::reverse(3).to_string(), "[2,1,0]");
        assert_eq!(Order::rotate(4, 1).to_string(), "[1,2,3,0]");
        assert_eq!(Order::rotate(4, 5), Order::rotate(4, 1));
        assert!(Order::rotate(4, 4).is_own());
    }

    #[test]
    fn a_list_that_is_no_permutation_is_refused() {
        assert_eq!(
            Order::new(&[0, 3]).unwrap_err().to_string(),
            "identity 3 is not in 0 to 1"
        );
        assert_eq!(
            Order::new(&[1, 1]).unwrap_err().to_string(),
            "identity 1 stands twice"
        );
    }

    #[test]
    fn an_order_and_its_inverse_cancel() {
        let order = Order::new(&[2, 0, 3, 1]).unwrap();
        assert!(order.compose(&order.inverse()).is_own());
        assert!(order.inverse().compose(&order).is_own());
        assert_eq!(order.position_of(OptionId(3)), Some(Position(2)));
        assert_eq!(order.at(Position(2)), Some(OptionId(3)));
    }
}
