use flipside_core::answer::{Readout, ReadoutKind};
use flipside_core::order::OptionId;

use super::*;

/// An answer that observes `observed` of two options and took `tokens`.
fn answer(observed: usize, tokens: Option<u64>) -> Answer {
    Answer {
        choice: Some(OptionId(0)),
        readout: Some(Box::new(Readout {
            kind: ReadoutKind::LetterLogprobs,
            covered: Some(0.9),
            log_probabilities: (0..2).map(|id| (id < observed).then_some(-0.5)).collect(),
            per_byte: Vec::new(),
            bound: None,
        })),
        usage: Usage {
            input_tokens: tokens,
            ..Usage::default()
        }
        .into(),
        ..Answer::default()
    }
}

fn rejected() -> Result<Answer, Rejection> {
    Err(Rejection::Malformed {
        rule: "no-letter",
        message: "none".to_owned(),
    })
}

#[test]
fn the_reading_that_observes_more_is_taken_and_both_are_counted() {
    let (read, taken) = better(Ok(answer(1, Some(30))), Ok(answer(2, Some(31))));
    assert_eq!((read.unwrap(), taken), (answer(2, Some(61)), true));
    let (read, taken) = better(Ok(answer(1, Some(30))), Ok(answer(1, Some(31))));
    assert_eq!(
        (read.unwrap(), taken),
        (answer(1, Some(61)), false),
        "no more than the first"
    );
    let (read, _) = better(Ok(answer(1, None)), Ok(answer(2, Some(31))));
    assert_eq!(
        read.unwrap(),
        answer(2, None),
        "unknown of one is unknown of both"
    );
}

#[test]
fn a_reading_stands_where_the_other_one_fails() {
    let (read, taken) = better(Ok(answer(1, Some(30))), rejected());
    assert_eq!((read.unwrap(), taken), (answer(1, None), false));
    let (read, taken) = better(rejected(), Ok(answer(2, Some(31))));
    assert_eq!((read.unwrap(), taken), (answer(2, None), true));
    assert_eq!(better(rejected(), rejected()), (rejected(), false));
}
