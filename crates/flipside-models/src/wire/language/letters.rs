//! Letters: which one stands at each position, and which one a token is.

use flipside_core::case::{KeyBinding, QuestionKind};
use flipside_core::model::Unsupported;
use flipside_core::present::Presentation;

/// The most options that have a letter each.
pub const MOST: usize = 26;

/// The letters of a presentation, one per position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Letters {
    /// As shown, first position first.
    pub(super) shown: Vec<u8>,
    /// Whether the case's keys are these letters, so that no key is shown beside them.
    pub(super) keys: bool,
}

impl Letters {
    /// The letters that `shown`'s positions have. They belong to positions: another order of the options moves none.
    ///
    /// They are A, B, .. unless the case's own keys are letters and no names: keys that stay in their places, one ASCII letter each,
    /// or keys that are the letters from A on in any order. Then the letter of position `i` is the key of identity `i`.
    ///
    /// # Errors
    /// [`Unsupported`] from 27 options on.
    pub(super) fn of(shown: &Presentation<'_>) -> Result<Self, Unsupported> {
        let n = shown.len();
        if n > MOST {
            return Err(Unsupported {
                reason: format!(
                    "{n} options are shown, letters reach {MOST}; `read=text` on a server of `openai:` has no such limit"
                ),
            });
        }
        match own(shown) {
            Some(letters) => Ok(Self {
                shown: letters[..n].to_vec(),
                keys: true,
            }),
            None => Ok(Self {
                shown: (b'A'..).take(n).collect(),
                keys: false,
            }),
        }
    }

    /// The position whose letter this is, upper or lower case.
    pub(super) fn position(&self, letter: u8) -> Option<usize> {
        self.shown
            .iter()
            .position(|shown| shown.eq_ignore_ascii_case(&letter))
    }
}

/// The case's own keys by identity, where they are letters and no names.
pub(super) fn own(shown: &Presentation<'_>) -> Option<Vec<u8>> {
    let case = shown.case();
    if case.question.kind != QuestionKind::Choice {
        return None;
    }
    let letters: Vec<u8> = case
        .options
        .iter()
        .map(|option| match option.key.0.as_bytes() {
            [letter] if letter.is_ascii_alphabetic() => Some(*letter),
            _ => None,
        })
        .collect::<Option<_>>()?;
    let mut folded: Vec<u8> = letters.iter().map(u8::to_ascii_uppercase).collect();
    folded.sort_unstable();
    let distinct = folded.windows(2).all(|pair| pair[0] != pair[1]);
    let from_a = folded.iter().copied().eq((b'A'..).take(folded.len()));
    (distinct && (case.keys == KeyBinding::Place || from_a)).then_some(letters)
}
