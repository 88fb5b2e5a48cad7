//! How many comparisons of single options a run with one option less allows.

use std::collections::BTreeMap;

use super::drop::Less;
use crate::measure::table::Table;
use crate::summary::SingleOptions;

/// The lists of one case that lack an option.
#[derive(Default)]
struct Lists<'a> {
    options: u64,
    planned: u64,
    answered: u64,
    /// Of the answered ones, by the model that served.
    served: BTreeMap<&'a str, u64>,
    /// Those whose list with all options was answered by the same model.
    paired: u64,
}

/// What the lists in `planned` allow, each of which lacks one option.
pub(super) fn single_options(table: &Table<'_>, planned: &[Less<'_>]) -> SingleOptions {
    let mut by_case: BTreeMap<u32, Lists<'_>> = BTreeMap::new();
    for less in planned {
        let lists = by_case
            .entry(table.plan.asks[less.pair.ask].case)
            .or_default();
        lists.options = less.pair.case.options.len() as u64;
        lists.planned += 1;
        lists.paired += u64::from(less.pair.answers.is_some());
        if let Some(answer) = table.answer(less.pair.ask) {
            lists.answered += 1;
            if let Some(model) = &answer.served_model {
                *lists.served.entry(model).or_default() += 1;
            }
        }
    }
    let mut found = SingleOptions::default();
    for lists in by_case.values() {
        found.left_out += lists.planned * lists.options.saturating_sub(1);
        found.left_out_answered += lists.paired * lists.options.saturating_sub(1);
        let both_show = lists.options.saturating_sub(2);
        found.exchanged += twos(lists.planned) * both_show;
        found.exchanged_answered += (twos(lists.answered) - apart(&lists.served)) * both_show;
    }
    found
}

/// Unordered pairs of `n`.
fn twos(n: u64) -> u64 {
    n * n.saturating_sub(1) / 2
}

/// Pairs of answers that name two models.
fn apart(served: &BTreeMap<&str, u64>) -> u64 {
    let named: u64 = served.values().sum();
    twos(named) - served.values().copied().map(twos).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_two_models_are_no_pair_and_one_that_names_none_goes_with_all() {
        assert_eq!([0, 1, 2, 4].map(twos), [0, 0, 1, 6]);
        // Two of `a`, one of `b`: three pairs, of which one is of one model.
        assert_eq!(apart(&BTreeMap::from([("a", 2), ("b", 1)])), 2);
        assert_eq!(apart(&BTreeMap::from([("a", 3)])), 0);
        assert_eq!(apart(&BTreeMap::new()), 0);
    }
}
