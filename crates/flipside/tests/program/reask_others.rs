//! Decisions that system1-agents recorded, asked again.

use std::path::Path;

use flipside_standin::{Policy, Standin};

use crate::reask::reask;
use crate::support::{flat, folder, model, run_line};

fn recorded(name: &str) -> String {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/s1a");
    data.join(name).to_str().unwrap().to_owned()
}

const JOB: &str = "tool-run/2026-09-30__00-00-00-000000__laya";

#[test]
fn a_tool_run_lacks_its_rules_and_is_not_asked_without_them() {
    let (_guard, path) = folder("");
    let run = recorded(JOB);
    let ran = run_line(&path, &format!("reask {run} --model jev"));
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    let expected = format!(
        "error: `{run}`: none of its 30 decisions can be asked again: the rules that the model was given are not on record (30)\n\
         help: `--rules TEXT`, `--rules @FILE`, or `--rules-from CASES` with cases of the same agent; `flipside compare` reports \
         what the answers alone show\n"
    );
    assert!(ran.err.ends_with(&expected), "{}", ran.err);
}

#[test]
fn with_rules_all_thirty_decisions_are_asked_and_twenty_one_were_right_as_recorded() {
    let (_guard, path) = folder("");
    let run = recorded(JOB);
    std::fs::write(path.join("rules.txt"), "Route the ticket.").unwrap();
    let supplied = [
        "--rules-from builtin:ticket-router",
        "--rules Route",
        "--rules @rules.txt",
    ];
    for rules in supplied {
        let (ran, summary) = reask(&path, &format!("{run} {rules} --model first"));
        assert_eq!(ran.code, 1, "{}", ran.err);
        let found = &summary["recorded"];
        assert_eq!(found["recordings"][0]["reask"], 30, "{rules}");
        let accuracy = &found["accuracy"];
        assert_eq!(
            (&accuracy["right"], &accuracy["of"]),
            (&21.into(), &30.into())
        );
        let reverse = &summary["axes"]["order"]["reverse"];
        assert_eq!(
            (&reverse["flips"], &reverse["pairs"]),
            (&30.into(), &30.into())
        );
        assert_eq!(found["line"]["pairs"], 30);
        assert!(
            flat(&ran.out).contains("21/30 right as recorded"),
            "{}",
            ran.out
        );
        assert!(!ran.err.contains("changes nothing"), "{}", ran.err);
    }
    // The state of every ticket is asked as it was.
    let server = Standin::builder().policy(Policy::First).start().unwrap();
    let words = format!(
        "{run} --rules @rules.txt --model {} --baseline recorded --no-confirm",
        model(&server)
    );
    let (ran, summary) = reask(&path, &words);
    assert_eq!(server.count(), 30, "{}", ran.err);
    assert_eq!(
        (&summary["fit"]["right"], &summary["fit"]["pairs"]),
        (&21.into(), &30.into())
    );
    let body = String::from_utf8(server.seen()[0].body.clone()).unwrap();
    assert!(
        body.contains("Route the ticket.") && body.contains("\"ticket\""),
        "{body}"
    );
    assert!(
        ran.err.contains("is the model of the record, `laya`"),
        "{}",
        ran.err
    );
    // A control is no other model's.
    let ran = run_line(
        &path,
        &format!("reask {run} --rules @rules.txt --baseline recorded"),
    );
    assert_eq!(ran.code, 2);
    assert!(
        ran.err
            .contains("the record is of `laya`, `tiny-laya` is another"),
        "{}",
        ran.err
    );
}

#[test]
fn a_browser_run_says_what_every_tick_lacks_and_how_close_its_decisions_were() {
    let (_guard, path) = folder("");
    let run = recorded("browser-run");
    let ran = run_line(&path, &format!("reask {run} --rules x"));
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains(&format!(
            "error: `{run}`: none of its 6 decisions can be asked again: "
        )),
        "{}",
        ran.err
    );
    assert!(
        ran.err.contains("the state is not on record (6)"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("no flag supplies"), "{}", ran.err);
    let out = flat(&ran.out);
    assert!(out.contains("6 ticks"), "{out}");
    assert!(
        out.contains("the best option is ahead of the next by"),
        "{out}"
    );
}
