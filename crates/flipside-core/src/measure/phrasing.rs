//! Figures across all rewordings asked. Source: the statistics page, 10 and 11.

use std::collections::{BTreeMap, BTreeSet};

use crate::case::Case;
use crate::measure::accuracy::right;
use crate::measure::orders::agreement::counted;
use crate::measure::orders::share::{Shows, share};
use crate::measure::orders::spread::{part, spread};
use crate::measure::orders::{CaseOrders, View, range};
use crate::measure::pair::{PairOutcome, Said, pair};
use crate::measure::table::Table;
use crate::perturb::Axis;
use crate::summary::{DifferentAnswers, PhrasingSummary, WordingShare, WordingSpread};

/// Rewordings from which a spread is told.
const FEWEST: usize = 3;

/// Everything that all rewordings asked show together; `None` if none was asked.
pub(crate) fn phrasings(
    table: &Table<'_>,
    alpha: f64,
    cluster: Option<&str>,
) -> Option<PhrasingSummary> {
    let view = View::over(table, table.beside_own(Axis::Phrasing), alpha, cluster)?;
    let all: Vec<_> = view
        .cases
        .iter()
        .map(|case| (case.case, counted(case)))
        .collect();
    let mut different: BTreeMap<u64, u64> = BTreeMap::new();
    let told = all
        .iter()
        .filter(|(_, counted)| !counted.lost && !counted.is_silent());
    for (_, counted) in told {
        *different.entry(counted.different()).or_default() += 1;
    }
    let of_case = all
        .iter()
        .filter_map(|(case, counted)| Some((*case, counted.any_flip()?)));
    let shown: Vec<(&Case, Shows)> = of_case.collect();
    let open = shown
        .iter()
        .filter(|(_, shows)| *shows == Shows::NotYet)
        .count() as u64;
    let reason = "no case has two answers of which one decided";
    Some(PhrasingSummary {
        cases: view.cases.len() as u64,
        wordings: range(view.cases.iter().map(|case| case.asks.len() as u64))?,
        missing: view.count(Said::Missing),
        unasked: view.count(Said::Unasked),
        no_decision: view.count(Said::Nothing),
        different_answers_left_out: all.len() as u64 - different.values().sum::<u64>(),
        different_answers: different
            .into_iter()
            .map(|(answers, cases)| DifferentAnswers { answers, cases })
            .collect(),
        any_flip: share(&view, shown, reason),
        any_flip_open: open,
        accuracy: accuracy(&view),
        flips: flips(&view),
    })
}

fn accuracy(view: &View<'_>) -> WordingSpread {
    let labelled: Vec<&CaseOrders<'_>> = view
        .cases
        .iter()
        .filter(|case| case.case.is_labelled())
        .collect();
    let accepted =
        |case: &CaseOrders<'_>, variant: usize| right(case.case, case.ask(variant)?.said);
    let wordings = [vec![0], frequent(&labelled)].concat();
    let unlabelled = "no case with a rewording says which options are right";
    wording_spread(
        view,
        &labelled,
        &wordings,
        "phrasing_accuracy",
        unlabelled,
        accepted,
    )
}

fn flips(view: &View<'_>) -> WordingSpread {
    let flipped = |case: &CaseOrders<'_>, variant: usize| match pair(
        case.ask(0)?.said,
        case.ask(variant)?.said,
    ) {
        PairOutcome::Flip { .. } => Some(true),
        PairOutcome::Same => Some(false),
        PairOutcome::Unasked | PairOutcome::Missing | PairOutcome::NoDecision => None,
    };
    let cases: Vec<&CaseOrders<'_>> = view.cases.iter().collect();
    let unasked = "no case was planned in a rewording";
    wording_spread(
        view,
        &cases,
        &frequent(&cases),
        "phrasing_flips",
        unasked,
        flipped,
    )
}

/// The rewordings that at least as many of `cases` bring as the third most frequent one; all where there are fewer.
///
/// A rewording that few cases bring would leave the others without a figure, and a case that brings few would leave the others
/// without their rewordings.
fn frequent(cases: &[&CaseOrders<'_>]) -> Vec<usize> {
    let mut bring: BTreeMap<usize, usize> = BTreeMap::new();
    for case in cases {
        let brought: BTreeSet<usize> = case.asks[1..].iter().map(|ask| ask.variant).collect();
        for variant in brought {
            *bring.entry(variant).or_default() += 1;
        }
    }
    let mut numbers: Vec<usize> = bring.values().copied().collect();
    numbers.sort_unstable_by(|a, b| b.cmp(a));
    let least = numbers.get(FEWEST - 1).copied().unwrap_or(0);
    let enough = bring.into_iter().filter(|(_, number)| *number >= least);
    enough.map(|(variant, _)| variant).collect()
}

/// The share of cases that `shows` is true of by wording, over the cases of which it is known for all `wordings`.
fn wording_spread(
    view: &View<'_>,
    cases: &[&CaseOrders<'_>],
    wordings: &[usize],
    figure: &str,
    no_case: &str,
    shows: impl Fn(&CaseOrders<'_>, usize) -> Option<bool>,
) -> WordingSpread {
    let known: Vec<(&Case, Vec<bool>)> = cases
        .iter()
        .filter_map(|case| {
            let of_case = wordings.iter().map(|&wording| shows(case, wording));
            Some((case.case, of_case.collect::<Option<_>>()?))
        })
        .collect();
    let mut found = WordingSpread {
        wordings: Vec::new(),
        cases: known.len() as u64,
        left_out: (cases.len() - known.len()) as u64,
        least: None,
        most: None,
        value: None,
        shuffled_mean: None,
        shuffled_at_least: None,
        shuffles: 0,
        seed: None,
        reason: None,
    };
    if known.is_empty() {
        let reason = match cases {
            [] => no_case,
            _ => "no case was answered in all of these wordings",
        };
        found.reason = Some(reason.to_owned());
        return found;
    }
    let shares = wordings.iter().enumerate().filter_map(|(place, &wording)| {
        let shown = known.iter().map(|(case, of)| (*case, of[place]));
        wording_share(view, wording, shown)
    });
    found.wordings = shares.collect();
    let rewordings = wordings.iter().filter(|&&wording| wording > 0).count();
    if rewordings < FEWEST {
        found.reason = Some("a spread takes three rewordings".to_owned());
        return found;
    }
    let Some(over_wordings) = spread(view, &known, wordings.len(), figure) else {
        return found;
    };
    let rates = || over_wordings.rates.iter().copied();
    found.least = rates().reduce(f64::min);
    found.most = rates().reduce(f64::max);
    found.value = Some(over_wordings.value);
    if let Some(null) = over_wordings.null {
        found.shuffled_mean = Some(null.mean);
        found.shuffled_at_least = Some(null.at_least_observed);
        found.shuffles = null.shuffles;
        found.seed = Some(view.seed);
    }
    found
}

fn wording_share<'c>(
    view: &View<'_>,
    wording: usize,
    shown: impl Iterator<Item = (&'c Case, bool)> + Clone,
) -> Option<WordingShare> {
    let part = part(view, shown)?;
    Some(WordingShare {
        wording: view.name(wording).to_owned(),
        count: part.count,
        of: part.of,
        rate: part.rate,
        interval: part.interval,
    })
}
