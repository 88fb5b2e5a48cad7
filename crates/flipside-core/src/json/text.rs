//! JSON inside a text: where its tokens stand, and the same tokens over several lines.

use std::ops::Range;

use super::is_number;

/// The deepest nesting that is followed, as in the strict parser of case files.
const MOST_DEPTH: usize = 128;

/// Spaces per level of [`pretty`].
const INDENT: usize = 2;

/// Where the tokens of `text` stand, in bytes, if the whole text is one JSON object or array; `None` for any other text.
///
/// All that stands before, between and after them is JSON's white space. Nothing is decoded: a key that stands twice and half
/// of a surrogate pair are tokens like others.
///
/// ```
/// use flipside_core::json::tokens;
///
/// assert_eq!(tokens(r#"{"a": 1}"#), Some(vec![0..1, 1..4, 4..5, 6..7, 7..8]));
/// assert_eq!(tokens("[1] and more"), None);
/// ```
pub fn tokens(text: &str) -> Option<Vec<Range<usize>>> {
    let mut scanner = Scanner {
        bytes: text.as_bytes(),
        at: 0,
        tokens: Vec::new(),
    };
    scanner.skip_space();
    if !matches!(scanner.peek(), Some(b'{' | b'[')) {
        return None;
    }
    scanner.value(0)?;
    scanner.skip_space();
    (scanner.at == text.len()).then_some(scanner.tokens)
}

/// `text` with a line per member and element, indented by two spaces a level, if the whole text is one JSON object or array.
///
/// Its tokens stay byte for byte, and so does the white space around the whole; an empty object or array stays on its line.
///
/// ```
/// use flipside_core::json::pretty;
///
/// assert_eq!(pretty(r#"{"a":[1.10,{}]}"#).as_deref(), Some("{\n  \"a\": [\n    1.10,\n    {}\n  ]\n}"));
/// assert_eq!(pretty("plain words"), None);
/// ```
pub fn pretty(text: &str) -> Option<String> {
    let tokens = tokens(text)?;
    let (first, last) = (tokens.first()?, tokens.last()?);
    let mut out = String::with_capacity(2 * text.len());
    out.push_str(&text[..first.start]);
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', INDENT * depth));
    };
    let mut depth = 0;
    let mut before = "";
    for token in &tokens {
        let token = &text[token.clone()];
        let opened = matches!(before, "{" | "[");
        let closes = matches!(token, "}" | "]");
        depth -= usize::from(closes);
        if opened != closes || before == "," {
            line(&mut out, depth);
        } else if before == ":" {
            out.push(' ');
        }
        out.push_str(token);
        depth += usize::from(matches!(token, "{" | "["));
        before = token;
    }
    out.push_str(&text[last.end..]);
    Some(out)
}

struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    tokens: Vec<Range<usize>>,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    fn token(&mut self, length: usize) {
        self.tokens.push(self.at..self.at + length);
        self.at += length;
    }

    /// The next byte that is no white space, if it is one of `wanted`; taken as a token.
    fn mark(&mut self, wanted: &[u8]) -> Option<u8> {
        self.skip_space();
        let found = self.peek().filter(|byte| wanted.contains(byte))?;
        self.token(1);
        Some(found)
    }

    fn value(&mut self, depth: usize) -> Option<()> {
        self.skip_space();
        match self.peek()? {
            b'"' => self.string(),
            b'{' => self.list(b'}', depth),
            b'[' => self.list(b']', depth),
            _ => self.word(),
        }
    }

    /// An object or array, to its `end`.
    fn list(&mut self, end: u8, depth: usize) -> Option<()> {
        if depth == MOST_DEPTH {
            return None;
        }
        self.token(1);
        if self.mark(&[end]).is_some() {
            return Some(());
        }
        loop {
            if end == b'}' {
                self.skip_space();
                self.string()?;
                self.mark(b":")?;
            }
            self.value(depth + 1)?;
            if self.mark(&[b',', end])? == end {
                return Some(());
            }
        }
    }

    /// A number, `true`, `false` or `null`.
    fn word(&mut self) -> Option<()> {
        let rest = &self.bytes[self.at..];
        let part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        let length = rest.iter().take_while(part).count();
        let word = &rest[..length];
        let good = matches!(word, b"true" | b"false" | b"null") || is_number(word);
        good.then(|| self.token(length))
    }

    fn string(&mut self) -> Option<()> {
        let rest = &self.bytes[self.at..];
        if rest.first() != Some(&b'"') {
            return None;
        }
        let mut end = 1;
        loop {
            end += match rest.get(end)? {
                b'"' => break,
                0..0x20 => return None,
                b'\\' => match rest.get(end + 1)? {
                    b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => 2,
                    b'u' => {
                        let digits = rest.get(end + 2..end + 6)?;
                        digits.iter().all(u8::is_ascii_hexdigit).then_some(6)?
                    }
                    _ => return None,
                },
                _ => 1,
            };
        }
        self.token(end + 1);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_objects_and_arrays_are_found_and_nothing_else() {
        for good in [
            "{}",
            " [ ] \n",
            r#"{"a":-1.5e+3,"b":[true,false,null],"c":"\u00e9\"\\\/\b\f\n\r\t"}"#,
            "[0,[1,[2]]]",
            r#"{"a":1,"a":2}"#,
            r#"["\ud800"]"#,
            "[\"é😀\"]",
        ] {
            assert!(tokens(good).is_some(), "{good}");
        }
        for bad in [
            "",
            "plain words",
            "1",
            "\"text\"",
            "true",
            "{}{}",
            "[1,]",
            "[,1]",
            "[1 2]",
            "{\"a\" 1}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{a:1}",
            "{'a':1}",
            "[01]",
            "[1.]",
            "[NaN]",
            "[True]",
            "[truefalse]",
            "[\"\u{1}\"]",
            r#"["\x"]"#,
            r#"["\u00g0"]"#,
            "[\"open]",
            "[",
            "{\"a\":1]",
            "\u{feff}[]",
            "[1] // comment",
            "[\u{a0}1]",
        ] {
            assert_eq!(tokens(bad), None, "{bad}");
        }
    }

    #[test]
    fn nesting_is_followed_as_far_as_case_files_are() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(tokens(&nested(128)).is_some());
        assert_eq!(tokens(&nested(129)), None);
        assert_eq!(tokens(&"[".repeat(1_000_000)), None);
    }

    #[test]
    fn a_line_stands_for_each_member_and_element() {
        let text = "\n{ \"a\":1.10,\"b\":{\"c\":[ ],\"d\":[{\"e\":\"x, {y: z}\"} , null]}}\t";
        let lines = [
            "\n{",
            "  \"a\": 1.10,",
            "  \"b\": {",
            "    \"c\": [],",
            "    \"d\": [",
            "      {",
            "        \"e\": \"x, {y: z}\"",
            "      },",
            "      null",
            "    ]",
            "  }",
            "}\t",
        ];
        assert_eq!(pretty(text), Some(lines.join("\n")));
    }

    #[test]
    fn what_is_laid_out_already_stays() {
        for text in ["{}", "[ ]", "[\n  1\n]\n"] {
            let once = pretty(text).unwrap();
            assert_eq!(pretty(&once).as_ref(), Some(&once));
        }
        assert_eq!(pretty("[\n  1\n]\n").unwrap(), "[\n  1\n]\n");
        assert_eq!(pretty("{}").unwrap(), "{}");
    }
}
