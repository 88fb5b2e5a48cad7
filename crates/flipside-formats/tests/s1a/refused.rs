//! Trials that failed, folders that lack files, and episodes that are none.

use serde_json::json;

use super::*;

#[test]
fn trials_that_failed_and_trials_that_are_not_kept_are_counted_and_told() {
    let folder = Folder::new();
    folder.write(
        "config.json",
        &json!({"job_name": "j", "agents": [{"model_name": "clm"}]}),
    );
    folder.write(
        "result.json",
        &json!({"n_total_trials": 4, "started_at": "2026-01-01", "finished_at": null}),
    );
    let result = |error: &Value| json!({"task_name": "t/7", "exception_info": error, "finished_at": "2026-01-02"});
    folder.write("t--0__aaa/result.json", &result(&Value::Null));
    folder.write(
        "t--0__aaa/agent/episode.json",
        &episode(&json!({"source": null})),
    );
    folder.write(
        "t--1__bbb/result.json",
        &result(&json!({"error": "out of memory"})),
    );
    folder.write("t--1__bbb/agent/episode.json", &episode(&json!({})));
    folder.write(
        "t--2__ccc/result.json",
        &result(&json!({"kind": "Timeout"})),
    );
    folder.write("notes/readme.json", &json!({}));
    let run = import::read(folder.path(), &with_rules("r")).unwrap();
    let ids: Vec<&str> = run
        .decisions
        .iter()
        .map(|each| each.case.id.0.as_str())
        .collect();
    assert_eq!(
        ids,
        ["t--0__aaa/1", "t--1__bbb/1"],
        "three trials have one task"
    );
    let backends: Vec<_> = run
        .decisions
        .iter()
        .map(|each| each.case.field("backend"))
        .collect();
    assert_eq!(backends, [Some("clm"), Some("laya")]);
    let told: Vec<String> = run
        .warnings
        .iter()
        .map(|warning| folder.plain(&warning.to_string()))
        .collect();
    let expected = [
        "IN: 4 trials counted and 2 kept",
        "IN: 2 of 3 trials ended in an error, the first is `t--1__bbb`: out of memory; what was decided before is read",
    ];
    assert_eq!(told, expected);
    assert!(!run.about.complete);
    assert_eq!(run.about.model, "clm");
}

#[test]
fn episodes_that_are_none_are_refused_in_these_words() {
    let folder = Folder::new();
    let mut text = String::new();
    let mut tell = |what: &str, value: &Value| {
        let path = folder.write("episode.json", value);
        let refused = refused(&path, &Supplements::default());
        text.extend([format!("== {what}\n{}", folder.plain(&refused))]);
    };
    let with = |change: &dyn Fn(&mut Value)| {
        let mut run = episode(&json!({}));
        change(&mut run);
        run
    };
    tell("no views", &json!({"decisions": []}));
    tell("decisions", &with(&|run| run["decisions"] = json!({})));
    tell("tick", &with(&|run| run["decisions"] = json!([3])));
    for (field, value) in [
        ("step", json!("1")),
        ("step", json!(1.5)),
        ("key", json!(7)),
        ("probabilities", json!([1])),
        ("plan", json!("yes")),
        ("blocked", json!("a")),
        ("blocked", json!([1])),
        ("source", json!([])),
        ("accepted", json!(1)),
    ] {
        tell(
            field,
            &with(&|run| run["decisions"][0][field] = value.clone()),
        );
    }
    tell(
        "steps",
        &with(&|run| {
            let tick = run["decisions"][0].clone();
            run["decisions"].as_array_mut().unwrap().push(tick);
        }),
    );
    tell(
        "candidates",
        &with(&|run| run["views"][0]["candidates"] = json!([])),
    );
    tell(
        "state",
        &with(&|run| {
            run["views"][0].as_object_mut().unwrap().remove("state");
        }),
    );
    let router = |router: Value| with(&|run| run["extra"] = json!({"ticket_router": router}));
    tell("router", &router(json!(1)));
    tell("routes", &router(json!({"routes": {}})));
    tell(
        "route",
        &router(json!({"routes": [{"id": "t", "expected": "z"}]})),
    );
    tell(
        "two routes",
        &router(json!({"routes": [{"id": "t", "expected": "a"}, {"id": "t", "expected": "b"}]})),
    );
    tell(
        "two trials' steps",
        &json!([episode(&json!({})), episode(&json!({}))]),
    );
    tell("nothing", &json!([]));
    insta::assert_snapshot!(text);
}

#[test]
fn a_job_without_its_files_is_refused_file_by_file() {
    let folder = Folder::new();
    fs_err::write(folder.path().join("config.json"), "{").unwrap();
    fs_err::write(folder.path().join("result.json"), "[]").unwrap();
    let text = folder.plain(&refused(folder.path(), &Supplements::default()));
    let expected = [
        "error: IN/config.json:1:2: expected a key in double quotes, found the end of the text",
        "  help: one JSON object a line, or one JSON array of them, is expected",
        "error: IN/result.json:1: expected `the file` to be one JSON object, found nothing",
    ];
    assert_eq!(text.lines().collect::<Vec<_>>(), expected);
}
