//! Results of sys1-eval that the real files do not have.

use camino::Utf8Path;
use flipside_formats::import::{self, Supplements};

use super::{Folder, cases, lines, read, told};

const ROWS: &str = concat!(
    r#"{"id":"two","ok":true,"model":"m","answers":{"a":{"type":"choice","choice":"x","probabilities":{"y":0.25,"x":0.75}},"b":{"type":"choice","choice":"p","probabilities":{"p":1}}},"error":null,"usage":{"input_tokens":5}}"#,
    "\n",
    r#"{"id":"level","ok":true,"model":"m","answers":{"s":{"type":"score","score":0.5,"probabilities":{"0":0.5,"1":0.5},"legend":{"0":"low","1":"high"}}},"error":null}"#,
    "\n",
    r#"{"id":"bare","ok":true,"model":"m","answers":{"s":{"type":"score","score":0.25,"probabilities":{"0":0.75,"1":0.25}}},"error":null}"#,
    "\n",
    r#"{"id":"fact","ok":true,"model":"m","answers":{"n":{"type":"noul","noul":0.9}},"error":null}"#,
    "\n",
    r#"{"id":"pick","ok":true,"model":"m","answers":{"c":{"type":"choice","choice":"only"}},"error":null}"#,
    "\n",
    r#"{"id":"odd","ok":true,"model":"m","answers":{"c":"x"},"error":null}"#,
    "\n",
    r#"{"id":"gone","ok":false,"model":"m","answers":null,"error":"timed out","status":504}"#,
    "\n",
    r#"{"id":"lost","ok":false,"answers":null,"error":null}"#,
    "\n",
    r#"{"id":"wrong","ok":true,"model":"m","answers":{"c":{"type":"choice","choice":"x","probabilities":{"x":0.2,"y":0.8}}},"error":null}"#,
    "\n",
    r#"{"id":"fact","ok":true,"model":"m","answers":{"n":{"type":"noul","noul":0.1}},"error":null}"#,
    "\n",
);

#[test]
fn results_without_cases_are_what_their_answers_say() {
    insta::assert_snapshot!(lines(&Folder::new().read("results.jsonl", ROWS)));
}

#[test]
fn results_with_cases_fail_by_name_and_miss_by_name() {
    let choice = r#"{"type":"choice","criteria":{"x":"X","y":"Y"}}"#;
    let cases_of = concat!(
        r#"{"id":"two","track":"T","state":"s","questions":{"a":CHOICE,"b":{"type":"choice","criteria":{"p":"P"}}},"gold":{"a":"x"},"gold_alt":["y"]}"#,
        "\n",
        r#"{"id":"gone","track":"T","state":"s","questions":{"c":CHOICE},"gold":{"c":"y"}}"#,
        "\n",
        r#"{"id":"never","track":"T","state":"s","questions":{"c":CHOICE},"gold":{}}"#,
        "\n",
        r#"{"id":"wrong","track":"T","state":"s","questions":{"d":CHOICE},"gold":{"d":"y"}}"#,
        "\n",
        r#"{"id":"fact","track":"T","state":"s","questions":{"n":{"type":"noul"}},"gold":{"n":true}}"#,
        "\n",
    );
    let folder = Folder::new();
    let supplements = Supplements {
        cases: cases(&folder.write("cases.jsonl", &cases_of.replace("CHOICE", choice))),
        ..Supplements::default()
    };
    insta::assert_snapshot!(lines(&read(
        &folder.write("results.jsonl", ROWS),
        &supplements
    )));
}

#[test]
fn each_question_of_a_case_without_a_right_answer_has_its_result() {
    let folder = Folder::new();
    let case = r#"{"id":"two","track":"T","state":"s","questions":{"a":{"type":"choice","criteria":{"y":"Y","x":"X"}},"b":{"type":"choice","criteria":{"p":"P"}}},"gold":{}}"#;
    let cases = cases(&folder.write("cases.jsonl", case));
    let ids: Vec<&str> = cases.iter().map(|case| case.id.0.as_str()).collect();
    assert_eq!(ids, ["two#a", "two#b"]);
    let supplements = Supplements {
        cases,
        ..Supplements::default()
    };
    let first = ROWS.lines().next().unwrap();
    insta::assert_snapshot!(lines(&read(
        &folder.write("results.jsonl", first),
        &supplements
    )));
}

/// Rows of over one mebibyte together, one a line.
fn many() -> String {
    let row = |case: u32| {
        let p = f64::from(case % 89) / 100.0 + 0.05;
        let rest = 1.0 - p;
        format!(
            r#"{{"id":"c{case}","ok":true,"model":"m","track":"t{}","answers":{{"q":{{"type":"choice","choice":"{}","probabilities":{{"a":{p:.2},"b":{rest:.2}}}}}}}}}"#,
            case % 3,
            if p > 0.5 { "a" } else { "b" },
        ) + "\n"
    };
    (0..9_000).map(row).collect()
}

/// What reading `text` as a packed file comes to, which is read whole.
fn packed(folder: &Folder, text: &[u8]) -> String {
    use std::io::Write;
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(text).expect("memory takes it");
    let path = folder.path("many.jsonl");
    fs_err::write(&path, packed.finish().expect("memory takes it")).expect("a file can be written");
    outcome(&path)
}

fn outcome(path: &Utf8Path) -> String {
    match import::read(path, &Supplements::default()) {
        Ok(found) => format!("{:?} {:?}", found.about, found.decisions),
        Err(errors) => format!("{}{errors:?}", told(&errors)),
    }
}

#[test]
fn a_large_file_read_line_by_line_is_what_it_is_when_read_whole() {
    let folder = Folder::new();
    let whole = many();
    assert!(whole.len() > 1 << 20);
    let mut broken = whole.replacen(r#""id":"c8000","ok""#, r#""id":"c8000","id":7,"ok""#, 1);
    broken = broken.replacen(r#""id":"c8500""#, r#""id":c8500"#, 1);
    let marked = format!("\u{feff}{whole}\n\n  \n");
    let marked_and_broken = format!("\u{feff}{broken}");
    let cut = whole[..whole.len() - 40].to_owned();
    let strange = whole.replacen(r#""id":"c8999","ok":true"#, r#""x":1"#, 1);
    for text in [&whole, &broken, &marked, &marked_and_broken, &cut, &strange] {
        let expected = packed(&folder, text.as_bytes());
        let found = outcome(&folder.write("many.jsonl", text));
        assert_eq!(found, expected);
    }
    assert!(outcome(&folder.write("many.jsonl", &broken)).contains(":8001"));
}

#[test]
fn a_byte_of_a_large_file_that_is_no_text_has_its_place() {
    let folder = Folder::new();
    let mut bytes = many().into_bytes();
    let at = bytes
        .windows(7)
        .position(|window| window == br#""c8200""#)
        .unwrap();
    bytes[at + 2] = 0xff;
    let expected = packed(&folder, &bytes);
    let path = folder.path("many.jsonl");
    fs_err::write(&path, &bytes).unwrap();
    assert_eq!(outcome(&path), expected);
}
