//! JSON as Python's serializer writes it, which is what these models were trained to read.

use flipside_core::json::{Json, Number, write_string};

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Style {
    /// Between members and elements.
    comma: &'static str,
    /// Between key and value.
    colon: &'static str,
    /// Whether members stand in code-point order of their keys, at every depth.
    sorted: bool,
}

impl Style {
    /// `json.dumps(value, ensure_ascii=False)`: `, ` and `: `, members as they stand.
    pub(crate) const PLAIN: Self = Self {
        comma: ", ",
        colon: ": ",
        sorted: false,
    };
    /// `json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))`.
    pub(crate) const COMPACT_SORTED: Self = Self {
        comma: ",",
        colon: ":",
        sorted: true,
    };
}

/// `value` as Python would write it after reading it: integers of any size as they are, other numbers as the shortest
/// digits of the nearest double.
///
/// # Errors
/// The number, where it is too large for a double: Python reads it as infinity, which is no JSON.
pub(crate) fn text(value: &Json, style: Style) -> Result<String, &Number> {
    let mut out = Vec::new();
    write(value, style, &mut out)?;
    Ok(String::from_utf8(out).expect("strings are UTF-8 and everything else is ASCII"))
}

fn write<'v>(value: &'v Json, style: Style, out: &mut Vec<u8>) -> Result<(), &'v Number> {
    match value {
        Json::Number(number) => {
            out.extend_from_slice(self::number(number).ok_or(number)?.as_bytes());
        }
        Json::Array(items) => {
            out.push(b'[');
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    out.extend_from_slice(style.comma.as_bytes());
                }
                write(item, style, out)?;
            }
            out.push(b']');
        }
        Json::Object(object) => {
            let mut members: Vec<&(String, Json)> = object.members().iter().collect();
            if style.sorted {
                members.sort_by(|(left, _), (right, _)| left.cmp(right));
            }
            out.push(b'{');
            for (place, (key, value)) in members.into_iter().enumerate() {
                if place > 0 {
                    out.extend_from_slice(style.comma.as_bytes());
                }
                write_string(key, out);
                out.extend_from_slice(style.colon.as_bytes());
                write(value, style, out)?;
            }
            out.push(b'}');
        }
        Json::Null | Json::Bool(_) | Json::String(_) => value.write(out),
    }
    Ok(())
}

/// The number as `repr` writes it; `None` where it is infinite for Python.
fn number(number: &Number) -> Option<String> {
    let text = number.as_str();
    if !text.contains(['.', 'e', 'E']) {
        // Python reads `-0` as the integer 0.
        return Some(if text == "-0" {
            "0".to_owned()
        } else {
            text.to_owned()
        });
    }
    Some(repr(number.to_f64()?))
}

/// The shortest digits that give the double again: exponent form below 1e-4 and from 1e16, with two digits of exponent at
/// least.
fn repr(value: f64) -> String {
    let shortest = format!("{value:e}");
    let (digits, exponent) = shortest.split_once('e').expect("the exponent form has one");
    let exponent: i32 = exponent.parse().expect("an exponent is a whole number");
    if value != 0.0 && !(-4..16).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{digits}e{sign}{:02}", exponent.abs());
    }
    let plain = format!("{value}");
    if plain.contains('.') {
        plain
    } else {
        plain + ".0"
    }
}

/// `text` as `repr` writes it: in single quotes, or in double ones where it holds single ones and no double ones.
pub(crate) fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') {
        '"'
    } else {
        '\''
    };
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            c if c == quote => out.extend(['\\', c]),
            c => out
                .push_str(&flipside_core::foreign::Foreign(c.encode_utf8(&mut [0; 4])).to_string()),
        }
    }
    out.push(quote);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> String {
        number(&Number::parse(text).unwrap()).unwrap()
    }

    /// Each from Python 3.11: `repr(json.loads(text))`.
    #[test]
    fn numbers_are_written_as_python_does() {
        for (text, expected) in [
            ("1", "1"),
            ("-0", "0"),
            ("-0.0", "-0.0"),
            ("0.0", "0.0"),
            ("100.0", "100.0"),
            ("1e2", "100.0"),
            ("1.10", "1.1"),
            ("1E-5", "1e-05"),
            ("0.0001", "0.0001"),
            ("0.00001234", "1.234e-05"),
            ("1e15", "1000000000000000.0"),
            ("1e16", "1e+16"),
            ("123456789012345680.0", "1.2345678901234568e+17"),
            ("1.5e300", "1.5e+300"),
            ("5e-324", "5e-324"),
            ("0.1", "0.1"),
            ("2.50", "2.5"),
            ("12345678901234567890123", "12345678901234567890123"),
            ("-7.0e0", "-7.0"),
        ] {
            assert_eq!(of(text), expected, "{text}");
        }
        assert_eq!(number(&Number::parse("1e400").unwrap()), None);
    }

    #[test]
    fn members_keep_their_order_or_are_sorted_at_every_depth() {
        let value = flipside_formats::json::parse(
            r#"{"b":[1.0,{"z":null,"a":"é\u2028\u0007\""}],"a":true}"#,
        )
        .unwrap();
        assert_eq!(
            text(&value, Style::PLAIN).unwrap(),
            "{\"b\": [1.0, {\"z\": null, \"a\": \"é\u{2028}\\u0007\\\"\"}], \"a\": true}"
        );
        assert_eq!(
            text(&value, Style::COMPACT_SORTED).unwrap(),
            "{\"a\":true,\"b\":[1.0,{\"a\":\"é\u{2028}\\u0007\\\"\",\"z\":null}]}"
        );
    }

    #[test]
    fn a_number_that_python_reads_as_infinity_is_named() {
        let value = flipside_formats::json::parse("[1,[2e999]]").unwrap();
        assert_eq!(text(&value, Style::PLAIN).unwrap_err().as_str(), "2e999");
    }
}
