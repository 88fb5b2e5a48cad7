//! The letter-case axis: the same texts of state and instructions in other letters.
//!
//! Only what a person reads changes. The keys of objects stay, and so do a text that is JSON as a whole (its letters are names and
//! escapes) and every word that is an identifier or an address: one with a digit, `_`, `@`, `\` or `://` in it.

use super::{Altered, Alternative, Axis, Change, Variant, text};
use crate::json;
use crate::plan::VacuousReason;

/// A letter case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LetterCase {
    /// All small.
    Lower,
    /// All capital.
    Upper,
}

impl LetterCase {
    /// Every one, in the order in which they are asked.
    pub(super) const ALL: [Self; 2] = [Self::Lower, Self::Upper];

    pub(super) const FORMS: &'static str =
        "`letter-case`, or `lower` or `upper` after `letter-case:`";

    /// The name after `letter-case:`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lower => "lower",
            Self::Upper => "upper",
        }
    }

    /// Writes the words of state and instructions in other letters, by Unicode's mappings without regard to language.
    ///
    /// # Errors
    /// [`VacuousReason::Unchanged`] where no text has such a letter.
    pub(super) fn apply(self, to: &mut Altered) -> Result<(), VacuousReason> {
        text::change(to, &|text| self.text(text))
    }

    /// `text` in these letters.
    fn text(self, text: &str) -> String {
        if json::tokens(text).is_some() {
            return text.to_owned();
        }
        let mut out = String::with_capacity(text.len());
        // The space after a word stands with it.
        for piece in text.split_inclusive(char::is_whitespace) {
            if is_machine_readable(piece) {
                out.push_str(piece);
            } else {
                match self {
                    Self::Lower => out.push_str(&piece.to_lowercase()),
                    Self::Upper => out.push_str(&piece.to_uppercase()),
                }
            }
        }
        out
    }
}

/// Whether letters of different case are different letters in `word`, as far as its looks tell.
fn is_machine_readable(word: &str) -> bool {
    word.contains("://") || word.contains(|c: char| c.is_numeric() || matches!(c, '_' | '@' | '\\'))
}

pub(super) fn alternatives(kind: Option<LetterCase>) -> Vec<Alternative> {
    LetterCase::ALL
        .into_iter()
        .filter(|each| kind.is_none_or(|kind| kind == *each))
        .map(|each| {
            Alternative::new(
                Variant::on(Axis::LetterCase, each.name()),
                Change::LetterCase(each),
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_change_their_letters_by_unicode() {
        assert_eq!(
            LetterCase::Upper.text("Straße, he said"),
            "STRASSE, HE SAID"
        );
        assert_eq!(LetterCase::Lower.text("ΟΔΟΣ ÉTÉ\n退款"), "οδος été\n退款");
        assert_eq!(
            LetterCase::Upper.text("istanbul"),
            "ISTANBUL",
            "of no language"
        );
        assert_eq!(LetterCase::Lower.text("İ"), "i\u{307}");
        for same in ["", "退款 ok?", "!"] {
            assert_eq!(LetterCase::Lower.text(same), same);
        }
    }

    #[test]
    fn what_a_machine_reads_stays() {
        assert_eq!(
            LetterCase::Upper.text(
                "mail ann@x.org or see https://x.org/Ab, ticket a17 in order_id, C:\\tmp and/or me"
            ),
            "MAIL ann@x.org OR SEE https://x.org/Ab, TICKET a17 IN order_id, C:\\tmp AND/OR ME"
        );
        let json = r#"{"Key": [true, "Text"]}"#;
        assert_eq!(LetterCase::Upper.text(json), json);
        assert_eq!(LetterCase::Lower.text(json), json);
    }
}
