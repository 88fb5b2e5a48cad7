//! The main job over real HTTP and in process: what a person with a case file learns.

use crate::support::{
    count, eight_cases, faulty, folder, json, lines, model, probe, probe_line, run, timeless,
    unlabelled,
};
use flipside_standin::{Dialect, Fault, Policy, Standin, When};
use serde_json::Value;

#[test]
fn a_backend_that_returns_the_first_key_flips_every_case_and_fails_the_gate() {
    let (_guard, path) = folder(&eight_cases());
    let server = Standin::builder().policy(Policy::First).start().unwrap();
    let (ran, summary) = probe(
        &path,
        &[
            "cases.jsonl",
            "--model",
            &model(&server),
            "--order",
            "reverse",
        ],
    );
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert_eq!(
        server.count(),
        16 + 16,
        "both orders of each flip are asked once more"
    );
    assert_eq!(count(&summary, "/axes/order/reverse/flips"), Some(8));
    assert_eq!(count(&summary, "/axes/order/reverse/pairs"), Some(8));
    assert_eq!(
        count(&summary, "/axes/order/reverse/position_following"),
        Some(8)
    );
    assert_eq!(
        summary["axes"]["order"]["reverse"]["verdict"],
        "order-sensitive"
    );
    assert!(ran.out.contains("8/8 flipped"), "{}", ran.out);
    assert!(ran.out.contains("order-sensitive"), "{}", ran.out);
    assert!(ran.out.contains("order: NOT HELD"), "{}", ran.out);
    assert!(ran.out.contains("exit 1"), "{}", ran.out);
}

#[test]
fn a_backend_that_reads_content_holds_and_the_line_says_what_eight_cases_show_at_most() {
    let (_guard, path) = folder(&eight_cases());
    let server = Standin::builder().policy(Policy::Overlap).start().unwrap();
    let (ran, summary) = probe(
        &path,
        &[
            "cases.jsonl",
            "--model",
            &model(&server),
            "--order",
            "reverse",
        ],
    );
    assert_eq!(ran.code, 0, "{}\n{}", ran.out, ran.err);
    assert_eq!(count(&summary, "/axes/order/reverse/flips"), Some(0));
    assert_eq!(count(&summary, "/fit/right"), Some(8));
    assert!(ran.out.contains("0/8 flipped"), "{}", ran.out);
    assert!(ran.out.contains("up to 31.2%"), "{}", ran.out);
}

#[test]
fn same_alone_measures_the_control_and_never_calls_the_order_stable() {
    let (_guard, path) = folder(&eight_cases());
    let server = Standin::builder().policy(Policy::First).start().unwrap();
    let (ran, summary) = probe(
        &path,
        &[
            "cases.jsonl",
            "--model",
            &model(&server),
            "--order",
            "same:2",
        ],
    );
    assert_eq!(server.count(), 24);
    assert_eq!(ran.code, 1);
    assert_eq!(summary["gates"][1]["subject"], "order");
    assert_eq!(summary["gates"][1]["verdict"], "not measured");
    assert_eq!(count(&summary, "/control/pairs"), Some(8));
    assert_eq!(count(&summary, "/control/asked"), Some(16));
    assert!(ran.out.contains("not measured"), "{}", ran.out);
    assert!(!ran.out.contains("stable"), "{}", ran.out);
}

#[test]
fn without_an_order_it_is_the_plain_fit_probe() {
    let (_guard, path) = folder(&eight_cases());
    let (ran, summary) = probe(&path, &["cases.jsonl"]);
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert_eq!(count(&summary, "/counts/asks"), Some(8));
    assert_eq!(summary["gates"].as_array().unwrap().len(), 1);
    let few: Vec<String> = eight_cases().lines().take(7).map(str::to_owned).collect();
    let few = lines(&few);
    let (_guard, path) = folder(&few);
    let (ran, _) = probe(&path, &["cases.jsonl"]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("too few cases: 7 of 8"), "{}", ran.out);
}

#[test]
fn a_server_that_sorts_what_it_receives_shows_no_flip_of_a_first_key_picker() {
    let (_guard, path) = folder(&unlabelled(10));
    let server = Standin::builder()
        .policy(Policy::SortedOrder(Box::new(Policy::First)))
        .start()
        .unwrap();
    let words = format!(
        "cases.jsonl --model {} --order reverse --gate none:fit",
        model(&server)
    );
    let (_, summary) = probe_line(&path, &words);
    assert_eq!(count(&summary, "/axes/order/reverse/flips"), Some(0));
}

#[test]
fn failures_after_case_twenty_are_missing_and_never_stable() {
    let (_guard, path) = folder(&unlabelled(24));
    let server = faulty(Policy::Content, Fault::Status(422), When::From(41));
    let words = format!(
        "cases.jsonl --model {} --order reverse --gate none:fit --concurrency 1",
        model(&server)
    );
    let (ran, summary) = probe_line(&path, &words);
    assert_eq!(count(&summary, "/counts/failed"), Some(8));
    assert_eq!(summary["axes"]["order"]["reverse"]["verdict"], "undecided");
    assert_eq!(ran.code, 1, "{}", ran.err);
    let figure = &summary["axes"]["order"]["reverse"];
    let (pairs, missing) = (
        figure["pairs"].as_u64().unwrap(),
        figure["missing"].as_u64().unwrap(),
    );
    assert_eq!(pairs + missing, 24);
    assert_eq!(figure["flips"], 0);
}

#[test]
fn one_option_is_vacuous_never_asked_and_the_gate_does_not_hold() {
    let (_guard, path) =
        folder("{\"state\":{},\"options\":{\"only\":\"one\"},\"rules\":\"Pick.\"}\n");
    let server = Standin::builder().policy(Policy::First).start().unwrap();
    let words = format!(
        "cases.jsonl --model {} --order reverse --gate none:fit",
        model(&server)
    );
    let (ran, summary) = probe_line(&path, &words);
    assert_eq!(server.count(), 1);
    assert_eq!(ran.code, 1);
    let line = &summary["axes"]["order"]["reverse"];
    assert_eq!(line["verdict"], "not applicable");
    assert_eq!(line["vacuous"], 1);
    assert_eq!(line["rate"], Value::Null);
    assert_eq!(line["vacuous_reasons"]["one-option"], 1);
}

#[test]
fn a_tie_that_a_server_breaks_by_position_is_a_tie_flip() {
    let (_guard, path) = folder(&unlabelled(6));
    let server = Standin::builder().policy(Policy::Uniform).start().unwrap();
    let words = format!(
        "cases.jsonl --model {} --order reverse --gate none:fit",
        model(&server)
    );
    let (_, summary) = probe_line(&path, &words);
    assert_eq!(count(&summary, "/axes/order/reverse/tie_flips"), Some(6));
    assert_eq!(count(&summary, "/axes/order/reverse/firm_flips"), Some(0));
}

#[test]
fn the_order_and_texts_on_the_wire_are_those_of_the_presentation() {
    let cases = concat!(
        r#"{"id":"w","state":{"price":1.10,"big":12345678901234567890123},"#,
        r#""options":{"zeta":"a","10":"b","2":"c","é":"d","alpha":"e"},"rules":"Pick."}"#,
        "\n"
    );
    let (_guard, path) = folder(cases);
    let server = Standin::builder().policy(Policy::First).start().unwrap();
    let words = format!(
        "cases.jsonl --model {} --order reverse,rotate:1 --gate none:fit --concurrency 1 --no-confirm",
        model(&server)
    );
    let (_, summary) = probe_line(&path, &words);
    let mut seen: Vec<Vec<String>> = server.seen().into_iter().map(|seen| seen.keys).collect();
    seen.sort();
    let expected = [
        ["10", "2", "é", "alpha", "zeta"],
        ["alpha", "é", "2", "10", "zeta"],
        ["zeta", "10", "2", "é", "alpha"],
    ];
    assert_eq!(seen, expected);
    for seen in server.seen() {
        let body = String::from_utf8(seen.body).unwrap();
        assert!(
            body.contains(r#""state":{"price":1.10,"big":12345678901234567890123}"#),
            "{body}"
        );
    }
    let asks = summary["cases"][0]["asks"].as_array().unwrap();
    assert_eq!(asks[1]["order"], serde_json::json!([4, 3, 2, 1, 0]));
    assert_eq!(
        asks[1]["keys"],
        serde_json::json!(["alpha", "é", "2", "10", "zeta"])
    );
}

#[test]
fn the_order_of_lines_concurrency_and_other_cases_change_no_figure() {
    let cases = unlabelled(12);
    let mut reversed: Vec<&str> = cases.lines().collect();
    reversed.reverse();
    let reversed = reversed.join("\n");
    let words = |concurrency| {
        [
            "cases.jsonl",
            "--model",
            "first",
            "--order",
            "random:2,same:1",
            "--gate",
            "none:fit",
            "--concurrency",
            concurrency,
        ]
    };
    let (_guard, path) = folder(&cases);
    let (_, forward) = probe(&path, &words("1"));
    let (_, again) = probe(&path, &words("8"));
    assert_eq!(timeless(forward.clone()), timeless(again));
    let (_guard, path) = folder(&reversed);
    let (_, backward) = probe(&path, &words("8"));
    assert_eq!(forward["axes"], backward["axes"]);
    let by_id = |summary: &Value| {
        let mut cases: Vec<(String, Value)> = summary["cases"]
            .as_array()
            .unwrap()
            .iter()
            .map(|case| {
                (
                    case["id"].as_str().unwrap().to_owned(),
                    timeless(case["asks"].clone()),
                )
            })
            .collect();
        cases.sort_by(|a, b| a.0.cmp(&b.0));
        cases
    };
    assert_eq!(by_id(&forward), by_id(&backward));
}

#[test]
fn escape_codes_and_bidirectional_marks_never_reach_the_terminal() {
    let cases = "{\"id\":\"e\\u001b[31m\",\"state\":{},\"options\":{\"a\\u202e\\u001b]0;x\\u0007\":\"1\",\"b\":\"2\"},\"rules\":\"r\",\"accept\":[\"b\"]}\n";
    let (_guard, path) = folder(cases);
    let ran = run(
        &path,
        &[
            "probe",
            "cases.jsonl",
            "--model",
            "first",
            "--order",
            "reverse",
            "--verbose",
        ],
    );
    for bad in ['\u{1b}', '\u{202e}', '\u{7}'] {
        assert!(
            !ran.out.contains(bad) && !ran.err.contains(bad),
            "{:?}",
            ran.out
        );
    }
    assert!(ran.out.contains("\\u{1b}"), "{}", ran.out);
}

#[test]
fn the_same_bytes_are_asked_once_but_a_control_is_asked_each_time() {
    let cases =
        "{\"id\":\"two\",\"state\":{},\"options\":{\"a\":\"1\",\"b\":\"2\"},\"rules\":\"r\"}\n";
    let (_guard, path) = folder(cases);
    let server = Standin::builder().policy(Policy::First).start().unwrap();
    let orders = "reverse,rotate:1,random:1,same:2";
    let words = format!(
        "cases.jsonl --model {} --order {orders} --gate none:fit --no-confirm",
        model(&server)
    );
    let (_, summary) = probe_line(&path, &words);
    assert_eq!(
        server.count(),
        4,
        "one baseline, one other order, two controls"
    );
    for variant in ["reverse", "rotate:1", "random:1"] {
        assert_eq!(
            count(&summary, &format!("/axes/order/{variant}/flips")),
            Some(1)
        );
    }
}

#[test]
fn a_key_goes_to_its_own_host_only_and_is_never_printed() {
    let (_guard, path) = folder(&unlabelled(2));
    let server = Standin::builder()
        .dialect(Dialect::Typesafe)
        .policy(Policy::First)
        .key("sk-secret-1")
        .start()
        .unwrap();
    let words = [
        "probe",
        "cases.jsonl",
        "--model",
        "jev",
        "--gate",
        "none:fit",
        "--out",
        "run",
    ];
    let with_key = |key: Option<&str>, url: &str| {
        let mut command = crate::support::flipside();
        command
            .current_dir(&path)
            .args(words)
            .env("TYPESAFE_API_URL", url);
        if let Some(key) = key {
            command.env("TYPESAFE_API_KEY", key);
        }
        crate::support::ran(&command.output().unwrap())
    };
    let wrong = with_key(Some("sk-wrong-1"), &server.url());
    assert_eq!(wrong.code, 3, "{}", wrong.err);
    assert!(wrong.err.contains("401"), "{}", wrong.err);
    let right = with_key(Some("sk-secret-1"), &server.url());
    assert_eq!(right.code, 0, "{}", right.err);
    assert!(
        right.err.contains("key from TYPESAFE_API_KEY"),
        "{}",
        right.err
    );
    assert!(right.err.contains("127.0.0.1"), "{}", right.err);
    for ran in [&wrong, &right] {
        assert!(!ran.err.contains("sk-") && !ran.out.contains("sk-"));
    }
    let run = json(&path, "run/run.json");
    assert_eq!(
        run["served_models"].as_array().map(Vec::len),
        Some(1),
        "{run}"
    );
    for file in ["run.json", "cases.jsonl", "asks.jsonl", "summary.json"] {
        assert!(
            !std::fs::read_to_string(path.join("run").join(file))
                .unwrap()
                .contains("sk-"),
            "{file}"
        );
    }
    let elsewhere = with_key(Some("sk-secret-1"), "http://decisions.example/v1/systemone");
    assert_eq!(elsewhere.code, 2, "{}", elsewhere.err);
    assert!(!elsewhere.err.contains("sk-"));
}
