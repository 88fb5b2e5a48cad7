//! What was read out of a language model, in numbers.

use crate::answer::Answer;
use crate::measure::pair::Said;
use crate::measure::table::Table;
use crate::record::Outcome;
use crate::summary::ReadoutSummary;

/// Below this probability on all options together an answer has low coverage (the wire page, 6.3).
const LOW: f64 = 0.5;

/// How the answers of a plan were read out of a language model; `None` where none was.
pub(crate) fn readout(table: &Table<'_>) -> Option<ReadoutSummary> {
    let asks = table.plan.asks.len();
    let answers = table.asked[..asks].iter().flatten();
    let answers = answers.filter_map(|asked| match &asked.outcome {
        Outcome::Answered(answer) => Some((answer, answer.readout.as_deref()?)),
        Outcome::Failed(_) => None,
    });
    let mut found: Option<ReadoutSummary> = None;
    for (answer, readout) in answers {
        let sum = found.get_or_insert(ReadoutSummary {
            kind: readout.kind,
            asks: 0,
            partial: 0,
            low_coverage: 0,
            smallest_covered: None,
            unreadable: 0,
            pairs_without_drift: 0,
        });
        sum.asks += 1;
        sum.partial += u64::from(readout.bound.is_some());
        sum.unreadable += u64::from(answer.is_unreadable());
        if let Some(covered) = readout.covered {
            sum.low_coverage += u64::from(covered < LOW);
            let least = sum
                .smallest_covered
                .map_or(covered, |least| least.min(covered));
            sum.smallest_covered = Some(least);
        }
    }
    let mut found = found?;
    found.pairs_without_drift = (0..asks).filter(|&ask| lacks_drift(table, ask)).count() as u64;
    Some(found)
}

/// Whether an ask and what it is compared with both decided, and one of them has no distribution.
fn lacks_drift(table: &Table<'_>, ask: usize) -> bool {
    let against = table.against(ask);
    let decided = |ask: usize| matches!(table.said(ask), Said::Chose { .. });
    let whole = |ask: usize| table.answer(ask).is_some_and(has_distribution);
    against != ask && decided(ask) && decided(against) && !(whole(ask) && whole(against))
}

fn has_distribution(answer: &Answer) -> bool {
    answer.probabilities.is_some()
}
