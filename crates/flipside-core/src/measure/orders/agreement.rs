//! How far the answers of one case agree, over cases.

use crate::case::{Case, KeyBinding, QuestionKind};
use crate::measure::accuracy::LEVEL;
use crate::measure::clusters::{Unit, Units};
use crate::measure::orders::share::{mean, resamples_vary, share};
use crate::measure::orders::{CaseOrders, View, range};
use crate::measure::pair::Said;
use crate::stats::agreement::{self, Kappa};
use crate::stats::cluster::{self, DRAWS};
use crate::summary::{Agreement, Allowed, CaseMean, CaseShare, ChanceAdjusted, Coefficient};

/// What the answers of one case have in common.
pub(super) struct Counted {
    /// Answers by option.
    by_option: Vec<u64>,
    declined: u64,
    pub(super) answers: u64,
    /// Whether a further order could still differ.
    lost: bool,
}

/// The counts of one case.
pub(super) fn counted(case: &CaseOrders<'_>) -> Counted {
    let mut by_option = vec![0; case.options()];
    let mut declined = 0;
    for ask in &case.asks {
        match ask.said {
            Said::Chose { id, .. } => by_option[id.index()] += 1,
            Said::Nothing => declined += 1,
            Said::Missing | Said::Unasked => {}
        }
    }
    Counted {
        answers: by_option.iter().sum::<u64>() + declined,
        by_option,
        declined,
        lost: case.lost(),
    }
}

impl Counted {
    /// Every label with its count; not to decide is the last.
    fn labels(&self) -> Vec<u64> {
        let mut labels = self.by_option.clone();
        labels.push(self.declined);
        labels
    }

    /// Share of pairs of answers that differ; two that did not decide are no pair. `None` without a pair.
    #[expect(
        clippy::cast_precision_loss,
        reason = "order counts are far below 2^26"
    )]
    pub(super) fn disagreement(&self) -> Option<f64> {
        let pairs = |n: u64| n * n.saturating_sub(1) / 2;
        let compared = pairs(self.answers) - pairs(self.declined);
        let same: u64 = self.by_option.iter().map(|&count| pairs(count)).sum();
        (compared > 0).then(|| (compared - same) as f64 / compared as f64)
    }

    fn common(&self) -> Option<agreement::CaseAgreement> {
        agreement::case_agreement(&self.labels()).ok()
    }

    pub(super) fn modal_share(&self) -> Option<f64> {
        self.common().map(|common| common.modal_share)
    }

    fn any_flip(&self) -> bool {
        self.common().is_some_and(|common| common.any_flip)
    }
}

/// Agreement over the cases of `view`.
pub(super) fn agreement(view: &View<'_>) -> Agreement {
    let all: Vec<(&CaseOrders<'_>, Counted)> = view
        .cases
        .iter()
        .map(|case| (case, counted(case)))
        .collect();
    let several = |counted: &Counted| counted.answers > 1;
    let too_few_answers = all.iter().filter(|(_, counted)| !several(counted)).count() as u64;
    let silent = |counted: &Counted| counted.declined == counted.answers;
    let no_decision = all
        .iter()
        .filter(|(_, counted)| several(counted) && silent(counted))
        .count() as u64;
    let used: Vec<&(&CaseOrders<'_>, Counted)> = all
        .iter()
        .filter(|(_, counted)| several(counted) && !silent(counted))
        .collect();
    let disagreement: Vec<f64> = used
        .iter()
        .filter_map(|(_, counted)| counted.disagreement())
        .collect();
    let modal: Vec<f64> = used
        .iter()
        .filter_map(|(_, counted)| counted.modal_share())
        .collect();
    let flipped = used.iter().filter(|(_, c)| c.any_flip()).count() as u64;
    let open = used.iter().filter(|(_, c)| !c.any_flip() && c.lost).count() as u64;
    let cases = used.len() as u64;
    let reason = "no case has two answers of which one decided";
    let any_flip = {
        // Of the cases answered once or never, nobody knows.
        let unknown = too_few_answers;
        let settled = share(flipped, cases, 0, view.alpha, reason);
        let bounded = share(flipped, cases, unknown, view.alpha, reason);
        let worst = share(flipped + open, cases, unknown, view.alpha, reason);
        let mut any_flip = CaseShare {
            lower: bounded.lower,
            upper: worst.upper,
            ..settled
        };
        if let (Some(field), true) = (view.cluster, cases > 0) {
            over_clusters(&mut any_flip, &all, field, view.alpha);
        }
        any_flip
    };
    let orders = range(used.iter().map(|(_, counted)| counted.answers));
    let options = range(used.iter().map(|(case, _)| case.options() as u64));
    let pairwise = pairwise(&disagreement, view, reason);
    let allowed = orders
        .filter(|orders| orders.least == orders.most)
        // Pairs that did not decide are not compared, so that the upper bound does not hold for such a case.
        .filter(|_| used.iter().all(|(_, counted)| counted.declined == 0))
        .and_then(|orders| {
            let rate = any_flip.rate?;
            let (least, most) =
                agreement::disagreement_range(rate, orders.most, options?.most).ok()?;
            let value = pairwise.value?;
            Some(Allowed {
                least,
                most,
                holds: least - 1e-9 <= value && value <= most + 1e-9,
            })
        });
    Agreement {
        cases,
        answers: used.iter().map(|(_, counted)| counted.answers).sum(),
        orders,
        options,
        no_decision,
        too_few_answers,
        chance_adjusted: ChanceAdjusted {
            brennan_prediger: brennan_prediger(&used, &pairwise, reason),
            fleiss: fleiss(&used, view),
        },
        pairwise_disagreement: pairwise,
        any_flip,
        any_flip_open: open,
        modal_share: mean(&modal, reason),
        allowed,
    }
}

/// The interval and bounds of the cases with any flip, over the clusters of `field`.
fn over_clusters(
    any_flip: &mut CaseShare,
    all: &[(&CaseOrders<'_>, Counted)],
    field: &str,
    alpha: f64,
) {
    let silent = |counted: &Counted| counted.answers > 1 && counted.declined == counted.answers;
    let units = |open: Unit| {
        let units = all.iter().filter(|(_, counted)| !silent(counted));
        Units::of(
            field,
            units.map(|(case, counted)| {
                let unit = match counted {
                    // Of the cases answered once or never, nobody knows.
                    _ if counted.answers < 2 => Unit::Lost,
                    _ if counted.any_flip() => Unit::Hit,
                    _ if counted.lost => open,
                    _ => Unit::NoHit,
                };
                (case.case, unit)
            }),
        )
    };
    any_flip.interval = units(Unit::NoHit)
        .share(alpha)
        .and_then(|over| over.interval);
    if let Some(over) = units(Unit::Lost).share(alpha) {
        any_flip.lower = Some(over.bounds.lower);
        any_flip.upper = Some(over.bounds.upper);
    }
}

/// D with its bootstrap interval, or the betting interval where cases are too alike for a bootstrap.
fn pairwise(values: &[f64], view: &View<'_>, reason: &str) -> CaseMean {
    let betting = mean(values, reason);
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    if !resamples_vary(&sorted) {
        return betting;
    }
    let mut stream = view.stream("pairwise_disagreement");
    #[expect(clippy::cast_precision_loss, reason = "case counts are far below 2^52")]
    let average = |chosen: &[usize]| {
        let sum: f64 = chosen.iter().map(|&place| sorted[place]).sum();
        Some(sum / chosen.len() as f64)
    };
    match cluster::bootstrap(sorted.len(), DRAWS, LEVEL, &mut stream, average) {
        Ok(Some(found)) => CaseMean {
            interval: Some([found.estimate.lower, found.estimate.upper]),
            method: Some(found.estimate.method),
            seed: Some(view.seed),
            ..betting
        },
        _ => betting,
    }
}

fn coefficient(
    kappa: Option<Kappa>,
    cases: usize,
    interval: Option<[f64; 2]>,
    reason: &str,
) -> Coefficient {
    let value = kappa.and_then(|kappa| kappa.value);
    Coefficient {
        value,
        cases: cases as u64,
        observed: kappa.map(|kappa| kappa.observed),
        chance: kappa.map(|kappa| kappa.chance),
        interval: interval.filter(|_| value.is_some()),
        reason: (value.is_none() || interval.is_none()).then(|| reason.to_owned()),
    }
}

fn brennan_prediger(
    used: &[&(&CaseOrders<'_>, Counted)],
    pairwise: &CaseMean,
    reason: &str,
) -> Coefficient {
    let mut rows: Vec<(f64, u64)> = used
        .iter()
        .filter_map(|(case, counted)| Some((counted.disagreement()?, case.options() as u64)))
        .collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let (values, options): (Vec<f64>, Vec<u64>) = rows.into_iter().unzip();
    let kappa = agreement::brennan_prediger(&values, &options).ok();
    // The coefficient is a line in D, so that D's interval leads to its own.
    let interval = kappa.zip(pairwise.interval).map(|(kappa, [low, high])| {
        let of = |disagreement: f64| 1.0 - disagreement / (1.0 - kappa.chance);
        [of(high), of(low)]
    });
    coefficient(kappa, values.len(), interval, reason)
}

/// Fleiss' kappa over the cases answered in all their orders, if all cases choose among the same keys.
fn fleiss(used: &[&(&CaseOrders<'_>, Counted)], view: &View<'_>) -> Coefficient {
    let none = |reason: &str| coefficient(None, 0, None, reason);
    let Some((first, _)) = used.first() else {
        return none("no case has two answers of which one decided");
    };
    let Some(labels) = labels(first.case) else {
        return none("keys stay in their places, so that they are not one set of labels");
    };
    if used
        .iter()
        .any(|(case, _)| self::labels(case.case).as_ref() != Some(&labels))
    {
        return none("cases choose among different keys");
    }
    let most = used.iter().map(|(_, counted)| counted.answers).max();
    let mut rows: Vec<Vec<u64>> = used
        .iter()
        .filter(|(_, counted)| Some(counted.answers) == most)
        .map(|(case, counted)| row(case.case, &labels, counted))
        .collect();
    rows.sort_unstable();
    let Ok(kappa) = agreement::fleiss(&rows) else {
        return none("no case was answered in several orders");
    };
    if kappa.value.is_none() {
        return coefficient(Some(kappa), rows.len(), None, "one key takes every answer");
    }
    let interval = if resamples_vary(&rows) {
        let mut stream = view.stream("fleiss");
        let mut chosen_rows = Vec::new();
        let statistic = |chosen: &[usize]| {
            chosen_rows.clear();
            chosen_rows.extend(chosen.iter().map(|&place| rows[place].clone()));
            agreement::fleiss(&chosen_rows).ok()?.value
        };
        let found = cluster::bootstrap(rows.len(), DRAWS, LEVEL, &mut stream, statistic);
        let found = found.ok().flatten();
        found.map(|found| [found.estimate.lower, found.estimate.upper])
    } else {
        None
    };
    let reason = "no interval: all but a few cases are alike";
    coefficient(Some(kappa), rows.len(), interval, reason)
}

/// The keys that a case chooses among, sorted; `None` where a key means a place. Levels of a score are labels.
fn labels(case: &Case) -> Option<Vec<&str>> {
    if case.keys == KeyBinding::Place && case.question.kind != QuestionKind::Score {
        return None;
    }
    let mut keys: Vec<&str> = case.options.iter().map(|o| o.key.0.as_str()).collect();
    keys.sort_unstable();
    Some(keys)
}

/// The counts of a case by label; not to decide is a label of its own.
fn row(case: &Case, labels: &[&str], counted: &Counted) -> Vec<u64> {
    let mut row = vec![0; labels.len() + 1];
    for (option, count) in case.options.iter().zip(&counted.by_option) {
        let place = labels.iter().position(|label| *label == option.key.0);
        row[place.expect("the case's own keys are the labels")] = *count;
    }
    row[labels.len()] = counted.declined;
    row
}
