//! Plans before anything is asked.

use flipside_core::perturb::Axis;
use flipside_core::preflight::{Preflight, PreflightVariant};
use insta::assert_snapshot;

use super::{VERBOSE, WIDE};
use crate::terminal::render_preflight;

fn variant(axis: Axis, name: &str, best: Option<f64>, limit: Option<f64>) -> PreflightVariant {
    PreflightVariant {
        axis,
        variant: name.to_owned(),
        asks: 8,
        vacuous: 0,
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
    plan.variants
        .push(variant(Axis::Same, "2", Some(0.312_344), Some(0.0)));
    plan.variants[3].pairs_needed = None;
    assert_snapshot!(render_preflight(&plan, &WIDE, true));
}

#[test]
fn a_dry_run_of_many_variants_is_cut() {
    let mut plan = plan();
    plan.variants.extend(
        (1..20).map(|by| variant(Axis::Order, &format!("rotate:{by}"), Some(0.3), Some(0.05))),
    );
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
