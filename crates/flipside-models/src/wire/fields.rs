//! Members of reply objects, each with the rule that it breaks where it is something else.

use flipside_core::answer::quoted;
use flipside_core::json::{Json, Object};
use flipside_core::model::Rejection;

pub(super) fn malformed(rule: &'static str, message: String) -> Rejection {
    Rejection::Malformed { rule, message }
}

/// The object that `value` has to be; `what` it is, such as `an answer`.
pub(super) fn object<'r>(value: &'r Json, what: &str) -> Result<&'r Object, Rejection> {
    value.as_object().ok_or_else(|| {
        let found = quoted(value);
        malformed(
            "answer-shape",
            format!("{what} is {found}, expected an object"),
        )
    })
}

/// The array under `member`.
pub(super) fn listed<'r>(
    of: &'r Object,
    member: &str,
    owner: &str,
) -> Result<&'r [Json], Rejection> {
    match of.get(member) {
        Some(Json::Array(items)) => Ok(items),
        Some(other) => Err(malformed(
            "answer-shape",
            format!("`{member}` is {}, expected an array", quoted(other)),
        )),
        None => Err(malformed(
            "answer-shape",
            format!("{owner} has no `{member}`"),
        )),
    }
}

/// V5: the number under `member`, and not a text that looks like one.
pub(super) fn required(of: &Object, member: &str) -> Result<f64, Rejection> {
    match optional(of, member)? {
        Some(number) => Ok(number),
        None => Err(malformed("number", format!("the answer has no `{member}`"))),
    }
}

/// The number under `member`, where there is one.
pub(super) fn optional(of: &Object, member: &str) -> Result<Option<f64>, Rejection> {
    match of.get(member) {
        None | Some(Json::Null) => Ok(None),
        Some(value) => number(value, member).map(Some),
    }
}

/// `value` as a number; `member` is what a message calls it.
pub(super) fn number(value: &Json, member: &str) -> Result<f64, Rejection> {
    match value {
        Json::Number(number) => number.to_f64().ok_or_else(|| {
            let text = number.as_str();
            malformed(
                "number",
                format!("`{member}` is {text}, which is too large"),
            )
        }),
        other => Err(malformed(
            "number",
            format!("`{member}` is {}, expected a number", quoted(other)),
        )),
    }
}

/// A count as a number.
#[expect(
    clippy::cast_precision_loss,
    reason = "counts of levels and tokens are far below 2^52"
)]
pub(super) fn finite(count: usize) -> f64 {
    count as f64
}
