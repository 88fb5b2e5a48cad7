//! Adaptive asking: case by case in a seeded order, until the gate is decided.

use std::collections::BTreeMap;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::CourseError;
use crate::gate::Gates;
use crate::measure::{PairOutcome, Table, pair};
use crate::perturb::Axis;
use crate::plan::Plan;
use crate::stats::draw::{Part, Stream};
use crate::stats::number::real;
use crate::stats::sequential::{Decision, OpenRun, Planned};

/// The rules of adaptive asking (the statistics page, 16).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Adaptive {
    /// The file is the budget: exact boundaries for its number of cases.
    Planned,
    /// No maximum: bets that may be looked at, stopped and gone on with at any time.
    Open,
}

impl Adaptive {
    /// The name, as `--adaptive` takes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Planned => "planned",
            Self::Open => "open",
        }
    }
}

impl FromStr for Adaptive {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        [Self::Planned, Self::Open]
            .into_iter()
            .find(|rule| rule.name() == text)
            .ok_or(())
    }
}

/// Where an adaptive rule stands: all that a journal needs to say about it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// Counts against the boundaries.
    Planned {
        /// Pairs seen, the missing ones included.
        n: u64,
        /// Flips among them.
        flips: u64,
        /// Missing pairs among them.
        missing: u64,
    },
    /// The bets' wealth.
    Open(OpenRun),
}

/// Where an adaptive rule stands, and what it says.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequential {
    /// The rule.
    pub rule: Adaptive,
    /// The limit that is gated.
    pub limit: f64,
    /// Error allowed on each side.
    pub alpha: f64,
    /// The variant that decides, as an index of the plan's.
    pub variant: usize,
    /// Units that could be asked: cases, or clusters.
    pub units: u64,
    /// Units whose outcome is known, in order, whether it counts or not.
    pub known: u64,
    /// Units whose outcome is known and counted, in order.
    pub observed: u64,
    /// Pairs among them that flipped.
    pub flips: u64,
    /// Pairs among them that could be compared or are missing.
    pub pairs: u64,
    /// Missing pairs among them.
    pub missing: u64,
    /// The counts or wealth.
    pub state: State,
    /// The boundaries, for `planned`.
    pub planned: Option<Planned>,
    /// What the rule says.
    pub decision: Decision,
}

/// One case, or one cluster of cases.
#[derive(Debug, Default)]
struct Unit {
    /// Its asks in the order in which they start.
    asks: Vec<u32>,
    /// Its pairs, by the variant's ask.
    pairs: Vec<usize>,
}

/// A sample that grows until it decides.
#[derive(Debug)]
pub(super) struct Sampling {
    units: Vec<Unit>,
    launched: usize,
    /// Units whose outcome is known, in order, whether it counts or not.
    known: usize,
    standing: Sequential,
}

impl Sampling {
    /// The sample of `plan` under `rule`.
    ///
    /// # Errors
    /// [`CourseError`].
    pub(super) fn new(plan: &Plan, gates: &Gates, rule: Adaptive) -> Result<Self, CourseError> {
        let orders: Vec<usize> = (0..plan.variants.len())
            .filter(|place| plan.variants[*place].axis == Axis::Order)
            .collect();
        let [variant] = orders[..] else {
            return Err(CourseError::Orders {
                found: orders.len(),
            });
        };
        let limit = gates
            .limit_of(&plan.variants[variant])
            .ok_or(CourseError::NoGate)?;
        if limit <= 0.0 || limit >= 1.0 {
            return Err(CourseError::Limit);
        }
        if rule == Adaptive::Planned && gates.groups.cluster.is_some() {
            return Err(CourseError::Clusters);
        }
        let units = units(plan, variant, gates);
        let planned = match rule {
            Adaptive::Planned if !units.is_empty() => Some(
                Planned::new(units.len() as u64, limit, gates.alpha).map_err(CourseError::Rule)?,
            ),
            _ => None,
        };
        let open = OpenRun::new(limit).map_err(CourseError::Rule)?;
        let standing = Sequential {
            rule,
            limit,
            alpha: gates.alpha,
            variant,
            units: units.len() as u64,
            known: 0,
            observed: 0,
            flips: 0,
            pairs: 0,
            missing: 0,
            state: match rule {
                Adaptive::Planned => State::Planned {
                    n: 0,
                    flips: 0,
                    missing: 0,
                },
                Adaptive::Open => State::Open(open),
            },
            planned,
            decision: Decision::Open,
        };
        Ok(Self {
            units,
            launched: 0,
            known: 0,
            standing,
        })
    }

    pub(super) fn standing(&self) -> &Sequential {
        &self.standing
    }

    /// Whether the gate is decided or nothing is left to ask.
    pub(super) fn is_over(&self) -> bool {
        self.standing.decision != Decision::Open || self.known == self.units.len()
    }

    /// Counts what is known, in order, and gives the asks that are sure to be needed whatever is answered: never one more
    /// than asking one case after another would have made.
    pub(super) fn advance(&mut self, table: &Table<'_>) -> Vec<u32> {
        while self.standing.decision == Decision::Open && self.known < self.launched {
            let Some(outcomes) = outcomes(&self.units[self.known], table) else {
                break;
            };
            self.known += 1;
            self.standing.known += 1;
            self.standing.observe(&outcomes);
        }
        if self.standing.decision != Decision::Open {
            return Vec::new();
        }
        let sure = self.known + self.standing.sure(self.units.len() - self.known);
        let from = self.launched;
        self.launched = self.launched.max(sure);
        let fresh = self.units[from..self.launched].iter();
        fresh.flat_map(|unit| unit.asks.iter().copied()).collect()
    }
}

/// The units of `plan`, in an order that each case or cluster draws for itself: another case more changes the place of none.
/// Cases that a run has grown by come after those that it had.
fn units(plan: &Plan, variant: usize, gates: &Gates) -> Vec<Unit> {
    let mut by_case: Vec<Vec<u32>> = vec![Vec::new(); plan.cases.len()];
    let mut pair_of: Vec<Option<usize>> = vec![None; plan.cases.len()];
    for (ask, planned) in plan.asks.iter().enumerate() {
        let case = planned.case as usize;
        by_case[case].push(u32::try_from(ask).expect("a plan has fewer than 2^32 asks"));
        if planned.variant as usize == variant {
            pair_of[case] = Some(ask);
        }
    }
    let mut units: Vec<((usize, u64), Unit)> = Vec::new();
    let mut clusters: BTreeMap<&str, Unit> = BTreeMap::new();
    for (case, mut asks) in by_case.into_iter().enumerate() {
        let Some(pair) = pair_of[case] else {
            continue;
        };
        let key = plan.cases[case].draw_key();
        let mut draws =
            Stream::new(&[Part::U64(plan.seed), Part::Text("course"), Part::Text(&key)]);
        let came = gates
            .grown_from
            .iter()
            .filter(|before| case >= **before)
            .count();
        let place = (came, draws.word());
        draws.shuffle(&mut asks);
        if let Some(cluster) = gates.groups.cluster_of(&plan.cases[case]) {
            let unit = clusters.entry(cluster).or_default();
            unit.asks.append(&mut asks);
            unit.pairs.push(pair);
            continue;
        }
        let pairs = vec![pair];
        units.push((place, Unit { asks, pairs }));
    }
    for (cluster, mut unit) in clusters {
        let parts = [
            Part::U64(plan.seed),
            Part::Text("course-cluster"),
            Part::Text(cluster),
        ];
        let mut draws = Stream::new(&parts);
        let place = draws.word();
        draws.shuffle(&mut unit.asks);
        units.push(((0, place), unit));
    }
    units.sort_by_key(|(place, _)| *place);
    units.into_iter().map(|(_, unit)| unit).collect()
}

/// What became of a unit's pairs, once all of them are known.
fn outcomes(unit: &Unit, table: &Table<'_>) -> Option<Vec<PairOutcome>> {
    let outcome = |ask: &usize| {
        let each = table.pair(*ask);
        let outcome = pair(each.own, each.variant);
        let known = table.asked[*ask].is_some() && table.asked[table.against(*ask)].is_some();
        known.then_some(outcome)
    };
    unit.pairs.iter().map(outcome).collect()
}

impl Sequential {
    /// Takes in one unit. A pair in which the model did not decide is no pair; without any other the unit does not count.
    fn observe(&mut self, outcomes: &[PairOutcome]) {
        let count = |wanted: fn(&PairOutcome) -> bool| {
            outcomes.iter().filter(|outcome| wanted(outcome)).count() as u64
        };
        let flips = count(|outcome| matches!(outcome, PairOutcome::Flip { .. }));
        let missing =
            count(|outcome| matches!(outcome, PairOutcome::Missing | PairOutcome::Unasked));
        let pairs = flips + missing + count(|outcome| *outcome == PairOutcome::Same);
        if pairs == 0 {
            return;
        }
        self.observed += 1;
        self.flips += flips;
        self.missing += missing;
        self.pairs += pairs;
        match &mut self.state {
            State::Planned {
                n,
                flips: seen,
                missing: lost,
            } => {
                *n += 1;
                *seen += flips;
                *lost += missing;
            }
            State::Open(run) => {
                let share = |part: u64| real(part) / real(pairs);
                run.observe_between(share(flips), share(flips + missing))
                    .expect("shares of a whole");
            }
        }
        self.decision = self.decide(&self.state);
    }

    fn decide(&self, state: &State) -> Decision {
        match (state, &self.planned) {
            (State::Planned { n, flips, missing }, Some(planned)) => {
                planned.decide(*n, *flips, *missing)
            }
            (State::Planned { .. }, None) => Decision::Open,
            (State::Open(run), _) => run.decide(self.alpha).unwrap_or(Decision::Open),
        }
    }

    /// How many further units are needed whatever they answer, at most `left`: until all clean or all flipped would decide.
    fn sure(&self, left: usize) -> usize {
        let mut clean = self.state;
        let mut flipped = self.state;
        for more in 1..=left {
            step(&mut clean, 0);
            step(&mut flipped, 1);
            if self.decide(&clean) != Decision::Open || self.decide(&flipped) != Decision::Open {
                return more;
            }
        }
        left
    }
}

/// One further unit that is clean, or flips.
fn step(state: &mut State, flip: u64) {
    match state {
        State::Planned { n, flips, .. } => {
            *n += 1;
            *flips += flip;
        }
        State::Open(run) => {
            let share = if flip == 0 { 0.0 } else { 1.0 };
            run.observe_between(share, share).expect("0 or 1");
        }
    }
}
