//! Reference numbers: every golden of the statistics page, and the special functions against 40 digits.
//!
//! `data/stat-goldens.json` comes from scipy and statsmodels, `data/special-reference.json` from mpmath,
//! `data/draw-reference.json` from Python's standard library; the scripts of the last two lie beside them.

#![expect(clippy::unwrap_used, reason = "a test that fails says where")]

#[path = "numbers/answers.rs"]
mod answers;
#[path = "numbers/draws.rs"]
mod draws;
#[path = "numbers/fisher.rs"]
mod fisher;
#[path = "numbers/golden.rs"]
mod golden;
#[path = "numbers/pairs.rs"]
mod pairs;
#[path = "numbers/router.rs"]
mod router;
#[path = "numbers/runs.rs"]
mod runs;
#[path = "numbers/shares.rs"]
mod shares;
#[path = "numbers/special.rs"]
mod special;

/// Every check of a golden group.
const ALL: &[&[golden::Checked]] = &[shares::CHECKS, pairs::CHECKS, answers::CHECKS, runs::CHECKS];
