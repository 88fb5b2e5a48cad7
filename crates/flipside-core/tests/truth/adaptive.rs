//! The adaptive rules, asked by the program until they decide.

use flipside_core::course;
use flipside_core::gate::{GateSpec, Gates, Subject};
use flipside_core::plan::Plan;
use flipside_core::stats::draw::{Part, Stream};
use flipside_core::stats::sequential::{
    Boundaries, Decision, Planned, confidence_sequence, open_boundaries,
};

use super::asking::{measured, plan};
use super::exact::Share;
use super::{ALPHA, LIMIT, Verdicts, per_mille, real};

/// An adaptive rule with its largest number of cases (the statistics page, 16.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    Planned,
    Open,
}

impl Rule {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Planned => "planned",
            Self::Open => "open",
        }
    }

    fn of_program(self) -> course::Adaptive {
        match self {
            Self::Planned => course::Adaptive::Planned,
            Self::Open => course::Adaptive::Open,
        }
    }

    pub(crate) fn most_cases(self) -> u64 {
        match self {
            Self::Planned => 284,
            Self::Open => 442,
        }
    }

    /// Mean asks by rate as the statistics page, 16.5, prints them.
    pub(crate) fn page_asks(self) -> [f64; 6] {
        match self {
            Self::Planned => [184.0, 271.0, 393.0, 574.0, 306.0, 51.0],
            Self::Open => [132.0, 254.0, 475.0, 869.0, 364.0, 34.0],
        }
    }
}

/// What a rule did with one model, over runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Adaptive {
    pub(crate) rate: f64,
    pub(crate) verdicts: Verdicts,
    pub(crate) cases: Mean,
    /// The exact 95th percentile of cases.
    pub(crate) cases_95: u64,
    pub(crate) asks: Mean,
    /// Runs whose confidence sequence, at stopping, holds the rate.
    pub(crate) covered: Share,
}

/// A mean over runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mean {
    pub(crate) simulated: f64,
    /// Standard error of `simulated`, from the exact distribution.
    pub(crate) error: f64,
    pub(crate) exact: f64,
}

/// Where a run ended.
#[derive(Clone, Copy, Debug, PartialEq)]
struct End {
    n: u64,
    flips: u64,
    decision: Decision,
    asks: u64,
    /// Whether the confidence sequence holds the rate.
    covers: bool,
}

impl End {
    fn new(n: u64, flips: u64, decision: Decision, rate: f64) -> Self {
        // Two asks a case, and two more for each flip to confirm it unless the verdict needs no cause.
        let confirming = if decision == Decision::Stable {
            0
        } else {
            flips
        };
        let sequence = confidence_sequence(flips, n, ALPHA).expect("in range");
        Self {
            n,
            flips,
            decision,
            asks: 2 * (n + confirming),
            covers: sequence.covers(rate),
        }
    }
}

/// `runs` runs of `rule` on a model that flips a case with chance `rate`.
pub(crate) fn adaptive(rule: Rule, rate: f64, runs: u32, seed: u64) -> Adaptive {
    let plan = plan(rule.most_cases(), &["a", "b", "c"], false, seed);
    let ends: Vec<End> = (0..runs)
        .map(|run| simulate(rule, &plan, rate, run, seed))
        .collect();
    let boundaries = match rule {
        Rule::Planned => {
            let planned = Planned::new(rule.most_cases(), LIMIT, ALPHA);
            planned.expect("in range").boundaries
        }
        Rule::Open => open_boundaries(rule.most_cases(), LIMIT, ALPHA).expect("in range"),
    };
    let exact = enumerate(&boundaries, rate);
    let share = |holds: &dyn Fn(&End) -> bool| {
        let hits = ends.iter().filter(|end| holds(end)).count();
        let masses = exact
            .iter()
            .filter(|(end, _)| holds(end))
            .map(|(_, mass)| mass);
        let hits = u32::try_from(hits).expect("no more hits than runs");
        Share::new(hits, runs, Some(masses.sum()))
    };
    let mean = |of: &dyn Fn(&End) -> u64| {
        let over = |power: i32| -> f64 {
            exact
                .iter()
                .map(|(end, mass)| mass * real(of(end)).powi(power))
                .sum()
        };
        let exact = over(1);
        Mean {
            simulated: real(ends.iter().map(of).sum()) / f64::from(runs),
            error: ((over(2) - exact * exact).max(0.0) / f64::from(runs)).sqrt(),
            exact,
        }
    };
    Adaptive {
        rate,
        verdicts: Verdicts {
            stable: share(&|end| end.decision == Decision::Stable),
            sensitive: share(&|end| end.decision == Decision::Sensitive),
            inconclusive: share(&|end| end.decision == Decision::Open),
        },
        cases: mean(&|end| end.n),
        cases_95: percentile(&exact),
        asks: mean(&|end| end.asks),
        covered: share(&|end| end.covers),
    }
}

/// The fewest cases within which 95 % of the mass ends.
fn percentile(ends: &[(End, f64)]) -> u64 {
    let within = |n: u64| -> f64 {
        let inside = ends.iter().filter(|(end, _)| end.n <= n);
        inside.map(|(_, mass)| mass).sum()
    };
    // A mass of exactly 95 % may sum to a last digit less.
    let mut counts = ends.iter().map(|(end, _)| end.n).collect::<Vec<_>>();
    counts.sort_unstable();
    let first = counts.into_iter().find(|&n| within(n) >= 0.95 - 1e-12);
    first.expect("every run ends")
}

fn simulate(rule: Rule, plan: &Plan, rate: f64, run: u32, seed: u64) -> End {
    let mut stream = Stream::new(&[
        Part::U64(seed),
        Part::Text("truth of an adaptive run"),
        Part::Text(rule.name()),
        Part::U64(per_mille(rate)),
        Part::U64(u64::from(run)),
    ]);
    let flips: Vec<bool> = plan.cases.iter().map(|_| stream.unit() < rate).collect();
    let gates = Gates {
        adaptive: Some(rule.of_program()),
        ..Gates::resolve(&[GateSpec::None(Subject::Fit)], true, &[], true)
    };
    let (summary, asks) = measured(plan, &gates, |ask| {
        u16::from(ask.changed && flips[ask.case])
    });
    let end = summary.sequential.expect("the gates are adaptive");
    let held = summary.gates[0].held;
    assert_eq!(
        held,
        end.decision == Decision::Stable,
        "the gate says so too"
    );
    let [low, high] = end.interval.expect("there is a pair");
    End {
        n: end.pairs,
        flips: end.flips,
        decision: end.decision,
        asks,
        covers: low <= rate && rate <= high,
    }
}

/// Every end that a run can have, with its chance: forward over (cases, flips).
fn enumerate(boundaries: &Boundaries, rate: f64) -> Vec<(End, f64)> {
    let last = boundaries.stable.len() as u64;
    let mut alive = vec![1.0];
    let mut ends = Vec::new();
    for n in 1..=last {
        let mut next = vec![0.0; alive.len() + 1];
        for (flips, mass) in alive.iter().enumerate() {
            next[flips] += mass * (1.0 - rate);
            next[flips + 1] += mass * rate;
        }
        for (flips, mass) in next.iter_mut().enumerate() {
            let flips = flips as u64;
            let decision = boundaries.decide(n, flips, 0);
            if (decision != Decision::Open || n == last) && *mass > 0.0 {
                ends.push((End::new(n, flips, decision, rate), std::mem::take(mass)));
            }
        }
        alive = next;
    }
    ends
}
