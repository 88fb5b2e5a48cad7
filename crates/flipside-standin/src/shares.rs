//! Probabilities that sum to one, and the choice.

const PEAK: f64 = 0.9;
const REST: f64 = 0.1;

/// Probabilities by option in the request's order, and the choice.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Decision {
    pub(crate) p: Vec<f64>,
    pub(crate) choice: usize,
    pub(crate) refused: bool,
}

/// 0.9 on one option, the rest shared equally; all on a single one.
pub(crate) fn peak(n: usize, at: usize) -> Decision {
    let mut p = vec![REST / float(n.max(2) - 1); n];
    p[at] = if n == 1 { 1.0 } else { PEAK };
    Decision {
        p,
        choice: at,
        refused: false,
    }
}

/// Softmax whose bits do not depend on the order of the logits.
pub(crate) fn softmax(logits: Vec<f64>) -> Decision {
    let top = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    shares(
        logits
            .into_iter()
            .map(|logit| (logit - top).exp())
            .collect(),
    )
}

/// Weights divided by their sum, which is taken in an order of its own. The largest is chosen, the first of equal ones.
pub(crate) fn shares(mut p: Vec<f64>) -> Decision {
    let mut ascending = p.clone();
    ascending.sort_by(f64::total_cmp);
    let sum: f64 = ascending.iter().sum();
    let mut choice = 0;
    for at in 0..p.len() {
        p[at] /= sum;
        if p[at] > p[choice] {
            choice = at;
        }
    }
    Decision {
        p,
        choice,
        refused: false,
    }
}

#[expect(clippy::cast_precision_loss, reason = "option counts are small")]
pub(crate) fn float(number: usize) -> f64 {
    number as f64
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a draw in [0, 1) times a small count"
)]
/// The index that a draw in `[0, 1)` picks of `n`.
pub(crate) fn index(draw: f64, n: usize) -> usize {
    ((draw * float(n)) as usize).min(n - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn softmax_is_bit_identical_in_every_order() {
        let forward = softmax(vec![0.1, 3.3, 1.7, 2.9]);
        let mut backward = softmax(vec![2.9, 1.7, 3.3, 0.1]);
        backward.p.reverse();
        assert_eq!(forward.p, backward.p);
        assert_eq!(forward.choice, 1);
    }

    #[test]
    fn one_option_is_certain() {
        assert_eq!(peak(1, 0).p, [1.0]);
    }
}
