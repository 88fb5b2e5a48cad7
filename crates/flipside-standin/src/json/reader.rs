//! The tokenizer: structure and numbers.

use std::borrow::Cow;

use super::value::{Broken, Json, Member, Node};

const MAX_DEPTH: usize = 128;

/// Reads JSON text from the front to the back.
pub(crate) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
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

    pub(super) fn expect(&mut self, byte: u8, what: &'static str) -> Result<(), Broken> {
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

    pub(super) fn broken(&self, what: &'static str) -> Broken {
        Broken { at: self.at, what }
    }
}
