//! The words of verdicts, and which claim they make.

use schemars::JsonSchema;
use serde::Serialize;

/// Which claim a verdict makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// About these cases: the observed share against the limit.
    File,
    /// About the traffic that the cases stand for: the exact bound against the limit.
    General,
}

/// The words of verdicts. Fit, axes and the control share none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub enum Verdict {
    /// Fit: enough own-order answers are accepted.
    #[serde(rename = "fits")]
    Fits,
    /// Fit: too few own-order answers are accepted.
    #[serde(rename = "not a decision-model task")]
    NotATask,
    /// Fit: fewer labelled cases than the rule needs.
    #[serde(rename = "too few cases")]
    TooFewCases,
    /// Fit in general: the bounds lie on both sides of the limit.
    #[serde(rename = "fit-inconclusive")]
    FitInconclusive,
    /// An axis: at most the limit flips.
    #[serde(rename = "stable")]
    Stable,
    /// The order axis flips more, and asked once more the flips come again.
    #[serde(rename = "order-sensitive")]
    OrderSensitive,
    /// The axis flips more, and asked once more the flips show no more than noise.
    #[serde(rename = "noisy")]
    Noisy,
    /// The axis flips more, and nothing tells yet whether order or noise is the cause.
    #[serde(rename = "cause open")]
    CauseOpen,
    /// In general: the bounds lie on both sides of the limit.
    #[serde(rename = "inconclusive")]
    Inconclusive,
    /// Missing answers or decisions leave it open.
    #[serde(rename = "undecided")]
    Undecided,
    /// No variant changes a request.
    #[serde(rename = "not applicable")]
    NotApplicable,
    /// Nothing was asked that could show it.
    #[serde(rename = "not measured")]
    NotMeasured,
    /// The control: at most the limit flips.
    #[serde(rename = "quiet")]
    Quiet,
    /// The control flips more than the limit.
    #[serde(rename = "noisy backend")]
    NoisyBackend,
    /// The control, in general: the bounds lie on both sides of the limit.
    #[serde(rename = "noise-inconclusive")]
    NoiseInconclusive,
    /// Missing answers or drift: within the limit.
    #[serde(rename = "within limit")]
    WithinLimit,
    /// Missing answers or drift: over the limit.
    #[serde(rename = "over limit")]
    OverLimit,
    /// No gate asks for a word.
    #[serde(rename = "no gate")]
    NoGate,
}

impl Verdict {
    /// Whether a gate with this verdict holds.
    pub fn holds(&self) -> bool {
        match self {
            Self::Fits | Self::Stable | Self::Quiet | Self::WithinLimit => true,
            Self::NotATask
            | Self::TooFewCases
            | Self::FitInconclusive
            | Self::OrderSensitive
            | Self::Noisy
            | Self::CauseOpen
            | Self::Inconclusive
            | Self::Undecided
            | Self::NotApplicable
            | Self::NotMeasured
            | Self::NoisyBackend
            | Self::NoiseInconclusive
            | Self::OverLimit
            | Self::NoGate => false,
        }
    }

    /// The word as reports print it.
    pub fn text(&self) -> &'static str {
        match self {
            Self::Fits => "fits",
            Self::NotATask => "not a decision-model task",
            Self::TooFewCases => "too few cases",
            Self::FitInconclusive => "fit-inconclusive",
            Self::Stable => "stable",
            Self::OrderSensitive => "order-sensitive",
            Self::Noisy => "noisy",
            Self::CauseOpen => "cause open",
            Self::Inconclusive => "inconclusive",
            Self::Undecided => "undecided",
            Self::NotApplicable => "not applicable",
            Self::NotMeasured => "not measured",
            Self::Quiet => "quiet",
            Self::NoisyBackend => "noisy backend",
            Self::NoiseInconclusive => "noise-inconclusive",
            Self::WithinLimit => "within limit",
            Self::OverLimit => "over limit",
            Self::NoGate => "no gate",
        }
    }
}
