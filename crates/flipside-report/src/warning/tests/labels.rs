//! What is said of the cases themselves.

use super::{CHECK, run, texts};
use crate::example::{self, Builder, Reply};

/// The accepted option stands first in every case, and every answer is right.
#[test]
fn right_options_in_one_position_are_said() {
    let all_right = |cases: usize| {
        let mut shapes = example::labelled(cases, &["refund", "deny", "escalate"]);
        example::relabel(&mut shapes, Some(1));
        for (place, shape) in shapes.iter_mut().enumerate() {
            shape.keys.rotate_left(place % 3);
        }
        Builder::new(shapes, &CHECK).answered(|_, _, _| Reply::Chose(example::id(1), 0.9))
    };
    let said = texts(&all_right(6));
    assert!(
        said.starts_with(
            "the right option of all 6 labelled cases stands in position 2: a model that always picks that position is right every \
             time, so accuracy in the own order shows no reading; shuffle the options in the file, or read accuracy in the other orders\n"
        ),
        "{said}"
    );
    assert!(!texts(&all_right(4)).contains("labelled cases stands"));
    let mut mixed = all_right(6);
    mixed.fit.position_baseline.as_mut().unwrap().position = None;
    assert!(texts(&mixed).contains("stands in one position for each number of options: "));
    mixed.fit.position_baseline.as_mut().unwrap().right = 5;
    assert!(!texts(&mixed).contains("labelled cases stands"));
}

/// By hand: of 30 cases with three options a fixed position gets 10; a model that errs in 21 gets 9.
#[test]
fn a_position_that_beats_the_model_is_said() {
    let wrong = |most: usize| {
        run(&CHECK, |case, _| {
            (case < most).then(|| Reply::Chose(example::id((case + 1) % 3), 0.9))
        })
    };
    let text = "one fixed position would get 10/30, the model got 9/30: a model that reads nothing does better here; look at what the \
                model is shown (`--verbose` lists its answers), and do not use it for such cases\n";
    assert_eq!(texts(&wrong(21)), text);
    assert_eq!(texts(&wrong(20)), "", "as good is not better");
    let mut missing = wrong(21);
    missing.fit.figure.pairs = 29;
    assert_eq!(texts(&missing), "", "not of the same cases");
}

#[test]
fn equal_texts_and_shared_states_are_said_where_nothing_declares_them() {
    let mut summary = run(&CHECK, |_, _| None);
    summary.counts.equal_texts = 1;
    assert_eq!(
        texts(&summary),
        "1 of 30 cases has two options with the same text: to whoever reads the texts they are one answer, so that its place decides \
         which of them is named; give them different texts, or declare them with `equal`\n"
    );
    summary.counts.equal_texts = 2;
    assert!(texts(&summary).starts_with("2 of 30 cases have two options with the same text: "));
    summary.counts.equal_texts = 0;
    summary.counts.shared_states = 3;
    assert_eq!(texts(&summary), "", "one in ten is an exception");
    summary.counts.shared_states = 4;
    assert_eq!(
        texts(&summary),
        "4 of 30 cases share their state with another case: such cases depend on each other and are counted as if they did not, so \
         bounds in general are too narrow; name the field that holds them together with `--cluster FIELD`; cases carry it in `fields`\n"
    );
    summary.cluster = Some(flipside_core::summary::Clustering {
        field: "base".to_owned(),
        clusters: 10,
        largest: 3,
    });
    assert_eq!(texts(&summary), "");
}
