//! Replies as the controls write them.

use std::io::Write;

use flipside_core::case::QuestionKind;
use flipside_core::json::write_string;
use flipside_core::present::Presentation;

/// What a control gives as its answer, by positions as shown.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Given<'a> {
    /// A pick with probabilities.
    Pick {
        place: usize,
        probabilities: &'a [f64],
    },
    /// No decision.
    Abstention,
}

/// The System One reply with this answer. Sibling questions are answered `unsupported`.
pub(crate) fn reply(shown: &Presentation<'_>, model: &str, given: Given<'_>) -> String {
    let mut out = Vec::with_capacity(128 + 32 * shown.len());
    out.extend_from_slice(b"{\"model\":");
    write_string(model, &mut out);
    out.extend_from_slice(b",\"answers\":{");
    let question = &shown.case().question;
    write_string(&question.name, &mut out);
    match given {
        Given::Abstention => out.extend_from_slice(b":{\"type\":\"abstention\"}"),
        Given::Pick {
            place,
            probabilities,
        } => {
            out.push(b':');
            match question.kind {
                QuestionKind::Choice => write_choice(shown, place, probabilities, &mut out),
                QuestionKind::Score => write_score(shown, probabilities, &mut out),
                QuestionKind::Noul => write_noul(shown, probabilities, &mut out),
            }
        }
    }
    for (name, _) in question.before.iter().chain(&question.after) {
        out.push(b',');
        write_string(name, &mut out);
        out.extend_from_slice(b":{\"type\":\"unsupported\"}");
    }
    out.extend_from_slice(b"}}");
    String::from_utf8(out).expect("strings are UTF-8 and everything else is ASCII")
}

fn write_choice(shown: &Presentation<'_>, place: usize, probabilities: &[f64], out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"type\":\"choice\",\"choice\":");
    if let Some(option) = shown.options().nth(place) {
        write_string(&option.key.0, out);
    }
    out.extend_from_slice(b",\"probabilities\":{");
    for (place, (option, p)) in shown.options().zip(probabilities).enumerate() {
        if place > 0 {
            out.push(b',');
        }
        write_string(&option.key.0, out);
        out.push(b':');
        write_number(*p, out);
    }
    out.extend_from_slice(b"}}");
}

fn write_score(shown: &Presentation<'_>, probabilities: &[f64], out: &mut Vec<u8>) {
    #[expect(
        clippy::cast_precision_loss,
        reason = "level counts are far below 2^52"
    )]
    let score = probabilities
        .iter()
        .enumerate()
        .map(|(place, p)| place as f64 * p)
        .sum();
    out.extend_from_slice(b"{\"type\":\"score\",\"score\":");
    write_number(score, out);
    out.extend_from_slice(b",\"legend\":{");
    for (place, level) in shown.options().enumerate() {
        let comma = if place > 0 { "," } else { "" };
        put(out, format_args!("{comma}\"{place}\":"));
        match level.text {
            Some(text) => text.write(out),
            None => write_string(&level.key.0, out),
        }
    }
    out.extend_from_slice(b"},\"probabilities\":{");
    for (place, p) in probabilities.iter().enumerate() {
        let comma = if place > 0 { "," } else { "" };
        put(out, format_args!("{comma}\"{place}\":{p}"));
    }
    out.extend_from_slice(b"}}");
}

fn write_noul(shown: &Presentation<'_>, probabilities: &[f64], out: &mut Vec<u8>) {
    let p = shown
        .at_key("true")
        .map_or(0.5, |yes| probabilities[yes.position.index()]);
    out.extend_from_slice(b"{\"type\":\"noul\",\"noul\":");
    write_number(p, out);
    out.push(b'}');
}

/// The shortest text that reads back as the same double; it has no exponent, so it is JSON.
fn write_number(value: f64, out: &mut Vec<u8>) {
    put(out, format_args!("{value}"));
}

fn put(out: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to memory cannot fail");
}
