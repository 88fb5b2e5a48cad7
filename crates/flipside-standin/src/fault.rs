//! What goes wrong, and on which request.

use std::str::FromStr;
use std::time::Duration;

use crate::draw::Hash;
use crate::policy::ParseError;

const TRICKLE: Duration = Duration::from_millis(50);
const LATE: Duration = Duration::from_secs(1);
const ELSEWHERE: &str = "http://elsewhere.invalid/v1/systemone";

/// The delay that a throttling server asks for.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Retry {
    /// `Retry-After` with this text, such as `0`, `1` or `0.5`.
    After(String),
    /// `date`: `Retry-After` with the HTTP date one to two seconds ahead.
    Date,
    /// `absurd`: `Retry-After: 99999999999`.
    Absurd,
    /// `ms=N`: `retry-after-ms: N`.
    Milliseconds(u64),
}

/// One thing that a server can do wrong (or merely strangely) to a decision request.
///
/// Texts for [`FromStr`] stand behind each variant.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// `status:CODE`: that status with the dialect's error body; 502 comes as HTML.
    Status(u16),
    /// `retry-after:CODE:RETRY`: that status with a delay, such as `retry-after:429:0.5` or `retry-after:429:ms=50`.
    RetryAfter(u16, Retry),
    /// `should-retry:CODE:BOOL`: that status with `x-should-retry`.
    ShouldRetry(u16, bool),
    /// `error-200`: status 200 with a top-level `error`.
    ErrorInOk,
    /// `echo-key`: 401 with a message that repeats the credentials received.
    EchoKey,
    /// `redirect` or `redirect:URL`: 307 to another host.
    Redirect(String),
    /// `refuse`: from that request on, connections are refused, as by a dead server (never ends).
    Refuse,
    /// `accept-and-close`: the connection is accepted and closed unread; it counts as a request but is not seen.
    AcceptAndClose,
    /// `close-mid-header`: half the head, then the end of the connection.
    CloseMidHeader,
    /// `close-mid-body`: the head and half the body, then the end of the connection.
    CloseMidBody,
    /// `length-too-long`: a `Content-Length` of 10 bytes too many, then the end of the connection.
    LengthTooLong,
    /// `length-too-short`: a `Content-Length` of 10 bytes too few, then the end of the connection.
    LengthTooShort,
    /// `trickle` or `trickle:MS`: one byte per 50 ms, head and body.
    Trickle(Duration),
    /// `never-answer`: the request is read, and that is all.
    NeverAnswer,
    /// `late` or `late:MS`: the right answer after so much time.
    Late(Duration),
    /// `chunked`: `Transfer-Encoding: chunked`.
    Chunked,
    /// `gzip`: `Content-Encoding: gzip` without being asked.
    Gzip,
    /// `bom`: a UTF-8 byte-order mark before the body.
    ByteOrderMark,
    /// `prefix`: text before the body.
    Prefix,
    /// `trailing`: text after the body.
    TrailingGarbage,
    /// `huge`: a body of 9 MiB, the rest spaces.
    HugeBody,
    /// `empty`: status 200 without a body.
    EmptyBody,
    /// `html`: status 200 with an HTML page.
    HtmlOk,
    /// `duplicate-key`: the first probability is given twice.
    DuplicateProbability,
    /// `missing-option`: an option that was not chosen has no probability.
    MissingOption,
    /// `extra-option`: a probability for `x_extra`, which nobody offered.
    ExtraOption,
    /// `reversed-keys`: probabilities in reversed key order (harmless).
    ReversedProbabilities,
    /// `no-probabilities`: no probabilities.
    NoProbabilities,
    /// `pick-only`: no probabilities, no confidence, no legend.
    PickOnly,
    /// `rounded:D`: probabilities rounded to D decimals.
    Rounded(u32),
    /// `sum:S`: probabilities that sum to S.
    Sum(f64),
    /// `nan`: the first probability is `NaN`.
    NotANumber,
    /// `nan-extra`: an extra field `x_debug` is `NaN`.
    NanExtra,
    /// `infinite`: the first probability is `1e400`.
    Infinite,
    /// `minus-zero`: the smallest probability is `-0.0`.
    MinusZero,
    /// `text-numbers`: probabilities as strings.
    NumbersAsText,
    /// `unknown-type`: the answers have the type `oracle`.
    UnknownType,
    /// `unsupported`: the answers have the type `unsupported`.
    Unsupported,
    /// `refusal`: the answers have the type `refusal`.
    Refusal,
    /// `model-changes`: another served model.
    ModelChanges,
    /// `no-usage`: no `usage`.
    NoUsage,
    /// `nfd-keys`: option keys with their accents decomposed.
    NfdKeys,
    /// `lower-keys`: option keys in lower case.
    LowerKeys,
    /// `legend-from-one`: a legend that counts from 1.
    LegendFromOne,
    /// `second-best`: the choice is the second most probable option.
    SecondBest,
    /// `not-offered`: the choice is `x_not_offered`.
    ChoiceNotOffered,
    /// `nobody-asked`: an answer for `x_nobody`.
    AnswerNobodyAsked,
    /// `missing-answer`: the last question has no answer.
    MissingAnswer,
    /// `float-tokens`: token counts with a fraction.
    FloatTokens,
    /// `negative-usage`: token counts below 0.
    NegativeUsage,
    /// `confidence:C`: that confidence.
    Confidence(f64),
}

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

/// Faults that take no argument, with their texts.
const PLAIN: [(&str, Fault); 35] = [
    ("error-200", Fault::ErrorInOk),
    ("echo-key", Fault::EchoKey),
    ("refuse", Fault::Refuse),
    ("accept-and-close", Fault::AcceptAndClose),
    ("close-mid-header", Fault::CloseMidHeader),
    ("close-mid-body", Fault::CloseMidBody),
    ("length-too-long", Fault::LengthTooLong),
    ("length-too-short", Fault::LengthTooShort),
    ("never-answer", Fault::NeverAnswer),
    ("chunked", Fault::Chunked),
    ("gzip", Fault::Gzip),
    ("bom", Fault::ByteOrderMark),
    ("prefix", Fault::Prefix),
    ("trailing", Fault::TrailingGarbage),
    ("huge", Fault::HugeBody),
    ("empty", Fault::EmptyBody),
    ("html", Fault::HtmlOk),
    ("duplicate-key", Fault::DuplicateProbability),
    ("missing-option", Fault::MissingOption),
    ("extra-option", Fault::ExtraOption),
    ("reversed-keys", Fault::ReversedProbabilities),
    ("no-probabilities", Fault::NoProbabilities),
    ("pick-only", Fault::PickOnly),
    ("nan", Fault::NotANumber),
    ("nan-extra", Fault::NanExtra),
    ("infinite", Fault::Infinite),
    ("minus-zero", Fault::MinusZero),
    ("text-numbers", Fault::NumbersAsText),
    ("unknown-type", Fault::UnknownType),
    ("unsupported", Fault::Unsupported),
    ("refusal", Fault::Refusal),
    ("model-changes", Fault::ModelChanges),
    ("no-usage", Fault::NoUsage),
    ("nfd-keys", Fault::NfdKeys),
    ("lower-keys", Fault::LowerKeys),
];
const PLAIN_SHAPES: [(&str, Fault); 7] = [
    ("legend-from-one", Fault::LegendFromOne),
    ("second-best", Fault::SecondBest),
    ("not-offered", Fault::ChoiceNotOffered),
    ("nobody-asked", Fault::AnswerNobodyAsked),
    ("missing-answer", Fault::MissingAnswer),
    ("float-tokens", Fault::FloatTokens),
    ("negative-usage", Fault::NegativeUsage),
];

impl FromStr for Fault {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let plain = PLAIN
            .iter()
            .chain(&PLAIN_SHAPES)
            .find(|(name, _)| *name == text);
        if let Some((_, fault)) = plain {
            return Ok(fault.clone());
        }
        let (name, argument) = match text.split_once(':') {
            Some((name, argument)) => (name, Some(argument)),
            None => (text, None),
        };
        let milliseconds = |default: Duration| match argument {
            None => Some(default),
            Some(text) => text.parse().ok().map(Duration::from_millis),
        };
        let number = || {
            argument
                .and_then(|a| a.parse().ok())
                .filter(|n: &f64| n.is_finite())
        };
        let fault = match name {
            "status" => argument.and_then(status).map(Self::Status),
            "retry-after" => argument
                .and_then(|a| a.split_once(':'))
                .and_then(|(code, delay)| {
                    let delay = match delay {
                        "date" => Retry::Date,
                        "absurd" => Retry::Absurd,
                        _ => match delay.strip_prefix("ms=") {
                            Some(ms) => Retry::Milliseconds(ms.parse().ok()?),
                            None => Retry::After(delay.to_owned()),
                        },
                    };
                    Some(Self::RetryAfter(status(code)?, delay))
                }),
            "should-retry" => {
                argument
                    .and_then(|a| a.split_once(':'))
                    .and_then(|(code, should)| {
                        Some(Self::ShouldRetry(status(code)?, should.parse().ok()?))
                    })
            }
            "redirect" => Some(Self::Redirect(argument.unwrap_or(ELSEWHERE).to_owned())),
            "trickle" => milliseconds(TRICKLE).map(Self::Trickle),
            "late" => milliseconds(LATE).map(Self::Late),
            "rounded" => argument
                .and_then(|a| a.parse().ok())
                .filter(|d| *d <= 15)
                .map(Self::Rounded),
            "sum" => number().map(Self::Sum),
            "confidence" => number().map(Self::Confidence),
            _ => None,
        };
        fault.ok_or_else(|| ParseError(format!("fault `{text}`: expected {}", forms())))
    }
}

fn status(text: &str) -> Option<u16> {
    text.parse()
        .ok()
        .filter(|status| (200..=599).contains(status))
}

fn forms() -> String {
    let plain = PLAIN.iter().chain(&PLAIN_SHAPES).map(|(name, _)| *name);
    let others = [
        "status:CODE",
        "retry-after:CODE:SECONDS|date|absurd|ms=N",
        "should-retry:CODE:true|false",
        "redirect:URL",
        "trickle:MS",
        "late:MS",
        "rounded:D",
        "sum:S",
        "confidence:C",
    ];
    let names: Vec<String> = others
        .into_iter()
        .chain(plain)
        .map(|name| format!("`{name}`"))
        .collect();
    format!("one of {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_has_its_text() {
        for (text, fault) in PLAIN.iter().chain(&PLAIN_SHAPES) {
            assert_eq!(text.parse::<Fault>().as_ref(), Ok(fault));
        }
        let texts = [
            ("status:500", Fault::Status(500)),
            (
                "retry-after:429:0.5",
                Fault::RetryAfter(429, Retry::After("0.5".into())),
            ),
            (
                "retry-after:503:ms=50",
                Fault::RetryAfter(503, Retry::Milliseconds(50)),
            ),
            ("retry-after:429:date", Fault::RetryAfter(429, Retry::Date)),
            ("should-retry:500:false", Fault::ShouldRetry(500, false)),
            ("late:20", Fault::Late(Duration::from_millis(20))),
            ("trickle", Fault::Trickle(TRICKLE)),
            ("sum:0.97", Fault::Sum(0.97)),
            ("rounded:2", Fault::Rounded(2)),
            ("confidence:1.5", Fault::Confidence(1.5)),
        ];
        for (text, fault) in texts {
            assert_eq!(text.parse(), Ok(fault), "{text}");
        }
        for text in [
            "",
            "status",
            "status:99",
            "retry-after:429",
            "sum:x",
            "chunked:1",
            "nope",
        ] {
            assert!(text.parse::<Fault>().is_err(), "{text}");
        }
    }

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
