//! Decisions that were made before: what is on record of each, what that is good for, and pairs of recorded answers.
//!
//! Two recorded sets are joined by case; an option of one side is one of the other by its key and text, by its text where keys were
//! renamed, or by its key where texts were changed, and never by its place. What the two presentations do not have alike is the
//! change of the pair, so that answers that anybody recorded are measured as if flipside had asked.

mod align;
mod decision;
mod difference;
mod join;
mod margins;
mod measured;
mod missing;
mod pairing;
mod quoting;
mod refusal;
mod tally;

pub use decision::{BACKEND, Decision, FRONT, QUESTION, Standing};
pub use difference::Difference;
pub use join::{Join, Shown};
pub use margins::{CLOSE, KeptTick, Margins, PlaceCount, Target};
pub use missing::Missing;
pub use pairing::{Pairing, order_name, other_models, pair, several};
pub use refusal::Refusal;
pub use tally::{Lacking, RecordingTally};
