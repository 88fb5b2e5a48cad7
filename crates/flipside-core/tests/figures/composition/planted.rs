//! Models whose composition is known: what each of them must be called, and what not.

use flipside_core::summary::{Attention, AttentionReason, Verdict};

use super::{Run, Shown, Told, close, drop_of};

/// Weights that move from option to option with the case.
fn fixed(shown: &Shown<'_>) -> Told {
    let number = shown.number();
    shown.weigh(|id| [5.0, 3.1, 2.3, 1.7][(usize::from(id) + number) % 4])
}

#[test]
fn a_scorer_of_single_options_never_moves_whatever_is_left_out() {
    let run = Run {
        orders: "reverse,same:1",
        ..Run::new(12, 4)
    };
    let summary = run.summary(fixed);
    let found = drop_of(&summary);
    // Four options left out in each of 12 cases; one of the four is the choice.
    assert_eq!(
        (found.figure.pairs, found.figure.flips, found.cases),
        (36, Some(0), 12)
    );
    assert_eq!(
        (found.shared.with_probabilities, found.shared.zeros),
        (48, 0)
    );
    assert!(found.shared.log_odds.largest.unwrap() < 1e-12);
    assert!(found.shared.luce_distance.largest.unwrap() < 1e-12);
    assert_eq!(
        (
            found.shared.beyond_rounding.of,
            found.shared.beyond_rounding.hits
        ),
        (48, 0)
    );
    let dropped = &found.choice_dropped;
    assert_eq!(
        (dropped.pairs, dropped.runner_up.of, dropped.runner_up.hits),
        (12, 12, 12)
    );
    let equal = found.equal_size.unwrap();
    assert_eq!((equal.flips, equal.left, equal.unshared), (0, 0, 0));
    assert!(equal.shared.log_odds.largest.unwrap() < 1e-12);
    assert_eq!(
        (found.attention, found.attention_reason),
        (Attention::Independent, None)
    );
    assert_eq!(summary.axes["order"]["reverse"].figure.flips, Some(0));
}

/// Option 1 gets more weight when option 3 is missing, and position nothing.
fn attentive(shown: &Shown<'_>) -> Told {
    shown.weigh(|id| match id {
        1 if !shown.shows(3) => 16.0,
        id => [5.0, 4.0, 2.0, 1.0][usize::from(id)],
    })
}

#[test]
fn a_model_can_be_blind_to_position_and_attentive_to_composition_at_once() {
    let run = Run {
        orders: "reverse,rotate:1,same:1",
        gates: "none:fit,order<=5%",
        ..Run::new(10, 4)
    };
    let summary = run.summary(attentive);
    for line in summary.axes["order"].values() {
        assert_eq!(
            (line.figure.flips, &line.figure.verdict),
            (Some(0), &Verdict::Stable)
        );
        let drift = line.drift.as_ref().unwrap();
        assert_eq!(drift.invariance.numerically_invariant, Some(true));
    }
    let found = drop_of(&summary);
    // 0 is the choice. Without 1 or 2 it stays; without 3 the choice is 1, of 16 to 5.
    assert_eq!((found.figure.pairs, found.figure.flips), (30, Some(10)));
    assert_eq!(found.figure.verdict, Verdict::NoGate);
    close(found.figure.rate, 1.0 / 3.0);
    // Without 0 the runner-up is 1, as expected.
    assert_eq!(
        (
            found.choice_dropped.pairs,
            found.choice_dropped.runner_up.hits
        ),
        (10, 10)
    );
    // One list of four moves, by ln(16/5) - ln(4/5) = ln 4.
    close(found.shared.log_odds.largest, 4_f64.ln());
    close(found.shared.log_odds.median, 0.0);
    assert_eq!(
        (
            found.shared.beyond_rounding.of,
            found.shared.beyond_rounding.hits
        ),
        (40, 10)
    );
    // By hand: (5,4,2) of 11 against (5,16,2) of 23: half of |5/11-5/23| + |4/11-16/23| + |2/11-2/23|.
    close(found.shared.luce_distance.largest, 0.332_016);
    assert_eq!(
        (found.attention, found.attention_reason),
        (Attention::Attentive, None)
    );
    assert!(
        summary.gates.iter().all(|gate| gate.held),
        "composition is in no gate"
    );
    assert_eq!(summary.exit, 0);
}

#[test]
fn lists_of_equal_size_show_that_it_matters_which_option_is_missing() {
    let found = Run::new(10, 4).drop(attentive).equal_size.unwrap();
    // 0 is watched. Without 1 and without 2 it is chosen in both; without 2 it is, without 3 it is 1.
    assert_eq!(
        (found.pairs, found.flips, found.left, found.unshared),
        (20, 10, 0, 0)
    );
    close(found.rate, 0.5);
    close(found.shared.log_odds.largest, 4_f64.ln());
    assert_eq!(
        (
            found.shared.beyond_rounding.of,
            found.shared.beyond_rounding.hits
        ),
        (20, 10)
    );
    // Every case is alike, so that clusters of two vary by nothing: the pairs count in full. The 95th
    // percentile of beta(11, 10) and the 5th of beta(10, 11), by binomial sums.
    close(found.upper, 0.698_046);
    close(found.lower, 0.301_954);
}

#[test]
fn an_effect_of_size_alone_flips_when_options_are_left_out_and_in_no_list_of_equal_size() {
    // The first option counts three times as much where fewer than four are offered.
    let sized = |shown: &Shown<'_>| {
        let fewer = shown.list.len() < 4;
        shown.weigh(|id| {
            let first = shown.list[0].0 == id;
            [2.0, 5.0, 4.0, 1.0][usize::from(id)] * if fewer && first { 3.0 } else { 1.0 }
        })
    };
    let found = Run::new(10, 4).drop(sized);
    // 1 is the choice; without 2 or 3 the first wins with 6 to 5, without 0 the choice is the first.
    assert_eq!((found.figure.pairs, found.figure.flips), (30, Some(20)));
    // Without 1 it wins with 6 to 4, and 2 was next.
    assert_eq!(
        (
            found.choice_dropped.runner_up.of,
            found.choice_dropped.runner_up.hits
        ),
        (10, 0)
    );
    assert_eq!(found.attention, Attention::Size);
    let equal = found.equal_size.unwrap();
    // Only 2 and 3 are neighbours without 1 among them: both lists leave 1 for 0.
    assert_eq!((equal.pairs, equal.flips, equal.left), (10, 0, 10));
    assert_eq!(equal.shared.beyond_rounding.hits, 0);
    assert!(equal.shared.log_odds.largest.unwrap() < 1e-12);
}

#[test]
fn a_choice_that_the_other_list_does_not_offer_is_no_flip() {
    // 2 gets what 1 loses when 1 is missing, and 1 what 2 loses: each list chooses what only it shows.
    let found = Run::new(10, 4).drop(|shown| {
        shown.weigh(|id| match id {
            2 if !shown.shows(1) => 9.0,
            1 if !shown.shows(2) => 9.0,
            id => [5.0, 4.0, 4.0, 1.0][usize::from(id)],
        })
    });
    let equal = found.equal_size.unwrap();
    // Without 1 and without 2: one chose 2, the other 1. Without 2 and without 3: 1 and 0, both of which both show.
    assert_eq!((equal.pairs, equal.flips, equal.unshared), (10, 10, 10));
}

#[test]
fn a_picker_of_a_position_is_not_called_attentive() {
    // Weights by position alone, each half of the one before; and a picker of the second position.
    for weights in [[8.0, 4.0, 2.0, 1.0], [4.0, 8.0, 2.0, 1.0]] {
        let run = Run {
            orders: "reverse,rotate:1,same:1",
            gates: "none:fit,order<=5%,drop<=5%",
            ..Run::new(10, 4)
        };
        let summary = run.summary(|shown| Told::Weights(weights[..shown.list.len()].to_vec()));
        assert_eq!(summary.axes["order"]["rotate:1"].figure.flips, Some(10));
        let found = drop_of(&summary);
        // The option left out stands last in the full list and is never chosen there: nothing else moves.
        assert_eq!((found.figure.pairs, found.figure.flips), (40, Some(0)));
        assert_eq!(
            (
                found.choice_dropped.pairs,
                found.shared.beyond_rounding.hits
            ),
            (0, 0)
        );
        assert!(found.shared.log_odds.largest.unwrap() < 1e-12);
        assert_eq!(found.attention, Attention::Independent);
        assert_eq!(found.figure.verdict, Verdict::Stable);
        let equal = found.equal_size.unwrap();
        assert_eq!((equal.flips, equal.left), (0, 0));
        assert!(equal.shared.log_odds.largest.unwrap() < 1e-12);
        let held: Vec<bool> = summary.gates.iter().map(|gate| gate.held).collect();
        assert_eq!(held, [false, true], "order, drop");
    }
}

#[test]
fn a_picker_of_a_position_with_even_odds_for_the_rest_reacts_to_size_and_not_to_which_options_there_are()
 {
    // 0.9 for the first, and what is left shared by as many as there are: ln(.1/3) - ln(.1/2) = ln 1.5 with one less of four.
    let picker = |shown: &Shown<'_>| {
        let rest = [0.1, 0.05, 0.1 / 3.0][shown.list.len() - 2];
        let p = (0..shown.list.len()).map(|place| if place == 0 { 0.9 } else { rest });
        Told::Reported(p.collect())
    };
    let found = Run::new(10, 4).drop(picker);
    assert_eq!((found.figure.pairs, found.figure.flips), (40, Some(0)));
    close(found.shared.log_odds.largest, 1.5_f64.ln());
    assert_eq!(found.shared.beyond_rounding.hits, 40);
    assert_eq!(found.equal_size.unwrap().shared.log_odds.largest, Some(0.0));
    assert_eq!(found.attention, Attention::Size);
    // Three options have no lists of equal size that could tell.
    let found = Run::new(10, 3).drop(picker);
    assert_eq!(
        (found.attention, found.equal_size),
        (Attention::AttentiveOrSize, None)
    );
}

#[test]
fn luces_rule_is_broken_by_the_worked_example() {
    // Statistics page, 9, and golden `loo/drop_c`: (.5,.3,.2) without c replies (.55,.45).
    let found = Run::new(1, 3).drop(|shown| match (shown.list.len(), shown.shows(2)) {
        (2, false) => Told::Reported(vec![0.55, 0.45]),
        _ => shown.weigh(|id| [0.5, 0.3, 0.2][usize::from(id)]),
    });
    close(found.shared.log_odds.largest, 0.310_154_928_304);
    close(found.shared.luce_distance.largest, 0.075);
    assert_eq!((found.figure.pairs, found.figure.flips), (2, Some(0)));
    assert_eq!(found.figure.upper, Some(1.0), "one case bounds nothing");
    assert_eq!(
        found.equal_size, None,
        "two lists of three options share one option"
    );
}

#[test]
fn leaving_out_the_choice_is_never_a_flip_and_asks_for_the_runner_up() {
    // Golden `loo/drop_chosen`: (.5,.3,.2) without a replies (.3,.7), so c came and b was expected.
    let found = Run::new(2, 3).drop(|shown| match (shown.shows(0), shown.number()) {
        (false, 0) => Told::Reported(vec![0.3, 0.7]),
        _ => shown.weigh(|id| [0.5, 0.3, 0.2][usize::from(id)]),
    });
    assert_eq!((found.figure.pairs, found.figure.flips), (4, Some(0)));
    let dropped = found.choice_dropped;
    assert_eq!(
        (dropped.pairs, dropped.runner_up.of, dropped.runner_up.hits),
        (2, 2, 1)
    );
    close(dropped.runner_up.rate, 0.5);
}

#[test]
fn log_odds_that_move_without_a_control_or_with_one_that_moves_are_open() {
    let open = |orders: &'static str, noisy: bool| {
        let run = Run {
            orders,
            ..Run::new(10, 4)
        };
        let found = run.drop(|shown| {
            let control = shown.axis == flipside_core::perturb::Axis::Same;
            if noisy && control {
                return shown.weigh(|id| f64::from(id + 1));
            }
            attentive(shown)
        });
        (found.attention, found.attention_reason)
    };
    assert_eq!(
        open("", false),
        (Attention::Open, Some(AttentionReason::NoControl))
    );
    assert_eq!(
        open("same:1", true),
        (Attention::Open, Some(AttentionReason::NoisyControl))
    );
    assert_eq!(open("same:1", false), (Attention::Attentive, None));
}

#[test]
fn choices_without_probabilities_show_attention_once_their_flips_come_again() {
    let pick = |shown: &Shown<'_>| Told::Bare(u16::from(!shown.shows(3)));
    let pick = |shown: &Shown<'_>| {
        if shown.shows(0) {
            pick(shown)
        } else {
            Told::Bare(1)
        }
    };
    let found = Run::new(10, 4).drop(pick);
    assert_eq!((found.figure.pairs, found.figure.flips), (30, Some(10)));
    assert_eq!(found.attention_reason, Some(AttentionReason::Flips));
    assert_eq!(
        (
            found.choice_dropped.no_runner_up,
            found.choice_dropped.runner_up.of
        ),
        (10, 0)
    );
    assert_eq!(
        (
            found.shared.with_probabilities,
            found.shared.without_probabilities
        ),
        (0, 40)
    );
    // A gate that they are over asks them again.
    let run = Run {
        gates: "none:fit,none:order,drop<=5%",
        ..Run::new(10, 4)
    };
    let summary = run.summary(pick);
    let found = drop_of(&summary);
    assert_eq!(summary.confirmed["drop"].replicated, 10);
    assert_eq!(
        (found.attention, found.attention_reason),
        (Attention::Attentive, None)
    );
    assert_eq!(found.figure.verdict, Verdict::DropSensitive);
    // A model that never flips and shows no probabilities leaves it open.
    let still = Run::new(10, 4).drop(|shown| Told::Bare(u16::from(!shown.shows(0))));
    assert_eq!(
        still.attention_reason,
        Some(AttentionReason::NoProbabilities)
    );
}
