//! Requests as bytes: options in the order shown, sides always `true` before `false`.

use std::borrow::Cow;

use flipside_core::case::QuestionKind;
use flipside_core::foreign::Foreign;
use flipside_core::json::{self, Json, write_string};
use flipside_core::model::Unsupported;
use flipside_core::present::Presentation;

use super::text;
use crate::wire::asked::{self, Asked, Offer, unsupported};

/// Bytes of a request.
const BYTES: usize = 1_000_000;
/// Questions of a request.
const QUESTIONS: usize = 128;
/// Options, levels and sides of a request together.
const PATHS: usize = 1024;
/// Options of a choice, fewest and most.
const OPTIONS: (usize, usize) = (2, 255);
/// Levels of a score, fewest and most.
const LEVELS: (usize, usize) = (2, 10);
/// What a side says that is not described.
const SIDES: [(&str, &str); 2] = [("true", "TRUE"), ("false", "FALSE")];

/// The body that asks `shown`.
///
/// Members stand in the order `state, questions` and `id, type, question, options`. An option without a description goes with its
/// key as its text, since the service takes none without one.
///
/// # Errors
/// [`Unsupported`] where the service would refuse it.
pub fn request(shown: &Presentation<'_>) -> Result<Vec<u8>, Unsupported> {
    let all = asked::all(shown)?;
    text::check("the state", shown.state())?;
    let most = |most: usize, what: &str, found: usize| {
        if found <= most {
            return Ok(());
        }
        unsupported(format!(
            "AgentJev takes at most {most} {what} in one request, this one has {found}"
        ))
    };
    most(QUESTIONS, "questions", all.len())?;
    let paths = all.iter().map(|asked| match asked.kind {
        QuestionKind::Noul => SIDES.len(),
        QuestionKind::Choice | QuestionKind::Score => asked.offers.len(),
    });
    most(PATHS, "options, levels and sides", paths.sum())?;
    let mut out = Vec::with_capacity(1024);
    out.extend_from_slice(b"{\"state\":");
    shown.state().write(&mut out);
    out.extend_from_slice(b",\"questions\":[");
    for (place, asked) in all.iter().enumerate() {
        if place > 0 {
            out.push(b',');
        }
        write_question(asked, &mut out)?;
    }
    out.extend_from_slice(b"]}");
    most(BYTES, "bytes", out.len())?;
    Ok(out)
}

/// The text of an option: its description, or its key.
pub(super) fn text_of<'a>(offer: &Offer<'a>) -> Cow<'a, Json> {
    match offer.text {
        Some(text) => Cow::Borrowed(text),
        None => Cow::Owned(Json::String(offer.key.clone().into_owned())),
    }
}

fn write_question(asked: &Asked<'_>, out: &mut Vec<u8>) -> Result<(), Unsupported> {
    let name = Foreign(asked.name).cut(40);
    let kind = match asked.kind {
        QuestionKind::Choice => "choice",
        QuestionKind::Score => "score",
        QuestionKind::Noul => "boolean",
    };
    if asked.name.is_empty() {
        return unsupported("AgentJev takes no question without a name");
    }
    let Some(instructions) = asked.instructions else {
        return unsupported(format!(
            "AgentJev takes no question without instructions, `{name}` has none"
        ));
    };
    text::check(&format!("what question `{name}` asks"), instructions)?;
    out.extend_from_slice(b"{\"id\":");
    write_string(asked.name, out);
    out.extend_from_slice(format!(",\"type\":\"{kind}\",\"question\":").as_bytes());
    instructions.write(out);
    match asked.kind {
        QuestionKind::Choice => {
            counted(asked, &name, OPTIONS, "options")?;
            distinct(asked, &name, "options")?;
            out.extend_from_slice(b",\"options\":{");
            for (place, offer) in asked.offers.iter().enumerate() {
                if offer.key.is_empty() {
                    return unsupported(format!(
                        "AgentJev takes no empty key, question `{name}` has one"
                    ));
                }
                keyed(place, &offer.key, &text_of(offer), out);
            }
            out.push(b'}');
        }
        QuestionKind::Score => {
            counted(asked, &name, LEVELS, "levels")?;
            distinct(asked, &name, "levels")?;
            out.extend_from_slice(b",\"levels\":[");
            for (place, level) in asked.offers.iter().enumerate() {
                if place > 0 {
                    out.push(b',');
                }
                text_of(level).write(out);
            }
            out.push(b']');
        }
        QuestionKind::Noul => write_sides(asked, &name, out)?,
    }
    out.push(b'}');
    Ok(())
}

fn write_sides(asked: &Asked<'_>, name: &str, out: &mut Vec<u8>) -> Result<(), Unsupported> {
    let mut said: Vec<(&str, &Json)> = Vec::new();
    let mut texts = Vec::new();
    for (key, unsaid) in SIDES {
        let side = asked.offers.iter().find(|side| side.key == key);
        let text = side.and_then(|side| side.text);
        if let Some(text) = text {
            text::check(&format!("`{key}` of question `{name}`"), text)?;
            said.push((key, text));
        }
        texts.push(text.map_or(Cow::Borrowed(unsaid), text::rendered));
    }
    if texts[0] == texts[1] {
        return same(name, "`true` and `false`");
    }
    if said.is_empty() {
        return Ok(());
    }
    out.extend_from_slice(b",\"criteria\":{");
    for (place, (key, text)) in said.into_iter().enumerate() {
        keyed(place, key, text, out);
    }
    out.push(b'}');
    Ok(())
}

fn keyed(place: usize, key: &str, text: &Json, out: &mut Vec<u8>) {
    if place > 0 {
        out.push(b',');
    }
    write_string(key, out);
    out.push(b':');
    text.write(out);
}

fn counted(
    asked: &Asked<'_>,
    name: &str,
    (least, most): (usize, usize),
    what: &str,
) -> Result<(), Unsupported> {
    let found = asked.offers.len();
    if (least..=most).contains(&found) {
        return Ok(());
    }
    unsupported(format!(
        "AgentJev takes {least} to {most} {what}, question `{name}` has {found}"
    ))
}

fn distinct(asked: &Asked<'_>, name: &str, what: &str) -> Result<(), Unsupported> {
    let texts: Vec<Cow<'_, Json>> = asked.offers.iter().map(text_of).collect();
    for (offer, text) in asked.offers.iter().zip(&texts) {
        let key = Foreign(&offer.key).cut(40);
        text::check(&format!("the text of `{key}` in question `{name}`"), text)?;
    }
    let rendered: Vec<Cow<'_, str>> = texts.iter().map(|text| text::rendered(text)).collect();
    match json::first_duplicate(rendered.iter().map(|text| &**text)) {
        Some(_) => same(name, &format!("two {what}")),
        None => Ok(()),
    }
}

fn same<T>(name: &str, what: &str) -> Result<T, Unsupported> {
    unsupported(format!(
        "{what} of question `{name}` have one text, and the model of AgentJev sees nothing else of them"
    ))
}
