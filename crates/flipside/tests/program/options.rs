//! Axes that change options, with the real program: keys, descriptions, drop and decoy.

use serde_json::Value;

use crate::support::{folder, lines, probe, probe_line, run, run_line};

/// Two cases of three options; the first brings two decoys.
fn desks() -> String {
    let options = r#""options":{"billing":"payments refunds","delivery":"parcels couriers","account":"passwords logins"},"rules":"Pick the desk.""#;
    lines(&[
        format!(
            r#"{{"id":"c0","state":{{"m":"my refunds went wrong"}},{options},"accept":["billing"],"decoys":{{"weather":"rain and wind","moon":null}}}}"#
        ),
        format!(
            r#"{{"id":"c1","state":{{"m":"the couriers are late"}},{options},"accept":["delivery"]}}"#
        ),
    ])
}

fn ask<'a>(summary: &'a Value, case: usize, axis: &str, variant: &str) -> &'a Value {
    let asks = summary["cases"][case]["asks"].as_array().unwrap();
    let named = |ask: &&Value| ask["axis"] == axis && ask["variant"] == variant;
    asks.iter().find(named).unwrap()
}

#[test]
fn a_decoy_that_is_chosen_goes_through_the_whole_program() {
    let (_guard, path) = folder(&desks());
    let axes = "keys,decoy,decoy:own,decoy:sand=dry, hot";
    let command = [
        "cases.jsonl",
        "--model",
        "last",
        "--axis",
        axes,
        "--gate",
        "decoy.given:sand<=5%",
        "--out",
        "a",
    ];
    let (ran, summary) = probe(&path, &command);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let lines = &summary["axes"]["decoy"];
    let counts = |variant: &str| {
        let line = &lines[variant];
        (
            line["flips"].clone(),
            line["pairs"].clone(),
            line["vacuous"].clone(),
        )
    };
    assert_eq!(counts("none"), (2.into(), 2.into(), 0.into()));
    assert_eq!(counts("own:1"), (1.into(), 1.into(), 1.into()));
    assert_eq!(lines["own:1"]["vacuous_reasons"]["no-decoy"], 1);
    assert_eq!(counts("own:2"), (1.into(), 1.into(), 0.into()));
    assert_eq!(counts("given:sand"), (2.into(), 2.into(), 0.into()));
    for (variant, key) in [
        ("none", "none"),
        ("own:1", "weather"),
        ("own:2", "moon"),
        ("given:sand", "sand"),
    ] {
        let ask = ask(&summary, 0, "decoy", variant);
        assert_eq!((&ask["choice"], &ask["key"]), (&3.into(), &key.into()));
        assert_eq!((&ask["ok"], &ask["flip"]), (&false.into(), &true.into()));
        assert_eq!(ask["keys"].as_array().unwrap().len(), 4);
    }
    let gates = summary["gates"].as_array().unwrap();
    let gate = gates
        .iter()
        .find(|gate| gate["subject"] == "decoy.given:sand");
    assert_eq!(gate.unwrap()["held"], false);
    assert!(ran.out.contains("weather 4th 0.90"), "{}", ran.out);
    assert_eq!(summary["axes"]["keys"]["abstract"]["flips"], 0);
    // The journal has it, and is read back by what measures it and by what compares it.
    let again = run(&path, &[&["probe"], &command[..]].concat());
    assert_eq!(again.code, 1, "{}", again.err);
    let compared = run_line(&path, "compare a a");
    assert_eq!(compared.code, 0, "{}", compared.err);
    let (replayed, second) = probe(
        &path,
        &["cases.jsonl", "--model", "replay:a", "--axis", axes],
    );
    assert_eq!(replayed.code, 1, "{}", replayed.err);
    assert_eq!(second["axes"]["decoy"]["own:1"]["flips"], 1);
    assert_eq!(second["counts"]["failed"], 0);
}

#[test]
fn two_decoys_of_one_key_are_refused_before_anything_is_read() {
    let (_guard, path) = folder(&desks());
    let ran = run(
        &path,
        &[
            "probe",
            "missing.jsonl",
            "--axis",
            "decoy:x=one",
            "--axis",
            "decoy:x=two",
        ],
    );
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (
            2,
            "error: `--axis`: `decoy:x=one` and `decoy:x=two` would have one name\n\
             help: give each decoy a key of its own\n"
        )
    );
}

#[test]
fn letters_of_a_multiple_choice_question_stay_in_their_places() {
    let cases =
        r#"{"id":"q1","question":"Which floats?","options":["iron","cork","lead"],"answer":"B"}"#;
    let (_guard, path) = folder(&lines(&[cases.to_owned()]));
    let axes = "keys:letters,keys,drop,decoy,descriptions,descriptions:swapped";
    let (_, summary) = probe_line(&path, &format!("cases.jsonl --model last --axis {axes}"));
    let reasons = |axis: &str, variant: &str| {
        let reasons = &summary["axes"][axis][variant]["vacuous_reasons"];
        reasons
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(reasons("keys", "letters"), ["own-keys"]);
    assert_eq!(reasons("descriptions", "drop"), ["information-lost"]);
    assert_eq!(reasons("descriptions", "swapped"), ["information-lost"]);
    let keys = |axis, variant| {
        let keys = ask(&summary, 0, axis, variant)["keys"].as_array().unwrap();
        keys.iter()
            .map(|key| key.as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(keys("keys", "abstract"), ["A1", "A2", "A3"]);
    assert_eq!(keys("decoy", "none"), ["A", "B", "C", "D"]);
    assert_eq!(keys("drop", "last:0"), ["A", "B", "C"]);
    assert_eq!(keys("drop", "0"), ["A", "B"]);
    assert_eq!(
        ask(&summary, 0, "drop", "0")["order"],
        serde_json::json!([1, 2])
    );
}

#[test]
fn a_journal_in_which_a_choice_was_not_offered_is_refused() {
    let (_guard, path) = folder(&desks());
    let (ran, _) = probe_line(&path, "cases.jsonl --model last --axis drop --out a");
    assert_eq!(ran.code, 1, "{}", ran.err);
    let journal = std::fs::read_to_string(path.join("a/asks.jsonl")).unwrap();
    let without_first = |line: &&str| line.contains(r#""axis":"drop","variant":"0""#);
    let place = journal
        .lines()
        .position(|line| without_first(&line))
        .unwrap();
    let mut all: Vec<String> = journal.lines().map(str::to_owned).collect();
    all[place] = all[place].replace(r#"{"answered":{"choice":2,"#, r#"{"answered":{"choice":0,"#);
    assert_ne!(all[place], journal.lines().nth(place).unwrap());
    std::fs::write(path.join("a/asks.jsonl"), lines(&all)).unwrap();
    let ran = run_line(&path, "compare a a");
    let expected = format!(
        "error: a/asks.jsonl:{}: the answer is option 0, counted from 0, which the order does not offer",
        place + 1
    );
    assert_eq!(ran.code, 2);
    assert_eq!(ran.err.lines().next(), Some(expected.as_str()));
}
