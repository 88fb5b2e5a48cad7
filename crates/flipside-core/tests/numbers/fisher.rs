//! Fisher's exact test against scipy 1.17.1: `scipy.stats.fisher_exact([[a, b], [c, d]])`.

use flipside_core::stats::fisher::fisher_exact;

use crate::golden::near;

/// Hits and units of a share.
type Share = (u64, u64);

/// Two shares and scipy's p value.
const SCIPY: [(Share, Share, f64); 12] = [
    ((3, 10), (0, 10), 2.105_263_157_894_737e-01),
    ((8, 10), (1, 6), 3.496_503_496_503_497e-02),
    ((5, 40), (12, 60), 4.198_735_233_484_365e-01),
    ((0, 10), (0, 90), 1.0),
    ((10, 20), (30, 60), 1.0),
    ((121, 400), (40, 400), 6.876_682_921_934_189e-13),
    ((30, 40), (10, 40), 1.487_480_307_108_542e-05),
    ((1, 1), (0, 1), 1.0),
    ((500, 1000), (100, 1000), 5.125_028_512_527_54e-90),
    ((2, 200), (18, 1000), 5.564_425_604_658_311e-01),
    ((1, 10), (11, 14), 2.759_456_185_220_084e-03),
    ((7, 100), (900, 99_900), 3.802_325_416_426_556e-05),
];

#[test]
fn the_exact_test_of_two_shares_agrees_with_scipy() {
    for (first, second, expected) in SCIPY {
        let p = fisher_exact(first, second).unwrap();
        near(&format!("{first:?} {second:?}"), p, &expected.into(), 1e-11);
    }
}

#[test]
fn fishers_tea_tasting_gives_the_published_value() {
    // Three of four cups right: 1 - 2 * (16 + 1) / 70 of the two-sided mass lies inside; 34 of 70 tables are as extreme.
    let p = fisher_exact((3, 4), (1, 4)).unwrap();
    assert!((p - 34.0 / 70.0).abs() < 1e-14);
}

#[test]
fn shares_without_units_or_with_too_many_hits_are_refused() {
    assert!(fisher_exact((0, 0), (1, 2)).is_err());
    assert!(fisher_exact((1, 2), (0, 0)).is_err());
    assert!(fisher_exact((3, 2), (1, 2)).is_err());
}

#[test]
fn a_difference_beyond_any_float_is_tiny_and_not_zero() {
    let p = fisher_exact((100_000, 100_000), (0, 100_000)).unwrap();
    assert!(p > 0.0 && p < 1e-300);
}
