//! The words of verdicts, and which claim they make.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::perturb::Axis;

/// Which claim a verdict makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// About these cases: the observed share against the limit.
    File,
    /// About the traffic that the cases stand for: the exact bound against the limit.
    General,
}

/// The words of verdicts. Fit, axes and the control share none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
    /// The keys axis flips more, and asked once more the flips come again.
    #[serde(rename = "keys-sensitive")]
    KeysSensitive,
    /// The descriptions axis flips more, and asked once more the flips come again.
    #[serde(rename = "descriptions-sensitive")]
    DescriptionsSensitive,
    /// The phrasing axis flips more, and asked once more the flips come again.
    #[serde(rename = "phrasing-sensitive")]
    PhrasingSensitive,
    /// The state-keys axis flips more, and asked once more the flips come again.
    #[serde(rename = "state-keys-sensitive")]
    StateKeysSensitive,
    /// The whitespace axis flips more, and asked once more the flips come again.
    #[serde(rename = "whitespace-sensitive")]
    WhitespaceSensitive,
    /// The letter-case axis flips more, and asked once more the flips come again.
    #[serde(rename = "letter-case-sensitive")]
    LetterCaseSensitive,
    /// The drop axis flips more, and asked once more the flips come again.
    #[serde(rename = "drop-sensitive")]
    DropSensitive,
    /// The decoy axis flips more, and asked once more the flips come again.
    #[serde(rename = "decoy-sensitive")]
    DecoySensitive,
    /// The batch axis flips more, and asked once more the flips come again.
    #[serde(rename = "batch-sensitive")]
    BatchSensitive,
    /// The cross axis flips more, and asked once more the flips come again.
    #[serde(rename = "cross-sensitive")]
    CrossSensitive,
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
    /// The word for too many confirmed flips on `axis`; the control and the baseline have another.
    pub fn sensitive(axis: Axis) -> Self {
        match axis {
            Axis::Order => Self::OrderSensitive,
            Axis::Keys => Self::KeysSensitive,
            Axis::Descriptions => Self::DescriptionsSensitive,
            Axis::Phrasing => Self::PhrasingSensitive,
            Axis::StateKeys => Self::StateKeysSensitive,
            Axis::Whitespace => Self::WhitespaceSensitive,
            Axis::LetterCase => Self::LetterCaseSensitive,
            Axis::Drop => Self::DropSensitive,
            Axis::Decoy => Self::DecoySensitive,
            Axis::Batch => Self::BatchSensitive,
            Axis::Cross => Self::CrossSensitive,
            // Nothing on record can be asked once more.
            Axis::Unrecorded => Self::CauseOpen,
            Axis::Baseline | Axis::Same => Self::NoisyBackend,
        }
    }

    /// Whether it says that an axis drives answers.
    pub fn is_sensitive(&self) -> bool {
        Axis::CHANGES
            .into_iter()
            .any(|axis| axis != Axis::Unrecorded && *self == Self::sensitive(axis))
    }

    /// Whether a gate with this verdict holds.
    pub fn holds(&self) -> bool {
        match self {
            Self::Fits | Self::Stable | Self::Quiet | Self::WithinLimit => true,
            Self::NotATask
            | Self::TooFewCases
            | Self::FitInconclusive
            | Self::OrderSensitive
            | Self::KeysSensitive
            | Self::DescriptionsSensitive
            | Self::PhrasingSensitive
            | Self::StateKeysSensitive
            | Self::WhitespaceSensitive
            | Self::LetterCaseSensitive
            | Self::DropSensitive
            | Self::DecoySensitive
            | Self::BatchSensitive
            | Self::CrossSensitive
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
            Self::KeysSensitive => "keys-sensitive",
            Self::DescriptionsSensitive => "descriptions-sensitive",
            Self::PhrasingSensitive => "phrasing-sensitive",
            Self::StateKeysSensitive => "state-keys-sensitive",
            Self::WhitespaceSensitive => "whitespace-sensitive",
            Self::LetterCaseSensitive => "letter-case-sensitive",
            Self::DropSensitive => "drop-sensitive",
            Self::DecoySensitive => "decoy-sensitive",
            Self::BatchSensitive => "batch-sensitive",
            Self::CrossSensitive => "cross-sensitive",
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
