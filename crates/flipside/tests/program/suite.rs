//! `flipside suite`: rows written, asked and scored by the program as a process.

use std::path::Path;

use flipside_standin::{Policy, Standin};
use serde_json::{Value, json};

use crate::schema::valid;
use crate::support::{
    Ran, folder, journal, json as json_file, json_lines, model, read, run, run_line,
};

/// What a suite command left, with its report.
fn suite(folder: &Path, words: &str) -> (Ran, Value) {
    let words = format!("suite {words} --json suite-for-test.json");
    let ran = run_line(folder, &words);
    let text = std::fs::read_to_string(folder.join("suite-for-test.json"));
    let report = serde_json::from_str(&text.unwrap_or_else(|_| panic!("no report: {}", ran.err)));
    (ran, report.unwrap())
}

/// Hits and denominator of a figure of the first model.
fn share(report: &Value, figure: &str) -> (u64, u64) {
    share_of(&report["models"][0]["all"], figure)
}

fn share_of(figures: &Value, figure: &str) -> (u64, u64) {
    let share = figures.pointer(&format!("/{figure}")).unwrap();
    (
        share["hits"].as_u64().unwrap(),
        share["of"].as_u64().unwrap(),
    )
}

/// The rows of the built-in suite, and for each its question and its gold answer.
fn rows(folder: &Path) -> Vec<(Value, Value, Value)> {
    let generated = run_line(folder, "suite generate");
    assert_eq!((generated.code, generated.err.as_str()), (0, ""));
    let inner =
        |row: &Value, name: &str| serde_json::from_str(row[name].as_str().unwrap()).unwrap();
    let rows = json_lines(&generated.out).into_iter();
    rows.map(|row| {
        let question: Value = inner(&row, "questions");
        let gold = inner(&row, "gold");
        (row, question["q"].clone(), gold)
    })
    .collect()
}

/// A file of answers, one to each row.
fn write_answers(folder: &Path, file: &str, answer: impl Fn(&Value, &Value, &Value) -> Value) {
    let lines: Vec<String> = rows(folder)
        .iter()
        .map(|(row, question, gold)| {
            let mut line = answer(row, question, gold);
            for name in ["base_id", "phrasing", "order", "key_variant"] {
                line[name] = row[name].clone();
            }
            line.to_string() + "\n"
        })
        .collect();
    std::fs::write(folder.join(file), lines.concat()).unwrap();
}

#[test]
fn three_controls_get_exactly_what_they_must_in_one_table() {
    let (_guard, path) = folder("");
    let (ran, report) = suite(&path, "run --model first --model last --model overlap");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    valid("suite.schema.json", &report);
    // By the suite's page the accepted option stands first in 2 + 3 + 2 of the 30 base cases with four options, and last in
    // 3 + 2 + 2; each has 6 rows in either order. Noul rows list `false` first and `true` last, each right in 5 of 10.
    for (place, right_first) in [(0, 7), (1, 7)] {
        let figures = &report["models"][place]["all"];
        let of = |figure: &str| share_of(figures, figure);
        assert_eq!(of("order"), (180, 180));
        assert_eq!(of("order_with_vacuous"), (180, 240));
        assert_eq!(figures["order"]["vacuous"], 60);
        assert_eq!(of("keys"), (0, 180));
        for pair in ["p0-p1", "p0-p2", "p1-p2"] {
            assert_eq!(of(&format!("phrasing/{pair}")), (0, 160));
        }
        assert_eq!(of("question"), (0, 60));
        assert_eq!(of("baseline"), (right_first + 5, 40));
        assert_eq!(of("accuracy_forward"), (right_first * 6 + 30, 240));
        assert_eq!(of("accuracy_reversed"), (7 * 6 + 30, 240));
        assert_eq!(of("accuracy"), (144, 480));
        assert_eq!(of("accuracy_semantic"), (42, 180));
    }
    // One that reads words cannot see an order, and ties over levels are no flips either.
    let overlap = &report["models"][2]["all"];
    assert_eq!(share_of(overlap, "order"), (0, 180));
    assert_eq!(
        share_of(overlap, "accuracy_forward"),
        share_of(overlap, "accuracy_reversed")
    );
    let counts = &report["models"][0]["counts"];
    assert_eq!(
        (&counts["rows"], &counts["repeated"]),
        (&json!(480), &json!(60))
    );
    let flips = ran
        .out
        .lines()
        .find(|line| line.starts_with("order flips"))
        .unwrap();
    assert_eq!(
        flips.matches("180/180  100% (88.4-100)").count(),
        2,
        "{flips}"
    );
    assert!(flips.contains("0/180  0.0% (0.0-11.6)"), "{flips}");
}

#[test]
fn answers_from_elsewhere_are_compared_by_what_they_mean() {
    let (_guard, path) = folder("");
    // Right everywhere, as keys, level names and sides; and always the first place, as System One objects.
    write_answers(
        &path,
        "right.jsonl",
        |_, _, gold| json!({"answer": gold["label"], "ms": 5}),
    );
    write_answers(&path, "first.jsonl", |_, question, gold| {
        let answer = match question["type"].as_str().unwrap() {
            "choice" => json!({"choice": gold["options"][0]}),
            "score" => {
                json!({"score": 0.3, "probabilities": {"0": 0.8, "1": 0.1, "2": 0.1, "3": 0.0}})
            }
            _ => json!({"noul": 0.25}),
        };
        json!({"answer": answer, "model": "m-1"})
    });
    let words = "score builtin:fragility right.jsonl first.jsonl --name right --name first";
    let (ran, report) = suite(&path, words);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    valid("suite.schema.json", &report);
    assert_eq!(share(&report, "accuracy"), (480, 480));
    for figure in ["order", "keys", "phrasing/p0-p1", "question"] {
        assert_eq!(share(&report, figure).0, 0, "{figure}");
    }
    assert_eq!(report["models"][0]["all"]["latency"]["median_ms"], 5.0);
    let first = &report["models"][1]["all"];
    assert_eq!(share_of(first, "order"), (180, 180));
    assert_eq!(share_of(first, "keys"), (0, 180));
    assert_eq!(share_of(first, "accuracy"), (144, 480));
    assert_eq!(first["latency"], Value::Null);
    let table = ran
        .out
        .lines()
        .find(|line| line.starts_with("share (95% CI)"))
        .unwrap();
    assert!(
        table.contains("right") && table.contains("first"),
        "{table}"
    );
    // A level by number is its place in the row's own list: the lowest forward, the highest reversed.
    write_answers(&path, "numbers.jsonl", |_, question, gold| {
        match question["type"].as_str() {
            Some("score") => json!({"answer": 0}),
            _ => json!({"answer": gold["label"]}),
        }
    });
    let (_, report) = suite(&path, "score builtin:fragility numbers.jsonl");
    assert_eq!(
        share_of(&report["models"][0]["families"]["urgency"], "order"),
        (60, 60)
    );
    assert_eq!(report["models"][0]["name"], "numbers.jsonl");
}

#[test]
fn rows_without_an_answer_are_counted_and_what_is_no_answer_is_named() {
    let (_guard, path) = folder("");
    write_answers(
        &path,
        "all.jsonl",
        |_, _, gold| json!({"answer": gold["label"]}),
    );
    let all = read(&path, "all.jsonl");
    let some: Vec<String> = all
        .lines()
        .skip(2)
        .enumerate()
        .map(|(place, line)| match place {
            0 => line.replace("\"answer\":\"", "\"answer\":\"un"),
            1 => line.replace("\"answer\":", "\"refusal\":true,\"was\":"),
            2 => line.replace("\"answer\":", "\"error\":"),
            _ => line.to_owned(),
        })
        .collect();
    std::fs::write(path.join("some.jsonl"), some.join("\n")).unwrap();
    let (ran, report) = suite(
        &path,
        "score builtin:fragility some.jsonl --gate missing<=0.8%,order<=1%",
    );
    let counts = &report["models"][0]["counts"];
    assert_eq!(
        (
            &counts["answered"],
            &counts["failed"],
            &counts["unasked"],
            &counts["no_decision"]
        ),
        (&json!(476), &json!(2), &json!(2), &json!(1))
    );
    // 4 of 480 are missing, 0.83 %.
    assert_eq!(ran.code, 1);
    assert_eq!(report["models"][0]["gates"][0]["verdict"], "over limit");
    assert!(
        ran.err.starts_with("warning: some.jsonl: 1 answer cannot be read and counted as missing: line 1, row `news-01/p0/reversed/semantic`: the reply chose `un"),
        "{}",
        ran.err
    );
    assert!(
        ran.out
            .contains("2 failed, 2 not answered and 1 without a decision of 480 rows"),
        "{}",
        ran.out
    );
}

#[test]
fn answers_to_no_row_or_to_one_row_twice_are_errors_and_nothing_is_written() {
    let (_guard, path) = folder("");
    let line = r#"{"id":"news-01/p0/forward/semantic","answer":"world"}"#;
    let unknown = line.replace("news-01", "news-99");
    std::fs::write(
        path.join("bad.jsonl"),
        format!("{line}\n{unknown}\n{line}\n"),
    )
    .unwrap();
    let ran = run_line(
        &path,
        "suite score builtin:fragility bad.jsonl --json out.json",
    );
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert_eq!(
        ran.err,
        "error: bad.jsonl:2: row `news-99/p0/forward/semantic` is not in the suite\n\
         help: answer the rows of the suite that is scored, by ids such as `news-01/p0/forward/semantic`\n\
         error: bad.jsonl:3: row `news-01/p0/forward/semantic` is answered in line 1 already\n\
         help: leave one of them; answers of another engine or time are another file and column\n"
    );
    assert!(!path.join("out.json").exists());
}

#[test]
fn usage_errors_are_told_together_before_anything_is_read() {
    let (_guard, path) = folder("");
    let ran = run_line(
        &path,
        "suite score gone.jsonl a.jsonl a.jsonl builtin:fragility --name x --gate same<=1%,order<=5,order<=5%,order<=6%",
    );
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    let errors: Vec<&str> = ran.err.lines().collect();
    assert_eq!(errors[0], "error: `a.jsonl` is given twice");
    assert_eq!(
        errors[1],
        "error: `ANSWERS builtin:fragility`: expected a file of answers"
    );
    assert_eq!(
        errors[2],
        "error: `--name` is given 1 times for 3 files of answers"
    );
    assert!(
        errors.contains(&"error: `--gate`: `order<=5`: expected a limit such as `order<=5%`"),
        "{errors:?}"
    );
    let ran = run_line(
        &path,
        "suite run --model first --seed 3 --gate keys<=1%,keys<=2%,none:order",
    );
    assert_eq!(
        ran.err,
        "error: `--seed 3`: no model draws, so the seed would change nothing\n\
         help: leave it out\n\
         error: `--gate`: `none:order`: a suite has no gate that is not asked for\n"
    );
    let twice = run_line(&path, "suite run --gate keys<=1%,keys<=2%");
    assert_eq!(
        twice.err,
        "error: `--gate`: `keys` has two gates\nhelp: give each figure one limit\n"
    );
    let named = run_line(&path, "suite score builtin:fragility a b --name x --name x");
    assert_eq!(named.err, "error: `--name x` is given twice\n");
}

#[test]
fn a_gate_that_does_not_hold_exits_1_and_the_report_says_which() {
    let (_guard, path) = folder("");
    let (ran, report) = suite(
        &path,
        "run --model first --gate order<=5%,keys<=5%,fit>=90%",
    );
    assert_eq!((ran.code, &report["exit"]), (1, &json!(1)));
    valid("suite.schema.json", &report);
    assert!(
        ran.out.ends_with(
            "gates  order: NOT HELD   keys: held   fit: NOT HELD   about these rows   exit 1\n"
        ),
        "{}",
        ran.out
    );
}

#[test]
fn an_interrupted_run_goes_on_and_asks_nothing_twice() {
    let (_guard, path) = folder("");
    let server = Standin::builder().policy(Policy::First).start().unwrap();
    let words = format!("run --model {} --out runs/s", model(&server));
    let (ran, report) = suite(&path, &format!("{words} --max-asks 100"));
    assert_eq!((ran.code, &report["exit"]), (3, &json!(3)));
    assert_eq!(report["models"][0]["complete"], false);
    let unasked = report["models"][0]["counts"]["unasked"].as_u64().unwrap();
    assert!((480 - 100 - 60..=480 - 100).contains(&unasked), "{unasked}");
    assert!(
        ran.err
            .contains("stopped after 100 of 420 asks: `--max-asks 100` is reached"),
        "{}",
        ran.err
    );
    assert!(
        ran.out
            .contains("not asked of 480 rows, stopped after 100 of 420 asks"),
        "{}",
        ran.out
    );
    let (ran, report) = suite(&path, &words);
    assert_eq!((ran.code, &report["exit"]), (0, &json!(0)), "{}", ran.err);
    assert_eq!(journal(&path, "runs/s").len(), 420);
    assert_eq!(share(&report, "order"), (180, 180));
    let kept = json_file(&path, "runs/s/suite.json");
    valid("suite.schema.json", &kept);
    assert_eq!(kept["models"], report["models"]);
    valid(
        "summary.schema.json",
        &json_file(&path, "runs/s/summary.json"),
    );
    // A folder of a suite is a run folder like any other.
    assert_eq!(run_line(&path, "compare runs/s runs/s").code, 0);
    let other = run_line(&path, &format!("suite {words} --json runs/s/here.json"));
    assert!(
        other
            .err
            .starts_with("error: `--json runs/s/here.json` is a file of this run\n"),
        "{}",
        other.err
    );
}

#[test]
fn rows_of_ones_own_base_cases_are_written_asked_and_scored() {
    let (_guard, path) = folder("");
    let base = r#"{"id":"a","family":"mine","type":"choice","states":["red car","car of red"],"question":"Which?","options":{"x":"red things","y":"blue things"},"accept":"x"}"#;
    std::fs::write(path.join("base.jsonl"), format!("{base}\n")).unwrap();
    let ran = run_line(
        &path,
        "suite generate --template base.jsonl --out rows.jsonl",
    );
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    assert_eq!(read(&path, "rows.jsonl").lines().count(), 8);
    assert_eq!(
        run_line(&path, "suite generate --template base.jsonl").out,
        read(&path, "rows.jsonl")
    );
    let (ran, report) = suite(&path, "run rows.jsonl --model first");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(share(&report, "order"), (4, 4));
    assert_eq!(
        report["models"][0]["all"]["phrasing"]
            .as_object()
            .unwrap()
            .len(),
        1
    );
    // One base case says nothing about others.
    assert_eq!(
        report["models"][0]["all"]["order"]["interval"],
        json!([0.0, 1.0])
    );
    let over = run_line(
        &path,
        "suite generate --template base.jsonl --out base.jsonl",
    );
    assert_eq!(
        (over.code, over.err.as_str()),
        (
            2,
            "error: `--out base.jsonl` is the file of base cases\n\
             help: name another file; the rows would replace what they are made of\n"
        )
    );
    let wrong = run_line(&path, "suite generate --template rows.jsonl");
    assert_eq!(wrong.code, 2);
    assert!(
        wrong
            .err
            .contains("this is a row of a fragility suite, and no base case"),
        "{}",
        wrong.err
    );
}

#[test]
fn the_example_adapter_answers_a_suite_that_knows_nothing_of_it() {
    if std::process::Command::new("python3")
        .arg("--version")
        .output()
        .is_err()
    {
        return;
    }
    let (_guard, path) = folder("");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let report = path.join("suite.json");
    let words = [
        "suite",
        "run",
        "--model",
        "exec:python3 examples/suite_adapter.py",
        "--out",
        path.join("run").to_str().unwrap(),
        "--json",
        report.to_str().unwrap(),
    ]
    .map(str::to_owned);
    let ran = run(&root, &words.each_ref().map(String::as_str));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let report = json_file(&path, "suite.json");
    let counts = &report["models"][0]["counts"];
    assert_eq!(
        (&counts["answered"], &counts["failed"]),
        (&json!(480), &json!(0))
    );
    // It reads words: no order moves it, whatever ties it leaves to flipside.
    assert_eq!(share(&report, "order"), (0, 180));
    assert!(share(&report, "phrasing/p0-p1").0 > 0);
}
