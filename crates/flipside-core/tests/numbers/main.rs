//! Reference numbers: every golden of the statistics page, and the special functions against 40 digits.
//!
//! `data/stat-goldens.json` comes from scipy and statsmodels, `data/special-reference.json` from mpmath,
//! `data/draw-reference.json` from Python's standard library; the scripts of the last two lie beside them.

#![expect(clippy::unwrap_used, reason = "a test that fails says where")]

mod answers;
mod draws;
mod fisher;
mod golden;
mod laws;
mod pairs;
mod router;
mod runs;
mod shares;
mod special;

/// Every check of a golden group.
const ALL: &[&[golden::Checked]] = &[shares::CHECKS, pairs::CHECKS, answers::CHECKS, runs::CHECKS];
