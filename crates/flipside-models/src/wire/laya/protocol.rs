//! Laya's server as a [`Protocol`].

use std::collections::BTreeMap;

use flipside_core::answer::Answer;
use flipside_core::case::QuestionKind;
use flipside_core::model::{Rejection, Reply, Unsupported, Wire};
use flipside_core::order::Order;
use flipside_core::present::Presentation;

use super::head;
use crate::wire::Protocol;
use crate::wire::systemone::{self, Ordering};

const ORDER: &str = Wire::ORDER;
const OPTION_ORDER: &str = Wire::OPTION_ORDER;
const MAX_LEN: &str = "max_len";
/// Of which kinds of question `option_order` carries the order: without it of choices alone.
const KINDS: &str = "kinds";
const EVERY: &str = "every";
/// Whether replies count the tokens of each option, so that nothing has to be estimated.
const COUNTS: &str = "counts";
const EXACT: &str = "exact";

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
    /// Whether `option_order` also carries the order of levels and of the two sides of a statement: a level then keeps its number.
    pub(crate) every: bool,
    /// Whether replies say exactly what was cut.
    pub(crate) exact: bool,
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
                KINDS if value == EVERY => settings.every = true,
                COUNTS if value == EXACT => settings.exact = true,
                MAX_LEN => settings.max_len = Some(value.parse().ok()?),
                _ => return None,
            }
        }
        Some(Self(settings))
    }

    fn ordering(self) -> Ordering {
        match self.0 {
            Settings {
                option_order: true,
                every: true,
                ..
            } => Ordering::EveryOptionOrder,
            Settings {
                option_order: true, ..
            } => Ordering::OptionOrder,
            _ => Ordering::Keys,
        }
    }
}

impl Protocol for Laya {
    fn wire(&self) -> Wire {
        let set =
            |on: bool, name: &str, value: &str| on.then(|| (name.to_owned(), value.to_owned()));
        let max_len = (self.0.max_len).map(|most| (MAX_LEN.to_owned(), most.to_string()));
        Wire {
            name: Self::NAME.to_owned(),
            settings: [
                set(self.0.option_order, ORDER, OPTION_ORDER),
                set(self.0.every, KINDS, EVERY),
                set(self.0.exact, COUNTS, EXACT),
                max_len,
            ]
            .into_iter()
            .flatten()
            .collect(),
        }
    }

    fn request(
        &self,
        shown: &Presentation<'_>,
        model: Option<&str>,
    ) -> Result<Vec<u8>, Unsupported> {
        systemone::state(shown)?;
        Ok(systemone::written(shown, model, self.ordering(), |_| ()))
    }

    fn read(&self, shown: &Presentation<'_>, reply: &Reply) -> Result<Answer, Rejection> {
        let levels = shown.case().question.kind == QuestionKind::Score;
        let mut answer = if levels && self.ordering() == Ordering::EveryOptionOrder {
            // Levels were sent in the case's own order, and come back in it.
            let mut own = shown.order().identities().to_vec();
            own.sort_unstable();
            let own = Order::listing(&own);
            systemone::read(&Presentation::new(shown.case(), &own), &reply.body)?
        } else {
            systemone::read(shown, &reply.body)?
        };
        if !self.0.exact {
            let remarks = head::remarks(shown, &answer, self.0.max_len);
            answer.remarks.extend(remarks);
        }
        Ok(answer)
    }

    fn object_order(&self) -> bool {
        !self.0.option_order
    }

    fn other_carrier(&self) -> Option<Box<dyn Protocol>> {
        Some(Box::new(Self(Settings {
            option_order: !self.0.option_order,
            ..self.0
        })))
    }
}
