//! Clients that others wrote, talking to our stand-in. They are asked where Python has them, and left out where it has not.
//!
//! `FLIPSIDE_TEST_PYTHON` names the interpreter; `docs/results/jevcompat.sh` makes one that has all of them.

use std::path::Path;
use std::process::Command;

use flipside_standin::{Dialect, Policy, Standin};
use serde_json::{Value, json};

/// The exit code of a client whose package is not there.
const ABSENT: i32 = 3;

/// What the client `script` prints of `server`; nothing where it cannot run.
#[expect(clippy::print_stderr, reason = "a test that is left out says so")]
fn client(script: &str, url: &str) -> Option<Value> {
    let python = std::env::var("FLIPSIDE_TEST_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(script);
    let ran = Command::new(&python)
        .arg(file)
        .args([url, "sesame-1"])
        .env_remove("TYPESAFE_BASE_URL")
        .env_remove("OPENAI_BASE_URL")
        .output();
    let output = match ran {
        Ok(output) if output.status.code() == Some(ABSENT) => {
            eprintln!("left out: `{python}` has not the package of `{script}`");
            return None;
        }
        Ok(output) => output,
        Err(error) => {
            eprintln!("left out: `{python}`: {error}");
            return None;
        }
    };
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{err}");
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn typesafes_own_client_reads_every_answer_in_the_order_that_it_sent() {
    let server = Standin::builder()
        .policy(Policy::First)
        .key("sesame-1")
        .start()
        .unwrap();
    let Some(found) = client("typesafe_client.py", &server.origin()) else {
        return;
    };
    assert_eq!(
        found["picks"],
        json!(["zeta", "é", "10", "zeta", "é", "10"])
    );
    assert_eq!(found["sums"], json!([1.0, 1.0, 1.0, 1.0, 1.0, 1.0]));
    // 0.9 on the first of three levels, 0.05 on the others.
    let score = found["score"].as_f64().unwrap();
    assert!((score - 0.15).abs() < 1e-9, "{score}");
    assert_eq!(
        found["legend"],
        json!({"0": "later", "1": "today", "2": "now"})
    );
    assert_eq!(found["noul"], json!(0.9));
    assert_eq!(
        (&found["model"], &found["models"]),
        (&json!("jev-1.14.0"), &json!(["jev-1.14.0"]))
    );
    assert_eq!(found["refused"], json!("TypeSafeUnprocessableEntityError"));
    let seen = server.seen();
    let decisions: Vec<_> = seen
        .iter()
        .filter(|seen| seen.path == "/v1/systemone")
        .collect();
    assert_eq!(decisions.len(), 7);
    assert_eq!(decisions[0].keys, ["zeta", "10", "2", "alpha", "Ab", "é"]);
    assert_eq!(
        decisions[4].keys,
        ["é", "Ab", "alpha", "2", "10", "zeta"],
        "of a long body too"
    );
    let zipped = |seen: &flipside_standin::Seen| {
        let names = seen.headers.iter();
        names
            .into_iter()
            .any(|(name, value)| name.eq_ignore_ascii_case("content-encoding") && value == "zstd")
    };
    // The client compresses from 1,024 bytes on, where it has a codec.
    assert!(!zipped(decisions[0]), "a short body goes as it is");
    assert_eq!(json!(zipped(decisions[3])), found["zstd"]);
}

#[test]
fn openais_own_client_reads_typed_values_in_the_order_that_it_sent() {
    let server = Standin::builder()
        .dialect(Dialect::OpenaiDecisions)
        .policy(Policy::First)
        .key("sesame-1")
        .start()
        .unwrap();
    let Some(found) = client("openai_client.py", &format!("{}/v1", server.origin())) else {
        return;
    };
    assert_eq!(found["picks"], json!(["zeta", "é", true, "true"]));
    assert_eq!(found["names"], json!(["queue", null, "soon"]));
    assert_eq!(found["probability"], json!(0.9));
    assert_eq!(found["score"], json!(0.1));
    assert_eq!(found["levels"], json!([[0, "later"], [1, "now"]]));
    assert_eq!(found["refused"], json!([400, "invalid_question"]));
    assert_eq!(
        server.seen()[1].keys,
        ["é", "\"true\"", "true", "10", "zeta"]
    );
}
