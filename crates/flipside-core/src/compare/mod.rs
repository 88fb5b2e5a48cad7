//! Two recorded answer sets against each other: who changed, who got better, and how sure we are. Nothing is asked here.
//!
//! Answers are paired by case and by the same order of its options; what only one side has is counted and left out. The
//! two sides are called baseline and variant, and every difference is variant minus baseline.
//!
//! Source: the statistics page, 14, with the intervals and tests of 4.2, 4.3, 4.4 and 4.6.

mod answers;
mod average;
mod axes;
mod between;
mod cases;
mod demand;
mod drift;
mod fields;
mod figures;
mod judge;
mod matching;
mod meet;
mod named;
mod orders;
mod paired;
mod refusal;
mod report;
mod several;
mod standing;
mod unlisted;

pub use answers::{About, AnswerSet, CaseAnswers, RecordedAsk};
pub use axes::{AxisComparison, AxisLeftOut};
pub use between::{DriftBetween, SpreadBetween};
pub use demand::{Demand, DemandError, Subject};
pub use fields::{By, FieldComparison, Tested, ValueComparison, ValueOrder};
pub use figures::{
    AllOrders, AnyFlip, CaseCounts, Claim, Comparison, Differing, DriftComparison, LeftOut,
    MeanDifference, OrderComparison, OtherField, Paired, Pooled, QuantileDifference, SCHEMA, Share,
    SpreadDifference, VerdictLine, Word,
};
pub use named::{Change, Changes};
pub use refusal::Refusal;
pub use report::{POWER, SEED, Wanted, compare};
pub use standing::{Compared, CountOf, Standing, standings};
