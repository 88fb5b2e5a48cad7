//! JSON-RPC messages: one line each.

use flipside_core::foreign::Foreign;
use flipside_core::json::{Json, Object};
use flipside_formats::json::{ParseErrorKind, parse_noting};

use super::id::IdScan;
use crate::cli::values::{object, text};

/// No JSON.
pub(super) const PARSE: i32 = -32_700;
/// JSON that is no message, or one that comes at the wrong time.
pub(super) const INVALID: i32 = -32_600;
/// A method that this server does not have.
pub(super) const METHOD: i32 = -32_601;
/// Parameters that the method does not take.
pub(super) const PARAMS: i32 = -32_602;

/// A message that came in.
#[derive(Debug)]
pub(super) enum Message {
    /// One that wants an answer.
    Request(Request),
    /// One that wants none.
    Notification {
        /// What it tells.
        method: String,
        /// About what.
        params: Object,
    },
    /// An answer; this server asks nothing.
    Answer,
}

/// A request.
#[derive(Debug)]
pub(super) struct Request {
    /// A string or a whole number, as it was written.
    pub(super) id: Json,
    /// What is wanted.
    pub(super) method: String,
    /// With what.
    pub(super) params: Object,
    /// A key that stands twice somewhere in `params`, in words.
    pub(super) repeated: Option<String>,
}

/// Reads one line.
///
/// # Errors
/// The answer to a line that is no message.
pub(super) fn read(line: &str) -> Result<Message, Json> {
    let (value, repeated) = parse_noting(line).map_err(|error| {
        let id = IdScan::of(line.as_bytes());
        failed(&id, code_of(&error.kind), &error.to_string())
    })?;
    let repeated = repeated.first().map(|error| {
        let path: Vec<&str> = error.within.iter().map(String::as_str).collect();
        format!("`{}`: {}", Foreign(&path.join(".")).cut(80), error.kind)
    });
    let Json::Object(message) = value else {
        let found = repeated.unwrap_or_else(|| format!("found {}", value.kind()));
        let said = format!("a message is one object on a line of its own; {found}");
        return Err(failed(&IdScan::of(line.as_bytes()), INVALID, &said));
    };
    let id = match message.get("id") {
        Some(id) if is_id(id) => Some(id.clone()),
        Some(other) => {
            let said = format!(
                "`id` is {}, expected a string or a whole number",
                shown(other)
            );
            return Err(failed(&Json::Null, INVALID, &said));
        }
        None => None,
    };
    let to = id.clone().unwrap_or(Json::Null);
    if message.get("jsonrpc").and_then(Json::as_str) != Some("2.0") {
        return Err(failed(&to, INVALID, "`jsonrpc` is not \"2.0\""));
    }
    let Some(method) = message.get("method") else {
        if message.get("result").is_some() || message.get("error").is_some() {
            return Ok(Message::Answer);
        }
        return Err(failed(&to, INVALID, "`method` is missing"));
    };
    let Some(method) = method.as_str() else {
        let said = format!("`method` is {}, expected a string", method.kind());
        return Err(failed(&to, INVALID, &said));
    };
    let params = match message.get("params") {
        None => Object::default(),
        Some(Json::Object(params)) => params.clone(),
        Some(_) if repeated.is_some() => Object::default(),
        Some(other) => {
            let said = format!("`params` is {}, expected an object", other.kind());
            return Err(failed(&to, INVALID, &said));
        }
    };
    let method = method.to_owned();
    Ok(match id {
        Some(id) => Message::Request(Request {
            id,
            method,
            params,
            repeated,
        }),
        None => Message::Notification { method, params },
    })
}

/// The answer to request `id`.
pub(super) fn answered(id: &Json, result: Json) -> Json {
    object(vec![
        ("jsonrpc", text("2.0")),
        ("id", id.clone()),
        ("result", result),
    ])
}

/// The answer to a request that is refused.
pub(super) fn failed(id: &Json, code: i32, message: &str) -> Json {
    let code = flipside_core::json::Number::parse(&code.to_string()).expect("a whole number");
    let error = object(vec![
        ("code", Json::Number(code)),
        ("message", text(message)),
    ]);
    object(vec![
        ("jsonrpc", text("2.0")),
        ("id", id.clone()),
        ("error", error),
    ])
}

/// What is no JSON is a parse error; JSON that this server does not take is an invalid request.
fn code_of(kind: &ParseErrorKind) -> i32 {
    match kind {
        ParseErrorKind::Depth | ParseErrorKind::Size { .. } | ParseErrorKind::Surrogate { .. } => {
            INVALID
        }
        _ => PARSE,
    }
}

/// Whether it is a string or a whole number.
pub(super) fn is_id(value: &Json) -> bool {
    match value {
        Json::String(_) => true,
        Json::Number(number) => {
            let number = number.as_str();
            let digits = number.strip_prefix('-').unwrap_or(number);
            digits.bytes().all(|byte| byte.is_ascii_digit())
        }
        _ => false,
    }
}

fn shown(value: &Json) -> String {
    match value {
        Json::Number(number) => format!("`{}`", Foreign(number.as_str()).cut(40)),
        other => other.kind().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(line: &str) -> String {
        match read(line) {
            Err(answer) => answer.to_text(),
            Ok(message) => panic!("{message:?}"),
        }
    }

    #[test]
    fn what_is_no_message_is_refused_with_its_id_where_it_has_one() {
        for (line, answer) in [
            (
                "{",
                r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"column 2: expected a key in double quotes, found the end of the text"}}"#,
            ),
            (
                "[]",
                r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a message is one object on a line of its own; found an array"}}"#,
            ),
            (
                r#"{"id":1,"id":2,"jsonrpc":"2.0","method":"ping"}"#,
                r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a message is one object on a line of its own; ``: key `id` is given twice"}}"#,
            ),
            (
                r#"{"id":1,"jsonrpc":"2.0","method":"ping","method":"ping"}"#,
                r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"a message is one object on a line of its own; ``: key `method` is given twice"}}"#,
            ),
            (
                r#"{"id":1,"jsonrpc":"2.0","method":"ping","params":{"a":NaN}}"#,
                r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32700,"message":"column 55: `NaN` is not a JSON number"}}"#,
            ),
            (
                r#"{"id":"s","jsonrpc":"2.0","method":"ping","params":{"a":"\ud83d"}}"#,
                r#"{"jsonrpc":"2.0","id":"s","error":{"code":-32600,"message":"column 58: `\\ud83d` is half of a surrogate pair and stands alone"}}"#,
            ),
            (
                r#"{"id":1.5,"jsonrpc":"2.0","method":"ping"}"#,
                r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"`id` is `1.5`, expected a string or a whole number"}}"#,
            ),
            (
                r#"{"id":"a","method":"ping"}"#,
                r#"{"jsonrpc":"2.0","id":"a","error":{"code":-32600,"message":"`jsonrpc` is not \"2.0\""}}"#,
            ),
            (
                r#"{"id":7,"jsonrpc":"2.0"}"#,
                r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"`method` is missing"}}"#,
            ),
            (
                r#"{"id":7,"jsonrpc":"2.0","method":3}"#,
                r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"`method` is a number, expected a string"}}"#,
            ),
            (
                r#"{"id":7,"jsonrpc":"2.0","method":"ping","params":[1]}"#,
                r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"`params` is an array, expected an object"}}"#,
            ),
        ] {
            assert_eq!(refused(line), answer, "{line}");
        }
    }

    #[test]
    fn a_message_that_is_too_deep_is_answered_with_its_id() {
        // The message and `params` are two levels of the 128.
        let line = |levels: usize| {
            let (open, close) = ("[".repeat(levels), "]".repeat(levels));
            format!(r#"{{"jsonrpc":"2.0","method":"ping","params":{{"a":{open}{close}}},"id":8}}"#)
        };
        assert!(matches!(read(&line(126)), Ok(Message::Request(_))));
        assert_eq!(
            refused(&line(127)),
            r#"{"jsonrpc":"2.0","id":8,"error":{"code":-32600,"message":"column 174: arrays and objects are nested more than 128 deep"}}"#
        );
    }

    #[test]
    fn a_key_that_stands_twice_in_the_arguments_is_told_and_the_id_is_known() {
        let line = r#"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"decide","arguments":{"options":{"a":"1","\u0061":"2"}}}}"#;
        let Ok(Message::Request(request)) = read(line) else {
            panic!("no request");
        };
        assert_eq!(request.id.to_text(), "9");
        assert_eq!(
            request.repeated.as_deref(),
            Some("`params.arguments.options`: key `a` is given twice")
        );
    }

    #[test]
    fn an_answer_and_a_notification_want_no_answer() {
        let read = |line| read(line).unwrap();
        assert!(matches!(
            read(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#),
            Message::Answer
        ));
        let notification = read(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        assert!(
            matches!(notification, Message::Notification { method, .. } if method == "notifications/initialized")
        );
    }
}
