//! Warnings about recorded answers.

use super::*;
use crate::warning::RecordedWarning;

#[test]
fn nothing_of_a_record_is_to_be_asked_in_another_way() {
    let mut summary = run(&[Variants::Reverse], |case, variant| {
        (case < 9 && variant == "reverse").then(|| other(case))
    });
    summary.confirmed.clear();
    assert!(texts(&summary).contains("--no-confirm"));
    let recorded = Summary {
        recorded_pairs: Some(Box::new(crate::example::recorded_pairs())),
        ..summary
    };
    assert_eq!(
        texts(&recorded),
        "`reverse` flipped 9/30, and nothing on record was asked twice: a backend that disagrees with itself would flip too; \
         record the same presentations once more, and compare those\n\
         a reversal is the only order on record of 30 cases with three options or more: it cannot see a preference for both \
         ends or for the middle; record another order too, such as a rotation\n"
    );
}

#[test]
fn failed_asks_of_a_record_are_told_by_their_share() {
    let failed = |failed| Warning::Recorded(RecordedWarning::Failed { failed, made: 60 });
    assert_eq!(
        failed(3).to_string(),
        "3 of 60 asks on record failed (5.0%): what they would have said is in no rate, and bounds count it against the \
         model; have them answered, and compare again"
    );
    let mut summary = run(&[Variants::Reverse], |_, _| None);
    summary.recorded_pairs = Some(Box::new(crate::example::recorded_pairs()));
    (summary.counts.failed, summary.counts.answered) = (3, 57);
    assert_eq!(warnings(&summary)[0], failed(3));
    // 1 of 60 is under 2 %.
    (summary.counts.failed, summary.counts.answered) = (1, 59);
    assert!(!warnings(&summary).contains(&failed(1)));
}

#[test]
fn a_constant_answer_of_unlisted_cases_is_in_no_position() {
    let mut summary = run(&[], |_, _| Some(Reply::Chose(example::id(0), 0.9)));
    summary.recorded_pairs = Some(Box::new(crate::example::recorded_pairs()));
    assert!(
        texts(&summary).contains("are `refund`, in position 1"),
        "{}",
        texts(&summary)
    );
    summary
        .cases
        .iter_mut()
        .for_each(|case| case.unlisted = true);
    let text = texts(&summary);
    assert!(
        text.contains("all 30 own-order answers are `refund`:"),
        "{text}"
    );
    assert!(!text.contains("--order"), "{text}");
}
