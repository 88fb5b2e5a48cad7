//! The special functions under every interval and test, written so that large counts lose no digits.
//!
//! Everything that would subtract two log-gammas is taken from Loader's saddle-point form instead (Loader 2000, "Fast and
//! accurate computation of binomial probabilities"). Compared with 40-digit values from mpmath
//! (`tests/data/special-reference.py`) for shapes up to 10^6: tails, densities and quantiles agree to 1e-12 relative
//! down to 1e-290; the bound on each function says where that stops.

mod beta;
mod binomial;
mod gamma;
mod normal;
mod student;

pub use beta::{beta_quantile, beta_tails};
pub use binomial::{binomial_pmf, binomial_tails};
pub use gamma::{gamma_tails, ln_beta, ln_gamma};
pub use normal::{normal_quantile, normal_tails};
pub use student::{
    chi_square_upper, f_quantile_upper, f_upper, student_quantile_upper, student_two_sided,
};

pub(in crate::stats) use beta::quantile as beta_root;
pub(in crate::stats) use binomial::{at_least, at_most, pmf};
pub(in crate::stats) use gamma::raw_ln_beta;
pub(in crate::stats) use normal::two_sided_z;
pub(in crate::stats) use student::raw_chi_square_upper;

/// Both tails of a distribution at one point. Each is computed for itself, so the small one keeps its digits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tails {
    /// Probability of a value at or under the point.
    pub lower: f64,
    /// Probability of a value above the point.
    pub upper: f64,
}

/// Which tail a given probability belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail {
    /// The probability at or under the point.
    Lower,
    /// The probability above the point.
    Upper,
}

/// Terms after which a series or continued fraction counts as ended. Those here need about the square root of the
/// largest shape; this is room for shapes of 10^12.
const MOST_TERMS: u32 = 20_000_000;
