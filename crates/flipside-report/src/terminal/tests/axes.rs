//! Runs on several axes.

use flipside_core::perturb::Axis;
use flipside_core::plan::VacuousReason;
use flipside_core::summary::Summary;
use insta::assert_snapshot;

use super::{CHECK, NARROW, VERBOSE, WIDE, flat, line};
use crate::example::{self, Builder, Reply, Variants};
use crate::terminal::{render, render_several};

/// Thirty cases of three options; `odd` says which flip in which variant.
fn run(variants: &[Variants], odd: impl Fn(usize, &str) -> bool) -> Summary {
    let shapes = example::labelled(30, &["refund", "deny", "escalate"]);
    Builder::new(shapes, variants).answered(|case, variant, _| {
        let by = usize::from(odd(case, variant));
        Reply::Chose(example::id((case + by) % 3), 0.9)
    })
}

#[test]
fn a_run_on_several_axes_names_the_axis_in_every_line() {
    assert_snapshot!(render(&example::axes(), &WIDE));
}

#[test]
fn a_run_on_several_axes_fits_a_narrow_terminal() {
    let text = render(&example::axes(), &NARROW);
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    assert_snapshot!(text);
}

#[test]
fn an_axis_that_applies_to_no_case_takes_one_row_and_verbose_one_for_each_variant() {
    let nothing = |name| Variants::Nothing(Axis::Batch, name, VacuousReason::OneQuestion);
    let summary = run(&[CHECK[0], nothing("alone"), nothing("reverse")], |_, _| {
        false
    });
    let text = render(&summary, &WIDE);
    let rows: Vec<&str> = text
        .lines()
        .filter(|row| row.starts_with("batch"))
        .collect();
    assert_eq!(
        rows,
        ["batch  -           not applicable: the question is asked alone (30 cases)"]
    );
    assert!(
        line(&text, "gates").contains("batch: NOT HELD (not applicable)"),
        "no pair is never no flip: {text}"
    );
    let verbose = render(&summary, &VERBOSE);
    let rows = verbose.lines().filter(|row| row.starts_with("batch"));
    assert_eq!(rows.count(), 2, "{verbose}");
}

#[test]
fn variants_that_apply_to_nothing_stand_together_by_reason_and_apart_from_the_others() {
    let nothing = |name, reason| Variants::Nothing(Axis::Whitespace, name, reason);
    let variants = [
        Variants::On(Axis::Whitespace, "doubled"),
        nothing("line-ends", VacuousReason::Unchanged),
        nothing("pretty", VacuousReason::Unchanged),
        nothing("trailing", VacuousReason::EqualBytes),
    ];
    let text = flat(&render(&run(&variants, |_, _| false), &WIDE));
    assert!(
        text.contains(
            "whitespace line-ends, pretty not applicable: there is nothing to change (30 cases) whitespace trailing not \
             applicable: the request is the baseline's, byte for byte (30 cases)"
        ),
        "{text}"
    );
    assert!(text.contains("whitespace doubled 0/30 flipped"), "{text}");
    assert!(text.contains("whitespace: held"), "{text}");
}

#[test]
fn an_ablation_is_called_one_once() {
    let variants = [
        Variants::On(Axis::Descriptions, "drop"),
        Variants::On(Axis::Descriptions, "key"),
    ];
    let text = render(&run(&variants, |case, _| case < 20), &WIDE);
    assert_eq!(text.matches("ablation").count(), 1, "{text}");
    assert!(line(&text, "descriptions  drop").contains("ablation: the content changes too"));
    assert!(
        !line(&text, "gates").contains("descriptions"),
        "it has no gate: {text}"
    );
}

#[test]
fn flips_on_another_axis_follow_no_position_even_under_the_name_of_an_order() {
    let variants = [Variants::Reverse, Variants::On(Axis::StateKeys, "reverse")];
    let flips = |case: usize, variant: &str| match variant {
        "reverse" => case < 3,
        "state-keys/reverse" => case < 6,
        _ => false,
    };
    let text = render(&run(&variants, flips), &WIDE);
    assert!(flat(&text).contains("of 3 followed the position"), "{text}");
    assert!(
        line(&text, "state-keys  reverse").ends_with("state-keys-sensitive"),
        "{text}"
    );
}

#[test]
fn what_was_asked_again_names_what_changes() {
    let variants = [
        Variants::Reverse,
        Variants::On(Axis::Keys, "abstract"),
        Variants::On(Axis::LetterCase, "upper"),
    ];
    let text = flat(&render(
        &run(&variants, |case, name| case < 3 && name != "own"),
        &WIDE,
    ));
    for changes in ["order changes", "keys change", "letter case changes"] {
        let expected = format!(
            "asked again 3/3 came again, 0 swapped, exact test p 0.250; {changes} 10.0% of 30 cases (95% CI 0.0-20.0%); 3 \
             more that come again would show it"
        );
        assert!(text.contains(&expected), "{expected} in {text}");
    }
}

#[test]
fn the_few_flips_shown_are_of_different_axes_gated_ones_first_and_say_what_was_shown() {
    let variants = [
        Variants::On(Axis::Descriptions, "drop"),
        Variants::On(Axis::Keys, "abstract"),
        Variants::On(Axis::Whitespace, "doubled"),
        Variants::Same(1),
    ];
    let text = render(
        &run(&variants, |case, name| name != "own" && case < 9),
        &WIDE,
    );
    let rows: Vec<String> = text
        .lines()
        .filter(|row| row.starts_with("case-"))
        .map(flat)
        .collect();
    assert_eq!(
        rows,
        [
            "case-1 keys/abstract A1 A2 A3 refund 1st 0.90 ✓ A2 2nd 0.90 ✗ own",
            "case-1 whitespace/doubled - refund 1st 0.90 ✓ deny 2nd 0.90 ✗ own",
            "case-1 descriptions/drop - refund 1st 0.90 ✓ deny 2nd 0.90 ✗ own",
        ],
        "{text}"
    );
    assert!(text.contains("and 33 more flips"), "{text}");
}

#[test]
fn an_option_less_or_more_is_shown_by_its_place_in_the_file() {
    let variants = [
        Variants::On(Axis::Drop, "0"),
        Variants::On(Axis::Decoy, "none"),
    ];
    let mut summary = run(&variants, |case, name| case == 0 && name != "own");
    let asks = &mut summary.cases[0].asks;
    asks[1].order = flipside_core::order::Order::listing(&[1, 2].map(example::id));
    asks[1].keys.remove(0);
    asks[2].order = flipside_core::order::Order::own(4);
    asks[2].keys.push("none of these".into());
    let text = flat(&render(&summary, &WIDE));
    assert!(text.contains("drop/0 2 3 refund 1st"), "{text}");
    assert!(text.contains("decoy/none 1 2 3 + refund 1st"), "{text}");
}

#[test]
fn under_another_key_in_another_place_the_option_is_named_too() {
    let variants = [Variants::On(Axis::Keys, "abstract")];
    let mut summary = run(&variants, |case, name| case == 0 && name != "own");
    let ask = &mut summary.cases[0].asks[1];
    ask.order = flipside_core::order::Order::reverse(3);
    let text = flat(&render(&summary, &WIDE));
    // Option 2 of the file, shown in the second of three places under the key of the test's builder.
    assert!(text.contains("A2 (option 2) 2nd 0.90 ✗"), "{text}");
}

#[test]
fn a_gate_of_one_axis_keeps_no_variant_of_another_with_the_same_name() {
    let mut variants: Vec<Variants> = (1..3).map(Variants::Rotate).collect();
    variants.insert(0, Variants::Reverse);
    variants.extend([
        Variants::On(Axis::StateKeys, "reverse"),
        Variants::On(Axis::StateKeys, "shuffle:1"),
        Variants::On(Axis::StateKeys, "shuffle:2"),
        Variants::On(Axis::StateKeys, "shuffle:3"),
        Variants::On(Axis::StateKeys, "shuffle:4"),
        Variants::On(Axis::StateKeys, "shuffle:5"),
    ]);
    // `reverse` decides the order gate alone.
    let flips = |case: usize, name: &str| match name {
        "reverse" => case < 10,
        "own" | "rotate:1" | "rotate:2" | "state-keys/reverse" => false,
        _ => case < 4,
    };
    let text = render(&run(&variants, flips), &WIDE);
    let rows: Vec<&str> = text
        .lines()
        .filter(|row| row.starts_with("state-keys"))
        .collect();
    assert!(rows[0].contains("shuffle:1"), "{text}");
    assert!(!rows.iter().any(|row| row.contains(" reverse ")), "{text}");
    assert!(
        flat(&text).contains("and 3 more: at most 4/30 flipped (13.3%)"),
        "{text}"
    );
}

#[test]
fn accuracy_names_the_axis_and_of_many_axes_shows_three() {
    let axes = [
        Axis::Keys,
        Axis::Phrasing,
        Axis::StateKeys,
        Axis::Whitespace,
        Axis::LetterCase,
    ];
    let variants: Vec<Variants> = axes.iter().map(|axis| Variants::On(*axis, "x")).collect();
    let mut summary = run(&variants, |_, _| false);
    for (place, lines) in summary.axes.values_mut().enumerate() {
        lines["x"].transitions.harmful = [1, 5, 3, 0, 4][place];
    }
    let rows = |style| -> Vec<String> {
        let text = render(&summary, style);
        let rows = text.lines().filter(|row| row.starts_with("accuracy"));
        rows.map(flat).collect()
    };
    let few = rows(&WIDE);
    assert_eq!(few.len(), 4, "{few:?}");
    for (row, start) in few.iter().zip([
        "accuracy phrasing/x 30/30 right as written 30/30",
        "accuracy state-keys/x",
        "accuracy letter-case/x",
        "accuracy and 1 more axis, none more so; --verbose lists them",
    ]) {
        assert!(row.starts_with(start), "{row}");
    }
    assert_eq!(rows(&VERBOSE).len(), 5);
}

#[test]
fn several_models_keep_a_row_of_every_axis() {
    let nothing = |name| Variants::Nothing(Axis::Phrasing, name, VacuousReason::NoPhrasing);
    let mut variants: Vec<Variants> = (1..3).map(Variants::Rotate).collect();
    variants.extend(
        ["abstract", "letters", "numbers", "list:1"].map(|name| Variants::On(Axis::Keys, name)),
    );
    variants.extend(["lower", "upper"].map(|name| Variants::On(Axis::LetterCase, name)));
    variants.extend([nothing("1"), nothing("2")]);
    let flips = |case: usize, name: &str| name == "keys/letters" && case < 5;
    let models = [run(&variants, flips), run(&variants, |_, _| false)];
    let text = render_several(&models, &WIDE);
    let rows: Vec<String> = text
        .lines()
        .skip_while(|row| !row.starts_with("order"))
        .take_while(|row| !row.starts_with("gates"))
        .map(flat)
        .collect();
    assert_eq!(
        rows,
        [
            "order rotate:1 0/30 flipped (0.0-11.4%) 0/30 flipped (0.0-11.4%)",
            "order rotate:2 0/30 flipped (0.0-11.4%) 0/30 flipped (0.0-11.4%)",
            "keys letters 5/30 flipped (7.3-33.6%) 0/30 flipped (0.0-11.4%)",
            "letter-case lower 0/30 flipped (0.0-11.4%) 0/30 flipped (0.0-11.4%)",
            "phrasing - not applicable not applicable",
        ],
        "{text}"
    );
    assert!(
        text.contains(
            "and 4 more variants, none of which flips more than its axis's first here; --verbose lists them"
        ),
        "{text}"
    );
}

#[test]
fn a_long_combination_has_its_name_on_a_line_of_its_own_and_is_told_from_the_others() {
    let (two, three) = (
        "order/reverse+keys/abstract",
        "order/reverse+keys/abstract+whitespace/doubled",
    );
    let variants = [
        Variants::Reverse,
        Variants::On(Axis::Cross, two),
        Variants::On(Axis::Cross, three),
    ];
    let flips = |case: usize, name: &str| match name {
        "own" | "reverse" => false,
        name => case < if name.contains("whitespace") { 5 } else { 2 },
    };
    let summary = run(&variants, flips);
    let text = render(&summary, &WIDE);
    let rows: Vec<&str> = text
        .lines()
        .skip_while(|row| !row.starts_with("cross"))
        .take(3)
        .collect();
    assert_eq!(
        rows,
        [
            "cross  reverse+keys/abstract  2/30 flipped  up to 19.5% in general",
            "cross  reverse+keys/abstract+whitespace/doubled",
            "                              5/30 flipped  up to 31.9% in general",
        ],
        "{text}"
    );
    let several = render_several(&[summary], &WIDE);
    assert!(
        flat(&several).contains("cross reverse+keys/abstract+whitespace/doubled 5/30 flipped"),
        "{several}"
    );
}

#[test]
fn of_an_axis_that_is_judged_as_a_whole_several_models_show_that_figure() {
    let composed = || example::composed(run(&CHECK, |_, _| false));
    let text = render_several(&[composed(), run(&CHECK, |_, _| false)], &WIDE);
    let rows: Vec<String> = text
        .lines()
        .filter(|row| row.starts_with("drop") || row.starts_with("decoy"))
        .map(flat)
        .collect();
    assert_eq!(
        rows,
        [
            "drop each option 3/120 flipped (1.2-12.5%) -",
            "decoy none 3/30 flipped (5.0-20.0%) -",
        ],
        "{text}"
    );
}

#[test]
fn drift_has_a_line_for_each_axis_that_moved_and_one_for_all_that_did_not() {
    let variants = [
        Variants::Reverse,
        Variants::On(Axis::Keys, "abstract"),
        Variants::On(Axis::Keys, "letters"),
        Variants::On(Axis::Whitespace, "doubled"),
        Variants::On(Axis::LetterCase, "upper"),
        Variants::On(Axis::StateKeys, "reverse"),
    ];
    let mut summary = run(&variants, |_, _| false);
    let scales = [
        ("order", "reverse", 0.0),
        ("keys", "abstract", 0.5),
        ("keys", "letters", 1.0),
        ("whitespace", "doubled", 1e-12),
        ("letter-case", "upper", 0.0),
        ("state-keys", "reverse", 0.0),
    ];
    for (axis, name, scale) in scales {
        summary.axes[axis][name].drift = Some(example::drift(scale, "case-17"));
    }
    // Rounded to hundredths, two axes show no change and cannot show that there is none.
    for axis in ["letter-case", "state-keys"] {
        let drift = summary.axes[axis]
            .values_mut()
            .next()
            .unwrap()
            .drift
            .as_mut();
        let drift = drift.unwrap();
        (drift.step, drift.invariance.numerically_invariant) = (Some(0.01), None);
    }
    let text = render(&summary, &WIDE);
    let rows: Vec<String> = text
        .lines()
        .filter(|row| row.starts_with("drift"))
        .map(flat)
        .collect();
    assert_eq!(
        rows,
        [
            "drift keys letters: median 0.031 JS bits, p95 0.12, worst case case-17; headroom p95 0.82",
            "drift none no probability moved under letter-case and state-keys; in steps of 0.01",
            "drift none numerically invariant under order and whitespace: log probabilities moved by at most 1e-12",
        ],
        "{text}"
    );
    let keys = line(&text, "keys         abstract");
    assert!(keys.contains("stable, headroom p50 0.01"), "{keys}");
    let white = line(&text, "whitespace   doubled");
    assert!(
        white.ends_with("stable"),
        "its drift line says the rest: {white}"
    );
    let letters = line(&text, "letter-case  upper");
    assert!(
        letters.ends_with("stable, no probability moved"),
        "{letters}"
    );
    let verbose = render(&summary, &VERBOSE);
    assert!(
        verbose.contains("drift  keys/abstract       total variation"),
        "{verbose}"
    );
}
