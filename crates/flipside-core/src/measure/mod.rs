//! Pairs of answers to figures: flips, accuracy, baselines, and the summary of a run.

mod accepted;
mod accuracy;
mod anchored;
mod axis;
mod cases;
mod clusters;
mod composition;
mod confirm;
mod drift;
mod drift_gate;
mod fit;
mod line;
pub mod orders;
mod pair;
mod phrasing;
mod pooled;
mod position;
mod routing;
mod score;
mod sight;
mod slots;
mod splits;
mod summarise;
mod table;
mod units;

pub use accepted::accepted_positions;
pub(crate) use accuracy::{LEVEL, right};
pub use accuracy::{accuracy, order_averaged};
pub(crate) use axis::judgements;
pub(crate) use confirm::to_confirm;
pub use fit::{key_baseline, position_baseline};
pub use pair::{PairOutcome, Said, other_version, pair, said, transitions};
pub use sight::unseen;
pub use summarise::{About, summarise};
pub(crate) use table::Table;
