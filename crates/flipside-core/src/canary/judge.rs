//! From what the canary heard to what that says.

use super::ask::{Content, Question, Turn, alike, changed_ends, found};
use super::effect::misses_integers;
use super::finding::{Canary, CutTexts, OrderFinding};
use crate::answer::{Answer, FLOAT_NOISE};
use crate::order::OptionId;

/// How far apart two preferences of places may lie and still be one: what a model reads into keys moves them a little.
const SAME_PREFERENCE: f64 = 0.01;
/// Preferences flatter than this are those of a model that prefers no place.
const PREFERENCE: f64 = 0.1;
/// Sets of keys under which answers must follow sorted keys. A model that is sure of one of four keys by a hash of them follows the
/// rank that it chose in the first set through all others by a chance of 1 in 4^4, 0.4 %.
const SORTED_SETS: usize = 5;
/// Sets of keys under which answers must follow the first order sent: by chance 1 in 4^7.
const CACHED_SETS: usize = 8;

const IGNORED: &str = "the server, or a hop before it, ignores `option_order`: under every set of keys answers follow the places of the options in the object";
const MAY_IGNORE: &str = "equivariant, or the server or a hop before it ignores `option_order`";

/// What carries option order to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// The order of the members of an object, which a layer on the way may change.
    Members,
    /// A field beside an object of which the members never move; a server may not know it.
    Beside,
}

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

/// Whether probabilities of one question in several orders differ by more than the noise of arithmetic.
pub fn differ(by_order: &[Vec<f64>]) -> bool {
    let apart = |other: &Vec<f64>, first: &Vec<f64>| {
        other
            .iter()
            .zip(first)
            .any(|(a, b)| (a - b).abs() > FLOAT_NOISE)
    };
    by_order
        .split_first()
        .is_some_and(|(first, others)| others.iter().any(|other| apart(other, first)))
}

/// What was heard of a model to which order travels in `carrier` says, or why the canary ended before it was done.
pub fn judge(heard: &[Heard], failed: Option<String>, carrier: Carrier) -> Canary {
    let (order, why) = match order(heard, carrier) {
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
fn order(heard: &[Heard], carrier: Carrier) -> Option<(OrderFinding, Option<String>)> {
    let find = |content, turn, again| found(heard, content, turn, again);
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
        (true, false) if misses_integers(&[own, turned], &[integers, integers_turned]) => {
            return Some((OrderFinding::IntegerKeys, None));
        }
        (true, false) => {
            return not_known(
                "order moved answers under plain keys, and too little to miss it under keys that look like integers",
            );
        }
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
    let sets = sets(heard);
    if carrier == Carrier::Beside {
        let places = sets.len() >= CACHED_SETS && follow(&sets, as_first_sent);
        let why = if places { IGNORED } else { MAY_IGNORE };
        return Some((OrderFinding::Unmoved, Some(why.to_owned())));
    }
    // Equal answers in every order are those of a model that does not care, unless they follow places under so many sets of keys
    // that chance does not explain it.
    if follow(&sets, by_sorted_key) {
        return (sets.len() >= SORTED_SETS).then_some((OrderFinding::Sorted, None));
    }
    if follow(&sets, as_first_sent) {
        let why = "under every set of keys every order brought what the place of each option in the first one asked for";
        return (sets.len() >= CACHED_SETS).then(|| (OrderFinding::Cached, Some(why.to_owned())));
    }
    Some((OrderFinding::Unmoved, None))
}

/// The number of the further set of keys that settles whether answers follow places by chance; `None` where nothing is in doubt.
///
/// `heard` holds every order of plain keys and of those that look like integers that was to be asked.
pub(super) fn doubted(heard: &[Heard]) -> Option<usize> {
    let moves = heard.iter().any(|one| {
        let same_keys = |other: &&Heard| other.question.content == one.question.content;
        heard
            .iter()
            .filter(same_keys)
            .any(|other| moved(one, other))
    });
    let sets = sets(heard);
    let open = |wanted: usize, rank| sets.len() < wanted && follow(&sets, rank);
    let doubt = !moves && (open(SORTED_SETS, by_sorted_key) || open(CACHED_SETS, as_first_sent));
    doubt.then(|| sets.len() - 2)
}

/// The first answer under each set of keys.
fn sets(heard: &[Heard]) -> Vec<&Heard> {
    let first = |each: &&Heard| {
        each.question.turn == Turn::Own
            && !each.question.again
            && matches!(
                each.question.content,
                Content::Plain | Content::Integers | Content::Further(_)
            )
    };
    heard.iter().filter(first).collect()
}

/// Whether the answers under all sets of keys are one preference of places as `rank` counts them.
fn follow(sets: &[&Heard], rank: fn(&[f64], Content) -> Vec<f64>) -> bool {
    let ranked = |heard: &&Heard| Some(rank(heard.probabilities.as_ref()?, heard.question.content));
    let Some(ranked) = sets.iter().map(ranked).collect::<Option<Vec<_>>>() else {
        return false;
    };
    let Some((first, others)) = ranked.split_first() else {
        return false;
    };
    others.iter().all(|other| one_preference(first, other))
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
    let keys = content.keys();
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
    let unmoved = |content| of(content).is_some_and(|ends| !moved(texts, ends));
    let whole_counts = moved(texts, of(Content::OtherTexts(length))?);
    (whole_counts && changed_ends(length).all(unmoved)).then(|| CutTexts {
        characters: length as u64,
        alike: alike(length) as u64,
    })
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;

#[cfg(test)]
#[path = "chance_tests.rs"]
mod chance_tests;
