//! One file per subcommand, and what they share.

mod ask;
mod canary;
mod compare;
mod decide;
mod dry_run;
mod explain;
mod hardware;
mod invariance;
mod json_file;
mod lists;
mod manual;
mod mcp;
mod models;
mod one;
mod out;
mod prepared;
mod probe;
mod reask;
mod remedy;
mod report;
mod same;
mod sides;
mod suite;
mod values;
mod watch;

pub(crate) use compare::compare;
pub(crate) use decide::decide;
pub(crate) use explain::explain;
pub(crate) use invariance::invariance;
pub(crate) use manual::{completions, man};
pub(crate) use mcp::mcp;
pub(crate) use models::models;
pub(crate) use probe::probe;
pub(crate) use reask::reask;
pub(crate) use report::report;
pub(crate) use suite::suite;
