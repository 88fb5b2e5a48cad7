//! In what order the asks of a plan start, and the slots of asks and their repetitions.

use crate::plan::{Plan, Planned};
use crate::stats::draw::{Part, Stream};

impl Plan {
    /// The asks that are sent, as indices, in the seeded random order in which they start.
    pub fn schedule(&self) -> Vec<u32> {
        let mut schedule: Vec<u32> = (0u32..)
            .zip(&self.asks)
            .filter(|(place, _)| self.sends(*place as usize))
            .map(|(place, _)| place)
            .collect();
        Stream::new(&[Part::U64(self.seed), Part::Text("schedule")]).shuffle(&mut schedule);
        schedule
    }

    /// Every ask, the sent ones first and in the order of [`Plan::schedule`].
    pub(crate) fn whole_schedule(&self) -> Vec<u32> {
        let mut whole = self.schedule();
        let others = (0u32..).zip(&self.asks);
        let others = others.filter(|(place, _)| !self.sends(*place as usize));
        whole.extend(others.map(|(place, _)| place));
        whole
    }

    /// How many slots a run of this plan has: one per ask, and one for its repetition.
    pub fn slots(&self) -> usize {
        self.asks.len() * 2
    }

    /// The slot of the repetition that confirms an ask; asks of one case with equal bytes have the same one.
    pub fn again(&self, ask: usize) -> u32 {
        let planned = &self.asks[ask];
        let of_case = |leader: &u32| self.asks[*leader as usize].case == planned.case;
        let confirmed = planned
            .shares
            .filter(of_case)
            .map_or(ask, |leader| leader as usize);
        u32::try_from(self.asks.len() + confirmed).expect("a plan has fewer than 2^31 asks")
    }

    /// The ask of a slot, and whether the slot is its repetition.
    pub fn slot(&self, slot: usize) -> (&Planned, bool) {
        match self.asks.get(slot) {
            Some(planned) => (planned, false),
            None => (&self.asks[slot - self.asks.len()], true),
        }
    }

    /// The slot whose request answers `slot`.
    pub(crate) fn leader(&self, slot: u32) -> u32 {
        let planned = self.asks.get(slot as usize);
        planned.and_then(|planned| planned.shares).unwrap_or(slot)
    }

    /// The plan of the cases for which `keep` is true, and the index that each of its asks has in this plan.
    ///
    /// An ask whose request another case's ask shares has its own in it.
    pub(crate) fn only(&self, keep: &[bool]) -> (Self, Vec<usize>) {
        let mut place = Vec::with_capacity(keep.len());
        let mut kept = 0u32;
        for &keep in keep {
            place.push(kept);
            kept += u32::from(keep);
        }
        let asks: Vec<usize> = (0..self.asks.len())
            .filter(|ask| keep[self.asks[*ask].case as usize])
            .collect();
        let at = |ask: u32| {
            let place = asks.binary_search(&(ask as usize)).ok()?;
            u32::try_from(place).ok()
        };
        let planned = asks.iter().map(|&ask| {
            let planned = &self.asks[ask];
            Planned {
                case: place[planned.case as usize],
                against: planned.against.and_then(at),
                shares: planned.shares.and_then(at),
                ..planned.clone()
            }
        });
        let planned = planned.collect();
        let cases = self.cases.iter().zip(keep).filter(|(_, keep)| **keep);
        let plan = Self {
            cases: cases.map(|(case, _)| case.clone()).collect(),
            duplicates: self.duplicates.clone(),
            variants: self.variants.clone(),
            changes: self.changes.clone(),
            asks: planned,
            vacuous: self
                .vacuous
                .iter()
                .filter(|vacuous| keep[vacuous.case as usize])
                .map(|vacuous| crate::plan::Vacuous {
                    case: place[vacuous.case as usize],
                    ..vacuous.clone()
                })
                .collect(),
            orders: self.orders.clone(),
            axes: self.axes.clone(),
            cross: self.cross,
            seed: self.seed,
            seed_used: self.seed_used,
            sampled: self.sampled,
            baseline: self.baseline,
        };
        (plan, asks)
    }
}
