//! Options that are declared to be the same answer.

use flipside_core::case::CaseError;
use flipside_core::order::OptionId;
use proptest::prelude::*;

use super::{Told, groups, reverse, summary};

fn with_equal(id: usize, chose: [u16; 2], equal: &[&[u16]]) -> Told {
    let mut told = Told::new(id, false);
    told.options = 4;
    told.chose = [Some(chose[0]), Some(chose[1]), Some(chose[0])];
    told.equal = equal.iter().map(|class| class.to_vec()).collect();
    told
}

#[test]
fn choosing_an_equal_option_is_no_flip() {
    let told = [
        with_equal(0, [0, 2], &[&[0, 2]]),
        with_equal(1, [0, 1], &[&[0, 2]]),
        with_equal(2, [0, 2], &[]),
        with_equal(3, [3, 1], &[&[0, 2], &[3, 1]]),
    ];
    let found = summary(&told, &groups(None, &[]), false, "order<=5%");
    assert_eq!(reverse(&found).figure.flips, Some(2));
    let flips: Vec<_> = found.cases.iter().map(|case| case.asks[1].flip).collect();
    assert_eq!(flips, [Some(false), Some(true), Some(true), Some(false)]);
    let chosen = found.cases[0].asks[1].choice;
    assert_eq!(
        chosen,
        Some(OptionId(2)),
        "the summary keeps what was chosen"
    );
    assert_eq!(found.cases[0].equal, [[OptionId(0), OptionId(2)]]);
}

#[test]
fn what_is_equal_to_an_accepted_option_is_accepted() {
    let mut told = with_equal(0, [0, 2], &[&[0, 2]]);
    told.accept = Some(2);
    let found = summary(&[told], &groups(None, &[]), false, "order<=5%");
    assert_eq!((found.fit.right, found.cases[0].accept.len()), (1, 2));
    let line = reverse(&found);
    assert_eq!(
        (
            line.transitions.kept_right,
            line.transitions.lateral_accepted
        ),
        (1, 0)
    );
}

#[test]
fn whether_a_flip_follows_the_position_is_told_by_the_option_chosen() {
    // Reversal of four shows option 3 where option 0 stood. 0 and 1 are one answer; the flip from 1 to 2 follows the
    // position (1 is second of own order, 2 second of the reversal), though 1's class is named by 0.
    let told = with_equal(0, [1, 2], &[&[0, 1]]);
    let found = summary(&[told], &groups(None, &[]), false, "order<=5%");
    let line = reverse(&found);
    assert_eq!((line.figure.flips, line.position_following), (Some(1), 1));
}

#[test]
fn positions_are_counted_by_the_option_chosen_and_disagreement_by_the_answer() {
    // First of own order is option 0, first of the reversal option 3; all four options are two answers.
    let told = [with_equal(0, [0, 3], &[&[0, 3]])];
    let found = summary(&told, &groups(None, &[]), false, "order<=5%");
    let json = serde_json::to_value(&found).unwrap();
    let position = serde_json::to_string(&json["position"]).unwrap();
    assert!(position.contains("[2,0,0,0]"), "{position}");
    assert_eq!(reverse(&found).figure.flips, Some(0));
}

#[test]
fn classes_that_are_none_are_refused() {
    let problem = |equal: &[&[u16]]| {
        let mut case = with_equal(0, [0, 0], &[]).case();
        let ids = |class: &&[u16]| class.iter().copied().map(OptionId).collect();
        case.equal = equal.iter().map(ids).collect();
        match case.checked() {
            Err(CaseError::Equal { problem }) => problem,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(problem(&[&[1]]), "a class has 1 of the options");
    assert_eq!(problem(&[&[0, 4]]), "4 is not one of the 4 options");
    assert_eq!(problem(&[&[0, 1], &[1, 2]]), "option 1 stands twice");
    assert_eq!(problem(&[&[0, 0]]), "option 0 stands twice");
    let all = "all options are one answer, so nothing is decided";
    assert_eq!(problem(&[&[0, 1, 2, 3]]), all);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(96) })]

    #[test]
    fn which_option_of_a_class_is_chosen_changes_no_flip(
        chosen in proptest::collection::vec((0..4_u16, 0..4_u16), 1..20), other in any::<u32>()
    ) {
        // 1 and 3 are one answer: naming one for the other leaves every count alone.
        let swap = |id: u16, at: usize| match id {
            1 | 3 if other >> (at % 32) & 1 == 1 => 4 - id,
            id => id,
        };
        let told = |swapped: bool| -> Vec<Told> {
            let rows = chosen.iter().enumerate();
            rows.map(|(at, &(own, variant))| {
                let variant = if swapped { swap(variant, at) } else { variant };
                with_equal(at, [own, variant], &[&[3, 1]])
            })
            .collect()
        };
        let none = groups(None, &[]);
        let (a, b) = (summary(&told(false), &none, true, "order<=5%"), summary(&told(true), &none, true, "order<=5%"));
        prop_assert_eq!(&reverse(&a).figure, &reverse(&b).figure);
        let flips = chosen.iter().filter(|(own, variant)| own != variant && own % 2 * (variant % 2) == 0);
        prop_assert_eq!(reverse(&a).figure.flips, Some(flips.count() as u64));
    }
}
