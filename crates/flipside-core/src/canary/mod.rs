//! The order canary: whether option order reaches the model, asked by questions whose content says nothing (the wire page, 10.5).

mod ask;
mod effect;
mod finding;
mod judge;
mod keys;

pub use ask::{Content, MOST_ASKS, Question, Turn, Wording, concerns, longest_text, next};
pub use finding::{Canary, CutTexts, OrderFinding};
pub use judge::{Carrier, Heard, differ, judge};
pub use keys::integer_like;
