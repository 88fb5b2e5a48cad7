//! Position preference from balanced sets of orders, with the case as the unit.

use super::super::Error;
use super::super::number::{check_length, check_unit, length, real};
use super::super::special::{f_upper, raw_chi_square_upper};

/// What a balanced set says about position.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "result")]
pub enum BalancedTest {
    /// A test statistic exists.
    Tested {
        /// Mean share of answers in each position.
        mean_share: Vec<f64>,
        /// Squared distance from equal shares in units of its covariance.
        wald: f64,
        /// Degrees of freedom of `wald`, and the first of `f`.
        df: u64,
        /// p value of `wald` by chi-square, for many cases.
        p_chi_square: f64,
        /// Hotelling's F.
        f: f64,
        /// Its p value on `(df, cases - df)`: the one to report.
        p: f64,
    },
    /// Every position has exactly its share and nothing varies: all cases are unanimous.
    UniformByConstruction {
        /// Mean share of answers in each position.
        mean_share: Vec<f64>,
    },
    /// Shares do not vary enough over cases for a test, or there are too few cases.
    Undefined {
        /// Mean share of answers in each position.
        mean_share: Vec<f64>,
    },
}

/// Shares this near to equal, and pivots this small, are rounding.
const ROUNDING: f64 = 1e-9;

/// Hotelling's test of equal position shares; `shares` has one row per case and one column per position.
///
/// Rows of one length of at least 2, shares from 0 to 1. Needs more cases than positions.
///
/// # Errors
/// [`Error::Empty`] without cases, [`Error::TooFew`] under two positions, [`Error::Length`] for ragged rows,
/// [`Error::OutOfRange`] for a share.
///
/// Source: Hotelling 1931, section 7 of the statistics page (goldens `position_uniformity`).
pub fn balanced_test(shares: &[Vec<f64>]) -> Result<BalancedTest, Error> {
    let Some(first) = shares.first() else {
        return Err(Error::Empty { what: "shares" });
    };
    let positions = first.len();
    if positions < 2 {
        return Err(Error::TooFew {
            what: "positions",
            found: positions as u64,
            least: 2,
        });
    }
    for row in shares {
        check_length("row", row.len(), positions)?;
        for &share in row {
            check_unit("shares", share)?;
        }
    }
    let cases = length(shares.len());
    let mean_share: Vec<f64> = (0..positions)
        .map(|position| shares.iter().map(|row| row[position]).sum::<f64>() / cases)
        .collect();
    let equal = 1.0 / length(positions);
    let q = positions - 1;
    let away: Vec<f64> = mean_share[..q].iter().map(|share| share - equal).collect();
    let mut covariance = vec![vec![0.0; q]; q];
    for (i, row) in covariance.iter_mut().enumerate() {
        for (j, cell) in row.iter_mut().enumerate() {
            *cell = shares
                .iter()
                .map(|share| (share[i] - mean_share[i]) * (share[j] - mean_share[j]))
                .sum::<f64>()
                / (cases * (cases - 1.0).max(1.0));
        }
    }
    let solved = if shares.len() > positions - 1 {
        squared_distance(covariance, &away)
    } else {
        None
    };
    let Some(wald) = solved else {
        let uniform = mean_share
            .iter()
            .all(|share| (share - equal).abs() < ROUNDING);
        let still = shares
            .iter()
            .all(|row| row.iter().all(|share| (share - equal).abs() < ROUNDING));
        return Ok(if uniform && still {
            BalancedTest::UniformByConstruction { mean_share }
        } else {
            BalancedTest::Undefined { mean_share }
        });
    };
    let (df, rest) = (q as u64, cases - length(q));
    let f = wald * rest / ((cases - 1.0) * real(df));
    Ok(BalancedTest::Tested {
        mean_share,
        wald,
        df,
        p_chi_square: raw_chi_square_upper(wald, real(df)),
        f,
        p: f_upper(f, real(df), rest)?,
    })
}

/// `v' S^-1 v` by Cholesky's decomposition; `None` if `S` is singular to rounding.
fn squared_distance(mut matrix: Vec<Vec<f64>>, vector: &[f64]) -> Option<f64> {
    let scale = matrix
        .iter()
        .enumerate()
        .map(|(i, row)| row[i])
        .fold(0.0, f64::max);
    let mut sum = 0.0;
    let mut solved: Vec<f64> = Vec::with_capacity(vector.len());
    for i in 0..vector.len() {
        for j in 0..=i {
            let inner: f64 = (0..j).map(|k| matrix[i][k] * matrix[j][k]).sum();
            let value = matrix[i][j] - inner;
            if i == j {
                if value <= scale * ROUNDING {
                    return None;
                }
                matrix[i][i] = value.sqrt();
            } else {
                matrix[i][j] = value / matrix[j][j];
            }
        }
        let inner: f64 = solved
            .iter()
            .enumerate()
            .map(|(k, value)| matrix[i][k] * value)
            .sum();
        let value = (vector[i] - inner) / matrix[i][i];
        sum += value * value;
        solved.push(value);
    }
    Some(sum)
}
