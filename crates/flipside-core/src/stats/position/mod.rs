//! Whether a position is preferred: uniformity, balanced sets, reverse pairs, and the spread of per-position recall.

mod balanced;
mod pickers;
mod recall;
mod uniform;

pub use balanced::{BalancedTest, balanced_test};
pub use pickers::{
    BestPosition, EndPreference, ReversePairs, best_constant_position, end_preference,
    reverse_pairs,
};
pub use recall::{Recall, recall};
pub use uniform::{FEWEST_EXPECTED, Uniformity, exact_uniform, uniformity};
