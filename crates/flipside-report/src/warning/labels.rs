//! What is odd about the cases themselves: where right options stand, what options say, which cases belong together.

use flipside_core::summary::Summary;

use super::kind::Warning;

/// Fewer labelled cases than this agree by chance.
const LABELLED: u64 = 5;
/// Above this share of cases that share a state they are no exception.
const SHARED: f64 = 0.1;

pub(super) fn gold_in_one_position(summary: &Summary) -> Option<Warning> {
    let best = summary.fit.position_baseline.as_ref()?;
    (best.of >= LABELLED && best.right == best.of).then_some(Warning::GoldInOnePosition {
        of: best.of,
        position: best.position,
    })
}

pub(super) fn position_beats(summary: &Summary) -> Option<Warning> {
    let best = summary.fit.position_baseline.as_ref()?;
    // Where answers are missing the two are not of the same cases.
    let comparable = summary.fit.figure.pairs == best.of && best.of >= LABELLED;
    (comparable && best.right > summary.fit.right).then_some(Warning::PositionBeats {
        position: (best.right, best.of),
        right: summary.fit.right,
    })
}

pub(super) fn equal_texts(summary: &Summary) -> Option<Warning> {
    let (cases, of) = (summary.counts.equal_texts, summary.counts.cases);
    (cases > 0).then_some(Warning::EqualTexts { cases, of })
}

#[expect(clippy::cast_precision_loss, reason = "case counts are far below 2^52")]
pub(super) fn shared_states(summary: &Summary) -> Option<Warning> {
    let (cases, of) = (summary.counts.shared_states, summary.counts.cases);
    let many = cases as f64 > SHARED * of as f64;
    (summary.cluster.is_none() && many).then_some(Warning::SharedStates { cases, of })
}
