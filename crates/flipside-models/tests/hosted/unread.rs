//! Backends whose models do not read all that requests carry: such variants are vacuous, and long texts are remarked.

use flipside_core::case::{Case, QuestionKind};
use flipside_core::order::Order;
use flipside_core::perturb::{Axis, AxisSpec};
use flipside_core::plan::{Plan, PlanInput, VacuousReason, distinct};
use flipside_models::catalog::Options;
use flipside_models::wire::clm::CUT;
use flipside_standin::{Dialect, Policy};

use crate::common::{case, golden, model};
use crate::{asked, model_at, standin};

fn described() -> Case {
    case(
        "c",
        r#"{"a":"x","b":"y"}"#,
        &[("zeta", "\"one\""), ("alpha", "\"two\"")],
    )
}

/// Levels with names, which are a part of their texts.
fn levels() -> Case {
    let mut levels = case(
        "c",
        r#"{"a":"x","b":"y"}"#,
        &[("0", "\"low: can wait\""), ("1", "\"high: now\"")],
    );
    levels.question.kind = QuestionKind::Score;
    levels
}

/// Why variants of `axis` say nothing about `spec`; `None` where they are asked.
fn vacuous(spec: &str, of: Case, axis: &str) -> Option<VacuousReason> {
    let cases = distinct(vec![of]).unwrap();
    let axes = AxisSpec::parse_list(axis).unwrap();
    let input = PlanInput {
        axes: &axes,
        ..PlanInput::orders(&[], 11)
    };
    let plan = Plan::build(&cases, &input, model(spec).as_ref()).unwrap();
    let asked = plan.asks.len() - 1;
    let told: Vec<VacuousReason> = plan.vacuous.iter().map(|vacuous| vacuous.reason).collect();
    match told[..] {
        [] if asked == 1 => None,
        [reason] if asked == 0 => Some(reason),
        _ => panic!("{spec} {axis}: {asked} asked, {told:?}"),
    }
}

#[test]
fn what_a_model_does_not_read_is_not_asked_and_says_why() {
    const AGENTJEV: &str = "agentjev-served";
    const CLM: &str = "clm:http://127.0.0.1:1/v1/systemone";
    const CUA: &str = "cua-served:http://127.0.0.1:1/v1/systemone";
    const PLAIN: &str = "systemone:http://127.0.0.1:1/v1/systemone";
    const LAYA: &str = "laya-served:http://127.0.0.1:1/v1/systemone";
    let (keys, sorted) = (
        Some(VacuousReason::KeysNotRead),
        Some(VacuousReason::StateKeysSorted),
    );
    for (spec, of_keys, of_state) in [
        (AGENTJEV, keys, sorted),
        (CLM, keys, None),
        (CUA, keys, None),
        (PLAIN, None, None),
        (LAYA, None, None),
    ] {
        assert_eq!(
            vacuous(spec, described(), "keys:abstract"),
            of_keys,
            "{spec}"
        );
        assert_eq!(
            vacuous(spec, described(), "state-keys:reverse"),
            of_state,
            "{spec}"
        );
        assert_eq!(
            vacuous(spec, described(), "letter-case:upper"),
            None,
            "{spec}"
        );
        if spec != CUA {
            assert_eq!(vacuous(spec, levels(), "keys:abstract"), None, "{spec}");
        }
    }
    // What a record names is opened with the same knowledge.
    for (name, reason) in [
        ("clm", keys),
        ("cua", keys),
        ("agentjev", keys),
        ("laya", None),
    ] {
        let wire = flipside_core::model::Wire::named(name);
        let protocol = flipside_models::wire::open(&wire).unwrap();
        assert_eq!(protocol.unread(Axis::Keys, &described()), reason, "{name}");
        assert_eq!(protocol.unread(Axis::Order, &described()), None, "{name}");
        assert_eq!(protocol.wire(), wire);
    }
}

#[test]
fn clm_says_that_a_long_text_was_cut() {
    let standin = standin(Dialect::Clm, Policy::Content);
    let model = model_at(&standin, "clm", "CLM_URL", &Options::default());
    let remarks = |state: usize, text: usize| {
        let text = format!("\"{}\"", "b".repeat(text));
        let state = format!("\"{}\"", "a".repeat(state));
        let long = case("c", &state, &[("x", &text), ("y", "\"z\"")]);
        asked(model.as_ref(), &long, &Order::own(2))
            .unwrap()
            .1
            .remarks
    };
    // 2,048 tokens of four bytes are 8,192.
    assert!(remarks(8_192, 8_192).is_empty());
    assert_eq!(remarks(8_193, 1), [CUT]);
    assert_eq!(remarks(1, 8_193), [CUT]);
    assert!(
        asked(model.as_ref(), &golden(), &Order::own(4))
            .unwrap()
            .1
            .remarks
            .is_empty()
    );
}
