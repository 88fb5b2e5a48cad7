//! A clock that wakes to a fraction of a millisecond; tokio's own timers round up to the next whole one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

/// A thread that wakes sleepers at their time; it ends when the clock is dropped.
#[derive(Debug)]
pub(crate) struct Clock {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    sleepers: BinaryHeap<Reverse<Sleeper>>,
    ended: bool,
}

#[derive(Debug)]
struct Sleeper {
    until: Instant,
    wake: oneshot::Sender<()>,
}

impl PartialEq for Sleeper {
    fn eq(&self, other: &Self) -> bool {
        self.until == other.until
    }
}

impl Eq for Sleeper {}

impl PartialOrd for Sleeper {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Sleeper {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.until.cmp(&other.until)
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no holder of this lock can panic")
    }

    fn run(&self) {
        let mut state = self.state();
        while !state.ended {
            let now = Instant::now();
            while let Some(Reverse(next)) = state.sleepers.peek()
                && next.until <= now
            {
                if let Some(Reverse(due)) = state.sleepers.pop() {
                    // A sleeper that is gone needs no waking.
                    let _ = due.wake.send(());
                }
            }
            let wait = state.sleepers.peek().map(|Reverse(next)| next.until - now);
            let longest = Duration::from_hours(1);
            state = self
                .changed
                .wait_timeout(state, wait.unwrap_or(longest))
                .expect("no holder of this lock can panic")
                .0;
        }
    }
}

impl Clock {
    /// Starts the clock's thread.
    pub(crate) fn start() -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let thread = Arc::clone(&shared);
        thread::Builder::new()
            .name("standin-clock".to_owned())
            .spawn(move || thread.run())?;
        Ok(Self { shared })
    }

    /// Sleeps for `duration`.
    pub(crate) async fn sleep(&self, duration: Duration) {
        let (wake, woken) = oneshot::channel();
        let until = Instant::now() + duration;
        {
            let mut state = self.shared.state();
            let first = state
                .sleepers
                .peek()
                .is_none_or(|Reverse(next)| until < next.until);
            state.sleepers.push(Reverse(Sleeper { until, wake }));
            if first {
                self.shared.changed.notify_one();
            }
        }
        // The clock ends only after every connection has.
        let _ = woken.await;
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        self.shared.state().ended = true;
        self.shared.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn sleepers_wake_in_the_order_of_their_times_and_not_before() {
        let clock = Clock::start().unwrap();
        let start = Instant::now();
        let order = Mutex::new(Vec::new());
        let sleeper = async |ms| {
            clock.sleep(Duration::from_millis(ms)).await;
            assert!(start.elapsed() >= Duration::from_millis(ms));
            order.lock().unwrap().push(ms);
        };
        tokio::join!(sleeper(30), sleeper(10), sleeper(20));
        assert_eq!(*order.lock().unwrap(), [10, 20, 30]);
    }
}
