//! What a model answered.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::cost::PICOS_PER_MICRO;
use crate::order::{OptionId, Order};
use crate::shared::{List, Plain, Rare};

/// What a model answered, aligned to identities.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Answer {
    /// The chosen option; `None` if the model did not decide.
    pub choice: Option<OptionId>,
    /// Why it did not decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declined: Option<Declined>,
    /// Probabilities by identity, as received and not renormalised; `None` if the model gave none.
    pub probabilities: Option<Vec<f64>>,
    /// Whether the top two probabilities are equal as reported.
    pub tied: bool,
    /// Whether nobody stated a choice among equal largest probabilities, so that the lowest identity was taken, or of letters
    /// the first position.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub tie_broken: bool,
    /// Half of the step to which the probabilities are rounded, 0 if they are not.
    #[serde(skip_serializing_if = "is_zero")]
    pub rounding: f64,
    /// Expected level, for a score question, by identity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// The backend's own confidence, kept and never compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backend_confidence: Option<f64>,
    /// The model that served, as it calls itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub served_model: Option<Arc<str>>,
    /// The provider behind a gateway.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<Arc<str>>,
    /// Which build of the model served, beyond its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub build: Option<Box<Build>>,
    /// How the distribution was read out of a language model; `None` where the backend states one itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub readout: Option<Box<Readout>>,
    /// Tokens and cost, each only where it is known.
    #[serde(skip_serializing_if = "Rare::is_plain")]
    pub usage: Rare<Usage>,
    /// Things about the reply that deserve a warning but do not invalidate it.
    #[serde(skip_serializing_if = "is_empty")]
    pub remarks: List<String>,
}

impl Answer {
    /// Whether it is text in which no option can be read: no decision of the model, and none against one, so that its pairs are
    /// missing.
    pub fn is_unreadable(&self) -> bool {
        self.choice.is_none() && self.declined == Some(Declined::Unreadable)
    }

    /// The probabilities of the options that `order` offered, by identity: those of an option that was left out are no part of
    /// what the model distributed. `None` if the model gave none.
    pub fn offered(&self, order: &Order) -> Option<Cow<'_, [f64]>> {
        let all = self.probabilities.as_deref()?;
        if order.len() == all.len() {
            return Some(Cow::Borrowed(all));
        }
        let known = (0..).map(OptionId).zip(all);
        let offered = known.filter(|(id, _)| order.position_of(*id).is_some());
        Some(offered.map(|(_, p)| *p).collect())
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature that serde's skip_serializing_if calls"
)]
fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

fn is_empty(remarks: &List<String>) -> bool {
    remarks.is_empty()
}

/// Why a model did not decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Declined {
    /// It refused.
    Refusal,
    /// It abstained.
    Abstention,
    /// No option could be read in free text.
    Unreadable,
}

/// What a reply says of the model that served, beyond its name: where it differs between two answers, two models answered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Build {
    /// The revision of the weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// The backend's fingerprint of its set-up, such as OpenAI's `system_fingerprint`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
}

/// How a distribution over options was read out of a language model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Readout {
    /// What was read.
    pub kind: ReadoutKind,
    /// The probability that the model put on any option at all, before renormalising: from 0 to 1. `None` where nothing was
    /// listed, as in plain text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub covered: Option<f64>,
    /// Natural logarithms by identity as they were listed, before renormalising; `None` for an option that was not observed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub log_probabilities: Vec<Option<f64>>,
    /// The mean log-probability per byte by identity, where the texts of options were read: sums favour short ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub per_byte: Vec<Option<f64>>,
    /// The most that a token which was not listed can have, as a natural logarithm; `None` where all options were observed or
    /// nothing bounds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
}

/// What was read out of a language model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ReadoutKind {
    /// The distribution of the next token over the letters of the options.
    LetterLogprobs,
    /// The log-probability of each option's text after the request.
    TextLogprobs,
    /// A letter or an option in plain text.
    Text,
}

/// Tokens and cost of one ask; unknown is `None` and never 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, from = "ReadUsage")]
pub struct Usage {
    /// Input tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Output tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// Input tokens that came out of the backend's cache, a part of the input tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached_tokens: Option<u64>,
    /// Cost as the backend states it, in millionths of millionths of a US dollar.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_usd_picos: Option<u64>,
}

/// A usage as journals have it: earlier ones state cost in millionths of a US dollar.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ReadUsage {
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    cached_tokens: Option<u64>,
    cost_usd_picos: Option<u64>,
    cost_usd_micros: Option<u64>,
}

impl From<ReadUsage> for Usage {
    fn from(read: ReadUsage) -> Self {
        let earlier = read
            .cost_usd_micros
            .and_then(|micros| micros.checked_mul(PICOS_PER_MICRO));
        Self {
            input_tokens: read.input_tokens,
            output_tokens: read.output_tokens,
            cached_tokens: read.cached_tokens,
            cost_usd_picos: read.cost_usd_picos.or(earlier),
        }
    }
}

impl Plain for Usage {
    const PLAIN: &'static Self = &Self {
        input_tokens: None,
        output_tokens: None,
        cached_tokens: None,
        cost_usd_picos: None,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_offered_has_no_probability() {
        let answer = Answer {
            probabilities: Some(vec![0.7, 0.0, 0.3]),
            ..Answer::default()
        };
        let of = |order: &[u16]| {
            let order: Vec<OptionId> = order.iter().copied().map(OptionId).collect();
            answer
                .offered(&Order::listing(&order))
                .unwrap()
                .into_owned()
        };
        assert_eq!(of(&[2, 0]), [0.7, 0.3], "by identity, whatever the order");
        assert_eq!(of(&[2, 1, 0]), [0.7, 0.0, 0.3]);
        assert_eq!(Answer::default().offered(&Order::own(3)), None);
    }

    #[test]
    fn a_cost_of_an_earlier_journal_is_read_in_its_own_unit() {
        let read = |text: &str| serde_json::from_str::<Usage>(text).unwrap().cost_usd_picos;
        assert_eq!(read(r#"{"cost_usd_micros":5}"#), Some(5_000_000));
        assert_eq!(read(r#"{"cost_usd_picos":5}"#), Some(5));
        assert_eq!(read("{}"), None);
        let usage = Usage {
            cost_usd_picos: Some(7),
            ..Usage::default()
        };
        let text = serde_json::to_string(&usage).unwrap();
        assert_eq!(text, r#"{"cost_usd_picos":7}"#);
    }
}
