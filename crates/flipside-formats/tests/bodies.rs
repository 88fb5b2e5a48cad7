//! Request bodies of other programs: every case, warning and error text, in snapshots.

#![expect(clippy::unwrap_used, reason = "a test fails where it unwraps nothing")]

use camino::Utf8PathBuf;
use flipside_core::case::QuestionKind;
use flipside_formats::canonical::{read_canonical, write_case};
use flipside_formats::read::{CaseSet, Error, Input, ReadOptions, read_cases};

fn read(file: &str) -> Result<CaseSet, Vec<Error>> {
    let path = Utf8PathBuf::from(format!("tests/data/bodies/{file}"));
    read_cases(&[Input::Path(path)], &ReadOptions::default())
}

fn outcome(file: &str) -> String {
    let mut text = format!("== {file}\n");
    match read(file) {
        Ok(set) => {
            for case in &set.cases {
                let mut line = Vec::new();
                write_case(case, &mut line);
                text += &String::from_utf8(line).unwrap();
            }
            text.extend((set.warnings.iter()).map(|warning| format!("warning: {warning}\n")));
        }
        Err(errors) => {
            for error in &errors {
                text.extend([format!("error: {error}\n")]);
                text.extend(error.help().map(|help| format!("  help: {help}\n")));
            }
        }
    }
    text + "\n"
}

#[test]
fn bodies_of_other_programs_become_these_cases_and_warnings() {
    let files = [
        "agentjev.jsonl",
        "agentjev-batch.json",
        "agentjev-exchange.jsonl",
        "openai.jsonl",
        "typed.jsonl",
    ];
    let text: String = files.map(|file| outcome(&format!("good/{file}"))).concat();
    insta::assert_snapshot!(text);
}

#[test]
fn bad_bodies_are_refused_in_these_words() {
    let files = ["agentjev", "agentjev-batch", "openai", "typed"];
    let text: String = files
        .map(|file| outcome(&format!("bad/{file}.jsonl")))
        .concat();
    insta::assert_snapshot!(text);
}

#[test]
fn the_company_of_an_agentjev_question_is_written_as_system_one_asks_it() {
    let set = read("good/agentjev.jsonl").unwrap();
    let company: Vec<String> = (set.cases[0].question.after.iter())
        .map(|(name, question)| format!("{name} {}", question.to_text()))
        .collect();
    assert_eq!(
        company,
        [
            r#"angry {"type":"noul","instructions":"The writer is angry."}"#,
            r#"urgent {"type":"score","instructions":"How soon?","criteria":["whenever","this week","today"]}"#,
        ]
    );
    let first = &set.cases[2].question.before[0];
    assert_eq!(
        first.1.to_text(),
        r#"{"type":"choice","instructions":"Which team owns this?","criteria":{"billing":"payments and refunds","technical":{"does":"errors and outages"}}}"#
    );
}

#[test]
fn only_statements_of_agentjev_have_a_fixed_order() {
    for file in [
        "good/agentjev.jsonl",
        "good/openai.jsonl",
        "good/typed.jsonl",
    ] {
        for case in read(file).unwrap().cases {
            let fixed = file == "good/agentjev.jsonl" && case.question.kind == QuestionKind::Noul;
            assert_eq!(case.brought.fixed_order, fixed, "{}", case.id);
            let mut line = Vec::new();
            write_case(&case, &mut line);
            let again = read_canonical(std::str::from_utf8(&line).unwrap());
            assert_eq!(again.unwrap(), [case]);
        }
    }
}

#[test]
fn five_typed_decisions_stand_in_a_row_and_accept_what_the_teacher_thinks_most_likely() {
    let set = read("good/typed.jsonl").unwrap();
    let accepted: Vec<(&str, Vec<u16>)> = (set.cases.iter())
        .map(|case| {
            (
                case.id.0.as_str(),
                case.accept.iter().map(|id| id.0).collect(),
            )
        })
        .collect();
    // The levels of `risk` tie at 0.4; `dup` lists its true side first; the second row has gold for one question.
    let expected = [
        ("inv-1#disposition", vec![1]),
        ("inv-1#risk", vec![1, 2]),
        ("inv-1#dup", vec![0]),
        ("inv-1#late", vec![0]),
        ("inv-1#desk", vec![3]),
        ("inv-2#late", vec![0]),
        ("inv-2#risk", vec![]),
    ];
    assert_eq!(accepted, expected);
    assert!(
        set.cases
            .iter()
            .all(|case| case.field("workflow") == Some("invoice_processing"))
    );
    assert!(
        set.cases.iter().all(|case| case.fields.len() == 1),
        "the flat columns are no fields"
    );
}
