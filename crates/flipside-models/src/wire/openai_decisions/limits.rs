//! What `OpenAI` Decisions refuses, refused before anything is sent.

use flipside_core::case::QuestionKind;
use flipside_core::foreign::Foreign;
use flipside_core::json::Json;
use flipside_core::model::Unsupported;

use crate::wire::asked::{Asked, unsupported};

/// Questions of a request.
const QUESTIONS: usize = 400;
/// Choices of a question, fewest and most.
const CHOICES: (usize, usize) = (2, 255);
/// Levels of a question, fewest and most.
const LEVELS: (usize, usize) = (2, 10);
/// Containers within containers of a JSON part.
const DEPTH: usize = 32;
/// Values of a JSON part, containers among them.
const VALUES: usize = 10_000;
/// Bytes of a JSON part, compact.
const BYTES: usize = 256 * 1024;

/// Checks how many questions, choices and levels are asked.
pub(super) fn counts(all: &[Asked<'_>]) -> Result<(), Unsupported> {
    if all.len() > QUESTIONS {
        let found = all.len();
        return unsupported(format!(
            "OpenAI Decisions takes at most {QUESTIONS} questions in one request, this one has {found}"
        ));
    }
    for asked in all {
        let ((least, most), what) = match asked.kind {
            QuestionKind::Choice => (CHOICES, "choices"),
            QuestionKind::Score => (LEVELS, "levels"),
            QuestionKind::Noul => continue,
        };
        let found = asked.offers.len();
        if !(least..=most).contains(&found) {
            let name = Foreign(asked.name).cut(40);
            return unsupported(format!(
                "OpenAI Decisions takes {least} to {most} {what}, question `{name}` has {found}"
            ));
        }
    }
    Ok(())
}

/// Checks a value that goes as a JSON part; `what` it is, with its verb, such as `the state has`.
pub(super) fn part(what: &str, value: &Json) -> Result<(), Unsupported> {
    let (depth, values) = extent(value);
    let bytes = value.to_text().len();
    for (limit, found, unit) in [
        (DEPTH, depth, "levels"),
        (VALUES, values, "values"),
        (BYTES, bytes, "bytes"),
    ] {
        if found > limit {
            return unsupported(format!(
                "OpenAI Decisions takes a JSON part of at most {limit} {unit}, {what} {found}"
            ));
        }
    }
    Ok(())
}

/// How many containers stand inside each other at most, and how many values there are.
fn extent(value: &Json) -> (usize, usize) {
    let within = |values: &mut dyn Iterator<Item = &Json>| {
        values
            .map(extent)
            .fold((0, 0), |(deepest, all), (depth, count)| {
                (deepest.max(depth), all + count)
            })
    };
    let (depth, values) = match value {
        Json::Array(items) => within(&mut items.iter()),
        Json::Object(object) => within(&mut object.members().iter().map(|(_, value)| value)),
        _ => return (0, 1),
    };
    (depth + 1, values + 1)
}
