//! The rows of an option less and an option more.

use flipside_core::plan::VacuousReason;
use flipside_core::summary::{
    Attention, AttentionReason, DriftReason, Invariance, Rule, Summary, Verdict,
};

use super::*;
use crate::terminal::render;

fn quiet() -> Summary {
    example::composed(content(30, &CHECK, false))
}

/// The row that begins with `start`, with what wraps beneath it.
fn row(text: &str, start: &str) -> String {
    let mut lines = text.lines().skip_while(|line| !line.starts_with(start));
    let first = lines
        .next()
        .unwrap_or_else(|| panic!("no line `{start}` in\n{text}"));
    let rest = lines.take_while(|line| line.starts_with("      "));
    flat(
        &std::iter::once(first)
            .chain(rest)
            .collect::<Vec<_>>()
            .join(" "),
    )
}

fn change(change: impl Fn(&mut flipside_core::summary::DropComposition)) -> String {
    let mut summary = quiet();
    change(summary.composition.as_mut().unwrap().drop.as_mut().unwrap());
    render(&summary, &WIDE)
}

#[test]
fn one_row_stands_for_every_option_and_one_says_what_it_shows_beside_flips() {
    let text = render(&quiet(), &WIDE);
    assert_eq!(
        row(&text, "drop   each option"),
        "drop each option 3/120 flipped up to 10.5% in general 30 more pairs without the choice itself"
    );
    assert_eq!(
        row(&text, "drop   composition"),
        "drop composition attentive to which options are listed; runner-up kept in 28/30; log-odds moved by 0.02 \
         (median), 0.31 (p95), beyond float error in 12/150; at equal size 1/80 flipped, 2 left the choice alike"
    );
    assert_eq!(
        row(&text, "decoy  none"),
        "decoy none 3/30 flipped up to 18.0% in general"
    );
    assert_eq!(
        row(&text, "decoy  composition"),
        "decoy composition independent: each option is scored for itself; decoy chosen in 2/30 (up to 14.7% in \
         general); choice among the others moved in 1/28; no log-odds moved"
    );
    let rows = text.lines().filter(|line| line.starts_with("drop")).count();
    assert_eq!(rows, 2, "{text}");
    let narrow = render(&quiet(), &NARROW);
    assert!(
        narrow.lines().all(|line| line.chars().count() <= 80),
        "{narrow}"
    );
}

#[test]
fn a_model_is_called_blind_to_order_and_attentive_to_composition_at_once() {
    let mut summary = quiet();
    let invariant = |known| Invariance {
        numerically_invariant: known,
        tolerance: 1e-5,
        reason: known.is_none().then_some(DriftReason::Rounded),
    };
    let with = |summary: &mut Summary, known| {
        for line in summary.axes["order"].values_mut() {
            let mut drift = example::drift(0.0, "case-1");
            drift.invariance = invariant(known);
            line.drift = Some(drift);
        }
    };
    with(&mut summary, Some(true));
    let said = row(&render(&summary, &WIDE), "drop   composition");
    assert!(
        said.starts_with(
            "drop composition attentive to which options are listed, not to their order; "
        ),
        "{said}"
    );
    // Rounding may hide what order does, and so may an answer that is missing.
    with(&mut summary, None);
    assert!(!render(&summary, &WIDE).contains("not to their order"));
    with(&mut summary, Some(true));
    summary.axes["order"]["reverse"].figure.missing = 1;
    assert!(!render(&summary, &WIDE).contains("not to their order"));
    summary.axes.shift_remove("order");
    assert!(!render(&summary, &WIDE).contains("not to their order"));
}

#[test]
fn an_effect_of_size_is_told_from_one_of_which_options_are_listed() {
    let said = |attention| {
        let text = change(|found| found.attention = attention);
        row(&text, "drop   composition")
    };
    assert!(said(Attention::Size).starts_with(
        "drop composition sized: it matters how many options are listed, not which; runner-up"
    ));
    assert!(said(Attention::AttentiveOrSize).starts_with(
        "drop composition attentive to which or how many options are listed; runner-up"
    ));
    assert!(
        said(Attention::Independent).starts_with(
            "drop composition independent: each option is scored for itself; runner-up"
        )
    );
}

#[test]
fn what_is_not_known_says_why() {
    let open = |reason| {
        change(|found| {
            found.attention = Attention::Open;
            found.attention_reason = Some(reason);
        })
    };
    for (reason, why) in [
        (AttentionReason::NoAnswers, "no pair has two answers"),
        (
            AttentionReason::NoProbabilities,
            "choices did not move, and answers without probabilities hide the rest",
        ),
        (
            AttentionReason::Zeros,
            "choices did not move, and probabilities of 0 hide the rest",
        ),
        (
            AttentionReason::Rounded,
            "nothing moved beyond rounding, which may hide the rest",
        ),
        (
            AttentionReason::Missing,
            "nothing moved in the answers there are, and some are missing",
        ),
        (
            AttentionReason::Flips,
            "choices moved, and were not shown to come again",
        ),
        (
            AttentionReason::NoControl,
            "log-odds moved, and no control with probabilities tells it from noise; add `same:1` to `--order`",
        ),
        (
            AttentionReason::NoisyControl,
            "log-odds moved, and so do those of the control",
        ),
    ] {
        let said = row(&open(reason), "drop   composition");
        let expected = format!("drop composition open: {why}; runner-up kept in 28/30");
        assert!(said.starts_with(&expected), "{said}");
    }
}

#[test]
fn rounded_and_missing_probabilities_say_so() {
    let rounded = change(|found| {
        found.shared.step = Some(0.01);
        found.shared.beyond_rounding.hits = 0;
    });
    assert!(row(&rounded, "drop   composition").contains(
        "log-odds moved by 0.02 (median), 0.31 (p95), beyond rounding to 0.01 in 0/150; at equal size"
    ));
    let noise = change(|found| found.shared.log_odds.median = Some(1.67e-16));
    assert!(row(&noise, "drop   composition").contains("log-odds moved by 0 (median), 0.31 (p95)"));
    let none = change(|found| {
        found.shared.log_odds.median = None;
        found.shared.log_odds.largest = None;
        found.shared.log_odds.reason = Some(DriftReason::Zeros);
    });
    assert!(row(&none, "drop   composition").contains(
        "no log-odds: probabilities of 0 have no logarithm; moved beyond float error in 12/150;"
    ));
    let bare = change(|found| {
        found.shared.log_odds.median = None;
        found.shared.log_odds.largest = None;
        found.shared.log_odds.reason = Some(DriftReason::NoProbabilities);
        found.shared.beyond_rounding = flipside_core::summary::PairShare::default();
        found.choice_dropped.runner_up = flipside_core::summary::PairShare::default();
        found.equal_size = None;
    });
    assert!(row(&bare, "drop   composition").ends_with(
        "attentive to which options are listed; no log-odds: answers without probabilities"
    ));
}

#[test]
fn a_gate_has_its_limit_and_its_word_and_counts_stand_under_their_names() {
    let text = change(|found| {
        let figure = &mut found.figure;
        (figure.limit, figure.verdict) = (Some(0.01), Verdict::DropSensitive);
        (figure.tie_flips, figure.firm_flips) = (Some(1), Some(2));
        (
            figure.missing,
            figure.unasked,
            figure.no_decision,
            figure.vacuous,
        ) = (4, 2, 3, 5);
        found
            .vacuous_reasons
            .insert(VacuousReason::TooFewOptions, 5);
        (
            found.no_decision_flips,
            found.declared_same,
            found.other_version,
        ) = (1, 6, 4);
    });
    assert_eq!(
        row(&text, "drop   each option"),
        "drop each option 3/120 flipped at least 1.5% in general limit 1% drop-sensitive, 30 more pairs without the choice \
         itself, 1 flip to or from no decision, 6 with an equal option, 1 flip within a tie, 4 missing (4 across a change \
         of the served model), 2 unasked, 3 without a decision, 5 vacuous (fewer than three options)"
    );
}

#[test]
fn an_inconclusive_verdict_says_how_many_more_cases_or_clusters() {
    let inconclusive = |summary: &mut Summary| {
        let found = summary.composition.as_mut().unwrap().drop.as_mut().unwrap();
        let figure = &mut found.figure;
        (figure.limit, figure.rule) = (Some(0.05), Rule::General);
        figure.verdict = Verdict::Inconclusive;
        figure.clusters.as_mut().unwrap().more_clusters = Some(29);
    };
    let mut summary = quiet();
    inconclusive(&mut summary);
    assert!(row(&render(&summary, &WIDE), "drop   each option").contains(
        "inconclusive in general: about 29 more cases without a flip would settle it (30 more pairs"
    ));
    summary.cluster = Some(flipside_core::summary::Clustering {
        field: "base".to_owned(),
        clusters: 12,
        largest: 3,
    });
    assert!(
        row(&render(&summary, &WIDE), "drop   each option")
            .contains("about 29 more clusters without a flip would settle it")
    );
}

#[test]
fn verbose_has_a_row_for_each_option_and_for_each_figure() {
    let text = render(&quiet(), &VERBOSE);
    for name in ["0", "1", "2", "3", "4"] {
        assert!(
            text.lines()
                .any(|line| flat(line).starts_with(&format!("drop {name} "))),
            "{text}"
        );
    }
    for (start, expected) in [
        (
            "drop      runner-up",
            "drop runner-up kept in 28/30 (93.3%, 95% CI 46.7-100.0%); 30 pairs without the choice itself",
        ),
        (
            "drop      log-odds",
            "drop log-odds median 0.02 (95% CI 0.01 to 0.04), p95 0.31 (95% CI 0.155 to 0.9), largest 0.9 (case-7), 30 pairs",
        ),
        (
            "drop      rounding",
            "drop rounding moved beyond it in 12/150 (8.0%, 95% CI 4.0-18.0%); no decimal steps, tolerance 2e-5",
        ),
        (
            "drop      equal size",
            "drop equal size 1/80 (1.2%, 95% CI 0.0-6.8%) flipped, 2 left the choice alike, 3 chose what one list lacks",
        ),
        (
            "drop      single options",
            "drop single options 600 beside an option left out, 900 at equal size with one neighbour exchanged",
        ),
        (
            "decoy     chosen",
            "decoy chosen in 2/30 (6.7%, 95% CI 3.3-16.7%)",
        ),
        (
            "decoy     others",
            "decoy others moved in 1/28 (3.6%, 95% CI 1.8-13.6%)",
        ),
    ] {
        let start = flat(start);
        let found = text.lines().find(|line| flat(line).starts_with(&start));
        let found = found.unwrap_or_else(|| panic!("no `{start}` in\n{text}"));
        assert_eq!(row(&text, found), expected);
    }
}

#[test]
fn what_was_not_asked_or_never_applied_has_no_second_row() {
    let text = change(|found| {
        let figure = &mut found.figure;
        (
            figure.asked,
            figure.pairs,
            figure.applicable,
            figure.vacuous,
        ) = (0, 0, 0, 30);
        figure.flips = Some(0);
        figure.verdict = Verdict::NotApplicable;
        found.choice_dropped.pairs = 0;
        found
            .vacuous_reasons
            .insert(VacuousReason::TooFewOptions, 28);
        found.vacuous_reasons.insert(VacuousReason::NotAChoice, 2);
    });
    assert_eq!(
        row(&text, "drop   each option"),
        "drop each option 0/0 nothing to compare not applicable, 30 vacuous (28: fewer than three options and 2: levels and \
         statements gain and lose no option)"
    );
    assert!(!text.contains("drop   composition"), "{text}");
    assert!(!render(&content(30, &CHECK, false), &WIDE).contains("composition"));
}

#[test]
fn several_decoys_share_one_row_and_the_file_as_population_changes_what_is_claimed() {
    let mut summary = quiet();
    let line = summary.axes["decoy"]["none"].clone();
    summary.axes["decoy"].insert("own:1".to_owned(), line);
    summary.judging.population = flipside_core::gate::Population::File;
    let text = render(&summary, &WIDE);
    assert!(
        row(&text, "decoy  each decoy")
            .starts_with("decoy each decoy 3/30 flipped up to 18.0% in this file"),
        "{text}"
    );
    assert!(
        row(&text, "decoy  composition")
            .contains("decoy chosen in 2/30 (up to 14.7% in this file)")
    );
}
