//! What the arithmetic itself moves.

use super::checkpoint::Causal;
use super::request::{Read, Request, Words};
use crate::error::AskError;

/// Options of the question that is measured with, of different lengths.
const OPTIONS: [&str; 4] = [
    "invoices and refunds",
    "a bug",
    "account login and password",
    "praise",
];

/// A question in every one of some orders, whose tokens branch early and late.
fn questions() -> Vec<Request> {
    const ORDERS: [[usize; 4]; 4] = [[0, 1, 2, 3], [3, 2, 1, 0], [0, 1, 3, 2], [2, 3, 0, 1]];
    ORDERS
        .iter()
        .map(|order| {
            let lines = order.iter().zip('A'..);
            let lines: Vec<String> = lines
                .map(|(option, letter)| format!("{letter}) {}\n", OPTIONS[*option]))
                .collect();
            Request {
                chat: false,
                words: Words {
                    system: None,
                    user: format!(
                        "I was charged twice.\n\nWhich team?\n{}Letter:",
                        lines.concat()
                    ),
                },
                read: Read::Letters(b"ABCD".to_vec()),
                less: None,
            }
        })
        .collect()
}

impl Causal {
    /// The largest change of a letter's log-probability between a question asked alone and the same one in a batch of its orders, in
    /// nat. It is 0 where every row of a product is one sum in one order, as it is meant to be.
    ///
    /// # Errors
    /// [`AskError`] if the model cannot be asked the question.
    pub fn floor(&self) -> Result<f64, AskError> {
        let questions = questions();
        let together = self.apart_from_others(&questions);
        worst(together, questions.iter().map(|one| self.ask_alone(one)))
    }

    /// The largest difference of a letter's log-probability to that of `reference`, in nat.
    ///
    /// # Errors
    /// [`AskError`] if one of them cannot be asked the question.
    pub fn drift(&self, reference: &Self) -> Result<f64, AskError> {
        let questions = questions();
        let own = self.apart_from_others(&questions);
        worst(own, reference.apart_from_others(&questions).into_iter())
    }
}

type Answered = Result<super::Asked, AskError>;

fn worst(ones: Vec<Answered>, others: impl Iterator<Item = Answered>) -> Result<f64, AskError> {
    let mut worst: f64 = 0.0;
    for (one, other) in ones.into_iter().zip(others) {
        let (one, other) = (
            one?.scores.log_probabilities,
            other?.scores.log_probabilities,
        );
        for (one, other) in one.iter().zip(&other) {
            worst = worst.max((one - other).abs());
        }
    }
    Ok(worst)
}
