//! Strings and their escapes.

#![expect(
    clippy::unnecessary_box_returns,
    reason = "errors travel boxed through the recursion, which keeps its results small"
)]

use super::parser::{Parser, Step};
use super::{ParseError, ParseErrorKind as Kind};

impl Parser<'_> {
    /// The string that stands here, unescaped.
    pub(super) fn string(&mut self) -> Step<String> {
        let start = self.at + 1;
        let end = self.plain(start)?;
        if self.text.as_bytes()[end] == b'"' {
            self.at = end + 1;
            return Ok(self.text[start..end].to_owned());
        }
        let mut out = String::from(&self.text[start..end]);
        let mut next = end;
        loop {
            next = self.escape(next, &mut out)?;
            let end = self.plain(next)?;
            out.push_str(&self.text[next..end]);
            if self.text.as_bytes()[end] == b'"' {
                self.at = end + 1;
                return Ok(out);
            }
            next = end;
        }
    }

    /// The first quote or backslash at or after `from`.
    fn plain(&self, from: usize) -> Step<usize> {
        let rest = &self.text.as_bytes()[from..];
        match rest
            .iter()
            .position(|byte| *byte < 0x20 || *byte == b'"' || *byte == b'\\')
        {
            Some(count) if rest[count] < 0x20 => Err(self.error(
                Kind::Control {
                    code: u32::from(rest[count]),
                },
                from + count,
                1,
            )),
            Some(count) => Ok(from + count),
            None => Err(self.error(Kind::UnclosedString, self.at, self.text.len() - self.at)),
        }
    }

    /// Decodes the escape at `at` into `out`; returns where the text goes on.
    fn escape(&self, at: usize, out: &mut String) -> Step<usize> {
        let plain = match self.text.as_bytes().get(at + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(at, out),
            Some(_) => return Err(self.no_escape(at, 2)),
            None => {
                return Err(self.error(Kind::UnclosedString, self.at, self.text.len() - self.at));
            }
        };
        out.push(plain);
        Ok(at + 2)
    }

    fn unicode_escape(&self, at: usize, out: &mut String) -> Step<usize> {
        let Some(unit) = self.unit(at) else {
            return Err(self.no_escape(at, 6));
        };
        if let Some(c) = char::from_u32(unit) {
            out.push(c);
            return Ok(at + 6);
        }
        let low = self
            .unit(at + 6)
            .filter(|low| (0xdc00..0xe000).contains(low));
        match low {
            Some(low) if unit < 0xdc00 => {
                let code = 0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                out.push(char::from_u32(code).expect("a pair of surrogates is a character"));
                Ok(at + 12)
            }
            _ => {
                let text = self.text[at..at + 6].to_owned();
                Err(self.error(Kind::Surrogate { text }, at, 6))
            }
        }
    }

    /// The code unit of the `\u0041` at `at`, if it is one.
    fn unit(&self, at: usize) -> Option<u32> {
        let digits = self.text.as_bytes().get(at..at + 6)?.strip_prefix(b"\\u")?;
        digits.iter().try_fold(0, |unit, &digit| {
            Some(unit * 16 + char::from(digit).to_digit(16)?)
        })
    }

    #[cold]
    fn no_escape(&self, at: usize, length: usize) -> Box<ParseError> {
        let text: String = self.text[at..]
            .chars()
            .take(length)
            .take_while(|c| !c.is_control())
            .collect();
        let length = text.len();
        self.error(Kind::Escape { text }, at, length)
    }
}
