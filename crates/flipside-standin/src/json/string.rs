//! The tokenizer: strings and their escapes.

use std::borrow::Cow;

use super::reader::Reader;
use super::value::Broken;

impl<'a> Reader<'a> {
    pub(super) fn string(&mut self, keep: bool) -> Result<Cow<'a, str>, Broken> {
        self.expect(b'"', "expected a string")?;
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut escaped = false;
        loop {
            match bytes.get(self.at) {
                None => return Err(self.broken("a string without its end")),
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    self.escape(None)?;
                }
                Some(0..0x20) => return Err(self.broken("a control character in a string")),
                Some(_) => self.at += 1,
            }
        }
        let inside = &self.text[start..self.at];
        self.at += 1;
        if !escaped || !keep {
            return Ok(Cow::Borrowed(inside));
        }
        let end = self.at;
        self.at = start;
        let mut text = String::with_capacity(inside.len());
        while self.at + 1 < end {
            let rest = &self.text[self.at..end - 1];
            if rest.starts_with('\\') {
                self.escape(Some(&mut text))?;
            } else {
                let plain = rest.find('\\').unwrap_or(rest.len());
                text.push_str(&rest[..plain]);
                self.at += plain;
            }
        }
        self.at = end;
        Ok(Cow::Owned(text))
    }

    fn escape(&mut self, into: Option<&mut String>) -> Result<(), Broken> {
        let character = match self.text.as_bytes().get(self.at + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let character = self.unicode()?;
                if let Some(text) = into {
                    text.push(character);
                }
                return Ok(());
            }
            _ => return Err(self.broken("an unknown escape")),
        };
        self.at += 2;
        if let Some(text) = into {
            text.push(character);
        }
        Ok(())
    }

    fn unicode(&mut self) -> Result<char, Broken> {
        let first = self.hex(self.at)?;
        self.at += 6;
        if let Some(character) = char::from_u32(first) {
            return Ok(character);
        }
        if first < 0xdc00
            && let Ok(second @ 0xdc00..=0xdfff) = self.hex(self.at)
        {
            self.at += 6;
            let point = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
            return Ok(char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        self.lone_surrogate = true;
        Ok(char::REPLACEMENT_CHARACTER)
    }

    fn hex(&self, at: usize) -> Result<u32, Broken> {
        let wrong = Broken {
            at,
            what: "a broken `\\u` escape",
        };
        let bytes = self.text.as_bytes().get(at..at + 6).ok_or(wrong)?;
        if !bytes.starts_with(b"\\u") || !bytes[2..].iter().all(u8::is_ascii_hexdigit) {
            return Err(wrong);
        }
        u32::from_str_radix(&self.text[at + 2..at + 6], 16).map_err(|_| wrong)
    }
}
