//! Planted models that each read one thing: exactly that axis flips, and every other has its pairs and no flip.

use serde_json::Value;

use super::cases::{CAPITALS, LETTERS, SPACES, planted};
use super::expected::{
    EVERY_DROP, FIRST_KEY, FIRST_WORD, HEAVIEST, LIGHTEST, asked, blind_to_order, choices,
    drop_pairs, exactly, gates,
};
use crate::support::journal;

#[test]
fn a_model_that_reads_the_place_flips_under_order_alone() {
    let (_guard, path) = planted();
    let (ran, summary) = asked(&path, "first");
    exactly(
        "first",
        &summary,
        EVERY_DROP,
        &[("order/reverse", 20), ("order/rotate:1", 17)],
    );
    gates("first", &ran, &summary, &["order"]);
    assert_eq!(
        summary["axes"]["order"]["reverse"]["position_following"],
        20
    );

    // The second place: reversing moves it in two, four and five options, not in three.
    let (_guard, path) = planted();
    let (ran, summary) = asked(&path, "slot:2");
    exactly(
        "slot:2",
        &summary,
        EVERY_DROP,
        &[("order/reverse", 13), ("order/rotate:1", 17)],
    );
    gates("slot:2", &ran, &summary, &["order"]);
}

#[test]
fn a_model_that_reads_keys_flips_under_keys_alone() {
    // Abstract keys, letters, numbers and the lists sort as the options stand, and the key that sorts first never stands first;
    // shuffling leaves no key with its option.
    let flips = [
        ("keys/abstract", 19),
        ("keys/letters", 19),
        ("keys/numbers", 19),
        ("keys/shuffled", 19),
        ("keys/list:1", 3),
        ("keys/list:2", 7),
        ("keys/list:3", 7),
        ("keys/list:4", 2),
    ];
    blind_to_order("key-biased", &flips, &["keys"], |_, options| {
        FIRST_KEY[options - 2]
    });
}

#[test]
fn a_model_that_reads_first_words_of_descriptions_flips_under_descriptions_and_other_words_for_them()
 {
    // Without descriptions all are alike and the first is taken. With keys for descriptions it follows the key that sorts first,
    // which with two options is its own choice. The option without a text has no first word, which sorts before all, in any words.
    let flips = [
        ("descriptions/drop", 20),
        ("descriptions/key", 17),
        ("phrasing/texts", 11),
    ];
    blind_to_order(
        "first-word",
        &flips,
        &["descriptions", "phrasing"],
        |id, options| {
            if id == "n5-0" {
                4
            } else {
                FIRST_WORD[options - 2]
            }
        },
    );
}

#[test]
fn a_model_with_a_fixed_weight_for_each_option_flips_under_nothing() {
    let summary = blind_to_order("weighed", &[], &[], |_, options| HEAVIEST[options - 2]);
    // Weights 5, 8 and 3 of three options.
    let case = &summary["cases"][3];
    assert_eq!(case["id"], "n3-0");
    for (id, weight) in [5.0, 8.0, 3.0].into_iter().enumerate() {
        let p = case["asks"][0]["probabilities"][id].as_f64().unwrap();
        assert!((p - weight / 16.0).abs() < 1e-12, "{p}");
    }
    // Each list that lacks an option has the other weights in their ratio. Each of 17 cases of three options or more was asked
    // once without its choice, and then chose the next heaviest; 47 pairs were asked without another.
    let drop = &summary["composition"]["drop"];
    assert_eq!((&drop["pairs"], &drop["flips"]), (&47.into(), &0.into()));
    assert_eq!(drop["choice_dropped"]["runner_up"]["hits"], 17);
    assert_eq!(drop["choice_dropped"]["pairs"], 17);
    let decoy = &summary["composition"]["decoy"];
    assert_eq!(
        (&decoy["pairs"], &decoy["flips"], &decoy["chosen"]["hits"]),
        (&32.into(), &0.into(), &0.into())
    );
    for (found, lists) in [(drop, 64), (decoy, 32)] {
        assert_eq!(found["attention"], "independent");
        assert_eq!(found["with_probabilities"], lists);
        assert_eq!(found["beyond_rounding"]["hits"], 0);
        for excess in ["log_odds", "luce_distance"] {
            assert!(
                found[excess]["largest"].as_f64().unwrap() < 1e-12,
                "{excess}"
            );
        }
    }
}

#[test]
fn a_model_that_misses_a_neighbour_flips_under_drop_alone() {
    // Mules are 2 of three options, 3 of four and 0 of five; of two options none can be left out.
    let flips = [("drop/0", 3), ("drop/2", 7), ("drop/3", 7)];
    let summary = blind_to_order("misses:mules", &flips, &["drop"], |_, options| {
        HEAVIEST[options - 2]
    });
    let found = &summary["composition"]["drop"];
    assert_eq!((&found["pairs"], &found["flips"]), (&47.into(), &17.into()));
    assert_eq!(found["attention"], "attentive");
    assert_eq!(
        found["beyond_rounding"]["hits"], 17,
        "the lists without mules"
    );
    // Of five options without mules (6) the lightest, 2 of 3, 9, 2 and 4, weighs 1002. Its log-odds rise by ln 501, and its share
    // from 2/18 to 1002/1018.
    let largest = |quantity: &str| found[quantity]["largest"].as_f64().unwrap();
    assert!((largest("log_odds") - 501_f64.ln()).abs() < 1e-9);
    assert!((largest("luce_distance") - (1002.0 / 1018.0 - 2.0 / 18.0)).abs() < 1e-9);
    assert_eq!(summary["composition"]["decoy"]["attention"], "independent");
}

#[test]
fn a_model_that_answers_differently_beside_other_questions_flips_under_batch_alone() {
    let chosen = |id: &str, options: usize| {
        if id.contains('#') {
            HEAVIEST[options - 2]
        } else {
            LIGHTEST[options - 2]
        }
    };
    // Alone there is no other question; turned round there are as many.
    blind_to_order(
        "counting:company=1",
        &[("batch/alone", 8)],
        &["batch"],
        chosen,
    );
}

#[test]
fn a_model_that_answers_by_the_place_of_its_question_flips_under_batch_alone() {
    let chosen = |id: &str, options: usize| {
        if id.ends_with("#r") {
            LIGHTEST[options - 2]
        } else {
            HEAVIEST[options - 2]
        }
    };
    // Alone `q` stays the first question and `r` becomes it; turned round both change places.
    let flips = [("batch/alone", 4), ("batch/reverse", 8)];
    blind_to_order("counting:place=0", &flips, &["batch"], chosen);
}

#[test]
fn a_model_that_reads_the_first_member_of_the_state_flips_under_state_keys_alone() {
    let (_guard, path) = planted();
    let (ran, summary) = asked(&path, "counting:first-member=0");
    // Backwards the state begins with its last member; a draw may leave the first one first.
    let lines = journal(&path, "run");
    let begins_otherwise = |variant: &str| {
        let drawn = lines.iter().filter(|line| {
            line["axis"] == "state-keys" && line["variant"] == variant && line["confirms"].is_null()
        });
        let request = |line: &&Value| {
            line["request"]
                .as_str()
                .unwrap()
                .contains("\"state\":{\"axle\"")
        };
        let (first, other): (Vec<_>, Vec<_>) = drawn.partition(request);
        assert_eq!(first.len() + other.len(), 20);
        other.len() as u64
    };
    let drawn = ["shuffle:1", "shuffle:2"].map(begins_otherwise);
    assert!(
        drawn.iter().sum::<u64>() < 40,
        "some draws of 40 leave one member of eight first"
    );
    let flips = [
        ("state-keys/reverse", 20),
        ("state-keys/shuffle:1", drawn[0]),
        ("state-keys/shuffle:2", drawn[1]),
    ];
    exactly(
        "first-member",
        &summary,
        drop_pairs(&choices(&summary)),
        &flips,
    );
    gates("first-member", &ran, &summary, &["state-keys"]);
}

#[test]
fn models_that_count_characters_flip_under_their_own_axis_alone() {
    let heaviest = |_: &str, options: usize| HEAVIEST[options - 2];
    let capitals = format!("counting:capitals={CAPITALS}");
    let flips = [("letter-case/lower", 20), ("letter-case/upper", 20)];
    blind_to_order(&capitals, &flips, &["letter-case"], heaviest);
    let spaces = format!("counting:spaces={SPACES}");
    let flips =
        ["doubled", "trailing", "line-ends", "pretty"].map(|kind| format!("whitespace/{kind}"));
    let flips: Vec<(&str, u64)> = flips.iter().map(|name| (name.as_str(), 20)).collect();
    blind_to_order(&spaces, &flips, &["whitespace"], heaviest);
    // Of the two rewordings one has a letter more; the other says descriptions otherwise, which it does not read.
    let letters = format!("counting:letters={LETTERS}");
    blind_to_order(&letters, &[("phrasing/words", 12)], &["phrasing"], heaviest);
}
