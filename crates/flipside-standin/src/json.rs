//! The stand-in's own JSON: an ordered tokenizer that keeps duplicates and number text, and a small writer.
//!
//! Nothing here is shared with the client under test, so a bug of one cannot hide a bug of the other.

use std::borrow::Cow;
use std::fmt;

const MAX_DEPTH: usize = 128;

/// One JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json<'a> {
    Null,
    Bool(bool),
    /// The number exactly as it was written.
    Number(&'a str),
    Text(Cow<'a, str>),
    Array(Vec<Node<'a>>),
    /// Members in the order received, duplicates included.
    Object(Vec<Member<'a>>),
    /// Checked, but not kept.
    Skipped,
}

/// A value with the text that it was read from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node<'a> {
    pub(crate) raw: &'a str,
    pub(crate) json: Json<'a>,
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Member<'a> {
    pub(crate) key: Cow<'a, str>,
    pub(crate) node: Node<'a>,
}

/// Why a text is not JSON, and at which byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Broken {
    pub(crate) at: usize,
    pub(crate) what: &'static str,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not JSON: {} at byte {}", self.what, self.at)
    }
}

/// Reads JSON text from the front to the back.
pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    /// Whether a `\ud800`-like escape without its partner was met; it reads as U+FFFD.
    pub(crate) lone_surrogate: bool,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            depth: 0,
            lone_surrogate: false,
        }
    }

    /// The one value of the text; only space may follow it.
    #[cfg(test)]
    pub(crate) fn document(text: &'a str) -> Result<Node<'a>, Broken> {
        let mut reader = Self::new(text);
        let node = reader.node()?;
        reader.end()?;
        Ok(node)
    }

    /// Checks that only space is left.
    pub(crate) fn end(&mut self) -> Result<(), Broken> {
        self.space();
        if self.at < self.text.len() {
            return Err(self.broken("text after the value"));
        }
        Ok(())
    }

    /// Whether an object comes next.
    pub(crate) fn at_object(&mut self) -> bool {
        self.space();
        self.peek() == Some(b'{')
    }

    /// Calls `each` for each member of an object; `each` must read exactly the member's value.
    pub(crate) fn members(
        &mut self,
        mut each: impl FnMut(&mut Self, Cow<'a, str>) -> Result<(), Broken>,
    ) -> Result<(), Broken> {
        self.space();
        self.expect(b'{', "expected `{`")?;
        self.deeper()?;
        self.space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            self.depth -= 1;
            return Ok(());
        }
        loop {
            self.space();
            let key = self.string(true)?;
            self.space();
            self.expect(b':', "expected `:`")?;
            each(self, key)?;
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return Err(self.broken("expected `,` or `}`")),
            }
        }
        self.at += 1;
        self.depth -= 1;
        Ok(())
    }

    /// The next value, kept.
    pub(crate) fn node(&mut self) -> Result<Node<'a>, Broken> {
        self.space();
        let start = self.at;
        let json = self.value(true)?;
        Ok(Node {
            raw: &self.text[start..self.at],
            json,
        })
    }

    /// The text of the next value, which is checked and not kept.
    pub(crate) fn skip(&mut self) -> Result<&'a str, Broken> {
        self.space();
        let start = self.at;
        self.value(false)?;
        Ok(&self.text[start..self.at])
    }

    fn value(&mut self, keep: bool) -> Result<Json<'a>, Broken> {
        match self.peek() {
            Some(b'"') => self.string(keep).map(Json::Text),
            Some(b'{') => self.object(keep),
            Some(b'[') => self.array(keep),
            Some(b't') => self.word("true", Json::Bool(true)),
            Some(b'f') => self.word("false", Json::Bool(false)),
            Some(b'n') => self.word("null", Json::Null),
            Some(b'-' | b'0'..=b'9') => self.number().map(Json::Number),
            _ => Err(self.broken("expected a value")),
        }
    }

    fn object(&mut self, keep: bool) -> Result<Json<'a>, Broken> {
        let mut members = Vec::new();
        self.members(|reader, key| {
            if keep {
                let node = reader.node()?;
                members.push(Member { key, node });
            } else {
                reader.skip()?;
            }
            Ok(())
        })?;
        Ok(if keep {
            Json::Object(members)
        } else {
            Json::Skipped
        })
    }

    fn array(&mut self, keep: bool) -> Result<Json<'a>, Broken> {
        self.at += 1;
        self.deeper()?;
        let mut nodes = Vec::new();
        self.space();
        if self.peek() == Some(b']') {
            self.at += 1;
            self.depth -= 1;
            return Ok(Json::Array(nodes));
        }
        loop {
            if keep {
                nodes.push(self.node()?);
            } else {
                self.skip()?;
            }
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => break,
                _ => return Err(self.broken("expected `,` or `]`")),
            }
        }
        self.at += 1;
        self.depth -= 1;
        Ok(if keep {
            Json::Array(nodes)
        } else {
            Json::Skipped
        })
    }

    fn string(&mut self, keep: bool) -> Result<Cow<'a, str>, Broken> {
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

    fn number(&mut self) -> Result<&'a str, Broken> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(&self.text[start..self.at])
    }

    fn digits(&mut self) -> Result<(), Broken> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start {
            return Err(self.broken("expected a digit"));
        }
        Ok(())
    }

    fn word(&mut self, word: &str, json: Json<'a>) -> Result<Json<'a>, Broken> {
        if !self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            return Err(self.broken("expected a value"));
        }
        self.at += word.len();
        Ok(json)
    }

    fn deeper(&mut self) -> Result<(), Broken> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.broken("more than 128 levels"));
        }
        Ok(())
    }

    fn expect(&mut self, byte: u8, what: &'static str) -> Result<(), Broken> {
        if self.peek() != Some(byte) {
            return Err(self.broken(what));
        }
        self.at += 1;
        Ok(())
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn broken(&self, what: &'static str) -> Broken {
        Broken { at: self.at, what }
    }
}

/// Appends `text` as a JSON string.
pub(crate) fn write_text(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape: &[u8] = match byte {
            b'"' => b"\\\"",
            b'\\' => b"\\\\",
            b'\n' => b"\\n",
            b'\r' => b"\\r",
            b'\t' => b"\\t",
            0..0x20 => b"",
            _ => continue,
        };
        out.extend_from_slice(&text.as_bytes()[from..at]);
        if escape.is_empty() {
            out.extend_from_slice(format!("\\u{byte:04x}").as_bytes());
        } else {
            out.extend_from_slice(escape);
        }
        from = at + 1;
    }
    out.extend_from_slice(&text.as_bytes()[from..]);
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<String> {
        let Json::Object(members) = Reader::document(text).unwrap().json else {
            panic!("not an object");
        };
        members.into_iter().map(|m| m.key.into_owned()).collect()
    }

    #[test]
    fn keys_stay_in_the_order_received_and_duplicates_stay_visible() {
        let text = r#"{"zeta":1,"10":2,"2":3,"alpha":4,"10":5}"#;
        assert_eq!(keys(text), ["zeta", "10", "2", "alpha", "10"]);
    }

    #[test]
    fn numbers_keep_their_text() {
        for text in ["1.10", "-0", "1e400", "12345678901234567890123", "0.5E-3"] {
            assert_eq!(Reader::document(text).unwrap().json, Json::Number(text));
        }
    }

    #[test]
    fn an_escaped_key_reads_as_its_plain_twin() {
        assert_eq!(keys(r#"{"\u0041b":1,"\ud83d\ude00\n":2}"#), ["Ab", "😀\n"]);
    }

    #[test]
    fn a_value_keeps_the_text_it_was_read_from() {
        let node = Reader::document(r#" {"a": [1, {"b":null}] } "#).unwrap();
        let Json::Object(members) = node.json else {
            panic!("not an object");
        };
        assert_eq!(members[0].node.raw, r#"[1, {"b":null}]"#);
    }

    #[test]
    fn a_lone_surrogate_is_noticed() {
        let mut reader = Reader::new(r#""\ud800""#);
        assert_eq!(reader.node().unwrap().json, Json::Text("\u{fffd}".into()));
        assert!(reader.lone_surrogate);
    }

    #[test]
    fn broken_texts_are_refused() {
        for text in [
            "",
            "{",
            "[1,]",
            "{\"a\":1,}",
            "01",
            "1.",
            "+1",
            "nul",
            "\"\u{1}\"",
            "\"\\x\"",
            "1 2",
            "{\"a\" 1}",
            "NaN",
            "\"\\u12g4\"",
            "\"\\u+123\"",
            "\"abc",
            "\"\\",
        ] {
            assert!(Reader::document(text).is_err(), "{text}");
        }
        assert!(Reader::document(&"[".repeat(200)).is_err());
    }

    #[test]
    fn written_text_reads_back() {
        let text = "é \" \\ \u{1} \n\t\u{7f} \u{1F600}";
        let mut out = Vec::new();
        write_text(&mut out, text);
        let out = String::from_utf8(out).unwrap();
        assert_eq!(
            Reader::document(&out).unwrap().json,
            Json::Text(text.into())
        );
    }
}
