//! Laws of whole summaries. The properties of section 18 of the statistics page, and where each is a test:
//!
//! - relabelling identities changes nothing: `other_keys_change_nothing_but_keys` and
//!   `another_own_order_changes_no_figure_over_all_orders` here, `disagreement_lies_between_its_bounds_and_forgets_names`;
//! - permuting cases changes no fixed-n figure: `permuting_cases_changes_nothing`;
//! - a vacuous case changes no rate: `a_vacuous_case_changes_nothing_but_its_counts`;
//! - a missing pair never creates `stable`: `a_lost_answer_opens_no_gate`, and in `../laws.rs`
//!   `a_lost_answer_never_creates_stable`; for adaptive runs `a_missing_pair_never_makes_stable_or_sensitive_likelier`;
//! - bounds monotone in x: `bounds_hold_the_share_between_them_and_rise_with_the_hits`, `a_further_flip_raises_both_bounds`;
//! - 2U/m <= D <= U: `disagreement_lies_between_its_bounds_and_forgets_names`;
//! - confirmed effect <= flip rate: `a_confirmed_effect_is_a_square_and_never_above_the_flip_rate`,
//!   `a_confirmed_effect_of_counts_is_never_above_their_flip_rate`;
//! - e-values multiply over concatenated runs: `e_values_multiply_and_forget_the_order`;
//! - planned boundaries spend at most alpha: `planned_boundaries_never_spend_more_than_they_may`;
//! - early-exit vote equals full vote: `stopping_a_settled_vote_changes_no_winner`;
//! - geometric mean over a Latin square: `a_geometric_mean_over_rotations_ignores_any_position_factor`.

use flipside_core::case::Case;
use flipside_core::order::OptionId;
use flipside_core::present::Presentation;
use flipside_core::record::Outcome;
use flipside_core::stats::net_effect::confirmed;
use flipside_core::summary::Summary;
use proptest::prelude::*;
use serde_json::Value;

use super::given::{case, chose, declined, failed, labelled, number, replied, served, summary};

const ORDERS: &str = "reverse,rotate:1,random:2,same:2";
const VARIANTS: [&str; 7] = [
    "own", "reverse", "rotate:1", "random:1", "random:2", "1", "2",
];
const KEYS: [&str; 5] = ["a", "b", "c", "d", "e"];

/// What one ask says.
#[derive(Clone, Debug)]
enum Said {
    Chose(u16),
    Derived(Vec<u8>),
    Nothing,
    Failed,
}

/// A drawn case: options, accepted option if any, and what each variant says.
#[derive(Clone, Debug)]
struct Drawn {
    options: usize,
    accept: Option<u16>,
    said: Vec<Said>,
}

fn said() -> impl Strategy<Value = Said> {
    prop_oneof![
        5 => (0..5_u16).prop_map(Said::Chose),
        4 => prop::collection::vec(0..20_u8, 5).prop_map(Said::Derived),
        1 => Just(Said::Nothing),
        1 => Just(Said::Failed),
    ]
}

fn drawn() -> impl Strategy<Value = Vec<Drawn>> {
    let one = (
        2..=5_usize,
        prop::option::of(0..5_u16),
        prop::collection::vec(said(), VARIANTS.len()),
    );
    let one = one.prop_map(|(options, accept, said)| Drawn {
        options,
        accept: accept.map(|id| id % u16::try_from(options).unwrap()),
        said,
    });
    prop::collection::vec(one, 1..20)
}

fn given(place: usize, drawn: &Drawn, keys: &[&str; 5]) -> Case {
    let accept: Vec<u16> = drawn.accept.into_iter().collect();
    labelled(place, &keys[..drawn.options], &accept)
}

fn says(drawn: &[Drawn], shown: &Presentation<'_>, variant: &str) -> Outcome {
    let Some(of) = drawn.get(number(shown)) else {
        return chose(0);
    };
    let place = VARIANTS.iter().position(|name| *name == variant).unwrap();
    match &of.said[place] {
        Said::Chose(id) => chose(id % u16::try_from(of.options).unwrap()),
        Said::Derived(weights) => {
            // By identity, on two decimals or more, so that some tie.
            let weights: Vec<f64> = weights[..of.options]
                .iter()
                .map(|w| f64::from(*w) + 1.0)
                .collect();
            let sum: f64 = weights.iter().sum();
            let keys = shown
                .case()
                .options
                .iter()
                .map(|option| option.key.0.as_str());
            let by_key: Vec<(&str, f64)> = keys.zip(weights.iter().map(|w| w / sum)).collect();
            replied(shown, None, &by_key)
        }
        Said::Nothing => declined(),
        Said::Failed => failed(),
    }
}

fn measured(drawn: &[Drawn], cases: Vec<Case>, strict: bool) -> Summary {
    summary(cases, ORDERS, strict, &|shown, variant| {
        says(drawn, shown, variant)
    })
}

fn in_sequence(drawn: &[Drawn], keys: &[&str; 5]) -> Vec<Case> {
    (0..)
        .zip(drawn)
        .map(|(place, drawn)| given(place, drawn, keys))
        .collect()
}

/// All of a summary but the list of cases and what names them: the digest of the plan.
fn figures(summary: &Summary) -> Value {
    let mut all = serde_json::to_value(summary).unwrap();
    let members = all.as_object_mut().unwrap();
    members.remove("cases").unwrap();
    members["plan"]
        .as_object_mut()
        .unwrap()
        .remove("digest")
        .unwrap();
    all
}

/// Names every key in `figures` by its place in `keys`. What is listed by key is sorted by that name, and so are the two ways
/// between a pair of keys, since equals stand in the order of their names.
fn called_alike(figures: &mut Value, keys: &[&str; 5]) {
    match figures {
        Value::Array(items) => {
            for item in items.iter_mut() {
                called_alike(item, keys);
            }
            let by_key = |item: &Value| item.get("key").or_else(|| item.get("from")).is_some();
            if items.iter().all(by_key) {
                items.sort_by_key(ToString::to_string);
            }
        }
        Value::Object(members) => {
            for (name, value) in members.iter_mut() {
                let key = value
                    .as_str()
                    .and_then(|text| keys.iter().position(|key| *key == text));
                match key {
                    Some(place) if ["key", "from", "to"].contains(&name.as_str()) => {
                        *value = Value::String(KEYS[place].to_owned());
                    }
                    _ => called_alike(value, keys),
                }
            }
            if members.contains_key("forth") && members["from"].as_str() > members["to"].as_str() {
                for (one, other) in [("from", "to"), ("forth", "back")] {
                    let first = members[one].take();
                    let second = std::mem::replace(&mut members[other], first);
                    members[one] = second;
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn permuting_cases_changes_nothing((drawn, sequence) in drawn().prop_flat_map(|drawn| {
        let places: Vec<usize> = (0..drawn.len()).collect();
        (Just(drawn), Just(places).prop_shuffle())
    }), strict: bool) {
        let forward = in_sequence(&drawn, &KEYS);
        let moved = sequence.iter().map(|&place| forward[place].clone()).collect();
        let (mut one, mut other) = (measured(&drawn, forward, strict), measured(&drawn, moved, strict));
        prop_assert_eq!(figures(&one), figures(&other));
        one.cases.sort_by(|a, b| a.id.cmp(&b.id));
        other.cases.sort_by(|a, b| a.id.cmp(&b.id));
        prop_assert_eq!(one.cases, other.cases);
    }

    #[test]
    fn other_keys_change_nothing_but_keys(drawn in drawn(), strict: bool) {
        // In another alphabetical order, and of other lengths.
        let others = ["zz", "y", "xxx", "w", "v"];
        let one = measured(&drawn, in_sequence(&drawn, &KEYS), strict);
        let other = measured(&drawn, in_sequence(&drawn, &others), strict);
        let without_keys = |summary: &Summary, keys: &[&str; 5]| {
            let mut figures = figures(summary);
            if let Some(baseline) = figures["fit"]["key_baseline"].as_object_mut() {
                baseline.remove("key").unwrap();
            }
            called_alike(&mut figures, keys);
            figures
        };
        prop_assert_eq!(without_keys(&one, &KEYS), without_keys(&other, &others));
        for (one, other) in one.cases.iter().zip(&other.cases) {
            for (one, other) in one.asks.iter().zip(&other.asks) {
                prop_assert_eq!((one.choice, one.flip, one.ok, one.tied), (other.choice, other.flip, other.ok, other.tied));
            }
        }
    }

    #[test]
    fn another_own_order_changes_no_figure_over_all_orders(
        sequences in prop::collection::vec((2..=4_usize).prop_flat_map(|options| {
            Just((0..options).collect::<Vec<_>>()).prop_shuffle()
        }), 1..8),
        salt in 0..1000_u64,
    ) {
        // A model that reads what is shown and knows no identity: the same key for the same sequence of keys.
        let reads = |shown: &Presentation<'_>| {
            let keys: Vec<&str> = shown.options().map(|option| option.key.0.as_str()).collect();
            let mixed = keys.iter().fold(salt + number(shown) as u64, |mixed, key| {
                mixed.wrapping_mul(31).wrapping_add(u64::from(key.as_bytes()[0]))
            });
            let place = usize::try_from(mixed / 7 % keys.len() as u64).unwrap();
            chose(shown.options().nth(place).unwrap().id.0)
        };
        let own = |place: usize, sequence: &[usize]| {
            let keys: Vec<&str> = sequence.iter().map(|&id| KEYS[id]).collect();
            // Key "a" is accepted wherever it stands.
            let accepted = sequence.iter().position(|&id| id == 0).unwrap();
            labelled(place, &keys, &[u16::try_from(accepted).unwrap()])
        };
        let over_all = |cases: Vec<Case>| summary(cases, "all", false, &|shown, _| reads(shown));
        let forward = (0..).zip(&sequences).map(|(place, sequence)| {
            own(place, &(0..sequence.len()).collect::<Vec<_>>())
        });
        let one = over_all(forward.collect());
        let other = over_all((0..).zip(&sequences).map(|(place, sequence)| own(place, sequence)).collect());
        prop_assert_eq!(&one.order_averaged_accuracy, &other.order_averaged_accuracy);
        // How many flips there are to confirm depends on what the own order is.
        let counts = |summary: &Summary| {
            let counts = &summary.counts;
            (counts.cases, counts.labelled, counts.asks, counts.requests, counts.tied)
        };
        prop_assert_eq!(counts(&one), counts(&other));
        prop_assert_eq!(&one.fit.key_baseline, &other.fit.key_baseline);
    }

    #[test]
    fn a_vacuous_case_changes_nothing_but_its_counts(drawn in drawn(), vacuous in 1..4_usize, strict: bool) {
        let orders = "reverse,rotate:1,random:2";
        let over = |cases: Vec<Case>| summary(cases, orders, strict, &|shown, variant| says(&drawn, shown, variant));
        let plain = in_sequence(&drawn, &KEYS);
        let mut more = plain.clone();
        more.extend((0..vacuous).map(|place| case(100 + place, &["only"])));
        let (one, other) = (over(plain), over(more));
        let lines = |summary: &Summary| {
            let mut lines = serde_json::to_value(&summary.axes["order"]).unwrap();
            for line in lines.as_object_mut().unwrap().values_mut() {
                let line = line.as_object_mut().unwrap();
                line.remove("vacuous").unwrap();
                line.remove("vacuous_reasons").unwrap();
            }
            lines
        };
        prop_assert_eq!(lines(&one), lines(&other));
        prop_assert_eq!(&one.fit, &other.fit);
        prop_assert_eq!(&one.order_averaged_accuracy, &other.order_averaged_accuracy);
        prop_assert_eq!(&one.gates, &other.gates);
        prop_assert_eq!(one.exit, other.exit);
        // A case with fewer other orders than were drawn has no second draw; it is not vacuous there.
        for (name, line) in one.axes["order"].iter().filter(|(name, _)| *name != "random:2") {
            prop_assert_eq!(line.figure.vacuous + vacuous as u64, other.axes["order"][name].figure.vacuous);
        }
    }

    #[test]
    fn a_lost_answer_opens_no_gate(drawn in drawn(), at in 0..20_usize, ask in 0..VARIANTS.len(), strict: bool) {
        let at = at % drawn.len();
        // Losing an answer that decided nothing may settle what it left undecided.
        prop_assume!(!drawn[at].said.iter().any(|said| matches!(said, Said::Nothing)));
        let mut lost = drawn.clone();
        lost[at].said[ask] = Said::Failed;
        let before = measured(&drawn, in_sequence(&drawn, &KEYS), strict);
        let after = measured(&lost, in_sequence(&drawn, &KEYS), strict);
        for (before, after) in before.gates.iter().zip(&after.gates) {
            prop_assert!(before.held || !after.held, "{:?} {:?}", before, after);
        }
    }

    #[test]
    fn a_further_flip_raises_both_bounds(drawn in drawn(), at in 0..20_usize) {
        let at = at % drawn.len();
        let mut same = drawn.clone();
        let place = VARIANTS.iter().position(|name| *name == "reverse").unwrap();
        same[at].said[0] = Said::Chose(0);
        same[at].said[place] = Said::Chose(0);
        let mut flips = same.clone();
        flips[at].said[place] = Said::Chose(1);
        let of = |drawn: &[Drawn]| measured(drawn, in_sequence(drawn, &KEYS), true).axes["order"]["reverse"].figure.clone();
        let (one, other) = (of(&same), of(&flips));
        prop_assert_eq!(one.pairs, other.pairs);
        prop_assert!(one.lower < other.lower);
        prop_assert!(one.upper < other.upper || other.upper == Some(1.0));
        prop_assert!(one.rate < other.rate);
    }

    #[test]
    fn a_confirmed_effect_of_counts_is_never_above_their_flip_rate(
        replicated in 0..60_u32, swapped in 0..60_u32, else_flipped in 0..60_u32, same in 0..200_u32,
    ) {
        let flips = replicated + swapped + else_flipped;
        let pairs = flips + same;
        prop_assume!(pairs > 0);
        let result = confirmed(replicated.into(), swapped.into(), pairs.into(), 0.95).unwrap();
        let rate = f64::from(flips) / f64::from(pairs);
        prop_assert!(result.effect.value <= rate + 1e-15);
        prop_assert!(result.effect.covers(result.effect.value));
    }

    #[test]
    fn another_name_of_the_served_model_changes_no_figure(drawn in drawn()) {
        let named = |name: &'static str| {
            let cases = in_sequence(&drawn, &KEYS);
            let mut result = summary(cases, ORDERS, false, &|shown, variant| {
                match says(&drawn, shown, variant) {
                    Outcome::Answered(answer) if answer.probabilities.is_none() => match answer.choice {
                        Some(OptionId(id)) => served(id, Some(name)),
                        None => declined(),
                    },
                    other => other,
                }
            });
            result.model.served.clear();
            result.model.versions.clear();
            result
        };
        prop_assert_eq!(named("one"), named("other"));
    }
}
