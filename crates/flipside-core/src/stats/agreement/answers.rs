//! Agreement of the answers that one case got in several orders.

use super::super::Error;
use super::super::number::{check_unit, real};

/// What the answers of one case have in common.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct CaseAgreement {
    /// Answers counted.
    pub m: u64,
    /// Different answers.
    pub distinct: u64,
    /// Share of pairs of answers that differ. `None` under two answers.
    pub disagreement: Option<f64>,
    /// Whether not all answers are the same.
    pub any_flip: bool,
    /// Share of the most frequent answer.
    pub modal_share: f64,
    /// Whether another answer is as frequent.
    pub modal_tie: bool,
    /// Shannon entropy of the answers, in bits.
    pub entropy_bits: f64,
}

/// Agreement from the number of times that each answer was given; zeros are allowed.
///
/// # Errors
/// [`Error::Empty`] if no answer was given.
///
/// Source: section 3 of the statistics page (goldens `agreement_case`).
pub fn case_agreement(counts: &[u64]) -> Result<CaseAgreement, Error> {
    let m = counts
        .iter()
        .fold(0_u64, |sum, &count| sum.saturating_add(count));
    if m == 0 {
        return Err(Error::Empty { what: "counts" });
    }
    let total = real(m);
    let modal = counts.iter().copied().max().unwrap_or(0);
    let given = || counts.iter().copied().filter(|&count| count > 0);
    let same: f64 = given().map(|count| real(count) * (real(count) - 1.0)).sum();
    let entropy: f64 = given()
        .map(|count| real(count) / total)
        .map(|share| share * -share.log2())
        .sum();
    Ok(CaseAgreement {
        m,
        distinct: given().count() as u64,
        disagreement: (m > 1).then(|| (1.0 - same / (total * (total - 1.0))).max(0.0)),
        any_flip: modal < m,
        modal_share: real(modal) / total,
        modal_tie: given().filter(|&count| count == modal).count() > 1,
        entropy_bits: entropy.max(0.0),
    })
}

/// Largest disagreement that `m` answers can have among `options` options: they spread as evenly as they can.
///
/// # Errors
/// [`Error::TooFew`] under two answers, [`Error::Empty`] without options.
pub fn largest_disagreement(m: u64, options: u64) -> Result<f64, Error> {
    if m < 2 {
        return Err(Error::TooFew {
            what: "m",
            found: m,
            least: 2,
        });
    }
    if options == 0 {
        return Err(Error::Empty { what: "options" });
    }
    let (each, more) = (m / options, m % options);
    let same = |count: u64| real(count) * (real(count) - 1.0);
    let agreeing = if each == 0 {
        0.0
    } else {
        real(more) * same(each + 1) + real(options - more) * same(each)
    };
    Ok(1.0 - agreeing / same(m))
}

/// The mean disagreements that a share `any_flip` of cases not unanimous over `m` orders allows: `2U/m` to `U Dmax(K, m)`.
///
/// `any_flip` from 0 to 1.
///
/// # Errors
/// As [`largest_disagreement`]; [`Error::OutOfRange`] for the share.
///
/// Source: section 3 of the statistics page (golden `noise_floor`, entry `sandwich`).
pub fn disagreement_range(any_flip: f64, m: u64, options: u64) -> Result<(f64, f64), Error> {
    check_unit("any_flip", any_flip)?;
    let most = largest_disagreement(m, options)?;
    Ok((2.0 * any_flip / real(m), any_flip * most))
}
