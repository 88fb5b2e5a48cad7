//! Rewordings in probe files: what they come to, and every way in which they are refused.

use flipside_core::case::{Case, Phrasing};
use flipside_core::json::Json;
use flipside_core::order::OptionId;
use flipside_formats::canonical::{read_canonical, write_case};
use flipside_formats::read::{Error, Input, ReadOptions, read_cases};

const CHOICE: &str = r#""state":{"m":"s"},"options":{"a":"x","b":"y","c":null},"rules":"r""#;
const SCORE: &str = r#""type":"score","state":"s","options":["low","high"],"instructions":"i""#;
const NOUL: &str =
    r#""type":"noul","state":"s","options":{"true":"it is","false":"it is not"},"rules":"It is.""#;

/// The case in `rest` with these rewordings.
fn read(rest: &str, phrasings: &str) -> Result<Case, Vec<Error>> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("cases.jsonl");
    let other = r#"{"state":"s","options":{"a":"x"},"rules":"r"}"#;
    fs_err::write(
        &file,
        format!("{other}\n{{{rest},\"phrasings\":{phrasings}}}\n"),
    )
    .expect("a file");
    let input = Input::Path(camino::Utf8PathBuf::from_path_buf(file).expect("a plain path"));
    let mut set = read_cases(&[input], &ReadOptions::default())?;
    Ok(set.cases.remove(1))
}

fn phrasings(rest: &str, phrasings: &str) -> Vec<Phrasing> {
    match read(rest, phrasings) {
        Ok(case) => case.brought.phrasings.to_vec(),
        Err(errors) => panic!("{errors:?}"),
    }
}

/// What is said after the file's name, with what to do about it.
fn refused(rest: &str, given: &str) -> String {
    let errors = read(rest, given).expect_err(given);
    assert_eq!(errors.len(), 1, "{errors:?}");
    let text = errors[0].to_string();
    let (_, said) = text.split_once("cases.jsonl:").expect("the file");
    let help = errors[0].help().map(|help| format!("; help: {help}"));
    format!("{said}{}", help.unwrap_or_default())
}

fn text(text: &str) -> Json {
    Json::String(text.to_owned())
}

fn json(text: &str) -> Json {
    flipside_formats::json::parse(text).expect("JSON")
}

#[test]
fn each_rewording_says_otherwise_what_it_names() {
    let given = r#"[
        {"rules":"R"},
        {"name":"short","state":{"m":"t"},"options":{"b":"Y"}},
        {"rules":"Q","options":{"b":"v","a":"u"},"approved":false}
    ]"#
    .replace('\n', "");
    let found = phrasings(CHOICE, &given);
    let empty = Phrasing {
        name: "1".to_owned(),
        state: None,
        instructions: Some(json(r#"{"rules":"R"}"#)),
        texts: Vec::new(),
        negated: false,
        approved: true,
    };
    let expected = [
        empty.clone(),
        Phrasing {
            name: "short".to_owned(),
            state: Some(json(r#"{"m":"t"}"#)),
            instructions: None,
            texts: vec![(OptionId(1), text("Y"))],
            ..empty.clone()
        },
        Phrasing {
            name: "3".to_owned(),
            instructions: Some(json(r#"{"rules":"Q"}"#)),
            texts: vec![(OptionId(0), text("u")), (OptionId(1), text("v"))],
            approved: false,
            ..empty
        },
    ];
    assert_eq!(found, expected);
}

#[test]
fn parts_of_instructions_keep_the_others_and_their_order() {
    let case =
        r#""state":"s","options":{"a":"x"},"rules":["one","two"],"goal":"g","operation":"o""#;
    let found = phrasings(
        case,
        r#"[{"rules":["1","2"]},{"operation":"O","goal":"G"}]"#,
    );
    let instructions = |place: usize| found[place].instructions.clone();
    assert_eq!(
        instructions(0),
        Some(json(r#"{"goal":"g","operation":"o","rules":["1","2"]}"#))
    );
    assert_eq!(
        instructions(1),
        Some(json(
            r#"{"goal":"G","operation":"O","rules":["one","two"]}"#
        ))
    );
    let found = phrasings(SCORE, r#"[{"instructions":"j","options":["low","tall"]}]"#);
    assert_eq!(found[0].instructions, Some(text("j")));
    assert_eq!(
        found[0].texts,
        [(OptionId(0), text("low")), (OptionId(1), text("tall"))]
    );
}

#[test]
fn a_negated_statement_names_the_sides_as_it_is_asked() {
    let negated = r#"[{"rules":"It is not.","negated":true,"options":{"true":"no, it is not"}}]"#;
    let found = phrasings(NOUL, negated);
    assert!(found[0].negated);
    // Identity 1 is the case's `false`, which holds where the opposite is true.
    assert_eq!(found[0].texts, [(OptionId(1), text("no, it is not"))]);
    let plain = r#"[{"rules":"So it is.","options":{"true":"yes"}}]"#;
    assert_eq!(
        phrasings(NOUL, plain)[0].texts,
        [(OptionId(0), text("yes"))]
    );
}

#[test]
fn canonical_lines_keep_rewordings_negated_ones_too() {
    let given = r#"[{"name":"not","rules":"It is not.","negated":true},{"state":"t","options":{"true":"yes"},"approved":false}]"#;
    let case = read(NOUL, given).expect("a case");
    let mut line = Vec::new();
    write_case(&case, &mut line);
    let line = String::from_utf8(line).expect("UTF-8");
    assert!(
        line.ends_with(concat!(
            r#","phrasings":[{"name":"not","instructions":{"rules":"It is not."},"negated":true},"#,
            r#"{"name":"2","state":"t","texts":[{"option":0,"text":"yes"}],"approved":false}]}"#,
            "\n"
        )),
        "{line}"
    );
    assert_eq!(read_canonical(&line).expect("our own line"), [case]);
}

#[test]
fn canonical_lines_with_other_rewordings_are_refused() {
    let line = |brought: &str| {
        let rest = concat!(
            r#"{"schema":"flipside.case/1","id":"c","source":{"format":"probe","file":"f","line":1},"state":"s","#,
            r#""question":{"type":"choice","name":"q","before":[],"after":[]},"options":[{"key":"a"},{"key":"b"}],"#,
            r#""keys":"option","accept":[],"#
        );
        let found = read_canonical(&format!("{rest}{brought}}}\n"));
        found.expect_err(brought)[0].to_string()
    };
    let said = [
        r#""phrasings":[7]"#,
        r#""phrasings":[{"state":"t"}]"#,
        r#""phrasings":[{"name":"1","texts":["a"]}]"#,
        r#""phrasings":[{"name":"1","words":"t"}]"#,
        r#""phrasings":[{"name":"1","state":"t"},{"name":"1","state":"u"}]"#,
        r#""phrasings":[{"name":"1","texts":[{"option":2,"text":"x"}]}]"#,
        r#""phrasings":[{"name":"1","state":"t","negated":true}]"#,
        r#""decoys":[{"text":"x"}]"#,
    ]
    .map(line);
    assert_eq!(
        said,
        [
            "cases.jsonl:1: expected `phrasings` to be an array of objects with `name`, found a number",
            "cases.jsonl:1: field `phrasings.name` is missing",
            "cases.jsonl:1: expected `phrasings.texts` to be an array of objects with `option` and `text`, found a string",
            "cases.jsonl:1: field `phrasings.words` is unknown",
            "f:1: rewording `1`: another one has its name",
            "f:1: rewording `1`: it has a text for an option that there is not",
            "f:1: rewording `1`: only the statement of a noul question has an opposite",
            "cases.jsonl:1: expected `decoys` to be an array of objects with `key`, found an object",
        ]
    );
}

#[test]
fn rewordings_that_are_none_are_refused_in_these_words() {
    let choice = |given: &str| refused(CHOICE, given);
    let said = [
        choice(r#""R""#),
        choice("[]"),
        choice(r#"["R"]"#),
        choice("[{}]"),
        choice(r#"[{"name":"short","approved":true}]"#),
        choice(r#"[{"rule":"R"}]"#),
        choice(r#"[{"rules":"R"},{"rules":"Q","name":"1"}]"#),
        choice(r#"[{"rules":"R","name":"own"}]"#),
        choice(r#"[{"rules":"R","name":"a<b"}]"#),
        choice(r#"[{"rules":"R","name":""}]"#),
        choice(r#"[{"rules":"R","name":2}]"#),
        choice(r#"[{"rules":""}]"#),
        choice(r#"[{"rules":"R","state":{}}]"#),
        choice(r#"[{"rules":["R"]}]"#),
        choice(r#"[{"state":"t"}]"#),
        choice(r#"[{"goal":"G"}]"#),
        choice(r#"[{"instructions":"i"}]"#),
        choice(r#"[{"rules":"r"}]"#),
        choice(r#"[{"rules":"R"},{"rules":"R","state":{"m":"s"}}]"#),
        choice(r#"[{"options":{}}]"#),
        choice(r#"[{"options":{"d":"z"}}]"#),
        choice(r#"[{"options":{"a":null}}]"#),
        choice(r#"[{"options":{"a":""}}]"#),
        choice(r#"[{"options":{"c":"z"}}]"#),
        choice(r#"[{"options":["X","Y","Z"]}]"#),
        choice(r#"[{"rules":"R","negated":true}]"#),
        choice(r#"[{"rules":"R","approved":"yes"}]"#),
        choice(r#"[{"rules":"R","negated":1}]"#),
    ];
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn levels_and_statements_have_rules_of_their_own() {
    let said = [
        refused(SCORE, r#"[{"options":["high"]}]"#),
        refused(SCORE, r#"[{"options":{"0":"l"}}]"#),
        refused(SCORE, r#"[{"options":["low",null]}]"#),
        refused(SCORE, r#"[{"rules":"R"}]"#),
        refused(NOUL, r#"[{"negated":true}]"#),
        refused(
            NOUL,
            r#"[{"negated":true,"options":{"true":"it is not","false":"it is"}}]"#,
        ),
        refused(NOUL, r#"[{"options":{"yes":"it is"}}]"#),
        refused(
            r#""type":"noul","state":"s","rules":"It is.""#,
            r#"[{"options":{"true":"it is"}}]"#,
        ),
        refused(
            r#""state":"s","options":{"a":"x"},"rules":["one"]"#,
            r#"[{"rules":[1]}]"#,
        ),
    ];
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn a_key_that_stands_twice_in_a_rewording_is_refused_with_its_places() {
    let said = refused(CHOICE, r#"[{"options":{"a":"X","a":"Z"}}]"#);
    assert!(
        said.starts_with("2: option key `a` is given twice, at columns"),
        "{said}"
    );
}
