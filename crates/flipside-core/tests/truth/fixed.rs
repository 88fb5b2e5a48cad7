//! The fixed plan: 234 cases of a simulated model, planned and summarised by the program.

use flipside_core::gate::Gates;
use flipside_core::stats::draw::{Part, Stream};
use flipside_core::stats::paired::newcombe_paired;
use flipside_core::stats::proportion::{lower_bound, upper_bound, wilson};
use flipside_core::summary::Verdict;

use super::asking::{measured, plan};
use super::exact::{Binomial, Share, multinomial};
use super::{ALPHA, LEVEL, LIMIT, Verdicts, per_mille};

/// Cases of the reference plan (the statistics page, 16.5).
pub(crate) const CASES: u64 = 234;
/// Chance that a simulated model is right in the own order.
pub(crate) const RIGHT: f64 = 0.7;
/// Chance that a flip of a wrong answer leads to the accepted option.
const REPAIRS: f64 = 0.5;

/// What the program said about one model, over runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fixed {
    pub(crate) rate: f64,
    pub(crate) verdicts: Verdicts,
    pub(crate) wilson: Share,
    pub(crate) upper: Share,
    pub(crate) lower: Share,
    /// Of the difference in accuracy; null without labels.
    pub(crate) newcombe: Option<Share>,
    /// Of the order-averaged accuracy, by the betting interval; null without labels.
    pub(crate) betting: Option<Share>,
}

/// Variant minus own order, in accuracy.
pub(crate) fn accuracy_difference(rate: f64) -> f64 {
    rate * ((1.0 - RIGHT) * REPAIRS - RIGHT)
}

/// `runs` runs of a model that flips a case with chance `rate`; the first `labelled` of them on cases with accepted options.
pub(crate) fn fixed(rate: f64, runs: u32, labelled: u32, seed: u64) -> Fixed {
    let plans = [true, false].map(|labelled| plan(CASES, &["a", "b", "c"], labelled, seed));
    let gates = Gates::resolve(&[], true, &[], true);
    let mut counts = [0; 6];
    let (mut newcombe, mut betting) = (0, 0);
    let truth = (
        accuracy_difference(rate),
        RIGHT + accuracy_difference(rate) / 2.0,
    );
    for run in 0..runs {
        let with_labels = run < labelled;
        let plan = &plans[usize::from(!with_labels)];
        let answers = answers(rate, run, seed);
        let (summary, _) = measured(plan, &gates, |ask| {
            answers[ask.case][usize::from(ask.changed)]
        });
        let line = &summary.axes["order"]["random:1"];
        let figure = &line.figure;
        let verdict = match figure.verdict {
            Verdict::Stable => 0,
            Verdict::OrderSensitive => 1,
            Verdict::Inconclusive => 2,
            ref other => panic!("{other:?} of a complete run without control"),
        };
        counts[verdict] += 1;
        let [low, high] = figure.interval.expect("pairs were compared");
        counts[3] += u32::from(low <= rate && rate <= high);
        counts[4] += u32::from(rate <= figure.upper.expect("pairs were compared"));
        counts[5] += u32::from(figure.lower.expect("pairs were compared") <= rate);
        if with_labels {
            let accuracy = line.accuracy.as_ref().expect("the cases are labelled");
            let [low, high] = accuracy.difference_interval;
            newcombe += u32::from(low <= truth.0 && truth.0 <= high);
            let mean = summary
                .order_averaged_accuracy
                .expect("the cases are labelled");
            let [low, high] = mean.interval;
            betting += u32::from(low <= truth.1 && truth.1 <= high);
        }
    }
    let flips = Binomial::new(CASES, rate);
    let chance = |holds: &dyn Fn(u64) -> bool| -> Option<f64> {
        let masses = flips.range().filter(|&x| holds(x)).map(|x| flips.mass(x));
        Some(masses.sum())
    };
    let up = |x: u64| upper_bound(x, CASES, ALPHA).expect("in range");
    let low = |x: u64| lower_bound(x, CASES, ALPHA).expect("in range");
    let share = |hits: u32, exact: Option<f64>| Share::new(hits, runs, exact);
    Fixed {
        rate,
        verdicts: Verdicts {
            stable: share(counts[0], chance(&|x| up(x) <= LIMIT)),
            sensitive: share(counts[1], chance(&|x| low(x) > LIMIT)),
            inconclusive: share(counts[2], chance(&|x| up(x) > LIMIT && low(x) <= LIMIT)),
        },
        wilson: share(
            counts[3],
            chance(&|x| wilson(x, CASES, LEVEL).expect("in range").covers(rate)),
        ),
        upper: share(counts[4], chance(&|x| rate <= up(x))),
        lower: share(counts[5], chance(&|x| low(x) <= rate)),
        newcombe: (labelled > 0)
            .then(|| Share::new(newcombe, labelled, Some(newcombe_chance(rate)))),
        betting: (labelled > 0).then(|| Share::new(betting, labelled, None)),
    }
}

/// Chance that Newcombe's interval holds the difference: over every table of right and wrong in both orders.
fn newcombe_chance(rate: f64) -> f64 {
    let truth = accuracy_difference(rate);
    let harmful = RIGHT * rate;
    let repairing = (1.0 - RIGHT) * REPAIRS * rate;
    let mut chance = 0.0;
    multinomial(
        CASES,
        [repairing, harmful, RIGHT - harmful],
        |[repaired, harmed, both], mass| {
            let neither = CASES - repaired - harmed - both;
            let interval = newcombe_paired(both, repaired, harmed, neither, LEVEL);
            if interval.expect("in range").covers(truth) {
                chance += mass;
            }
        },
    );
    chance
}

/// What a model says in one run: a case flips or not, wherever its options stand, and says the same again.
fn answers(rate: f64, run: u32, seed: u64) -> Vec<[u16; 2]> {
    let mut stream = Stream::new(&[
        Part::U64(seed),
        Part::Text("truth of the fixed plan"),
        Part::U64(per_mille(rate)),
        Part::U64(u64::from(run)),
    ]);
    let case = |_| {
        let own = u16::from(stream.unit() >= RIGHT);
        let changed = match (stream.unit() < rate, own) {
            (false, _) => own,
            (true, 0) => 1 + u16::from(stream.unit() < 0.5),
            (true, _) if stream.unit() < REPAIRS => 0,
            (true, _) => 2,
        };
        [own, changed]
    };
    (0..CASES).map(case).collect()
}
