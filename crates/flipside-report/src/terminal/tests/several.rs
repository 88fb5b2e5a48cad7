//! Several models.

use insta::assert_snapshot;

use super::{CHECK, NARROW, WIDE, content, flat};
use crate::example;
use crate::terminal::render_several;

#[test]
fn several_models_stand_side_by_side_with_their_own_gates() {
    let models = vec![
        content(8, &CHECK, false),
        example::first(&CHECK),
        example::plain(),
    ];
    assert_snapshot!(render_several(&models, &WIDE));
}

#[test]
fn several_models_on_a_narrow_terminal_keep_their_columns() {
    let text = render_several(
        &[content(8, &CHECK, false), example::first(&CHECK)],
        &NARROW,
    );
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    assert_snapshot!(text);
}

#[test]
fn several_models_show_the_worst_of_many_variants() {
    let text = render_several(&[example::many(), example::many()], &WIDE);
    assert!(
        text.contains("and 7 more variants, none of which flips more; --verbose lists them"),
        "{text}"
    );
    assert!(
        text.contains("order rotate:12") && !text.contains("order rotate:1 "),
        "{text}"
    );
}

#[test]
fn several_models_tell_unasked_pairs_from_missing_ones_and_print_no_fraction_of_a_mean() {
    let text = render_several(&[example::troubled()], &WIDE);
    assert!(
        flat(&text).contains("0/14 flipped (0.0-21.5%), 1 missing, 3 unasked"),
        "{text}"
    );
    assert!(
        flat(&text).contains("order reverse 5/16 flipped (14.2-55.6%), 2 missing order rotate:1"),
        "{text}"
    );
    assert!(
        flat(&text)
            .contains("fit all orders 86.3% right (71.3-100.0%) mean over 17 cases and 48 asks"),
        "{text}"
    );
}
