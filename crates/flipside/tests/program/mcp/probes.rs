//! The tool `probe`.

use flipside_standin::{Fault, Standin, When};
use serde_json::{Value, json};

use super::{Host, conforms, desks, tools};

#[test]
fn a_probe_of_cases_in_the_call_counts_fits_and_flips_with_intervals() {
    let [_, probe] = tools();
    let mut host = Host::ready(&["--model", "first"]);
    let mut cases = Vec::new();
    for n in 0..8 {
        let mut case = desks();
        case["state"]["n"] = json!(n);
        case["expect"] = if n < 6 {
            json!("billing")
        } else {
            json!(["delivery", "other"])
        };
        cases.push(case);
    }
    let result = host.call(
        1,
        "probe",
        &json!({"cases": cases, "order": "reverse,same:1"}),
    );
    conforms(&probe, &result);
    let found = &result["structuredContent"];
    assert_eq!(found["complete"], true);
    // 8 cases in two orders and once more, 8 flips in both orders once more.
    assert_eq!(
        (&found["exit"], &found["asks"], &found["cases"]),
        (&json!(1), &json!(40), &json!(8))
    );
    let fit = &found["fit"];
    assert_eq!(
        (&fit["count"], &fit["of"], &fit["rate"]),
        (&json!(6), &json!(8), &json!(0.75))
    );
    assert_eq!(fit["verdict"], "not a decision-model task");
    let line = &found["axes"][0];
    assert_eq!(
        (&line["axis"], &line["variant"]),
        (&json!("order"), &json!("reverse"))
    );
    assert_eq!(
        (&line["count"], &line["of"], &line["missing"]),
        (&json!(8), &json!(8), &json!(0))
    );
    assert_eq!(line["verdict"], "order-sensitive");
    // Wilson's interval of 8 of 8 is [8 / (8 + z^2), 1], with z^2 = 3.841459.
    let low = line["interval"][0].as_f64().unwrap();
    assert!((low - 8.0 / 11.841_459).abs() < 1e-6, "{low}");
    assert_eq!(line["interval"][1], 1.0);
    assert_eq!(
        (&found["control"]["count"], &found["control"]["of"]),
        (&json!(0), &json!(8))
    );
    let gates: Vec<(&str, bool)> = (found["gates"].as_array().unwrap().iter())
        .map(|gate| {
            (
                gate["subject"].as_str().unwrap(),
                gate["held"].as_bool().unwrap(),
            )
        })
        .collect();
    assert_eq!(gates, [("fit", false), ("order", false)]);
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("8/8 flipped"), "{text}");
    assert!(!text.contains('\u{1b}'));
    assert_eq!(host.end().code, 0);
}

#[test]
fn a_probe_takes_builtin_cases_axes_gates_and_a_seed() {
    let [_, probe] = tools();
    let mut host = Host::ready(&[]);
    let result = host.call(1, "probe", &json!({"cases": "builtin:ticket-router"}));
    conforms(&probe, &result);
    assert_eq!(result["structuredContent"]["cases"], 30);
    let axes = result["structuredContent"]["axes"].as_array().unwrap();
    let variants: Vec<&str> = axes
        .iter()
        .map(|line| line["variant"].as_str().unwrap())
        .collect();
    assert_eq!(variants, ["reverse", "rotate:1"]);
    let asked = json!({"cases": "builtin:ticket-router", "axis": "keys:letters", "gate": "keys<=100%", "model": "first"});
    let result = host.call(2, "probe", &asked);
    conforms(&probe, &result);
    let found = &result["structuredContent"];
    assert_eq!(found["axes"][0]["axis"], "keys");
    assert_eq!(found["axes"].as_array().unwrap().len(), 1);
    assert_eq!(found["gates"][1]["held"], true, "{}", found["gates"]);
    let drawn =
        |seed: u32| json!({"cases": "builtin:ticket-router", "order": "random:1", "seed": seed});
    let [one, again] =
        [3, 4].map(|id| host.call(id, "probe", &drawn(7))["structuredContent"]["axes"].clone());
    assert_eq!(one, again);
    assert_eq!(host.end().code, 0);
}

#[test]
fn a_probe_is_refused_for_bad_cases_paths_and_too_many_asks() {
    let mut host = Host::ready(&["--model", "first", "--max-asks", "50"]);
    let mut refused = |arguments: Value| host.refused("probe", &arguments);
    assert_eq!(refused(json!({})), "error: `cases` is missing");
    assert_eq!(
        refused(json!({"cases": 3, "seed": "x"})),
        "error: `seed` is a string, expected a whole number\n\
         error: `cases` is a number, expected an array of cases, a path or `builtin:NAME`"
    );
    assert_eq!(
        refused(json!({"cases": []})),
        "error: `cases` is empty, expected one case or more"
    );
    assert_eq!(
        refused(json!({"cases": "-"})),
        "error: `cases`: standard input carries the protocol, expected a path or `builtin:NAME`"
    );
    for path in ["/dev/stdin", "nowhere.jsonl", "/etc/passwd", "."] {
        assert_eq!(
            refused(json!({"cases": path})),
            format!(
                "error: `cases`: `{path}` is no case file that this server was started with\n\
                 help: start it with `--cases` and that path, or give an array of cases"
            )
        );
    }
    let mut wrong = desks();
    wrong["expect"] = json!("nobody");
    let mut typed = desks();
    typed["expect"] = json!([1]);
    let mut unnamed = desks();
    unnamed["id"] = json!("");
    let mut nothing = desks();
    nothing["expect"] = json!([]);
    assert_eq!(
        refused(json!({"cases": [7, wrong, typed, unnamed, nothing]})),
        "error: `cases[0]` is a number, expected an object\n\
         error: `cases[1].expect`: `nobody` is no option, expected one of `billing`, `delivery`, `other`\n\
         error: `cases[2].expect` is neither the key of an option nor an array of keys\n\
         error: `cases[3].id` is empty\n\
         error: `cases[4].expect` is neither the key of an option nor an array of keys"
    );
    let mut named = desks();
    named["id"] = json!("a");
    assert_eq!(
        refused(json!({"cases": [named, desks(), named]})),
        "error: `cases`: id `a` is given twice, by case 1 and case 3"
    );
    assert_eq!(
        refused(json!({"cases": "builtin:ticket-router"})),
        "error: this needs 120 asks, and the call may make 50\n\
         help: ask fewer cases or orders, or start the server with a larger `--max-asks`"
    );
    assert_eq!(
        refused(json!({"cases": [desks()], "max_asks": 51})),
        "error: `max_asks 51`: this server allows 50 asks a call\n\
         help: ask fewer, or start it with a larger `--max-asks`"
    );
    assert_eq!(
        refused(json!({"cases": [desks()], "max_asks": 3})),
        "error: this needs 4 asks, and the call may make 3\n\
         help: ask fewer cases or orders, or start the server with a larger `--max-asks`"
    );
    assert_eq!(host.end().code, 0);
}

#[test]
fn a_run_that_stops_half_way_fails_and_gives_what_was_measured() {
    let [_, probe] = tools();
    let mut host = Host::ready(&["--model", "first"]);
    // Four planned asks fit; the two that would confirm the flip do not.
    let result = host.call(1, "probe", &json!({"cases": [desks()], "max_asks": 5}));
    conforms(&probe, &result);
    assert_eq!(result["isError"], true);
    let found = &result["structuredContent"];
    assert_eq!(
        (&found["complete"], &found["exit"]),
        (&json!(false), &json!(3))
    );
    let told = result["content"][0]["text"].as_str().unwrap();
    assert_eq!(
        told,
        "error: stopped after 5 of 6 asks: `--max-asks 5` is reached\nhelp: raise `--max-asks` and repeat the call"
    );
    assert!(
        result["content"][1]["text"]
            .as_str()
            .unwrap()
            .contains("flipped")
    );
    assert_eq!(host.end().code, 0);
}

#[test]
fn a_backend_that_fails_is_told_and_no_key_is_ever_in_a_result() {
    let key = "sk-secret-0123456789";
    let server = Standin::builder()
        .key("another")
        .fault(Fault::EchoKey, When::Always)
        .start()
        .unwrap();
    let variables = [
        ("TYPESAFE_API_KEY", key),
        ("TYPESAFE_API_URL", &server.url()),
    ];
    let mut host = Host::start_with(&["--model", "jev"], &variables).hello("2025-06-18");
    let told = host.refused("decide", &desks());
    assert!(
        told.starts_with("error: stopped after 0 of 4 asks: `jev`"),
        "{told}"
    );
    assert!(told.contains("answered 401"), "{told}");
    assert!(
        told.ends_with(
            "\nhelp: mend the key in TYPESAFE_API_KEY, or what it may do, and repeat the call"
        ),
        "{told}"
    );
    assert!(!told.contains(key), "{told}");
    let ran = host.end();
    assert!(ran.err.contains("key from TYPESAFE_API_KEY"), "{}", ran.err);
    assert!(!ran.err.contains(key), "{}", ran.err);
}
