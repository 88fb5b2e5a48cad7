//! Adapters as real processes.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a helper of tests fails, and speaks, as a test does"
)]

mod common;

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use common::{ask, block_on, case, send};
use flipside_core::answer::Declined;
use flipside_core::case::Case;
use flipside_core::model::{Failure, Model, Rejection, Reply};
use flipside_core::order::{OptionId, Order};
use flipside_core::perturb::Variant;
use flipside_core::present::Presentation;

/// A program in Python, or `None`, with the reason printed, where there is no Python.
fn adapter(program: &str) -> Option<(tempfile::TempDir, Arc<dyn Model>)> {
    if Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: python3 is not on this machine");
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("adapter.py");
    fs_err::write(&file, format!("import json, sys\n{program}")).unwrap();
    let model = common::model(&format!("exec:python3 '{}'", file.display()));
    Some((folder, model))
}

fn two() -> Case {
    case(
        "c",
        r#"{"t":"charged twice"}"#,
        &[("a", "\"payments charged\""), ("b", "null")],
    )
}

async fn line(model: &dyn Model, case: &Case) -> Result<Reply, Failure> {
    send(
        model,
        case,
        &Order::own(case.options.len()),
        &Variant::baseline(),
    )
    .await
}

#[test]
fn a_request_is_one_object_whose_options_are_an_array() {
    let (case, order) = (two(), Order::reverse(2));
    let bytes = common::model("exec:x")
        .request(&Presentation::new(&case, &order))
        .unwrap();
    assert_eq!(
        String::from_utf8(bytes).unwrap(),
        r#"{"state":{"t":"charged twice"},"question":{"type":"choice","name":"q","instructions":"Which team?"},"options":[{"key":"b"},{"key":"a","text":"payments charged"}]}"#
    );
}

#[test]
fn the_example_adapter_answers_by_shared_words() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/exec_adapter.py");
    if Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: python3 is not on this machine");
        return;
    }
    let model = common::model(&format!("exec:python3 '{}'", file.display()));
    for order in [Order::own(2), Order::reverse(2)] {
        let case = two();
        let reply = block_on(send(model.as_ref(), &case, &order, &Variant::baseline())).unwrap();
        let answer = model
            .read(&Presentation::new(&case, &order), &reply)
            .unwrap();
        assert_eq!(answer.choice, Some(OptionId(0)));
        assert!(!answer.tied);
    }
}

#[test]
fn replies_out_of_order_find_their_asks() {
    let program = r#"
asks = [json.loads(sys.stdin.readline()) for _ in range(3)]
for ask in reversed(asks):
    print(json.dumps({"id": ask["id"], "choice": ask["options"][0]["key"]}), flush=True)
sys.stdin.read()
"#;
    let Some((_folder, model)) = adapter(program) else {
        return;
    };
    let cases = ["x", "y", "z"].map(|key| case(key, "\"s\"", &[(key, "null"), ("other", "null")]));
    block_on(async {
        let [x, y, z] = &cases;
        let (model, own) = (model.as_ref(), Order::own(2));
        let replies = tokio::join!(line(model, x), line(model, y), line(model, z));
        for (case, reply) in cases.iter().zip([replies.0, replies.1, replies.2]) {
            let answer = model
                .read(&Presentation::new(case, &own), &reply.unwrap())
                .unwrap();
            assert_eq!(answer.choice, Some(OptionId(0)));
        }
    });
}

#[test]
fn a_program_that_ends_fails_the_asks_in_flight_with_its_status_and_last_words() {
    let program = r#"
sys.stdin.readline()
print("first words\nlast \x1b[1mwords\n", file=sys.stderr)
sys.exit(3)
"#;
    let Some((_folder, model)) = adapter(program) else {
        return;
    };
    let case = two();
    block_on(async {
        let (one, two) = tokio::join!(line(model.as_ref(), &case), line(model.as_ref(), &case));
        for failure in [one, two] {
            match failure.unwrap_err() {
                Failure::Broken { message } => {
                    assert_eq!(
                        message,
                        "`python3` ended with exit status: 3: last \\u{1b}[1mwords"
                    );
                }
                other => panic!("{other:?}"),
            }
        }
    });
}

#[test]
fn a_program_that_ended_is_started_again_for_the_next_ask() {
    let program = r#"
ask = json.loads(sys.stdin.readline())
print(json.dumps({"id": ask["id"], "choice": "a"}), flush=True)
"#;
    let Some((_folder, model)) = adapter(program) else {
        return;
    };
    let case = two();
    block_on(async {
        let mut answered = 0;
        // An ask may meet the program while it ends; the next one starts it again.
        for _ in 0..50 {
            answered += usize::from(line(model.as_ref(), &case).await.is_ok());
            if answered == 3 {
                return;
            }
        }
        panic!("only {answered} answers");
    });
}

#[test]
fn a_line_that_is_no_reply_ends_the_adapter() {
    for (garbage, quoted) in [
        ("loading model", "loading model"),
        (
            r#"{"id": 99, "choice": "a"}"#,
            r#"{"id": 99, "choice": "a"}"#,
        ),
    ] {
        let program =
            format!("sys.stdin.readline()\nprint('{garbage}', flush=True)\nsys.stdin.read()\n");
        let Some((_folder, model)) = adapter(&program) else {
            return;
        };
        match block_on(line(model.as_ref(), &two())).unwrap_err() {
            Failure::Broken { message } => {
                assert_eq!(
                    message,
                    format!("`python3` wrote a line that replies to nothing asked: `{quoted}`")
                );
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_program_that_is_not_there_is_a_connect_failure() {
    match block_on(line(
        common::model("exec:/nowhere/adapter").as_ref(),
        &two(),
    ))
    .unwrap_err()
    {
        Failure::Connect { message } => assert!(
            message.starts_with("`/nowhere/adapter` cannot be started"),
            "{message}"
        ),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_ask_that_is_given_up_disturbs_no_other() {
    let program = r#"
for line in sys.stdin:
    ask = json.loads(line)
    if ask["id"] == 2:
        print(json.dumps({"id": 1, "choice": "b"}), flush=True)
    if ask["id"] > 1:
        print(json.dumps({"id": ask["id"], "choice": "a"}), flush=True)
"#;
    let Some((_folder, model)) = adapter(program) else {
        return;
    };
    let case = two();
    block_on(async {
        let given_up = tokio::time::timeout(
            std::time::Duration::from_millis(1),
            line(model.as_ref(), &case),
        );
        assert!(given_up.await.is_err());
        let reply = line(model.as_ref(), &case).await.unwrap();
        assert!(reply.body.contains("\"a\""));
    });
}

#[test]
fn the_program_ends_with_the_model() {
    let Some((folder, model)) = adapter(
        "import os\nopen(sys.argv[0] + '.pid', 'w').write(str(os.getpid()))\nask = json.loads(sys.stdin.readline())\nprint(json.dumps({'id': 1, 'choice': 'a'}), flush=True)\nimport time\ntime.sleep(600)\n",
    ) else {
        return;
    };
    block_on(async {
        line(model.as_ref(), &two()).await.unwrap();
        let pid = fs_err::read_to_string(folder.path().join("adapter.py.pid")).unwrap();
        let alive = || {
            let stat = fs_err::read_to_string(format!("/proc/{pid}/stat"));
            stat.is_ok_and(|stat| !stat.contains(") Z"))
        };
        assert!(alive() || !Path::new("/proc/self").exists());
        drop(model);
        for _ in 0..1000 {
            if !alive() {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        panic!("the adapter lives on");
    });
}

fn read(line: &str) -> Result<flipside_core::answer::Answer, Rejection> {
    let (case, order) = (two(), Order::own(2));
    let reply = Reply {
        body: line.to_owned(),
        ..Reply::default()
    };
    common::model("exec:x").read(&Presentation::new(&case, &order), &reply)
}

#[test]
fn a_line_is_read_by_the_same_rules_as_any_reply() {
    let answer = read(r#"{"id":1,"choice":"a","probabilities":{"b":0.1,"a":0.9},"confidence":0.9,"model":"mine"}"#).unwrap();
    assert_eq!(
        (answer.choice, answer.probabilities),
        (Some(OptionId(0)), Some(vec![0.9, 0.1]))
    );
    assert_eq!(
        (answer.served_model.as_deref(), answer.backend_confidence),
        (Some("mine"), Some(0.9))
    );
    assert_eq!(
        read(r#"{"id":1,"probabilities":{"a":0.1,"b":0.9}}"#)
            .unwrap()
            .choice,
        Some(OptionId(1))
    );
    assert_eq!(
        read(r#"{"id":1,"refusal":true}"#).unwrap().declined,
        Some(Declined::Refusal)
    );
    for (line, text) in [
        (
            r#"{"id":1,"error":"no model"}"#,
            "the reply is an error: no model",
        ),
        (
            r#"{"id":1}"#,
            "the reply names no choice and gives no probabilities (choice)",
        ),
        (
            r#"{"id":1,"choice":"z"}"#,
            "the reply chose `z`, which was not offered (`a`, `b`) (choice-offered)",
        ),
        (
            r#"{"id":1,"choice":7}"#,
            "`choice` is a number, expected a string (choice)",
        ),
        (
            r#"{"id":1,"choice":"a","probabilities":{"a":"1","b":0}}"#,
            "the probability of `a` is \"1\", expected a finite number (number)",
        ),
        (
            r#"{"id":1,"choice":"a","probabilities":{"a":0.2,"b":0.8}}"#,
            "the reply chose `a` with probability 0.2, the largest is 0.8 (choice-not-peak)",
        ),
    ] {
        assert_eq!(read(line).unwrap_err().to_string(), text);
    }
}

#[test]
fn score_levels_are_options_with_an_expectation() {
    let mut case = two();
    case.question.kind = flipside_core::case::QuestionKind::Score;
    let program = "for line in sys.stdin:\n    print(json.dumps({'id': json.loads(line)['id'], 'choice': 'b', 'probabilities': {'a': 0.25, 'b': 0.75}}), flush=True)\n";
    let Some((_folder, model)) = adapter(program) else {
        return;
    };
    let answer = ask(model.as_ref(), &case, &Order::own(2), &Variant::baseline());
    assert_eq!(
        (answer.choice, answer.score),
        (Some(OptionId(1)), Some(0.75))
    );
}
