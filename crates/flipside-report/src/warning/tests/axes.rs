//! Warnings about axes beside the order.

use flipside_core::perturb::Axis;
use flipside_core::plan::VacuousReason;

use super::{CHECK, Reply, Variants, example, other, run, texts};

fn on(axis: Axis, name: &'static str) -> Variants {
    Variants::On(axis, name)
}

#[test]
fn a_control_that_flips_as_often_as_some_axes_names_them_and_no_others() {
    let variants = [
        Variants::Reverse,
        Variants::Rotate(1),
        Variants::Same(1),
        on(Axis::Keys, "abstract"),
        on(Axis::Descriptions, "drop"),
    ];
    let summary = run(&variants, |case, variant| {
        let flips = match variant {
            "1" | "reverse" => 3,
            "keys/abstract" => 2,
            "descriptions/drop" => 20,
            _ => 0,
        };
        (case < flips).then(|| other(case))
    });
    assert!(
        texts(&summary).contains(
            "the control flipped in 3/30, `reverse` in 3/30 and `keys/abstract` in 2/30: the backend disagrees with itself as \
             often, so these flips do not show that order or keys matter;"
        ),
        "{}",
        texts(&summary)
    );
}

#[test]
fn flips_on_any_axis_that_nothing_tells_from_noise_are_said() {
    let flips = |case: usize, variant: &str| (variant != "own" && case < 4).then(|| other(case));
    let mut summary = run(&[on(Axis::Keys, "abstract"), on(Axis::Drop, "0")], flips);
    summary.confirmed.clear();
    assert_eq!(
        texts(&summary),
        "`keys/abstract` flipped 4/30, and nothing was asked twice: a backend that disagrees with itself would flip too; \
         leave out `--no-confirm`, or add `--order same:1`\n",
        "a drop has no gate that could fail"
    );
    let both = [
        Variants::Reverse,
        Variants::Rotate(1),
        on(Axis::Keys, "abstract"),
    ];
    let mut summary = run(&both, flips);
    summary.confirmed.shift_remove("order");
    assert_eq!(
        texts(&summary),
        "`reverse` flipped 4/30, and nothing was asked twice: a backend that disagrees with itself would flip too; leave out \
         `--no-confirm`, or add `same:1` to `--order`\n",
        "the flips of keys were asked again"
    );
}

#[test]
fn axes_whose_flips_are_all_within_ties_are_named_where_others_have_firm_ones() {
    let variants = [
        Variants::Reverse,
        Variants::Rotate(1),
        Variants::Same(1),
        on(Axis::Keys, "abstract"),
    ];
    let summary = run(&variants, |case, variant| match (case, variant) {
        (0, "reverse") => Some(other(0)),
        (0 | 1, "keys/abstract") => Some(Reply::Tied(example::id((case + 1) % 3))),
        _ => None,
    });
    assert!(
        texts(&summary).starts_with("all 2 flips under `keys` are within a tie: the two best"),
        "{}",
        texts(&summary)
    );
}

#[test]
fn gates_on_axes_that_apply_to_no_case_say_how_to_remove_them() {
    let nothing = |axis, reason| Variants::Nothing(axis, "1", reason);
    let phrasing = nothing(Axis::Phrasing, VacuousReason::NoPhrasing);
    let one = run(&[Variants::Same(1), phrasing], |_, _| None);
    assert_eq!(
        texts(&one),
        "no case can be asked under `phrasing`: its gate has nothing to measure and cannot hold; leave it out of `--axis`, or \
         `--gate none:phrasing` removes it\n"
    );
    let batch = nothing(Axis::Batch, VacuousReason::OneQuestion);
    let decoy = nothing(Axis::Decoy, VacuousReason::NoDecoy);
    let two = run(&[Variants::Same(1), phrasing, batch, decoy], |_, _| None);
    assert_eq!(
        texts(&two),
        "no case can be asked under `phrasing` and `batch`: their gates have nothing to measure and cannot hold; leave them \
         out of `--axis`, or `--gate none:phrasing,none:batch` removes them\n",
        "a decoy has no gate"
    );
}

#[test]
fn answers_under_other_keys_do_not_hide_that_all_others_are_one() {
    let mut variants = CHECK.to_vec();
    variants.push(on(Axis::Keys, "abstract"));
    let summary = run(&variants, |_, _| Some(Reply::Chose(example::id(1), 0.9)));
    assert!(
        texts(&summary).starts_with("all 120 answers, in every order asked, are `deny`"),
        "{}",
        texts(&summary)
    );
}
