//! The formatting-fragility suite: base cases, and the rows that they or another program make.
//!
//! [`read_bases`] and [`rows_text`] lead from base cases to a file of rows, [`read_suite`] from such a file, whoever wrote it,
//! to rows that can be asked and compared. What a row's gold answer means is not documented by those who publish such files,
//! so it is tested: see [`Reading`].

mod answers;
mod bases;
mod builtin;
mod group;
mod line;
mod problem;
mod read;
mod reading;

pub use answers::{Given, GivenRow, SuiteAnswers, read_answers};
pub(crate) use bases::is_base;
pub use bases::read_bases;
pub use builtin::{BUILTIN, BuiltinSuite, builtin, rows_text};
pub use problem::Problem;
pub(crate) use read::read_cases;
pub use read::{Suite, read_suite};
pub use reading::{BelongsTo, GoldOrder, Reading};
