//! The dispatcher: it owns the run, starts asks, writes the journal, then tells the observer.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use flipside_core::course::{Course, State};
use flipside_core::model::Model;
use flipside_core::plan::Plan;
use flipside_core::record::{Asked, Failed, FailedKind, Outcome};
use flipside_formats::journal;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::append::Append;
use crate::ask::{self, Context, Done, End, Severity};
use crate::budget::Spending;
use crate::event::Event;
use crate::limit::{Limits, Pacer};
use crate::resume::{line, shared, shared_line};

/// Asks in a row that may fail for lack of a backend before the run stops.
const FAILED_IN_A_ROW: usize = 20;

/// Failures at the end of a plan that mean a dead backend.
const DEAD_AT_THE_END: usize = 3;

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

struct Dispatcher<'a, 'o> {
    plan: &'a Plan,
    limits: &'a Limits,
    journal: Option<Append>,
    course: Course<'a>,
    /// Named by the course and not started.
    waiting: VecDeque<u32>,
    /// The state of an adaptive rule that the journal has.
    journaled: Option<State>,
    asked: Vec<Option<Asked>>,
    followers: Vec<(u32, u32)>,
    started: u64,
    requests: u64,
    answers: u64,
    spending: Spending,
    held: Vec<(Done, Failed)>,
    stopped: Option<Stopped>,
    ended: Vec<usize>,
    observer: &'o mut dyn FnMut(&Event<'_>),
}

impl<'a, 'o> Dispatcher<'a, 'o> {
    fn new(run: Run<'a>, observer: &'o mut dyn FnMut(&Event<'_>)) -> Self {
        let mut spending = run.before.spending;
        run.asked
            .iter()
            .flatten()
            .for_each(|asked| spending.add(asked, run.limits.price));
        let slots = run.asked.iter().enumerate();
        let started = slots
            .filter(|(slot, asked)| asked.is_some() && run.plan.sends(*slot))
            .count() as u64
            + run.before.asks;
        let answered = |asked: &&Asked| matches!(asked.outcome, Outcome::Answered(_));
        let answers =
            run.asked.iter().flatten().filter(answered).count() - run.plan.recorded_asks();
        let mut followers: Vec<(u32, u32)> = (0u32..)
            .zip(&run.plan.asks)
            .filter_map(|(place, ask)| Some((ask.shares?, place)))
            .collect();
        followers.sort_unstable();
        Self {
            plan: run.plan,
            limits: run.limits,
            journal: run.journal,
            course: run.course,
            waiting: VecDeque::new(),
            journaled: None,
            asked: run.asked,
            followers,
            started,
            requests: 0,
            answers: answers as u64,
            spending,
            held: Vec::new(),
            stopped: None,
            ended: Vec::new(),
            observer,
        }
    }

    async fn dispatch(&mut self, context: &Context<'_>, signals: &Signals) {
        let journaled = self.asked.iter().flatten().count() - self.plan.recorded_asks();
        self.waiting.extend(self.course.ready(&self.asked));
        let needed = self.needed();
        (self.observer)(&Event::Began { needed, journaled });
        let mut in_flight = FuturesUnordered::new();
        loop {
            while self.stopped.is_none()
                && in_flight.len() < self.limits.concurrency.max(1)
                && let Some(&next) = self.waiting.front()
            {
                if let Some(stopped) = self.over_budget(in_flight.len()) {
                    self.stop(stopped, in_flight.len());
                    break;
                }
                self.waiting.pop_front();
                self.started += 1;
                in_flight.push(ask::ask(context, next as usize));
            }
            if in_flight.is_empty() {
                if self.stopped.is_none() && self.settle() && self.refill() {
                    continue;
                }
                break;
            }
            tokio::select! {
                biased;
                () = signals.abort.cancelled() => {
                    self.stopped = Some(Stopped::Interrupted);
                    break;
                }
                () = signals.drain.cancelled(), if self.stopped.is_none() => {
                    self.stop(Stopped::Interrupted, in_flight.len());
                }
                Some(done) = in_flight.next() => {
                    self.finish(context, done, in_flight.len());
                    // What ended in the meantime goes to the system in the same write.
                    while let Some(Some(done)) = in_flight.next().now_or_never() {
                        self.finish(context, done, in_flight.len());
                    }
                    self.commit();
                    if self.waiting.is_empty() {
                        self.refill();
                    }
                }
            }
        }
    }

    /// Lets the course name what is needed now; whether anything is.
    fn refill(&mut self) -> bool {
        let more = self.course.ready(&self.asked);
        if !more.is_empty() {
            self.waiting.extend(more);
            let needed = self.needed();
            (self.observer)(&Event::Grew { needed });
        }
        !self.waiting.is_empty()
    }

    /// How many asks are needed as far as the course knows, without those that the record answers.
    fn needed(&self) -> usize {
        let needed = self.course.needed().iter().enumerate();
        needed
            .filter(|(slot, needed)| **needed && self.plan.recorded(*slot).is_none())
            .count()
    }

    fn over_budget(&self, in_flight: usize) -> Option<Stopped> {
        if let Some(limit) = self.limits.max_asks.filter(|limit| self.started >= *limit) {
            return Some(Stopped::MaxAsks { limit });
        }
        let limit_usd_micros = self.limits.max_cost_usd_micros?;
        if self.spending.unknown > 0 {
            return Some(Stopped::CostUnknown);
        }
        let spent = self.spending.with_in_flight(in_flight);
        (spent >= u128::from(limit_usd_micros)).then_some(Stopped::MaxCost { limit_usd_micros })
    }

    fn stop(&mut self, stopped: Stopped, in_flight: usize) {
        if self.stopped.is_none() {
            self.stopped = Some(stopped);
            (self.observer)(&Event::Draining { in_flight });
        }
    }

    /// Takes one ended ask: into the journal, then into the result, then to the observer.
    fn finish(&mut self, context: &Context<'_>, mut done: Done, in_flight: usize) {
        self.requests += 1;
        match std::mem::replace(&mut done.end, End::Outcome(nothing())) {
            End::Outcome(outcome) => {
                self.answers += 1;
                self.release();
                self.record(context, &done, outcome);
            }
            End::Trouble(mut failed, Severity::Transport) => {
                failed.unanswered = true;
                let message = failed.message.clone();
                let attempts = done.attempts;
                self.held.push((done, failed));
                if self.held.len() >= FAILED_IN_A_ROW {
                    self.stop(Stopped::Backend { message, attempts }, in_flight);
                }
            }
            End::Trouble(failed, Severity::Down) => {
                let (message, attempts) = (failed.message, done.attempts);
                self.stop(Stopped::Backend { message, attempts }, in_flight);
            }
            End::Trouble(failed, Severity::Refused) => {
                self.stop(
                    Stopped::Refused {
                        message: failed.message,
                    },
                    in_flight,
                );
            }
        }
    }

    /// The backend answers, so the failures before were failures of their asks.
    fn release(&mut self) {
        for (done, failed) in std::mem::take(&mut self.held) {
            self.record_plain(&done, Outcome::Failed(failed));
        }
    }

    fn record_plain(&mut self, done: &Done, outcome: Outcome) {
        let followers = self.followers_of(done.ask);
        let shared: Vec<(u32, Outcome)> = followers
            .map(|follower| (follower, outcome.clone()))
            .collect();
        self.write(done, outcome, shared);
    }

    fn record(&mut self, context: &Context<'_>, done: &Done, outcome: Outcome) {
        let reply = done.taken().map(|reply| reply.body.as_str());
        let followers = self.followers_of(done.ask);
        let shared: Vec<(u32, Outcome)> = followers
            .map(|follower| {
                (
                    follower,
                    shared(self.plan, follower as usize, context.model, &outcome, reply),
                )
            })
            .collect();
        self.write(done, outcome, shared);
    }

    fn followers_of(&self, ask: usize) -> impl Iterator<Item = u32> + use<> {
        let start = self
            .followers
            .partition_point(|(leader, _)| (*leader as usize) < ask);
        let led = self.followers[start..]
            .iter()
            .take_while(|(leader, _)| *leader as usize == ask);
        led.map(|(_, follower)| *follower)
            .collect::<Vec<_>>()
            .into_iter()
    }

    fn write(&mut self, done: &Done, outcome: Outcome, shared: Vec<(u32, Outcome)>) {
        let (followers, outcomes): (Vec<u32>, Vec<Outcome>) = shared.into_iter().unzip();
        let asked = |outcome, attempts| Asked {
            outcome,
            ms: done.ms,
            attempts,
        };
        self.put(done.ask, asked(outcome, done.attempts));
        for (follower, outcome) in followers.iter().zip(outcomes) {
            self.put(*follower as usize, asked(outcome, 0));
        }
        // An adaptive rule counts the answer before its line is written, so that the line says where that led.
        if self.course.standing().is_some() {
            self.refill();
        }
        if let Err(error) = self.append(done, &followers) {
            self.journal_failed(&error);
        }
    }

    /// Hands the lines of ended asks to the system, then tells the observer of each.
    fn commit(&mut self) {
        if let Some(Err(error)) = self.journal.as_mut().map(Append::flush) {
            self.journal_failed(&error);
        }
        for ask in std::mem::take(&mut self.ended) {
            let asked = self.asked[ask]
                .as_ref()
                .expect("an ended ask has its result");
            (self.observer)(&Event::Asked { ask, asked });
        }
    }

    fn journal_failed(&mut self, error: &crate::AppendError) {
        let message = match std::error::Error::source(error) {
            Some(cause) => format!("{error}: {cause}"),
            None => error.to_string(),
        };
        self.stop(Stopped::Journal { message }, 0);
    }

    fn append(&mut self, done: &Done, followers: &[u32]) -> Result<(), crate::AppendError> {
        let Some(journal) = &mut self.journal else {
            return Ok(());
        };
        let outcome = |slot: usize| {
            let asked = self.asked[slot].as_ref();
            &asked.expect("an ended ask has its result").outcome
        };
        let mut line = line(self.plan, done.ask, outcome(done.ask));
        if journal.keeps_request(self.plan.slot(done.ask).0.digest) {
            line.request = Some(String::from_utf8_lossy(&done.request));
        }
        if let Some(reply) = &done.reply {
            line.reply = Some(Cow::Borrowed(&reply.body));
            line.request_id = reply.request_id.as_deref().map(Cow::Borrowed);
            line.server_ms = reply.server_ms;
        }
        line.deeper = done.deeper.as_ref().map(|deeper| journal::Deeper {
            request: String::from_utf8_lossy(&deeper.request),
            reply: deeper
                .reply
                .as_ref()
                .map(|reply| Cow::Borrowed(reply.body.as_str())),
            taken: deeper.taken,
        });
        line.ms = done.ms;
        line.attempts = done.attempts;
        let state = self.course.standing().map(|standing| standing.state);
        line.state = state.filter(|state| self.journaled.as_ref() != Some(state));
        self.journaled = state;
        journal.add(&line)?;
        let leader = line.ask;
        for &follower in followers {
            let mut line = shared_line(
                self.plan,
                follower as usize,
                leader,
                outcome(follower as usize),
            );
            line.ms = done.ms;
            journal.add(&line)?;
        }
        Ok(())
    }

    fn put(&mut self, ask: usize, asked: Asked) {
        self.spending.add(&asked, self.limits.price);
        self.asked[ask] = Some(asked);
        self.ended.push(ask);
    }

    /// Decides about failures after which nothing is in flight that could tell a dead backend from failed asks; whether the
    /// run can go on.
    ///
    /// Several, or nothing but failures, mean a dead backend: those asks stay open. A few belong to their asks.
    fn settle(&mut self) -> bool {
        match self.held.last() {
            Some((done, failed)) if self.answers == 0 || self.held.len() >= DEAD_AT_THE_END => {
                self.stopped = Some(Stopped::Backend {
                    message: failed.message.clone(),
                    attempts: done.attempts,
                });
                false
            }
            _ => {
                self.release();
                self.commit();
                true
            }
        }
    }

    fn end(mut self, elapsed: Duration) -> Ended {
        // A course that is done is done, whoever wanted to stop it; a journal that cannot be written is no matter of asks.
        self.refill();
        if self.course.is_done() && !matches!(self.stopped, Some(Stopped::Journal { .. })) {
            self.stopped = None;
        }
        self.commit();
        if let Some(journal) = self.journal.take()
            && let Err(error) = journal.finish()
        {
            self.journal_failed(&error);
        }
        Ended {
            needed: self.needed(),
            asked: self.asked,
            stopped: self.stopped,
            spending: self.spending,
            requests: self.requests,
            elapsed,
        }
    }
}

/// Stands in an ended ask while its outcome is moved out.
fn nothing() -> Outcome {
    Outcome::Failed(Failed {
        kind: FailedKind::Unavailable,
        message: String::new(),
        unanswered: false,
    })
}
