//! What one model said to the rows of a suite.

use std::collections::BTreeMap;

use crate::measure::{Said, said};
use crate::plan::Plan;
use crate::record::{Asked, Outcome};
use crate::suite::SuiteCase;

/// What a model said to one row.
#[derive(Clone, Debug, PartialEq)]
pub struct RowAnswer {
    /// What it said, by identity in the row's own list.
    pub said: Said,
    /// How long the answer took, in milliseconds; `None` where nobody measured it, and where another row's reply answers.
    pub ms: Option<f64>,
    /// The model that served, as it calls itself.
    pub served: Option<String>,
    /// Whether the row asks what an earlier one does, byte for byte, and has its reply.
    pub repeated: bool,
}

impl RowAnswer {
    /// A row to which nothing was said.
    pub const UNASKED: Self = Self {
        said: Said::Unasked,
        ms: None,
        served: None,
        repeated: false,
    };

    /// What became of one ask.
    pub fn of(asked: Option<&Asked>) -> Self {
        let answer = match asked.map(|asked| &asked.outcome) {
            Some(Outcome::Answered(answer)) => Some(answer),
            _ => None,
        };
        Self {
            said: said(asked),
            ms: answer
                .and(asked)
                .filter(|asked| asked.attempts > 0)
                .map(|asked| asked.ms),
            served: answer.and_then(|answer| answer.served_model.clone()),
            repeated: false,
        }
    }

    /// The same reply to a row that asks the same.
    #[must_use]
    pub fn again(&self) -> Self {
        Self {
            ms: None,
            repeated: true,
            ..self.clone()
        }
    }
}

/// What a run said to each of `rows`, in their order: `asked[i]` is what became of ask `i` of `plan`, which asks the rows'
/// cases. A row that the plan left out as a duplicate has the reply of the row that it repeats.
pub fn row_answers(rows: &[SuiteCase], plan: &Plan, asked: &[Option<Asked>]) -> Vec<RowAnswer> {
    let baselines = plan.cases.iter().zip(plan.baselines());
    let asks: BTreeMap<&str, usize> = baselines
        .map(|(case, ask)| (case.id.0.as_str(), ask))
        .collect();
    let same_as: BTreeMap<&str, &str> = (plan.duplicates.iter())
        .map(|left_out| (left_out.case.0.as_str(), left_out.same_as.0.as_str()))
        .collect();
    let answer = |id: &str| match asks.get(id) {
        Some(&ask) => RowAnswer::of(asked.get(ask).and_then(Option::as_ref)),
        None => RowAnswer::UNASKED,
    };
    let ids = rows.iter().map(|row| row.case.id.0.as_str());
    ids.map(|id| match same_as.get(id) {
        Some(first) => answer(first).again(),
        None => answer(id),
    })
    .collect()
}
