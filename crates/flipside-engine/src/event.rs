//! What a run tells its observer, in place and in order.

use flipside_core::record::Asked;

/// One thing that happened in a run.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The run begins. Asks that the record answers are counted nowhere.
    Began {
        /// Asks that are needed as far as is known.
        needed: usize,
        /// Asks among them that the journal has already.
        journaled: usize,
    },
    /// An ask ended, and is in the journal if there is one.
    Asked {
        /// Its slot in the plan.
        ask: usize,
        /// What became of it.
        asked: &'a Asked,
    },
    /// More asks turned out to be needed.
    Grew {
        /// Asks that are needed as far as is known.
        needed: usize,
    },
    /// No further ask will start; those in flight are waited for.
    Draining {
        /// How many are in flight.
        in_flight: usize,
    },
}
