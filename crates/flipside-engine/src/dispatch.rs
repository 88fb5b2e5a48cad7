//! The dispatcher: it owns the run, starts asks, writes the journal, then tells the observer.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use flipside_core::course::{Course, State};
use flipside_core::plan::Plan;
use flipside_core::record::{Asked, Failed, FailedKind, Outcome};
use flipside_formats::journal;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};

use crate::append::Append;
use crate::ask::{self, Context, Done, End, Severity};
use crate::budget::{Budget, Room};
use crate::event::Event;
use crate::limit::Limits;
use crate::resume::{line, shared, shared_line};
use crate::run::{Ended, Run, Signals, Stopped};

/// Asks in a row that may fail for lack of a backend before the run stops.
const FAILED_IN_A_ROW: usize = 20;

/// Failures at the end of a plan that mean a dead backend.
const DEAD_AT_THE_END: usize = 3;

/// Starts asks, takes them when they end, writes the journal, then tells the observer.
pub(crate) struct Dispatcher<'a, 'o> {
    plan: &'a Plan,
    limits: &'a Limits,
    journal: Option<Append>,
    course: Course<'a>,
    /// Named by the course and not started.
    waiting: VecDeque<u32>,
    /// Whether the model wants the asks of a case one after the other.
    by_case: bool,
    /// The state of an adaptive rule that the journal has.
    journaled: Option<State>,
    asked: Vec<Option<Asked>>,
    followers: Vec<(u32, u32)>,
    started: u64,
    requests: u64,
    answers: u64,
    budget: Budget,
    held: Vec<(Done, Failed)>,
    stopped: Option<Stopped>,
    ended: Vec<usize>,
    observer: &'o mut dyn FnMut(&Event<'_>),
}

impl<'a, 'o> Dispatcher<'a, 'o> {
    pub(crate) fn new(run: Run<'a>, observer: &'o mut dyn FnMut(&Event<'_>)) -> Self {
        let mut budget = Budget::new(run.limits, run.before.spending);
        for (slot, asked) in run.asked.iter().enumerate() {
            if let Some(asked) = asked {
                budget.add(asked, run.plan.slot(slot).0.bytes);
            }
        }
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
            by_case: false,
            journaled: None,
            asked: run.asked,
            followers,
            started,
            requests: 0,
            answers: answers as u64,
            budget,
            held: Vec::new(),
            stopped: None,
            ended: Vec::new(),
            observer,
        }
    }

    pub(crate) async fn dispatch(&mut self, context: &Context<'_>, signals: &Signals) {
        let journaled = self.asked.iter().flatten().count() - self.plan.recorded_asks();
        self.by_case = context.model.by_case();
        let ready = self.course.ready(&self.asked);
        self.wait(ready);
        let needed = self.needed();
        (self.observer)(&Event::Began { needed, journaled });
        let mut in_flight = FuturesUnordered::new();
        loop {
            while self.stopped.is_none()
                && in_flight.len() < self.limits.concurrency.max(1)
                && let Some(&next) = self.waiting.front()
            {
                let bytes = self.plan.slot(next as usize).0.bytes;
                match self.full(bytes) {
                    Ok(Room::Wait) => break,
                    Ok(_) => {}
                    Err(stopped) => {
                        self.stop(stopped, in_flight.len());
                        break;
                    }
                }
                self.waiting.pop_front();
                self.started += 1;
                self.budget.start(bytes);
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

    /// Appends `ready` to what waits: in its order, or case by case in the order of their first asks where the model wants that.
    fn wait(&mut self, mut ready: Vec<u32>) {
        if self.by_case {
            let mut first: HashMap<u32, usize> = HashMap::new();
            let case = |slot: u32| self.plan.slot(slot as usize).0.case;
            for (place, slot) in ready.iter().enumerate() {
                first.entry(case(*slot)).or_insert(place);
            }
            ready.sort_by_key(|slot| first[&case(*slot)]);
        }
        self.waiting.extend(ready);
    }

    /// Lets the course name what is needed now; whether anything is.
    fn refill(&mut self) -> bool {
        let more = self.course.ready(&self.asked);
        if !more.is_empty() {
            self.wait(more);
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

    /// Whether a request of so many bytes may start now.
    ///
    /// # Errors
    /// The limit that it would pass.
    fn full(&self, bytes: u32) -> Result<Room, Stopped> {
        if let Some(limit) = self.limits.max_asks.filter(|limit| self.started >= *limit) {
            return Err(Stopped::MaxAsks { limit });
        }
        match (self.budget.room(bytes), self.limits.max_cost_usd_micros) {
            (Room::Blind, _) => Err(Stopped::CostUnknown),
            (Room::Full, Some(limit_usd_micros)) => Err(Stopped::MaxCost { limit_usd_micros }),
            (room, _) => Ok(room),
        }
    }

    fn stop(&mut self, stopped: Stopped, in_flight: usize) {
        if self.stopped.is_none() {
            self.stopped = Some(stopped);
            (self.observer)(&Event::Draining { in_flight });
        }
    }

    /// Takes one ended ask: into the journal, then into the result, then to the observer.
    fn finish(&mut self, context: &Context<'_>, mut done: Done, in_flight: usize) {
        self.requests += u64::from(done.attempts > 0);
        self.budget.end(self.plan.slot(done.ask).0.bytes);
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
        self.budget.add(&asked, self.plan.slot(ask).0.bytes);
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

    pub(crate) fn end(mut self, elapsed: Duration) -> Ended {
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
            spending: self.budget.spending(),
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
