//! `report.html`: the figures of the summary, in every run folder, whatever text cases bring.

use flipside_standin::{Fault, Policy, When};
use serde_json::Value;

use crate::support::{eight_cases, faulty, folder, json, lines, model, read, run_line, unlabelled};

/// What a page says exactly: for each figure its run, its place in that run's summary, and its value.
fn figures(page: &str) -> Vec<(usize, String, Value)> {
    let quoted = |text: &str| text.split('"').next().unwrap().to_owned();
    let plain = |text: &str| {
        let marks = [
            ("&quot;", "\""),
            ("&lt;", "<"),
            ("&gt;", ">"),
            ("&amp;", "&"),
        ];
        marks.iter().fold(text.to_owned(), |text, (mark, sign)| {
            text.replace(mark, sign)
        })
    };
    let each = page.split("data-of=\"").skip(1).map(|rest| {
        let place = plain(&quoted(rest));
        let (run, pointer) = place.split_once(':').unwrap();
        let value = rest.split_once("data-value=\"").unwrap().1;
        let value = serde_json::from_str(&plain(&quoted(value))).unwrap();
        (run.parse().unwrap(), pointer.to_owned(), value)
    });
    each.collect()
}

/// Compares every figure of `page` with the summaries of its runs, and returns the places of those of the first run.
fn compare(page: &str, summaries: &[Value]) -> Vec<String> {
    let found = figures(page);
    for (run, pointer, value) in &found {
        let stored = summaries[*run].pointer(pointer);
        assert_eq!(Some(value), stored, "{run}:{pointer}");
    }
    let first = found.into_iter().filter(|(run, ..)| *run == 0);
    first.map(|(_, pointer, _)| pointer).collect()
}

/// The places of the figures that every report must have: those of each line of flips, and what belongs to accuracy.
fn wanted(summary: &Value) -> Vec<String> {
    let mut wanted = vec!["/exit".to_owned()];
    let members = [
        "flips",
        "pairs",
        "rate",
        "interval",
        "lower",
        "upper",
        "verdict",
        "missing",
        "unasked",
        "no_decision",
    ];
    let mut line = |at: String| wanted.extend(members.map(|member| format!("{at}/{member}")));
    line("/control".to_owned());
    for (axis, variants) in summary["axes"].as_object().unwrap() {
        for (variant, found) in variants.as_object().unwrap() {
            line(format!("/axes/{axis}/{variant}"));
            if axis == "order" {
                assert!(found["accuracy"]["of"].as_u64() > Some(0), "{variant}");
            }
        }
    }
    for variant in summary["axes"]["order"].as_object().unwrap().keys() {
        let at = format!("/axes/order/{variant}/accuracy");
        wanted.extend(
            ["right", "of", "rate", "interval", "difference", "mcnemar_p"]
                .map(|member| format!("{at}/{member}")),
        );
    }
    wanted.extend(
        ["pairs", "rate", "interval", "lower", "upper"].map(|member| format!("/fit/{member}")),
    );
    wanted
}

#[test]
fn every_figure_of_the_page_is_that_of_the_summary() {
    let (_guard, path) = folder(&eight_cases());
    for model in ["first", "overlap"] {
        let words = format!(
            "probe cases.jsonl --order balanced,same:1 --axis keys:abstract,drop --model {model} --out {model}"
        );
        assert!(run_line(&path, &words).code < 2);
    }
    let first = json(&path, "first/summary.json");
    let places = compare(
        &read(&path, "first/report.html"),
        std::slice::from_ref(&first),
    );
    // `exit` stands in words where one model stands alone.
    for place in wanted(&first).iter().filter(|place| *place != "/exit") {
        assert!(places.contains(place), "{place} is not on the page");
    }
    let kinds = [
        "/position/by_options/0/grid/",
        "/position/by_options/0/recall/recalls/",
        "/drift/total_variation_bins/",
        "/calibration/by_order/0/bins/",
    ];
    for kind in kinds {
        assert!(places.iter().any(|place| place.contains(kind)), "{kind}");
    }
    let ran = run_line(&path, "report first overlap --format html --out both.html");
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    let both = [first.clone(), json(&path, "overlap/summary.json")];
    let places = compare(&read(&path, "both.html"), &both);
    for place in wanted(&first) {
        assert!(
            places.contains(&place),
            "{place} is not on the page of both"
        );
    }
}

#[test]
fn the_page_of_a_run_folder_is_the_one_that_report_prints() {
    let (_guard, path) = folder(&eight_cases());
    let words = "probe cases.jsonl --order check --model first --out first";
    assert_eq!(run_line(&path, words).code, 1);
    let page = read(&path, "first/report.html");
    let ran = run_line(&path, "report first --format html");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(ran.out, page);
    // A summary without its folder has the figures and no texts.
    assert!(run_line(&path, &format!("{words} --json s.json")).code == 1);
    let ran = run_line(&path, "report s.json --format html");
    let places = compare(&ran.out, &[json(&path, "s.json")]);
    assert!(places.len() > 50, "{}", places.len());
    assert!(
        page.contains("<p class=\"label\">state</p>")
            && !ran.out.contains("<p class=\"label\">state</p>")
    );
}

#[test]
fn several_models_have_a_page_each_and_one_together() {
    let (_guard, path) = folder(&eight_cases());
    let words = "probe cases.jsonl --order check --model first --model overlap --out runs";
    assert_eq!(run_line(&path, words).code, 1);
    let together = read(&path, "runs/report.html");
    let summaries =
        ["first", "overlap"].map(|name| json(&path, &format!("runs/{name}/summary.json")));
    compare(&together, &summaries);
    assert!(together.contains(">1. first<") && together.contains(">2. overlap<"));
    for name in ["first", "overlap"] {
        let alone = read(&path, &format!("runs/{name}/report.html"));
        assert!(alone.contains(&format!("<title>flipside report: {name}</title>")));
    }
    // The folder of both is read as before, and going on with the run writes the same page.
    let ran = run_line(&path, "report runs --format html");
    assert_eq!(ran.out, together);
    assert_eq!(run_line(&path, words).code, 1);
    let timeless = |page: &str| -> Vec<String> {
        let lines = page
            .lines()
            .filter(|line| !line.contains(" of the answers within "));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(
        timeless(&read(&path, "runs/report.html")),
        timeless(&together)
    );
}

#[test]
fn reasked_and_suite_runs_have_their_page_too() {
    let (_guard, path) = folder(&eight_cases());
    assert!(run_line(&path, "probe cases.jsonl --model overlap --out before").code < 2);
    assert!(run_line(&path, "reask before --model first --out again").code < 2);
    compare(
        &read(&path, "again/report.html"),
        &[json(&path, "again/summary.json")],
    );
    assert!(
        run_line(
            &path,
            "suite run builtin:fragility --model overlap --out suite"
        )
        .code
            < 2
    );
    compare(
        &read(&path, "suite/report.html"),
        &[json(&path, "suite/summary.json")],
    );
}

#[test]
fn missing_asks_are_named_and_counted_apart() {
    let (_guard, path) = folder(&unlabelled(6));
    let server = faulty(Policy::First, Fault::Status(400), When::Every(3));
    let words = format!(
        "probe cases.jsonl --model {} --order reverse --retries 0 --no-confirm --out run",
        model(&server)
    );
    run_line(&path, &words);
    let summary = json(&path, "run/summary.json");
    let failed = summary["counts"]["failed"].as_u64().unwrap();
    assert!(failed > 0, "{}", summary["counts"]);
    let page = read(&path, "run/report.html");
    compare(&page, std::slice::from_ref(&summary));
    assert!(page.contains(">Missing asks<"));
    assert!(page.contains(&format!("{failed} ask")), "{failed}");
}

/// A case whose every text is hostile.
fn hostile(number: usize) -> String {
    let bad =
        "</title></style><script>alert(1)</script>&\"'\u{202e}\u{2066}\u{1b}[2J\u{0}\u{7}\u{feff}";
    let case = serde_json::json!({
        "id": format!("{bad}{number}"),
        "state": {"text": format!("{bad}{}", "long & <long> ".repeat(8_000))},
        "options": {
            format!("{bad}a"): format!("{bad}{}", "x".repeat(100_000)),
            format!("{bad}b"): bad,
            format!("{bad}c"): {"deep": [bad]},
        },
        "rules": bad,
        "accept": [format!("{bad}a")],
        "fields": {"area": bad},
    });
    case.to_string()
}

#[test]
fn hostile_and_huge_texts_are_shown_as_text_and_cut() {
    let (_guard, path) = folder(&lines(&(0..8).map(hostile).collect::<Vec<_>>()));
    let words = "probe cases.jsonl --order check --model first --by area --out run";
    let ran = run_line(&path, words);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let page = read(&path, "run/report.html");
    let harmful = |c: &char| {
        (c.is_control() && *c != '\n') || matches!(c, '\u{202e}' | '\u{2066}' | '\u{feff}')
    };
    assert_eq!(page.chars().find(harmful), None);
    assert!(!page.contains("<script") && page.contains("&lt;script&gt;"));
    assert_eq!(
        (
            page.matches("</style>").count(),
            page.matches("</title>").count()
        ),
        (1, 1 + page.matches("<svg ").count())
    );
    // 16 flips with three presentations of 100 kB texts each are 5 MB uncut.
    assert!(page.len() < 700_000, "{}", page.len());
    assert!(page.contains("characters in all)"));
    compare(&page, &[json(&path, "run/summary.json")]);
}

#[test]
fn a_format_that_is_none_names_html_among_those_that_are() {
    let (_guard, path) = folder(&eight_cases());
    let ran = run_line(&path, "report run --format xhtml");
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("`--format xhtml`: expected `terminal`, `html`, `markdown`, `github`, `junit`, `csv` or `json`"),
        "{}",
        ran.err
    );
}
