//! Noisy models, whose flips are asked again: what is blamed on order.

use flipside_core::course::Confirm;
use flipside_core::gate::Gates;
use flipside_core::plan::Plan;
use flipside_core::stats::draw::{Part, Stream};
use flipside_core::stats::net_effect::confirmed;

use super::asking::{measured, plan};
use super::exact::{Share, multinomial};
use super::{ALPHA, LEVEL};

/// Cases of a run (the statistics page, 5).
pub(crate) const CASES: u64 = 200;

/// A share of the cases, with the chance of the first of two options in the own and in the changed order.
type Portion = (f64, f64, f64);

/// A model of which a share of the cases answers by chance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Noisy {
    pub(crate) name: &'static str,
    /// The cases that are left answer the same in both orders, always.
    parts: &'static [Portion],
}

/// The simulated models. In the first two order does nothing.
pub(crate) const MODELS: [Noisy; 5] = [
    Noisy {
        name: "22.6 % of the cases by coin, in both orders",
        parts: &[(0.226, 0.5, 0.5)],
    },
    Noisy {
        name: "every case 94 to 6, in both orders",
        parts: &[(1.0, 0.94, 0.94)],
    },
    Noisy {
        name: "12 % of the cases flip, always",
        parts: &[(0.12, 1.0, 0.0)],
    },
    Noisy {
        name: "12 % flip always, 22.6 % by coin in both orders",
        parts: &[(0.12, 1.0, 0.0), (0.226, 0.5, 0.5)],
    },
    Noisy {
        name: "24 % by coin in the own order and certain in the other",
        parts: &[(0.24, 0.5, 1.0)],
    },
];

/// What confirming its flips said about one model, over runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Confirmed {
    pub(crate) name: &'static str,
    /// The true flip rate.
    pub(crate) flips: f64,
    /// The true confirmed effect.
    pub(crate) effect: f64,
    /// Runs in which the exact test blames order.
    pub(crate) blamed: Share,
    /// Runs whose interval holds the true effect.
    pub(crate) covered: Share,
}

impl Noisy {
    fn over(&self, of: impl Fn(f64, f64) -> f64) -> f64 {
        self.parts
            .iter()
            .map(|&(share, p, q)| share * of(p, q))
            .sum()
    }

    /// `runs` runs: each flipped case is asked once more in both orders.
    pub(crate) fn confirm(&self, runs: u32, seed: u64) -> Confirmed {
        let flips = self.over(|p, q| p * (1.0 - q) + (1.0 - p) * q);
        let replicated = self.over(|p, q| (p * (1.0 - q)).powi(2) + ((1.0 - p) * q).powi(2));
        let swapped = self.over(|p, q| 2.0 * p * (1.0 - q) * (1.0 - p) * q);
        let effect = replicated - swapped;
        let plan = plan(CASES, &["a", "b"], false, seed);
        let (mut blamed, mut covered) = (0, 0);
        for run in 0..runs {
            let found = self.run(&plan, run, seed, effect);
            blamed += u32::from(found[0]);
            covered += u32::from(found[1]);
        }
        let (mut chance_blamed, mut chance_covered) = (0.0, 0.0);
        multinomial(
            CASES,
            [replicated, swapped, 0.0],
            |[first, second, _], mass| {
                chance_blamed += if blames(first, second) { mass } else { 0.0 };
                chance_covered += if covers(first, second, effect) {
                    mass
                } else {
                    0.0
                };
            },
        );
        Confirmed {
            name: self.name,
            flips,
            effect,
            blamed: Share::new(blamed, runs, Some(chance_blamed)),
            covered: Share::new(covered, runs, Some(chance_covered)),
        }
    }

    /// Whether the program blames order in one run, and whether its interval holds the true effect.
    fn run(&self, plan: &Plan, run: u32, seed: u64, effect: f64) -> [bool; 2] {
        let mut stream = Stream::new(&[
            Part::U64(seed),
            Part::Text("truth of noise"),
            Part::Text(self.name),
            Part::U64(u64::from(run)),
        ]);
        // By case: own order, own again, other order, other again.
        let mut case = |_| {
            let mut place = stream.unit();
            let mut chances = (1.0, 1.0);
            for &(share, p, q) in self.parts {
                if (0.0..share).contains(&place) {
                    chances = (p, q);
                }
                place -= share;
            }
            let (p, q) = chances;
            [p, p, q, q].map(|chance| u16::from(stream.unit() >= chance))
        };
        let answers: Vec<[u16; 4]> = (0..CASES).map(&mut case).collect();
        let gates = Gates {
            confirm: Confirm::All,
            ..Gates::resolve(&[], true, &[], true)
        };
        let (summary, _) = measured(plan, &gates, |ask| {
            answers[ask.case][2 * usize::from(ask.changed) + usize::from(ask.again)]
        });
        match summary.confirmed.get("order") {
            Some(found) => {
                let [low, high] = found.interval;
                let blamed = found.p <= ALPHA && found.replicated > found.swapped;
                [blamed, low <= effect && effect <= high]
            }
            None => [false, covers(0, 0, effect)],
        }
    }
}

/// Whether the exact test rejects in the direction of an order effect (the statistics page, 5).
fn blames(replicated: u64, swapped: u64) -> bool {
    let result = confirmed(replicated, swapped, CASES, LEVEL).expect("in range");
    result.p <= ALPHA && replicated > swapped
}

fn covers(replicated: u64, swapped: u64, effect: f64) -> bool {
    let result = confirmed(replicated, swapped, CASES, LEVEL).expect("in range");
    result.effect.covers(effect)
}
