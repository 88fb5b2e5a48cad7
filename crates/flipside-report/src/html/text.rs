//! Text from cases and models on a page: escaped, cut, and with its lines kept.

use flipside_core::foreign::Foreign;
use flipside_core::json::{Json, pretty};
use maud::{Markup, html};

use crate::wording;

/// One line of foreign text, apart from the direction of what stands around it.
pub(super) fn line(text: &str, most: usize) -> Markup {
    html! { bdi { (Foreign(text).cut(most)) } }
}

/// Foreign text with its lines, cut to `most` characters; a cut says how long the whole is.
///
/// Control and bidirectional characters are shown by their numbers, so that they steer neither the page nor a copy of its text.
pub(super) fn lines(text: &str, most: usize) -> Markup {
    let length = text.chars().count();
    let kept: String = text.chars().take(most).collect();
    let plain = kept.replace("\r\n", "\n").replace('\t', "    ");
    let escaped: Vec<String> = plain
        .split('\n')
        .map(|line| Foreign(line).to_string())
        .collect();
    html! {
        bdi { (escaped.join("\n")) }
        @if length > most {
            "… "
            span.note { "(cut; " (wording::plural(length as u64, "character", "characters")) " in all)" }
        }
    }
}

/// A JSON value as a person reads it: a text as it is, anything else over several lines.
pub(super) fn json(value: &Json, most: usize) -> Markup {
    match value {
        Json::String(text) => lines(text, most),
        other => {
            let text = other.to_text();
            lines(&pretty(&text).unwrap_or(text), most)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_escapes_and_directions_are_text() {
        let text = "<script>alert(\"1\")</script> & \u{1b}[31m\u{202e}\u{0}\r\nnext\tline";
        assert_eq!(
            lines(text, 200).into_string(),
            "<bdi>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; \\u{1b}[31m\\u{202e}\\u{0}\nnext    line</bdi>"
        );
    }

    #[test]
    fn a_cut_says_how_long_the_whole_is_and_splits_no_character() {
        let text = "ä".repeat(100_000);
        assert_eq!(
            lines(&text, 2).into_string(),
            "<bdi>ää</bdi>… <span class=\"note\">(cut; 100,000 characters in all)</span>"
        );
        assert_eq!(line(&text, 3).into_string(), "<bdi>ää…</bdi>");
    }

    #[test]
    fn structured_values_have_a_line_per_member() {
        let value = Json::Object(
            flipside_core::json::Object::new(vec![("a".to_owned(), Json::String("b".to_owned()))])
                .unwrap(),
        );
        assert_eq!(
            json(&value, 100).into_string(),
            "<bdi>{\n  &quot;a&quot;: &quot;b&quot;\n}</bdi>"
        );
    }
}
