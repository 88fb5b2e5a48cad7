//! From what the canary heard to what that says.

use super::ask::{Content, INTEGERS, PLAIN, Question, Turn, alike};
use super::finding::{Canary, CutTexts, OrderFinding};
use crate::answer::Answer;
use crate::order::OptionId;

/// How far apart two preferences of places may lie and still be one: what a model reads into keys moves them a little.
const SAME_PREFERENCE: f64 = 0.01;
/// Preferences flatter than this are those of a model that prefers no place.
const PREFERENCE: f64 = 0.1;

/// What was heard on one question of the canary.
#[derive(Clone, Debug, PartialEq)]
pub struct Heard {
    /// The question.
    pub question: Question,
    /// The chosen option; `None` if the model did not decide.
    pub choice: Option<OptionId>,
    /// Probabilities by identity as received; `None` if the model gave none.
    pub probabilities: Option<Vec<f64>>,
    /// The server's id for the request, if it gave one.
    pub request_id: Option<String>,
    /// Whether the backend says that all input tokens came out of its cache.
    pub all_cached: bool,
}

impl Heard {
    /// What `answer` says on `question`.
    pub fn new(question: Question, answer: &Answer, request_id: Option<&str>) -> Self {
        let usage = &answer.usage;
        Self {
            question,
            choice: answer.choice,
            probabilities: answer.probabilities.clone(),
            request_id: request_id.map(str::to_owned),
            all_cached: usage.input_tokens.is_some_and(|all| all > 0)
                && usage.cached_tokens >= usage.input_tokens,
        }
    }
}

/// Whether two answers differ in their choice or in any number as reported.
pub(super) fn moved(a: &Heard, b: &Heard) -> bool {
    a.choice != b.choice || a.probabilities != b.probabilities
}

/// What was heard says, or why the canary ended before it was done.
pub fn judge(heard: &[Heard], failed: Option<String>) -> Canary {
    let (order, why) = match order(heard) {
        Some(found) => found,
        None => (OrderFinding::NotKnown, failed),
    };
    Canary {
        order,
        why,
        cut_texts: cut_texts(heard),
        asks: heard.len() as u64,
    }
}

/// What is known about order, and why; `None` as long as too little was heard.
fn order(heard: &[Heard]) -> Option<(OrderFinding, Option<String>)> {
    let find = |content, turn, again| {
        let mut all = heard.iter();
        all.find(|each| {
            each.question
                == Question {
                    content,
                    turn,
                    again,
                }
        })
    };
    let not_known = |why: &str| Some((OrderFinding::NotKnown, Some(why.to_owned())));
    let own = find(Content::Plain, Turn::Own, false)?;
    let again = find(Content::Plain, Turn::Own, true);
    if again.is_some_and(|again| moved(own, again)) {
        return not_known(
            "the same request brought another answer, so that equal answers tell nothing",
        );
    }
    let turned = find(Content::Plain, Turn::Turned, false)?;
    let integers = [Turn::Own, Turn::Turned].map(|turn| find(Content::Integers, turn, false));
    let [Some(integers), Some(integers_turned)] = integers else {
        return None;
    };
    let integers_move = moved(integers, integers_turned);
    let plain_move = again.is_some() || moved(own, turned);
    match (plain_move, integers_move) {
        (true, true) => return Some((OrderFinding::Arrives, None)),
        (true, false) => return Some((OrderFinding::IntegerKeys, None)),
        (false, true) => {
            return not_known(
                "order moved answers under keys that look like integers and under no others",
            );
        }
        (false, false) => {}
    }
    if let Some(why) = of_cache(&[own, turned], &[integers, integers_turned]) {
        return Some((OrderFinding::Cached, Some(why.to_owned())));
    }
    if own.probabilities.is_none() {
        return not_known("the same option in every order, and no probabilities to tell by");
    }
    let by = |rank: fn(&[f64], Content) -> Vec<f64>| {
        let of = |heard: &Heard| Some(rank(heard.probabilities.as_ref()?, heard.question.content));
        of(own)
            .zip(of(integers))
            .is_some_and(|(a, b)| one_preference(&a, &b))
    };
    Some(if by(by_sorted_key) {
        (OrderFinding::Sorted, None)
    } else if by(as_first_sent) {
        let why = "every order brought what the place of each option in the first one asked for";
        (OrderFinding::Cached, Some(why.to_owned()))
    } else {
        (OrderFinding::Unmoved, None)
    })
}

/// What the backend itself says of a cache, of requests that differ in their order.
fn of_cache(plain: &[&Heard; 2], integers: &[&Heard; 2]) -> Option<&'static str> {
    let id = |heard: &Heard| heard.request_id.clone();
    let repeated = |[a, b]: &[&Heard; 2]| id(a).is_some() && id(a) == id(b);
    // An id that never changes is the server's and not the request's.
    if repeated(plain) && repeated(integers) && id(plain[0]) != id(integers[0]) {
        return Some("requests in other orders came back with one request id");
    }
    let served = |[first, other]: &[&Heard; 2]| !first.all_cached && other.all_cached;
    (served(plain) && served(integers))
        .then_some("all input tokens of a request in a new order came out of the cache")
}

/// Probabilities by the place of each key in sorted order.
fn by_sorted_key(probabilities: &[f64], content: Content) -> Vec<f64> {
    let keys = match content {
        Content::Integers => INTEGERS,
        _ => PLAIN,
    };
    let mut ids: Vec<usize> = (0..probabilities.len()).collect();
    ids.sort_by_key(|id| keys[*id]);
    ids.into_iter().map(|id| probabilities[id]).collect()
}

/// Probabilities by the place of each option in the order that was asked first, which is that of identities.
fn as_first_sent(probabilities: &[f64], _: Content) -> Vec<f64> {
    probabilities.to_vec()
}

/// Whether two lists by place are one preference of places, and one at all.
fn one_preference(a: &[f64], b: &[f64]) -> bool {
    let spread = |p: &[f64]| {
        let (low, high) = p.iter().fold((f64::MAX, f64::MIN), |(low, high), p| {
            (low.min(*p), high.max(*p))
        });
        high - low
    };
    spread(a) >= PREFERENCE
        && a.len() == b.len()
        && a.iter()
            .zip(b)
            .all(|(a, b)| (a - b).abs() <= SAME_PREFERENCE)
}

/// Option texts of which the end changes nothing, where the whole text does.
fn cut_texts(heard: &[Heard]) -> Option<CutTexts> {
    let (texts, length) = heard.iter().find_map(|each| match each.question.content {
        Content::Texts(length) => Some((each, length)),
        _ => None,
    })?;
    let of = |content| heard.iter().find(|each| each.question.content == content);
    let (ends, others) = (
        of(Content::OtherEnds(length))?,
        of(Content::OtherTexts(length))?,
    );
    (!moved(texts, ends) && moved(texts, others)).then(|| CutTexts {
        characters: length as u64,
        alike: alike(length) as u64,
    })
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
