//! Bad input of every kind: exit 2, one message each, nothing asked, no key needed.

use crate::support::{eight_cases, flat, folder, read, run, run_line, unlabelled};
use flipside_standin::{Policy, Standin};

/// The lines of standard error, with the test's folder taken out.
fn errors(words: &[&str], cases: &str) -> Vec<String> {
    let (_guard, path) = folder(cases);
    let ran = run(&path, words);
    assert_eq!(ran.code, 2, "{words:?}\n{}\n{}", ran.out, ran.err);
    assert_eq!(ran.out, "", "{words:?}");
    ran.err.lines().map(str::to_owned).collect()
}

#[test]
fn all_bad_values_are_reported_together_before_any_file_is_read() {
    let words = [
        "probe",
        "no-such-file.jsonl",
        "--order",
        "shuffle:01,shuffle:0,same:51,backwards",
        "--gate",
        "order<5,drift.kl.p95<=0.1",
        "--threshold",
        "110%",
        "--model",
        "slot:0",
        "--concurrency",
        "0",
        "--timeout",
        "soon",
        "--retries",
        "x",
        "--rate",
        "0",
        "--max-asks",
        "0",
        "--max-cost",
        "free",
        "--price",
        "1,2,3",
        "--max-orders",
        "0",
        "--as",
        "prompt",
        "--answer-base",
        "2",
        "--bind-keys",
        "both",
        "--format",
        "xml",
    ];
    let lines = errors(&words, &eight_cases());
    let errors: Vec<&String> = lines
        .iter()
        .filter(|line| line.starts_with("error: "))
        .collect();
    let text = lines.join("\n");
    assert_eq!(errors.len(), 20, "{text}");
    for expected in [
        "error: `--order`: `shuffle:01`: expected a plain number from 1 to 50 after `shuffle:`",
        "error: `--order`: `shuffle:0`: expected a plain number from 1 to 50 after `shuffle:`",
        "error: `--order`: `same:51`: expected a plain number from 1 to 50 after `same:`",
        "error: `--order`: `backwards` is no order",
        "help: orders are reverse, rotate, rotate:K, balanced, random:N, shuffle:N, all, list:FILE, same:N, check",
        "error: `--gate`: `order<5`: expected a limit such as `order<=5%`",
        "error: `--gate`: `drift.kl.p95<=0.1`: expected `drift.MEASURE.STAT` with MEASURE one of `tv`, `dp`, `js`",
        "error: `--threshold 110%`: expected a share over 0 and up to 1 such as `0.9` or `90%`",
        "error: `--concurrency 0`: expected a plain number from 1 to 1024",
        "error: `--timeout soon`: expected a time such as `10s` or `500ms`",
        "error: `--retries x`: expected a plain number from 0 to 20",
        "error: `--rate 0`: expected attempts per second such as `5` or `0.5`",
        "error: `--max-asks 0`: expected a plain number, 1 or more",
        "error: `--max-cost free`: expected US dollars over zero such as `1.50`",
        "error: `--price 1,2,3`: expected US dollars such as `0.042` or `0.10,0.40`",
        "error: `--max-orders 0`: expected a plain number from 1 to 1000000",
        "error: `--as prompt`: expected `state` or `instructions`",
        "error: `--answer-base 2`: expected `0`, `1`, `letter` or `text`",
        "error: `--bind-keys both`: expected `place` or `option`",
    ] {
        assert!(text.contains(expected), "{expected}\nin\n{text}");
    }
    assert!(
        !text.contains("no-such-file"),
        "no file was looked at: {text}"
    );
}

#[test]
fn a_seed_where_nothing_draws_is_refused() {
    let lines = errors(
        &[
            "probe",
            "cases.jsonl",
            "--order",
            "reverse,same:1",
            "--seed",
            "7",
        ],
        &eight_cases(),
    );
    assert_eq!(
        lines,
        [
            "error: `--seed 7`: `reverse,same:1` draws nothing, so the seed would change nothing",
            "help: leave it out, or ask an order that draws: `random:N`, `shuffle:N` or `all`",
        ]
    );
    let lines = errors(&["probe", "cases.jsonl", "--seed", "7"], &eight_cases());
    assert_eq!(
        lines[0],
        "error: `--seed 7`: no other order is asked, so the seed would change nothing"
    );
    let lines = errors(
        &[
            "probe",
            "cases.jsonl",
            "--order",
            "random:1",
            "--seed",
            "007",
        ],
        &eight_cases(),
    );
    assert_eq!(
        lines,
        ["error: `--seed 007`: expected a plain number from 0 to 18446744073709551615"]
    );
}

#[test]
fn a_seed_is_printed_only_where_it_was_used() {
    let (_guard, path) = folder(&eight_cases());
    let drawn = run(
        &path,
        &[
            "probe",
            "cases.jsonl",
            "--order",
            "random:1",
            "--seed",
            "7919",
        ],
    );
    assert!(drawn.out.contains("7919"), "{}", drawn.out);
    let plain = run(&path, &["probe", "cases.jsonl", "--order", "reverse"]);
    assert!(!plain.out.contains("seed"), "{}", plain.out);
}

#[test]
fn errors_of_all_files_come_at_once_and_no_key_is_needed() {
    let (_guard, path) = folder(&eight_cases());
    std::fs::write(
        path.join("bad.jsonl"),
        "{\"state\":{},\"options\":{\"a\":\"1\",\"a\":\"2\"},\"rules\":\"r\"}\n{\"state\":1}\n",
    )
    .unwrap();
    std::fs::write(path.join("empty.jsonl"), "\n\n").unwrap();
    let ran = run(
        &path,
        &[
            "probe",
            "bad.jsonl",
            "cases.jsonl",
            "empty.jsonl",
            "gone.jsonl",
            "--model",
            "jev",
        ],
    );
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("error: bad.jsonl:1: "), "{}", ran.err);
    assert!(
        ran.err.contains("is given twice, at columns "),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("bad.jsonl:2: "), "{}", ran.err);
    assert!(ran.err.contains("empty.jsonl"), "{}", ran.err);
    assert!(ran.err.contains("gone.jsonl"), "{}", ran.err);
    assert!(
        !ran.err.contains("TYPESAFE_API_KEY"),
        "files come before keys: {}",
        ran.err
    );
}

#[test]
fn without_a_key_both_variables_are_named() {
    let lines = errors(&["probe", "cases.jsonl", "--model", "jev"], &eight_cases());
    let text = lines.join("\n");
    assert!(
        text.contains("TYPESAFE_API_KEY") && text.contains("OPENROUTER_API_KEY"),
        "{text}"
    );
}

#[test]
fn a_model_that_cannot_be_asked_a_case_names_it() {
    let lines = errors(
        &["probe", "cases.jsonl", "--model", "slot:4"],
        &eight_cases(),
    );
    assert_eq!(
        lines
            .iter()
            .filter(|line| line.starts_with("error: `slot:4`: cases.jsonl:"))
            .count(),
        8,
        "{lines:?}"
    );
}

#[test]
fn contradicting_labels_of_one_question_are_refused_with_both_cases() {
    let case = |id: &str, accept: &str| {
        format!(
            "{{\"id\":\"{id}\",\"state\":{{}},\"options\":{{\"a\":\"1\",\"b\":\"2\"}},\"rules\":\"r\",\"accept\":[\"{accept}\"]}}\n"
        )
    };
    let lines = errors(
        &["probe", "cases.jsonl"],
        &(case("one", "a") + &case("two", "b")),
    );
    assert_eq!(
        lines,
        ["error: cases.jsonl:2: case `two` is case `one` again with other accepted options"]
    );
    let (_guard, path) = folder(&(case("one", "a") + &case("two", "a")));
    let (_, summary) = crate::support::probe(&path, &["cases.jsonl"]);
    assert_eq!(summary["counts"]["duplicates"], 1);
    assert_eq!(summary["counts"]["cases"], 1);
}

#[test]
fn a_list_of_orders_is_read_with_its_lines_and_each_case_takes_those_of_its_length() {
    let (_guard, path) = folder(&unlabelled(3));
    std::fs::write(path.join("orders.jsonl"), "[2,1,0]\n[1,0]\n[1,2,0]\n").unwrap();
    let words = "cases.jsonl --model first --order list:orders.jsonl --gate none:fit";
    let (_, summary) = crate::support::probe_line(&path, words);
    assert_eq!(summary["axes"]["order"]["list:1"]["flips"], 3);
    assert_eq!(summary["axes"]["order"]["list:3"]["flips"], 3);
    assert!(summary["axes"]["order"].get("list:2").is_none());
    std::fs::write(path.join("orders.jsonl"), "[0,0]\n").unwrap();
    let ran = run(
        &path,
        &["probe", "cases.jsonl", "--order", "list:orders.jsonl"],
    );
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (2, "error: orders.jsonl:1: identity 0 stands twice\n")
    );
}

#[test]
fn two_lists_of_orders_are_refused_since_their_orders_would_have_one_name() {
    let lines = errors(
        &[
            "probe",
            "cases.jsonl",
            "--order",
            "list:a.jsonl,list:b.jsonl",
        ],
        &eight_cases(),
    );
    assert_eq!(
        lines,
        [
            "error: `--order`: the orders of `list:a.jsonl` and `list:b.jsonl` would have one name",
            "help: put all orders into one file",
        ]
    );
}

#[test]
fn a_folder_of_another_plan_says_what_differs() {
    let (_guard, path) = folder(&unlabelled(4));
    let server = Standin::builder().policy(Policy::First).start().unwrap();
    let model = format!("systemone:{}", server.url());
    let base = [
        "probe",
        "cases.jsonl",
        "--model",
        &model,
        "--gate",
        "none:fit",
        "--out",
        "a",
    ];
    let with = |extra: &[&str]| {
        let mut words = base.to_vec();
        words.extend(extra);
        run(&path, &words)
    };
    assert_eq!(with(&["--order", "random:1", "--seed", "7"]).code, 1);
    let asked = server.count();
    let seed = with(&["--order", "random:1", "--seed", "11"]);
    assert_eq!(
        (seed.code, seed.err.as_str()),
        (
            2,
            "error: `a` holds another plan: its seed is 7, this command's is 11\n\
             help: pass `--seed 7` to go on with it, or name a new `--out`\n"
        )
    );
    let orders = with(&["--order", "random:2", "--seed", "7"]);
    assert!(
        orders
            .err
            .contains("its orders are `random:1`, this command's are `random:2`"),
        "{}",
        orders.err
    );
    std::fs::write(path.join("cases.jsonl"), unlabelled(5)).unwrap();
    let cases = with(&["--order", "random:1", "--seed", "7"]);
    assert!(
        cases
            .err
            .contains("its cases are others than this command's"),
        "{}",
        cases.err
    );
    let words = "probe cases.jsonl --model first --out a";
    let other = run_line(&path, words);
    assert!(
        other.err.contains("its model is `systemone:"),
        "{}",
        other.err
    );
    assert_eq!(server.count(), asked, "nothing was asked");
    std::fs::create_dir(path.join("full")).unwrap();
    std::fs::write(path.join("full/thesis.txt"), "mine").unwrap();
    let foreign = run(
        &path,
        &["probe", "cases.jsonl", "--model", "first", "--out", "full"],
    );
    assert_eq!(foreign.code, 2);
    assert!(
        foreign
            .err
            .contains("`full` has files in it and is no run folder"),
        "{}",
        foreign.err
    );
    assert_eq!(read(&path, "full/thesis.txt"), "mine");
}

#[test]
fn decide_refuses_what_it_cannot_ask() {
    let state = ["decide", "--state", "{\"a\":1}", "--rules", "r"];
    let with = |extra: &[&str]| {
        let mut words = state.to_vec();
        words.extend(extra);
        errors(&words, "").join("\n")
    };
    assert_eq!(
        with(&["--option", "a=1", "--option", "b=2", "--option", "a=3"]),
        "error: `--option a` is given twice, as option 1 and option 3\n\
         help: give each option its own key; flipside never merges or drops one"
    );
    assert_eq!(
        with(&["--option", "a"]),
        "error: `--option a`: expected `KEY=TEXT`"
    );
    let text = errors(
        &[
            "decide",
            "--state",
            "where is it",
            "--rules",
            "r",
            "--option",
            "a=1",
        ],
        "",
    )
    .join("\n");
    assert!(text.starts_with("error: `--state`: "), "{text}");
    assert!(text.contains("help: the state is a JSON value"), "{text}");
}

#[test]
fn documented_defaults_are_the_effective_ones() {
    let (_guard, path) = folder(&eight_cases());
    let help = run(&path, &["probe", "--help"]).out;
    let squeezed = flat(&help);
    for default in [
        "[default: tiny-laya]",
        "[default: 8; 1 for Laya, Cua-S1 and language models of this machine]",
        "[default: 10s]",
        "[default: 2]",
        "[default: 120]",
        "[default: 1]",
    ] {
        assert!(squeezed.contains(default), "{default} in {squeezed}");
    }
    let (_, plain) = crate::support::probe(&path, &["cases.jsonl", "--order", "random:1"]);
    let (_, stated) = crate::support::probe(
        &path,
        &[
            "cases.jsonl",
            "--order",
            "random:1",
            "--model",
            "tiny-laya",
            "--seed",
            "1",
            "--max-orders",
            "120",
        ],
    );
    assert_eq!(
        crate::support::timeless(plain),
        crate::support::timeless(stated)
    );
}
