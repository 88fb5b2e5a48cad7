//! What `overlap` makes of real tickets.

#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

mod common;

use common::{ask, case, model};
use flipside_core::json::Json;
use flipside_core::order::{OptionId, Order};
use flipside_core::perturb::Variant;

#[test]
fn overlap_answers_half_of_the_built_in_tickets_and_the_same_ones_in_every_order() {
    let text = flipside_formats::builtin::builtin("ticket-router")
        .unwrap()
        .text();
    let model = model("overlap");
    let (mut right, mut ties, mut cases) = (0, 0, 0);
    for (number, line) in text.lines().enumerate() {
        let row = common::json(line);
        let row = row.as_object().unwrap();
        let texts: Vec<(String, String)> = row
            .get("options")
            .unwrap()
            .as_object()
            .unwrap()
            .members()
            .iter()
            .map(|(key, text)| (key.clone(), text.to_text()))
            .collect();
        let options: Vec<(&str, &str)> = texts
            .iter()
            .map(|(key, text)| (key.as_str(), text.as_str()))
            .collect();
        let case = case(
            &format!("t-{number}"),
            &row.get("state").unwrap().to_text(),
            &options,
        );
        let n = options.len();
        let own = ask(model.as_ref(), &case, &Order::own(n), &Variant::baseline());
        for order in [Order::reverse(n), Order::rotate(n, 1), Order::rotate(n, 2)] {
            let other = ask(model.as_ref(), &case, &order, &Variant::order("x"));
            assert_eq!(
                (other.choice, &other.probabilities),
                (own.choice, &own.probabilities)
            );
        }
        let accepted = match row.get("accept").or_else(|| row.get("expected")).unwrap() {
            Json::Array(keys) => keys
                .iter()
                .map(|key| key.as_str().unwrap().to_owned())
                .collect(),
            one => vec![one.as_str().unwrap().to_owned()],
        };
        let Some(OptionId(chosen)) = own.choice else {
            panic!("no choice")
        };
        right += usize::from(
            accepted
                .iter()
                .any(|key| key == options[usize::from(chosen)].0),
        );
        ties += usize::from(own.tied);
        cases += 1;
    }
    // Chance is 6; the tickets were written so that words alone do not answer them.
    assert_eq!((right, ties, cases), (15, 9, 30));
}
