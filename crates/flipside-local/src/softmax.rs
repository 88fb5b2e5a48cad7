//! Softmax of a few logits, in 32 bits like the originals.

/// `softmax(logits / temperature)`. Summed in the order given, so that equal logits in another order may differ in the last digit.
pub(crate) fn softmax(logits: &[f32], temperature: f32) -> Vec<f32> {
    let top = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max) / temperature;
    let exponentials: Vec<f32> = logits
        .iter()
        .map(|logit| (logit / temperature - top).exp())
        .collect();
    let sum: f32 = exponentials.iter().sum();
    exponentials.into_iter().map(|value| value / sum).collect()
}

/// The place of the first largest value; 0 of none.
pub(crate) fn first_largest(values: &[f32]) -> usize {
    let mut best = 0;
    for (place, value) in values.iter().enumerate() {
        if *value > values[best] {
            best = place;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: e^0, e^ln 2 and e^ln 5 are 1, 2 and 5, of 8.
    #[test]
    fn logits_become_shares_and_the_first_of_equal_ones_is_the_largest() {
        let p = softmax(&[0.0, 2f32.ln() * 2.0, 5f32.ln() * 2.0], 2.0);
        for (found, expected) in p.iter().zip([0.125, 0.25, 0.625]) {
            assert!((found - expected).abs() < 1e-7, "{found} {expected}");
        }
        assert_eq!(first_largest(&[0.1, 0.4, 0.4, 0.1]), 1);
    }
}
