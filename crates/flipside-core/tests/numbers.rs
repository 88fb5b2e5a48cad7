//! Reference numbers: every golden of the statistics page, and the special functions against 40 digits.
//!
//! `data/stat-goldens.json` comes from scipy and statsmodels, `data/special-reference.json` from mpmath,
//! `data/draw-reference.json` from Python's standard library; their scripts lie beside them.

#[path = "numbers/golden.rs"]
mod golden;

#[path = "numbers/draws.rs"]
mod draws;
#[path = "numbers/special.rs"]
mod special;
