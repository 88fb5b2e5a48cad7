//! Where a claim begins and ends: the tolerance, what counts as read alike, and what no order was asked of.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::tests::case;
use super::*;
use crate::invariance::{Precision, with_options};

/// A model that says of an order of identities what a closure says; only by whole passes.
struct Told<F>(F, AtomicUsize);

impl<F: Fn(&[usize]) -> Seen + Sync> Inside for Told<F> {
    fn precision(&self) -> Precision {
        Precision {
            name: "f32",
            epsilon: f64::from(f32::EPSILON),
        }
    }
    fn see(&self, shown: &Presentation<'_>) -> Result<Seen, String> {
        let order: Vec<usize> = shown.options().map(|option| option.id.index()).collect();
        Ok((self.0)(&order))
    }
    fn rescore(&self, _: &[Vec<f32>]) -> Option<Result<Vec<f32>, String>> {
        None
    }
    fn equal_slots(&self, shown: &Presentation<'_>) -> Option<Result<Vec<f32>, String>> {
        self.1.fetch_add(1, Ordering::Relaxed);
        Some(Ok(vec![0.0; shown.len()]))
    }
}

fn told<F: Fn(&[usize]) -> Seen + Sync>(says: F) -> Told<F> {
    Told(says, AtomicUsize::new(0))
}

/// A pass with these logits by position, which kept a token of each option and one of the state.
fn seen(logits: Vec<f32>) -> Seen {
    Seen {
        choice: first_largest(&logits),
        probabilities: vec![0.0; logits.len()],
        kept: vec![1; logits.len() + 1],
        vectors: logits.iter().map(|logit| vec![*logit]).collect(),
        logits,
    }
}

/// Logits by identity as in `own`, less `bias` a place.
fn placed(own: &'static [f32], bias: f32) -> impl Fn(&[usize]) -> Seen + Sync {
    move |order| {
        let logits = order.iter().enumerate();
        seen(
            logits
                .map(|(place, id)| own[*id] - bias * place as f32)
                .collect(),
        )
    }
}

fn found(cases: &[Case], model: &dyn Inside) -> Invariance {
    study(cases, model, ("m", None), &Settings::default(), |_| ())
}

/// By hand: at a largest logit of 4 the tolerance is 64 · 2⁻²³ · 4 = 2⁻¹⁵; a bias of b a place moves the ends of three by 2 b.
#[test]
fn a_logit_may_move_by_sixty_four_steps_at_the_largest() {
    let cases = [case("c", 3, QuestionKind::Choice)];
    let step = 2f32.powi(-16);
    let within = found(&cases, &told(placed(&[4.0, 0.0, -4.0], step)));
    // The bias of the first place is in the largest logit too.
    let largest = 4.0 + f64::from(step);
    assert_eq!(within.statement.tolerance, 2f64.powi(-17) * largest);
    assert_eq!(within.statement.moved, 2f64.powi(-15));
    assert!(within.statement.invariant);
    let beyond = found(&cases, &told(placed(&[4.0, 0.0, -4.0], step * 1.25)));
    assert!(!beyond.statement.invariant);
    // Small logits are not held to less than the steps at 1.
    let small = found(&cases, &told(placed(&[0.25, 0.0, -0.25], step / 8.0)));
    assert_eq!(small.statement.tolerance, 2f64.powi(-17));
    assert_eq!(small.statement.moved, 2f64.powi(-18));
    assert!(small.statement.invariant);
}

#[test]
fn the_largest_logit_is_that_of_all_cases() {
    let cases = [
        case("large", 3, QuestionKind::Choice),
        case("small", 2, QuestionKind::Choice),
    ];
    let model = told(|order: &[usize]| {
        // What all have in common counts for nothing.
        let own = if order.len() == 3 {
            [92.0, 100.0, 108.0]
        } else {
            [1.0, 2.0, 0.0]
        };
        seen(order.iter().map(|id| own[*id]).collect())
    });
    let found = found(&cases, &model);
    assert_eq!(found.statement.largest_logit, 8.0);
    assert_eq!((found.questions.choice, found.questions.single), (2, 0));
    assert_eq!(found.slots.len(), 2);
}

/// What no reversal shows, other orders do: here every order but the file's own and its reversal.
#[test]
fn other_orders_than_the_reversed_one_count_for_the_statement() {
    let cases = [case("c", 3, QuestionKind::Choice)];
    let of = |by: f32| {
        move |order: &[usize]| {
            let usual = matches!(order, [0, 1, 2] | [2, 1, 0]);
            let extra = |id: usize| if id == 0 && !usual { by } else { 0.0 };
            let own = [1.0, 1.0 + f32::EPSILON, 0.5];
            seen(order.iter().map(|id| own[*id] + extra(*id)).collect())
        }
    };
    let far = found(&cases, &told(of(-0.5)));
    assert_eq!(far.all.reverse.logits.as_ref().unwrap().worst, 0.0);
    assert_eq!(far.statement.moved, 0.5);
    assert_eq!(far.all.permutations.changed, 0);
    assert!(!far.statement.invariant);
    // Two steps up the answer is another one, by less than the tolerance.
    let near = found(&cases, &told(of(2.0 * f32::EPSILON)));
    assert_eq!(
        (near.all.reverse.changed, near.all.permutations.changed),
        (0, 4)
    );
    assert!(near.statement.moved <= near.statement.tolerance);
    assert!(!near.statement.invariant);
}

/// A reversal that chooses another option refutes it alone, where no other order is asked.
#[test]
fn a_reversal_counts_where_no_other_order_is_asked() {
    let cases = [case("c", 5, QuestionKind::Choice)];
    let settings = Settings {
        passes: 0,
        ..Settings::default()
    };
    let model = told(|order: &[usize]| {
        let own = [1.0, 1.0, 0.5, 0.5, 0.0];
        seen(order.iter().map(|id| own[*id]).collect())
    });
    let found = study(&cases, &model, ("m", None), &settings, |_| ());
    assert_eq!((found.all.permutations.orders, found.all.drawn), (0, 1));
    // Of two equal ones the first shown is chosen.
    assert_eq!(found.all.reverse.changed, 1);
    assert!(!found.statement.invariant);
}

/// Two options that are declared the same answer: whichever is chosen, nothing changed.
#[test]
fn equal_options_are_one_answer() {
    let mut cases = [case("c", 3, QuestionKind::Choice)];
    let model = told(|order: &[usize]| seen(order.iter().map(|id| [1.0, 1.0, 0.0][*id]).collect()));
    assert_eq!(found(&cases, &model).all.reverse.changed, 1);
    cases[0].equal = vec![vec![OptionId(0), OptionId(1)]].into();
    let equal = found(&cases, &model);
    assert_eq!(
        (equal.all.reverse.changed, equal.all.permutations.changed),
        (0, 0)
    );
    assert!(equal.statement.invariant);
}

/// In numbers of 8 binary digits 64 steps are half of the largest logit; a 32nd of it is what rounding may do.
#[test]
fn coarse_numbers_do_not_hide_what_order_does() {
    struct Coarse<M>(M);
    impl<M: Inside> Inside for Coarse<M> {
        fn precision(&self) -> Precision {
            Precision {
                name: "bf16",
                epsilon: 2f64.powi(-7),
            }
        }
        fn see(&self, shown: &Presentation<'_>) -> Result<Seen, String> {
            self.0.see(shown)
        }
        fn rescore(&self, vectors: &[Vec<f32>]) -> Option<Result<Vec<f32>, String>> {
            self.0.rescore(vectors)
        }
        fn equal_slots(&self, shown: &Presentation<'_>) -> Option<Result<Vec<f32>, String>> {
            self.0.equal_slots(shown)
        }
    }
    let cases = [case("c", 3, QuestionKind::Choice)];
    for (bias, invariant) in [(0.0625_f32, true), (0.09375, false)] {
        let found = found(&cases, &Coarse(told(placed(&[4.0, 0.0, -4.0], bias))));
        assert_eq!(found.statement.tolerance, (4.0 + f64::from(bias)) / 32.0);
        assert_eq!(found.statement.invariant, invariant, "{bias}");
    }
}

/// Eight options have 40,320 orders: where as many may be drawn, all are scored and none twice.
#[test]
fn no_more_orders_are_scored_than_there_are() {
    let cases = [case("c", 4, QuestionKind::Choice)];
    let model = told(placed(&[4.0, 2.0, 1.0, 0.5], 0.0));
    let settings = Settings {
        passes: 50,
        ..Settings::default()
    };
    let found = study(&cases, &model, ("m", None), &settings, |_| ());
    assert_eq!((found.all.permutations.orders, found.all.drawn), (24, 0));
}

#[test]
fn of_nothing_studied_nothing_is_said() {
    let cases = [case("said", 2, QuestionKind::Noul)];
    let model = told(placed(&[1.0, 0.5], 0.0));
    let found = found(&cases, &model);
    assert!(!found.statement.invariant);
    assert_eq!(found.all.reverse.questions, 0);
}

/// As many orders as may be asked are all asked, and one fewer are drawn.
#[test]
fn every_order_is_asked_up_to_the_limit() {
    let four = [case("c", 4, QuestionKind::Choice)];
    let model = told(placed(&[4.0, 2.0, 1.0, 0.5], 0.0));
    for (passes, orders, drawn) in [(24, 24, 0), (23, 23, 1)] {
        let settings = Settings {
            passes,
            ..Settings::default()
        };
        let found = study(&four, &model, ("m", None), &settings, |_| ());
        assert_eq!(
            (found.all.permutations.orders, found.all.drawn),
            (orders, drawn)
        );
        assert_eq!(found.all.by_head, 0);
    }
}

/// By hand, four options of which the last passes read two tokens where option 0 is missing: 3 values of C, and of D those of its 3
/// pairs, 2 each, are left out. So it is with the state's tokens.
#[test]
fn comparisons_that_read_other_tokens_are_left_out_and_counted() {
    let cases = [
        case("c", 4, QuestionKind::Choice),
        case("d", 4, QuestionKind::Choice),
    ];
    for place in [0, 3] {
        let model = told(move |order: &[usize]| {
            let mut seen = placed(&[4.0, 2.0, 1.0, 0.5], 0.0)(order);
            if order.len() == 3 && !order.contains(&0) {
                seen.kept[place] = 2;
            }
            seen
        });
        let found = found(&cases, &model);
        assert_eq!(found.all.cut, 18, "{place}");
        assert_eq!(found.all.leave_one_out.as_ref().unwrap().values, 18);
        assert_eq!(found.all.swap.as_ref().unwrap().values, 12);
    }
}

#[test]
fn options_are_left_out_from_three_up_to_the_limit() {
    let settings = Settings {
        compositions: 4,
        ..Settings::default()
    };
    let model = told(|order: &[usize]| seen(order.iter().map(|id| *id as f32).collect()));
    for (options, values) in [(2, None), (3, Some(6)), (4, Some(12)), (5, None)] {
        let cases = [case("c", options, QuestionKind::Choice)];
        let found = study(&cases, &model, ("m", None), &settings, |_| ());
        let values_found = found.all.leave_one_out.map(|spread| spread.values);
        assert_eq!(values_found, values, "{options}");
        assert!(found.by_options.is_empty(), "one number of options");
    }
}

/// The vectors differ in their last bit under reversal: that is no pass for all orders.
#[test]
fn vectors_are_the_same_bit_by_bit_or_not_at_all() {
    let cases = [case("c", 2, QuestionKind::Choice)];
    let model = told(|order: &[usize]| {
        let mut seen = placed(&[2.0, 1.0], 0.0)(order);
        if order[0] == 1 {
            seen.vectors[0][0] = 1.0 + f32::EPSILON;
        }
        seen
    });
    let found = found(&cases, &model);
    assert_eq!(found.all.identical_vectors, 0);
    let vectors = found.all.reverse_vectors.as_ref().unwrap();
    assert_eq!(vectors.worst, f64::from(f32::EPSILON));
}

#[test]
fn slots_are_shown_once_for_each_number_of_options() {
    let cases = [
        case("a", 3, QuestionKind::Choice),
        case("b", 3, QuestionKind::Choice),
        case("c", 2, QuestionKind::Choice),
    ];
    let model = told(|order: &[usize]| seen(order.iter().map(|id| *id as f32).collect()));
    found(&cases, &model);
    assert_eq!(model.1.load(Ordering::Relaxed), 2);
}

/// Drawn orders depend on the seed and on the case, and so do the options that fill a list up; on nothing else.
#[test]
fn draws_are_by_seed_and_case() {
    let orders = |id: &str, seed: u64| {
        let seen_orders = std::sync::Mutex::new(Vec::new());
        let model = told(|order: &[usize]| {
            seen_orders.lock().unwrap().push(order.to_vec());
            seen(order.iter().map(|id| *id as f32).collect())
        });
        let settings = Settings {
            seed,
            passes: 5,
            compositions: 0,
            ..Settings::default()
        };
        let cases = [case(id, 8, QuestionKind::Choice)];
        study(&cases, &model, ("m", None), &settings, |_| ());
        seen_orders.into_inner().unwrap()
    };
    assert_eq!(orders("a", 1), orders("a", 1));
    assert_ne!(orders("a", 1), orders("a", 2));
    assert_ne!(orders("a", 1), orders("b", 1));

    let mut cases = vec![
        case("a", 2, QuestionKind::Choice),
        case("b", 2, QuestionKind::Choice),
    ];
    cases.push(case("many", 30, QuestionKind::Choice));
    let filled = |options: usize, seed: u64, of: usize| -> Vec<String> {
        let made = with_options(&cases, options, seed);
        let options = made[of].options.iter().skip(2);
        options.map(|option| option.key.0.clone()).collect()
    };
    assert_ne!(filled(12, 1, 0), filled(12, 1, 1), "another case");
    assert_ne!(
        filled(12, 1, 0)[..],
        filled(13, 1, 0)[..10],
        "another number"
    );
}

/// An option that has the key or the text of one that stands there already is none to add, and nothing is right any more.
#[test]
fn a_list_is_filled_with_options_that_differ_in_key_and_text() {
    let with_texts = |id: &str, options: &[(&str, Option<&str>)]| {
        let mut made = case(id, options.len(), QuestionKind::Choice);
        let options = options.iter().map(|(key, text)| crate::case::CaseOption {
            key: crate::case::Key((*key).to_owned()),
            text: text.map(|text| crate::json::Json::String(text.to_owned())),
        });
        made.options = options.collect::<Vec<_>>().into();
        made.accept = vec![OptionId(0)].into();
        made
    };
    let cases = [
        with_texts("a", &[("k", Some("one")), ("l", None)]),
        with_texts("b", &[("k", Some("two")), ("m", Some("one")), ("n", None)]),
    ];
    let three = with_options(&cases, 3, 1);
    let keys = |case: &Case| -> Vec<String> {
        case.options
            .iter()
            .map(|option| option.key.0.clone())
            .collect()
    };
    assert_eq!(keys(&three[0]), ["k", "l", "n"]);
    assert_eq!(keys(&three[1]), ["k", "m", "n"]);
    assert!(three.iter().all(|case| case.accept.is_empty()));
    assert_eq!(with_options(&cases, 4, 1).len(), 1);
}
