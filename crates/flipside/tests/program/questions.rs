//! Several questions in one request, and models that change behind one address.

use flipside_standin::{Dialect, Fault, Policy, Standin, When};
use serde_json::Value;

use crate::support::{faulty, flipside, folder, lines, model, probe_line, ran, strip, unlabelled};

/// Ten requests with a choice, a score and a noul question each.
fn bodies() -> String {
    let body = |n: usize| {
        format!(
            "{{\"state\":{{\"n\":{n}}},\"questions\":{{\
             \"c\":{{\"type\":\"choice\",\"instructions\":\"Which?\",\"criteria\":{{\"a\":\"one {n}\",\"b\":\"two\",\"d\":\"three\"}}}},\
             \"s\":{{\"type\":\"score\",\"instructions\":\"How much?\",\"criteria\":[\"low {n}\",\"middle\",\"high\"]}},\
             \"n\":{{\"type\":\"noul\",\"instructions\":\"It is so.\",\"criteria\":{{\"true\":\"yes {n}\",\"false\":\"no\"}}}}}}}}"
        )
    };
    lines(&(0..10).map(body).collect::<Vec<_>>())
}

#[test]
fn a_control_answers_each_question_of_a_body_and_none_is_missing() {
    let (_guard, path) = folder(&bodies());
    for name in ["first", "overlap", "random"] {
        let words = format!("cases.jsonl --model {name} --order reverse,same:1 --gate none:fit");
        let (_, summary) = probe_line(&path, &words);
        assert_eq!(summary["counts"]["failed"], 0, "{name}");
        assert_eq!(summary["axes"]["order"]["reverse"]["pairs"], 30, "{name}");
        assert_eq!(summary["control"]["pairs"], 30, "{name}");
    }
}

#[test]
fn questions_of_one_body_share_its_request_over_http() {
    let (_guard, path) = folder(&bodies());
    let server = Standin::builder().policy(Policy::First).start().unwrap();
    let words = format!(
        "cases.jsonl --model {} --order reverse --gate none:fit --no-confirm",
        model(&server)
    );
    let (_, summary) = probe_line(&path, &words);
    assert_eq!(
        server.count(),
        10 + 30,
        "one baseline a body, and each question reversed by itself"
    );
    assert_eq!(summary["counts"]["asks"], 60);
    assert_eq!(summary["counts"]["failed"], 0);
}

#[test]
fn a_broken_answer_fails_its_own_question_and_not_its_neighbours() {
    let (_guard, path) = folder(&bodies());
    let server = faulty(Policy::Content, Fault::MissingOption, When::Always);
    let words = format!(
        "cases.jsonl --model {} --gate none:fit --retries 0",
        model(&server)
    );
    let (_, summary) = probe_line(&path, &words);
    let status = |question: &str| -> Vec<&Value> {
        let cases = summary["cases"].as_array().unwrap().iter();
        let of = cases.filter(|case| case["id"].as_str().unwrap().ends_with(question));
        of.map(|case| &case["asks"][0]["status"]).collect()
    };
    assert!(
        status("#c").iter().all(|status| *status == "failed"),
        "{:?}",
        status("#c")
    );
    assert!(
        status("#n").iter().all(|status| *status == "answered"),
        "{:?}",
        status("#n")
    );
}

#[test]
fn pairs_across_a_change_of_the_served_model_are_missing_and_never_stable() {
    let (_guard, path) = folder(&unlabelled(65));
    let server = faulty(Policy::Content, Fault::ModelChanges, When::Every(2));
    let words = format!(
        "cases.jsonl --model {} --order reverse --gate none:fit --strict",
        model(&server)
    );
    let (ran, summary) = probe_line(&path, &words);
    assert_eq!(ran.code, 1, "{}", ran.out);
    let line = &summary["axes"]["order"]["reverse"];
    assert!(line["other_version"].as_u64() > Some(0));
    assert_eq!(line["missing"], line["other_version"]);
    assert_eq!(line["verdict"], "inconclusive");
}

#[test]
fn another_file_name_and_another_order_of_lines_change_no_draw_of_cases_without_ids() {
    let without_ids = |text: String| -> Vec<String> {
        let strip = |line: &str| format!("{{{}", &line[line.find("\"state\"").unwrap()..]);
        text.lines().map(strip).collect()
    };
    let forward = without_ids(unlabelled(12));
    let backward: Vec<String> = forward.iter().rev().cloned().collect();
    let (_guard, path) = folder(&lines(&forward));
    std::fs::write(path.join("other.jsonl"), lines(&backward)).unwrap();
    for name in ["first", "noisy:0.3", "random"] {
        let run = |file: &str| {
            let words = format!("{file} --model {name} --order random:2,same:1 --gate none:fit");
            probe_line(&path, &words).1
        };
        let (mut one, mut other) = (run("cases.jsonl"), run("other.jsonl"));
        // A case without an id is called by its line, and so is the worst one.
        for summary in [&mut one, &mut other] {
            strip(summary, "worst");
        }
        assert_eq!(one["axes"], other["axes"], "{name}");
        assert_eq!(one["control"], other["control"], "{name}");
    }
}

#[test]
fn a_backend_whose_confidence_is_of_another_kind_than_declared_is_told_once() {
    let (_guard, path) = folder(&unlabelled(12));
    let laya = Standin::builder()
        .dialect(Dialect::Laya)
        .policy(Policy::Content)
        .start()
        .unwrap();
    let typesafe = Standin::builder()
        .dialect(Dialect::Typesafe)
        .policy(Policy::Content)
        .start()
        .unwrap();
    let ask = |url: &str| {
        let words = [
            "probe",
            "cases.jsonl",
            "--model",
            "laya-served",
            "--gate",
            "none:fit",
        ];
        let output = flipside()
            .current_dir(&path)
            .args(words)
            .env("LAYA_SERVED_URL", url)
            .output();
        ran(&output.unwrap())
    };
    assert!(!ask(&laya.url()).err.contains("looks like"));
    let other = ask(&typesafe.url()).err;
    assert_eq!(
        other
            .matches("looks like `above-chance` and not like `entropy`")
            .count(),
        1,
        "{other}"
    );
}
