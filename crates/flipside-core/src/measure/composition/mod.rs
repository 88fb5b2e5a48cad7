//! Composition: what one option less, or one more, does to the choice among the others (the statistics page, 9).
//!
//! Pairs of one case are not independent, so every share here is over cases, or over declared clusters with all their pairs.

mod attention;
mod decoy;
mod drop;
mod equal_size;
mod share;
mod shared;
mod single;
mod summed;

pub(crate) use summed::composition;
