//! One reader for the error bodies of all servers.

use flipside_core::foreign::Foreign;
use flipside_core::json::{Json, Object};

/// What an error body says, in one line: the message in any of the known shapes, the name of what it is instead, or its
/// first 200 characters. Empty for an empty body.
///
/// The shapes are those of the wire page, 1.6, in the order in which TypeSafe's own client looks for them.
pub fn of_body(body: &str) -> String {
    let body = body.trim_start_matches('\u{feff}').trim();
    if is_html(body) {
        return "an HTML page".to_owned();
    }
    let found = flipside_formats::json::parse(body)
        .ok()
        .and_then(|value| of_value(&value));
    cut(&found.unwrap_or_else(|| body.to_owned()))
}

/// The message in a parsed error body, whole, or `None` where no known shape fits.
pub(crate) fn of_value(value: &Json) -> Option<String> {
    let object = value.as_object()?;
    let error = object.get("error");
    text(error)
        .or_else(|| member(error, "message"))
        .or_else(|| text(object.get("message")))
        .or_else(|| text(object.get("detail")))
        .or_else(|| member(object.get("detail"), "message"))
        .or_else(|| details(object.get("detail")?.as_array()?))
        .or_else(|| member(object.get("detail"), "error_type"))
        .or_else(|| text(object.get("title")))
        .or_else(|| text(object.get("error_type")))
        .or_else(|| messages(object.get("errors")?.as_array()?))
}

/// One line of at most 200 characters, escaped for a terminal.
pub(crate) fn cut(text: &str) -> String {
    Foreign::line(text)
}

/// Whether a body is a page for people.
pub(crate) fn is_html(body: &str) -> bool {
    let start: String = body
        .trim_start()
        .chars()
        .take(16)
        .collect::<String>()
        .to_ascii_lowercase();
    ["<!doctype", "<html", "<head", "<body", "<?xml"]
        .iter()
        .any(|tag| start.starts_with(tag))
}

fn text(value: Option<&Json>) -> Option<String> {
    value?
        .as_str()
        .filter(|text| !text.trim().is_empty())
        .map(str::to_owned)
}

fn member(value: Option<&Json>, name: &str) -> Option<String> {
    text(value?.as_object()?.get(name))
}

/// Every `message`, as Cloudflare lists them.
fn messages(items: &[Json]) -> Option<String> {
    let lines: Vec<String> = (items.iter())
        .filter_map(|item| member(Some(item), "message"))
        .collect();
    (!lines.is_empty()).then(|| lines.join("; "))
}

/// Every `msg`, each after its `loc` without `body`.
fn details(items: &[Json]) -> Option<String> {
    let lines: Vec<String> = items
        .iter()
        .filter_map(Json::as_object)
        .filter_map(detail)
        .collect();
    (!lines.is_empty()).then(|| lines.join("; "))
}

fn detail(item: &Object) -> Option<String> {
    let message = text(item.get("msg"))?;
    let place: Vec<String> = item
        .get("loc")
        .and_then(Json::as_array)
        .unwrap_or_default()
        .iter()
        .map(|part| part.as_str().map_or_else(|| part.to_text(), str::to_owned))
        .filter(|part| part != "body")
        .collect();
    Some(if place.is_empty() {
        message
    } else {
        format!("{}: {message}", place.join("."))
    })
}

#[cfg(test)]
mod tests {
    use super::of_body;

    #[test]
    fn every_known_shape_gives_its_message() {
        for (body, message) in [
            (r#"{"error":"busy"}"#, "busy"),
            (r#"{"error":{"code":429,"message":"too many"}}"#, "too many"),
            (r#"{"message":"no","error_type":"x"}"#, "no"),
            (r#"{"detail":"wrong"}"#, "wrong"),
            (
                r#"{"detail":{"error_type":"api_usage_error","message":"bad"}}"#,
                "bad",
            ),
            (
                r#"{"detail":{"error_type":"max_tokens_exceeded"}}"#,
                "max_tokens_exceeded",
            ),
            (
                r#"{"detail":[{"loc":["body","questions",0,"type"],"msg":"missing"},{"msg":"and more"}]}"#,
                "questions.0.type: missing; and more",
            ),
            (r#"{"title":"Too large","status":413}"#, "Too large"),
            (
                r#"{"success":false,"errors":[{"code":5004,"message":"no such model"},{"message":"and more"}],"result":null}"#,
                "no such model; and more",
            ),
            ("<!DOCTYPE html><html>502</html>", "an HTML page"),
            ("plain\n  text", "plain text"),
            ("\u{feff}{\"error\":\"marked\"}", "marked"),
            (r#"{"strange":1}"#, r#"{"strange":1}"#),
            ("", ""),
        ] {
            assert_eq!(of_body(body), message, "{body}");
        }
    }

    #[test]
    fn a_long_message_is_cut_and_escape_codes_are_shown_as_text() {
        assert_eq!(of_body(&"x".repeat(500)).chars().count(), 200);
        assert_eq!(of_body(r#"{"error":"\u001b[31mred"}"#), "\\u{1b}[31mred");
    }
}
