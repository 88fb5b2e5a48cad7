//! The order study below the answer: how far vectors, logits and probabilities move when options are reversed and permuted, against
//! how far they move when an option is left out (the `AgentJev` page, 10).

mod cardinality;
mod changes;
mod figures;
mod inside;
mod study;

pub use cardinality::{MOST_OPTIONS, with_options};
pub use figures::{
    ByOptions, Changes, Invariance, Listed, Part, Questions, Refused, SlotBias, Spread, Statement,
};
pub use inside::{Inside, Precision, Seen};
pub use study::{Settings, study};

/// What the JSON of a study calls itself.
pub const SCHEMA: &str = "flipside.invariance/1";
