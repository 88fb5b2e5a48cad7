//! What rewordings show, with the figures that core's tests work out by hand.

use flipside_core::summary::{
    CaseShare, DifferentAnswers, PhrasingSummary, Range, WordingShare, WordingSpread,
};

fn spread(
    shares: &[(&str, u64, [f64; 2])],
    of: u64,
    [least, most]: [f64; 2],
    [mean, at_least]: [f64; 2],
) -> WordingSpread {
    let share = |(wording, count, interval): &(&str, u64, [f64; 2])| WordingShare {
        wording: (*wording).to_owned(),
        count: *count,
        of,
        rate: *count as f64 / of as f64,
        interval: *interval,
    };
    WordingSpread {
        wordings: shares.iter().map(share).collect(),
        cases: of,
        left_out: 2,
        least: Some(least),
        most: Some(most),
        value: Some(most - least),
        shuffled_mean: Some(mean),
        shuffled_at_least: Some(at_least),
        shuffles: 200,
        seed: Some(5),
        reason: None,
    }
}

/// Eight cases with rewordings, five of them labelled and answered in all.
pub(crate) fn rewordings() -> PhrasingSummary {
    let answers = |answers, cases| DifferentAnswers { answers, cases };
    PhrasingSummary {
        cases: 8,
        wordings: Range { least: 2, most: 5 },
        missing: 1,
        unasked: 0,
        no_decision: 0,
        different_answers: vec![answers(1, 1), answers(2, 5), answers(3, 1)],
        different_answers_left_out: 1,
        any_flip: CaseShare {
            count: 6,
            of: 8,
            rate: Some(0.75),
            interval: Some([0.409, 0.929]),
            lower: Some(0.4),
            upper: Some(0.994),
            reason: None,
        },
        any_flip_open: 1,
        accuracy: spread(
            &[
                ("own", 4, [0.376, 0.964]),
                ("1", 3, [0.231, 0.882]),
                ("2", 1, [0.036, 0.624]),
                ("3", 4, [0.376, 0.964]),
            ],
            5,
            [0.2, 0.8],
            [0.458, 0.33],
        ),
        flips: spread(
            &[
                ("1", 1, [0.030, 0.564]),
                ("2", 4, [0.300, 0.903]),
                ("3", 2, [0.097, 0.700]),
            ],
            6,
            [1.0 / 6.0, 4.0 / 6.0],
            [0.338, 0.345],
        ),
    }
}
