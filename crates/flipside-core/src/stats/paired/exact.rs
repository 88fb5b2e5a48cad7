//! Exact tests on two counts that are equally likely when nothing differs.

use super::super::number::real;
use super::super::special::pmf;

/// Up to here 2^n and every partial sum of its binomials fit 128 bits, so the answer is the nearest float to the truth.
const EXACT: u64 = 120;

/// Two-sided exact `McNemar` p value of `b` cases changed one way and `c` the other.
///
/// `min(1, 2 P(Bin(b + c, 1/2) <= min(b, c)))`, from above 0 to 1; 1 if nothing changed. Symmetric. Exact up to 120
/// changed cases, good to 1e-12 relative beyond; underflows to the smallest positive float rather than to 0.
///
/// Source: `McNemar` 1947, the exact form. Compared with statsmodels' `mcnemar` (goldens `mcnemar`).
pub fn mcnemar_exact(b: u64, c: u64) -> f64 {
    let (tail, _) = half_tail(b, c);
    (2.0 * tail).clamp(f64::MIN_POSITIVE, 1.0)
}

/// The mid-p form of [`mcnemar_exact`]: it counts the observed split half on each side.
///
/// Less conservative, and not exact: never the basis of a gate.
///
/// Source: Lancaster 1961. Compared with statsmodels (goldens `mcnemar`).
pub fn mcnemar_mid(b: u64, c: u64) -> f64 {
    let (tail, point) = half_tail(b, c);
    (2.0 * tail - point).clamp(f64::MIN_POSITIVE, 1.0)
}

/// Two-sided exact sign test of `plus` against `minus`, ties left out: the same number as [`mcnemar_exact`].
pub fn sign_test(plus: u64, minus: u64) -> f64 {
    mcnemar_exact(plus, minus)
}

/// `P(X <= min)` and `P(X = min)` for `X` binomial with `b + c` fair trials.
fn half_tail(b: u64, c: u64) -> (f64, f64) {
    let n = b.saturating_add(c);
    let least = b.min(c);
    if n <= EXACT {
        return exact_half_tail(least, n);
    }
    let point = pmf(least, n, 0.5);
    let mut term = point;
    let mut sum = point;
    for x in (1..=least).rev() {
        // P(x - 1) / P(x)
        term *= real(x) / real(n - x + 1);
        sum += term;
        if term < sum * 1e-17 {
            break;
        }
    }
    (sum, point)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "one rounding of an exact integer, which is the point"
)]
fn exact_half_tail(least: u64, n: u64) -> (f64, f64) {
    let mut choose: u128 = 1;
    let mut sum: u128 = 1;
    for x in 1..=u128::from(least) {
        choose = multiply_divide(choose, u128::from(n) + 1 - x, x);
        sum += choose;
    }
    let half = (0..n).fold(1.0_f64, |power, _| power * 0.5);
    (sum as f64 * half, choose as f64 * half)
}

/// `value * by / over`, which is a whole number, without leaving 128 bits.
fn multiply_divide(value: u128, by: u128, over: u128) -> u128 {
    value / over * by + value % over * by / over
}

#[cfg(test)]
mod tests {
    use super::{mcnemar_exact, mcnemar_mid};

    #[test]
    fn a_dozen_changes_give_the_dyadic_fraction_itself() {
        assert_eq!(
            mcnemar_exact(10, 2).to_bits(),
            0.038_574_218_75_f64.to_bits()
        );
        assert_eq!(mcnemar_mid(10, 2).to_bits(), 0.022_460_937_5_f64.to_bits());
    }

    #[test]
    fn the_exact_and_the_summed_form_meet() {
        // From mpmath; the sum takes over above 120.
        assert!((mcnemar_exact(50, 70) / 0.082_407_479_327_526_55 - 1.0).abs() < 1e-12);
        assert!((mcnemar_exact(51, 70) / 0.101_367_653_533_092_85 - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_huge_imbalance_is_small_and_not_zero() {
        assert!(mcnemar_exact(1_000_000, 0) > 0.0);
    }
}
