//! The canary against models and layers of which the truth is known.

use super::super::ask::{MOST_ASKS, Wording, next};
use super::*;

/// Key and text of each option in the order in which the model is shown them, to a probability for each.
type Model<'a> = &'a mut dyn FnMut(&[(String, String)]) -> Vec<f64>;

/// What the canary finds about `model` behind `layer`, which says in which order the model is shown what was sent.
fn found(
    layer: fn(&[String]) -> Vec<usize>,
    model: Model<'_>,
    longest: usize,
) -> (Canary, Vec<String>) {
    found_in(Wording::Same, layer, model, longest)
}

/// As [`found`], asked in `wording`.
pub(super) fn found_in(
    wording: Wording,
    layer: fn(&[String]) -> Vec<usize>,
    model: Model<'_>,
    longest: usize,
) -> (Canary, Vec<String>) {
    let mut heard: Vec<Heard> = Vec::new();
    while let Some(question) = next(&heard, longest) {
        let case = question.case(wording);
        let sent: Vec<OptionId> = question.turn.order().identities().to_vec();
        let keys: Vec<String> = sent
            .iter()
            .map(|id| case.options[id.index()].key.0.clone())
            .collect();
        let shown: Vec<OptionId> = layer(&keys).into_iter().map(|place| sent[place]).collect();
        let options: Vec<(String, String)> = (shown.iter().map(|id| &case.options[id.index()]))
            .map(|option| {
                let text = option.text.as_ref().and_then(|text| text.as_str()).unwrap();
                (option.key.0.clone(), text.to_owned())
            })
            .collect();
        let by_place = model(&options);
        let mut p = vec![0.0; 4];
        for (id, share) in shown.iter().zip(&by_place) {
            p[id.index()] = *share;
        }
        let best = (0..4).fold(0, |best, place| {
            if by_place[place] > by_place[best] {
                place
            } else {
                best
            }
        });
        heard.push(Heard {
            question,
            choice: Some(shown[best]),
            probabilities: Some(p),
            request_id: None,
            all_cached: false,
        });
    }
    let names = heard.iter().map(|each| each.question.name()).collect();
    (judge(&heard, None, Carrier::Members), names)
}

pub(super) fn as_sent(keys: &[String]) -> Vec<usize> {
    (0..keys.len()).collect()
}

pub(super) fn sorted(keys: &[String]) -> Vec<usize> {
    let mut order = as_sent(keys);
    order.sort_by_key(|place| keys[*place].clone());
    order
}

/// As JavaScript lists members: integers ascending, then the others as they came.
pub(super) fn javascript(keys: &[String]) -> Vec<usize> {
    let mut order = as_sent(keys);
    order.sort_by_key(|place| keys[*place].parse::<u32>().unwrap_or(u32::MAX));
    order
}

fn first(_: &[(String, String)]) -> Vec<f64> {
    vec![0.7, 0.1, 0.1, 0.1]
}

/// Prefers the option whose key and text hash highest, wherever it stands.
fn content(options: &[(String, String)]) -> Vec<f64> {
    let weight = |(key, text): &(String, String)| {
        let bytes = key.bytes().chain(text.bytes());
        f64::from(
            bytes.fold(7_u32, |sum, byte| {
                sum.wrapping_mul(31).wrapping_add(u32::from(byte))
            }) % 97
                + 1,
        )
    };
    let all: f64 = options.iter().map(weight).sum();
    options.iter().map(|option| weight(option) / all).collect()
}

fn finding(
    layer: fn(&[String]) -> Vec<usize>,
    mut model: impl FnMut(&[(String, String)]) -> Vec<f64>,
) -> OrderFinding {
    let (canary, asked) = found(layer, &mut model, 40);
    assert!(asked.len() <= MOST_ASKS, "{asked:?}");
    assert_eq!(canary.asks, asked.len() as u64);
    canary.order
}

#[test]
fn a_model_that_prefers_places_shows_what_stands_before_it() {
    assert_eq!(finding(as_sent, first), OrderFinding::Arrives);
    assert_eq!(finding(sorted, first), OrderFinding::Sorted);
    assert_eq!(finding(javascript, first), OrderFinding::IntegerKeys);
    // Both ends alike: reversing would show nothing, so another order is asked.
    let ends = |_: &[(String, String)]| vec![0.4, 0.1, 0.1, 0.4];
    assert_eq!(finding(as_sent, ends), OrderFinding::Arrives);
    assert_eq!(finding(sorted, ends), OrderFinding::Sorted);
}

#[test]
fn a_model_that_reads_content_alone_is_not_accused() {
    assert_eq!(finding(as_sent, content), OrderFinding::Unmoved);
    // Behind a layer it answers the same, and nothing could tell.
    assert_eq!(finding(sorted, content), OrderFinding::Unmoved);
    assert_eq!(finding(javascript, content), OrderFinding::Unmoved);
    // All alike, and the first listed one chosen: who breaks the tie saw the order.
    let alike = |_: &[(String, String)]| vec![0.25; 4];
    assert_eq!(finding(as_sent, alike), OrderFinding::Arrives);
    // Alike behind a layer that sorts: no preference that the order of keys could be read from but the choice.
    assert_eq!(finding(sorted, alike), OrderFinding::Unmoved);
}

#[test]
fn a_model_that_looks_at_neighbours_is_seen_though_one_order_keeps_them() {
    let after = |options: &[(String, String)]| {
        let marked = options
            .iter()
            .position(|(key, _)| key == "mir" || key == "2")
            .unwrap();
        let mut p = vec![0.1; 4];
        p[(marked + 1) % 4] = 0.7;
        p
    };
    assert_eq!(finding(as_sent, after), OrderFinding::Arrives);
}

#[test]
fn a_cache_without_order_gives_the_first_answer_by_its_places() {
    /// Option names and what was answered under each key.
    type Kept = (Vec<String>, Vec<(String, f64)>);
    let mut known: Vec<Kept> = Vec::new();
    let mut cached = |options: &[(String, String)]| {
        let mut name: Vec<String> = options
            .iter()
            .map(|(key, text)| format!("{key}={text}"))
            .collect();
        name.sort();
        let keyed = known
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, p)| p.clone());
        let keyed = keyed.unwrap_or_else(|| {
            let keys = options.iter().map(|(key, _)| key.clone());
            let fresh: Vec<(String, f64)> = keys.zip(first(options)).collect();
            known.push((name, fresh.clone()));
            fresh
        });
        let of = |key: &str| keyed.iter().find(|(known, _)| known == key).unwrap().1;
        options.iter().map(|(key, _)| of(key)).collect()
    };
    let (canary, _) = found(as_sent, &mut cached, 0);
    assert_eq!((canary.order, canary.asks), (OrderFinding::Cached, 11));
    assert!(canary.drops_order(false));
}

#[test]
fn what_differs_from_itself_tells_nothing_and_ends_the_asking() {
    let mut asked = 0;
    let mut noisy = |options: &[(String, String)]| {
        asked += 1;
        let mut p = content(options);
        p.rotate_left(asked % 4);
        p
    };
    let (canary, names) = found(as_sent, &mut noisy, 40);
    assert_eq!(canary.order, OrderFinding::NotKnown);
    assert_eq!(names, ["plain/own", "plain/turned", "plain/again"]);
    assert_eq!(
        canary.why.as_deref(),
        Some("the same request brought another answer, so that equal answers tell nothing")
    );
}

#[test]
fn texts_that_are_cut_are_found_and_whole_ones_are_not() {
    let seeing = |characters: usize| {
        move |options: &[(String, String)]| {
            let cut = |(_, text): &(String, String)| {
                (String::new(), text.chars().take(characters).collect())
            };
            content(&options.iter().map(cut).collect::<Vec<_>>())
        }
    };
    let cut = |characters, longest| found(as_sent, &mut seeing(characters), longest).0.cut_texts;
    // Of 40 characters the last five differ.
    let found_at = Some(CutTexts {
        characters: 40,
        alike: 35,
    });
    assert_eq!(cut(12, 40), found_at);
    assert_eq!(cut(35, 40), found_at);
    assert_eq!(
        cut(36, 40),
        None,
        "the first letters of the last words differ"
    );
    assert_eq!(cut(40, 40), None);
    assert_eq!(cut(12, 15), None, "texts so short are not asked");
    assert_eq!(
        cut(1_000, 9_000),
        Some(CutTexts {
            characters: 2_000,
            alike: 1_995
        })
    );
    // What reads no text at all reads no end either, and says nothing.
    assert_eq!(found(as_sent, &mut first, 40).0.cut_texts, None);
}

#[test]
fn a_pick_without_probabilities_says_only_whether_order_arrives() {
    let heard = |turn: Turn, content: Content, choice: u16| Heard {
        question: Question {
            content,
            turn,
            again: false,
        },
        choice: Some(OptionId(choice)),
        probabilities: None,
        request_id: None,
        all_cached: false,
    };
    let same = [
        heard(Turn::Own, Content::Plain, 1),
        heard(Turn::Turned, Content::Plain, 1),
        heard(Turn::Reversed, Content::Plain, 1),
        heard(Turn::Own, Content::Integers, 2),
        heard(Turn::Turned, Content::Integers, 2),
    ];
    assert_eq!(next(&same, 40), None);
    let canary = judge(&same, None, Carrier::Members);
    assert_eq!(canary.order, OrderFinding::NotKnown);
    assert_eq!(
        canary.why.as_deref(),
        Some("the same option in every order, and no probabilities to tell by")
    );
}

#[test]
fn a_request_id_that_comes_back_is_that_of_a_cache_unless_it_never_changes() {
    let with = |ids: [&str; 5], cached: [bool; 5]| {
        let mut heard = Vec::new();
        for (place, (id, all_cached)) in ids.iter().zip(cached).enumerate() {
            let question = next(&heard, 0).unwrap();
            // An honest distribution: no preference of places in it.
            let p = if place < 3 {
                vec![0.1, 0.6, 0.1, 0.2]
            } else {
                vec![0.3, 0.2, 0.4, 0.1]
            };
            heard.push(Heard {
                question,
                choice: Some(OptionId(1)),
                probabilities: Some(p),
                request_id: (!id.is_empty()).then(|| (*id).to_owned()),
                all_cached,
            });
        }
        judge(&heard, None, Carrier::Members)
    };
    let none = [false; 5];
    assert_eq!(
        with(["", "", "", "", ""], none).order,
        OrderFinding::Unmoved
    );
    assert_eq!(
        with(["1", "2", "3", "4", "5"], none).order,
        OrderFinding::Unmoved
    );
    assert_eq!(
        with(["x", "x", "x", "x", "x"], none).order,
        OrderFinding::Unmoved
    );
    let repeated = with(["1", "1", "1", "4", "4"], none);
    assert_eq!(repeated.order, OrderFinding::Cached);
    assert_eq!(
        repeated.why.as_deref(),
        Some("requests in other orders came back with one request id")
    );
    let cached = with(["", "", "", "", ""], [false, true, true, false, true]);
    assert_eq!(cached.order, OrderFinding::Cached);
    assert_eq!(
        cached.why.as_deref(),
        Some("all input tokens of a request in a new order came out of the cache")
    );
    assert_eq!(
        with(["", "", "", "", ""], [true; 5]).order,
        OrderFinding::Unmoved
    );
}

#[test]
fn what_could_not_be_asked_is_not_known() {
    let canary = judge(&[], Some("answered 503".to_owned()), Carrier::Members);
    assert_eq!((canary.order, canary.asks), (OrderFinding::NotKnown, 0));
    assert_eq!(canary.why.as_deref(), Some("answered 503"));
    assert!(!canary.drops_order(true));
    let integers = Canary {
        order: OrderFinding::IntegerKeys,
        ..canary
    };
    assert!(integers.drops_order(true) && !integers.drops_order(false));
}

#[test]
fn a_finding_is_called_what_summaries_call_it() {
    for finding in [
        OrderFinding::Arrives,
        OrderFinding::Unmoved,
        OrderFinding::Sorted,
        OrderFinding::Cached,
        OrderFinding::IntegerKeys,
        OrderFinding::NotKnown,
        OrderFinding::NotAsked,
    ] {
        let written = serde_json::to_value(finding).unwrap();
        assert_eq!(written, finding.name());
    }
}
