//! On which requests a fault happens.

use std::str::FromStr;

use crate::draw::Hash;
use crate::policy::ParseError;

/// On which decision requests a fault happens; requests count from 1, in order of arrival.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum When {
    /// `always`.
    Always,
    /// `nth:K`: on request K only.
    Nth(u64),
    /// `every:K`: on requests K, 2 K, 3 K and so on.
    Every(u64),
    /// `from:K`: on request K and all later ones.
    From(u64),
    /// `p:P` or `p:P,SEED`: on each request with this probability, drawn from the seed and the request's number.
    Probability {
        /// The probability.
        p: f64,
        /// The seed of the draws.
        seed: u64,
    },
}

impl When {
    /// Whether it happens on request `number`.
    pub fn fires(self, number: u64) -> bool {
        match self {
            Self::Always => true,
            Self::Nth(k) => number == k,
            Self::Every(k) => k > 0 && number.is_multiple_of(k),
            Self::From(k) => number >= k,
            Self::Probability { p, seed } => Hash::new(seed).number(number).unit() < p,
        }
    }
}

impl FromStr for When {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (name, argument) = text.split_once(':').unwrap_or((text, ""));
        let count = argument.parse().ok().filter(|k| *k > 0);
        let when = match name {
            "always" if !text.contains(':') => Some(Self::Always),
            "nth" => count.map(Self::Nth),
            "every" => count.map(Self::Every),
            "from" => count.map(Self::From),
            "p" | "probability" => {
                let (p, seed) = argument.split_once(',').unwrap_or((argument, "0"));
                let p = p.parse().ok().filter(|p| (0.0..=1.0).contains(p));
                p.zip(seed.parse().ok())
                    .map(|(p, seed)| Self::Probability { p, seed })
            }
            _ => None,
        };
        when.ok_or_else(|| {
            ParseError(format!(
                "`{text}`: expected `always`, `nth:K`, `every:K`, `from:K` (K from 1) or `p:P,SEED` (P from 0 to 1)"
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_from_one() {
        let firing = |when: When| (1..=6).filter(|n| when.fires(*n)).collect::<Vec<u64>>();
        assert_eq!(firing("nth:2".parse().unwrap()), [2]);
        assert_eq!(firing("every:3".parse().unwrap()), [3, 6]);
        assert_eq!(firing("from:5".parse().unwrap()), [5, 6]);
        assert_eq!(firing("always".parse().unwrap()).len(), 6);
        assert_eq!(firing("p:0".parse().unwrap()).len(), 0);
        assert_eq!(firing("p:1,7".parse().unwrap()).len(), 6);
        for text in ["nth:0", "every:", "from:x", "p:2", "always:1", "never"] {
            assert!(text.parse::<When>().is_err(), "{text}");
        }
    }
}
