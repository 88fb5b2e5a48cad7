//! What replies say beside their answers: which model served, and remarks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::Version;

/// One model that answered in a run, by everything that replies say of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ServedVersion {
    /// The model, as it calls itself; null where replies do not say.
    pub model: Option<String>,
    /// The provider behind a gateway.
    pub provider: Option<String>,
    /// The revision of the weights.
    pub revision: Option<String>,
    /// The backend's fingerprint of its set-up.
    pub fingerprint: Option<String>,
    /// Requests that it answered.
    pub answers: u64,
    /// The first request that it answered, by the order in which requests are sent, from 1.
    pub first: u64,
    /// The last one.
    pub last: u64,
}

impl ServedVersion {
    /// Which model that is.
    pub fn version(&self) -> Version<'_> {
        Version {
            model: self.model.as_deref(),
            provider: self.provider.as_deref(),
            revision: self.revision.as_deref(),
            fingerprint: self.fingerprint.as_deref(),
        }
    }
}

/// What deserves a warning in replies that are valid all the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Remarks {
    /// Equal remarks with their number, the most frequent first.
    pub texts: Vec<Remark>,
    /// Further texts, which are in the journal alone.
    pub more: u64,
}

/// Equal remarks on several answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Remark {
    /// What was found.
    pub text: String,
    /// Answers that it is about.
    pub answers: u64,
}
