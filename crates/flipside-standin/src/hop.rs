//! A hop before the server that rebuilds requests out of the fields that it knows, as some gateways do.

use std::borrow::Cow;

use crate::dialect::Dialect;
use crate::json::{Json, Member, Reader, write_text};

/// What such a hop knows of a System One body, of each question in it, of one with arrays, and of what language models are asked.
const SYSTEM_ONE: [&str; 3] = ["model", "state", "questions"];
const QUESTION: [&str; 3] = ["type", "instructions", "criteria"];
const LISTED: [&str; 4] = ["model", "input", "state", "questions"];
const LANGUAGE: [&str; 10] = [
    "model",
    "messages",
    "prompt",
    "system",
    "max_tokens",
    "max_completion_tokens",
    "temperature",
    "stream",
    "options",
    "n_predict",
];

/// `body` as such a hop passes it on; as it is where it is no JSON object.
pub(crate) fn known_fields(body: &[u8], dialect: Dialect) -> Cow<'_, [u8]> {
    let whole = Cow::Borrowed(body);
    let Some(node) = std::str::from_utf8(body)
        .ok()
        .and_then(|text| Reader::new(text).node().ok())
    else {
        return whole;
    };
    let Json::Object(members) = node.json else {
        return whole;
    };
    let (known, by_name): (&[&str], bool) = match dialect {
        Dialect::Language(_) => (&LANGUAGE, false),
        _ if dialect.is_listed() => (&LISTED, false),
        _ => (&SYSTEM_ONE, true),
    };
    let mut out = Vec::with_capacity(body.len());
    object(
        &members,
        Some(known),
        &mut out,
        |member, out| match &member.node.json {
            Json::Object(questions) if by_name && member.key == "questions" => {
                object(questions, None, out, |question, out| {
                    match &question.node.json {
                        Json::Object(fields) => object(fields, Some(&QUESTION), out, as_it_is),
                        _ => as_it_is(question, out),
                    }
                });
            }
            _ => as_it_is(member, out),
        },
    );
    Cow::Owned(out)
}

fn as_it_is(member: &Member<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(member.node.raw.as_bytes());
}

/// The members of those names, or all of them, in their order.
fn object(
    members: &[Member<'_>],
    known: Option<&[&str]>,
    out: &mut Vec<u8>,
    value: impl Fn(&Member<'_>, &mut Vec<u8>),
) {
    out.push(b'{');
    let kept = |member: &&Member<'_>| known.is_none_or(|known| known.contains(&&*member.key));
    for (place, member) in members.iter().filter(kept).enumerate() {
        if place > 0 {
            out.push(b',');
        }
        write_text(out, &member.key);
        out.push(b':');
        value(member, out);
    }
    out.push(b'}');
}

#[cfg(test)]
mod tests {
    use super::known_fields;
    use crate::dialect::Dialect;
    use crate::language::Language;

    fn passed(body: &str, dialect: Dialect) -> String {
        String::from_utf8(known_fields(body.as_bytes(), dialect).into_owned()).expect("text")
    }

    #[test]
    fn what_the_hop_does_not_know_is_gone_and_all_else_stays_in_its_order() {
        let body = r#"{"max_len":9,"questions":{"q":{"option_order":[1,0],"criteria":{"zeta":1.10,"10":null},"type":"choice"},"r":7},"state":"s"}"#;
        let kept = r#"{"questions":{"q":{"criteria":{"zeta":1.10,"10":null},"type":"choice"},"r":7},"state":"s"}"#;
        assert_eq!(passed(body, Dialect::Laya), kept);
        let body = r#"{"model":"m","logprobs":true,"top_logprobs":20,"temperature":0,"messages":[{"role":"user","name":"n","content":"x"}]}"#;
        let kept = r#"{"model":"m","temperature":0,"messages":[{"role":"user","name":"n","content":"x"}]}"#;
        assert_eq!(passed(body, Dialect::Language(Language::Chat)), kept);
        let body = r#"{"input":"s","questions":[{"name":"q","odd":1}],"user":"u"}"#;
        let kept = r#"{"input":"s","questions":[{"name":"q","odd":1}]}"#;
        assert_eq!(passed(body, Dialect::OpenaiDecisions), kept);
        for body in ["[1]", "{", "\u{e9}"] {
            assert_eq!(passed(body, Dialect::Laya), body);
        }
    }
}
