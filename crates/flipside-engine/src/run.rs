//! A run: what it is given, how it is stopped from outside, and how it ended.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use flipside_core::cost::Spending;
use flipside_core::course::Course;
use flipside_core::model::Model;
use flipside_core::plan::Plan;
use flipside_core::record::Asked;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::append::Append;
use crate::ask::Context;
use crate::dispatch::Dispatcher;
use crate::event::Event;
use crate::limit::{Limits, Pacer};

/// One run of a plan on a model.
#[derive(Debug)]
pub struct Run<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Its limits.
    pub limits: &'a Limits,
    /// The journal, if the run has a folder.
    pub journal: Option<Append>,
    /// Which of its asks are needed, before anything is known.
    pub course: Course<'a>,
    /// By slot of the plan: what is known already, recorded baselines among it ([`Plan::known`]).
    pub asked: Vec<Option<Asked>>,
    /// Asks made before that count against the limits, those of the canary.
    pub before: Before,
}

/// Asks made before a run that count against its limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Before {
    /// How many.
    pub asks: u64,
    /// What they cost.
    pub spending: Spending,
}

/// How a run is stopped from outside.
#[derive(Clone, Debug, Default)]
pub struct Signals {
    /// No further ask starts; those in flight are waited for.
    pub drain: CancellationToken,
    /// Nothing is waited for.
    pub abort: CancellationToken,
}

/// How a run ended.
#[derive(Debug)]
pub struct Ended {
    /// By slot of the plan: what became of it; `None` if it was not asked.
    pub asked: Vec<Option<Asked>>,
    /// How many asks are needed, as far as is known, without those that the record answers.
    pub needed: usize,
    /// Why the run stopped before its plan was done.
    pub stopped: Option<Stopped>,
    /// What it cost, with what the journal had.
    pub spending: Spending,
    /// Requests that ended in this run of the process, whatever became of them.
    pub requests: u64,
    /// From the first request to the last of them.
    pub elapsed: Duration,
}

/// Why a run stopped before its plan was done.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stopped {
    /// The backend does not answer any more.
    Backend {
        /// What the last ask met.
        message: String,
        /// How often that was tried.
        attempts: u32,
    },
    /// The backend refuses every further ask: key, credit, endpoint.
    Refused {
        /// What it said.
        message: String,
    },
    /// `--max-asks` is reached.
    MaxAsks {
        /// The limit.
        limit: u64,
    },
    /// `--max-cost` is reached.
    MaxCost {
        /// The limit in millionths of a US dollar.
        limit_usd_micros: u64,
    },
    /// `--max-cost` was given, and an answer came whose cost nobody knows.
    CostUnknown,
    /// The user interrupted it.
    Interrupted,
    /// The journal cannot be written.
    Journal {
        /// What went wrong.
        message: String,
    },
}

impl Run<'_> {
    /// Makes every ask that its course needs and that is not known yet, and tells `observer` in place.
    ///
    /// Asks start as the course names them; in what order they end shows nowhere in the result.
    ///
    /// # Panics
    /// If `asked` has another length than the plan has slots.
    pub async fn execute(
        self,
        model: &dyn Model,
        signals: &Signals,
        observer: &mut dyn FnMut(&Event<'_>),
    ) -> Ended {
        assert_eq!(self.asked.len(), self.plan.slots(), "one place per slot");
        let pacer = Pacer::new(self.limits.rate);
        let context = Context {
            plan: self.plan,
            model,
            limits: self.limits,
            pacer,
            deeper_refused: AtomicBool::new(false),
        };
        let mut dispatcher = Dispatcher::new(self, observer);
        let start = Instant::now();
        dispatcher.dispatch(&context, signals).await;
        let elapsed = start.elapsed();
        dispatcher.end(elapsed)
    }
}
