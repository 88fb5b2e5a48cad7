//! The course of a run: which asks are needed next, given what is known of the others.
//!
//! A plan has every ask of the first round, and each of them may be made once more to confirm a flip. Ask `i` of a plan of
//! `n` asks has slot `i`, its repetition slot `n + i`, so that neither depends on what was answered.

mod confirm;
mod sequential;

pub use confirm::Confirm;
pub use sequential::{Adaptive, Sequential, State};

use crate::gate::Gates;
use crate::measure::Table;
use crate::plan::Plan;
use crate::record::Asked;
use sequential::Sampling;

/// Why a plan cannot be asked adaptively.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CourseError {
    /// No variant, or several, could decide.
    #[error("asking adaptively decides about one order per case, this plan has {found}")]
    Orders {
        /// How many there are.
        found: usize,
    },
    /// Clusters, of which the file's boundaries know nothing.
    #[error(
        "the rule `planned` takes cases as independent, and `--cluster` says that they are not; use `--adaptive open`"
    )]
    Clusters,
    /// Nothing that could be decided.
    #[error("asking adaptively needs a gate on the order, and there is none")]
    NoGate,
    /// A limit that no sample can decide about.
    #[error("asking adaptively needs a limit over 0% and under 100%, since no sample shows either")]
    Limit,
    /// More cases than a plan of boundaries is computed for.
    #[error("{0}")]
    Rule(crate::stats::Error),
}

/// Which asks are needed, one decision after another. The same answers give the same course, in whatever order they came.
#[derive(Debug)]
pub struct Course<'a> {
    plan: &'a Plan,
    gates: &'a Gates,
    baselines: Vec<usize>,
    /// By slot: whether it is needed.
    needed: Vec<bool>,
    /// By slot: whether its request was named.
    named: Vec<bool>,
    phase: Phase,
    sampling: Option<Sampling>,
    /// The slots of the confirmation round, once it began.
    round: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Every ask of the plan; those before the number are known.
    All(usize),
    /// Case by case until the gate is decided.
    Sampled,
    /// Which flips are to be confirmed is to be seen.
    Flips,
    /// They are asked once more; those before the number are known.
    Confirmed(usize),
    /// Nothing further is needed.
    Done,
}

impl<'a> Course<'a> {
    /// The course of `plan` under `gates`, before anything is known.
    ///
    /// # Errors
    /// [`CourseError`] if `gates` ask for an adaptive rule that this plan cannot follow.
    pub fn new(plan: &'a Plan, gates: &'a Gates) -> Result<Self, CourseError> {
        let sampling = gates
            .adaptive
            .map(|rule| Sampling::new(plan, gates, rule))
            .transpose()?;
        Ok(Self {
            plan,
            gates,
            baselines: plan.baselines(),
            needed: vec![false; plan.slots()],
            named: vec![false; plan.slots()],
            phase: match sampling {
                None => Phase::All(0),
                Some(_) => Phase::Sampled,
            },
            sampling,
            round: Vec::new(),
        })
    }

    /// The slots that are needed now and were not named before, in the order in which they should start; those that are
    /// known already are left out. To be asked again whenever something became known and nothing is left to start.
    ///
    /// # Panics
    /// If `asked` has another length than the plan has slots.
    pub fn ready(&mut self, asked: &[Option<Asked>]) -> Vec<u32> {
        assert_eq!(asked.len(), self.plan.slots(), "one place per slot");
        loop {
            let (wanted, next) = self.step(asked);
            let fresh = self.name(&wanted, asked);
            // What was named has to become known before the course goes on.
            match next {
                _ if !fresh.is_empty() => return fresh,
                Some(next) => self.phase = next,
                None if wanted.is_empty() => return fresh,
                None => {}
            }
        }
    }

    /// What the present phase wants, and the phase that follows if all of that is known.
    fn step(&mut self, asked: &[Option<Asked>]) -> (Vec<u32>, Option<Phase>) {
        let table = Table::over(self.plan, asked, &self.baselines);
        match self.phase {
            Phase::All(known) => {
                let more = asked[known..self.plan.asks.len()].iter();
                let known = known + more.take_while(|asked| asked.is_some()).count();
                let wanted = if self.needed.first() == Some(&false) {
                    self.plan.whole_schedule()
                } else {
                    Vec::new()
                };
                self.phase = Phase::All(known);
                let over = known == self.plan.asks.len();
                (wanted, over.then_some(Phase::Flips))
            }
            Phase::Sampled => {
                let sampling = self.sampling.as_mut().expect("a sampled course samples");
                let wanted = sampling.advance(&table);
                (wanted, sampling.is_over().then_some(Phase::Flips))
            }
            Phase::Flips => {
                let standing = self.sampling.as_ref().map(Sampling::standing);
                self.round = confirm::wanted(&table, self.gates, standing, &self.needed);
                self.phase = Phase::Confirmed(0);
                (self.round.clone(), Some(Phase::Confirmed(0)))
            }
            Phase::Confirmed(known) => {
                let more = self.round[known..].iter();
                let answered = |slot: &&u32| asked[**slot as usize].is_some();
                let known = known + more.take_while(answered).count();
                self.phase = Phase::Confirmed(known);
                (
                    Vec::new(),
                    (known == self.round.len()).then_some(Phase::Done),
                )
            }
            Phase::Done => (Vec::new(), None),
        }
    }

    /// Notes what is needed, and gives the requests among it that are to be sent.
    fn name(&mut self, wanted: &[u32], asked: &[Option<Asked>]) -> Vec<u32> {
        let mut fresh = Vec::new();
        for &slot in wanted {
            self.needed[slot as usize] = true;
            let sent = self.plan.leader(slot);
            let named = std::mem::replace(&mut self.named[sent as usize], true);
            if !named && asked[sent as usize].is_none() {
                fresh.push(sent);
            }
        }
        fresh
    }

    /// Whether nothing further is needed, as of the last call of [`Course::ready`].
    pub fn is_done(&self) -> bool {
        self.phase == Phase::Done
    }

    /// By slot: whether it is needed, as of the last call of [`Course::ready`].
    pub fn needed(&self) -> &[bool] {
        &self.needed
    }

    /// Where the adaptive rule stands, if there is one.
    pub fn standing(&self) -> Option<&Sequential> {
        self.sampling.as_ref().map(Sampling::standing)
    }
}
