//! `flipside compare`: two real run folders, what it says about them, and what it refuses.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::schema::valid;
use crate::support::{
    Ran, eight_cases, faulty, folder, journal, json_lines, read, run, run_line, unlabelled,
};
use flipside_standin::{Fault, Policy, Standin, When};

/// Two runs of the eight cases, `a` by `first` and `b` by `overlap`.
fn two_runs() -> (tempfile::TempDir, std::path::PathBuf) {
    let (guard, path) = folder(&eight_cases());
    for (model, out) in [("first", "a"), ("overlap", "b")] {
        let words = format!("probe cases.jsonl --order check --model {model} --out {out}");
        assert!(run_line(&path, &words).code < 2);
    }
    (guard, path)
}

/// A comparison with its JSON.
pub(crate) fn compare(path: &Path, words: &str) -> (Ran, Value) {
    let ran = run_line(
        path,
        &format!("compare {words} --json comparison-for-test.json"),
    );
    let text = std::fs::read_to_string(path.join("comparison-for-test.json"));
    let text = text.unwrap_or_else(|_| panic!("no comparison: {}", ran.err));
    let value = serde_json::from_str(&text).unwrap();
    valid("comparison.schema.json", &value);
    (ran, value)
}

/// The chosen identity by case and order, from the journal itself.
fn chosen(path: &Path, run: &str) -> BTreeMap<(String, String), u64> {
    let ask = |line: &Value| {
        let text = |name: &str| line[name].as_str().unwrap().to_owned();
        let choice = line["outcome"]["answered"]["choice"].as_u64();
        ((text("case"), text("variant")), choice.unwrap())
    };
    journal(path, run)
        .iter()
        .filter(|line| line["axis"] != "same")
        .map(ask)
        .collect()
}

#[test]
fn the_figures_are_those_counted_from_the_two_journals() {
    let (_guard, path) = two_runs();
    let (ran, found) = compare(&path, "a b");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let (a, b) = (chosen(&path, "a"), chosen(&path, "b"));
    let cases = json_lines(&read(&path, "a/cases.jsonl"));
    let at = |run: &BTreeMap<(String, String), u64>, case: &Value, order: &str| {
        run[&(case["id"].as_str().unwrap().to_owned(), order.to_owned())]
    };
    let count = |holds: &dyn Fn(&Value) -> bool| cases.iter().filter(|case| holds(case)).count();
    let right = |run, order: &'static str| {
        count(&|case| {
            case["accept"]
                .as_array()
                .unwrap()
                .contains(&at(run, case, order).into())
        })
    };
    for order in ["own", "reverse", "rotate:1"] {
        let line = &found["orders"][order];
        let differ = count(&|case| at(&a, case, order) != at(&b, case, order));
        assert_eq!(line["answers"]["count"], differ);
        assert_eq!(line["answers"]["of"], 8);
        assert_eq!(line["accuracy"]["baseline"]["count"], right(&a, order));
        assert_eq!(line["accuracy"]["variant"]["count"], right(&b, order));
        if order == "own" {
            assert_eq!(line["flips"], Value::Null);
            continue;
        }
        for (side, run) in [("baseline", &a), ("variant", &b)] {
            let flips = count(&|case| at(run, case, "own") != at(run, case, order));
            assert_eq!(line["flips"][side]["count"], flips, "{order} {side}");
        }
        // `first` flips always and `overlap` never: eight of eight one way, p = 2 / 2^8, Newcombe's (0, 8, 0, 0).
        assert_eq!(line["flips"]["difference"], -1.0);
        assert_eq!(line["flips"]["mcnemar_p"], 0.007_812_5);
        let upper = line["flips"]["difference_interval"][1].as_f64().unwrap();
        assert!((upper - -0.541_218).abs() < 1e-6, "{upper}");
    }
    assert_eq!(found["all_orders"]["any_flip"]["orders"], 3);
    assert_eq!(found["all_orders"]["disagreement"]["difference"], -1.0);
    assert_eq!(found["baseline"]["model"], "first");
    assert_eq!(found["variant"]["recorded"], 32);
    assert!(ran.out.contains("0/8 flipped"), "{}", ran.out);
    assert!(
        ran.out.ends_with("gates  nothing was gated   exit 0\n"),
        "{}",
        ran.out
    );
    assert!(ran.out.lines().count() <= 24, "{}", ran.out);
}

#[test]
fn a_run_against_itself_differs_in_nothing() {
    let (_guard, path) = two_runs();
    let (ran, found) = compare(&path, "a a --margin 40% --not-worse 40%");
    assert_eq!(ran.code, 0, "{}", ran.out);
    for order in found["orders"].as_object().unwrap().values() {
        assert_eq!(order["answers"]["count"], 0);
        assert_eq!(order["accuracy"]["difference"], 0.0);
        assert_eq!(order["accuracy"]["mcnemar_p"], 1.0);
    }
    assert_eq!(found["verdicts"].as_array().unwrap().len(), 6);
    assert!(
        ran.out.contains("equivalent within 40 points"),
        "{}",
        ran.out
    );
    let (same, _) = compare(&path, "a ./a/../a");
    let (other, _) = compare(&path, "a b");
    assert!(!other.err.contains("both sides"), "{}", other.err);
    for ran in [ran, same] {
        let warning = "warning: both sides are the run folder `a`: no answer can differ";
        assert!(ran.err.contains(warning), "{}", ran.err);
    }
}

#[test]
fn demands_decide_the_exit_code_and_have_their_own_words() {
    let (_guard, path) = two_runs();
    let (better, _) = compare(&path, "a b --not-worse 5%");
    assert_eq!(better.code, 0, "{}", better.out);
    assert!(
        better.out.contains("not worse by more than 5 points"),
        "{}",
        better.out
    );
    let (worse, found) = compare(&path, "b a --not-worse flips=5%");
    assert_eq!((worse.code, found["exit"].as_u64()), (1, Some(1)));
    assert_eq!(found["verdicts"][0]["word"], "worse");
    assert!(
        worse.out.contains("gates  NOT HELD (2 of 2)   exit 1"),
        "{}",
        worse.out
    );
    // Eight cases without a difference show little: the 90 % interval is wider than 5 points.
    let (few, found) = compare(&path, "b b --not-worse flips=5%");
    assert_eq!(
        (few.code, found["verdicts"][0]["word"].as_str()),
        (1, Some("not shown"))
    );
    let (easy, _) = compare(&path, "b b --not-worse flips=5% --alpha 45%");
    assert_eq!(easy.code, 0, "{}", easy.out);
}

#[test]
fn json_to_standard_output_is_alone_there_and_no_run_folder_is_touched() {
    let (_guard, path) = two_runs();
    let ran = run_line(&path, "compare a b --json -");
    let value: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(value["schema"], "flipside.comparison/1");
    let before = std::fs::read(path.join("a/summary.json")).unwrap();
    let inside = run_line(&path, "compare a b --json a/summary.json");
    assert_eq!(
        (inside.code, inside.err.as_str()),
        (
            2,
            "error: `--json a/summary.json` is in a run folder that is compared\n\
             help: name another file; a run folder keeps what its own run wrote\n"
        )
    );
    assert_eq!(std::fs::read(path.join("a/summary.json")).unwrap(), before);
    let gone = run_line(&path, "compare a b --json no/such/folder.json");
    assert_eq!(gone.code, 2);
    assert!(
        gone.err
            .starts_with("error: `--json no/such/folder.json`: "),
        "{}",
        gone.err
    );
}

#[test]
fn an_unfinished_run_is_compared_as_far_as_it_is_and_said_to_be_so() {
    let (_guard, path) = folder(&unlabelled(12));
    let server = Standin::builder().policy(Policy::Content).start().unwrap();
    let model = format!("systemone:{}", server.url());
    let words = format!("probe cases.jsonl --model {model} --order reverse --gate none:fit --out");
    assert_eq!(run_line(&path, &format!("{words} whole")).code, 0);
    let part = run_line(&path, &format!("{words} part --max-asks 9 --concurrency 1"));
    assert_eq!(part.code, 3, "{}", part.err);
    let (ran, found) = compare(&path, "whole part --not-worse flips=50%");
    let recorded = journal(&path, "part").len();
    assert_eq!(found["variant"]["complete"], false);
    assert_eq!(found["variant"]["recorded"], recorded);
    let line = format!("{recorded} asks of 24: not finished");
    let flat: Vec<&str> = ran.out.split_whitespace().collect();
    assert!(flat.join(" ").contains(&line), "{}", ran.out);
    let unasked = |order: &str| {
        found["orders"][order]["left_out"]["unasked_variant"]
            .as_u64()
            .unwrap()
    };
    assert_eq!(unasked("own") + unasked("reverse"), 24 - recorded as u64);
    // What was not asked yet may flip: the demand is not shown although nothing flipped.
    assert_eq!(found["verdicts"][0]["held"], false);
    assert_eq!(ran.code, 1);
    // Gone on with, it is whole.
    assert_eq!(run_line(&path, &format!("{words} part")).code, 0);
    let (ran, found) = compare(&path, "whole part --not-worse flips=50%");
    assert_eq!(
        (ran.code, found["variant"]["complete"].as_bool()),
        (0, Some(true))
    );
    assert_eq!(found["all_orders"]["answers"]["count"], 0);
    assert!(!ran.out.contains("left out"), "{}", ran.out);
}

#[test]
fn an_ask_that_was_answered_later_counts_by_its_answer_and_one_that_failed_is_left_out() {
    let (_guard, path) = folder(&unlabelled(8));
    let server = Standin::builder().policy(Policy::Content).start().unwrap();
    let broken = faulty(Policy::Content, Fault::Status(503), When::Every(5));
    let words = |server: &Standin, out: &str| {
        let model = format!("systemone:{}", server.url());
        format!(
            "probe cases.jsonl --model {model} --order reverse --gate none:fit --retries 0 --concurrency 1 --out {out}"
        )
    };
    assert_eq!(run_line(&path, &words(&server, "whole")).code, 0);
    run_line(&path, &words(&broken, "holes"));
    let (_, found) = compare(&path, "whole holes");
    let failed = found["variant"]["failed"].as_u64().unwrap();
    assert!(failed > 0);
    let left = |order: &str| {
        found["orders"][order]["left_out"]["failed_variant"]
            .as_u64()
            .unwrap()
    };
    assert_eq!(left("own") + left("reverse"), failed);
    // The same command asks the failed ones again; each has a later line then.
    for _ in 0..4 {
        run_line(&path, &words(&broken, "holes"));
    }
    let all = journal(&path, "holes").len();
    let (_, found) = compare(&path, "whole holes");
    assert!(all > 16, "{all} lines");
    assert_eq!(found["variant"]["recorded"], 16);
    assert_eq!(found["variant"]["failed"], 0);
    assert_eq!(found["all_orders"]["answers"]["of"], 16);
}

#[test]
fn other_files_meet_in_their_common_cases_and_without_one_are_refused() {
    let (_guard, path) = two_runs();
    let cases = eight_cases();
    let some: Vec<String> = cases.lines().skip(3).map(str::to_owned).collect();
    let changed = cases.replace("Pick the desk.", "Choose the desk.");
    for (name, text) in [
        ("some", some.join("\n") + "\n"),
        ("changed", changed),
        ("others", unlabelled(3)),
    ] {
        std::fs::write(path.join(format!("{name}.jsonl")), text).unwrap();
        let words = format!("probe {name}.jsonl --model overlap --order check --out {name}");
        assert!(run_line(&path, &words).code < 2);
    }
    let (ran, found) = compare(&path, "a some");
    assert_eq!(found["cases"]["common"], 5);
    assert_eq!(found["cases"]["only_baseline"], 3);
    assert!(
        ran.out.contains("left out  3 cases only in the baseline"),
        "{}",
        ran.out
    );
    let refused = |words: &str| {
        let ran = run_line(&path, &format!("compare {words}"));
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
        ran.err
    };
    assert_eq!(
        refused("a changed"),
        "error: the two sides differ in two things at once: `first` answered one and `overlap` the other, and 8 of 8 common cases \
         were shown otherwise\n\
         help: compare one model's answers to two presentations, or two models' answers to one\n"
    );
    assert_eq!(
        refused("a others"),
        "error: no case is in both: 8 only in the baseline, 3 only in the variant, 0 with one id and different content\n\
         help: compare runs over the same case file\n"
    );
}

#[test]
fn other_orders_are_refused_and_the_own_order_alone_is_not() {
    let (_guard, path) = two_runs();
    run_line(&path, "probe cases.jsonl --order rotate:2 --out rotated");
    let ran = run_line(&path, "compare a rotated");
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (
            2,
            "error: no other order was asked by both: the baseline asked `reverse`, `rotate:1`, the variant `rotate:2`\n\
             help: ask the same orders with the same seed, or pass `--order own` to compare the own order alone\n"
        )
    );
    let (ran, found) = compare(&path, "a rotated --order own");
    assert_eq!(
        (ran.code, found["orders"].as_object().unwrap().len()),
        (0, 1)
    );
    let unknown = run_line(&path, "compare a b --order rotate:2");
    assert_eq!(
        unknown.err,
        "error: order `rotate:2` was not asked by both; `own`, `reverse`, `rotate:1` was\n\
         help: name one that both asked, or leave `--order` out\n"
    );
}

#[test]
fn runs_of_two_methods_are_refused() {
    let (_guard, path) = two_runs();
    let summary = read(&path, "b/summary.json");
    let other = summary.replacen("\"method\": 1", "\"method\": 2", 1);
    assert_ne!(summary, other);
    std::fs::write(path.join("b/summary.json"), other).unwrap();
    let ran = run_line(&path, "compare a b");
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.starts_with(
            "error: the baseline was measured by method 1 and the variant by method 2, whose rules of ties and \
             thresholds differ\nhelp: measure both with one flipside"
        ),
        "{}",
        ran.err
    );
}

#[test]
fn what_is_no_recording_is_named_with_what_it_is() {
    let (_guard, path) = two_runs();
    std::fs::create_dir(path.join("empty")).unwrap();
    let ran = run(&path, &["compare", "gone", "cases.jsonl"]);
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (
            2,
            "error: gone: there is no such file\n\
             help: check the path; a file that is compiled in is named `builtin:NAME`, standard input `-`\n\
             error: cases.jsonl:1: this is a case of format `probe`, it holds no answer\n\
             help: `flipside probe` asks cases; give the file with the answers to them\n"
        )
    );
    let ran = run(&path, &["compare", "a", "empty"]);
    assert_eq!(
        ran.err,
        "error: empty: expected a recording, found a folder that is none\n\
         help: name a run folder of flipside or of system1-agents, or a file with answers in it\n"
    );
}

#[test]
fn a_broken_run_folder_names_the_line_or_the_file() {
    let (_guard, path) = two_runs();
    let journal = read(&path, "b/asks.jsonl");
    let error = |file: &str, text: &str| {
        let before = read(&path, file);
        std::fs::write(path.join(file), text).unwrap();
        let ran = run_line(&path, "compare a b");
        std::fs::write(path.join(file), before).unwrap();
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
        ran.err.lines().next().unwrap().to_owned()
    };
    let mut lines: Vec<&str> = journal.lines().collect();
    let with = |place: usize, line: &str| {
        let mut all = lines.clone();
        all[place] = line;
        all.join("\n") + "\n"
    };
    let broken = error("b/asks.jsonl", &with(2, "{\"ask\":"));
    assert!(
        broken.starts_with("error: b/asks.jsonl:3: no journal line: "),
        "{broken}"
    );
    let twice = error("b/asks.jsonl", &with(1, lines[0]));
    assert!(
        twice.starts_with("error: b/asks.jsonl:2: ask ")
            && twice.ends_with(" stands in the journal twice"),
        "{twice}"
    );
    let other = lines[0].replace("\"case\":\"c", "\"case\":\"d");
    let unknown = error("b/asks.jsonl", &with(0, &other));
    assert!(
        unknown.starts_with("error: b/asks.jsonl:1: case `d")
            && unknown.ends_with("is not in `cases.jsonl`"),
        "{unknown}"
    );
    let short = lines[0].replace("\"order\":[0,1,2]", "\"order\":[0,1]");
    let short = short.replace("\"order\":[2,1,0]", "\"order\":[1,0]");
    let short = short.replace("\"order\":[1,2,0]", "\"order\":[1,0]");
    let order = error("b/asks.jsonl", &with(0, &short));
    assert!(order.contains("the order has 2 places, case `c"), "{order}");
    assert_eq!(error("b/asks.jsonl", ""), "error: `b` has no recorded ask");
    // A last line that was cut short is an ask that was not made, and no error.
    lines.truncate(20);
    std::fs::write(path.join("b/asks.jsonl"), lines.join("\n") + "\n{\"ask\":").unwrap();
    let (_, found) = compare(&path, "a b");
    assert_eq!(found["variant"]["recorded"], 20);
    let run = read(&path, "b/run.json");
    assert_eq!(
        error(
            "b/run.json",
            &run.replace("flipside.run/1", "flipside.run/9")
        ),
        "error: `b/run.json` is of a run of `flipside.run/9`, this flipside reads `flipside.run/1`"
    );
    let no_run = error("b/run.json", "{}");
    assert!(
        no_run.starts_with("error: `b/run.json` is no `run.json` that this flipside reads: "),
        "{no_run}"
    );
    let no_case = error("b/cases.jsonl", "{}\n");
    assert!(
        no_case.starts_with("error: `b`: cases.jsonl:1: "),
        "{no_case}"
    );
}

#[test]
fn bad_values_are_reported_together_before_any_folder_is_read() {
    let (_guard, path) = folder("");
    let ran = run_line(
        &path,
        "compare gone1 gone2 --margin 0% --not-worse fit=2%,-1% --alpha 50% --order reverse,",
    );
    assert_eq!(ran.code, 2);
    let forms = "expected a share such as `2%`, or `accuracy=2%` or `flips=2%`, under 100%";
    assert_eq!(
        ran.err,
        format!(
            "error: `--margin`: `0%`: {forms} over 0\n\
             error: `--not-worse`: `fit=2%`: {forms}\n\
             error: `--not-worse`: `-1%`: {forms}\n\
             error: `--alpha 50%`: expected a share over 0% and under 50% such as `5%` or `0.01`\n\
             error: `--order reverse,`: expected names of orders\n"
        )
    );
}

#[test]
fn the_confirmation_round_is_no_second_answer_and_an_adaptive_run_says_that_it_stopped() {
    let (_guard, path) = folder(&unlabelled(80));
    let run = |model: &str, order: &str, out: &str| {
        let words = format!(
            "probe cases.jsonl --model {model} --order {order} --gate none:fit --out {out}"
        );
        assert!(run_line(&path, &words).code < 2);
    };
    run("first", "reverse", "a");
    let confirmed = journal(&path, "a");
    let again = |line: &&Value| !line["confirms"].is_null();
    assert!(confirmed.iter().filter(again).count() > 0);
    let (_, found) = compare(&path, "a a");
    assert_eq!(found["baseline"]["recorded"], 160);
    assert_eq!(found["orders"]["reverse"]["flips"]["variant"]["count"], 80);
    run("first", "certify", "b");
    let (ran, found) = compare(&path, "b b --not-worse flips=50%");
    assert_eq!(found["variant"]["complete"], true);
    assert_eq!(found["variant"]["stopped_by"], "planned");
    assert_eq!(
        (ran.code, found["verdicts"][0]["word"].as_str()),
        (1, Some("not shown"))
    );
    let flat: Vec<&str> = ran.out.split_whitespace().collect();
    assert!(
        flat.join(" ")
            .contains("of 160: ended by the rule `planned`"),
        "{}",
        ran.out
    );
}
