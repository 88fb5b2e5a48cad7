//! The schema in the repository is that of what is written, and real output passes it.

use std::path::{Path, PathBuf};

use flipside_standin::{Fault, Policy, When};
use serde_json::Value;

use crate::support::{eight_cases, faulty, folder, probe, probe_line, unlabelled};

fn schemas() -> [(&'static str, String); 5] {
    [
        (
            "comparison.schema.json",
            flipside::report::json::schema_comparison(),
        ),
        ("suite.schema.json", flipside::report::json::schema_suite()),
        (
            "invariance.schema.json",
            flipside::report::json::schema_invariance(),
        ),
        ("summary.schema.json", flipside::report::json::schema()),
        (
            "summaries.schema.json",
            flipside::report::json::schema_several(),
        ),
    ]
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../schema")
        .join(name)
}

/// `UPDATE_SCHEMA=1 cargo test -p flipside` writes the schemas anew.
#[test]
fn the_schemas_in_the_repository_are_those_of_the_code() {
    for (name, schema) in schemas() {
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            std::fs::write(path(name), &schema).unwrap();
        }
        let known = std::fs::read_to_string(path(name)).unwrap_or_default();
        assert_eq!(known, schema, "schema/{name}: run with UPDATE_SCHEMA=1");
    }
}

/// Checks that `value` passes the schema `name` of the code.
pub(crate) fn valid(name: &str, value: &Value) {
    let known = schemas().into_iter().find(|(known, _)| *known == name);
    let schema: Value = serde_json::from_str(&known.unwrap().1).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert_eq!(errors, Vec::<String>::new());
}

#[test]
fn real_summaries_pass_the_schema_whatever_happened() {
    let (_guard, path) = folder(&eight_cases());
    let (_, plain) = probe(&path, &["cases.jsonl"]);
    valid("summary.schema.json", &plain);
    let (_, several) = probe(
        &path,
        &[
            "cases.jsonl",
            "--model",
            "first",
            "--model",
            "random",
            "--order",
            "check",
        ],
    );
    valid("summaries.schema.json", &several);
    let (_guard, path) =
        folder(&(unlabelled(12) + "{\"state\":{},\"options\":{\"only\":\"1\"},\"rules\":\"r\"}\n"));
    let server = faulty(Policy::RefuseReversed, Fault::Status(422), When::Every(5));
    let model = format!("systemone:{}", server.url());
    let words =
        format!("cases.jsonl --model {model} --order balanced,same:2 --strict --max-asks 60");
    let (ran, summary) = probe_line(&path, &words);
    assert_eq!(ran.code, 3, "{}", ran.err);
    valid("summary.schema.json", &summary);
}

#[test]
fn a_summary_that_lacks_a_field_or_has_another_type_fails_the_schema() {
    let schema: Value =
        serde_json::from_str(&std::fs::read_to_string(path("summary.schema.json")).unwrap())
            .unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let (_guard, path) = folder(&eight_cases());
    let (_, summary) = probe(&path, &["cases.jsonl", "--order", "reverse,same:1"]);
    for pointer in [
        "/fit/verdict",
        "/axes/order/reverse/rate",
        "/control/flips",
        "/cases/0/asks/0/order",
        "/exit",
    ] {
        let mut broken = summary.clone();
        *broken.pointer_mut(pointer).unwrap() = Value::String("wrong".to_owned());
        assert!(!validator.is_valid(&broken), "{pointer}");
    }
    let mut broken = summary.clone();
    broken["axes"]["order"]["reverse"]
        .as_object_mut()
        .unwrap()
        .remove("missing");
    assert!(!validator.is_valid(&broken));
}
