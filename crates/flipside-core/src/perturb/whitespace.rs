//! The whitespace axis: the same texts of state and instructions, spaced otherwise.
//!
//! White space is all that changes, and inside JSON that stands in a text only white space between its tokens: its strings say
//! the same before and after.

use super::{Altered, Alternative, Axis, Change, Variant, text};
use crate::json;
use crate::plan::VacuousReason;

/// A kind of white space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Whitespace {
    /// Every single space between two words twice. Indentation, aligned columns and what is doubled already stay.
    Doubled,
    /// Two spaces at the end of every line that has something on it.
    Trailing,
    /// `\r\n` for every line end that is `\n`; where all are `\r\n`, `\n`.
    LineEnds,
    /// A text that is JSON, an object or array as a whole, on several lines, indented by two spaces.
    Pretty,
}

impl Whitespace {
    /// Every one, in the order in which they are asked.
    pub(super) const ALL: [Self; 4] = [Self::Doubled, Self::Trailing, Self::LineEnds, Self::Pretty];

    pub(super) const FORMS: &'static str = "`whitespace`, or one of `doubled`, `trailing`, `line-ends` or `pretty` after `whitespace:`";

    /// The name after `whitespace:`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Doubled => "doubled",
            Self::Trailing => "trailing",
            Self::LineEnds => "line-ends",
            Self::Pretty => "pretty",
        }
    }

    /// Spaces every text of state and instructions otherwise.
    ///
    /// # Errors
    /// [`VacuousReason::Unchanged`] where no text has such a place.
    pub(super) fn apply(self, to: &mut Altered) -> Result<(), VacuousReason> {
        text::change(to, &|text| self.text(text))
    }

    /// `text` spaced otherwise.
    fn text(self, text: &str) -> String {
        match self {
            Self::Doubled => doubled(text),
            Self::Trailing => trailing(text),
            Self::LineEnds => line_ends(text),
            Self::Pretty => json::pretty(text).unwrap_or_else(|| text.to_owned()),
        }
    }
}

fn doubled(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    if let Some(tokens) = json::tokens(text) {
        let mut end = 0;
        for token in tokens {
            let between = &text[end..token.start];
            let single = between == " " && end > 0;
            out.push_str(if single { "  " } else { between });
            out.push_str(&text[token.clone()]);
            end = token.end;
        }
        out.push_str(&text[end..]);
        return out;
    }
    let word = |c: Option<char>| c.is_some_and(|c| !c.is_whitespace());
    let mut before = None;
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        out.push(c);
        if c == ' ' && word(before) && word(rest.clone().next()) {
            out.push(' ');
        }
        before = Some(c);
    }
    out
}

fn trailing(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for line in text.split_inclusive('\n') {
        let said = line
            .strip_suffix('\n')
            .map_or(line, |line| line.strip_suffix('\r').unwrap_or(line));
        out.push_str(said);
        if !said.trim().is_empty() {
            out.push_str("  ");
        }
        out.push_str(&line[said.len()..]);
    }
    out
}

fn line_ends(text: &str) -> String {
    let plain = text.replace("\r\n", "\n");
    let pairs = text.len() - plain.len();
    if pairs > 0 && pairs == plain.matches('\n').count() {
        plain
    } else {
        plain.replace('\n', "\r\n")
    }
}

pub(super) fn alternatives(kind: Option<Whitespace>) -> Vec<Alternative> {
    Whitespace::ALL
        .into_iter()
        .filter(|each| kind.is_none_or(|kind| kind == *each))
        .map(|each| {
            Alternative::new(
                Variant::on(Axis::Whitespace, each.name()),
                Change::Whitespace(each),
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_spaces_between_words_are_doubled_and_no_others() {
        assert_eq!(
            Whitespace::Doubled.text("one two, three"),
            "one  two,  three"
        );
        for same in [
            "",
            " ",
            "one",
            " one ",
            "one  two",
            "one\n  two\t three",
            "a\u{a0}b",
        ] {
            assert_eq!(Whitespace::Doubled.text(same), same, "{same:?}");
        }
    }

    #[test]
    fn inside_json_only_spaces_between_tokens_are_doubled() {
        assert_eq!(
            Whitespace::Doubled.text(r#" {"a b": "c d", "e":1} "#),
            r#" {"a b":  "c d",  "e":1} "#
        );
        let compact = r#"{"a b":"c d"}"#;
        assert_eq!(Whitespace::Doubled.text(compact), compact);
        assert_eq!(
            Whitespace::Doubled.text(r#"see {"a b": 1}"#),
            r#"see  {"a  b":  1}"#,
            "a text that only holds JSON is prose"
        );
    }

    #[test]
    fn lines_with_something_on_them_end_in_two_spaces() {
        assert_eq!(
            Whitespace::Trailing.text("one\r\n\ntwo\n \nthree"),
            "one  \r\n\ntwo  \n \nthree  "
        );
        assert_eq!(Whitespace::Trailing.text("one\n"), "one  \n");
        assert_eq!(Whitespace::Trailing.text(""), "");
        assert_eq!(Whitespace::Trailing.text(" \n"), " \n");
    }

    #[test]
    fn line_ends_become_the_other_ones() {
        assert_eq!(Whitespace::LineEnds.text("a\nb\n"), "a\r\nb\r\n");
        assert_eq!(Whitespace::LineEnds.text("a\r\nb\r\n"), "a\nb\n");
        assert_eq!(
            Whitespace::LineEnds.text("a\r\nb\nc"),
            "a\r\nb\r\nc",
            "mixed ones become alike"
        );
        for same in ["", "a", "a\rb"] {
            assert_eq!(Whitespace::LineEnds.text(same), same, "{same:?}");
        }
    }

    #[test]
    fn json_in_a_text_is_laid_out_and_prose_stays() {
        assert_eq!(
            Whitespace::Pretty.text(r#"{"a":[1,2]}"#),
            "{\n  \"a\": [\n    1,\n    2\n  ]\n}"
        );
        for same in ["plain words", "see {\"a\":1}", "\"a text\"", "12", "{}"] {
            assert_eq!(Whitespace::Pretty.text(same), same, "{same:?}");
        }
    }
}
