//! What there was: cases, asks and clusters.

use std::collections::BTreeMap;

use super::{Run, alike};
use crate::record::Outcome;
use crate::summary::{Clustering, CountSummary};

impl Run<'_> {
    pub(super) fn counts(&self) -> CountSummary {
        let mut counts = CountSummary {
            cases: self.plan.cases.len() as u64,
            labelled: self
                .plan
                .cases
                .iter()
                .filter(|case| case.is_labelled())
                .count() as u64,
            duplicates: self.plan.duplicates.len() as u64,
            equal_texts: alike::equal_texts(&self.plan.cases),
            shared_states: alike::shared_states(&self.plan.cases),
            asks: self.plan.asks.len() as u64,
            recorded: self.plan.recorded_asks() as u64,
            requests: self.plan.requests() as u64,
            ..CountSummary::default()
        };
        for asked in &self.asked[..self.plan.asks.len()] {
            match asked.as_ref().map(|asked| &asked.outcome) {
                None => counts.unasked += 1,
                Some(Outcome::Failed(_)) => counts.failed += 1,
                Some(Outcome::Answered(answer)) => {
                    counts.answered += 1;
                    let unreadable = answer.is_unreadable();
                    counts.unreadable += u64::from(unreadable);
                    counts.no_decision += u64::from(answer.choice.is_none() && !unreadable);
                    counts.tied += u64::from(answer.tied);
                }
            }
        }
        let again = self
            .needed
            .iter()
            .zip(self.asked)
            .skip(self.plan.asks.len());
        for (_, asked) in again.filter(|(needed, _)| **needed) {
            counts.confirming += 1;
            let outcome = asked.as_ref().map(|asked| &asked.outcome);
            let failed = matches!(outcome, Some(Outcome::Failed(_)));
            counts.confirming_failed += u64::from(failed);
            counts.confirming_unasked += u64::from(asked.is_none());
        }
        counts
    }

    pub(super) fn clustering(&self) -> Option<Clustering> {
        let groups = &self.gates.groups;
        let field = groups.cluster.as_ref()?;
        let mut sizes: BTreeMap<&str, u64> = BTreeMap::new();
        for cluster in self
            .plan
            .cases
            .iter()
            .filter_map(|case| groups.cluster_of(case))
        {
            *sizes.entry(cluster).or_insert(0) += 1;
        }
        Some(Clustering {
            field: field.clone(),
            clusters: sizes.len() as u64,
            largest: sizes.values().copied().max().unwrap_or(0),
        })
    }
}
