//! Summaries built by hand, for tests.

#![expect(clippy::cast_precision_loss, reason = "counts of tests are small")]

mod bounds;
mod build;
mod charted;
mod composition;
mod confirmed;
mod figures;
mod keyed;
mod moves;
mod orders;
mod pairs;
mod phrasing;
mod position;
mod recorded;
mod runs;

pub(crate) use build::{Builder, Reply, Shape, Variants};
pub(crate) use charted::charted;
pub(crate) use composition::composed;
pub(crate) use keyed::{change, pair, routed};
pub(crate) use moves::{drift, moved};
pub(crate) use orders::{nothing, sweep};
pub(crate) use pairs::recorded_pairs;
pub(crate) use phrasing::rewordings;
pub(crate) use recorded::{over_record, recorded};
pub(crate) use runs::{
    axes, first, hostile, id, labelled, many, ordinary, plain, relabel, troubled,
};
