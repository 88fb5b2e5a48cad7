//! Gates: limits on measured quantities, and the verdicts about them.

use crate::course::{Adaptive, Confirm};
use crate::drift_gate::{DriftStat, FORMS};
use crate::foreign::Foreign;
use crate::groups::Groups;
use crate::stats::proportion;
use crate::summary::{Rule, Verdict};

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

/// What a gate is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// The share of accepted own-order answers.
    Fit,
    /// The share of flipped pairs of every order asked, or of one.
    Order(Option<String>),
    /// The share of cases whose control flipped.
    Same,
    /// The share of asks that brought no valid answer.
    Missing,
    /// How far probabilities moved, in the worst order asked.
    Drift(DriftStat),
}

impl Subject {
    /// The name as it is written in `--gate`.
    pub fn name(&self) -> String {
        match self {
            Self::Fit => "fit".to_owned(),
            Self::Order(None) => "order".to_owned(),
            Self::Order(Some(variant)) => format!("order.{variant}"),
            Self::Same => "same".to_owned(),
            Self::Missing => "missing".to_owned(),
            Self::Drift(stat) => stat.name(),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        match text {
            "fit" => Some(Self::Fit),
            "order" => Some(Self::Order(None)),
            "same" => Some(Self::Same),
            "missing" => Some(Self::Missing),
            _ if text.starts_with("drift.") => DriftStat::parse(text).map(Self::Drift),
            _ => {
                let variant = text
                    .strip_prefix("order.")
                    .filter(|variant| !variant.is_empty())?;
                Some(Self::Order(Some(variant.to_owned())))
            }
        }
    }

    fn example(&self) -> String {
        match self {
            Self::Fit => "fit>=90%".to_owned(),
            Self::Drift(stat) => format!("{}<=0.02", stat.name()),
            _ => format!("{}<=5%", self.name()),
        }
    }
}

/// One entry of `--gate`.
#[derive(Clone, Debug, PartialEq)]
pub enum GateSpec {
    /// A limit: at least for `fit`, at most for everything else.
    Limit(Subject, f64),
    /// No gate on this subject.
    None(Subject),
}

/// Why text is no gate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GateError {
    /// A known subject with a limit that cannot be read.
    #[error("`{}`: expected a limit such as `{example}`", Foreign(found))]
    Limit {
        /// What was written.
        found: String,
        /// A limit that can be read.
        example: String,
    },
    /// No such subject.
    #[error(
        "`{}`: expected a gate on `fit`, `order`, `order.VARIANT`, `same`, `missing` or `drift.MEASURE.STAT`",
        Foreign(found)
    )]
    Subject {
        /// What was written.
        found: String,
    },
    /// No such figure of drift.
    #[error("`{}`: expected {FORMS}", Foreign(found))]
    Drift {
        /// What was written.
        found: String,
    },
}

impl GateSpec {
    /// Reads a comma-separated list, collecting every error.
    ///
    /// # Errors
    /// One [`GateError`] per bad entry.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, Vec<GateError>> {
        let (mut gates, mut errors) = (Vec::new(), Vec::new());
        for entry in text.split(',') {
            match Self::parse(entry.trim()) {
                Ok(gate) => gates.push(gate),
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() {
            Ok(gates)
        } else {
            Err(errors)
        }
    }

    fn parse(entry: &str) -> Result<Self, GateError> {
        let no_subject = || {
            let found = entry.to_owned();
            if entry.trim_start_matches("none:").starts_with("drift") {
                GateError::Drift { found }
            } else {
                GateError::Subject { found }
            }
        };
        if let Some(name) = entry.strip_prefix("none:") {
            return Subject::parse(name).map(Self::None).ok_or_else(no_subject);
        }
        let end = entry.find(['<', '>', '=']).unwrap_or(entry.len());
        let subject = Subject::parse(entry[..end].trim_end()).ok_or_else(no_subject)?;
        let sign = if subject == Subject::Fit { ">=" } else { "<=" };
        let limit = entry[end..]
            .strip_prefix(sign)
            .and_then(|text| match &subject {
                Subject::Drift(stat) => stat.limit(text.trim()),
                _ => share(text.trim()),
            });
        match limit {
            Some(limit) => Ok(Self::Limit(subject, limit)),
            None => Err(GateError::Limit {
                found: entry.to_owned(),
                example: subject.example(),
            }),
        }
    }
}

/// A share written as `5%` or `0.05`, between 0 and 1.
pub fn share(text: &str) -> Option<f64> {
    let (number, unit) = match text.strip_suffix('%') {
        Some(number) => (number.trim_end(), 100.0),
        None => (text, 1.0),
    };
    let plain = number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let value = number.parse::<f64>().ok()? / unit;
    (plain && (0.0..=1.0).contains(&value)).then_some(value)
}

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Population {
    /// Traffic that they are a sample of.
    #[default]
    Traffic,
    /// Nothing but themselves: with all of them answered by a deterministic backend, the count is the answer.
    File,
}

impl Gates {
    /// The default gates, changed by `specs`: fit always, order whenever an order or a control was asked.
    pub fn resolve(specs: &[GateSpec], order_asked: bool, strict: bool) -> Self {
        let mut limits = vec![(Subject::Fit, FIT_SHARE)];
        if order_asked {
            limits.push((Subject::Order(None), FLIP_SHARE));
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

    /// The limit on the flips of the order called `name`: its own gate's, else the general one's.
    pub fn order_limit(&self, name: &str) -> Option<f64> {
        self.limit(&Subject::Order(Some(name.to_owned())))
            .or_else(|| self.limit(&Subject::Order(None)))
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

/// Counts of pairs that a limit on flips is judged by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Pairs that could be compared.
    pub pairs: u64,
    /// Flips among them.
    pub flips: u64,
    /// Pairs with a failed or unasked ask.
    pub missing: u64,
    /// How many of the missing pairs were not asked yet.
    pub unasked: u64,
    /// Pairs in which neither answer decided.
    pub no_decision: u64,
    /// Pairs left out because the change could not change the request.
    pub vacuous: u64,
}

/// One-sided bounds of a rate of flips, each at alpha.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    /// A missing pair counts as no flip.
    pub(crate) lower: f64,
    /// A missing pair counts as a flip.
    pub(crate) upper: f64,
}

impl Counts {
    /// Exact bounds of the rate; `None` without a pair.
    ///
    /// For traffic Clopper and Pearson's. For the file the hypergeometric ones of 4.5 over the pairs that were not asked,
    /// which the seeded schedule leaves out at random; failed pairs are no random ones and count as they would be worst.
    pub(crate) fn bounds(&self, population: Population, alpha: f64) -> Option<Bounds> {
        let all = self.pairs + self.missing;
        match population {
            Population::Traffic => Some(Bounds {
                lower: proportion::lower_bound(self.flips, all, alpha).ok()?,
                upper: proportion::upper_bound(self.flips + self.missing, all, alpha).ok()?,
            }),
            Population::File => {
                let asked = all - self.unasked;
                if asked == 0 {
                    return (all > 0).then_some(Bounds {
                        lower: 0.0,
                        upper: 1.0,
                    });
                }
                let most = self.flips + self.missing - self.unasked;
                let flips = proportion::finite_file_bound(all, asked, most, alpha).ok()?;
                let same = asked - self.flips;
                let same = proportion::finite_file_bound(all, asked, same, alpha).ok()?;
                Some(Bounds {
                    lower: share_of(all - same.max_flips, all),
                    upper: flips.upper_rate,
                })
            }
        }
    }
}

/// What a limit says about counts, before the axis gives it its words.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The kind of outcome.
    pub kind: Kind,
    /// Why, where the kind alone does not say it.
    pub reason: Option<String>,
    /// Further pairs that would settle an inconclusive verdict.
    pub more_pairs: Option<proportion::MorePairs>,
}

/// Kinds of outcome of a limit on flips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// At or under the limit.
    Stable,
    /// Over the limit.
    Sensitive,
    /// The exact bounds lie on both sides of the limit.
    Inconclusive,
    /// Missing answers or missing decisions leave it open.
    Undecided,
    /// Every pair is vacuous.
    NotApplicable,
    /// Nothing was asked or nothing decided.
    NotMeasured,
}

/// Judges `counts` against `limit`, about this file or in general (the statistics page, 6.1).
///
/// A missing pair counts as a flip on the way to `Stable` and as none on the way to `Sensitive`, so failures can
/// never look like a clean zero.
pub fn judge_flips(counts: Counts, limit: f64, strict: bool, alpha: f64) -> Judged {
    let bounds = strict
        .then(|| counts.bounds(Population::Traffic, alpha))
        .flatten();
    judge_by(counts, limit, bounds, Population::Traffic, alpha)
}

/// Judges `counts` against `limit`: in general where `bounds` of the rate are given, about this file without.
pub(crate) fn judge_by(
    counts: Counts,
    limit: f64,
    bounds: Option<Bounds>,
    population: Population,
    alpha: f64,
) -> Judged {
    let Counts {
        pairs,
        flips,
        missing,
        unasked,
        no_decision,
        vacuous,
    } = counts;
    let plain = |kind| Judged {
        kind,
        reason: None,
        more_pairs: None,
    };
    let because = |kind, reason: String| Judged {
        kind,
        reason: Some(reason),
        more_pairs: None,
    };
    let all = pairs + missing;
    if all == 0 && no_decision == 0 {
        return if vacuous > 0 {
            because(Kind::NotApplicable, "every pair is vacuous".to_owned())
        } else {
            plain(Kind::NotMeasured)
        };
    }
    if all == 0 {
        return because(Kind::NotMeasured, "no answer decided".to_owned());
    }
    let judged = if let Some(bounds) = bounds {
        in_general(counts, limit, bounds, population, alpha)
    } else if share_of(flips + missing, all) <= limit {
        plain(Kind::Stable)
    } else if share_of(flips, all) > limit {
        plain(Kind::Sensitive)
    } else {
        because(Kind::Undecided, lost(missing, unasked, all))
    };
    if judged.kind == Kind::Stable && share_of(no_decision, all + no_decision) > UNDECIDED_SHARE {
        let of = all + no_decision;
        return because(
            Kind::Undecided,
            format!("in {no_decision} of {of} pairs the model did not decide"),
        );
    }
    judged
}

/// Why too few clusters show nothing.
pub(crate) fn few_clusters(clusters: u64) -> String {
    match clusters {
        1 => format!("all cases are of one cluster, {FEWEST_CLUSTERS} are needed"),
        _ => format!("{clusters} clusters, {FEWEST_CLUSTERS} are needed"),
    }
}

/// Why pairs without an outcome leave a verdict open, and what to do about them.
fn lost(missing: u64, unasked: u64, all: u64) -> String {
    match missing - unasked {
        0 => format!("{unasked} of {all} pairs were not asked"),
        _ => format!("{missing} of {all} pairs are missing; ask them again first"),
    }
}

fn in_general(
    counts: Counts,
    limit: f64,
    bounds: Bounds,
    population: Population,
    alpha: f64,
) -> Judged {
    let Counts {
        pairs,
        flips,
        missing,
        unasked,
        ..
    } = counts;
    let all = pairs + missing;
    let plain = |kind| Judged {
        kind,
        reason: None,
        more_pairs: None,
    };
    match bounds {
        Bounds { upper, .. } if upper <= limit * (1.0 + TOLERANCE) => plain(Kind::Stable),
        Bounds { lower, .. } if lower > limit * (1.0 + TOLERANCE) => plain(Kind::Sensitive),
        _ if missing > 0 => Judged {
            kind: Kind::Inconclusive,
            reason: Some(lost(missing, unasked, all)),
            more_pairs: None,
        },
        // Every case is known, so no further one could settle it.
        _ if population == Population::File => plain(Kind::Inconclusive),
        _ if limit == 0.0 => Judged {
            kind: Kind::Inconclusive,
            reason: Some("no number of cases shows that a rate is zero".to_owned()),
            more_pairs: None,
        },
        _ => Judged {
            kind: Kind::Inconclusive,
            reason: None,
            more_pairs: proportion::more_pairs(flips, pairs, missing, limit, alpha).ok(),
        },
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn share_of(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
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
    fn gates_are_read_in_all_their_forms() {
        let gates =
            GateSpec::parse_list("order<=10%,fit>=0.9,order.rotate:2<=2%,missing<=1%,none:order")
                .unwrap();
        assert_eq!(gates[0], GateSpec::Limit(Subject::Order(None), 0.1));
        assert_eq!(gates[1], GateSpec::Limit(Subject::Fit, 0.9));
        assert_eq!(
            gates[2],
            GateSpec::Limit(Subject::Order(Some("rotate:2".to_owned())), 0.02)
        );
        assert_eq!(gates[4], GateSpec::None(Subject::Order(None)));
    }

    #[test]
    fn bad_gates_are_refused_together() {
        let errors = GateSpec::parse_list(
            "order<5,fit<=80%,order<=5,order<=-1%,shift<=1,,none:x,order.<=5%",
        )
        .unwrap_err();
        let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
        let subjects = "expected a gate on `fit`, `order`, `order.VARIANT`, `same`, `missing` or \
                        `drift.MEASURE.STAT`";
        assert_eq!(
            texts,
            [
                "`order<5`: expected a limit such as `order<=5%`".to_owned(),
                "`fit<=80%`: expected a limit such as `fit>=90%`".to_owned(),
                "`order<=5`: expected a limit such as `order<=5%`".to_owned(),
                "`order<=-1%`: expected a limit such as `order<=5%`".to_owned(),
                format!("`shift<=1`: {subjects}"),
                format!("``: {subjects}"),
                format!("`none:x`: {subjects}"),
                format!("`order.<=5%`: {subjects}"),
            ]
        );
    }

    #[test]
    fn removing_a_gate_is_explicit_and_a_later_entry_wins() {
        let specs = GateSpec::parse_list("order<=10%,order<=20%,none:fit").unwrap();
        assert_eq!(
            Gates::resolve(&specs, true, false).limits,
            [(Subject::Order(None), 0.2)]
        );
        assert_eq!(
            Gates::resolve(&[], false, false).limits,
            [(Subject::Fit, 0.8)]
        );
    }

    #[test]
    fn about_this_file_a_missing_pair_never_makes_it_stable() {
        let kind = |pairs, flips, missing| {
            judge_flips(
                Counts {
                    pairs,
                    flips,
                    missing,
                    ..Counts::default()
                },
                0.05,
                false,
                ALPHA,
            )
            .kind
        };
        assert_eq!(kind(40, 2, 0), Kind::Stable);
        assert_eq!(kind(40, 3, 0), Kind::Sensitive);
        assert_eq!(kind(39, 2, 1), Kind::Undecided);
        assert_eq!(kind(0, 0, 40), Kind::Undecided);
        assert_eq!(kind(0, 0, 0), Kind::NotMeasured);
    }

    #[test]
    fn a_model_that_never_decides_is_not_stable() {
        let counts = |pairs, no_decision| Counts {
            pairs,
            no_decision,
            ..Counts::default()
        };
        assert_eq!(
            judge_flips(counts(94, 6), 0.05, false, ALPHA).kind,
            Kind::Undecided
        );
        assert_eq!(
            judge_flips(counts(95, 5), 0.05, false, ALPHA).kind,
            Kind::Stable
        );
        assert_eq!(
            judge_flips(counts(0, 5), 0.05, false, ALPHA).kind,
            Kind::NotMeasured
        );
    }
}
