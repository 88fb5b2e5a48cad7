//! From pairs of recorded answers to the summary of a probe.

use super::pairing::Pairing;
use crate::compare::About;
use crate::course::Confirm;
use crate::gate::{GateSpec, Gates, Subject};
use crate::measure::{self, summarise};
use crate::model::Card;
use crate::perturb::Axis;
use crate::plan::Distinct;
use crate::summary::Summary;

impl Pairing {
    /// The axes on which pairs are.
    pub fn axes(&self) -> Vec<Axis> {
        let axes = self.plan.variants.iter().map(|variant| variant.axis);
        let mut axes: Vec<Axis> = axes.filter(|axis| axis.changes()).collect();
        axes.sort_unstable();
        axes.dedup();
        axes
    }

    /// Its cases, to check the fields that they are to be grouped by.
    pub fn cases(&self) -> Distinct {
        Distinct {
            cases: self.plan.cases.clone(),
            duplicates: Vec::new(),
        }
    }

    /// The gates that apply: those of a probe that asked the same, without the one on fit where no case is labelled and
    /// nobody named it, and without one on other words that nobody named: whether they are a rewording or another decision is
    /// not on record. Nothing is asked once more, so that no cause is looked for.
    pub fn gates(&self, specs: &[GateSpec], strict: bool) -> Gates {
        let labelled = self.plan.cases.iter().any(crate::case::Case::is_labelled);
        let mut all = Vec::with_capacity(specs.len() + 1);
        if !labelled {
            all.push(GateSpec::None(Subject::Fit));
        }
        all.extend_from_slice(specs);
        let mut axes = self.axes();
        let order = axes.contains(&Axis::Order);
        axes.retain(|axis| *axis != Axis::Phrasing);
        Gates {
            confirm: Confirm::Never,
            ..Gates::resolve(&all, order, &axes, strict)
        }
    }

    /// The summary of these pairs, measured as a probe's. `version`: the flipside that measures. `threshold`: our own top
    /// probability from which an answer is accepted without review, from 0 to 1.
    ///
    /// # Panics
    /// If `gates` ask for an adaptive rule: nothing is asked.
    pub fn summary(self, gates: &Gates, version: &str, threshold: Option<f64>) -> Summary {
        let card = card(&self.found.baseline);
        let about = measure::About {
            version,
            card: &card,
            stopped: None,
            asking: None,
            threshold,
            recordings: Vec::new(),
            canary: None,
            paying: None,
        };
        let mut summary = summarise(&self.plan, self.asked, gates, about);
        // How long an answer took is on no record.
        for ask in summary.cases.iter_mut().flat_map(|case| &mut case.asks) {
            ask.ms = None;
        }
        summary.recorded_pairs = Some(Box::new(self.found));
        summary
    }
}

/// What a record says of its model.
fn card(about: &About) -> Card {
    Card {
        spec: about.model.clone(),
        requested: about.requested.clone(),
        endpoint: about.endpoint.clone(),
        key_variable: None,
        remote: false,
        concurrency: 1,
        price: None,
        confidence: None,
        whole_replies: false,
        object_order: false,
        protocol: None,
    }
}
