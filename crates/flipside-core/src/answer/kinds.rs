//! What a model answered.

use serde::{Deserialize, Serialize};

use crate::order::OptionId;

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
    pub served_model: Option<String>,
    /// The provider behind a gateway.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// Tokens and cost, each only where it is known.
    #[serde(skip_serializing_if = "Usage::is_unknown")]
    pub usage: Usage,
    /// Things about the reply that deserve a warning but do not invalidate it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature that serde's skip_serializing_if calls"
)]
fn is_zero(value: &f64) -> bool {
    *value == 0.0
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

/// Tokens and cost of one ask; unknown is `None` and never 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Input tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Output tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// Cost as the backend states it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_usd_micros: Option<u64>,
}

impl Usage {
    fn is_unknown(&self) -> bool {
        *self == Self::default()
    }
}
