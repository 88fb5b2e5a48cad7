//! Where accepted options stand in the file.

use std::collections::BTreeMap;

use crate::case::Case;
use crate::measure::position::few_expected;
use crate::stats::position;
use crate::summary::AcceptedPositions;

/// The skew of accepted positions, by number of options; empty without a labelled case.
///
/// Cases that accept several options are left out of the counts: their positions depend on each other.
///
/// Source: the statistics page, 6.5 and, for fewer than 5 expected per position, the exact test of 7.
pub fn accepted_positions(cases: &[Case]) -> Vec<AcceptedPositions> {
    accepted_positions_over(cases, None)
}

/// The same; no test where cases depend on each other by the values of the field `cluster`, since both take them as
/// independent.
pub(crate) fn accepted_positions_over(
    cases: &[Case],
    cluster: Option<&str>,
) -> Vec<AcceptedPositions> {
    let mut by_options: BTreeMap<usize, (Vec<u64>, u64)> = BTreeMap::new();
    // Without an order on record an identity is no place.
    let placed = |case: &&Case| case.is_labelled() && !case.brought.unlisted;
    for case in cases.iter().filter(placed) {
        let options = case.options.len();
        let (counts, several) = by_options
            .entry(options)
            .or_insert_with(|| (vec![0; options], 0));
        match case.accept[..] {
            [id] => counts[id.index()] += 1,
            _ => *several += 1,
        }
    }
    by_options
        .into_values()
        .map(|(counts, several)| skew(counts, several, cluster.is_some()))
        .collect()
}

fn skew(counts: Vec<u64>, several_accepted: u64, clustered: bool) -> AcceptedPositions {
    let test = position::uniformity(&counts).ok();
    let exact = few_expected(&counts);
    let p = test.filter(|_| !clustered).and_then(|test| {
        if exact {
            test.p_exact
        } else {
            Some(test.p_chi_square)
        }
    });
    let cases: u64 = counts.iter().sum();
    let reason = match (p, counts.len()) {
        (Some(_), _) => None,
        (None, 1) => Some("one option".to_owned()),
        (None, _) if cases == 0 => Some("no case accepts exactly one option".to_owned()),
        (None, _) if clustered => Some(
            "cases of one cluster are not independent, and the test takes them to be".to_owned(),
        ),
        (None, _) => {
            Some("too few cases for the chi-square, too many for the exact test".to_owned())
        }
    };
    AcceptedPositions {
        options: counts.len() as u64,
        cases,
        several_accepted,
        chi_square: test.map(|test| test.chi_square),
        df: test.map(|test| test.df),
        p,
        exact: exact && p.is_some(),
        reason,
        counts,
    }
}
