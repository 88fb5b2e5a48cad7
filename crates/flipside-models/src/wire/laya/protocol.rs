//! Laya's server as a [`Protocol`].

use std::collections::BTreeMap;

use flipside_core::answer::Answer;
use flipside_core::model::{Rejection, Reply, Unsupported, Wire};
use flipside_core::present::Presentation;

use super::head;
use crate::wire::Protocol;
use crate::wire::systemone::{self, Ordering};

const ORDER: &str = Wire::ORDER;
const OPTION_ORDER: &str = Wire::OPTION_ORDER;
const MAX_LEN: &str = "max_len";

/// System One as Laya's server speaks it.
///
/// ```
/// use flipside_core::model::Wire;
/// use flipside_models::wire;
///
/// let settings = [("order".to_owned(), "option_order".to_owned())].into();
/// let laya = wire::open(&Wire { name: "laya".to_owned(), settings }).unwrap();
/// assert!(!laya.object_order());
/// assert!(laya.wire().order_beside());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Laya(Settings);

/// What the user says of a Laya server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settings {
    /// Whether `option_order` carries the order of the options, so that no hop can lose it with the order of keys.
    pub(crate) option_order: bool,
    /// Tokens that the server reads of one question, where it is set up with another number than its checkpoint's.
    pub(crate) max_len: Option<u64>,
}

impl Laya {
    /// What records call it.
    pub const NAME: &str = "laya";

    pub(crate) fn new(settings: Settings) -> Self {
        Self(settings)
    }

    pub(in crate::wire) fn of(given: &BTreeMap<String, String>) -> Option<Self> {
        let mut settings = Settings::default();
        for (name, value) in given {
            match name.as_str() {
                ORDER if value == OPTION_ORDER => settings.option_order = true,
                MAX_LEN => settings.max_len = Some(value.parse().ok()?),
                _ => return None,
            }
        }
        Some(Self(settings))
    }
}

impl Protocol for Laya {
    fn wire(&self) -> Wire {
        let order = (self.0.option_order).then(|| (ORDER.to_owned(), OPTION_ORDER.to_owned()));
        let max_len = (self.0.max_len).map(|most| (MAX_LEN.to_owned(), most.to_string()));
        Wire {
            name: Self::NAME.to_owned(),
            settings: order.into_iter().chain(max_len).collect(),
        }
    }

    fn request(
        &self,
        shown: &Presentation<'_>,
        model: Option<&str>,
    ) -> Result<Vec<u8>, Unsupported> {
        systemone::state(shown)?;
        let ordering = if self.0.option_order {
            Ordering::OptionOrder
        } else {
            Ordering::Keys
        };
        Ok(systemone::written(shown, model, ordering, |_| ()))
    }

    fn read(&self, shown: &Presentation<'_>, reply: &Reply) -> Result<Answer, Rejection> {
        let mut answer = systemone::read(shown, &reply.body)?;
        let remarks = head::remarks(shown, &answer, self.0.max_len);
        answer.remarks.extend(remarks);
        Ok(answer)
    }

    fn object_order(&self) -> bool {
        !self.0.option_order
    }
}
