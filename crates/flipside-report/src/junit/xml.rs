//! Text in XML.

/// Adds an attribute.
pub(super) fn attribute(name: &str, value: &str, out: &mut String) {
    out.push(' ');
    *out += name;
    *out += "=\"";
    escape(value, true, out);
    out.push('"');
}

/// Adds text between tags.
pub(super) fn text(value: &str, out: &mut String) {
    escape(value, false, out);
}

/// What is no character in XML is left out; line ends in attributes stay line ends.
fn escape(value: &str, attribute: bool, out: &mut String) {
    for c in value.chars() {
        match c {
            '&' => *out += "&amp;",
            '<' => *out += "&lt;",
            '>' => *out += "&gt;",
            '"' => *out += "&quot;",
            '\n' if attribute => *out += "&#10;",
            '\t' if attribute => *out += "&#9;",
            '\r' => *out += "&#13;",
            '\t' | '\n' => out.push(c),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_markup_and_no_attribute_ends_early() {
        let hostile = "a<b>&\"c\"\n\r\u{0}\u{1b}]]>\u{ffff}é";
        let (mut inside, mut between) = (String::new(), String::new());
        attribute("x", hostile, &mut inside);
        text(hostile, &mut between);
        assert_eq!(
            inside,
            " x=\"a&lt;b&gt;&amp;&quot;c&quot;&#10;&#13;]]&gt;é\""
        );
        assert_eq!(between, "a&lt;b&gt;&amp;&quot;c&quot;\n&#13;]]&gt;é");
    }
}
