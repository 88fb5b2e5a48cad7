//! OpenRouter's decisions: System One with a route, and with errors inside successes (the wire page, 2.3).

use std::collections::BTreeMap;

use flipside_core::answer::Answer;
use flipside_core::json::{Json, write_string};
use flipside_core::model::{Rejection, Reply, Unsupported, Wire};
use flipside_core::present::Presentation;

use super::Protocol;
use super::systemone::{self, Ordering};

/// The setting that lists the providers.
const PROVIDERS: &str = "providers";

/// System One at OpenRouter, with the providers that may answer.
///
/// ```
/// use flipside_models::wire::{Protocol, openrouter::OpenRouter};
///
/// let pinned = OpenRouter::by(vec!["TypeSafe".to_owned()]);
/// assert_eq!(pinned.wire().settings["providers"], "TypeSafe");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenRouter {
    providers: Vec<String>,
}

impl OpenRouter {
    /// What records call it.
    pub const NAME: &str = "openrouter-decisions";

    /// Answers come from the first of `providers` that can, and from nobody else; from whomever OpenRouter chooses if none is
    /// listed. A name holds no comma.
    pub fn by(providers: Vec<String>) -> Self {
        Self { providers }
    }

    pub(super) fn of(settings: &BTreeMap<String, String>) -> Option<Self> {
        match settings.get(PROVIDERS) {
            None if settings.is_empty() => Some(Self::default()),
            Some(names) if settings.len() == 1 => {
                Some(Self::by(names.split(',').map(str::to_owned).collect()))
            }
            _ => None,
        }
    }
}

impl Protocol for OpenRouter {
    fn wire(&self) -> Wire {
        let providers =
            (!self.providers.is_empty()).then(|| (PROVIDERS.to_owned(), self.providers.join(",")));
        Wire {
            name: Self::NAME.to_owned(),
            settings: providers.into_iter().collect(),
        }
    }

    fn request(
        &self,
        shown: &Presentation<'_>,
        model: Option<&str>,
    ) -> Result<Vec<u8>, Unsupported> {
        systemone::state(shown)?;
        Ok(systemone::written(shown, model, Ordering::Keys, |out| {
            if self.providers.is_empty() {
                return;
            }
            out.extend_from_slice(b",\"provider\":{\"order\":[");
            for (place, provider) in self.providers.iter().enumerate() {
                if place > 0 {
                    out.push(b',');
                }
                write_string(provider, out);
            }
            out.extend_from_slice(b"],\"allow_fallbacks\":false}");
        }))
    }

    fn read(&self, shown: &Presentation<'_>, reply: &Reply) -> Result<Answer, Rejection> {
        systemone::read(shown, &reply.body)
    }

    fn object_order(&self) -> bool {
        true
    }

    fn reply_id(&self, body: &str) -> Option<String> {
        let reply = systemone::parsed(body).ok()?;
        let id = reply.get("id").and_then(Json::as_str)?;
        (!id.is_empty()).then(|| id.to_owned())
    }
}
