//! What holds for every record.

use flipside_core::order::Order;
use flipside_formats::import::Supplements;
use proptest::prelude::*;

use super::{Folder, chosen, key, lines};

/// Keys in an order, the chosen one, and another order of them.
fn answer() -> impl Strategy<Value = (Vec<String>, usize, Vec<String>)> {
    let keys = proptest::collection::btree_set("[a-e\"é,]{1,4}", 2..6);
    keys.prop_flat_map(|keys| {
        let keys: Vec<String> = keys.into_iter().collect();
        let one = Just(keys.clone()).prop_shuffle();
        let other = Just(keys.clone()).prop_shuffle();
        (one, 0..keys.len(), other)
    })
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a text is JSON")
}

fn result(keys: &[String], chosen: &str) -> String {
    let others = u32::try_from(keys.len() - 1).expect("a handful of keys");
    let rest = 0.5 / f64::from(others);
    let p = keys.iter().map(|key| {
        let p = if key == chosen { 0.5 } else { rest };
        format!("{}:{p}", quoted(key))
    });
    format!(
        r#"{{"id":"q","ok":true,"answers":{{"c":{{"type":"choice","choice":{},"probabilities":{{{}}}}}}},"error":null}}"#,
        quoted(chosen),
        p.collect::<Vec<_>>().join(",")
    )
}

proptest! {
    /// The order of the keys in an answer is no part of what it says.
    #[test]
    fn an_answer_in_another_key_order_is_the_same_answer((keys, choice, other) in answer()) {
        let folder = Folder::new();
        let one = folder.read("one.jsonl", &result(&keys, &keys[choice]));
        let another = folder.read("one.jsonl", &result(&other, &keys[choice]));
        prop_assert_eq!(lines(&one), lines(&another));
        prop_assert_eq!(chosen(&one.decisions[0]), Some(keys[choice].as_str()));
    }

    /// A key is the same option in every order in which it was offered.
    #[test]
    fn a_choice_is_the_same_option_in_every_order((keys, choice, other) in answer()) {
        let row = |keys: &[String]| {
            let keys: Vec<String> = keys.iter().map(|key| quoted(key)).collect();
            keys.join(",")
        };
        let text = [&keys, &other].map(|order| {
            format!(r#"{{"id":"q","order":[{}],"choice":{}}}"#, row(order), quoted(&keys[choice]))
        });
        prop_assume!(keys != other);
        let read = Folder::new().read("rows.jsonl", &text.join("\n"));
        let decision = &read.decisions[0];
        prop_assert_eq!(chosen(decision), Some(keys[choice].as_str()));
        prop_assert_eq!(key(decision, &decision.others[0].outcome), Some(keys[choice].as_str()));
        let shown: Vec<&str> = (decision.others[0].order.identities().iter())
            .map(|id| decision.case.options[id.index()].key.0.as_str())
            .collect();
        prop_assert_eq!(shown, other.iter().map(String::as_str).collect::<Vec<_>>());
    }

    /// A table says the same as CSV and as JSON rows, and its places are those of the reversed order.
    #[test]
    fn a_table_says_the_same_either_way(n in 2_u16..9, first in 0_u16..9, second in 0_u16..9) {
        let (first, second) = (first % n, second % n);
        let (place, back) = (first + 1, n - second);
        let csv = format!(
            "id,order,n_options,chosen_canonical,chosen_position\nq,original,{n},{},{place}\nq,reversed,{n},{},{back}\n",
            first + 1,
            second + 1,
        );
        let rows = format!(
            "{{\"id\":\"q\",\"order\":\"original\",\"n_options\":{n},\"chosen_canonical\":{},\"chosen_position\":{place}}}\n\
             {{\"id\":\"q\",\"order\":\"reversed\",\"n_options\":{n},\"chosen_canonical\":{},\"chosen_position\":{back}}}\n",
            first + 1,
            second + 1,
        );
        let folder = Folder::new();
        let (csv, rows) = (folder.read("t.csv", &csv), folder.read("t.jsonl", &rows));
        prop_assert_eq!(lines(&csv), lines(&rows));
        let decision = &csv.decisions[0];
        prop_assert_eq!(&decision.others[0].order, &Order::reverse(usize::from(n)));
        let keys = [first, second].map(|id| (id + 1).to_string());
        prop_assert_eq!(chosen(decision), Some(keys[0].as_str()));
        prop_assert_eq!(key(decision, &decision.others[0].outcome), Some(keys[1].as_str()));
    }

    /// No text of any kind makes the reader panic.
    #[test]
    fn whatever_a_file_holds_is_read_or_refused(text in "[\\[{\"id,chosen:0-9\\]}\n\r ]{0,80}") {
        let folder = Folder::new();
        let path = folder.write("any", &text);
        let _ = flipside_formats::import::read(&path, &Supplements::default());
    }
}
