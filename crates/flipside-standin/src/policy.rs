//! What the fake model prefers.

use std::fmt;
use std::str::FromStr;

use crate::counted::Counted;

/// What the fake model prefers: each one a known truth that a measurement must find again.
///
/// Texts for [`FromStr`] stand behind each variant. A `score` question is answered by the same policy over its levels,
/// a `noul` question over `true` and `false` in the order of its criteria (a side that is not described comes last,
/// `true` before `false`); [`Policy::Slot`], [`Policy::Prior`] and [`Policy::NextTo`] answer a `noul` that does not fit
/// them as [`Policy::Content`] does.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Policy {
    /// `first`: 0.9 on the first option, the rest shared equally.
    First,
    /// `last`: 0.9 on the last option.
    Last,
    /// `slot:K`: 0.9 on option K, counted from 1; fewer options are refused with 422.
    Slot(usize),
    /// `prior:P1,P2,..`: probability proportional to the position's weight times 1 + 0.01 h, h in `[0, 1)` from the content.
    ///
    /// Content only settles between positions of equal weight. Another number of options is refused with 422.
    Prior(Vec<f64>),
    /// `content`: the softmax of logits in `[0, 4)` that hash state, key and text; bit-identical in every order.
    Content,
    /// `overlap`: the softmax of how many distinct lower-cased words option and state share; ties go to the first listed.
    ///
    /// The state's words are those of its texts and numbers (not of its keys), the option's those of its key and text.
    Overlap,
    /// `uniform`: all probabilities equal, and the first option chosen.
    Uniform,
    /// `noisy:P` or `noisy:P,SEED`: as `content`, but two asks of the same thing disagree with probability `p`.
    Noisy {
        /// How often two independent asks disagree; at most (K - 1) / K.
        p: f64,
        /// Draws depend on this, the request's number and the question's place.
        seed: u64,
    },
    /// `random` or `random:SEED`: 0.9 on an option drawn uniformly per request.
    Random {
        /// Draws depend on this, the request's number and the question's place.
        seed: u64,
    },
    /// `js-order:POLICY`: canonical integer keys 0 to 4294967294 move to the front, ascending, before the inner policy.
    JsOrder(Box<Policy>),
    /// `sorted-order:POLICY`: keys are sorted bytewise before the inner policy.
    SortedOrder(Box<Policy>),
    /// `neighbour`: as `content`, but of n questions in one body it picks the n-th best (from the top again after the last).
    Neighbour,
    /// `truncating:N`: as `content`, but sees only the first N characters of each text (of the key when the text is null).
    Truncating {
        /// How many characters count.
        chars: usize,
    },
    /// `key-biased`: 0.9 on the option whose key sorts first bytewise.
    KeyBiased,
    /// `next-to:KEY`: 0.9 on the option after the marked one, after the last comes the first; no such key is refused with 422.
    NextTo(String),
    /// `mixed:W`: logit = `content`'s + W * (K - 1 - position), position from 0.
    Mixed(f64),
    /// `letter:L`: 0.9 on the option that a prompt lists behind that letter, whichever it is; no such letter is refused.
    ///
    /// Only a language model's prompt has letters.
    Letter(String),
    /// `refuse-reversed`: as `content`, but answers `refusal` when the first listed key sorts after the last listed one.
    RefuseReversed,
    /// `cached:POLICY`: remembers the inner policy's answers by a body whose option order is canonical.
    Cached(Box<Policy>),
    /// `weighed`: probability proportional to the last whole number over 0 in the option's text, or in its key where it has no text;
    /// 1 without one.
    ///
    /// It reads nothing else, and no option's weight depends on the others, so it is a per-option scorer. Of equal weights the
    /// first listed one is chosen.
    Weighed,
    /// `misses:WORD`: as `weighed`, but while no option has the word (in lower-cased text, or in its key where it has no text) the
    /// lightest weighs 1000 more.
    Misses(String),
    /// `first-word`: 0.9 on the option whose text's first word, lower-cased, sorts first; the first listed one of equal words, and
    /// of options without texts. It reads no key, no state and no instructions.
    FirstWord,
    /// `counting:WHAT=N`: as `weighed` where it counts N in the request, and otherwise the other way round: probability inversely
    /// proportional to the weight, next to none for an option that names none.
    ///
    /// WHAT is one of [`Counted`]'s texts. Beside that count it reads only what `weighed` reads, and for either count it is a
    /// per-option scorer.
    Counting {
        /// What is counted.
        what: Counted,
        /// The count at which the heaviest is chosen.
        count: usize,
    },
}

impl Policy {
    /// Every policy with what it prefers, a line each, for a help text.
    pub const HELP: &'static str = "\
Policies:
  first, last, slot:K       the option in that place
  prior:P1,P2,..            the place's weight, content between equal ones
  content                   a hash of state, key and text
  overlap                   shared words
  uniform                   a tie
  noisy:P[,SEED]            content, but two asks disagree with probability P
  random[:SEED]             a draw per request
  js-order:POLICY           integer keys move to the front first
  sorted-order:POLICY       keys are sorted first
  cached:POLICY             the first answer again, whatever the order
  neighbour                 content, of n questions the n-th best
  truncating:N              content of the first N characters
  key-biased                the key that sorts first
  next-to:KEY               the option after that one
  mixed:W                   content and W for each place
  letter:L                  the option behind that letter of a prompt
  refuse-reversed           content, refusing keys that descend
  weighed                   the last number of the option's text (or key) is its weight
  misses:WORD               weighed, the lightest where no option has the word
  first-word                the text whose first word sorts first
  counting:WHAT=N           weighed where it counts N, the lightest otherwise; WHAT is one of
                            capitals, letters, spaces, first-member, company, place";
}

/// A text that names no policy, dialect or fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError(pub(crate) String);

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParseError {}

const DEFAULT_SEED: u64 = 0;

impl FromStr for Policy {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (name, argument) = match text.split_once(':') {
            Some((name, argument)) => (name, Some(argument)),
            None => (text, None),
        };
        let wrong = |expected: &str| ParseError(format!("policy `{text}`: expected {expected}"));
        let inner = || argument.map_or(Ok(Self::First), str::parse).map(Box::new);
        let plain = match name {
            "first" => Self::First,
            "last" => Self::Last,
            "content" => Self::Content,
            "overlap" => Self::Overlap,
            "uniform" => Self::Uniform,
            "neighbour" => Self::Neighbour,
            "key-biased" => Self::KeyBiased,
            "refuse-reversed" => Self::RefuseReversed,
            "weighed" => Self::Weighed,
            "first-word" => Self::FirstWord,
            "slot" => {
                let slot = argument
                    .and_then(|a| a.parse().ok())
                    .filter(|slot| *slot > 0);
                return slot
                    .map(Self::Slot)
                    .ok_or_else(|| wrong("`slot:K`, K from 1"));
            }
            "prior" => {
                let weights: Option<Vec<f64>> =
                    argument.and_then(|a| a.split(',').map(weight).collect());
                return weights
                    .filter(|weights| weights.iter().sum::<f64>() > 0.0)
                    .map(Self::Prior)
                    .ok_or_else(|| wrong("`prior:P1,P2,..`, weights not below 0 and not all 0"));
            }
            "noisy" => {
                let argument = argument.unwrap_or_default();
                let (p, seed) = match argument.split_once(',') {
                    Some((p, seed)) => (weight(p), seed.parse().ok()),
                    None => (weight(argument), Some(DEFAULT_SEED)),
                };
                return p
                    .filter(|p| *p <= 1.0)
                    .zip(seed)
                    .map(|(p, seed)| Self::Noisy { p, seed })
                    .ok_or_else(|| wrong("`noisy:P` or `noisy:P,SEED`, P from 0 to 1"));
            }
            "random" => {
                let seed = argument.map_or(Some(DEFAULT_SEED), |seed| seed.parse().ok());
                return seed
                    .map(|seed| Self::Random { seed })
                    .ok_or_else(|| wrong("`random` or `random:SEED`"));
            }
            "js-order" => return inner().map(Self::JsOrder),
            "sorted-order" => return inner().map(Self::SortedOrder),
            "cached" => return inner().map(Self::Cached),
            "truncating" => {
                let chars = argument.and_then(|a| a.parse().ok());
                return chars
                    .map(|chars| Self::Truncating { chars })
                    .ok_or_else(|| wrong("`truncating:N`"));
            }
            "next-to" => {
                let key = argument.filter(|key| !key.is_empty());
                return key
                    .map(|key| Self::NextTo(key.to_owned()))
                    .ok_or_else(|| wrong("`next-to:KEY`"));
            }
            "mixed" => {
                let weight = argument
                    .and_then(|a| a.parse().ok())
                    .filter(|w: &f64| w.is_finite());
                return weight.map(Self::Mixed).ok_or_else(|| wrong("`mixed:W`"));
            }
            "letter" => {
                let letter = argument.filter(|letter| !letter.is_empty());
                return letter
                    .map(|letter| Self::Letter(letter.to_owned()))
                    .ok_or_else(|| wrong("`letter:L`"));
            }
            "misses" => {
                let word = argument.filter(|word| is_word(word));
                return word
                    .map(|word| Self::Misses(word.to_owned()))
                    .ok_or_else(|| wrong("`misses:WORD`, a word in small letters and digits"));
            }
            "counting" => {
                let parts = argument.and_then(|argument| argument.split_once('='));
                let parts = parts.and_then(|(what, n)| Counted::parse(what).zip(n.parse().ok()));
                return parts
                    .map(|(what, count)| Self::Counting { what, count })
                    .ok_or_else(|| wrong(Counted::FORMS));
            }
            _ => {
                return Err(wrong(
                    "one of `first`, `last`, `slot:K`, `prior:P1,P2,..`, `content`, `overlap`, `uniform`, `noisy:P`, \
                     `random`, `js-order`, `sorted-order`, `neighbour`, `truncating:N`, `key-biased`, `next-to:KEY`, \
                     `mixed:W`, `refuse-reversed`, `cached`, `weighed`, `misses:WORD`, `first-word`, `counting:WHAT=N`, `letter:L`",
                ));
            }
        };
        if argument.is_some() {
            return Err(wrong("no argument"));
        }
        Ok(plain)
    }
}

/// Whether the text is one word as [`Policy::Misses`] compares it.
fn is_word(text: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() && !c.is_uppercase();
    !text.is_empty() && text.chars().all(plain)
}

fn weight(text: &str) -> Option<f64> {
    let weight: f64 = text.trim().parse().ok()?;
    (weight.is_finite() && weight >= 0.0).then_some(weight)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_policy_has_its_text() {
        let texts = [
            ("first", Policy::First),
            ("slot:2", Policy::Slot(2)),
            (
                "prior:.35,.15,.15,.35",
                Policy::Prior(vec![0.35, 0.15, 0.15, 0.35]),
            ),
            ("noisy:0.1", Policy::Noisy { p: 0.1, seed: 0 }),
            ("noisy:0.1,9", Policy::Noisy { p: 0.1, seed: 9 }),
            ("random:3", Policy::Random { seed: 3 }),
            ("mixed:0.5", Policy::Mixed(0.5)),
            ("truncating:12", Policy::Truncating { chars: 12 }),
            ("sorted-order", Policy::SortedOrder(Box::new(Policy::First))),
            ("js-order:first", Policy::JsOrder(Box::new(Policy::First))),
            (
                "cached:random:4",
                Policy::Cached(Box::new(Policy::Random { seed: 4 })),
            ),
            ("next-to:a:b", Policy::NextTo("a:b".into())),
            ("weighed", Policy::Weighed),
            ("letter:B", Policy::Letter("B".into())),
            ("misses:bees", Policy::Misses("bees".into())),
            ("first-word", Policy::FirstWord),
            (
                "counting:place=3",
                Policy::Counting {
                    what: Counted::Place,
                    count: 3,
                },
            ),
        ];
        for (text, policy) in texts {
            assert_eq!(text.parse(), Ok(policy), "{text}");
        }
    }

    #[test]
    fn the_help_has_every_policy_that_an_error_names() {
        let error = "nobody"
            .parse::<Policy>()
            .expect_err("no policy")
            .to_string();
        let names: Vec<&str> = error.split('`').skip(3).step_by(2).collect();
        assert_eq!(names.len(), 23, "{error}");
        for name in names {
            let name = name.split(':').next().expect("a name");
            assert!(Policy::HELP.contains(name), "{name}");
        }
        for name in [
            "capitals",
            "letters",
            "spaces",
            "first-member",
            "company",
            "place",
        ] {
            assert!(
                Counted::FORMS.contains(name) && Policy::HELP.contains(name),
                "{name}"
            );
        }
    }

    #[test]
    fn a_wrong_text_says_what_was_expected() {
        for text in [
            "",
            "firts",
            "slot",
            "slot:0",
            "slot:x",
            "prior",
            "prior:",
            "prior:0,0",
            "prior:-1,2",
            "noisy",
            "noisy:1.5",
            "noisy:.1,x",
            "random:x",
            "truncating:-1",
            "next-to:",
            "letter:",
            "mixed:inf",
            "first:1",
            "cached:nope",
            "weighed:1",
            "misses",
            "misses:",
            "misses:two words",
            "misses:Bees",
            "first-word:a",
            "counting",
            "counting:sheep=1",
            "counting:place",
            "counting:place=x",
        ] {
            let error = text.parse::<Policy>().expect_err(text).to_string();
            assert!(error.contains("expected"), "{text}: {error}");
        }
    }
}
