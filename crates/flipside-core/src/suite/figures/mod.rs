//! What a suite showed: answers to its rows, counted by canonical identity, with intervals over base cases.
//!
//! Rows of one base case depend on each other, so that a base case with all its rows is what is independent.

mod answer;
mod count;
mod gate;
mod report;

pub use answer::{RowAnswer, decided, row_answers};
pub use count::Answered;
pub use gate::{GATE_FORMS, QUESTIONS, SuiteGateError, limits};
pub use report::{
    AboutModel, AnswerSource, FamilyRows, RowCounts, SCHEMA, ScoreClass, SuiteFigures, SuiteFlips,
    SuiteLatency, SuiteModel, SuiteReport, SuiteRows, SuiteShare,
};
