//! Axes combined: what is asked, kept, resumed and replayed, and slots told from keys over HTTP.

use std::collections::BTreeSet;

use flipside_standin::{Policy, Standin};
use serde_json::Value;

use crate::support::{
    count, flat, folder, four_options, journal, json, lines, model, probe_line, read, run_line,
    timeless, unlabelled,
};

/// `count` choices between two options, one of which has the words of the state; every second one lists them the other
/// way round.
fn two_options(count: usize) -> String {
    let line = |case: usize| {
        let mut options = ["\"yes\":\"send the money\"", "\"no\":\"keep the cash\""];
        if case % 2 == 1 {
            options.reverse();
        }
        format!(
            "{{\"id\":\"t{case}\",\"state\":{{\"note\":\"send the money {case}\"}},\"options\":{{{}}},\"rules\":\"Pick one.\"}}",
            options.join(",")
        )
    };
    lines(&(0..count).map(line).collect::<Vec<_>>())
}

fn server(policy: Policy) -> Standin {
    Standin::builder().policy(policy).start().unwrap()
}

/// Cases that follow content, slot, keys and none of these.
fn followed(summary: &Value) -> [Option<u64>; 4] {
    ["content", "slot", "keys", "mixed"].map(|what| {
        let path = format!("/slots_and_keys/shuffled/{what}/cases");
        count(summary, &path)
    })
}

#[test]
fn cross_tells_a_slot_from_a_key_from_content_over_http() {
    let (_guard, path) = folder(&two_options(12));
    // The first key in the alphabet is `no`, which is the second option's in every other case.
    let models = [
        (
            Policy::First,
            [0, 12, 0, 0],
            ["+100.0", "0.0", "interaction 0.0"],
        ),
        (
            Policy::KeyBiased,
            [0, 0, 12, 0],
            ["0.0", "0.0", "interaction 0.0"],
        ),
        (
            Policy::Overlap,
            [12, 0, 0, 0],
            ["0.0", "0.0", "interaction 0.0"],
        ),
    ];
    for (policy, expected, effects) in models {
        let name = format!("{policy:?}");
        let server = server(policy);
        let words = format!(
            "cases.jsonl --model {} --order reverse --axis keys:shuffled --cross --gate none:fit --no-confirm",
            model(&server)
        );
        let (ran, summary) = probe_line(&path, &words);
        assert_eq!(followed(&summary), expected.map(Some), "{name}");
        assert_eq!(server.count(), 48, "four answers of each case");
        let flips = |line: &str| count(&summary, &format!("/axes/{line}/flips"));
        let [_, slot, keys, _] = expected;
        assert_eq!(flips("order/reverse"), Some(slot), "{name}");
        assert_eq!(flips("keys/shuffled"), Some(keys), "{name}");
        // Combinations are told and not judged, whatever they show.
        assert_eq!(
            flips("cross/order~1reverse+keys~1shuffled"),
            Some(slot + keys),
            "{name}"
        );
        let gates = summary["gates"].as_array().unwrap();
        assert!(gates.iter().all(|gate| gate["subject"] != "cross"));
        let text = flat(&ran.out);
        let heading = "slots and keys/shuffled cases (95% CI) effect in points (95% CI) p";
        assert!(text.contains(heading), "{}", ran.out);
        for ((what, cases), effect) in ["slot", "keys", "mixed"]
            .iter()
            .zip(&expected[1..])
            .zip(effects)
        {
            let mut table = ran
                .out
                .lines()
                .skip_while(|line| !line.starts_with("slots and"));
            let row = table
                .find(|line| line.starts_with(&format!("{what} ")))
                .unwrap();
            let row = flat(row);
            assert!(row.starts_with(&format!("{what} {cases}/12 (")), "{row}");
            assert!(row.contains(&format!("%) {effect} (")), "{name}: {row}");
        }
        let flips = format!(
            "order flips {slot}/12 under own keys, {slot}/12 under keys/shuffled; key flips {keys}/12 in own order, {keys}/12 in the other"
        );
        assert!(text.contains(&flips), "{}", ran.out);
        if keys > 0 {
            assert!(text.contains("keys: `no` in 12"), "{}", ran.out);
        }
        if slot > 0 {
            assert!(
                text.contains("slot: the first in 12, the second in 0"),
                "{}",
                ran.out
            );
        }
    }
}

#[test]
fn cross_with_verbose_lists_the_flips_between_the_four_answers() {
    let (_guard, path) = folder(&two_options(12));
    let words = "probe cases.jsonl --model last --order reverse --axis keys:letters --cross --no-confirm --verbose";
    let ran = run_line(&path, words);
    let text = flat(&ran.out);
    for expected in [
        "slots and keys/letters flips (95% CI) first to second second to first p",
        // Twelve of one sign: 2 / 2^12. Wilson with no hit of twelve: z^2 / (12 + z^2) = 24.2 %.
        "orders, own keys 12/12 (75.8-100.0%) 0 12 0.000488",
        "orders, other keys 12/12 (75.8-100.0%) 0 12 0.000488",
        "keys, own order 0/12 (0.0-24.2%) 0 0 -",
        "keys, other order 0/12 (0.0-24.2%) 0 0 -",
        "12 two-option cases, in both orders under both sets of keys; p values are exploratory",
        "slot: the first in 0, the second in 12",
    ] {
        assert!(text.contains(expected), "{expected}\nin\n{}", ran.out);
    }
}

#[test]
fn a_crossed_run_is_resumed_kept_apart_from_other_plans_and_replayed() {
    let (_guard, path) = folder(&two_options(6));
    // Drawn by the number of the request, so that every answer is one of its own.
    let server = server(Policy::Random { seed: 3 });
    let flags = "--order reverse --axis keys:shuffled,state-keys,whitespace:doubled --gate none:fit --no-confirm";
    let words = |cross: &str, more: &str| {
        format!(
            "cases.jsonl --model {} {flags} {cross} --out a {more}",
            model(&server)
        )
    };
    let (stopped, _) = probe_line(&path, &words("--cross", "--max-asks 20"));
    assert_eq!(stopped.code, 3, "{}", stopped.err);
    let (ended, summary) = probe_line(&path, &words("--cross", ""));
    assert_eq!(ended.code, 1, "{}", ended.err);
    // The states have one member, so that their order is vacuous: 6 cases of a baseline, an order, keys, white space, and
    // 2^3 - 1 - 3 = 4 combinations of these.
    assert_eq!(server.count(), 48);
    assert_eq!(count(&summary, "/counts/asks"), Some(48));
    let asks = journal(&path, "a");
    let numbers: BTreeSet<u64> = asks
        .iter()
        .map(|line| line["ask"].as_u64().unwrap())
        .collect();
    assert_eq!((asks.len(), numbers.len()), (48, 48));
    let crossed = asks.iter().filter(|line| line["axis"] == "cross");
    assert_eq!(crossed.count(), 24);
    let run = json(&path, "a/run.json");
    assert_eq!((&run["cross"], &run["asks"]), (&"full".into(), &48.into()));
    assert_eq!(summary["plan"]["cross"], "full");
    let all = "/axes/cross/order~1reverse+keys~1shuffled+state-keys~1reverse";
    assert_eq!(count(&summary, &format!("{all}/vacuous")), Some(6));
    assert_eq!(summary.pointer(all).unwrap()["verdict"], "not applicable");

    let other = run_line(&path, &format!("probe {}", words("--cross=2", "")));
    assert_eq!(other.code, 2);
    assert!(
        other
            .err
            .contains("`a` holds another plan: it crosses axes in full, this command 2 drawn combinations of axes"),
        "{}",
        other.err
    );
    let (_, again) = probe_line(
        &path,
        &format!("cases.jsonl --model replay:a {flags} --cross"),
    );
    assert_eq!(
        timeless(again.clone())["axes"],
        timeless(summary.clone())["axes"]
    );
    assert_eq!(again["slots_and_keys"], summary["slots_and_keys"]);
    assert_eq!(again["plan"], summary["plan"]);
    assert_eq!(server.count(), 48);
    assert!(!read(&path, "a/asks.jsonl").is_empty());
}

#[test]
fn a_dry_run_counts_crossed_asks_by_combination() {
    let (_guard, path) = folder(&unlabelled(10).replace("Pick.", "Pick one."));
    let flags = "--order reverse,rotate:1 --axis keys:letters,whitespace:doubled";
    let full = run_line(
        &path,
        &format!("probe cases.jsonl {flags} --cross --dry-run --verbose"),
    );
    assert_eq!(full.code, 0, "{}", full.err);
    let text = flat(&full.out);
    // A baseline, four variants, and (2 + 1) * 2 * 2 - 1 - 4 = 7 combinations of ten cases.
    assert!(
        text.contains("10 cases, 120 asks in 120 requests"),
        "{}",
        full.out
    );
    let crossed = full.out.lines().filter(|line| line.starts_with("cross "));
    assert_eq!(crossed.count(), 7);
    let drawn = run_line(
        &path,
        &format!("probe cases.jsonl {flags} --cross=3 --seed 8 --dry-run"),
    );
    assert!(
        flat(&drawn.out).contains("10 cases, 80 asks in 80 requests"),
        "{}{}",
        drawn.out,
        drawn.err
    );
}

#[test]
fn cross_says_what_it_cannot_combine() {
    let (_guard, path) = folder(&unlabelled(3));
    let two = "`--cross` combines two axes or more, and";
    let help = "add an axis with `--axis`, or another order with `--order`";
    let drop = "`--cross` cannot combine `drop`, whose pairs have a reference of their own";
    let number = "expected `--cross` alone, or a plain number from 1 to 1000 after `--cross=`";
    let wrong = [
        ("--cross", format!("{two} none is asked"), help),
        ("--cross --order same:2", format!("{two} none is asked"), help),
        ("--cross --order check", format!("{two} only another order is asked"), help),
        ("--cross=2 --axis keys,keys:letters", format!("{two} only `keys` is asked"), help),
        (
            "--cross --order reverse --axis keys,drop",
            drop.to_owned(),
            "ask `drop` in a run of its own, or leave `--cross` out",
        ),
        ("--cross=0 --axis keys,decoy", format!("`--cross 0`: {number}"), ""),
        ("--cross=1001 --axis keys,decoy", format!("`--cross 1001`: {number}"), ""),
        (
            "--cross --axis keys,decoy --seed 4",
            "`--seed 4`: `keys:abstract,decoy:none` draws nothing, so the seed would change nothing".to_owned(),
            "",
        ),
    ];
    for (flags, error, help) in wrong {
        let ran = run_line(&path, &format!("probe cases.jsonl {flags}"));
        assert_eq!(ran.code, 2, "{flags}: {}", ran.out);
        assert!(
            ran.err.starts_with(&format!("error: {error}\n")),
            "{flags}: {}",
            ran.err
        );
        assert!(ran.err.contains(help), "{flags}: {}", ran.err);
        assert_eq!(
            ran.err.matches("error: ").count(),
            1,
            "{flags}: {}",
            ran.err
        );
    }
    // An order or axis that cannot be read is the only thing wrong.
    for (flags, found) in [
        (
            "--cross --order backwards --axis keys",
            "`backwards` is no order",
        ),
        ("--cross --axis colours", "`colours` is no axis"),
    ] {
        let ran = run_line(&path, &format!("probe cases.jsonl {flags}"));
        assert_eq!(
            ran.err.matches("error: ").count(),
            1,
            "{flags}: {}",
            ran.err
        );
        assert!(ran.err.contains(found), "{flags}: {}", ran.err);
    }
}

#[test]
fn a_crossed_case_with_too_many_combinations_is_refused_with_the_way_out() {
    let five = four_options(2).replace("\"d\":\"four\"", "\"d\":\"four\",\"e\":\"five\"");
    let (_guard, path) = folder(&five);
    let axes =
        "keys,keys:letters,keys:numbers,keys:shuffled,state-keys:shuffle:50,letter-case,whitespace";
    let ran = run_line(
        &path,
        &format!("probe cases.jsonl --order all --axis {axes} --cross"),
    );
    assert_eq!(ran.code, 2);
    let refused = ran.err.lines().filter(|line| {
        line.contains(" combinations of variants, the most that are all asked is 10000; `--cross=N` draws N of them")
    });
    assert_eq!(refused.count(), 2, "{}", ran.err);
    let ran = run_line(
        &path,
        &format!("probe cases.jsonl --order all --axis {axes} --cross=5 --dry-run"),
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
}
