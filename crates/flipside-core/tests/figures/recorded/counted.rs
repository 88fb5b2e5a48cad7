//! What is counted beside the flips: what differs too, what is left out, what no record tells.

use flipside_core::compare::{CaseAnswers, RecordedAsk};
use flipside_core::json::Json;
use flipside_core::order::{OptionId, Order};
use flipside_core::perturb::{Axis, Variant};
use flipside_core::plan::VacuousReason;
use flipside_core::record::{Failed, FailedKind, Outcome};
use flipside_core::recorded::{Difference, several};
use flipside_core::summary::{AlsoDiffers, Verdict};

use super::{case, chose, found, paired, reversed, set, side, summary, summary_of, with};

const TWO: [(&str, &str); 2] = [("cheap", "a small model"), ("strong", "a large model")];

fn failed() -> Outcome {
    Outcome::Failed(Failed {
        kind: FailedKind::Status,
        message: "status 500".to_owned(),
        unanswered: false,
    })
}

#[test]
fn what_differs_first_names_the_axis_and_the_rest_stands_beside_it() {
    let company = |mut case: flipside_core::case::Case| {
        case.question.after = vec![("difficulty".to_owned(), Json::Null)];
        case
    };
    let mut other_state = reversed(case(1, &TWO));
    other_state.state = Json::String("another".to_owned());
    let summary = summary(
        vec![
            (company(case(0, &TWO)), chose(0)),
            (case(1, &TWO), chose(0)),
        ],
        vec![(reversed(case(0, &TWO)), chose(0)), (other_state, chose(1))],
    );
    let line = &summary.axes["order"]["reverse"];
    assert_eq!((line.figure.flips, line.figure.pairs), (Some(1), 2));
    let also = |what, questions| AlsoDiffers {
        axis: Axis::Order,
        what,
        pairs: 1,
        questions,
    };
    let expected = [
        also(Difference::State, None),
        also(Difference::Company, Some([2, 1])),
    ];
    assert_eq!(found(&summary).also, expected);
}

#[test]
fn every_difference_alone_has_its_axis() {
    let same = || case(0, &TWO);
    let axis = |change: &dyn Fn(&mut flipside_core::case::Case)| {
        let mut other = same();
        change(&mut other);
        let summary = summary(vec![(same(), chose(0))], vec![(other, chose(1))]);
        let (axis, lines) = summary.axes.first().unwrap();
        assert_eq!(summary.axes.len(), 1);
        (axis.clone(), lines.keys().next().unwrap().clone())
    };
    let told = [
        axis(&|case| case.options.reverse()),
        axis(&|case| case.options[0].key.0 = "small".to_owned()),
        axis(&|case| case.options[0].text = Some(Json::String("tiny".to_owned()))),
        axis(&|case| case.state = Json::String("other words".to_owned())),
        axis(&|case| case.question.instructions = Some(Json::String("Pick.".to_owned()))),
        axis(&|case| case.question.before = vec![("more".to_owned(), Json::Null)]),
    ];
    let expected = [
        ("order", "reverse"),
        ("keys", "recorded"),
        ("descriptions", "recorded"),
        ("phrasing", "recorded"),
        ("phrasing", "recorded"),
        ("batch", "recorded"),
    ];
    assert_eq!(
        told,
        expected.map(|(axis, name)| (axis.to_owned(), name.to_owned()))
    );
}

#[test]
fn cases_that_were_asked_alike_are_in_no_denominator() {
    let summary = summary(
        vec![(case(0, &TWO), chose(0)), (case(1, &TWO), chose(0))],
        vec![
            (case(0, &TWO), chose(1)),
            (reversed(case(1, &TWO)), chose(0)),
        ],
    );
    let line = &summary.axes["order"]["reverse"];
    assert_eq!((line.figure.pairs, line.figure.vacuous), (1, 1));
    assert_eq!(line.vacuous_reasons[&VacuousReason::EqualBytes], 1);
    assert_eq!(found(&summary).same_request, 1);
    // The same request answered twice is what a control asks: this one had two answers.
    let control = summary.control.as_ref().unwrap();
    assert_eq!((control.figure.flips, control.figure.pairs), (Some(1), 1));
}

#[test]
fn a_statement_without_both_sides_written_has_no_order() {
    let statement = |sides: &[(&str, &str)]| {
        let mut case = case(0, sides);
        case.question.kind = flipside_core::case::QuestionKind::Noul;
        case
    };
    let written = || statement(&[("true", "it is so"), ("false", "it is not")]);
    let mut bare = statement(&[("false", ""), ("true", "")]);
    for side in &mut bare.options {
        side.text = None;
    }
    let one = summary(vec![(written(), chose(0))], vec![(bare, chose(0))]);
    // The first side of one is the second of the other: another answer, under other descriptions and in no other order.
    assert!(!one.axes.contains_key("order"), "{:?}", one.axes.keys());
    assert_eq!(one.axes["descriptions"]["recorded"].figure.flips, Some(1));
    let turned = statement(&[("false", "it is not"), ("true", "it is so")]);
    let other = summary(vec![(written(), chose(0))], vec![(turned, chose(0))]);
    assert_eq!(other.axes["order"]["reverse"].figure.flips, Some(1));
}

#[test]
fn other_words_have_no_gate_that_nobody_named() {
    let mut other = case(0, &TWO);
    other.state = Json::String("another".to_owned());
    let pairing = paired(
        side("m", vec![(case(0, &TWO), chose(0))]),
        side("m", vec![(other, chose(1))]),
    )
    .unwrap();
    let subjects = |entry: &[&str]| {
        let specs: Vec<_> = entry
            .iter()
            .flat_map(|entry| flipside_core::gate::GateSpec::parse_list(entry).unwrap())
            .collect();
        let limits = pairing.gates(&specs, false).limits;
        limits
            .iter()
            .map(|(subject, _)| subject.name())
            .collect::<Vec<_>>()
    };
    assert!(!subjects(&[]).iter().any(|name| name == "phrasing"));
    assert!(
        subjects(&["phrasing<=5%"])
            .iter()
            .any(|name| name == "phrasing")
    );
}

#[test]
fn what_is_on_one_side_only_or_cannot_be_told_is_left_out_under_its_own_name() {
    let mut statement = case(3, &[("false", "no"), ("true", "yes")]);
    statement.question.kind = flipside_core::case::QuestionKind::Noul;
    let mut labelled = case(5, &TWO);
    labelled.accept = vec![OptionId(0)].into();
    let mut otherwise = reversed(case(5, &TWO));
    // Place 0 of the reversed list is identity 1.
    otherwise.accept = vec![OptionId(0)].into();
    let baseline = vec![
        (case(0, &TWO), chose(0)),
        (case(1, &TWO), chose(0)),
        (case(2, &TWO), chose(0)),
        (case(2, &TWO), chose(1)),
        (statement, chose(0)),
        (case(4, &TWO), failed()),
        (labelled, chose(0)),
        // The same row again says nothing new.
        (case(0, &TWO), chose(0)),
    ];
    let variant = vec![
        (reversed(case(0, &TWO)), chose(0)),
        (case(1, &[("x", "a dog"), ("y", "a cat")]), chose(0)),
        (case(2, &TWO), chose(0)),
        (case(3, &TWO), chose(0)),
        (reversed(case(4, &TWO)), chose(0)),
        (otherwise, chose(0)),
        (case(9, &TWO), chose(0)),
    ];
    let summary = summary(baseline, variant);
    let found = found(&summary);
    assert_eq!((found.joined, found.repeated), (3, 1));
    assert_eq!((found.only_baseline, found.only_variant), (0, 2));
    assert_eq!((found.other_options, found.other_types), (1, 1));
    assert_eq!((found.failed, found.other_labels), ([1, 0], 1));
    let figure = &summary.axes["order"]["reverse"].figure;
    assert_eq!((figure.pairs, figure.missing), (2, 1));
    // The baseline's label: identity 0 was right, and the variant chose identity 1.
    assert_eq!(summary.fit.right, 1);
    assert_eq!(
        summary.axes["order"]["reverse"]
            .accuracy
            .as_ref()
            .unwrap()
            .right,
        0
    );
}

#[test]
fn without_an_order_on_record_nothing_is_told_of_places() {
    let unlisted = |number: usize, right: u16| {
        let mut case = crate::common::case(number, ["a", "b", "c"]);
        case.brought.unlisted = true;
        case.state = Json::Null;
        case.accept = vec![OptionId(right)].into();
        case
    };
    let rows = |choices: [u16; 9]| {
        let rows = choices.into_iter().enumerate();
        rows.map(|(number, choice)| (unlisted(number, 0), chose(choice)))
            .collect()
    };
    let summary = summary(rows([0; 9]), rows([0, 0, 0, 0, 0, 0, 0, 1, 2]));
    let line = &summary.axes["unrecorded"]["variant"];
    assert_eq!((line.figure.flips, line.figure.pairs), (Some(2), 9));
    assert_eq!(line.figure.verdict, Verdict::NoGate);
    assert_eq!((line.moved, line.position_following), (0, 0));
    assert_eq!(line.accuracy.as_ref().unwrap().right, 7);
    assert_eq!(line.anchored, None);
    assert_eq!(summary.position, None);
    assert_eq!(summary.fit.right, 9);
    assert_eq!(summary.fit.position_baseline, None);
    assert!(summary.fit.accepted_positions.is_empty());
    assert!(summary.fit.informative && summary.fit.key_baseline.is_some());
    assert!(summary.cases.iter().all(|case| case.unlisted));
    assert_eq!(summary.gates.len(), 1, "fit alone");
    assert_eq!(summary.exit, 0);
    assert_eq!(found(&summary).unlisted, 9);
}

#[test]
fn where_no_case_is_labelled_no_fit_gate_is_there_unless_it_is_named() {
    let pairs = || {
        let baseline = side("m", vec![(case(0, &TWO), chose(0))]);
        paired(
            baseline,
            side("m", vec![(reversed(case(0, &TWO)), chose(1))]),
        )
        .unwrap()
    };
    assert_eq!(pairs().gates(&[], false).limits.len(), 1, "the order's");
    let named = flipside_core::gate::GateSpec::parse_list("fit>=90%").unwrap();
    let gates = pairs().gates(&named, false);
    let summary = pairs().summary(&gates, "test", None);
    assert_eq!(summary.exit, 1);
    assert_eq!(summary.fit.figure.verdict, Verdict::NotMeasured);
}

#[test]
fn an_option_that_speaks_about_others_is_no_pair_of_another_order() {
    let dependent = |mut case: flipside_core::case::Case| {
        case.position_dependent = Some("none of the above".to_owned());
        case
    };
    let summary = summary(
        vec![(case(0, &TWO), chose(0)), (case(1, &TWO), chose(0))],
        vec![
            (dependent(reversed(case(0, &TWO))), chose(0)),
            (reversed(case(1, &TWO)), chose(0)),
        ],
    );
    let line = &summary.axes["order"]["reverse"];
    assert_eq!((line.figure.flips, line.figure.pairs), (Some(1), 1));
    assert_eq!(line.vacuous_reasons[&VacuousReason::PositionDependent], 1);
}

#[test]
fn a_state_that_lists_the_options_is_counted_where_their_order_changed() {
    let listing = |mut case: flipside_core::case::Case| {
        case.state = Json::String("1. a small model\n2. a large model".to_owned());
        case.question.instructions = Some(Json::String("a small model, or not".to_owned()));
        case
    };
    let summary = summary(
        vec![
            (listing(case(0, &TWO)), chose(0)),
            (case(1, &TWO), chose(0)),
        ],
        vec![
            (listing(reversed(case(0, &TWO))), chose(0)),
            (reversed(case(1, &TWO)), chose(0)),
        ],
    );
    let quoted = found(&summary).quoted;
    assert_eq!((quoted.state, quoted.instructions), (1, 0));
}

#[test]
fn one_set_with_several_orders_of_each_case_is_measured_like_a_probe() {
    let asked = |number: usize, own: u16, other: u16| {
        let case = case(number, &TWO);
        let ask = |variant: Variant, order: Order, id: u16| RecordedAsk {
            variant: variant.into(),
            order,
            outcome: with(if id == 0 { &[0.6, 0.4] } else { &[0.4, 0.6] }),
        };
        CaseAnswers {
            asks: vec![
                ask(Variant::baseline(), Order::own(2), own),
                ask(Variant::order("reverse"), Order::reverse(2), other),
                ask(Variant::on(Axis::Keys, "abstract"), Order::own(2), other),
            ],
            case,
        }
    };
    let summary = summary_of(
        several(set(
            "m",
            vec![asked(0, 0, 1), asked(1, 0, 0), asked(2, 1, 0)],
        ))
        .unwrap(),
    );
    let figure = &summary.axes["order"]["reverse"].figure;
    assert_eq!((figure.flips, figure.pairs), (Some(2), 3));
    assert_eq!(figure.verdict, Verdict::CauseOpen);
    // Own order 0, 0, 1 of places; reversed identity 1, 0, 0 stands in place 0, 1, 1: place 0 three times of six.
    assert_eq!(summary.position.unwrap().by_options[0].chosen, [3, 3]);
    let found = summary.recorded_pairs.unwrap();
    assert_eq!(
        (found.joined, found.not_compared, found.variant),
        (3, 3, None)
    );
    assert_eq!((summary.counts.asks, summary.latency), (6, None));
    assert!(summary.cases[0].asks.iter().all(|ask| ask.ms.is_none()));
}
