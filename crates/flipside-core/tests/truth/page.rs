//! The kept page of results.

use std::fmt::Write;

use super::adaptive::{Adaptive, Rule, adaptive};
use super::clusters::{CLUSTERS, InClusters, SHARED, in_clusters};
use super::exact::Share;
use super::fixed::{self, Fixed, fixed};
use super::noise::{self, Confirmed, MODELS};
use super::{ALPHA, LIMIT, RATES, SEED, Verdicts};

/// A count is out of line when its exact chance, or that of one further out, is less.
pub(crate) const UNLIKELY: f64 = 1e-4;

/// Everything that the page reports.
pub(crate) struct Results {
    runs: u32,
    pub(crate) fixed: Vec<Fixed>,
    pub(crate) clusters: Vec<InClusters>,
    pub(crate) adaptive: Vec<(Rule, Vec<Adaptive>)>,
    pub(crate) noise: Vec<Confirmed>,
}

impl Results {
    /// `runs` runs per model, `fixed_runs` of the fixed plan, of which the first `labelled` measure accuracy too.
    pub(crate) fn new(runs: u32, fixed_runs: u32, labelled: u32) -> Self {
        let over = |rule| RATES.map(|rate| adaptive(rule, rate, runs, SEED)).to_vec();
        Self {
            runs,
            fixed: RATES
                .map(|rate| fixed(rate, fixed_runs, labelled, SEED))
                .to_vec(),
            clusters: RATES.map(|rate| in_clusters(rate, runs, SEED)).to_vec(),
            adaptive: [Rule::Planned, Rule::Open]
                .map(|rule| (rule, over(rule)))
                .to_vec(),
            noise: MODELS.map(|model| model.confirm(runs, SEED)).to_vec(),
        }
    }

    /// Every count with a known chance.
    fn shares(&self) -> Vec<Share> {
        let mut all = Vec::new();
        for each in &self.fixed {
            all.extend(each.verdicts.all());
            all.extend([each.wilson, each.upper, each.lower]);
            all.extend(each.newcombe);
        }
        for each in &self.clusters {
            all.extend([each.upper, each.lower, each.upper_of_cases, each.stable]);
        }
        for each in self.adaptive.iter().flat_map(|(_, results)| results) {
            all.extend(each.verdicts.all());
            all.push(each.covered);
        }
        for each in &self.noise {
            all.extend([each.blamed, each.covered]);
        }
        all
    }

    /// The page, of which `date` and `command` are written as given.
    pub(crate) fn page(&self, date: &str, command: &str) -> String {
        let mut page = format!(
            "# Simulated models with known flip rates\n\n\
            Date: {date}. Seed {SEED}, {} runs per model. Written by:\n\n    {command}\n\n\
            Each cell is what the runs showed, and in brackets what exact enumeration says must come out on average. The limit is \
            {}, each error rate {}. The reduced form of the same runs is a test (`crates/flipside-core/tests/truth.rs`).\n",
            self.runs,
            percent(LIMIT, 0),
            percent(ALPHA, 0),
        );
        page.push_str(&self.criteria());
        page.push_str(&self.fixed_page());
        page.push_str(&self.coverage());
        page.push_str(&self.in_clusters());
        for (rule, results) in &self.adaptive {
            page.push_str(&adaptive_page(*rule, results));
        }
        page.push_str(&self.confirmed());
        page
    }

    fn criteria(&self) -> String {
        let adaptive = || self.adaptive.iter().flat_map(|(_, results)| results);
        let verdicts: Vec<(f64, Verdicts)> = (self.fixed.iter())
            .map(|each| (each.rate, each.verdicts))
            .chain(adaptive().map(|each| (each.rate, each.verdicts)))
            .collect();
        let worst = |wrong: &dyn Fn(f64) -> bool, of: &dyn Fn(&Verdicts) -> Share| {
            let shares = verdicts.iter().filter(|(rate, _)| wrong(*rate));
            let shares: Vec<Share> = shares.map(|(_, verdicts)| of(verdicts)).collect();
            let largest = |values: Vec<f64>| values.into_iter().fold(0.0, f64::max);
            let simulated = largest(shares.iter().map(Share::value).collect());
            let exact = largest(shares.iter().filter_map(|share| share.exact).collect());
            format!("{} ({})", percent(simulated, 2), percent(exact, 2))
        };
        let stable = worst(&|rate| rate >= LIMIT, &|verdicts| verdicts.stable);
        let sensitive = worst(&|rate| rate <= LIMIT, &|verdicts| verdicts.sensitive);
        let off = |of: &dyn Fn(&Adaptive) -> f64| {
            let ratios = self.adaptive.iter().flat_map(|(rule, results)| {
                let pages = rule.page_asks();
                results
                    .iter()
                    .zip(pages)
                    .map(|(each, page)| of(each) / page)
            });
            ratios.fold(0.0, |worst, ratio| f64::max(worst, (ratio - 1.0).abs()))
        };
        let sequence = adaptive()
            .map(|each| each.covered.value())
            .fold(1.0, f64::min);
        let clusters = self.clusters.iter().filter(|each| each.rate >= LIMIT);
        let clustered = clusters
            .filter_map(|each| each.stable.exact.map(|exact| (each.stable, exact)))
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .map_or_else(String::new, |(share, _)| cell(Some(share)));
        let shares = self.shares();
        let out_of_line = shares
            .iter()
            .filter(|share| {
                !share
                    .exact
                    .is_none_or(|exact| share.agrees_with(exact, UNLIKELY))
            })
            .count();
        format!(
            "\n- `stable` at a true rate of the limit or more, worst over the fixed plan, `planned` and `open`: {stable}. Allowed: {allowed}.\n\
            - `sensitive` at a true rate of the limit or less, worst over the same: {sensitive}. Allowed: {allowed}.\n\
            - One standard error of a share of {allowed} over {} runs is {}, so runs alone may show a little more.\n\
            - With clusters the bounds are approximate: the worst chance of `stable` at the limit or more is {clustered}.\n\
            - Mean asks of `planned` and `open` against the table of the statistics page, 16.5: at most {} off in the runs, {} exactly. \
            Allowed: 3 %. The page prints whole asks.\n\
            - Lowest coverage of the confidence sequence at stopping: {}. Promised: 95 %.\n\
            - Of {} counts with a known chance, {out_of_line} came out so far from it that the chance is under 1 in 10,000.\n",
            self.runs,
            percent((ALPHA * (1.0 - ALPHA) / f64::from(self.runs)).sqrt(), 2),
            percent(off(&|each| each.asks.simulated), 2),
            percent(off(&|each| each.asks.exact), 2),
            percent(sequence, 2),
            shares.len(),
            allowed = percent(ALPHA, 0),
        )
    }

    fn fixed_page(&self) -> String {
        let mut page = format!(
            "\n## Fixed plan, {} cases\n\n\
            Cases of three options with one random other order each, planned, answered and summarised by the program, gates in general.\n\n\
            | true rate | stable | sensitive | inconclusive |\n|---|---|---|---|\n",
            fixed::CASES
        );
        for each in &self.fixed {
            row(&mut page, each.rate, &each.verdicts.all().map(Some));
        }
        page
    }

    fn coverage(&self) -> String {
        let mut page = format!(
            "\n## Coverage of intervals, {} cases\n\n\
            Wilson's interval promises 95 % on average over rates and at no single one; Newcombe's is approximate too. The one-sided bounds and \
            the betting interval promise at least 95 % at every rate. Newcombe: accuracy in the other order minus the own one, for a model that is \
            right in {} of the cases. Betting: accuracy averaged over both orders; its exact coverage is not enumerated.\n\n\
            | true rate | Wilson | upper bound | lower bound | Newcombe | betting |\n|---|---|---|---|---|---|\n",
            fixed::CASES,
            percent(fixed::RIGHT, 0),
        );
        for each in &self.fixed {
            let shares = [
                Some(each.wilson),
                Some(each.upper),
                Some(each.lower),
                each.newcombe,
                each.betting,
            ];
            row(&mut page, each.rate, &shares);
        }
        page
    }

    fn in_clusters(&self) -> String {
        let mut page = format!(
            "\n## Bounds over clusters, {CLUSTERS} clusters of three cases\n\n\
            Two cases of a cluster correlate by {SHARED}. Korn and Graubard's bounds are approximate; beside them the upper bound that takes the \
            cases for independent. `stable` is the share of upper bounds at or under the limit.\n\n\
            | true rate | upper bound | lower bound | upper bound over cases | stable |\n|---|---|---|---|---|\n",
        );
        for each in &self.clusters {
            let shares = [each.upper, each.lower, each.upper_of_cases, each.stable];
            row(&mut page, each.rate, &shares.map(Some));
        }
        page
    }

    fn confirmed(&self) -> String {
        let mut page = format!(
            "\n## Confirming flips of noisy models, {} cases\n\n\
            Each flipped case is asked once more in both orders. Order is blamed when the exact test rejects at {} with more replicated than \
            swapped flips. Tango's interval of the confirmed effect is approximate.\n\n\
            | model | flip rate | true effect | blamed on order | Tango covers |\n|---|---|---|---|---|\n",
            noise::CASES,
            percent(ALPHA, 0),
        );
        for each in &self.noise {
            let [blamed, covered] = [each.blamed, each.covered].map(|share| cell(Some(share)));
            let (flips, effect) = (percent(each.flips, 2), percent(each.effect, 2));
            writeln!(
                page,
                "| {} | {flips} | {effect} | {blamed} | {covered} |",
                each.name
            )
            .expect("text");
        }
        page
    }
}

/// The tables of one adaptive rule.
fn adaptive_page(rule: Rule, results: &[Adaptive]) -> String {
    let mut page = format!(
        "\n## `{}`, at most {} cases\n\n\
        | true rate | stable | sensitive | inconclusive | confidence sequence covers |\n|---|---|---|---|---|\n",
        rule.name(),
        rule.most_cases(),
    );
    for each in results {
        let [stable, sensitive, inconclusive] = each.verdicts.all();
        let shares = [stable, sensitive, inconclusive, each.covered];
        row(&mut page, each.rate, &shares.map(Some));
    }
    page.push_str(
        "\nAsks: two per case, and two per flip to confirm it unless `stable`. ± is one standard error of the runs' mean.\n\n\
        | true rate | mean cases | 95 of 100 within | mean asks | page | runs / page | exact / page |\n|---|---|---|---|---|---|---|\n",
    );
    for (each, table) in results.iter().zip(rule.page_asks()) {
        writeln!(
            page,
            "| {} | {:.1} ({:.1}) | {} | {:.1} ± {:.1} ({:.1}) | {table:.0} | {:.3} | {:.3} |",
            percent(each.rate, 0),
            each.cases.simulated,
            each.cases.exact,
            each.cases_95,
            each.asks.simulated,
            each.asks.error,
            each.asks.exact,
            each.asks.simulated / table,
            each.asks.exact / table,
        )
        .expect("text");
    }
    page
}

fn row(page: &mut String, rate: f64, shares: &[Option<Share>]) {
    write!(page, "| {} |", percent(rate, 0)).expect("text");
    for share in shares {
        write!(page, " {} |", cell(*share)).expect("text");
    }
    page.push('\n');
}

fn cell(share: Option<Share>) -> String {
    let Some(share) = share else {
        return "–".to_owned();
    };
    match share.exact {
        Some(exact) => format!("{} ({})", percent(share.value(), 2), percent(exact, 2)),
        None => percent(share.value(), 2),
    }
}

fn percent(share: f64, decimals: usize) -> String {
    format!("{:.decimals$} %", share * 100.0)
}
