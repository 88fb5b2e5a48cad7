//! `--cluster`, `--by` and equal options, with the real program.

use std::path::Path;

use serde_json::Value;

use crate::support::{flat, folder, lines, probe_line, run_line};

/// `bases` templates in three phrasings each, with what makes a control answer by content.
fn phrasings(bases: usize) -> String {
    let desks = [
        ("billing", "payments invoices refunds"),
        ("delivery", "parcels couriers tracking"),
        ("account", "passwords logins profiles"),
    ];
    let line = |case: usize| {
        let (base, phrasing) = (case / 3, case % 3);
        let (right, words) = desks[base % 3];
        let options: Vec<String> = (0..3)
            .map(|place| desks[(place + base / 3) % 3])
            .map(|(key, text)| format!("\"{key}\":\"{text}\""))
            .collect();
        let level = ["easy", "hard"][base % 2];
        format!(
            "{{\"id\":\"c{case}\",\"state\":{{\"m\":\"{words} {base} in phrasing {phrasing}\"}},\"options\":{{{}}},\
             \"rules\":\"Pick the desk.\",\"accept\":[\"{right}\"],\
             \"fields\":{{\"base\":{base},\"level\":\"{level}\"}}}}",
            options.join(",")
        )
    };
    lines(&(0..bases * 3).map(line).collect::<Vec<_>>())
}

fn reverse(summary: &Value) -> &Value {
    &summary["axes"]["order"]["reverse"]
}

#[test]
fn forty_base_cases_in_three_phrasings_show_what_forty_cases_show() {
    let (_folder, path) = folder(&phrasings(40));
    let (ran, summary) = probe_line(&path, "cases.jsonl --order reverse --strict --cluster base");
    assert_eq!(ran.code, 1);
    assert!(
        ran.out.contains("40 clusters by `base`, 3 cases at most"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("0/120 flipped  up to 7.2% in general"),
        "{}",
        ran.out
    );
    assert!(
        ran.out
            .contains("inconclusive in general: about 19 more clusters"),
        "{}",
        ran.out
    );
    let upper = reverse(&summary)["upper"].as_f64().unwrap();
    assert!((upper - 0.072_158).abs() < 1e-6);
    assert_eq!(reverse(&summary)["clusters"]["clusters"], 40);
    assert_eq!(summary["cluster"]["field"], "base");
    let (ran, summary) = probe_line(&path, "cases.jsonl --order reverse --strict");
    assert_eq!(ran.code, 0);
    assert!(
        ran.out.contains("0/120 flipped  up to 2.5% in general"),
        "{}",
        ran.out
    );
    assert!(reverse(&summary)["clusters"].is_null() && summary["cluster"].is_null());
    let ran = run_line(&path, "probe cases.jsonl --order reverse --verbose");
    assert!(
        ran.out
            .contains("cases are taken as independent; --cluster FIELD"),
        "{}",
        ran.out
    );
}

#[test]
fn nine_clusters_are_never_stable() {
    let (_folder, path) = folder(&phrasings(9));
    for strict in ["", " --strict"] {
        let words = format!("cases.jsonl --order reverse --gate order<=90% --cluster base{strict}");
        let (ran, summary) = probe_line(&path, &words);
        assert_eq!(
            (ran.code, &reverse(&summary)["verdict"]),
            (1, &"undecided".into())
        );
        assert!(
            ran.out.contains("undecided: 9 clusters, 10 are needed"),
            "{}",
            ran.out
        );
    }
}

#[test]
fn a_dry_run_counts_clusters_and_says_what_they_can_show() {
    let (_folder, path) = folder(&phrasings(40));
    let ran = run_line(
        &path,
        "probe cases.jsonl --order reverse --strict --cluster base --dry-run",
    );
    assert_eq!(ran.code, 0);
    let text = flat(&ran.out);
    assert!(
        text.contains("120 cases in 40 clusters, 240 asks"),
        "{text}"
    );
    let shown = "120 pairs in 40 clusters without a flip show `order<=7.3%` at best; limit 5% needs \
                 59 clusters; its gate cannot hold in general with these cases";
    assert!(text.contains(shown), "{text}");
    let (_folder, path) = folder(&phrasings(3));
    let ran = run_line(
        &path,
        "probe cases.jsonl --order reverse --cluster base --dry-run",
    );
    assert!(ran.out.contains("3 clusters, 10 are needed"), "{}", ran.out);
}

#[test]
fn by_prints_a_row_per_value_and_no_other_split() {
    let (_folder, path) = folder(&phrasings(8));
    let (ran, summary) = probe_line(
        &path,
        "cases.jsonl --order reverse --by level --by base --model first",
    );
    let rows: Vec<&str> = ran
        .out
        .lines()
        .skip_while(|line| !line.starts_with("level "))
        .collect();
    assert!(
        rows[0].contains("cases") && rows[0].contains("flipped, reverse"),
        "{rows:?}"
    );
    assert!(
        rows[1].starts_with("easy") && rows[1].contains("12/12 (75.8-100.0%)"),
        "{rows:?}"
    );
    assert!(rows[2].starts_with("hard"), "{rows:?}");
    let by = summary["splits"]["by"].as_array().unwrap();
    let names: Vec<&str> = by
        .iter()
        .map(|split| split["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["described", "level", "base"]);
    assert_eq!(summary["splits"]["claim"], "exploratory");
    let (ran, _) = probe_line(&path, "cases.jsonl --order reverse --model first");
    assert!(!ran.out.contains("option texts"), "{}", ran.out);
}

#[test]
fn a_slice_that_differs_has_one_exploratory_line() {
    // Without texts there is nothing to overlap with: the control then takes the first option, which is right for `a` only.
    let line = |case: usize| {
        let options = if case.is_multiple_of(2) {
            "[{\"key\":\"a\"},{\"key\":\"b\"}]"
        } else {
            "{\"a\":\"apples\",\"b\":\"bananas\"}"
        };
        format!(
            "{{\"id\":\"c{case}\",\"state\":\"bananas {case}\",\"options\":{options},\"rules\":\"Pick.\",\"accept\":[\"b\"]}}"
        )
    };
    let (_folder, path) = folder(&lines(&(0..20).map(line).collect::<Vec<_>>()));
    let (ran, summary) = probe_line(&path, "cases.jsonl");
    let flagged: Vec<&str> = ran
        .out
        .lines()
        .filter(|line| line.starts_with("slice"))
        .collect();
    assert_eq!(flagged.len(), 1, "{}", ran.out);
    let words = "bare options  0/10 right  in own order, all others 10/10; exploratory, adjusted p 0.0000108";
    assert!(flagged[0].contains(words), "{}", flagged[0]);
    // 2 / C(20,10): all or nothing in one half.
    let p = summary["splits"]["by"][0]["values"][0]["fit"]["p"]
        .as_f64()
        .unwrap();
    assert!((p - 2.0 / 184_756.0).abs() < 1e-12);
}

#[test]
fn fields_that_cannot_group_are_refused_before_anything_is_asked() {
    let error = |path: &Path, words: &str| {
        let ran = run_line(path, words);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""));
        ran.err
    };
    let (_folder, path) = folder(&phrasings(4));
    assert_eq!(
        error(&path, "probe cases.jsonl --cluster topic --by colour"),
        "error: no case has the field `topic`\nerror: no case has the field `colour`\nhelp: the fields are `base`, `level`\n"
    );
    let err = error(
        &path,
        "probe cases.jsonl --by level --by level --order nope",
    );
    assert!(
        err.contains("`--by level` is given twice") && err.contains("`nope`"),
        "{err}"
    );
    let mut text = phrasings(4);
    text += "{\"id\":\"apart\",\"state\":\"s\",\"options\":{\"a\":\"x\",\"b\":\"y\"},\"rules\":\"r\"}\n";
    let (_folder, path) = folder(&text);
    assert_eq!(
        error(&path, "probe cases.jsonl --cluster base"),
        "error: cases.jsonl:13: case `apart` has no `base`\n\
         help: give every case the field; a case that comes from no template takes a value of its own\n"
    );
    let (_folder, path) = folder(
        &text
            .replace(",\"fields\"", ",\"note\":\"n\",\"fields\"")
            .replace("\"fields\":{", "\"x\":{"),
    );
    assert!(error(&path, "probe cases.jsonl").contains("field `x` is unknown"));
}

#[test]
fn equal_options_are_one_answer() {
    let line = |case: usize, equal: &str| {
        format!(
            "{{\"id\":\"c{case}\",\"state\":\"s {case}\",\"options\":{{\"a\":\"one\",\"b\":\"two\",\"c\":\"three\"}},\
             \"rules\":\"r\"{equal}}}"
        )
    };
    let text = |equal: &str| lines(&(0..8).map(|case| line(case, equal)).collect::<Vec<_>>());
    let (_folder, path) = folder(&text(""));
    let (_, apart) = probe_line(&path, "cases.jsonl --order reverse --model first");
    assert_eq!(reverse(&apart)["flips"], 8);
    let (_folder, path) = folder(&text(",\"equal\":[[\"a\",\"c\"]]"));
    let (ran, one) = probe_line(&path, "cases.jsonl --order reverse --model first --out run");
    assert_eq!(
        (&reverse(&one)["flips"], &reverse(&one)["verdict"]),
        (&0.into(), &"stable".into())
    );
    assert!(ran.out.contains("0/8 flipped"), "{}", ran.out);
    let (_, again) = probe_line(&path, "run/cases.jsonl --order reverse --model first");
    assert_eq!(
        reverse(&again)["flips"],
        0,
        "the run folder keeps what is equal"
    );
}

#[test]
fn headroom_of_equal_options_is_the_way_to_another_answer() {
    let line = |case: usize, equal: &str| {
        format!(
            "{{\"id\":\"c{case}\",\"state\":\"s {case}\",\"options\":{{\"a\":\"one\",\"b\":\"two\",\"c\":\"three\"}},\
             \"rules\":\"r\"{equal}}}"
        )
    };
    let text = |equal: &str| lines(&(0..8).map(|case| line(case, equal)).collect::<Vec<_>>());
    // The control departs from its weights by a little content. Shown b, c, a: .5, .2, .3. Alone a goes .5 to .3, b .2 to .5, c .3 to .2: the widest change of odds is
    // ln(.5/.2) + ln(.5/.3), the margin ln(.5/.3). As one answer a or c goes .5 to .3 and its margin is ln(.5/.2).
    // Reversed, c, b, a have .5, .2, .3: one answer stays as likely, while alone ln(.5/.3) twice lies over a margin of one.
    let (wide, narrow) = ((0.5_f64 / 0.2).ln(), (0.5_f64 / 0.3).ln());
    for (equal, rotated, reversed) in [
        ("", (wide + narrow) / narrow, 2.0),
        (",\"equal\":[[\"a\",\"c\"]]", (wide + narrow) / wide, 0.0),
    ] {
        let (_folder, path) = folder(&text(equal));
        let words = "cases.jsonl --order reverse,rotate:1 --model prior:0.5,0.2,0.3";
        let (_, found) = probe_line(&path, words);
        for (order, expected) in [("rotate:1", rotated), ("reverse", reversed)] {
            let headroom = &found["axes"]["order"][order]["drift"]["headroom"];
            let largest = headroom["largest"].as_f64().unwrap();
            assert!(
                (largest - expected).abs() < 0.1,
                "{order} {equal}: {headroom}"
            );
        }
    }
}

#[test]
fn adaptive_asking_counts_clusters_and_its_plan_of_a_file_refuses_them() {
    let (_folder, path) = folder(&phrasings(80));
    let words = "cases.jsonl --order reverse --adaptive open --cluster base";
    let (ran, summary) = probe_line(&path, words);
    assert_eq!(ran.code, 0, "{}", ran.out);
    // The first clean stop at 5 % is after 66 units (the statistics page, 16.3), here of three cases each.
    let found = &summary["sequential"];
    assert_eq!(
        (&found["observed"], &found["pairs"]),
        (&66.into(), &198.into())
    );
    assert_eq!(reverse(&summary)["verdict"], "stable");
    assert!(reverse(&summary)["upper"].is_null() && found["interval"].is_null());
    let ran = run_line(&path, "probe cases.jsonl --order certify --cluster base");
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("takes cases as independent"),
        "{}",
        ran.err
    );
    let ran = run_line(
        &path,
        "probe cases.jsonl --order reverse --cluster base --population file",
    );
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("`--cluster` speaks about traffic"),
        "{}",
        ran.err
    );
}

#[test]
fn the_built_in_suite_is_probed_by_base_case_and_family() {
    let (_folder, path) = folder("");
    let (ran, summary) = probe_line(
        &path,
        "builtin:fragility --model first --order reverse --cluster base_id --by family",
    );
    assert_eq!(ran.code, 1);
    assert!(
        ran.out
            .contains("40 clusters by `base_id`, 12 cases at most"),
        "{}",
        ran.out
    );
    // A reversed noul row repeats its forward row, so 60 of 480 are no cases of their own. Of 30 base cases with a list 7 accept
    // the first option and 7 the last, which a reversed row lists first: 6 rows of each order; 5 of 10 noul base cases accept
    // false, in 6 rows: 7 x 6 + 7 x 6 + 5 x 6.
    assert!(ran.out.contains("114/420 right"), "{}", ran.out);
    assert!(ran.out.contains("360/360 flipped"), "{}", ran.out);
    assert!(ran.out.contains("60 vacuous"), "{}", ran.out);
    assert_eq!(reverse(&summary)["flips"], 360);
    assert!(
        ran.err.contains("read so that aliases belong to options"),
        "{}",
        ran.err
    );
}
