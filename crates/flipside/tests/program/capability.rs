//! `flipside report`: the capability table of real runs, and what has no row.

use std::path::Path;

use flipside_standin::{Policy, Standin};
use serde_json::Value;

use crate::support::{
    eight_cases, flat, folder, json, model, probe_line, read, run, run_line, unlabelled,
};

/// The cells of every row of a table, its header first.
fn table(text: &str) -> Vec<Vec<String>> {
    let lines = text.lines().filter(|line| line.starts_with('|'));
    let cells = |line: &str| {
        let line = line.trim_start_matches("| ").trim_end_matches(" |");
        line.split(" | ").map(str::to_owned).collect()
    };
    lines.map(cells).collect()
}

/// The table of `words`, each row by the names of its columns.
fn report(path: &Path, words: &str) -> Vec<Vec<(String, String)>> {
    let ran = run_line(
        path,
        &format!("report {words} --format markdown --table capability"),
    );
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.err);
    let mut rows = table(&ran.out).into_iter();
    let header = rows.next().unwrap();
    assert!(rows.next().unwrap().iter().all(|cell| cell == "---"));
    rows.map(|row| {
        assert_eq!(row.len(), header.len(), "{row:?}");
        header.iter().cloned().zip(row).collect()
    })
    .collect()
}

fn cell<'a>(row: &'a [(String, String)], name: &str) -> &'a str {
    let found = row.iter().find(|(known, _)| known == name);
    &found
        .unwrap_or_else(|| panic!("no column {name} in {row:?}"))
        .1
}

#[test]
fn a_row_has_the_figures_of_its_run_beside_its_model_hardware_and_date() {
    let (_guard, path) = folder(&eight_cases());
    for (model, more) in [("first", " --axis keys:abstract,drop"), ("overlap", "")] {
        let words = format!("probe cases.jsonl --order check --model {model} --out {model}{more}");
        assert!(run_line(&path, &words).code < 2);
    }
    let rows = report(&path, "overlap first");
    let [first, overlap] = &rows[..] else {
        panic!("two runs are two rows");
    };
    // Right first options: 2 of 8. Every reversal and rotation flips, no renaming does, and the control never.
    // Wilson: 2/8 7.1 to 59.1, 8/8 67.6 to 100, 0/8 0 to 32.4.
    let expected = [
        ("model", "first"),
        ("checkpoint", "first"),
        ("cases", "8"),
        ("fit", "2/8 (25.0%, 7.1-59.1%)"),
        (
            "order",
            "reverse: 8/8 (100.0%, 67.6-100.0%), worst of 2 variants",
        ),
        ("keys", "abstract: 0/8 (0.0%, 0.0-32.4%)"),
        ("same (noise)", "0/8 (0.0%, 0.0-32.4%)"),
        ("method", "1"),
        ("asked", "all"),
    ];
    for (name, text) in expected {
        assert_eq!(cell(first, name), text, "{name}");
    }
    // An option less is counted over all options, as its own summary counts it: whoever takes the first always may.
    let summary = json(&path, "first/summary.json");
    let drop = &summary["composition"]["drop"];
    let share = format!("all options: {}/{} (", drop["flips"], drop["pairs"]);
    assert!(cell(first, "drop").starts_with(&share), "{first:?}");
    assert!(drop["pairs"].as_u64().unwrap() > 8);
    assert_eq!(cell(overlap, "model"), "overlap");
    for axis in ["keys", "drop"] {
        assert_eq!(cell(overlap, axis), "not asked");
    }
    assert!(cell(overlap, "order").starts_with("reverse: 0/8 (0.0%, "));
    let run = json(&path, "first/run.json");
    let date = run["started"].as_str().unwrap().split('T').next().unwrap();
    let hardware = run["hardware"].as_str().unwrap();
    assert!(hardware.contains(" core"), "{hardware}");
    assert_eq!(summary["model"]["hardware"], hardware);
    assert_eq!(cell(first, "date"), date);
    // Names of processors have no Markdown but `@` and the like, which is escaped.
    assert_eq!(cell(first, "hardware").replace('\\', ""), hardware);
    let ran = run_line(&path, "report first overlap --table capability");
    let named = "Axes that no run here asked: descriptions, phrasing, state-keys, whitespace, letter-case, decoy, batch and cross.";
    assert!(ran.out.ends_with(&format!("\n\n{named}\n")), "{}", ran.out);
}

#[test]
fn a_served_model_says_what_served_it_and_what_a_user_says_it_ran_on() {
    let (_guard, path) = folder(&unlabelled(6));
    let server = Standin::builder().policy(Policy::First).start().unwrap();
    let at = model(&server);
    let served = format!("probe cases.jsonl --model {at} --order reverse --model-name a|b");
    assert!(run_line(&path, &format!("{served} --out plain")).code < 2);
    let stated = ["--out", "stated", "--hardware", "H200 | 2 cards"];
    let words: Vec<&str> = served.split_whitespace().chain(stated).collect();
    assert!(run(&path, &words).code < 2);
    let rows = report(&path, "plain stated");
    let hardware: Vec<&str> = rows.iter().map(|row| cell(row, "hardware")).collect();
    assert_eq!(hardware, ["served, not stated", "H200 \\| 2 cards"]);
    for row in &rows {
        assert_eq!(cell(row, "fit"), "not applicable: no case is labelled");
        assert_eq!(cell(row, "same (noise)"), "not asked");
        assert!(
            cell(row, "model").starts_with("systemone:http\\://"),
            "{row:?}"
        );
    }
    let summary = json(&path, "stated/summary.json");
    assert_eq!(summary["model"]["hardware"], "H200 | 2 cards");
    let served = &summary["model"]["served"];
    let checkpoint = served[0]
        .as_str()
        .unwrap_or("a|b")
        .replace('|', "\\|")
        .replace('_', "\\_");
    assert_eq!(cell(&rows[0], "checkpoint"), checkpoint);
    let plain = json(&path, "plain/run.json");
    assert_eq!(plain.get("hardware"), None);
    // What was said is part of the run: another machine is another run.
    let mut other = words.clone();
    *other.last_mut().unwrap() = "H100";
    let ran = run(&path, &other);
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (
            2,
            "error: `stated` holds another plan: it ran on `H200 | 2 cards`, this command runs on `H100`\n\
             help: name a new `--out`\n"
        )
    );
    *other.last_mut().unwrap() = "two\nlines";
    let ran = run(&path, &other);
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (
            2,
            "error: `--hardware two\\u{a}lines`: expected one line of text such as `H200`\n"
        )
    );
}

#[test]
fn a_replayed_run_ran_on_what_the_recorded_one_did() {
    let (_guard, path) = folder(&eight_cases());
    let at = Standin::builder().policy(Policy::Content).start().unwrap();
    let words = format!("probe cases.jsonl --order reverse --model {}", model(&at));
    assert!(run_line(&path, &format!("{words} --hardware H200 --out stated")).code < 2);
    assert!(run_line(&path, &format!("{words} --out silent")).code < 2);
    for (run, expected) in [("stated", "H200"), ("silent", "not stated")] {
        let words =
            format!("probe cases.jsonl --order reverse --model replay:{run} --out again-{run}");
        assert!(run_line(&path, &words).code < 2);
        let rows = report(&path, &format!("again-{run}"));
        assert_eq!(cell(&rows[0], "hardware"), expected);
    }
}

#[test]
fn files_of_summaries_have_rows_without_what_they_do_not_say() {
    let (_guard, path) = folder(&eight_cases());
    let words = "cases.jsonl --order check --model first --model last --out both";
    let (_, several) = probe_line(&path, words);
    std::fs::write(path.join("several.json"), several.to_string()).unwrap();
    std::fs::write(path.join("one.json"), several["models"][0].to_string()).unwrap();
    let rows = report(&path, "several.json one.json");
    let models: Vec<&str> = rows.iter().map(|row| cell(row, "model")).collect();
    assert_eq!(models, ["first", "first", "last"]);
    for row in &rows {
        assert_eq!(cell(row, "date"), "not stated");
    }
    // A summary of an earlier flipside says nothing of hardware.
    let mut earlier = several["models"][0].clone();
    earlier["model"].as_object_mut().unwrap().remove("hardware");
    std::fs::write(path.join("one.json"), earlier.to_string()).unwrap();
    assert_eq!(
        cell(&report(&path, "one.json")[0], "hardware"),
        "not stated"
    );
    // A folder of run folders is each of them.
    let rows = report(&path, "both");
    let models: Vec<&str> = rows.iter().map(|row| cell(row, "model")).collect();
    assert_eq!(models, ["first", "last"]);
}

#[test]
fn an_incomplete_run_is_marked_and_what_it_did_not_make_is_no_zero() {
    let (_guard, path) = folder(&unlabelled(12));
    let server = Standin::builder().policy(Policy::Content).start().unwrap();
    let words = format!(
        "probe cases.jsonl --no-canary --model {} --order reverse --gate none:fit --concurrency 1 --out part --max-asks",
        model(&server)
    );
    assert_eq!(run_line(&path, &format!("{words} 9")).code, 3);
    let row = report(&path, "part").remove(0);
    assert_eq!(cell(&row, "asked"), "**incomplete**: 9 of 24");
    let order = cell(&row, "order");
    let (share, rest) = order.split_once(" (").unwrap();
    let pairs: u64 = share.rsplit_once('/').unwrap().1.parse().unwrap();
    assert!(
        pairs < 9 && rest.ends_with(&format!(", {} not made", 12 - pairs)),
        "{order}"
    );
    // The journal grew after the summary was written: the figures are of another state.
    let before = read(&path, "part/summary.json");
    assert_eq!(run_line(&path, &format!("{words} 30")).code, 0);
    std::fs::write(path.join("part/summary.json"), before).unwrap();
    let ran = run_line(&path, "report part");
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    let expected = "error: `part`: `summary.json` counts 9 answered and 0 failed asks, and 0 that confirm flips, the journal has 24 \
                    answered and 0 failed asks, and 0 that confirm flips: something was asked after it was written\nhelp: complete \
                    it with `";
    assert!(ran.err.starts_with(expected), "{}", ran.err);
    assert!(
        ran.err.ends_with(&format!("{words} 30`\n")) || ran.err.contains("--max-asks 9`"),
        "{}",
        ran.err
    );
}

#[test]
fn a_run_without_a_summary_names_the_command_that_completes_it() {
    let (_guard, path) = folder(&eight_cases());
    let words = "probe cases.jsonl --order reverse --out a";
    assert!(run_line(&path, words).code < 2);
    std::fs::remove_file(path.join("a/summary.json")).unwrap();
    let ran = run_line(&path, "report a");
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    let program = env!("CARGO_BIN_EXE_flipside");
    assert_eq!(
        ran.err,
        format!(
            "error: `a` has no `summary.json`: its run did not end\nhelp: complete it with `{program} {words}`\n"
        )
    );
    assert!(run_line(&path, words).code < 2);
    assert_eq!(report(&path, "a").len(), 1);
}

#[test]
fn what_has_no_row_is_refused_with_what_it_is() {
    let (_guard, path) = folder(&eight_cases());
    for model in ["first", "overlap"] {
        let words = format!("probe cases.jsonl --order reverse --model {model} --out {model}");
        assert!(run_line(&path, &words).code < 2);
    }
    assert_eq!(
        run_line(&path, "compare first overlap --json compared.json").code,
        0
    );
    std::fs::write(path.join("none.json"), "{\"a\":1}").unwrap();
    std::fs::write(
        path.join("future.json"),
        "{\"schema\":\"flipside.summary/9\"}",
    )
    .unwrap();
    std::fs::write(
        path.join("part.json"),
        "{\"schema\":\"flipside.summary/1\"}",
    )
    .unwrap();
    std::fs::create_dir(path.join("empty")).unwrap();
    let error = |words: &str| {
        let ran = run_line(&path, &format!("report {words}"));
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
        ran.err
    };
    let name = "help: name a run folder, or a file that `flipside probe --json FILE` wrote\n";
    assert_eq!(
        error("compared.json"),
        "error: `compared.json` is `flipside.comparison/1`, expected `flipside.summary/1`\n\
         help: a comparison of two runs is no run; name the two run folders\n"
    );
    assert_eq!(
        error("none.json future.json"),
        format!(
            "error: `none.json` is no summary of a run: it has no `schema`\n\
             error: `future.json` is `flipside.summary/9`, expected `flipside.summary/1`\n{name}"
        )
    );
    let text = error("part.json");
    assert!(
        text.starts_with("error: `part.json` is no summary of a run: missing field `method`"),
        "{text}"
    );
    let text = error("cases.jsonl");
    assert!(
        text.starts_with("error: `cases.jsonl` is no summary of a run: "),
        "{text}"
    );
    let text = error("gone.json");
    assert!(
        text.starts_with("error: `gone.json` cannot be read: "),
        "{text}"
    );
    assert_eq!(
        error("empty"),
        "error: `empty` is no run folder: it has no `run.json`, and no folder in it has one\n\
         help: name a folder that `flipside probe --out DIR` wrote\n"
    );
    assert_eq!(
        error("first first --format yaml --table matrix"),
        "error: `--format yaml`: expected `terminal`, `html`, `markdown`, `github`, `junit`, `csv` or `json`\n\
         error: `--table matrix`: expected `capability`, `asks`, `pairs`, `figures` or `gates`\n\
         error: `first` is named twice\n"
    );
}

#[test]
fn a_run_is_in_the_table_once_by_whatever_paths_it_is_named() {
    let (_guard, path) = folder(&eight_cases());
    run_line(&path, "probe cases.jsonl --order reverse --out a");
    std::os::unix::fs::symlink("a", path.join("link")).unwrap();
    for again in ["./a", "a/", "link"] {
        let ran = run_line(&path, &format!("report a {again}"));
        let expected = format!("error: `{again}` names `a` again\nhelp: name each run once\n");
        assert_eq!((ran.code, ran.err), (2, expected));
    }
}

#[test]
fn the_table_goes_into_a_file_and_never_over_what_was_recorded() {
    let (_guard, path) = folder(&eight_cases());
    assert!(
        run_line(
            &path,
            "probe cases.jsonl --order reverse --out a --json one.json"
        )
        .code
            < 2
    );
    let printed = run_line(&path, "report a --table capability");
    let ran = run_line(&path, "report a --table capability --out table.md");
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    assert_eq!(read(&path, "table.md"), printed.out);
    let before = read(&path, "a/summary.json");
    for (words, out) in [
        ("a", "a/summary.json"),
        ("a", "./a/new.md"),
        ("one.json", "one.json"),
    ] {
        let ran = run_line(&path, &format!("report {words} --out {out}"));
        let expected = format!(
            "error: `--out {out}` is `{words}`, or in it\nhelp: name another file; what was recorded stays as it is\n"
        );
        assert_eq!((ran.code, ran.err), (2, expected));
    }
    assert_eq!(read(&path, "a/summary.json"), before);
    assert!(!path.join("a/new.md").exists());
    let ran = run_line(&path, "report a --out no/such/table.md");
    assert_eq!(ran.code, 3);
    assert!(
        ran.err.starts_with("error: `--out no/such/table.md`: "),
        "{}",
        ran.err
    );
}

#[test]
fn every_axis_of_a_run_has_a_cell_with_its_worst_variant() {
    let (_guard, path) = folder(&eight_cases());
    let words = "probe cases.jsonl --model noisy:0.4 --order rotate,reverse --axis keys:letters,whitespace,letter-case,batch --out a";
    assert!(run_line(&path, words).code < 2);
    let row = report(&path, "a").remove(0);
    let summary = json(&path, "a/summary.json");
    let mut later = 0;
    for axis in ["order", "keys", "whitespace", "letter-case", "batch"] {
        let lines = summary["axes"][axis].as_object().unwrap();
        let rate = |line: &Value| line["rate"].as_f64();
        let rates = lines.values().filter_map(rate);
        let text = cell(&row, axis);
        let Some(most) = rates.reduce(f64::max) else {
            assert_eq!(text, "not applicable: it changes no case", "{axis}");
            continue;
        };
        let (name, told) = text.split_once(": ").unwrap();
        let line = &lines[name];
        assert_eq!(rate(line), Some(most), "{axis}: {text}");
        let start = format!("{}/{} (", line["flips"], line["pairs"]);
        assert!(told.starts_with(&start), "{axis}: {text}");
        later += usize::from(rate(lines.values().next().unwrap()) < Some(most));
    }
    assert!(later > 0, "the worst is not always the first");
    assert!(
        flat(&run_line(&path, "report a --table capability").out).contains("nothing is added up")
    );
}

#[test]
fn a_run_in_an_unnamed_folder_is_completed_by_naming_it() {
    let (_guard, path) = folder(&unlabelled(4));
    let server = Standin::builder().policy(Policy::First).start().unwrap();
    let program = env!("CARGO_BIN_EXE_flipside");
    for more in ["", " --model first"] {
        let words = format!(
            "probe cases.jsonl --order reverse --no-canary --model {}{more}",
            model(&server)
        );
        assert!(run_line(&path, &words).code < 2);
        let only = |folder: &Path| -> std::path::PathBuf {
            let mut inside = std::fs::read_dir(folder).unwrap();
            inside.next().unwrap().unwrap().path()
        };
        let out = only(&path.join("flipside-runs"));
        // Several models have a folder each beneath the one that goes on with all of them.
        let run = if more.is_empty() {
            out.clone()
        } else {
            only(&out)
        };
        std::fs::remove_file(run.join("summary.json")).unwrap();
        let named = |folder: &Path| {
            folder
                .strip_prefix(&path)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned()
        };
        let ran = run_line(&path, &format!("report {}", named(&run)));
        let expected = format!(
            "help: complete it with `{program} {words} --out {}`\n",
            named(&out)
        );
        assert!(ran.err.ends_with(&expected), "{}\n{expected}", ran.err);
        let again = format!("{words} --out {}", named(&out));
        assert!(run_line(&path, &again).code < 2);
        assert_eq!(report(&path, &named(&run)).len(), 1);
        std::fs::remove_dir_all(path.join("flipside-runs")).unwrap();
    }
}
