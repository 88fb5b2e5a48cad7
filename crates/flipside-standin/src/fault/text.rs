//! Faults from their texts.

use std::str::FromStr;
use std::time::Duration;

use super::kinds::{Fault, Retry};
use super::language::{self, LanguageFault};
use crate::policy::ParseError;

const TRICKLE: Duration = Duration::from_millis(50);
const LATE: Duration = Duration::from_secs(1);
const ELSEWHERE: &str = "http://elsewhere.invalid/v1/systemone";

/// Faults that take no argument, with their texts.
const PLAIN: [(&str, Fault); 36] = [
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
    ("provider-changes", Fault::ProviderChanges),
    ("no-usage", Fault::NoUsage),
    ("nfd-keys", Fault::NfdKeys),
    ("lower-keys", Fault::LowerKeys),
];
const PLAIN_SHAPES: [(&str, Fault); 8] = [
    ("legend-from-one", Fault::LegendFromOne),
    ("second-best", Fault::SecondBest),
    ("not-offered", Fault::ChoiceNotOffered),
    ("nobody-asked", Fault::AnswerNobodyAsked),
    ("missing-answer", Fault::MissingAnswer),
    ("float-tokens", Fault::FloatTokens),
    ("negative-usage", Fault::NegativeUsage),
    ("known-fields", Fault::KnownFields),
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
        if let Some(fault) = LanguageFault::parse(text) {
            return Ok(Self::Language(fault));
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
            "text-error" => argument.and_then(status).map(Self::TextError),
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
        "text-error:CODE",
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
        .chain(language::texts())
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
            ("text-error:503", Fault::TextError(503)),
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
}
