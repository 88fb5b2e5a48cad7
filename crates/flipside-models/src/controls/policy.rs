//! What each control prefers.

use flipside_core::model::{Sending, Unsupported};
use flipside_core::present::Presentation;
use flipside_core::stats::draw::{Part, Stream};

use super::rule::Rules;
use super::{overlap, prior};

/// How much probability a control puts on its pick; the rest is spread equally.
const PICK: f64 = 0.9;

/// What a control prefers.
#[derive(Clone, Debug, PartialEq)]
pub enum Policy {
    /// One position, whatever stands there.
    Slot(Slot),
    /// Positions by weight; content only settles between positions of equal weight.
    Prior(Vec<f64>),
    /// The option that shares the most words with the state.
    Overlap,
    /// Each option equally likely, drawn per ask.
    Random {
        /// Seed of the draws.
        seed: u64,
    },
    /// As [`Policy::Overlap`], but two asks of one case disagree with this probability.
    Noisy {
        /// The probability that two asks of one case disagree.
        disagreement: f64,
        /// Seed of the draws.
        seed: u64,
    },
    /// The option shown after the one with this key, circularly.
    NextTo(String),
    /// The first rule that applies; without one it abstains.
    Rules(Rules),
}

/// A position that a control prefers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// The first.
    First,
    /// The last.
    Last,
    /// This one, from 1.
    At(u16),
}

/// What a control makes of a presentation, by positions as shown.
#[derive(Debug, PartialEq)]
pub(crate) enum Decision {
    /// A pick, and probabilities of which none is larger.
    Pick {
        place: usize,
        probabilities: Vec<f64>,
    },
    /// None.
    Abstain,
}

impl Slot {
    fn place(self, options: usize) -> usize {
        match self {
            Self::First => 0,
            Self::Last => options - 1,
            Self::At(slot) => usize::from(slot) - 1,
        }
    }
}

impl Policy {
    /// Whether this control can be asked `shown` at all.
    pub(crate) fn supports(&self, shown: &Presentation<'_>) -> Result<(), Unsupported> {
        let options = shown.len();
        let unsupported = |reason| Err(Unsupported { reason });
        match self {
            Self::Slot(Slot::At(slot)) if usize::from(*slot) > options => unsupported(format!(
                "`slot:{slot}` has no answer among {options} options"
            )),
            Self::Prior(weights) if weights.len() != options => unsupported(format!(
                "`prior` has {} weights, the case has {options} options",
                weights.len()
            )),
            Self::NextTo(key) if shown.at_key(key).is_none() => unsupported(format!(
                "`next-to:{}` needs that key, which is not offered",
                flipside_core::foreign::Foreign(key)
            )),
            _ => Ok(()),
        }
    }

    /// The decision on an ask that is supported.
    pub(crate) fn decide(&self, sending: &Sending<'_>) -> Decision {
        let shown = sending.shown;
        let options = shown.len();
        match self {
            Self::Slot(slot) => spike(options, slot.place(options)),
            Self::Prior(weights) => prior::decide(shown, weights),
            Self::Overlap => overlap::decide(shown),
            Self::Random { seed } => spike(
                options,
                below(&mut stream(*seed, "random", sending), options),
            ),
            Self::Noisy { disagreement, seed } => noisy(*disagreement, *seed, sending),
            Self::NextTo(key) => {
                let marked = shown
                    .at_key(key)
                    .map_or(0, |option| option.position.index());
                spike(options, (marked + 1) % options)
            }
            Self::Rules(rules) => rules.place(shown).map_or(Decision::Abstain, |place| {
                let mut probabilities = vec![0.0; options];
                probabilities[place] = 1.0;
                Decision::Pick {
                    place,
                    probabilities,
                }
            }),
        }
    }
}

fn spike(options: usize, place: usize) -> Decision {
    if options == 1 {
        return Decision::Pick {
            place,
            probabilities: vec![1.0],
        };
    }
    #[expect(
        clippy::cast_precision_loss,
        reason = "option counts are far below 2^52"
    )]
    let rest = (1.0 - PICK) / (options - 1) as f64;
    let mut probabilities = vec![rest; options];
    probabilities[place] = PICK;
    Decision::Pick {
        place,
        probabilities,
    }
}

/// One stream per ask: the same at every attempt, another for every repeat.
fn stream(seed: u64, purpose: &str, sending: &Sending<'_>) -> Stream {
    let key = sending.shown.case().draw_key();
    let mut parts = vec![
        Part::U64(seed),
        Part::Text(purpose),
        Part::Text(&key),
        Part::Text(sending.variant.axis.name()),
        Part::Text(&sending.variant.name),
    ];
    parts.extend(sending.again.then_some(Part::Text("again")));
    Stream::new(&parts)
}

fn below(draws: &mut Stream, options: usize) -> usize {
    usize::try_from(draws.below(options as u64)).expect("a draw below a usize is one")
}

/// Deviates with `q` such that two independent asks disagree with `disagreement`.
///
/// With `k` options and `c = k / (k - 1)`, two asks disagree with `2q - c q^2`; hence `q = (1 - sqrt(1 - c P)) / c`, and
/// `P` is at most `1 / c`, where every answer is equally likely.
fn noisy(disagreement: f64, seed: u64, sending: &Sending<'_>) -> Decision {
    let shown = sending.shown;
    let options = shown.len();
    let place = overlap::pick(shown);
    if options == 1 {
        return spike(options, place);
    }
    #[expect(
        clippy::cast_precision_loss,
        reason = "option counts are far below 2^52"
    )]
    let c = options as f64 / (options - 1) as f64;
    let deviates = (1.0 - (1.0 - c * disagreement).max(0.0).sqrt()) / c;
    let mut draws = stream(seed, "noisy", sending);
    if draws.unit() >= deviates {
        return spike(options, place);
    }
    let other = below(&mut draws, options - 1);
    spike(options, other + usize::from(other >= place))
}
