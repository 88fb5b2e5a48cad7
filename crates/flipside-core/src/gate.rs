//! Gates: limits on measured quantities, and the verdicts about them.

mod judge;
mod spec;

use crate::course::{Adaptive, Confirm};
use crate::groups::Groups;
use crate::perturb::{Axis, Variant};
use crate::summary::{Rule, Verdict};

pub(crate) use judge::{Bounds, few_clusters, judge_by};
pub use judge::{Counts, Judged, Kind, judge_flips};
pub use spec::{GateError, GateSpec, Subject, share};

/// Least number of labelled cases for the fit gate (the rule of `s1a probe`).
pub const FIT_CASES: u64 = 8;
/// Least share of accepted own-order answers for the fit gate (the rule of `s1a probe`).
pub const FIT_SHARE: f64 = 0.8;
/// Largest share of flipped pairs for every other gate.
pub const FLIP_SHARE: f64 = 0.05;
/// Largest share of cases whose control may flip before the backend is called noisy.
pub const NOISE_SHARE: f64 = 0.01;
/// Error rate of one-sided bounds.
pub const ALPHA: f64 = 0.05;
/// A bound that differs from a limit by less than this share of it equals it: both are computed in doubles.
pub(crate) const TOLERANCE: f64 = 1e-12;
/// Above this share of pairs without any decision, `stable` is withheld.
pub const UNDECIDED_SHARE: f64 = 0.05;

/// Fewest declared clusters with which flips can be called stable: bounds over fewer are not to be trusted.
pub const FEWEST_CLUSTERS: u64 = 10;

/// The gates of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Gates {
    /// The limits, in the order in which they are judged.
    pub limits: Vec<(Subject, f64)>,
    /// Whether gates speak in general, by exact bounds, instead of about this file.
    pub strict: bool,
    /// Error rate of the bounds.
    pub alpha: f64,
    /// What the bounds speak about.
    pub population: Population,
    /// Which flips are asked once more.
    pub confirm: Confirm,
    /// How asking goes on until the order gate is decided, if it does.
    pub adaptive: Option<Adaptive>,
    /// For a run that grew: how many cases there were when each earlier command began, in order. Cases that came later are
    /// asked later, so that looking in between costs nothing.
    pub grown_from: Vec<usize>,
    /// The fields that cases are grouped by; every case has the cluster's.
    pub groups: Groups,
}

/// What the cases stand for.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Population {
    /// Traffic that they are a sample of.
    #[default]
    Traffic,
    /// Nothing but themselves: with all of them answered by a deterministic backend, the count is the answer.
    File,
}

impl Gates {
    /// The default gates, changed by `specs`: fit always, order whenever an order or a control was asked, and every other axis in
    /// `axes` that has a gate of its own.
    pub fn resolve(specs: &[GateSpec], order_asked: bool, axes: &[Axis], strict: bool) -> Self {
        let mut limits = vec![(Subject::Fit, FIT_SHARE)];
        let order = order_asked.then_some(&Axis::Order);
        for axis in order.into_iter().chain(axes).filter(|axis| axis.is_gated()) {
            let subject = Subject::Axis(*axis, None);
            if !limits.iter().any(|(known, _)| *known == subject) {
                limits.push((subject, FLIP_SHARE));
            }
        }
        for spec in specs {
            let (GateSpec::Limit(subject, _) | GateSpec::None(subject)) = spec;
            let place = limits.iter().position(|(known, _)| known == subject);
            match (spec, place) {
                (GateSpec::Limit(_, limit), Some(place)) => limits[place].1 = *limit,
                (GateSpec::Limit(_, limit), None) => limits.push((subject.clone(), *limit)),
                (GateSpec::None(_), Some(place)) => {
                    limits.remove(place);
                }
                (GateSpec::None(_), None) => {}
            }
        }
        Self {
            limits,
            strict,
            alpha: ALPHA,
            population: Population::default(),
            confirm: Confirm::default(),
            adaptive: None,
            grown_from: Vec::new(),
            groups: Groups::default(),
        }
    }

    /// The limit on the flips of `variant`: its own gate's, else its axis's.
    pub fn limit_of(&self, variant: &Variant) -> Option<f64> {
        self.limit(&Subject::Axis(variant.axis, Some(variant.name.clone())))
            .or_else(|| self.limit(&Subject::Axis(variant.axis, None)))
    }

    /// The limit on `subject`, if there is a gate on it.
    pub fn limit(&self, subject: &Subject) -> Option<f64> {
        self.limits
            .iter()
            .find(|(known, _)| known == subject)
            .map(|(_, limit)| *limit)
    }

    /// Which claim these gates make.
    pub fn rule(&self) -> Rule {
        if self.strict {
            Rule::General
        } else {
            Rule::File
        }
    }
}

/// The exit code that gate verdicts and the state of the run mean: 3 before 1 before 0.
pub fn exit_code<'a>(verdicts: impl IntoIterator<Item = &'a Verdict>, complete: bool) -> u8 {
    if !complete {
        return 3;
    }
    u8::from(!verdicts.into_iter().all(Verdict::holds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removing_a_gate_is_explicit_and_a_later_entry_wins() {
        let specs = GateSpec::parse_list("order<=10%,order<=20%,none:fit").unwrap();
        assert_eq!(
            Gates::resolve(&specs, true, &[], false).limits,
            [(Subject::Axis(Axis::Order, None), 0.2)]
        );
        assert_eq!(
            Gates::resolve(&[], false, &[], false).limits,
            [(Subject::Fit, 0.8)]
        );
    }
}
