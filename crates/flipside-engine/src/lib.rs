//! Carries out a plan: order of work, limits, retries, budget, journal, resume, events.
//!
//! The engine is handed an `Arc<dyn Model>` and never names a concrete one; it prints nothing.

mod append;
mod ask;
mod budget;
mod canary;
mod deeper;
mod dispatch;
mod event;
mod limit;
mod resume;
mod retry;
mod run;

pub use append::{Append, AppendError};
pub use canary::{CanaryEnded, CanaryJournal, CanaryJournalError, canary, canary_fits};
pub use event::Event;
pub use limit::Limits;
pub use resume::{ResumeError, Resumed, resume};
pub use retry::{Decision, Policy, Trouble, decide};
pub use run::{Before, Ended, Run, Signals, Stopped};
