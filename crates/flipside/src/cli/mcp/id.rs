//! The `id` of a message that cannot be read as a whole.
//!
//! JSON-RPC 2.0, 5: an answer has the request's `id`, and null only where that cannot be found. A host whose call is answered with
//! null waits for its answer for ever, so the `id` is looked for byte by byte, in messages of any length and depth.

use flipside_core::json::Json;

use super::message::is_id;

/// The most bytes of a key or an `id` that are kept: far over any that a host writes.
const MOST_KEPT: usize = 4 << 10;

/// Where the next byte stands.
#[derive(Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Before,
    Within,
    After,
    /// In something that is no object, or is more than one.
    Lost,
}

/// Looks for the member `id` of the one object that its bytes are to be.
#[derive(Debug, Default)]
pub(super) struct IdScan {
    stage: Stage,
    depth: usize,
    /// Within a text, and whether after a backslash.
    text: Option<bool>,
    /// Of the outermost object: the bytes of the key or value that is being read, where it is no container.
    token: Vec<u8>,
    /// Of the outermost object: whether the value is a container, or longer than is kept.
    opaque: bool,
    /// Of the outermost object: whether the value that is being read is that of `id`.
    of_id: bool,
    found: Option<Json>,
    ids: usize,
}

impl IdScan {
    /// The `id` in `bytes`, which are one whole message.
    pub(super) fn of(bytes: &[u8]) -> Json {
        let mut scan = Self::default();
        scan.feed(bytes);
        scan.id()
    }

    /// Takes the next bytes.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.byte(*byte);
        }
    }

    /// The `id` after the last byte; null where there is none, or several, or one that is no `id`.
    pub(super) fn id(self) -> Json {
        let whole = self.stage == Stage::After && self.ids == 1;
        self.found.filter(|_| whole).unwrap_or(Json::Null)
    }

    fn byte(&mut self, byte: u8) {
        if let Some(escaped) = self.text {
            self.text = match byte {
                b'"' if !escaped => None,
                b'\\' => Some(!escaped),
                _ => Some(false),
            };
            return self.keep(byte);
        }
        match byte {
            // Kept, since it parts what would be one number without it.
            b' ' | b'\t' | b'\r' | b'\n' => self.keep(byte),
            // A byte-order mark.
            0xef | 0xbb | 0xbf if self.stage == Stage::Before => {}
            b'{' if self.stage == Stage::Before => (self.stage, self.depth) = (Stage::Within, 1),
            _ if self.depth == 0 => self.stage = Stage::Lost,
            b'{' | b'[' => {
                self.opaque |= self.depth == 1;
                self.depth += 1;
            }
            b'}' | b']' => {
                if self.depth == 1 {
                    self.member();
                    self.stage = Stage::After;
                }
                self.depth -= 1;
            }
            b',' if self.depth == 1 => self.member(),
            b':' if self.depth == 1 => {
                let key = std::mem::take(&mut self.token);
                self.of_id = flipside_formats::json::parse_bytes(&key)
                    .is_ok_and(|key| key.as_str() == Some("id"));
                self.opaque = false;
            }
            byte => {
                if byte == b'"' {
                    self.text = Some(false);
                }
                self.keep(byte);
            }
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.depth != 1 {
            return;
        }
        if self.token.len() < MOST_KEPT {
            self.token.push(byte);
        } else {
            self.opaque = true;
        }
    }

    /// The end of a member.
    fn member(&mut self) {
        let token = std::mem::take(&mut self.token);
        if self.of_id {
            self.ids += 1;
            let value = flipside_formats::json::parse_bytes(&token).ok();
            self.found = value.filter(|value| !self.opaque && is_id(value));
        }
        (self.of_id, self.opaque) = (false, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> String {
        IdScan::of(text.as_bytes()).to_text()
    }

    #[test]
    fn the_id_of_the_outermost_object_is_found_wherever_it_stands() {
        for (text, id) in [
            (r#"{"id":7,"params":{"id":8}}"#, "7"),
            (
                r#"{"params":{"id":8,"x":[1,{"id":9}]},"id":"a\"}]"}"#,
                r#""a\"}]""#,
            ),
            (" { \"\\u0069d\" : -3 } \r", "-3"),
            ("\u{feff}{\"id\":0}", "0"),
            (r#"{"text":"\\","id":1}"#, "1"),
            (r#"{"text":"\",\"id\":2","id":1}"#, "1"),
            (r#"{"params":{"a":NaN,"b":"\ud83d"},"id":5}"#, "5"),
        ] {
            assert_eq!(found(text), id, "{text}");
        }
        let deep = format!(
            r#"{{"params":{}1{},"id":4}}"#,
            "[".repeat(9000),
            "]".repeat(9000)
        );
        assert_eq!(found(&deep), "4");
        let mut bytes = br#"{"params":"#.to_vec();
        bytes.extend_from_slice(b"\"\xff\",\"id\":6}");
        assert_eq!(IdScan::of(&bytes).to_text(), "6");
    }

    #[test]
    fn an_id_that_is_not_certain_is_null() {
        let long = format!(r#"{{"id":"{}"}}"#, "x".repeat(MOST_KEPT));
        for text in [
            "",
            "7",
            r#"[{"id":7}]"#,
            r#"{"id":7"#,
            r#"{"id":7}}"#,
            r#"{"id":7}{"#,
            r#"{"id":7,"id":7}"#,
            r#"{"id":1.5}"#,
            r#"{"id":7 8}"#,
            r#"{"id":1e3}"#,
            r#"{"id":null}"#,
            r#"{"id":[7]}"#,
            r#"{"id":{"id":7}}"#,
            r#"{"params":{"id":7}}"#,
            r#"{"x":"id","y":7}"#,
            &long,
        ] {
            assert_eq!(found(text), "null", "{}", &text[..text.len().min(40)]);
        }
        let kept = format!(r#"{{"id":"{}"}}"#, "x".repeat(MOST_KEPT - 2));
        assert_ne!(found(&kept), "null");
    }
}
