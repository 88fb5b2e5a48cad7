//! What is known about the model that answered.

use super::Run;
use crate::answer::ConfidenceKind;
use crate::case::QuestionKind;
use crate::model::Card;
use crate::record::{Asked, Outcome};
use crate::summary::{Latency, ModelSummary};

impl Run<'_> {
    pub(super) fn model(&self, card: &Card) -> ModelSummary {
        let mut served: Vec<String> = Vec::new();
        for asked in self.asked.iter().flatten() {
            if let Outcome::Answered(answer) = &asked.outcome
                && let Some(model) = &answer.served_model
                && served.last().is_none_or(|last| **last != **model)
                && !served.iter().any(|known| **known == **model)
            {
                served.push(model.to_string());
            }
        }
        ModelSummary {
            spec: card.spec.clone(),
            requested: card.requested.clone(),
            endpoint: card.endpoint.clone(),
            served,
            // Core knows no machine; whoever asked adds it.
            hardware: None,
            confidence: card.confidence,
            confidence_fits: self.confidence_fits(),
            object_order: card.object_order,
            protocol: card.protocol.clone(),
        }
    }

    /// The kinds of confidence that every choice answer with a stated one fits.
    fn confidence_fits(&self) -> Vec<ConfidenceKind> {
        let mut kinds = ConfidenceKind::ALL.to_vec();
        let mut stated = false;
        for (ask, asked) in self.plan.asks.iter().zip(self.asked) {
            let Some(Outcome::Answered(answer)) = asked.as_ref().map(|asked| &asked.outcome) else {
                continue;
            };
            let choice = self.plan.case_of(ask).question.kind == QuestionKind::Choice;
            if let (true, Some(confidence), Some(p)) = (
                choice,
                answer.backend_confidence,
                answer.offered(&ask.order),
            ) {
                kinds.retain(|kind| kind.fits(confidence, &p, answer.rounding) != Some(false));
                stated = true;
            }
        }
        if stated { kinds } else { Vec::new() }
    }

    pub(super) fn latency(&self) -> Option<Latency> {
        let answered =
            |asked: &&Asked| matches!(asked.outcome, Outcome::Answered(_)) && asked.attempts > 0;
        let asked = self.asked.iter().flatten().filter(answered);
        percentiles(asked.map(|asked| asked.ms).collect())
    }
}

/// Median and 95th percentile of times in milliseconds: the smallest time within which so many of them lie.
pub(crate) fn percentiles(mut ms: Vec<f64>) -> Option<Latency> {
    ms.sort_by(f64::total_cmp);
    let at = |percent: usize| {
        ms.get((ms.len() * percent).div_ceil(100).saturating_sub(1))
            .copied()
    };
    Some(Latency {
        median_ms: at(50)?,
        p95_ms: at(95)?,
    })
}
