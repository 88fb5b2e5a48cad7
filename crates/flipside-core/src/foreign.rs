//! Text from cases, models and servers, shown so that it cannot steer a terminal.

use std::fmt::{self, Write};

/// Foreign text: its `Display` escapes control, bidirectional and invisible format characters.
#[derive(Clone, Copy, Debug)]
pub struct Foreign<'a>(pub &'a str);

impl fmt::Display for Foreign<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            if is_unsafe(c) {
                write!(f, "\\u{{{:x}}}", u32::from(c))?;
            } else {
                f.write_char(c)?;
            }
        }
        Ok(())
    }
}

impl Foreign<'_> {
    /// The escaped text, cut to `limit` characters with an ellipsis where it is longer.
    pub fn cut(self, limit: usize) -> String {
        let escaped = self.to_string();
        if escaped.chars().count() <= limit {
            return escaped;
        }
        let kept: String = escaped.chars().take(limit.saturating_sub(1)).collect();
        kept + "…"
    }

    /// One line of at most 200 characters of `text`, escaped, with its white space made one blank.
    pub fn line(text: &str) -> String {
        const MOST: usize = 200;
        let words: Vec<&str> = text.split_whitespace().collect();
        Foreign(&words.join(" ")).cut(MOST)
    }
}

fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::Foreign;

    #[test]
    fn escape_codes_and_bidirectional_marks_are_shown_as_text() {
        let text = "\u{1b}[31mred\u{202e}\u{2066}x\u{9b}\r\n\u{7f}é";
        assert_eq!(
            Foreign(text).to_string(),
            "\\u{1b}[31mred\\u{202e}\\u{2066}x\\u{9b}\\u{d}\\u{a}\\u{7f}é"
        );
    }

    #[test]
    fn cutting_never_splits_a_character() {
        assert_eq!(Foreign("äöü").cut(2), "ä…");
        assert_eq!(Foreign("äöü").cut(3), "äöü");
    }
}
