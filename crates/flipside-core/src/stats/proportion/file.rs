//! The file as the whole population, and what a limit on the observed share lets through.

use super::super::Error;
use super::super::number::{check_count, check_hits, check_open, check_unit, real, whole};
use super::super::special::{at_most, pmf};

/// How many cases of a file can still flip, after asking some of it.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct FileBound {
    /// Largest number of flips in the whole file that the answers leave possible.
    pub max_flips: u64,
    /// The same as a share of the file.
    pub upper_rate: f64,
}

/// Probabilities this close to `alpha`, relatively, count as equal to it: 1/20 is not above 5 % because of a last bit.
const TIE: f64 = 1e-12;

/// Largest number of flips in a file of `file_cases`, of which `asked` were drawn at random and `flips` flipped.
///
/// The largest M with hypergeometric `P(X <= flips | M of file_cases flip) > alpha`, for a deterministic backend and a
/// question about this file only. `flips <= asked <= file_cases`; with all asked it is the count itself.
///
/// # Errors
/// [`Error::Empty`] if `asked` is 0, [`Error::Hits`] if `flips` is above `asked`, [`Error::TooFew`] if the file is smaller
/// than what was asked, [`Error::OutOfRange`] for `alpha`, [`Error::TooMany`] above 10^12.
///
/// Source: section 4.5 of the statistics page. Compared with scipy's `hypergeom` (goldens `finite_file`).
pub fn finite_file_bound(
    file_cases: u64,
    asked: u64,
    flips: u64,
    alpha: f64,
) -> Result<FileBound, Error> {
    check_hits(flips, asked)?;
    check_count("file_cases", file_cases)?;
    check_open("alpha", alpha)?;
    if asked > file_cases {
        return Err(Error::TooFew {
            what: "file_cases",
            found: file_cases,
            least: asked,
        });
    }
    let possible = |m: u64| few_drawn(flips, asked, m, file_cases) > alpha * (1.0 + TIE);
    // M = flips is always possible, since then X <= flips is certain; more than flips + unasked never is.
    let mut yes = flips;
    let mut no = flips + (file_cases - asked) + 1;
    while no - yes > 1 {
        let middle = yes + (no - yes) / 2;
        if possible(middle) {
            yes = middle;
        } else {
            no = middle;
        }
    }
    Ok(FileBound {
        max_flips: yes,
        upper_rate: real(yes) / real(file_cases),
    })
}

/// `P(X <= most)` where `drawn` of `total` are drawn and `marked` of them are marked.
fn few_drawn(most: u64, drawn: u64, marked: u64, total: u64) -> f64 {
    let unmarked = total - marked;
    let least = drawn.saturating_sub(unmarked);
    let top = most.min(marked).min(drawn);
    if top < least {
        return 0.0;
    }
    if drawn == total {
        return if marked <= most { 1.0 } else { 0.0 };
    }
    let rate = real(drawn) / real(total);
    let scale = pmf(drawn, total, rate);
    let mut term = pmf(top, marked, rate) * pmf(drawn - top, unmarked, rate) / scale;
    let mut sum = term;
    let mut x = top;
    while x > least {
        // P(x - 1) / P(x)
        term *= real(x) / real(marked - x + 1) * (real(unmarked + x - drawn) / real(drawn - x + 1));
        x -= 1;
        sum += term;
    }
    sum.min(1.0)
}

/// The largest number of flips whose share of `n` is at or under `limit`.
///
/// `limit` from 0 to 1. The share is compared as the gate compares it, `flips / n <= limit` in floats.
///
/// # Errors
/// [`Error::Empty`] if `n` is 0, [`Error::OutOfRange`] for `limit`, [`Error::TooMany`] above 10^12.
pub fn point_rule_max_flips(n: u64, limit: f64) -> Result<u64, Error> {
    check_count("n", n)?;
    check_unit("limit", limit)?;
    let mut flips = whole(limit * real(n)).min(n);
    while flips < n && real(flips + 1) / real(n) <= limit {
        flips += 1;
    }
    while flips > 0 && real(flips) / real(n) > limit {
        flips -= 1;
    }
    Ok(flips)
}

/// The chance that a gate on the observed share passes `n` cases of a model that truly flips at `true_rate`.
///
/// `limit` and `true_rate` from 0 to 1.
///
/// # Errors
/// As [`point_rule_max_flips`]; [`Error::OutOfRange`] for `true_rate`.
///
/// Source: section 6.1 of the statistics page (goldens `point_rule_error`).
pub fn point_rule_pass(n: u64, limit: f64, true_rate: f64) -> Result<f64, Error> {
    let most = point_rule_max_flips(n, limit)?;
    check_unit("true_rate", true_rate)?;
    Ok(at_most(most, n, true_rate))
}
