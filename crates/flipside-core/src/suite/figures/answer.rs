//! What one model said to the rows of a suite.

use std::collections::BTreeMap;

use crate::answer::{Answer, FLOAT_NOISE};
use crate::measure::{Said, said};
use crate::order::OptionId;
use crate::plan::Plan;
use crate::record::{Asked, Outcome};
use crate::suite::{SuiteCase, SuiteRow};

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

    /// What became of the ask of `row`.
    pub fn of(row: &SuiteRow, asked: Option<&Asked>) -> Self {
        let answer = match asked.map(|asked| &asked.outcome) {
            Some(Outcome::Answered(answer)) => Some(answer),
            _ => None,
        };
        Self {
            said: answer.map_or_else(|| said(asked), |answer| decided(row, answer)),
            ms: answer
                .and(asked)
                .filter(|asked| asked.attempts > 0)
                .map(|asked| asked.ms),
            served: answer.and_then(|answer| Some(answer.served_model.as_deref()?.to_owned())),
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

/// What `answer` to `row` says, by identity in the row's own list.
///
/// Of equal largest probabilities among which the model named none, the lowest canonical identity is taken: the lowest of the
/// row's own list is another option in a reversed row, and a model that cannot tell two options apart would seem to flip.
pub fn decided(row: &SuiteRow, answer: &Answer) -> Said {
    if answer.is_unreadable() {
        return Said::Missing;
    }
    let Some(choice) = answer.choice else {
        return Said::Nothing;
    };
    let equal = answer.probabilities.as_ref().filter(|_| answer.tie_broken);
    let lowest = equal.and_then(|probabilities| {
        let top = probabilities.iter().copied().fold(f64::MIN, f64::max);
        let tied = (0_u16..).zip(probabilities);
        tied.filter(|(_, p)| top - **p <= FLOAT_NOISE)
            .map(|(place, _)| OptionId(place))
            .min_by_key(|place| row.identity(*place))
    });
    Said::Chose {
        id: lowest.unwrap_or(choice),
        tied: answer.tied,
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
    let answer = |row: &SuiteRow, id: &str| match asks.get(id) {
        Some(&ask) => RowAnswer::of(row, asked.get(ask).and_then(Option::as_ref)),
        None => RowAnswer::UNASKED,
    };
    let answers = rows.iter().map(|SuiteCase { case, row }| {
        let id = case.id.0.as_str();
        match same_as.get(id) {
            Some(first) => answer(row, first).again(),
            None => answer(row, id),
        }
    });
    answers.collect()
}
