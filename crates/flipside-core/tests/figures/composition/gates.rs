//! A gate on the whole axis judges one figure over the cases, one on a variant that variant's line.

use flipside_core::case::FieldValue;
use flipside_core::summary::{Rule, Summary, Verdict};

use super::{Run, Shown, Told, close, drop_of};

/// Without 3 the choice moves from 0 to 1, in the cases before `flipped`.
fn moved(shown: &Shown<'_>, flipped: usize) -> Told {
    shown.weigh(|id| match id {
        1 if !shown.shows(3) && shown.number() < flipped => 16.0,
        id => [5.0, 4.0, 2.0, 1.0][usize::from(id)],
    })
}

fn run(cases: usize, gates: &'static str, strict: bool) -> Run {
    Run {
        gates,
        strict,
        ..Run::new(cases, 4)
    }
}

fn gates(summary: &Summary) -> Vec<(&str, bool, &Verdict)> {
    let gates = summary.gates.iter();
    gates
        .map(|gate| (gate.subject.as_str(), gate.held, &gate.verdict))
        .collect()
}

#[test]
fn the_pooled_rate_is_judged_and_not_the_worst_option() {
    // Every case flips without option 3: 10 of 30 pairs, 10 of 10 of that line.
    let summary = run(10, "none:fit,none:order,drop<=40%", false).summary(|shown| moved(shown, 10));
    assert_eq!(gates(&summary), [("drop", true, &Verdict::Stable)]);
    assert_eq!(summary.exit, 0);
    let summary = run(10, "none:fit,none:order,drop<=30%", false).summary(|shown| moved(shown, 10));
    assert_eq!(gates(&summary), [("drop", false, &Verdict::DropSensitive)]);
    let found = drop_of(&summary);
    assert_eq!(
        (found.figure.limit, found.figure.rule),
        (Some(0.3), Rule::File)
    );
    // 0 is the choice, so that there is no pair without it.
    let lines = summary.axes["drop"].values();
    let words: Vec<_> = lines
        .map(|line| (line.figure.limit, &line.figure.verdict))
        .collect();
    let no = (None, &Verdict::NoGate);
    assert_eq!(words, [(None, &Verdict::NotMeasured), no, no, no]);
}

#[test]
fn a_gate_on_one_option_stands_beside_it() {
    let text = "none:fit,none:order,drop<=40%,drop.3<=5%,drop.0<=5%,drop.1<=5%,drop.2<=5%";
    let summary = run(10, text, false).summary(|shown| moved(shown, 10));
    assert_eq!(
        gates(&summary),
        [
            ("drop", true, &Verdict::Stable),
            ("drop.3", false, &Verdict::DropSensitive),
            ("drop.0", false, &Verdict::NotMeasured),
            ("drop.1", true, &Verdict::Stable),
            ("drop.2", true, &Verdict::Stable),
        ]
    );
    let summary =
        run(10, "none:fit,none:order,drop.3<=5%", false).summary(|shown| moved(shown, 10));
    assert_eq!(
        gates(&summary),
        [("drop.3", false, &Verdict::DropSensitive)]
    );
    assert_eq!(drop_of(&summary).figure.verdict, Verdict::NoGate);
}

#[test]
fn without_a_gate_nothing_is_judged_and_with_one_nothing_asked_does_not_hold() {
    let summary = run(10, "none:fit,none:order", false).summary(|shown| moved(shown, 10));
    assert!(summary.gates.is_empty());
    assert!(summary.confirmed.is_empty());
    let without = Run {
        axes: "whitespace",
        ..run(4, "none:fit,none:order,none:whitespace,drop<=5%", false)
    };
    let summary = without.summary(|shown| moved(shown, 0));
    assert_eq!(gates(&summary), [("drop", false, &Verdict::NotMeasured)]);
    assert_eq!(
        summary.gates[0].reason.as_deref(),
        Some("no other variant was asked")
    );
}

#[test]
fn in_general_the_bound_over_cases_decides() {
    // 59 cases without a flip show 5 %, as 59 pairs do; 177 pairs of 59 cases show no more, and 58 cases do not.
    let summary = run(59, "none:fit,none:order,drop<=5%", true).summary(|shown| moved(shown, 0));
    assert_eq!(gates(&summary), [("drop", true, &Verdict::Stable)]);
    close(drop_of(&summary).figure.upper, 0.049_508);
    let summary = run(58, "none:fit,none:order,drop<=5%", true).summary(|shown| moved(shown, 0));
    assert_eq!(gates(&summary), [("drop", false, &Verdict::Inconclusive)]);
    let found = drop_of(&summary);
    assert_eq!(found.figure.rule, Rule::General);
    assert_eq!(found.figure.clusters.unwrap().more_clusters, Some(1));
    // 20 of 60 pairs flip, one in each of 20 cases, which vary by nothing: the lower bound is that of 60, 0.233 and more.
    let summary = run(20, "none:fit,none:order,drop<=20%", true).summary(|shown| moved(shown, 20));
    assert_eq!(gates(&summary), [("drop", false, &Verdict::DropSensitive)]);
    // The 5th percentile of beta(20, 41), by binomial sums.
    close(drop_of(&summary).figure.lower, 0.233_037);
}

#[test]
fn fewer_than_ten_declared_clusters_are_never_stable() {
    let mut few = run(12, "none:fit,none:order,drop<=40%", false);
    for (number, case) in few.cases.iter_mut().enumerate() {
        let base = FieldValue::Text((number % 4).to_string());
        case.fields = vec![("base".to_owned(), base)].into();
    }
    few.cluster = Some("base");
    let summary = few.summary(|shown| moved(shown, 0));
    assert_eq!(gates(&summary), [("drop", false, &Verdict::Undecided)]);
    assert_eq!(
        summary.gates[0].reason.as_deref(),
        Some("4 clusters, 10 are needed")
    );
    few.cluster = None;
    let summary = few.summary(|shown| moved(shown, 0));
    assert_eq!(gates(&summary), [("drop", true, &Verdict::Stable)]);
}

#[test]
fn about_the_file_a_few_cases_that_are_no_clusters_are_enough() {
    let few = run(4, "none:fit,none:order,drop<=5%", false);
    let summary = few.summary(|shown| moved(shown, 0));
    assert_eq!(gates(&summary), [("drop", true, &Verdict::Stable)]);
    // 1 - .05^(1/4) in general.
    close(drop_of(&summary).figure.upper, 0.527_129);
}

#[test]
fn missing_pairs_never_make_it_hold() {
    let lost = |shown: &Shown<'_>| match shown.number() {
        0 if shown.list.len() == 3 => Told::Failed,
        _ => moved(shown, 0),
    };
    let summary = run(10, "none:fit,none:order,drop<=5%", false).summary(lost);
    assert_eq!(gates(&summary), [("drop", false, &Verdict::Undecided)]);
    assert_eq!(
        summary.gates[0].reason.as_deref(),
        Some("3 of 30 pairs are missing; ask them again first")
    );
}

#[test]
fn one_test_of_the_whole_axis_is_in_the_correction_and_not_one_of_each_option() {
    // Two tests in the family: the order, which flips nowhere, and the axis, p from its bound over cases.
    let both = Run {
        orders: "reverse,same:1",
        ..run(12, "none:fit,order<=5%,drop<=20%", true)
    };
    let summary = both.summary(|shown| moved(shown, 12));
    // 12 of 36 pairs at 20 %: by binomial sums 0.0424 alone and 0.0849 by Holm.
    let found = drop_of(&summary);
    assert_eq!(found.figure.verdict, Verdict::Inconclusive);
    assert_eq!(
        found.figure.reason.as_deref(),
        Some("over the limit alone, not after correction for 2 variants (Holm p 0.08)")
    );
    for line in summary.axes["drop"].values() {
        assert_eq!(line.over_limit_p, None);
    }
    // Alone it is over the limit.
    let summary = run(12, "none:fit,none:order,drop<=20%", true).summary(|shown| moved(shown, 12));
    assert_eq!(drop_of(&summary).figure.verdict, Verdict::DropSensitive);
}

#[test]
fn flips_that_do_not_come_again_are_noise() {
    let noisy = |shown: &Shown<'_>| moved(shown, if shown.round == 0 { 20 } else { 0 });
    let summary = run(20, "none:fit,none:order,drop<=30%", false).summary(noisy);
    let found = drop_of(&summary);
    assert_eq!(summary.confirmed["drop"].replicated, 0);
    assert_eq!(found.figure.verdict, Verdict::Noisy);
    assert_eq!(
        found.attention_reason, None,
        "log-odds moved and the control's did not"
    );
}
