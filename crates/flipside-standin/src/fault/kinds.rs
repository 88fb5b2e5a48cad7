//! The faults.

use std::time::Duration;

use super::language::LanguageFault;

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
/// Texts for [`FromStr`](std::str::FromStr) stand behind each variant.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// `status:CODE`: that status with the dialect's error body; 502 comes as HTML.
    Status(u16),
    /// `text-error:CODE`: that status with a line of plain text, as proxies send it.
    TextError(u16),
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
    /// `provider-changes`: another provider, where the dialect names one.
    ProviderChanges,
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
    /// `known-fields`: the request is answered without the fields that not every server of its protocol knows, as behind a hop that
    /// rebuilds requests: without `option_order` and `max_len`, without `logprobs` and `echo`.
    KnownFields,
    /// One of a language model's server; the others send what they would send without it.
    Language(LanguageFault),
}
