//! Good and bad files: every case, warning and error text, in snapshots.

use camino::Utf8PathBuf;
use flipside_core::case::{CaseError, KeyBinding};
use flipside_formats::canonical::write_case;
use flipside_formats::json::ParseErrorKind;
use flipside_formats::read::{
    AnswerBase, At, CaseSet, Error, Format, Input, MOST_ERRORS, QuestionAs, ReadOptions, read_cases,
};

fn read(files: &[&str], options: &ReadOptions) -> Result<CaseSet, Vec<Error>> {
    let inputs: Vec<Input> = files
        .iter()
        .map(|file| Input::Path(Utf8PathBuf::from(format!("tests/data/{file}"))))
        .collect();
    read_cases(&inputs, options)
}

fn cases(set: &CaseSet) -> String {
    let mut lines = Vec::new();
    for case in &set.cases {
        write_case(case, &mut lines);
    }
    let mut text = String::from_utf8(lines).expect("JSON is UTF-8");
    for warning in &set.warnings {
        text.extend([format!("warning: {warning}\n")]);
    }
    text
}

fn errors(errors: &[Error]) -> String {
    let mut text = String::new();
    for error in errors {
        text.extend([format!("error: {error}\n")]);
        if let Some(source) = std::error::Error::source(error) {
            text.extend([format!("  because: {source}\n")]);
        }
        if let Some(help) = error.help() {
            text.extend([format!("  help: {help}\n")]);
        }
    }
    text
}

/// What reading comes to, as text.
fn outcome(files: &[&str], options: &ReadOptions) -> String {
    match read(files, options) {
        Ok(set) => cases(&set),
        Err(found) => errors(&found),
    }
}

/// What reading each file of a folder comes to.
fn folder(name: &str) -> String {
    let entries = fs_err::read_dir(format!("tests/data/{name}")).expect("the folder is there");
    let mut files: Vec<String> = entries
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("a plain name")
        })
        .collect();
    files.sort_unstable();
    let mut text = String::new();
    for file in files {
        let path = format!("{name}/{file}");
        text.extend([format!(
            "== {file}\n{}\n",
            outcome(&[&path], &ReadOptions::default())
        )]);
    }
    text
}

#[test]
fn good_files_become_these_cases_and_warnings() {
    insta::assert_snapshot!(folder("good"));
}

#[test]
fn bad_files_are_refused_in_these_words() {
    insta::assert_snapshot!(folder("bad"));
}

#[test]
fn all_errors_of_all_files_are_told_together() {
    let text = outcome(
        &[
            "bad/nothing.jsonl",
            "bad",
            "bad/ids.jsonl",
            "bad/words.txt",
            "bad/ids.jsonl",
        ],
        &ReadOptions::default(),
    );
    insta::assert_snapshot!(text);
}

#[test]
fn unknown_built_in_names_and_standard_input_given_twice_are_refused() {
    let inputs = ["builtin:nothing", "builtin:nothing"].map(|text| text.parse::<Input>().unwrap());
    let found = read_cases(&inputs, &ReadOptions::default()).unwrap_err();
    insta::assert_snapshot!(errors(&found));
    assert_eq!("-".parse(), Ok(Input::Stdin));
    let twice = Error::InputTwice {
        file: "-".to_owned(),
    };
    assert_eq!(
        twice.help().unwrap(),
        "standard input can be read once; leave the second `-` out"
    );
}

#[test]
fn an_id_that_two_files_share_names_both_places() {
    let text = outcome(
        &["good/choice-generic.jsonl", "good/same-ids.jsonl"],
        &ReadOptions::default(),
    );
    assert!(text.contains("there is no such file"), "{text}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("more.jsonl");
    fs_err::write(
        &file,
        r#"{"id":"list","state":"s","options":{"a":"x"},"rules":"r"}"#,
    )
    .unwrap();
    let more = Utf8PathBuf::from_path_buf(file).unwrap();
    let inputs = [
        Input::Path("tests/data/good/probe.jsonl".into()),
        Input::Path(more.clone()),
    ];
    let found = read_cases(&inputs, &ReadOptions::default()).unwrap_err();
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].to_string(),
        format!("{more}:1: case id `list` is taken by tests/data/good/probe.jsonl:3")
    );
}

#[test]
fn files_of_one_stem_get_ids_from_their_whole_names() {
    let folder = tempfile::tempdir().unwrap();
    let mut inputs = Vec::new();
    for name in ["a", "b"] {
        fs_err::create_dir(folder.path().join(name)).unwrap();
        let file = folder.path().join(name).join("cases.jsonl");
        fs_err::write(&file, r#"{"state":"s","options":{"a":"x"},"rules":"r"}"#).unwrap();
        inputs.push(Input::Path(Utf8PathBuf::from_path_buf(file).unwrap()));
    }
    let set = read_cases(&inputs, &ReadOptions::default()).unwrap();
    assert_eq!(set.cases[1].id.0, format!("{}:1", inputs[1]));
    assert_eq!(
        read_cases(&inputs[..1], &ReadOptions::default())
            .unwrap()
            .cases[0]
            .id
            .0,
        "cases:1"
    );
}

#[test]
fn errors_past_the_limit_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let file = Utf8PathBuf::from_path_buf(folder.path().join("bad.jsonl")).unwrap();
    fs_err::write(&file, "nonsense\n".repeat(MOST_ERRORS + 7)).unwrap();
    let found = read_cases(&[Input::Path(file)], &ReadOptions::default()).unwrap_err();
    assert_eq!(found.len(), MOST_ERRORS + 1);
    assert_eq!(found[MOST_ERRORS].to_string(), "7 more errors");
}

#[test]
fn answer_base_settles_what_rows_leave_open() {
    let base = |base| ReadOptions {
        answer_base: Some(base),
        ..ReadOptions::default()
    };
    let accepted = |file: &str, options: &ReadOptions| -> Vec<u16> {
        read(&[file], options)
            .unwrap()
            .cases
            .iter()
            .map(|case| case.accept[0].0)
            .collect()
    };
    assert_eq!(
        accepted("bad/answer-ambiguous.jsonl", &base(AnswerBase::Zero)),
        [1, 2]
    );
    assert_eq!(
        accepted("bad/answer-ambiguous.jsonl", &base(AnswerBase::One)),
        [0, 1]
    );
    assert_eq!(
        accepted("bad/answer-letter-or-text.jsonl", &base(AnswerBase::Letter)),
        [1]
    );
    assert_eq!(
        accepted("bad/answer-letter-or-text.jsonl", &base(AnswerBase::Text)),
        [0]
    );
    let mut text = outcome(&["good/choice-generic.jsonl"], &base(AnswerBase::Zero));
    text += &outcome(&["bad/answer-disagree.jsonl"], &base(AnswerBase::Letter));
    insta::assert_snapshot!(text);
}

#[test]
fn as_instructions_moves_the_question_out_of_the_state() {
    let options = ReadOptions {
        question_as: QuestionAs::Instructions,
        ..ReadOptions::default()
    };
    let set = read(&["good/choice-generic.jsonl"], &options).unwrap();
    assert_eq!(set.cases[1].state.to_text(), r#"{"context":"about cork"}"#);
    assert_eq!(
        set.cases[1]
            .question
            .instructions
            .as_ref()
            .unwrap()
            .to_text(),
        r#""Is it cork or lead?""#
    );
    assert_eq!(set.cases[0].state.to_text(), "{}");
}

#[test]
fn bind_keys_moves_place_labels_and_never_names() {
    let options = ReadOptions {
        bind_keys: KeyBinding::Option,
        ..ReadOptions::default()
    };
    let bindings = |options: &ReadOptions| -> Vec<KeyBinding> {
        read(&["good/keyed.jsonl"], options)
            .unwrap()
            .cases
            .iter()
            .map(|case| case.keys)
            .collect()
    };
    assert_eq!(bindings(&options), [KeyBinding::Option, KeyBinding::Option]);
    assert_eq!(
        bindings(&ReadOptions::default()),
        [KeyBinding::Option, KeyBinding::Place]
    );
}

#[test]
fn keep_position_dependent_leaves_such_cases_unflagged() {
    let options = ReadOptions {
        keep_position_dependent: true,
        ..ReadOptions::default()
    };
    let flagged = |options: &ReadOptions| -> Vec<bool> {
        let set = read(&["good/choice-generic.jsonl"], options).unwrap();
        set.cases
            .iter()
            .map(|case| case.position_dependent.is_some())
            .collect()
    };
    assert_eq!(flagged(&ReadOptions::default()), [false, false, true, true]);
    assert_eq!(flagged(&options), [false; 4]);
}

#[test]
fn format_overrides_what_rows_look_like() {
    let options = ReadOptions {
        format: Some(Format::Pairwise),
        ..ReadOptions::default()
    };
    insta::assert_snapshot!(outcome(&["good/probe-array.json"], &options));
    let names = Format::ALL.map(|format| format.name().parse::<Format>().unwrap());
    assert_eq!(names, Format::ALL);
    assert_eq!(
        "csv".parse::<Format>().unwrap_err().to_string(),
        "`csv` is not one of `probe`, `systemone`, `exchange`, `sys1-eval`, `choice`, `pairwise`, `suite`, `agentjev`, `typed-decisions`, `openai-decisions` or `canonical`"
    );
}

#[test]
fn folders_of_other_tools_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let make = |file: &str| {
        let path = folder.path().join(file);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, "{}").unwrap();
    };
    for file in [
        "run/run.json",
        "run/asks.jsonl",
        "job/config.json",
        "job/result.json",
        "job/ticket--0/agent/episode.json",
        "browser/decision_ticks.json",
    ] {
        make(file);
    }
    let text = |name: &str| {
        let path = Utf8PathBuf::from_path_buf(folder.path().join(name)).unwrap();
        let found = read_cases(&[Input::Path(path)], &ReadOptions::default()).unwrap_err();
        found[0]
            .to_string()
            .replace(folder.path().to_str().unwrap(), "in")
    };
    assert_eq!(
        text("run"),
        "in/run: expected a case file, found a run folder of flipside"
    );
    let job = "expected cases, found a job folder of system1-agents";
    assert_eq!(text("job"), format!("in/job: {job}"));
    assert_eq!(text("job/ticket--0"), format!("in/job/ticket--0: {job}"));
    assert_eq!(
        text("browser"),
        "in/browser: expected cases, found a browser run of system1-agents"
    );
}

#[test]
fn the_cases_of_a_run_folder_are_read_again_as_they_were() {
    let first = read(
        &["good/systemone.json", "good/warnings.jsonl"],
        &ReadOptions::default(),
    )
    .unwrap();
    let mut lines = Vec::new();
    for case in &first.cases {
        write_case(case, &mut lines);
    }
    let folder = tempfile::tempdir().unwrap();
    let file = Utf8PathBuf::from_path_buf(folder.path().join("cases.jsonl")).unwrap();
    fs_err::write(&file, lines).unwrap();
    let again = read_cases(&[Input::Path(file)], &ReadOptions::default()).unwrap();
    assert_eq!(again.cases, first.cases);
    assert_eq!(again.sources[0].format, Format::Canonical);
}

#[test]
fn errors_that_no_small_file_has_are_worded_too() {
    let file = || "cases.jsonl".to_owned();
    let at = At {
        file: "cases.jsonl".into(),
        line: 3,
    };
    let denied = std::io::Error::from(std::io::ErrorKind::PermissionDenied);
    let found = [
        Error::Unreadable {
            file: file(),
            source: denied,
        },
        Error::TooLarge {
            file: file(),
            what: "the file has",
        },
        Error::RunFolder {
            file: "runs/a".to_owned(),
        },
        Error::Case {
            at: at.clone(),
            why: CaseError::TooManyOptions { options: 70_000 },
        },
        Error::Json {
            at,
            column: 1,
            offset: 0,
            length: 0,
            kind: ParseErrorKind::Size { bytes: 300_000_000 },
        },
        Error::More { count: 1 },
    ];
    insta::assert_snapshot!(errors(&found));
}
