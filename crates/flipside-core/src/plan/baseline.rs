//! Where the baseline's answers come from: asked, or taken from what is on record.

use serde::{Deserialize, Serialize};

use super::{Plan, Planned};
use crate::record::{Asked, Outcome};

/// Where the baseline's answers come from.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Baseline {
    /// Every baseline is asked.
    #[default]
    Ask,
    /// An answer on record is the baseline's, where a case has a valid one; the others are asked.
    Recorded,
}

impl Baseline {
    /// The name, as `--baseline` takes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Recorded => "recorded",
        }
    }

    /// The value with this name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Ask, Self::Recorded]
            .into_iter()
            .find(|baseline| baseline.name() == name)
    }
}

impl Plan {
    /// The plan with the valid answers on record as baselines, which are not asked then. `whole_replies`: as the model's card
    /// says it.
    #[must_use]
    pub fn with_recorded_baselines(mut self, whole_replies: bool) -> Self {
        self.baseline = Baseline::Recorded;
        // A recorded answer came with no reply that another case could share.
        self.asks.iter_mut().for_each(|ask| ask.shares = None);
        self.share(whole_replies);
        self
    }

    /// The recorded outcome that answers the ask in `slot`, so that it is not sent; `None` for one that is asked, and for every
    /// repetition.
    pub fn recorded(&self, slot: usize) -> Option<&Outcome> {
        self.recorded_of(self.asks.get(slot)?)
    }

    pub(super) fn recorded_of(&self, planned: &Planned) -> Option<&Outcome> {
        if self.baseline == Baseline::Ask || planned.variant != 0 {
            return None;
        }
        let recorded = self.case_of(planned).brought.recorded.as_deref();
        recorded.filter(|outcome| matches!(outcome, Outcome::Answered(_)))
    }

    /// Whether a request is sent for `slot`: its answer is neither on record nor another ask's.
    pub fn sends(&self, slot: usize) -> bool {
        let sent = |ask: &Planned| ask.shares.is_none() && self.recorded_of(ask).is_none();
        self.asks.get(slot).is_none_or(sent)
    }

    /// How many asks are answered by the record.
    pub fn recorded_asks(&self) -> usize {
        let asks = self.asks.iter();
        asks.filter(|ask| self.recorded_of(ask).is_some()).count()
    }

    /// By slot what is known before anything is asked: the recorded baselines.
    pub fn known(&self) -> Vec<Option<Asked>> {
        let recorded = |slot| {
            Some(Asked {
                outcome: self.recorded(slot)?.clone(),
                ms: 0.0,
                attempts: 0,
            })
        };
        (0..self.slots()).map(recorded).collect()
    }
}
