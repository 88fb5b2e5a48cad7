//! Pairs of answers to figures: flips, accuracy, baselines, and the summary of a run.

mod accuracy;
mod cases;
mod fit;
mod line;
mod pair;
mod summarise;
mod table;

pub use accuracy::{accuracy, order_averaged};
pub use fit::{key_baseline, position_baseline};
pub use pair::{PairOutcome, Said, other_version, pair, said, transitions};
pub use summarise::{About, summarise};
