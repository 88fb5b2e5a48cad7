//! How far the answers of one case agree, over cases.

use crate::case::{Case, KeyBinding, QuestionKind};
use crate::measure::accuracy::LEVEL;
use crate::measure::orders::share::{Shows, mean, resamples_vary, share};
use crate::measure::orders::{CaseOrders, View, range};
use crate::measure::pair::Said;
use crate::stats::agreement::{self, FleissPart, Kappa};
use crate::stats::{Method, cluster};
use crate::summary::{Agreement, Allowed, CaseMean, ChanceAdjusted, Coefficient};

/// What the answers of one case have in common.
pub(in crate::measure) struct Counted {
    /// Answers by option.
    by_option: Vec<u64>,
    declined: u64,
    pub(super) answers: u64,
    /// Whether a further order could still differ.
    pub(in crate::measure) lost: bool,
}

/// The counts of one case.
pub(in crate::measure) fn counted(case: &CaseOrders<'_>) -> Counted {
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

    /// How many different answers there are, not to decide being one.
    pub(in crate::measure) fn different(&self) -> u64 {
        self.labels().iter().filter(|&&count| count > 0).count() as u64
    }

    /// Whether no answer decided.
    pub(in crate::measure) fn is_silent(&self) -> bool {
        self.declined == self.answers
    }

    fn is_several(&self) -> bool {
        self.answers > 1
    }

    /// Whether two answers differ; `None` where several say nothing. Of a case answered once or never, nobody knows.
    pub(in crate::measure) fn any_flip(&self) -> Option<Shows> {
        if !self.is_several() {
            Some(Shows::Unknown)
        } else if self.is_silent() {
            None
        } else if self.different() > 1 {
            Some(Shows::Yes)
        } else if self.lost {
            Some(Shows::NotYet)
        } else {
            Some(Shows::No)
        }
    }
}

/// Agreement over the cases of `view`.
pub(super) fn agreement(view: &View<'_>) -> Agreement {
    let all: Vec<(&CaseOrders<'_>, Counted)> = view
        .cases
        .iter()
        .map(|case| (case, counted(case)))
        .collect();
    let several = || all.iter().filter(|(_, counted)| counted.is_several());
    let too_few_answers = (all.len() - several().count()) as u64;
    let no_decision = several().filter(|(_, counted)| counted.is_silent()).count() as u64;
    let used: Vec<&(&CaseOrders<'_>, Counted)> = several()
        .filter(|(_, counted)| !counted.is_silent())
        .collect();
    let disagreement: Vec<(&Case, f64)> = used
        .iter()
        .filter_map(|(case, counted)| Some((case.case, counted.disagreement()?)))
        .collect();
    let modal: Vec<(&Case, f64)> = used
        .iter()
        .filter_map(|(case, counted)| Some((case.case, counted.modal_share()?)))
        .collect();
    let is_open = |(_, counted): &&&(_, Counted)| counted.any_flip() == Some(Shows::NotYet);
    let open = used.iter().filter(is_open).count() as u64;
    let cases = used.len() as u64;
    let reason = "no case has two answers of which one decided";
    let any_flip = {
        let of_case = all.iter();
        let shown = of_case.filter_map(|(case, counted)| Some((case.case, counted.any_flip()?)));
        share(view, shown, reason)
    };
    let orders = range(used.iter().map(|(_, counted)| counted.answers));
    let options = range(used.iter().map(|(case, _)| case.options() as u64));
    let pairwise = pairwise(view, &disagreement, reason);
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
        modal_share: mean(view, &modal, reason),
        allowed,
    }
}

/// D with its bootstrap interval, or the betting interval where cases are too alike for a bootstrap.
fn pairwise(view: &View<'_>, values: &[(&Case, f64)], reason: &str) -> CaseMean {
    let betting = mean(view, values, reason);
    let units = view.units(values.iter().copied(), f64::total_cmp);
    if !resamples_vary(&units) {
        return betting;
    }
    let mut stream = view.stream("pairwise_disagreement");
    let totals: Vec<(f64, u64)> = units
        .iter()
        .map(|unit| (unit.iter().sum(), unit.len() as u64))
        .collect();
    let draws = cluster::affordable(totals.len());
    match cluster::ratio_interval(&totals, draws, LEVEL, &mut stream) {
        Ok(Some((lower, upper))) => CaseMean {
            interval: Some([lower, upper]),
            method: Some(Method::ClusterBootstrap),
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
    let rows = used
        .iter()
        .filter(|(_, counted)| Some(counted.answers) == most)
        .map(|(case, counted)| (case.case, row(case.case, &labels, counted)));
    let units = view.units(rows, Ord::cmp);
    let cases: usize = units.iter().map(Vec::len).sum();
    let parts: Result<Vec<FleissPart>, _> = units.iter().map(|rows| FleissPart::of(rows)).collect();
    let Some((parts, kappa)) = parts.ok().and_then(|parts| {
        let kappa = agreement::fleiss_over(&parts, &vec![1.0; parts.len()])?;
        Some((parts, kappa))
    }) else {
        return none("no case was answered in several orders");
    };
    if kappa.value.is_none() {
        return coefficient(Some(kappa), cases, None, "one key takes every answer");
    }
    let interval = if resamples_vary(&units) {
        let mut stream = view.stream("fleiss");
        let value = |weights: &[f64]| {
            vec![agreement::fleiss_over(&parts, weights).and_then(|found| found.value)]
        };
        let draws = cluster::affordable(parts.len());
        let found = cluster::bootstrap_weighted(parts.len(), draws, LEVEL, &mut stream, value);
        found
            .ok()
            .and_then(|found| found[0])
            .map(|(lower, upper)| [lower, upper])
    } else {
        None
    };
    let reason = if view.cluster.is_some() {
        "no interval: all but a few clusters are alike"
    } else {
        "no interval: all but a few cases are alike"
    };
    coefficient(Some(kappa), cases, interval, reason)
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
