//! Plans before anything is asked.

use flipside_core::perturb::Axis;
use flipside_core::plan::VacuousReason;
use flipside_core::preflight::{Preflight, PreflightVariant};
use indexmap::IndexMap;
use insta::assert_snapshot;

use super::{VERBOSE, WIDE};
use crate::terminal::render_preflight;
use crate::wording;

fn variant(axis: Axis, name: &str, best: Option<f64>, limit: Option<f64>) -> PreflightVariant {
    PreflightVariant {
        axis,
        variant: name.to_owned(),
        asks: 8,
        reference: false,
        vacuous: 0,
        vacuous_reasons: IndexMap::new(),
        clusters: None,
        limit,
        best_limit: best,
        pairs_needed: limit.map(|_| 59),
    }
}

fn plan() -> Preflight {
    Preflight {
        model: "jev".to_owned(),
        endpoint: Some("https://api.typesafe.example/v1/decide".to_owned()),
        key_variable: Some("TYPESAFE_API_KEY".to_owned()),
        cases: 8,
        duplicates: 1,
        clusters: None,
        asks: 24,
        recorded: 0,
        requests: 24,
        request_bytes: 49_360,
        estimated_input_tokens: 12_340,
        estimated_cost_usd_micros: Some(519),
        confirming_at_most: 16,
        sequential: None,
        variants: vec![
            variant(Axis::Baseline, "own", None, None),
            variant(Axis::Order, "reverse", Some(0.312_344), Some(0.05)),
            variant(Axis::Same, "1", Some(0.312_344), None),
        ],
    }
}

pub(super) fn hostile_plan() -> Preflight {
    let bad = "x\u{1b}[2J\u{202e}\r\nend".to_owned();
    let mut plan = plan();
    plan.model.clone_from(&bad);
    plan.endpoint = Some(bad.clone());
    plan.key_variable = Some(bad.clone());
    plan.variants[1].variant = bad;
    plan
}

#[test]
fn a_dry_run_says_what_it_would_ask_and_what_the_file_can_show() {
    assert_snapshot!(render_preflight(&plan(), &WIDE, false));
}

#[test]
fn a_strict_dry_run_says_what_cannot_hold() {
    let mut plan = plan();
    (
        plan.endpoint,
        plan.key_variable,
        plan.estimated_cost_usd_micros,
    ) = (None, None, None);
    plan.variants[1].vacuous = 2;
    plan.variants[1].vacuous_reasons = IndexMap::from([(VacuousReason::OneOption, 2)]);
    plan.variants
        .push(variant(Axis::Same, "2", Some(0.312_344), Some(0.0)));
    plan.variants[3].pairs_needed = None;
    assert_snapshot!(render_preflight(&plan, &WIDE, true));
}

#[test]
fn a_dry_run_of_many_variants_is_cut() {
    let mut plan = plan();
    plan.variants.extend((1..20).map(|by| {
        // No two have as many pairs.
        let best = 0.3 + f64::from(by) / 100.0;
        variant(Axis::Order, &format!("rotate:{by}"), Some(best), Some(0.05))
    }));
    plan.variants
        .sort_by_key(|variant| variant.axis == Axis::Same);
    let text = render_preflight(&plan, &WIDE, false);
    assert!(
        text.contains("and 12 more  96 asks  --verbose lists them"),
        "{text}"
    );
    assert_eq!(
        render_preflight(&plan, &VERBOSE, false)
            .matches("rotate:")
            .count(),
        19
    );
}

/// A plan with these variants.
fn of(variants: Vec<PreflightVariant>) -> Preflight {
    Preflight { variants, ..plan() }
}

fn rows(plan: &Preflight) -> Vec<String> {
    let text = render_preflight(plan, &WIDE, false);
    text.lines().skip(4).map(super::flat).collect()
}

#[test]
fn alike_variants_of_an_axis_share_a_row_with_the_sum_of_their_asks() {
    let letters = |name| variant(Axis::LetterCase, name, Some(0.312_344), Some(0.05));
    let drop = |name: &str| variant(Axis::Drop, name, Some(0.312_344), None);
    let last = |name: &str| PreflightVariant {
        reference: true,
        ..variant(Axis::Drop, name, None, None)
    };
    let plan = of(vec![
        letters("lower"),
        letters("upper"),
        drop("0"),
        last("last:0"),
        drop("1"),
        last("last:1"),
    ]);
    assert_eq!(
        rows(&plan),
        [
            "letter-case lower, upper 16 asks 8 pairs each without a flip show `letter-case<=31.3%` at best; limit 5% \
             needs 59",
            "drop 0, 1 16 asks 8 pairs each without a flip show `drop<=31.3%` at best",
            "drop references 16 asks what drop is compared with, no pairs",
            "nothing was asked",
        ]
    );
    let verbose = render_preflight(&plan, &VERBOSE, false);
    assert_eq!(verbose.matches(" 8 asks ").count(), 6, "{verbose}");
}

#[test]
fn what_a_dry_run_cannot_ask_has_its_reason_and_no_name_where_it_is_all_of_an_axis() {
    let nothing = |axis, name: &str, reason| PreflightVariant {
        asks: 0,
        vacuous: 8,
        vacuous_reasons: IndexMap::from([(reason, 8)]),
        ..variant(axis, name, None, Some(0.05))
    };
    let plan = of(vec![
        nothing(Axis::Phrasing, "1", VacuousReason::NoPhrasing),
        variant(Axis::Whitespace, "doubled", Some(0.312_344), Some(0.05)),
        nothing(Axis::Whitespace, "pretty", VacuousReason::Unchanged),
    ]);
    let rows = rows(&plan);
    assert_eq!(
        [&rows[0], &rows[2]],
        [
            "phrasing - 0 asks not applicable: the case brings no such rewording (8 cases)",
            "whitespace pretty 0 asks not applicable: there is nothing to change (8 cases)",
        ]
    );
}

#[test]
fn variants_that_are_short_of_the_same_share_one_sentence() {
    let plan = of(vec![
        variant(Axis::Order, "reverse", Some(0.312_344), Some(0.05)),
        variant(Axis::Keys, "abstract", Some(0.312_344), Some(0.05)),
        variant(Axis::Keys, "letters", Some(0.312_344), Some(0.4)),
        variant(Axis::Descriptions, "drop", Some(0.312_344), None),
    ]);
    assert_eq!(
        wording::out_of_reach(&plan),
        [
            "8 pairs each of `reverse` and `keys/abstract` cannot show a limit of 5% in general, 59 without a flip would; \
             their gates cannot hold"
        ]
    );
}
