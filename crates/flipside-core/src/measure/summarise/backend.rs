//! What is known about the model that answered.

use std::collections::BTreeMap;

use super::Run;
use crate::answer::ConfidenceKind;
use crate::case::QuestionKind;
use crate::model::Card;
use crate::record::{Asked, Outcome};
use crate::summary::{Latency, ModelSummary, Remark, Remarks, ServedVersion};

/// Texts of remarks that a summary keeps.
const MOST_REMARKS: usize = 20;

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
            versions: self.versions(),
            // Core knows no machine; whoever asked adds it.
            hardware: None,
            confidence: card.confidence,
            confidence_fits: self.confidence_fits(),
            object_order: card.object_order,
            protocol: card.protocol.clone(),
        }
    }

    /// Every model that answered a request, by the order in which requests are sent.
    fn versions(&self) -> Vec<ServedVersion> {
        let planned = self.plan.asks.len();
        let sent = self.plan.schedule();
        // Repetitions follow what they repeat.
        let again = sent.iter().map(|slot| *slot as usize + planned);
        let slots = sent.iter().map(|slot| *slot as usize).chain(again);
        let made = slots.filter_map(|slot| self.asked.get(slot)?.as_ref());
        let mut found: Vec<ServedVersion> = Vec::new();
        for (place, asked) in (1..).zip(made) {
            let Outcome::Answered(answer) = &asked.outcome else {
                continue;
            };
            let version = answer.version();
            if version.is_unknown() {
                continue;
            }
            if let Some(known) = found.iter_mut().find(|known| known.version() == version) {
                known.answers += 1;
                known.last = place;
                continue;
            }
            let said = |text: Option<&str>| text.map(str::to_owned);
            found.push(ServedVersion {
                model: said(version.model),
                provider: said(version.provider),
                revision: said(version.revision),
                fingerprint: said(version.fingerprint),
                answers: 1,
                first: place,
                last: place,
            });
        }
        found
    }

    /// Remarks on the answers to planned asks, equal ones counted.
    pub(super) fn remarks(&self) -> Remarks {
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        let planned = self.asked[..self.plan.asks.len()].iter().enumerate();
        // What is on record was not answered here.
        let made = planned.filter(|(ask, _)| self.plan.recorded(*ask).is_none());
        for asked in made.filter_map(|(_, asked)| asked.as_ref()) {
            if let Outcome::Answered(answer) = &asked.outcome {
                for remark in &answer.remarks {
                    *counts.entry(remark).or_insert(0) += 1;
                }
            }
        }
        let mut texts: Vec<Remark> = counts
            .into_iter()
            .map(|(text, answers)| Remark {
                text: text.to_owned(),
                answers,
            })
            .collect();
        texts.sort_by_key(|remark| std::cmp::Reverse(remark.answers));
        let more = texts.len().saturating_sub(MOST_REMARKS) as u64;
        texts.truncate(MOST_REMARKS);
        Remarks { texts, more }
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
