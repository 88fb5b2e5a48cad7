//! Single lines of figures and gates.

use flipside_core::plan::VacuousReason;
use flipside_core::summary::{GateLine, PositionBaseline, Rule, Verdict};
use insta::assert_snapshot;

use super::{WIDE, content, flat, line};
use crate::example::{self, Builder, Reply, Shape, Variants};
use crate::terminal::render;

#[test]
fn in_general_an_open_verdict_says_what_would_settle_it() {
    let text = render(&content(8, &[Variants::Reverse], true), &WIDE);
    assert!(
        flat(&text).contains(
            "inconclusive in general: about 51 more pairs without a flip would settle it"
        ),
        "{text}"
    );
    assert!(line(&text, "gates").contains("in general"), "{text}");
    assert_snapshot!(text);
}

#[test]
fn in_general_two_ways_to_settle_it_are_both_named() {
    let mut builder = Builder::new(
        example::labelled(100, &["a", "b", "c"]),
        &[Variants::Reverse],
    );
    builder.strict = true;
    let summary = builder.answered(|case, variant, _| {
        let kept = variant != "reverse" || case > 2;
        Reply::Chose(
            example::id(if kept { case % 3 } else { (case + 1) % 3 }),
            0.9,
        )
    });
    let text = render(&summary, &WIDE);
    assert!(flat(&text).contains("inconclusive in general: about 53 more pairs without a flip, or 261 at this rate, would settle it"), "{text}");
}

#[test]
fn a_bound_just_over_the_limit_does_not_look_like_the_limit() {
    let text = render(&content(58, &[Variants::Reverse], true), &WIDE);
    let order = line(&text, "order");
    assert!(
        order.contains("up to 5.03% in general") && order.contains("limit 5%"),
        "{text}"
    );
    assert!(
        flat(&text).contains("about 1 more pair without a flip would"),
        "{text}"
    );
}

#[test]
fn an_order_axis_that_was_never_asked_is_not_measured() {
    let text = render(&example::first(&[Variants::Same(2)]), &WIDE);
    assert!(text.contains("order  -"), "{text}");
    assert!(
        text.contains("not measured: no other order was asked"),
        "{text}"
    );
    assert!(!text.contains("stable"), "{text}");
    assert_snapshot!(text);
}

#[test]
fn a_perfect_own_order_is_not_called_unrepresentative_for_one_lost_answer() {
    let summary = Builder::new(
        example::labelled(200, &["a", "b", "c"]),
        &[Variants::Reverse],
    )
    .answered(|case, variant, _| {
        let lost = usize::from(variant == "reverse" && case == 7);
        Reply::Chose(example::id((case + lost) % 3), 0.9)
    });
    let mut summary = summary;
    let mean = summary.order_averaged_accuracy.as_mut().unwrap();
    mean.interval = [0.98, 0.999];
    let text = render(&summary, &WIDE);
    assert!(
        flat(&text).contains(
            "fit all orders 99.8% right mean over 200 cases and 400 asks (95% CI 98.0-99.9%)"
        ),
        "{text}"
    );
    assert!(!text.contains("representative"), "{text}");
}

#[test]
fn nothing_to_compare_is_said_with_its_reason() {
    let shapes = (0..3)
        .map(|n| Shape {
            id: n.to_string(),
            keys: vec!["only".to_owned()],
            right: Some(0),
        })
        .collect();
    let summary = Builder::new(shapes, &[Variants::Reverse])
        .answered(|_, _, _| Reply::Chose(example::id(0), 1.0));
    let text = render(&summary, &WIDE);
    assert_eq!(
        flat(line(&text, "order")),
        "order - not applicable: one option (3 cases)"
    );
    assert!(
        line(&text, "gates").contains("order: NOT HELD (not applicable)"),
        "{text}"
    );
    assert!(
        line(&text, "fit").contains("too few cases: 3 of 8"),
        "{text}"
    );
}

#[test]
fn vacuous_cases_of_several_reasons_name_each() {
    let mut summary = example::first(&[Variants::Reverse]);
    let reverse = &mut summary.axes["order"]["reverse"];
    reverse.figure.vacuous = 3;
    reverse.vacuous_reasons.insert(VacuousReason::OneOption, 2);
    reverse.vacuous_reasons.insert(VacuousReason::EqualBytes, 1);
    let text = render(&summary, &WIDE);
    assert!(
        flat(&text).contains(
            "3 vacuous (2: one option and 1: the request is the baseline's, byte for byte)"
        ),
        "{text}"
    );
}

#[test]
fn with_two_options_following_the_position_is_not_mentioned() {
    let mut shapes = example::labelled(8, &["yes", "no"]);
    example::relabel(&mut shapes, Some(0));
    let summary = Builder::new(shapes, &[Variants::Reverse]).answered(|_, variant, _| {
        Reply::Chose(example::id(usize::from(variant == "reverse")), 0.8)
    });
    assert!(!render(&summary, &WIDE).contains("followed the position"));
}

#[test]
fn without_gates_the_line_says_so() {
    let mut builder = Builder::new(example::labelled(8, &["a", "b"]), &[Variants::Reverse]);
    (builder.fit, builder.order) = (None, None);
    let text = render(
        &builder.answered(|case, _, _| Reply::Chose(example::id(case % 2), 0.8)),
        &WIDE,
    );
    assert!(text.contains("gates  none   exit 0"), "{text}");
}

#[test]
fn gates_without_a_figure_of_their_own_get_a_line() {
    let mut summary = example::first(&[Variants::Reverse]);
    let gate = |subject: &str, verdict: Verdict, reason: &str| GateLine {
        subject: subject.to_owned(),
        limit: 0.05,
        rule: Rule::File,
        held: verdict.holds(),
        verdict,
        decided_by: None,
        reason: Some(reason.to_owned()),
    };
    summary
        .gates
        .push(gate("same", Verdict::NotMeasured, "no control was asked"));
    summary.gates.push(gate(
        "order.rotate:2",
        Verdict::NotMeasured,
        "this order was not asked",
    ));
    summary
        .gates
        .push(gate("missing", Verdict::WithinLimit, "0 of 16 asks"));
    let text = render(&summary, &WIDE);
    assert!(
        line(&text, "same").contains("not measured: no control was asked"),
        "{text}"
    );
    assert!(
        line(&text, "order    rotate:2").contains("not measured: this order was not asked"),
        "{text}"
    );
    assert!(
        line(&text, "missing").contains("within limit: 0 of 16 asks, limit 5%"),
        "{text}"
    );
    assert!(
        flat(&text).contains(
            "same: NOT HELD (not measured) order.rotate:2: NOT HELD (not measured) missing: held"
        ),
        "{text}"
    );
}

#[test]
fn a_position_baseline_over_several_numbers_of_options_names_none() {
    let mut summary = example::plain();
    summary.fit.position_baseline = Some(PositionBaseline {
        right: 5,
        of: 8,
        rate: 0.625,
        lower: 0.3,
        position: None,
    });
    let text = render(&summary, &WIDE);
    assert!(
        flat(&text).contains("fits, one fixed position for each number of options would get 5/8"),
        "{text}"
    );
}
