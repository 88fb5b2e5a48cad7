//! Two shares of the same cases, or of different ones: exact tests, intervals of the difference, equivalence.

mod difference;
mod exact;
mod tango;

pub use difference::{
    Equivalence, equivalence, mover, newcombe_independent, newcombe_paired, not_worse, phi,
};
pub use exact::{mcnemar_exact, mcnemar_mid, sign_test};
pub use tango::tango;
