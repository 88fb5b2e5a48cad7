//! Reports for a terminal: lines that cannot be confused, and tables of what flipped.

mod accuracy;
mod axes;
mod canary;
mod compare;
mod composition;
mod differences;
mod drift;
mod failures;
mod flips;
mod invariance;
mod keyed;
mod layout;
mod lines;
mod margins;
mod orders;
mod pairs;
mod phrasing;
mod position;
mod preflight;
mod record;
mod report;
mod several;
mod slots;
mod splits;
mod standing;
mod suite;
mod table;
#[cfg(test)]
mod tests;

pub use canary::qualifications;
pub use compare::render_comparison;
pub use invariance::render_invariance;
pub(crate) use lines::figures;
pub use margins::render_margins;
pub use preflight::render_preflight;
pub use report::{render, render_gates};
pub use several::render_several;
pub use standing::render_standings;
pub use suite::render_suite;
