//! An ordered JSON value: members in order, duplicates impossible, numbers as they were written.

mod text;

use std::fmt;

pub use text::{pretty, tokens};

/// A JSON value that keeps what a perturbation must not change: member order and number text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as its text.
    Number(Number),
    /// A string, unescaped.
    String(String),
    /// An array.
    Array(Vec<Json>),
    /// An object with its members in order.
    Object(Object),
}

/// A JSON number as it was written: `1.10` stays `1.10`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number(String);

/// The members of a JSON object, in order, without duplicates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Object(Vec<(String, Json)>);

/// A key that stands twice in one object, by the places of its two members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// The repeated key, unescaped.
    pub key: String,
    /// Index of its first member.
    pub first: usize,
    /// Index of its second member.
    pub second: usize,
}

impl Number {
    /// The number written as `text`, or `None` if `text` is not a number in JSON's grammar.
    pub fn parse(text: &str) -> Option<Self> {
        is_number(text.as_bytes()).then(|| Self(text.to_owned()))
    }

    /// The text as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The nearest finite double, or `None` where the number is too large for one.
    pub fn to_f64(&self) -> Option<f64> {
        self.0.parse::<f64>().ok().filter(|value| value.is_finite())
    }

    /// The value as a whole number, where it is written as one and fits.
    pub fn to_u64(&self) -> Option<u64> {
        self.0.parse().ok()
    }
}

impl From<u64> for Number {
    fn from(value: u64) -> Self {
        Self(value.to_string())
    }
}

fn is_number(text: &[u8]) -> bool {
    let rest = text.strip_prefix(b"-").unwrap_or(text);
    let digits = |bytes: &[u8]| bytes.iter().take_while(|b| b.is_ascii_digit()).count();
    let whole = digits(rest);
    if whole == 0 || (whole > 1 && rest[0] == b'0') {
        return false;
    }
    let mut rest = &rest[whole..];
    if let Some(fraction) = rest.strip_prefix(b".") {
        let count = digits(fraction);
        if count == 0 {
            return false;
        }
        rest = &fraction[count..];
    }
    if let Some(exponent) = rest.strip_prefix(b"e").or_else(|| rest.strip_prefix(b"E")) {
        let exponent = exponent
            .strip_prefix(b"+")
            .or_else(|| exponent.strip_prefix(b"-"))
            .unwrap_or(exponent);
        let count = digits(exponent);
        return count > 0 && count == exponent.len();
    }
    rest.is_empty()
}

impl Object {
    /// An object of `members`, in this order.
    ///
    /// # Errors
    /// [`Duplicate`] if a key stands twice; the first such pair in member order.
    pub fn new(members: Vec<(String, Json)>) -> Result<Self, Duplicate> {
        match repeated(&members) {
            Some((first, second)) => Err(Duplicate {
                key: members[second].0.clone(),
                first,
                second,
            }),
            None => Ok(Self(members)),
        }
    }

    /// The members in order.
    pub fn members(&self) -> &[(String, Json)] {
        &self.0
    }

    /// The value under `key`.
    pub fn get(&self, key: &str) -> Option<&Json> {
        self.0.iter().find(|(k, _)| k == key).map(|(_, v)| v)
    }

    /// Number of members.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The members, owned.
    pub fn into_members(self) -> Vec<(String, Json)> {
        self.0
    }
}

/// Objects up to this size are checked pair by pair, which takes no memory and is faster.
const FEW_MEMBERS: usize = 12;

fn repeated(members: &[(String, Json)]) -> Option<(usize, usize)> {
    if members.len() > FEW_MEMBERS {
        return first_duplicate(members.iter().map(|(key, _)| key.as_str()));
    }
    (1..members.len()).find_map(|second| {
        let key = &members[second].0;
        let first = members[..second]
            .iter()
            .position(|(known, _)| known == key)?;
        Some((first, second))
    })
}

/// The first key that repeats an earlier one, as the places of both.
pub fn first_duplicate<'a>(keys: impl Iterator<Item = &'a str>) -> Option<(usize, usize)> {
    let mut seen = std::collections::BTreeMap::new();
    for (place, key) in keys.enumerate() {
        if let Some(first) = seen.insert(key, place) {
            return Some((first, place));
        }
    }
    None
}

impl Json {
    /// The string, if this is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The object, if this is one.
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The elements, if this is an array.
    pub fn as_array(&self) -> Option<&[Json]> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    /// What kind of value this is, as a person would say it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
        }
    }

    /// Appends the compact form: no white space, UTF-8 and `/` unescaped, numbers as written.
    pub fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Null => out.extend_from_slice(b"null"),
            Self::Bool(true) => out.extend_from_slice(b"true"),
            Self::Bool(false) => out.extend_from_slice(b"false"),
            Self::Number(number) => out.extend_from_slice(number.0.as_bytes()),
            Self::String(text) => write_string(text, out),
            Self::Array(items) => {
                out.push(b'[');
                for (place, item) in items.iter().enumerate() {
                    if place > 0 {
                        out.push(b',');
                    }
                    item.write(out);
                }
                out.push(b']');
            }
            Self::Object(object) => {
                out.push(b'{');
                for (place, (key, value)) in object.0.iter().enumerate() {
                    if place > 0 {
                        out.push(b',');
                    }
                    write_string(key, out);
                    out.push(b':');
                    value.write(out);
                }
                out.push(b'}');
            }
        }
    }

    /// The compact form as text.
    pub fn to_text(&self) -> String {
        let mut out = Vec::new();
        self.write(&mut out);
        String::from_utf8(out).expect("strings are UTF-8 and everything else is ASCII")
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text())
    }
}

/// Appends `text` as a JSON string: quotes, backslashes and control characters escaped, nothing else.
pub fn write_string(text: &str, out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    out.push(b'"');
    let mut rest = text.as_bytes();
    loop {
        let plain = plain_prefix(rest);
        out.extend_from_slice(&rest[..plain]);
        let Some(&byte) = rest.get(plain) else { break };
        rest = &rest[plain + 1..];
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            0x08 => out.extend_from_slice(b"\\b"),
            0x09 => out.extend_from_slice(b"\\t"),
            0x0a => out.extend_from_slice(b"\\n"),
            0x0c => out.extend_from_slice(b"\\f"),
            0x0d => out.extend_from_slice(b"\\r"),
            _ => {
                let high = HEX[usize::from(byte >> 4)];
                let low = HEX[usize::from(byte & 15)];
                out.extend_from_slice(&[b'\\', b'u', b'0', b'0', high, low]);
            }
        }
    }
    out.push(b'"');
}

/// How many bytes at the start need no escape; eight at a time, since nearly all do not.
fn plain_prefix(bytes: &[u8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // A byte of `word` is zero exactly where the high bit of this is set, up to the first such byte.
    let zero = |word: u64| word.wrapping_sub(ONES) & !word & HIGH;
    let mut at = 0;
    for chunk in bytes.chunks_exact(8) {
        let word = u64::from_le_bytes(chunk.try_into().expect("a chunk of eight"));
        let control = word.wrapping_sub(ONES * 0x20) & !word & HIGH;
        let quote = zero(word ^ (ONES * u64::from(b'"')));
        let backslash = zero(word ^ (ONES * u64::from(b'\\')));
        let found = control | quote | backslash;
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let escapes = |byte: &u8| *byte < 0x20 || *byte == b'"' || *byte == b'\\';
    at + bytes[at..]
        .iter()
        .position(escapes)
        .unwrap_or(bytes.len() - at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_kept_as_written_and_checked() {
        for good in [
            "0",
            "-0",
            "1.10",
            "1e2",
            "-1.5E+10",
            "12345678901234567890123",
        ] {
            assert_eq!(Number::parse(good).map(|n| n.0), Some(good.to_owned()));
        }
        for bad in [
            "", "-", "01", "1.", ".5", "1e", "+1", "NaN", "Infinity", "0x1", "1 ",
        ] {
            assert_eq!(Number::parse(bad), None, "{bad}");
        }
        assert_eq!(Number::parse("1e999").and_then(|n| n.to_f64()), None);
    }

    #[test]
    fn writing_escapes_only_what_json_demands() {
        let value = Json::String("a\"\\/\u{8}\u{c}\n\r\t\u{1}\u{7f}é\u{2028}".to_owned());
        assert_eq!(
            value.to_text(),
            "\"a\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\u{7f}é\u{2028}\""
        );
    }

    #[test]
    fn every_byte_at_every_place_of_a_long_text_is_escaped_alike() {
        for code in (0..0x80).chain([0xe9, 0x2028, 0x1_f600]) {
            let c = char::from_u32(code).unwrap();
            let alone = Json::String(c.to_string()).to_text();
            let escaped = &alone[1..alone.len() - 1];
            for before in 0..18 {
                let (x, y) = ("x".repeat(before), "y".repeat(17 - before));
                let found = Json::String(format!("{x}{c}{y}")).to_text();
                assert_eq!(found, format!("\"{x}{escaped}{y}\""));
            }
        }
    }

    #[test]
    fn a_repeated_key_is_refused_with_both_places() {
        let member = |key: &str| (key.to_owned(), Json::Null);
        let duplicate = Object::new(vec![member("a"), member("b"), member("a")]);
        assert_eq!(
            duplicate,
            Err(Duplicate {
                key: "a".to_owned(),
                first: 0,
                second: 2
            })
        );
    }
}
