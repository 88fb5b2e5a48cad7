//! Every refusal, in its words.

use flipside_core::case::QuestionKind;
use flipside_core::json::Json;
use flipside_core::suite::generate;
use flipside_formats::read::{Input, ReadOptions, read_cases};
use flipside_formats::suite::{read_bases, rows_text};

use crate::foreign::{Belongs, GoldNames, Label, Writing, file, rows, text};
use crate::{base, in_file, read_text, told};

/// What reading each text as base cases comes to.
fn bases(files: &[(&str, &str)]) -> String {
    let mut found = String::new();
    for (title, text) in files {
        let outcome = in_file(text, |input| match read_bases(input) {
            Ok(bases) => format!("{} base cases\n", bases.len()),
            Err(errors) => told(&errors),
        });
        found.extend([format!("== {title}\n{outcome}")]);
    }
    found
}

const CHOICE: &str = r#"{"id":"a","family":"f","type":"choice","states":["one","two"],"question":"which?","options":{"x":"about x","y":"about y"},"accept":"y"}"#;
const NOUL: &str = r#"{"id":"n","family":"f","type":"noul","states":["one","two"],"questions":["is it?","or not?"],"accept":true}"#;

#[test]
fn base_files_are_refused_in_these_words() {
    let with = |from: &str, to: &str| CHOICE.replacen(from, to, 1);
    let noul = |from: &str, to: &str| NOUL.replacen(from, to, 1);
    let files = [
        ("good", format!("{CHOICE}\n\n{NOUL}\n")),
        ("empty", String::new()),
        ("syntax", format!("{CHOICE}\n{{\"id\":\n")),
        ("repeated option", with(r#""y":"about y""#, r#""x":"about y""#)),
        ("no object", "7\n".to_owned()),
        ("unknown fields", with(r#""accept""#, r#""acept":"y","note":"n","accept""#)),
        ("missing fields", r#"{"type":"choice"}"#.to_owned()),
        ("no type", with(r#""type":"choice","#, "")),
        ("another type", with(r#""choice""#, r#""multiple""#)),
        (
            "other values",
            r#"{"id":1,"family":null,"type":"score","states":"one","question":["q"],"options":["x","y"],"accept":1}"#
                .to_owned(),
        ),
        ("a state that is no text", with(r#""two"]"#, "2]")),
        ("a description that is no text", with(r#""about y""#, "null")),
        ("one state", with(r#","two"]"#, "]")),
        ("states alike", with(r#""two"]"#, r#""one"]"#)),
        ("one option", with(r#","y":"about y""#, "")),
        ("no option", with(r#"{"x":"about x","y":"about y"}"#, "{}")),
        ("descriptions alike", with("about y", "about x")),
        ("alias", with(r#""y":"#, r#""A1":"#).replace(r#""accept":"y""#, r#""accept":"A1""#)),
        ("not offered", with(r#""accept":"y""#, r#""accept":"Y""#)),
        ("several errors", with(r#""a""#, r#""""#).replace(r#""accept":"y""#, r#""accept":"z","x":0"#)),
        ("repeated ids", format!("{CHOICE}\n{NOUL}\n{}\n{CHOICE}\n", noul(r#""n""#, r#""a""#))),
        ("one question", noul(r#","or not?"]"#, "]")),
        ("three questions", noul(r#""or not?"]"#, r#""or not?","or?"]"#)),
        ("questions alike", noul("or not?", "is it?")),
        ("noul with options", noul(r#""accept""#, r#""options":{"x":"a","y":"b"},"question":"q","accept""#)),
        ("noul by name", noul("true", r#""true""#)),
        ("rows", rows_text(&generate(&[base("r", QuestionKind::Noul, &[], 1)], ""))),
    ];
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(title, text)| (*title, text.as_str()))
        .collect();
    insta::assert_snapshot!(bases(&files));
}

type Rows = Vec<Vec<(&'static str, Json)>>;

fn choice() -> Rows {
    written(QuestionKind::Choice)
}

fn written(kind: QuestionKind) -> Rows {
    let writing = Writing {
        kind,
        named: true,
        alias: Belongs::Option,
        gold: GoldNames::Row,
        label: Label::Name,
    };
    rows("b", 1, writing)
}

/// The value of a field of a row.
fn field<'a>(row: &'a mut [(&'static str, Json)], name: &str) -> &'a mut Json {
    &mut row.iter_mut().find(|(field, _)| *field == name).unwrap().1
}

/// Replaces text in a string field.
fn replace(row: &mut [(&'static str, Json)], name: &str, from: &str, to: &str) {
    let value = field(row, name);
    let before = value.as_str().unwrap();
    assert!(before.contains(from), "{before}");
    *value = text(&before.replace(from, to));
}

/// What reading the rows comes to once `change` has changed them.
fn refused(title: &str, mut rows: Rows, change: impl Fn(&mut Rows)) -> String {
    change(&mut rows);
    match read_text(&file(&rows)) {
        Ok(suite) => panic!("{title}: read as {} rows", suite.rows.len()),
        Err(errors) => format!("== {title}\n{}", told(&errors)),
    }
}

#[test]
fn rows_that_cannot_be_read_are_refused_in_these_words() {
    let set = |name: &'static str, value: Json| {
        move |rows: &mut Rows| *field(&mut rows[1], name) = value.clone()
    };
    let put = |name: &'static str, from: &'static str, to: &'static str| {
        move |rows: &mut Rows| replace(&mut rows[1], name, from, to)
    };
    let noul = || {
        let rows = generate(&[base("n", QuestionKind::Noul, &[], 1)], "");
        let members = |row: &flipside_core::suite::GeneratedRow| {
            let names = [
                "base_id",
                "family",
                "task_type",
                "phrasing",
                "order",
                "key_variant",
                "state",
                "questions",
                "gold",
            ];
            let object = row.json.as_object().unwrap();
            names
                .map(|name| (name, object.get(name).unwrap().clone()))
                .into()
        };
        rows.iter().map(members).collect::<Rows>()
    };
    let found = [
        refused("fields that are not there", choice(), |rows| {
            for (place, row) in rows.iter_mut().enumerate() {
                row.remove(place * 2);
            }
        }),
        refused("no gold", choice(), |rows| drop(rows[0].pop())),
        refused("no text", choice(), set("base_id", Json::Bool(true))),
        refused("empty", choice(), set("family", text(""))),
        refused("type", choice(), set("task_type", text("rank"))),
        refused("phrasing", choice(), set("phrasing", text("p01"))),
        refused("order", choice(), set("order", text("backward"))),
        refused("variant", choice(), set("key_variant", text("q0"))),
        refused(
            "variant of a noul question",
            noul(),
            set("key_variant", text("semantic")),
        ),
        refused("state", choice(), set("state", Json::Null)),
        refused(
            "questions that are no string",
            choice(),
            set("questions", Json::Array(Vec::new())),
        ),
        refused(
            "questions that hold an array",
            choice(),
            set("questions", text("[]")),
        ),
        refused(
            "questions that hold a number",
            choice(),
            set("questions", text("7")),
        ),
        refused(
            "questions that hold nothing",
            choice(),
            set("questions", text("")),
        ),
        refused(
            "syntax inside",
            choice(),
            put("questions", "\"A2\":", "\"A2\","),
        ),
        refused(
            "syntax in a line inside",
            choice(),
            put("questions", "\"A2\":", "\n\"A2\","),
        ),
        refused(
            "repeated key inside",
            choice(),
            put("questions", "A2", "A1"),
        ),
        refused("no question", choice(), set("questions", text("{}"))),
        refused(
            "two questions",
            choice(),
            put("questions", "{\"q\":", "{\"p\":{},\"q\":"),
        ),
        refused(
            "a question that is none",
            choice(),
            set("questions", text("{\"q\":1}")),
        ),
        refused(
            "another type inside",
            choice(),
            put("questions", "\"choice\"", "\"noul\""),
        ),
        refused(
            "criteria",
            choice(),
            set(
                "questions",
                text("{\"q\":{\"type\":\"choice\",\"criteria\":1}}"),
            ),
        ),
        refused(
            "one option",
            choice(),
            set(
                "questions",
                text("{\"q\":{\"type\":\"choice\",\"criteria\":{\"x\":\"\"}}}"),
            ),
        ),
        refused(
            "gold that holds no object",
            choice(),
            set("gold", text("\"x\"")),
        ),
        refused("syntax in gold", choice(), set("gold", text("{'label':1}"))),
        refused("no label", choice(), put("gold", "label", "answer")),
        refused(
            "a label that is no name",
            choice(),
            put("gold", "\"label\":\"A2\"", "\"label\":null"),
        ),
        refused("no list", choice(), put("gold", "options", "choices")),
        refused(
            "a list that is none",
            choice(),
            set("gold", text("{\"label\":\"A2\",\"options\":\"A2\"}")),
        ),
        refused(
            "a list of other things",
            choice(),
            put("gold", "\"A4\"", "null"),
        ),
        refused("a short list", choice(), put("gold", ",\"A4\"", "")),
        refused(
            "a list that repeats",
            choice(),
            put("gold", "\"A4\"", "\"A3\""),
        ),
        refused(
            "a label that names nothing",
            choice(),
            put("gold", "\"label\":\"A2\"", "\"label\":\"x\""),
        ),
        refused(
            "a number of no level",
            written(QuestionKind::Score),
            put("gold", "\"label\":\"L1\"", "\"label\":4"),
        ),
        refused(
            "a number in a choice",
            choice(),
            put("gold", "\"label\":\"A2\"", "\"label\":1"),
        ),
        refused(
            "a side that is none",
            noul(),
            put("gold", "true", "\"yes\""),
        ),
    ];
    insta::assert_snapshot!(found.concat());
}

#[test]
fn rows_that_do_not_fit_together_are_refused_in_these_words() {
    let put = |place: usize, name: &'static str, from: &'static str, to: &'static str| {
        move |rows: &mut Rows| replace(&mut rows[place], name, from, to)
    };
    let score = || written(QuestionKind::Score);
    let found = [
        refused("a row that is missing", choice(), |rows| {
            drop(rows.remove(2));
        }),
        refused(
            "rows that are missing and one that stands twice",
            choice(),
            |rows| {
                rows[3] = rows[0].clone();
                let mut other = choice();
                for row in &mut other {
                    replace(row, "base_id", "b", "c");
                }
                rows.extend(other);
            },
        ),
        refused("a wording that is missing", choice(), |rows| {
            let mut other = choice();
            for row in &mut other {
                replace(row, "phrasing", "p0", "p2");
            }
            rows.extend(other);
        }),
        refused("another family", choice(), put(3, "family", "f", "g")),
        refused("another type", choice(), |rows| {
            rows[3] = score().remove(3);
        }),
        refused("another number of options", choice(), |rows| {
            replace(&mut rows[3], "questions", "\"A4\":\"about z\",", "");
            replace(&mut rows[3], "gold", "\"A4\",", "");
        }),
        refused("another state", choice(), put(2, "state", "s", "t")),
        refused(
            "another question",
            choice(),
            put(1, "questions", "which?", "what?"),
        ),
        refused(
            "another description",
            choice(),
            put(2, "questions", "about y", "about why"),
        ),
        refused("descriptions that stay where they were", choice(), |rows| {
            replace(&mut rows[3], "questions", "about z", "about -");
            replace(&mut rows[3], "questions", "about w", "about z");
            replace(&mut rows[3], "questions", "about -", "about w");
        }),
        refused("names that stay where they were", choice(), |rows| {
            replace(&mut rows[2], "questions", "\"z\"", "\"-\"");
            replace(&mut rows[2], "questions", "\"w\"", "\"z\"");
            replace(&mut rows[2], "questions", "\"-\"", "\"w\"");
        }),
        refused("another name", choice(), |rows| {
            replace(&mut rows[2], "questions", "\"z\"", "\"zed\"");
            replace(&mut rows[2], "gold", "\"z\"", "\"zed\"");
        }),
        refused("aliases of neither options nor places", choice(), |rows| {
            replace(&mut rows[3], "questions", "A4", "A0");
            replace(&mut rows[3], "questions", "A3", "A4");
            replace(&mut rows[3], "questions", "A0", "A3");
        }),
        refused("aliases of another wording", choice(), |rows| {
            let mut other = choice();
            for row in &mut other {
                replace(row, "phrasing", "p0", "p1");
            }
            replace(&mut other[1], "questions", "A4", "A5");
            replace(&mut other[1], "gold", "A4", "A5");
            rows.extend(other);
        }),
        refused(
            "a list of other names",
            choice(),
            put(3, "gold", "\"A4\"", "\"B4\""),
        ),
        refused(
            "a list of other levels",
            score(),
            put(3, "gold", "\"L3\"", "\"L4\""),
        ),
        refused("a list in another order", choice(), |rows| {
            replace(&mut rows[2], "gold", "\"z\",\"y\"", "\"y\",\"z\"");
        }),
        refused(
            "another answer",
            choice(),
            put(0, "gold", "\"label\":\"x\"", "\"label\":\"y\""),
        ),
    ];
    insta::assert_snapshot!(found.concat());
}

#[test]
fn a_row_that_cannot_be_read_is_not_told_as_missing_too() {
    let mut rows = choice();
    let torn = file(&rows).replacen('{', "{,", 1);
    replace(&mut rows[1], "questions", "A2", "A1");
    let doubled = file(&rows);
    let both = doubled.replacen('{', "{,", 1);
    for (text, errors) in [(torn, 1), (doubled, 1), (both, 2)] {
        let alone = told(&read_text(&text).unwrap_err());
        let as_cases = in_file(&text, |input| {
            let found = read_cases(std::slice::from_ref(input), &ReadOptions::default());
            told(&found.unwrap_err())
        });
        assert_eq!(alone, as_cases);
        assert_eq!(alone.matches("error: ").count(), errors, "{alone}");
        assert!(!alone.contains("has no row"), "{alone}");
    }
}

#[test]
fn files_of_the_other_kind_are_told_apart() {
    let found = told(&read_text(CHOICE).unwrap_err());
    let words = "error: rows.jsonl:1: this is a base case of a fragility suite, and no row that can be asked\n  help: make its \
                 rows with `flipside suite generate`, and give those\n";
    assert_eq!(found, words);
    let found = in_file(CHOICE, |input| {
        told(&read_cases(std::slice::from_ref(input), &ReadOptions::default()).unwrap_err())
    });
    assert_eq!(found, words);
    assert_eq!(
        told(&read_text("").unwrap_err()),
        "error: rows.jsonl: the file has no case\n  help: a case file has one JSON object a line, or one JSON array of them\n"
    );
    let missing = read_bases(&Input::Path("nothing/rows.jsonl".into())).unwrap_err();
    assert_eq!(
        missing[0].to_string(),
        "nothing/rows.jsonl: there is no such file"
    );
}
