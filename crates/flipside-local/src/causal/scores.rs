//! Log-probabilities out of logits.

use super::decoder::Decoder;
use super::request::{Read, Tokens};
use super::tree::Tree;
use super::vocabulary::Vocabulary;

/// Positions whose logits over the whole vocabulary are computed together.
const TOGETHER: usize = 64;

/// What was read after one question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scores {
    /// The natural logarithm of the probability of each letter, its tokens together, or of each text.
    pub log_probabilities: Vec<f64>,
    /// Logits of letters, of all its tokens together by log-sum-exp; empty for texts.
    pub logits: Vec<f64>,
    /// The probability of all letters together; `None` for texts.
    pub covered: Option<f64>,
    /// Tokens of each text; empty for letters.
    pub tokens: Vec<usize>,
}

/// Reads `tokens`, whose paths are computed and lie at `places` in `tree`.
pub(crate) fn scores(
    read: &Read,
    tokens: &Tokens,
    places: &[Vec<usize>],
    (tree, decoder, vocabulary): (&Tree, &Decoder, &Vocabulary),
) -> candle_core::Result<Scores> {
    match read {
        Read::Letters(letters) => {
            let last = places[0][tokens.before.len() - 1];
            let logits = &decoder.logits(tree.store(), &[last])?[0];
            let all = log_sum_exp(logits.iter().map(|logit| f64::from(*logit)));
            let of = |letter: &u8| {
                let ids = vocabulary.letter(*letter).iter();
                log_sum_exp(ids.map(|id| f64::from(logits[*id as usize])))
            };
            let logits: Vec<f64> = letters.iter().map(of).collect();
            let log_probabilities: Vec<f64> = logits.iter().map(|logit| logit - all).collect();
            let covered = log_probabilities.iter().map(|log| log.exp()).sum::<f64>();
            Ok(Scores {
                covered: Some(covered.min(1.0)),
                log_probabilities,
                logits,
                tokens: Vec::new(),
            })
        }
        Read::Texts(_) => {
            // Each place of the tree once, however many texts go through it.
            let first = tokens.before.len() - 1;
            let steps: Vec<Vec<(usize, u32)>> = tokens
                .texts
                .iter()
                .zip(places)
                .map(|(text, places)| {
                    let after = places[first..].iter().copied();
                    after.zip(text.iter().copied()).collect()
                })
                .collect();
            let mut wanted: Vec<(usize, u32)> = steps.concat();
            wanted.sort_unstable();
            wanted.dedup();
            let mut at: Vec<usize> = wanted.iter().map(|(place, _)| *place).collect();
            at.dedup();
            let mut known: Vec<f64> = Vec::with_capacity(wanted.len());
            for places in at.chunks(TOGETHER) {
                let rows = decoder.logits(tree.store(), places)?;
                for (place, logits) in places.iter().zip(rows) {
                    let all = log_sum_exp(logits.iter().map(|logit| f64::from(*logit)));
                    let from = wanted.partition_point(|(other, _)| other < place);
                    let here = wanted[from..]
                        .iter()
                        .take_while(|(other, _)| other == place);
                    known.extend(here.map(|(_, id)| f64::from(logits[*id as usize]) - all));
                }
            }
            let log = |step: &(usize, u32)| {
                let place = wanted.binary_search(step).expect("every step is wanted");
                known[place]
            };
            Ok(Scores {
                log_probabilities: steps
                    .iter()
                    .map(|steps| steps.iter().map(log).sum())
                    .collect(),
                logits: Vec::new(),
                covered: None,
                tokens: tokens.texts.iter().map(Vec::len).collect(),
            })
        }
    }
}

/// The logarithm of the sum of exponentials, without leaving the range of numbers.
pub(crate) fn log_sum_exp(logs: impl Iterator<Item = f64> + Clone) -> f64 {
    let most = logs.clone().fold(f64::NEG_INFINITY, f64::max);
    most + logs.map(|log| (log - most).exp()).sum::<f64>().ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: 1 + 2 + 5 = 8, also where no exponential alone fits into a number.
    #[test]
    fn logarithms_of_sums_do_not_overflow() {
        let logs = [0.0, 2f64.ln(), 5f64.ln()];
        assert!((log_sum_exp(logs.into_iter()) - 8f64.ln()).abs() < 1e-12);
        let high = logs.map(|log| log + 1e4);
        assert!((log_sum_exp(high.into_iter()) - 8f64.ln() - 1e4).abs() < 1e-9);
    }
}
