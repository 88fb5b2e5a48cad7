//! `prior:P1,P2,..`: position decides, content only settles between positions of equal weight.

use flipside_core::present::Presentation;
use flipside_core::stats::draw::{Part, Stream};

use super::content;
use super::policy::Decision;

/// How much content can move a position's weight, as a fraction of it.
const SETTLE: f64 = 0.01;

/// Weights times `1 + 0.01 h`, where `h` in 0 to 1 is a hash of state, key and text.
pub(crate) fn decide(shown: &Presentation<'_>, weights: &[f64]) -> Decision {
    let state = shown.state().to_text();
    let mut probabilities: Vec<f64> = shown
        .options()
        .zip(weights)
        .map(|(option, weight)| {
            let (name, text) = (content::name(shown, &option), content::text(&option));
            let parts = [
                Part::Text("prior"),
                Part::Text(&state),
                Part::Text(name),
                Part::Text(&text),
            ];
            weight * (1.0 + SETTLE * Stream::new(&parts).unit())
        })
        .collect();
    let sum: f64 = probabilities.iter().sum();
    let mut place = 0;
    for candidate in 0..probabilities.len() {
        probabilities[candidate] /= sum;
        if probabilities[candidate] > probabilities[place] {
            place = candidate;
        }
    }
    Decision::Pick {
        place,
        probabilities,
    }
}
