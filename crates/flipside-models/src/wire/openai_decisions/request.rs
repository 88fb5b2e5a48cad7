//! Requests as bytes: arrays in the order shown.

use flipside_core::case::{QuestionKind, typed_value};
use flipside_core::foreign::Foreign;
use flipside_core::json::{Json, write_string};
use flipside_core::model::Unsupported;
use flipside_core::present::Presentation;

use super::{input, limits};
use crate::wire::asked::{self, Asked, unsupported};
use crate::wire::systemone::opened;

/// The body that asks `shown`, naming `model` where one is configured.
///
/// Members stand in the order `model, input, questions`, `type, name, instructions, choices` and `value, description`; options and
/// levels stand as shown. A description that is no string goes as its compact JSON text, since the protocol has only strings there.
///
/// # Errors
/// [`Unsupported`] where the protocol has no words for `shown`, or takes less of it.
pub fn request(shown: &Presentation<'_>, model: Option<&str>) -> Result<Vec<u8>, Unsupported> {
    let all = asked::all(shown)?;
    limits::counts(&all)?;
    let mut out = opened(model);
    out.extend_from_slice(b"\"input\":");
    input::write_state(shown.state(), &mut out)?;
    out.extend_from_slice(b",\"questions\":[");
    let typed = shown.case().brought.typed_keys;
    for (place, asked) in all.iter().enumerate() {
        if place > 0 {
            out.push(b',');
        }
        write_question(asked, typed, &mut out)?;
    }
    out.extend_from_slice(b"]}");
    Ok(out)
}

fn write_question(asked: &Asked<'_>, typed: bool, out: &mut Vec<u8>) -> Result<(), Unsupported> {
    let name = Foreign(asked.name).cut(40);
    let kind = match asked.kind {
        QuestionKind::Choice => "choice",
        QuestionKind::Score => "score",
        QuestionKind::Noul => "predicate",
    };
    out.extend_from_slice(format!("{{\"type\":\"{kind}\",\"name\":").as_bytes());
    write_string(asked.name, out);
    out.extend_from_slice(b",\"instructions\":");
    match asked.instructions {
        Some(instructions) => input::write_instructions(instructions, out)?,
        None => {
            return unsupported(format!(
                "OpenAI Decisions takes no question without instructions, `{name}` has none"
            ));
        }
    }
    match asked.kind {
        QuestionKind::Choice => write_choices(asked, typed, out),
        QuestionKind::Score => write_levels(asked, out),
        QuestionKind::Noul if asked.offers.is_empty() => {}
        QuestionKind::Noul => {
            return unsupported(format!(
                "a predicate of OpenAI Decisions has no words for `true` and `false`, question `{name}` describes them"
            ));
        }
    }
    out.push(b'}');
    Ok(())
}

fn write_choices(asked: &Asked<'_>, typed: bool, out: &mut Vec<u8>) {
    out.extend_from_slice(b",\"choices\":[");
    for (place, offer) in asked.offers.iter().enumerate() {
        out.extend_from_slice(if place > 0 {
            b",{\"value\":"
        } else {
            b"{\"value\":"
        });
        if typed {
            typed_value(&offer.key).write(out);
        } else {
            write_string(&offer.key, out);
        }
        if let Some(text) = offer.text.filter(|text| **text != Json::Null) {
            out.extend_from_slice(b",\"description\":");
            write_text(text, out);
        }
        out.push(b'}');
    }
    out.push(b']');
}

/// A level without a text is named by its key.
fn write_levels(asked: &Asked<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(b",\"levels\":[");
    for (place, level) in asked.offers.iter().enumerate() {
        out.extend_from_slice(if place > 0 {
            b",{\"label\":"
        } else {
            b"{\"label\":"
        });
        match level.text {
            Some(text) => write_text(text, out),
            None => write_string(&level.key, out),
        }
        out.push(b'}');
    }
    out.push(b']');
}

fn write_text(text: &Json, out: &mut Vec<u8>) {
    match text {
        Json::String(text) => write_string(text, out),
        other => write_string(&other.to_text(), out),
    }
}
