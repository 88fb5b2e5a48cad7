//! One option more.

use flipside_core::case::{CaseOption, Key};
use flipside_core::json::Json;
use flipside_core::summary::{Attention, Verdict};

use super::{Run, Shown, Told, close, decoy_of, drop_of};

fn run(cases: usize) -> Run {
    Run {
        axes: "decoy",
        ..Run::new(cases, 3)
    }
}

/// The weights of three options, and of the decoy after them.
fn weigh(shown: &Shown<'_>, weights: [f64; 4]) -> Told {
    shown.weigh(|id| weights[usize::from(id)])
}

#[test]
fn how_often_the_decoy_is_chosen_is_told_apart_from_what_it_does_to_the_others() {
    let summary = run(10).summary(|shown| match (shown.number(), shown.shows(3)) {
        // Two of ten choose it; it stands for itself and moves no other.
        (0 | 1, _) => weigh(shown, [5.0, 4.0, 1.0, 9.0]),
        // One is moved by it and does not choose it.
        (2, true) => weigh(shown, [5.0, 8.0, 1.0, 2.0]),
        _ => weigh(shown, [5.0, 4.0, 1.0, 2.0]),
    });
    let found = decoy_of(&summary);
    assert_eq!(
        (found.figure.pairs, found.figure.flips, found.cases),
        (10, Some(3), 10)
    );
    assert_eq!((found.chosen.of, found.chosen.hits), (10, 2));
    // Clopper and Pearson one-sided, the 95th percentile of beta(3, 8) by binomial sums; Wilson for the table.
    close(found.chosen.upper, 0.506_902);
    let [lower, upper] = found.chosen.interval.unwrap();
    close(Some(lower), 0.056_682);
    close(Some(upper), 0.509_838);
    assert_eq!((found.moved_others.of, found.moved_others.hits), (8, 1));
    // ln(8/5) - ln(4/5) = ln 2, in one of ten.
    close(found.shared.log_odds.largest, 2_f64.ln());
    assert_eq!(
        (
            found.shared.beyond_rounding.of,
            found.shared.beyond_rounding.hits
        ),
        (10, 1)
    );
    assert_eq!(found.attention, Attention::AttentiveOrSize);
    assert_eq!((found.equal_size, found.declared_same), (None, 0));
    assert!(summary.composition.unwrap().drop.is_none());
    // The line of the one decoy says the same.
    assert_eq!(summary.axes["decoy"]["none"].figure.flips, Some(3));
}

#[test]
fn a_decoy_that_takes_its_share_alike_moves_nothing() {
    let found = decoy_of(&run(6).summary(|shown| weigh(shown, [5.0, 4.0, 1.0, 9.0])));
    assert_eq!((found.figure.flips, found.chosen.hits), (Some(6), 6));
    assert_eq!((found.moved_others.of, found.moved_others.rate), (0, None));
    assert!(found.shared.log_odds.largest.unwrap() < 1e-12);
    assert_eq!(found.shared.beyond_rounding.hits, 0);
    // It flips by being chosen, which says nothing about the others.
    assert_eq!(found.attention, Attention::Independent);
}

#[test]
fn answers_that_failed_or_declined_are_no_refusals_of_the_decoy() {
    let found = decoy_of(
        &run(6).summary(|shown| match (shown.number(), shown.shows(3)) {
            // Of case 3 the own list failed, so there is no pair; the decoy was chosen all the same.
            (0, true) | (3, false) => Told::Failed,
            (1, true) => Told::Unasked,
            (2, true) => Told::Nothing,
            (3, true) => Told::Bare(3),
            _ => weigh(shown, [5.0, 4.0, 1.0, 2.0]),
        }),
    );
    assert_eq!(
        (
            found.figure.pairs,
            found.figure.missing,
            found.figure.unasked
        ),
        (3, 2, 1)
    );
    assert_eq!((found.chosen.of, found.chosen.hits), (3, 1));
    // One of three, and two that are lost: at most three of five. The 95th percentile of beta(4, 2).
    close(found.chosen.upper, 0.923_560);
    assert_eq!((found.no_decision_flips, found.moved_others.hits), (1, 1));
}

#[test]
fn lists_with_different_decoys_are_of_equal_size() {
    let mut run = Run {
        axes: "decoy:own",
        gates: "none:fit,none:order,decoy<=20%",
        ..Run::new(10, 3)
    };
    for case in &mut run.cases {
        let decoy = |key: &str| CaseOption {
            key: Key(key.to_owned()),
            text: Some(Json::String(key.to_owned())),
        };
        case.brought.decoys = vec![decoy("x"), decoy("y"), decoy("z")].into();
    }
    // `y` moves the choice from 0 to 1, `z` is chosen, and `x` does nothing.
    let summary = run.summary(|shown| {
        let decoy = shown
            .case
            .options
            .get(3)
            .map(|option| option.key.0.as_str());
        let weights = match decoy {
            Some("y") => [5.0, 8.0, 1.0, 1.0],
            Some("z") => [5.0, 4.0, 1.0, 9.0],
            _ => [5.0, 4.0, 1.0, 1.0],
        };
        weigh(shown, weights)
    });
    let found = decoy_of(&summary);
    assert_eq!((found.figure.pairs, found.figure.flips), (30, Some(20)));
    assert_eq!((found.chosen.of, found.chosen.hits), (30, 10));
    assert_eq!((found.moved_others.of, found.moved_others.hits), (20, 10));
    let equal = found.equal_size.unwrap();
    // Of x-y, x-z and y-z in each case the first is a flip, and in the others the decoy was chosen.
    assert_eq!((equal.pairs, equal.flips, equal.unshared), (10, 10, 20));
    assert_eq!(
        (
            equal.shared.beyond_rounding.of,
            equal.shared.beyond_rounding.hits
        ),
        (30, 20)
    );
    assert_eq!(
        found.attention,
        Attention::Attentive,
        "`y` and `x` move the others differently"
    );
    // One figure over all decoys is judged, and no decoy alone.
    assert_eq!(found.figure.verdict, Verdict::DecoySensitive);
    let lines = summary.axes["decoy"].values();
    let words: Vec<&Verdict> = lines.map(|line| &line.figure.verdict).collect();
    assert_eq!(words, [&Verdict::NoGate; 3]);
    let gate = &summary.gates[0];
    assert_eq!(
        (gate.subject.as_str(), gate.held, &gate.decided_by),
        ("decoy", false, &None)
    );
}

#[test]
fn both_axes_of_one_run_stand_beside_each_other() {
    let run = Run {
        axes: "drop,decoy",
        ..Run::new(4, 3)
    };
    let summary = run.summary(|shown| weigh(shown, [5.0, 4.0, 1.0, 2.0]));
    assert_eq!(drop_of(&summary).figure.pairs, 8);
    assert_eq!(decoy_of(&summary).figure.pairs, 4);
    let json = serde_json::to_value(&summary).unwrap();
    assert_eq!(
        json["composition"]["drop"]["choice_dropped"]["runner_up"]["hits"],
        4
    );
    assert_eq!(json["composition"]["decoy"]["chosen"]["of"], 4);
    assert_eq!(json["composition"]["decoy"]["beyond_rounding"]["hits"], 0);
    let plain = Run {
        axes: "whitespace",
        ..Run::new(2, 3)
    };
    let summary = plain.summary(|shown| weigh(shown, [5.0, 4.0, 1.0, 2.0]));
    assert_eq!(summary.composition, None);
}
