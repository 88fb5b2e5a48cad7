//! Axes that cannot be asked: exit 2, every error at once, nothing asked.

use crate::support::{folder, run_line, unlabelled};

/// What the program says to `flags`, the help left out that lists all axes.
fn refused(flags: &str) -> Vec<String> {
    let (_guard, path) = folder(&unlabelled(3));
    let ran = run_line(&path, &format!("probe cases.jsonl {flags}"));
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (2, ""),
        "{flags}\n{}",
        ran.err
    );
    let lines = ran
        .err
        .lines()
        .filter(|line| !line.starts_with("help: axes are keys[:abstract|"));
    lines.map(str::to_owned).collect()
}

#[test]
fn every_bad_axis_is_named_with_what_it_could_be() {
    let flags = "--axis flavour,keys:roman,keys:list: --axis descriptions:long,phrasing:2,state-keys:shuffle:0 \
        --axis state-keys:shuffle:51,whitespace:tabs,letter-case:title,drop:1,decoy:,batch:twice,order,same,cross --axis keys,,drop";
    assert_eq!(
        refused(flags),
        [
            "error: `--axis`: `flavour` is no axis",
            "error: `--axis`: `keys:roman`: expected `keys`, or one of `abstract`, `letters`, `numbers`, `shuffled` or `list:FILE` after `keys:`",
            "error: `--axis`: `keys:list:`: expected `keys`, or one of `abstract`, `letters`, `numbers`, `shuffled` or `list:FILE` after `keys:`",
            "error: `--axis`: `descriptions:long`: expected `descriptions`, or one of `drop`, `key` or `swapped` after `descriptions:`",
            "error: `--axis`: `phrasing:2`: expected `phrasing` alone; the cases bring their rewordings",
            "error: `--axis`: `state-keys:shuffle:0`: expected `state-keys`, or `reverse` or `shuffle:N`, a plain number from 1 to 50, after `state-keys:`",
            "error: `--axis`: `state-keys:shuffle:51`: expected `state-keys`, or `reverse` or `shuffle:N`, a plain number from 1 to 50, after `state-keys:`",
            "error: `--axis`: `whitespace:tabs`: expected `whitespace`, or one of `doubled`, `trailing`, `line-ends` or `pretty` after `whitespace:`",
            "error: `--axis`: `letter-case:title`: expected `letter-case`, or `lower` or `upper` after `letter-case:`",
            "error: `--axis`: `drop:1`: expected `drop` alone; each option is left out in turn",
            "error: `--axis`: `decoy:`: expected `decoy`, or one of `none`, `own` or `KEY=TEXT` after `decoy:`, a key without `<`, `>` or a blank at its ends",
            "error: `--axis`: `batch:twice`: expected `batch`, or `alone` or `reverse` after `batch:`",
            "error: `--axis`: `order`: expected `--order` for this axis",
            "error: `--axis`: `same`: expected `--order same:N` for this axis",
            "error: `--axis`: `cross`: expected `--cross` for this axis",
            "error: `--axis`: an axis is empty in `keys,,drop`",
        ]
    );
}

#[test]
fn an_axis_given_twice_is_refused_under_whichever_name() {
    for (flags, twice) in [
        ("--axis drop,drop", "drop"),
        ("--axis keys --axis keys:abstract", "keys:abstract"),
        (
            "--axis descriptions:drop,batch,descriptions",
            "descriptions:drop",
        ),
        ("--axis state-keys,state-keys:reverse", "state-keys:reverse"),
        ("--axis decoy --axis decoy:none", "decoy:none"),
        (
            "--axis letter-case:upper,letter-case:upper",
            "letter-case:upper",
        ),
    ] {
        assert_eq!(
            refused(flags),
            [format!("error: `--axis`: `{twice}` is given twice")],
            "{flags}"
        );
    }
}

#[test]
fn variants_of_one_name_are_refused() {
    for (flags, error, help) in [
        (
            "--axis keys:list:a.jsonl,keys:list:b.jsonl",
            "`keys:list:a.jsonl` and `keys:list:b.jsonl` would have one name",
            "put all lists of keys into one file",
        ),
        (
            "--axis decoy:x=rain --axis decoy:x=sunshine",
            "`decoy:x=rain` and `decoy:x=sunshine` would have one name",
            "give each decoy a key of its own",
        ),
    ] {
        let expected = [format!("error: `--axis`: {error}"), format!("help: {help}")];
        assert_eq!(refused(flags), expected, "{flags}");
    }
}

#[test]
fn wrong_numbers_of_combinations_are_refused() {
    for number in ["0", "1001", "02", "all"] {
        assert_eq!(
            refused(&format!("--axis keys,batch --cross={number}")),
            [format!(
                "error: `--cross {number}`: expected `--cross` alone, or a plain number from 1 to 1000 after `--cross=`"
            )]
        );
    }
}

#[test]
fn adaptive_asking_decides_about_an_order_and_asks_no_axis() {
    for flags in [
        "--order certify",
        "--order random:1 --adaptive open",
        "--order reverse --adaptive planned",
    ] {
        assert_eq!(
            refused(&format!("{flags} --axis keys")),
            [
                "error: asking adaptively decides about one order, and `--axis` asks more",
                "help: ask the axes in a run of its own, or leave `--adaptive` and `--order certify` out",
            ],
            "{flags}"
        );
    }
}

#[test]
fn a_seed_belongs_to_axes_that_draw() {
    let (_guard, path) =
        folder(&unlabelled(3).replace("\"state\":{", "\"state\":{\"a\":1,\"b\":2,\"c\":3,"));
    for axes in [
        "keys:shuffled",
        "state-keys:shuffle:2",
        "batch,keys,keys:shuffled",
    ] {
        let ran = run_line(
            &path,
            &format!("probe cases.jsonl --seed 7919 --axis {axes}"),
        );
        assert_eq!(ran.code, 1, "{axes}: {}", ran.err);
        assert!(ran.out.contains("7919"), "{axes}: {}", ran.out);
    }
    let axes = "keys,descriptions,phrasing,state-keys,whitespace,letter-case,drop,decoy,batch";
    let lines = refused(&format!("--seed 7 --axis {axes}"));
    let named = "keys:abstract,descriptions:drop,phrasing,state-keys:reverse,whitespace,letter-case,drop,decoy:none,batch";
    assert_eq!(
        lines[0],
        format!("error: `--seed 7`: `{named}` draws nothing, so the seed would change nothing")
    );
    let ran = run_line(&path, &format!("probe cases.jsonl --axis {axes}"));
    assert!(!ran.out.contains("seed"), "{}", ran.out);
}

#[test]
fn files_of_keys_are_refused_with_their_lines() {
    let (_guard, path) = folder(&unlabelled(3));
    std::fs::write(
        path.join("bad.jsonl"),
        "[\"a\",\"b\",\"a\"]\nred\n[\"x\",\"\"]\n",
    )
    .unwrap();
    std::fs::write(path.join("empty.jsonl"), "\n").unwrap();
    std::fs::write(path.join("good.jsonl"), "[\"x\",\"y\",\"z\"]\n").unwrap();
    let said = |flags: &str| {
        let ran = run_line(
            &path,
            &format!("probe cases.jsonl --model overlap --gate none:fit {flags}"),
        );
        (ran.code, ran.err)
    };
    let (code, errors) = said("--axis keys:list:bad.jsonl");
    assert_eq!(code, 2);
    for expected in [
        "error: bad.jsonl:1: key `a` stands twice\n",
        "error: bad.jsonl:2: `red`: expected keys such as `[\"red\",\"green\"]`\n",
        "error: bad.jsonl:3: `[\"x\",\"\"]`: expected keys such as `[\"red\",\"green\"]`\n",
    ] {
        assert!(errors.contains(expected), "{expected} in {errors}");
    }
    assert_eq!(
        said("--axis keys:list:empty.jsonl"),
        (2, "error: empty.jsonl: the file has no keys\n".to_owned())
    );
    let (code, error) = said("--axis keys:list:gone.jsonl");
    assert_eq!(code, 2);
    assert!(
        error.starts_with("error: gone.jsonl: the file of keys cannot be read: "),
        "{error}"
    );
    assert_eq!(
        said("--axis keys:list:good.jsonl --json good.jsonl"),
        (
            2,
            "error: `--json good.jsonl` is a file of this run\n\
             help: name another file; the summary would replace what the run reads or keeps\n"
                .to_owned()
        )
    );
    assert_eq!(said("--axis keys:list:good.jsonl").0, 0);
}
