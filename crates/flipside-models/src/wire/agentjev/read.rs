//! Replies: answers by question id, distributions by key or place.

use flipside_core::answer::{
    Answer, QUOTED, Reported, ReportedScore, Usage, choice as pick, confidence, every_level, noul,
    quoted, score as scored,
};
use flipside_core::case::QuestionKind;
use flipside_core::foreign::Foreign;
use flipside_core::json::{Json, Object};
use flipside_core::model::Rejection;
use flipside_core::present::Presentation;

use crate::wire::fields::{listed, malformed, number, object, optional, required};
use crate::wire::systemone::{backend, parsed, served_model};

/// The version that we read.
const VERSION: &str = "agentjev.decision.v1";
/// How far a stated figure may lie from that of the distribution: it is printed from single precision.
const TOLERANCE: f64 = 1e-3;

/// The answer to `shown` in a reply body.
///
/// # Errors
/// [`Rejection::Malformed`] naming the rule that is broken, [`Rejection::Backend`] for a body that is an error.
pub fn read(shown: &Presentation<'_>, body: &str) -> Result<Answer, Rejection> {
    let reply = parsed(body)?;
    if let Some(error) = reply.get("error").filter(|error| **error != Json::Null) {
        return Err(backend(&reply, error));
    }
    if let Some(found) = reply.get("api_version")
        && found.as_str() != Some(VERSION)
    {
        let found = quoted(found);
        return Err(malformed(
            "api-version",
            format!("`api_version` is {found}, expected `{VERSION}`"),
        ));
    }
    let results = listed(&reply, "results", "the reply")?;
    let [result] = results else {
        let found = results.len();
        return Err(malformed(
            "results",
            format!("{found} results came for 1 state"),
        ));
    };
    let own = own_answer(shown, object(result, "the result")?)?;
    let mut answer = one(shown, own)?;
    if shown.case().question.kind == QuestionKind::Choice {
        unsaid(shown, &mut answer.remarks);
    }
    answer.served_model = served_model(&reply, &mut answer.remarks).map(Into::into);
    answer.usage = usage(&reply, &mut answer.remarks).into();
    Ok(answer)
}

/// V3: an answer for exactly each question asked, by its id. Returns that of the case's own question.
fn own_answer<'r>(shown: &Presentation<'_>, result: &'r Object) -> Result<&'r Object, Rejection> {
    let question = &shown.case().question;
    let beside = || question.before.iter().chain(&question.after);
    let names: Vec<&str> = std::iter::once(question.name.as_str())
        .chain(beside().map(|(name, _)| name.as_str()))
        .collect();
    let mut found: Vec<Option<&Object>> = vec![None; names.len()];
    for answer in listed(result, "answers", "the result")? {
        let answer = object(answer, "an answer")?;
        let id = answer.get("id").unwrap_or(&Json::Null);
        let place = names.iter().position(|name| id.as_str() == Some(*name));
        match place.map(|place| &mut found[place]) {
            Some(known @ None) => *known = Some(answer),
            Some(Some(_)) => {
                let id = quoted(id);
                return Err(malformed(
                    "answer-extra",
                    format!("two answers have the id {id}"),
                ));
            }
            None => {
                let id = quoted(id);
                return Err(malformed(
                    "answer-extra",
                    format!("an answer has the id {id}, which was not asked"),
                ));
            }
        }
    }
    if let Some(missing) = found.iter().position(Option::is_none) {
        let name = Foreign(names[missing]).cut(QUOTED);
        return Err(malformed(
            "answer-missing",
            format!("no answer for question `{name}`"),
        ));
    }
    Ok(found[0].expect("every question's answer was found"))
}

fn one(shown: &Presentation<'_>, given: &Object) -> Result<Answer, Rejection> {
    let kind = shown.case().question.kind;
    let asked = match kind {
        QuestionKind::Choice => "choice",
        QuestionKind::Score => "score",
        QuestionKind::Noul => "boolean",
    };
    let found = given.get("type").unwrap_or(&Json::Null);
    if found.as_str() != Some(asked) {
        let found = quoted(found);
        return Err(malformed(
            "answer-type",
            format!("the answer has the type {found}, the question `{asked}`"),
        ));
    }
    match kind {
        QuestionKind::Choice => choice(shown, given),
        QuestionKind::Score => score(shown, given),
        QuestionKind::Noul => boolean(shown, given),
    }
}

fn choice(shown: &Presentation<'_>, given: &Object) -> Result<Answer, Rejection> {
    let chosen = match given.get("value") {
        Some(Json::String(chosen)) => chosen.as_str(),
        Some(other) => {
            let found = quoted(other);
            return Err(malformed(
                "choice",
                format!("`value` is {found}, expected a string"),
            ));
        }
        None => return Err(malformed("choice", "the answer has no `value`".to_owned())),
    };
    let probabilities = match given.get("distribution") {
        None | Some(Json::Null) => None,
        Some(_) => Some(distribution(given)?),
    };
    let mut answer = pick(
        shown,
        &Reported {
            choice: Some(chosen),
            probabilities,
            confidence: None,
        },
    )?;
    let (top, margin) = (
        optional(given, "top_probability")?,
        optional(given, "margin")?,
    );
    let order = shown.order();
    let ours = answer.offered(order).and_then(|all| confidence(&all));
    let Some(ours) = ours else {
        return Ok(answer);
    };
    let mut fits = |name: &str, stated: f64, ours: f64| {
        let fits = (stated - ours).abs() <= TOLERANCE + answer.rounding;
        if !fits {
            let remark = format!("`{name}` is {stated}, the distribution's is {ours:.4}");
            answer.remarks.push(remark);
        }
        fits
    };
    if let Some(top) = top {
        fits("top_probability", top, ours.top);
    }
    if let (Some(stated), Some(ours)) = (margin, ours.margin)
        && fits("margin", stated, ours)
    {
        answer.backend_confidence = Some(stated);
    }
    Ok(answer)
}

fn score(shown: &Presentation<'_>, given: &Object) -> Result<Answer, Rejection> {
    let levels = shown.len();
    let mut probabilities = vec![f64::NAN; levels];
    for (key, p) in distribution(given)? {
        let place = key.parse::<usize>().ok();
        let place = place.filter(|place| *place < levels && place.to_string() == key);
        let Some(place) = place else {
            let key = Foreign(key).cut(QUOTED);
            let last = levels.saturating_sub(1);
            return Err(malformed(
                "score-keys",
                format!("`distribution` has the level `{key}`, expected \"0\" to \"{last}\""),
            ));
        };
        probabilities[place] = p;
    }
    every_level(&probabilities)?;
    let reported = ReportedScore {
        score: required(given, "score")?,
        probabilities,
        confidence: None,
    };
    scored(shown, &reported)
}

fn boolean(shown: &Presentation<'_>, given: &Object) -> Result<Answer, Rejection> {
    let p = required(given, "probability")?;
    if let Some(Json::Bool(value)) = given.get("value")
        && *value != (p >= 0.5)
        && (p - 0.5).abs() > TOLERANCE
    {
        return Err(malformed(
            "choice-not-peak",
            format!("the reply says {value} with probability {p} of `true`"),
        ));
    }
    if matches!(given.get("distribution"), Some(Json::Object(_))) {
        for (key, stated) in distribution(given)? {
            let ours = match key {
                "true" => p,
                "false" => 1.0 - p,
                other => {
                    let key = Foreign(other).cut(QUOTED);
                    return Err(malformed(
                        "probability-keys",
                        format!("a probability for `{key}`, expected `true` and `false`"),
                    ));
                }
            };
            if (stated - ours).abs() > TOLERANCE {
                return Err(malformed(
                    "probability-sum",
                    format!("`{key}` has the probability {stated}, `probability` makes it {ours}"),
                ));
            }
        }
    }
    noul(shown, p, None)
}

fn distribution(given: &Object) -> Result<Vec<(&str, f64)>, Rejection> {
    match given.get("distribution") {
        Some(Json::Object(members)) => members
            .members()
            .iter()
            .map(|(key, value)| Ok((key.as_str(), number(value, key)?)))
            .collect(),
        Some(other) => {
            let found = quoted(other);
            Err(malformed(
                "answer-shape",
                format!("`distribution` is {found}, expected an object"),
            ))
        }
        None => Err(malformed(
            "answer-shape",
            "the answer has no `distribution`".to_owned(),
        )),
    }
}

/// Says which options went with their keys as texts.
fn unsaid(shown: &Presentation<'_>, remarks: &mut Vec<String>) {
    let unsaid: Vec<_> = shown.options().filter(|o| o.text.is_none()).collect();
    let Some(first) = unsaid.first() else {
        return;
    };
    let key = Foreign(&first.key.0).cut(QUOTED);
    remarks.push(match unsaid.len() {
        1 => format!("option `{key}` has no text, so its key was sent as one"),
        n => format!(
            "`{key}` and {} more options have no text, so their keys were sent",
            n - 1
        ),
    });
}

/// Tokens as the service counts them. It says how many inputs it cut short, which it claims never to do.
fn usage(reply: &Object, remarks: &mut Vec<String>) -> Usage {
    let Some(Json::Object(given)) = reply.get("usage") else {
        return Usage::default();
    };
    let mut count = |member: &str| {
        let value = given.get(member).filter(|value| **value != Json::Null)?;
        let count = match value {
            Json::Number(number) => number.to_u64(),
            _ => None,
        };
        if count.is_none() {
            let found = quoted(value);
            remarks.push(format!(
                "`usage.{member}` is {found}, expected a whole number"
            ));
        }
        count
    };
    let usage = Usage {
        input_tokens: count("input_path_tokens"),
        output_tokens: count("generated_tokens"),
        ..Usage::default()
    };
    match count("truncated_inputs") {
        None | Some(0) => {}
        Some(1) => remarks.push("the server cut 1 input short".to_owned()),
        Some(cut) => remarks.push(format!("the server cut {cut} inputs short")),
    }
    usage
}
