//! Answers by identity, the rules that a reply must pass, and our own confidence.

mod choice;
mod confidence;
mod distribution;
mod given;
mod kinds;
mod object;
mod score;
mod version;

pub use choice::{Reported, choice};
pub use confidence::{Confidence, ConfidenceKind, confidence};
pub use distribution::{
    FLOAT_NOISE, confidence_in_range, distribution, lowest_top, rounding, tied,
};
pub use given::given;
pub use kinds::{Answer, Build, Declined, Readout, ReadoutKind, Usage};
pub use object::{QUOTED, every_level, object, quoted};
pub use score::{ReportedScore, noul, score};
pub use version::Version;
