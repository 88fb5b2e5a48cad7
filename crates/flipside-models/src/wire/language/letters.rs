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

/// The letter that a token is, in upper case: after leading blanks, space markers, quotes and markdown exactly one ASCII letter.
///
/// Only ASCII is folded, since the Kelvin sign, the long s and the dotless i are no letters of an option.
pub(super) fn of_token(token: &[u8]) -> Option<u8> {
    match without_marks(token) {
        [letter] if letter.is_ascii_alphabetic() => Some(letter.to_ascii_uppercase()),
        _ => None,
    }
}

/// `token` without what may stand before an answer: blanks, the space markers `Ġ` and `▁`, the line feed marker `Ċ`, quotes and
/// markdown.
pub(super) fn without_marks(mut token: &[u8]) -> &[u8] {
    const MARKS: [&str; 7] = [
        "\u{120}", "\u{10a}", "\u{2581}", "\u{201c}", "\u{201d}", "\u{2018}", "\u{2019}",
    ];
    'marks: loop {
        if let [first, rest @ ..] = token
            && (first.is_ascii_whitespace() || b"\"'`*_#>".contains(first))
        {
            token = rest;
            continue;
        }
        for mark in MARKS {
            if let Some(rest) = token.strip_prefix(mark.as_bytes()) {
                token = rest;
                continue 'marks;
            }
        }
        return token;
    }
}

#[cfg(test)]
mod tests {
    use super::of_token;

    #[test]
    fn a_token_is_a_letter_after_its_space_markers_and_by_ascii_alone() {
        for token in [
            "A",
            " A",
            "a",
            "\u{120}A",
            "\u{2581}a",
            "\u{2581}\u{2581}A",
            "\"A",
            "**A",
            "\nA",
            "\u{201c}A",
        ] {
            assert_eq!(of_token(token.as_bytes()), Some(b'A'), "{token:?}");
        }
        for token in [
            "", " ", "AB", "A)", "A.", "\u{212a}", "\u{17f}", "\u{131}", "\u{c1}", "7", "Answer",
        ] {
            assert_eq!(of_token(token.as_bytes()), None, "{token:?}");
        }
        assert_eq!(of_token(&[0xc4]), None, "half a character");
    }
}
