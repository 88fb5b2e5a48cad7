//! Coefficients of agreement beyond chance. Never the basis of a gate: they fall with skewed labels at equal agreement.

use super::super::Error;
use super::super::number::{check_length, check_unit, length, real};

/// Agreement, the agreement expected by chance, and the coefficient.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct Kappa {
    /// `(observed - chance)/(1 - chance)`; `None` if chance agreement is complete.
    pub value: Option<f64>,
    /// Mean share of pairs of answers that agree.
    pub observed: f64,
    /// The same by chance.
    pub chance: f64,
}

impl Kappa {
    fn new(observed: f64, chance: f64) -> Self {
        let room = 1.0 - chance;
        let value = (room > f64::EPSILON).then(|| (observed - chance) / room);
        Self {
            value,
            observed,
            chance,
        }
    }
}

/// Fleiss' kappa: one row per case, one column per label, each row the same number of answers (at least 2).
///
/// `None` as its value if one label takes everything.
///
/// # Errors
/// [`Error::Empty`] without rows, [`Error::Length`] for ragged rows, [`Error::TooFew`] if a row has under two answers or
/// fewer than the first row has, [`Error::TooMany`] if it has more.
///
/// Source: Fleiss 1971. Compared with statsmodels (goldens `fleiss_kappa`).
pub fn fleiss(counts: &[Vec<u64>]) -> Result<Kappa, Error> {
    let Some(first) = counts.first() else {
        return Err(Error::Empty { what: "counts" });
    };
    let m: u64 = first.iter().sum();
    if m < 2 {
        return Err(Error::TooFew {
            what: "answers of a case",
            found: m,
            least: 2,
        });
    }
    // Sums of whole numbers, so that neither cases nor labels in another order change a bit.
    let mut labels = vec![0_u128; first.len()];
    let mut agreeing = 0_u128;
    for row in counts {
        check_length("row", row.len(), first.len())?;
        let found: u64 = row.iter().sum();
        if found < m {
            return Err(Error::TooFew {
                what: "answers of a case",
                found,
                least: m,
            });
        }
        if found > m {
            return Err(Error::TooMany {
                what: "answers of a case",
                found,
                most: m,
            });
        }
        for (label, &count) in labels.iter_mut().zip(row) {
            *label += u128::from(count);
            agreeing += u128::from(count) * u128::from(count.saturating_sub(1));
        }
    }
    let squares: u128 = labels.iter().map(|label| label * label).sum();
    let (cases, m) = (counts.len() as u128, u128::from(m));
    #[expect(
        clippy::cast_precision_loss,
        reason = "counts up to 2^53 are exact, and beyond it their ratio is good to the last digits"
    )]
    let ratio = |part: u128, whole: u128| part as f64 / whole as f64;
    Ok(Kappa::new(
        ratio(agreeing, cases * m * (m - 1)),
        ratio(squares, (cases * m) * (cases * m)),
    ))
}

/// What some cases add to Fleiss' kappa.
#[derive(Debug, Clone, PartialEq)]
pub struct FleissPart {
    /// Answers of a case.
    m: f64,
    cases: f64,
    labels: Vec<f64>,
    agreeing: f64,
}

impl FleissPart {
    /// The part of `counts`, rows as in [`fleiss`].
    ///
    /// # Errors
    /// As [`fleiss`].
    pub fn of(counts: &[Vec<u64>]) -> Result<Self, Error> {
        fleiss(counts)?;
        let first = &counts[0];
        let mut labels = vec![0.0; first.len()];
        let mut agreeing = 0.0;
        for row in counts {
            for (label, &count) in labels.iter_mut().zip(row) {
                *label += real(count);
                agreeing += real(count) * real(count.saturating_sub(1));
            }
        }
        Ok(Self {
            m: real(first.iter().sum()),
            cases: length(counts.len()),
            labels,
            agreeing,
        })
    }
}

/// Fleiss' kappa of cases of which part `i` occurs `weights[i]` times, as [`fleiss`] has it for all of them written out.
///
/// Weights are whole, so that sums are exact and their order changes no bit. `None` without a weight, or if parts differ in
/// their answers per case or their labels.
pub fn fleiss_over(parts: &[FleissPart], weights: &[f64]) -> Option<Kappa> {
    let first = parts.first()?;
    let mut labels = vec![0.0; first.labels.len()];
    let (mut agreeing, mut cases) = (0.0, 0.0);
    for (part, weight) in parts.iter().zip(weights) {
        if part.m.to_bits() != first.m.to_bits() || part.labels.len() != labels.len() {
            return None;
        }
        for (label, count) in labels.iter_mut().zip(&part.labels) {
            *label += weight * count;
        }
        agreeing += weight * part.agreeing;
        cases += weight * part.cases;
    }
    if cases <= 0.0 {
        return None;
    }
    let answers = cases * first.m;
    let squares: f64 = labels.iter().map(|label| label * label).sum();
    let observed = agreeing / (answers * (first.m - 1.0));
    Some(Kappa::new(observed, squares / (answers * answers)))
}

/// Brennan and Prediger's coefficient for cases with differing option sets: chance is the mean of `1/K`.
///
/// `disagreement` is one number from 0 to 1 per case, `options` the number of options of each (at least 1).
///
/// # Errors
/// [`Error::Empty`] without cases, [`Error::Length`] if the lists differ, [`Error::OutOfRange`] for a disagreement,
/// [`Error::TooFew`] for a case without options.
///
/// Source: Brennan & Prediger 1981, section 12 of the statistics page (golden `bp_kappa`).
pub fn brennan_prediger(disagreement: &[f64], options: &[u64]) -> Result<Kappa, Error> {
    check_length("options", options.len(), disagreement.len())?;
    if disagreement.is_empty() {
        return Err(Error::Empty {
            what: "disagreement",
        });
    }
    let cases = length(disagreement.len());
    let mut chance = 0.0;
    let mut differ = 0.0;
    for (&value, &count) in disagreement.iter().zip(options) {
        check_unit("disagreement", value)?;
        if count == 0 {
            return Err(Error::TooFew {
                what: "options",
                found: 0,
                least: 1,
            });
        }
        differ += value;
        chance += 1.0 / real(count);
    }
    Ok(Kappa::new(1.0 - differ / cases, chance / cases))
}

/// How much a disagreement between two levels weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Weights {
    /// By the number of levels between.
    Linear,
    /// By its square.
    Quadratic,
}

/// Cohen's weighted kappa of a square table: rows the first answer's level, columns the second's.
///
/// `None` if no disagreement is expected by chance (all answers one level).
///
/// # Errors
/// [`Error::Empty`] without answers, [`Error::Length`] if the table is not square.
///
/// Source: Cohen 1968. Compared with statsmodels' `cohens_kappa` (golden `score`).
pub fn weighted_kappa(table: &[Vec<u64>], weights: Weights) -> Result<Option<f64>, Error> {
    let levels = table.len();
    let mut rows = vec![0.0; levels];
    let mut columns = vec![0.0; levels];
    let mut total = 0.0;
    for (row, counts) in table.iter().enumerate() {
        check_length("row", counts.len(), levels)?;
        for (column, &count) in counts.iter().enumerate() {
            rows[row] += real(count);
            columns[column] += real(count);
            total += real(count);
        }
    }
    if total <= 0.0 {
        return Err(Error::Empty { what: "table" });
    }
    let weight = |row: usize, column: usize| {
        let distance = length(row.abs_diff(column));
        match weights {
            Weights::Linear => distance,
            Weights::Quadratic => distance * distance,
        }
    };
    let (mut seen, mut expected) = (0.0, 0.0);
    for (row, counts) in table.iter().enumerate() {
        for (column, &count) in counts.iter().enumerate() {
            seen += weight(row, column) * real(count);
            expected += weight(row, column) * rows[row] * (columns[column] / total);
        }
    }
    Ok((expected > 0.0).then(|| 1.0 - seen / expected))
}
