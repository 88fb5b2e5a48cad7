//! Every text with which a recording is refused.

use flipside_formats::import::{self, Supplements};

use super::{Folder, cases, told};

/// What each of `files` is refused with.
fn refused<T: AsRef<str>>(files: &[(&str, T)], supplements: &Supplements) -> String {
    let folder = Folder::new();
    let mut text = String::new();
    for (name, content) in files {
        text.extend([format!(
            "== {name}\n{}",
            folder.errors(name, content.as_ref(), supplements)
        )]);
    }
    text
}

const REQUEST: &str = r#"{"state":"s","questions":{"q":{"type":"noul"}}}"#;

#[test]
fn files_that_are_no_recording_are_refused_in_these_words() {
    let row = r#"{"id":"a","ok":true,"answers":{"q":{"type":"noul","noul":1}}}"#;
    let files = [
        ("empty.jsonl", ""),
        ("header.csv", "id,chosen\n"),
        (
            "cases.jsonl",
            r#"{"state":"s","options":{"a":"A"},"rules":"r"}"#,
        ),
        (
            "sys1-eval.jsonl",
            r#"{"id":"a","track":"T","state":"s","questions":{},"gold":{}}"#,
        ),
        ("unknown.jsonl", r#"{"one":1,"two":2}"#),
        ("nothing.jsonl", "{}"),
        (
            "mixed.jsonl",
            &format!("{row}\n{{\"id\":\"b\",\"chosen\":\"x\"}}"),
        ),
        (
            "mixed-case.jsonl",
            &format!("{row}\n{{\"question\":\"q\",\"options\":[\"a\"]}}"),
        ),
        ("broken.jsonl", "{\"id\":\n{\"id\"\n"),
        ("words.txt", "hello"),
        ("list.json", "[1]"),
        ("control.json", "{\"id\":\"\u{0}\"}"),
    ];
    insta::assert_snapshot!(refused(&files, &Supplements::default()));
    let folder = Folder::new();
    let name = folder.path("").to_string();
    let errors = ["nothing.jsonl", ""].map(|path| {
        let errors = import::read(&folder.path(path), &Supplements::default()).unwrap_err();
        told(&errors).replace(&name, "FOLDER/")
    });
    assert_eq!(
        errors,
        [
            "error: FOLDER/nothing.jsonl: there is no such file\n  help: check the path; a file that is compiled in is named \
             `builtin:NAME`, standard input `-`\n",
            "error: FOLDER/: expected a recording, found a folder that is none\n  help: name a run folder of flipside or of \
             system1-agents, or a file with answers in it\n",
        ]
    );
}

#[test]
fn results_are_refused_in_these_words() {
    let files = [
        ("id.jsonl", r#"{"id":null,"ok":true,"answers":{}}"#),
        ("ok.jsonl", r#"{"id":"a","ok":1,"answers":{}}"#),
        ("empty.jsonl", r#"{"id":"a","ok":true,"answers":{}}"#),
        ("answers.jsonl", r#"{"id":"a","ok":true,"answers":[1]}"#),
        (
            "model.jsonl",
            r#"{"id":"a","ok":true,"model":1,"answers":{"q":{}}}"#,
        ),
    ];
    insta::assert_snapshot!(refused(&files, &Supplements::default()));
}

#[test]
fn exchanges_are_refused_in_these_words() {
    let good = format!(r#"{{"id":"a","request":{REQUEST},"response":{{}}}}"#);
    let files = [
        ("request.json", r#"{"request":1,"response":{}}"#.to_owned()),
        ("answer.json", format!(r#"{{"request":{REQUEST},"response":1}}"#)),
        ("status.json", format!(r#"{{"request":{REQUEST},"response":{{}},"status":"ok"}}"#)),
        ("twice.jsonl", format!("{good}\n{good}\n")),
        (
            "question.json",
            r#"{"request":{"state":"s","questions":{"q":{"type":"pick"}}},"response":{"answers":{},"model":"m"}}"#.to_owned(),
        ),
    ];
    insta::assert_snapshot!(refused(&files, &Supplements::default()));
}

#[test]
fn requests_and_responses_that_do_not_meet_are_refused_in_these_words() {
    let folder = Folder::new();
    let response = r#"{"model":"m","answers":{"q":{"type":"noul","noul":1}}}"#;
    folder.write("more.response.jsonl", &format!("{response}\n{response}\n"));
    let more = folder.errors("more.request.jsonl", REQUEST, &Supplements::default());
    folder.write("less.response.jsonl", &format!("{response}\n"));
    let less = folder.errors(
        "less.request.jsonl",
        &format!("{REQUEST}\n{REQUEST}\n"),
        &Supplements::default(),
    );
    insta::assert_snapshot!(format!("{more}{less}"));
}

#[test]
fn tables_are_refused_in_these_words() {
    let orders =
        "id,order,n_options,chosen_canonical,chosen_position,chosen_key,p_chosen,gold_canonical";
    let of = |rows: &str| format!("{orders}\n{rows}\n");
    let wide = "id,choice_original,choice_reversed";
    let files = [
        ("column.csv", "id,chosen,id\n1,a,2\n".to_owned()),
        ("cells.csv", "id,chosen\n1,a,b\n2\n3,c\n".to_owned()),
        ("columns.csv", "id,choice\n1,a\n".to_owned()),
        ("both.csv", "id,chosen,chosen_canonical\n1,a,2\n".to_owned()),
        ("no-id.csv", "name,chosen\n1,a\n".to_owned()),
        ("empty-id.csv", "id,chosen\n,a\n".to_owned()),
        ("repeated.csv", "id,chosen\nq,a\nq,b\n".to_owned()),
        ("cell.jsonl", r#"{"id":"q","chosen":["a"]}"#.to_owned()),
        ("order.csv", of("q,forward,2,1,1,,,")),
        (
            "no-order.csv",
            "id,chosen_canonical,n_options\nq,1,2\n".to_owned(),
        ),
        (
            "no-options.csv",
            "id,chosen_canonical,order\nq,1,original\n".to_owned(),
        ),
        ("options.csv", of("q,original,1,1,1,,,")),
        (
            "number.csv",
            of(
                "q,original,3,4,1,,,\nr,original,3,0,1,,,\ns,original,3,1.5,,,,\nt,original,3,2,2,,,9",
            ),
        ),
        (
            "probability.csv",
            of("q,original,2,1,1,a,1.01,\nr,original,2,1,1,a,nan,"),
        ),
        (
            "position.csv",
            of("q,original,5,2,4,,,\nr,reversed,5,2,2,,,"),
        ),
        (
            "differs.csv",
            of(
                "q,original,3,1,1,a,,1\nq,reversed,4,1,4,a,,1\nr,original,3,1,1,a,,1\nr,reversed,3,1,3,a,,\ns,original,3,1,1,a,,1\ns,reversed,3,1,3,b,,1",
            ),
        ),
        ("twice.csv", of("q,original,3,1,1,,,\nq,original,3,2,2,,,")),
        ("one.csv", format!("{wide}\nq,a,a\n")),
        ("three.csv", format!("{wide}\nq,a,b\nr,c,b\n")),
        ("no-reversed.csv", "id,choice_original\nq,a\n".to_owned()),
        ("twice-wide.csv", format!("{wide}\nq,a,b\nq,b,b\n")),
        ("wide-p.csv", format!("{wide},p_a_original\nq,a,b,2\n")),
    ];
    insta::assert_snapshot!(refused(&files, &Supplements::default()));
}

#[test]
fn tables_that_contradict_their_cases_are_refused_in_these_words() {
    let folder = Folder::new();
    let case = r#"{"id":"q","state":"s","options":{"a":"A","b":"B","c":"C"},"rules":"r"}"#;
    let supplements = Supplements {
        cases: cases(&folder.write("cases.jsonl", case)),
        ..Supplements::default()
    };
    let head = "id,order,n_options,chosen_canonical,chosen_key";
    let files = [
        ("options.csv", format!("{head}\nq,original,4,1,a\n")),
        ("key.csv", format!("{head}\nq,original,3,2,x\n")),
        (
            "wide.csv",
            "id,choice_original,choice_reversed\nq,a,b\n".to_owned(),
        ),
        (
            "rows.jsonl",
            r#"{"id":"q","order":["a","b"],"choice":"a"}"#.to_owned(),
        ),
    ];
    insta::assert_snapshot!(refused(&files, &supplements));
}

#[test]
fn rows_with_the_options_as_offered_are_refused_in_these_words() {
    let files = [
        ("no-id.jsonl", r#"{"order":["a","b"],"choice":"a"}"#),
        (
            "null-id.jsonl",
            r#"{"id":null,"order":["a","b"],"choice":"a"}"#,
        ),
        ("empty.jsonl", r#"{"id":"q","order":[],"choice":"a"}"#),
        ("number.jsonl", r#"{"id":"q","order":["a",2],"choice":"a"}"#),
        (
            "repeated.jsonl",
            r#"{"id":"q","order":["a","b","a"],"choice":"a"}"#,
        ),
        (
            "gold.jsonl",
            r#"{"id":"q","order":["a","b"],"choice":"a","gold":"c"}"#,
        ),
        (
            "model.jsonl",
            r#"{"id":"q","order":["a","b"],"choice":"a","model":1}"#,
        ),
        (
            "other.jsonl",
            "{\"id\":\"q\",\"order\":[\"a\",\"b\"],\"choice\":\"a\"}\n{\"id\":\"q\",\"order\":[\"a\",\"c\"],\"choice\":\"a\"}",
        ),
        (
            "same.jsonl",
            "{\"id\":\"q\",\"order\":[\"a\",\"b\"],\"choice\":\"a\"}\n{\"id\":\"q\",\"order\":[\"a\",\"b\"],\"choice\":\"b\"}",
        ),
        (
            "same-other.jsonl",
            "{\"id\":\"q\",\"order\":[\"a\",\"b\"],\"choice\":\"a\"}\n{\"id\":\"q\",\"order\":[\"b\",\"a\"],\"choice\":\"b\"}\n{\"id\":\"q\",\"order\":[\"b\",\"a\"],\"choice\":\"b\"}",
        ),
    ];
    insta::assert_snapshot!(refused(&files, &Supplements::default()));
}
