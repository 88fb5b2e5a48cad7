//! System One requests with what came back.

use flipside_core::recorded::{Missing, Standing};
use flipside_formats::import::{Recording, Supplements};

use super::{Folder, cases, lines, read};

#[test]
fn real_exchanges_are_decisions_with_their_answers() {
    insta::assert_snapshot!(lines(&read(
        "tests/data/exchanges.jsonl".as_ref(),
        &Supplements::default()
    )));
}

const REQUEST: &str =
    r#"{"model":"m","state":"s","questions":{"q":{"type":"choice","criteria":{"b":"B","a":"A"}}}}"#;
const RESPONSE: &str = r#"{"model":"m-1","answers":{"q":{"type":"choice","choice":"a","probabilities":{"a":0.75,"b":0.25}}},"usage":{"input_tokens":9,"output_tokens":2}}"#;

#[test]
fn a_request_finds_its_response_beside_it() {
    let folder = Folder::new();
    let one = folder.write("one.request.json", REQUEST);
    let other = folder.write("one.response.json", RESPONSE);
    let none = Supplements::default();
    let [from_request, from_response] = [&one, &other].map(|path| read(path, &none));
    assert_eq!(lines(&from_request), lines(&from_response));
    insta::assert_snapshot!(lines(&from_request));
    let names = |recording: &Recording| {
        let sources = recording.sources.iter();
        sources
            .map(|source| (source.name.clone(), source.decisions))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names(&from_response),
        [(one.to_string(), 1), (other.to_string(), 0)]
    );

    let inner = folder.path("run");
    fs_err::create_dir(&inner).unwrap();
    folder.write("run/requests.jsonl", &format!("{REQUEST}\n{REQUEST}\n"));
    folder.write(
        "run/responses.jsonl",
        &format!("{RESPONSE}\n{{\"detail\":\"busy\"}}\n"),
    );
    insta::assert_snapshot!(lines(&read(&inner, &none)));
}

#[test]
fn a_request_alone_can_be_asked_and_a_response_alone_neither() {
    let folder = Folder::new();
    let alone = folder.read("request.jsonl", REQUEST);
    assert_eq!((alone.about.recorded, alone.about.complete), (0, false));
    assert_eq!(alone.decisions[0].standing(), Standing::Reask);
    assert_eq!(alone.decisions[0].outcome, None);
    let alone = folder.read("answer.json", RESPONSE);
    insta::assert_snapshot!(lines(&alone));
}

#[test]
fn failures_are_named_and_those_that_can_be_asked_again_stay_so() {
    let text = format!(
        "{}\n{}\n{}\n{}\n{}\n",
        format_args!(r#"{{"id":"late","request":{REQUEST},"response":null,"error":"timed out"}}"#),
        format_args!(
            r#"{{"id":"busy","status":503,"request":{REQUEST},"response":{{"error":{{"message":"busy"}}}}}}"#
        ),
        format_args!(
            r#"{{"id":"other","request":{REQUEST},"response":{{"model":"m","answers":{{"p":{{"type":"noul","noul":0.5}}}}}}}}"#
        ),
        format_args!(
            r#"{{"id":"wrong","request":{REQUEST},"response":{{"model":"m","answers":{{"q":{{"type":"choice","choice":"c"}}}}}}}}"#
        ),
        r#"{"id":"lost","status":500,"request":null,"response":null}"#,
    );
    insta::assert_snapshot!(lines(&Folder::new().read("log.jsonl", &text)));
}

/// Four requests whose writer sorted the keys of all objects.
fn sorted() -> String {
    let rows = (0..4).map(|row| {
        format!(
            concat!(
                r#"{{"id":"{0}","request":{{"model":"m","questions":{{"q":{{"criteria":{{"a":"A","b":"B"}},"type":"choice"}}}},"state":"s {0}"}},"#,
                r#""response":{{"answers":{{"q":{{"choice":"a","probabilities":{{"a":0.75,"b":0.25}},"type":"choice"}}}},"model":"m"}}}}"#,
                "\n"
            ),
            row
        )
    });
    rows.collect()
}

#[test]
fn a_file_with_sorted_keys_has_no_order_unless_cases_list_it() {
    let folder = Folder::new();
    let path = folder.write("sorted.jsonl", &sorted());
    let lost = read(&path, &Supplements::default());
    assert!(lost.decisions.iter().all(|one| one.case.brought.unlisted));
    assert!(
        lost.decisions
            .iter()
            .all(|one| one.missing == [Missing::Order])
    );
    assert_eq!(lost.decisions[0].standing(), Standing::Compare);
    assert!(lines(&lost).contains("every object is in sorted key order"));

    let listed = r#"{"state":"any","options":{"b":"B","a":"A"},"rules":"r"}"#;
    let supplements = Supplements {
        options_from: cases(&folder.write("listed.jsonl", listed)),
        ..Supplements::default()
    };
    let found = read(&path, &supplements);
    assert!(found.decisions.iter().all(|one| one.missing.is_empty()));
    // `a` has probability 0.75, wherever it stands.
    let first = lines(&found);
    assert!(
        first.contains("0#q choice [b,a]\n  own: a [0.25, 0.75]\n  Reask\n"),
        "{first}"
    );

    // Other texts of the same keys are other options, and two lists that do not agree say nothing.
    for other in [
        r#"{"state":"any","options":{"b":"B","a":"another"},"rules":"r"}"#.to_owned(),
        format!(
            "{listed}\n{}",
            r#"{"state":"any","options":{"a":"A","b":"B"},"rules":"r"}"#
        ),
        r#"{"state":"any","options":{"b":"B","a":"A","c":"C"},"rules":"r"}"#.to_owned(),
    ] {
        let supplements = Supplements {
            options_from: cases(&folder.write("listed.jsonl", &other)),
            ..Supplements::default()
        };
        let lost = read(&path, &supplements);
        assert!(
            lost.decisions
                .iter()
                .all(|one| one.missing == [Missing::Order]),
            "{other}"
        );
    }
}

#[test]
fn one_unsorted_object_says_that_nobody_sorted() {
    let text = sorted()
        .replacen(r#""model":"m","questions""#, r#""questions""#, 1)
        .replacen(
            r#""criteria":{"a":"A","b":"B"},"type":"choice""#,
            r#""type":"choice","criteria":{"a":"A","b":"B"}"#,
            1,
        );
    let read = Folder::new().read("log.jsonl", &text);
    assert!(
        read.decisions
            .iter()
            .all(|one| !one.case.brought.unlisted && one.missing.is_empty())
    );
}
