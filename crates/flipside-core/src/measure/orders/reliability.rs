//! Answers by confidence: how sure they are, and how many are right.

use crate::measure::accuracy::LEVEL;
use crate::stats::proportion;
use crate::summary::ConfidenceBin;

/// Equal parts of 0 to 1, each with its lower end, the last one with 1 too. Source: the statistics page, 11.
const TENTHS: [[f64; 2]; 10] = [
    [0.0, 0.1],
    [0.1, 0.2],
    [0.2, 0.3],
    [0.3, 0.4],
    [0.4, 0.5],
    [0.5, 0.6],
    [0.6, 0.7],
    [0.7, 0.8],
    [0.8, 0.9],
    [0.9, 1.0],
];

/// The confidence and the correctness of `answers` by tenth; tenths without an answer are left out.
///
/// `independent`: whether no two of them depend on each other, so that a share has Wilson's interval.
pub(super) fn bins(answers: &[(f64, bool)], independent: bool) -> Vec<ConfidenceBin> {
    let of = |place: usize| {
        let mut inside: Vec<(f64, bool)> = answers.to_vec();
        inside.retain(|(confidence, _)| tenth(*confidence) == place);
        // Sums must not depend on the order of cases.
        inside.sort_unstable_by(|(a, _), (b, _)| a.total_cmp(b));
        let n = inside.len() as u64;
        let right = inside.iter().filter(|(_, right)| *right).count() as u64;
        let share = proportion::wilson(right, n, LEVEL).ok()?;
        let sum: f64 = inside.iter().map(|(confidence, _)| confidence).sum();
        let [from, to] = TENTHS[place];
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
        let mean_confidence = sum / n as f64;
        Some(ConfidenceBin {
            from,
            to,
            answers: n,
            right,
            rate: share.value,
            interval: independent.then_some([share.lower, share.upper]),
            mean_confidence,
        })
    };
    (0..TENTHS.len()).filter_map(of).collect()
}

/// The tenth of a confidence, as the expected calibration error counts it.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a confidence is from 0 to 1"
)]
pub(super) fn tenth(confidence: f64) -> usize {
    ((confidence * 10.0) as usize).min(TENTHS.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_counted_by_tenth_with_their_mean_confidence() {
        let answers = [
            (0.62, true),
            (0.68, false),
            (0.6, true),
            (1.0, true),
            (0.95, true),
        ];
        let found = bins(&answers, true);
        let told: Vec<_> = (found.iter())
            .map(|bin| (bin.from, bin.to, bin.right, bin.answers))
            .collect();
        assert_eq!(told, [(0.6, 0.7, 2, 3), (0.9, 1.0, 2, 2)]);
        // (0.6 + 0.62 + 0.68) / 3 and (0.95 + 1) / 2.
        assert!((found[0].mean_confidence - 0.633_333_333_333).abs() < 1e-9);
        assert!((found[1].mean_confidence - 0.975).abs() < 1e-12);
        // Wilson for 2 of 3 and z = 1.959964: 0.2077 to 0.9385 by the formula in Python.
        let [lower, upper] = found[0].interval.unwrap();
        assert!((lower - 0.207_66).abs() < 1e-5 && (upper - 0.938_51).abs() < 1e-5);
        assert_eq!(bins(&answers, false)[0].interval, None);
        assert!(bins(&[], true).is_empty());
    }
}
