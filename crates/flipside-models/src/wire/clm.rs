//! CLM's server: System One before a model that embeds each text by itself and cuts long ones without a word (the wire page, 4.1).

use std::collections::BTreeMap;

use flipside_core::answer::Answer;
use flipside_core::case::Case;
use flipside_core::json::Json;
use flipside_core::model::{Rejection, Reply, Unsupported, Wire};
use flipside_core::perturb::Axis;
use flipside_core::plan::VacuousReason;
use flipside_core::present::Presentation;

use super::Protocol;
use super::systemone::SystemOne;
use super::unread::keys_of_texts;

/// Tokens that CLM reads of one text.
const MOST_TOKENS: usize = 2_048;
/// Bytes of text in one token, about.
const BYTES_A_TOKEN: usize = 4;

/// The remark of an answer to texts of which one is longer.
pub const CUT: &str = "by an estimate of ours the state or an option text is longer than the 2,048 tokens that CLM reads of each text, so that its end was cut";

/// System One before a model that is shown an option's key only where it has no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clm;

impl Clm {
    /// What records call it.
    pub const NAME: &str = "clm";

    pub(super) fn of(settings: &BTreeMap<String, String>) -> Option<Self> {
        settings.is_empty().then_some(Self)
    }
}

impl Protocol for Clm {
    fn wire(&self) -> Wire {
        Wire::named(Self::NAME)
    }

    fn request(
        &self,
        shown: &Presentation<'_>,
        model: Option<&str>,
    ) -> Result<Vec<u8>, Unsupported> {
        SystemOne.request(shown, model)
    }

    fn read(&self, shown: &Presentation<'_>, reply: &Reply) -> Result<Answer, Rejection> {
        let mut answer = SystemOne.read(shown, reply)?;
        let mut options = shown.options();
        if is_cut(shown.state()) || options.any(|option| option.text.is_some_and(is_cut)) {
            answer.remarks.push(CUT.to_owned());
        }
        Ok(answer)
    }

    fn object_order(&self) -> bool {
        true
    }

    fn unread(&self, axis: Axis, case: &Case) -> Option<VacuousReason> {
        keys_of_texts(axis, case)
    }
}

/// Whether a text has more tokens than are read, by an estimate.
fn is_cut(text: &Json) -> bool {
    let bytes = text.as_str().map_or_else(|| text.to_text().len(), str::len);
    bytes > MOST_TOKENS * BYTES_A_TOKEN
}
