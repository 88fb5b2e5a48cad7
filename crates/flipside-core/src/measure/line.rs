//! One variant against the baseline: its pairs, counted and judged.

use indexmap::IndexMap;

use crate::case::Case;
use crate::gate::{self, Bounds, Counts, Gates, Judged, Kind};
use crate::measure::accuracy::{self, LEVEL};
use crate::measure::clusters::{OverClusters, Unit, Units, more_clusters};
use crate::measure::pair::{PairOutcome, Said, pair, transitions};
use crate::measure::table::CasePair;
use crate::measure::units::share_interval;
use crate::order::OptionId;
use crate::perturb::Axis;
use crate::plan::VacuousReason;
use crate::stats::proportion;
use crate::summary::{Figure, Line, MorePairs, Rule, Transitions, Verdict};

/// Counts of pair outcomes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) same: u64,
    pub(crate) flips: u64,
    pub(crate) tie_flips: u64,
    pub(crate) no_decision_flips: u64,
    pub(crate) no_decision: u64,
    pub(crate) missing: u64,
    pub(crate) unasked: u64,
    pub(crate) vacuous: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, outcome: PairOutcome) {
        match outcome {
            PairOutcome::Unasked => self.unasked += 1,
            PairOutcome::Missing => self.missing += 1,
            PairOutcome::NoDecision => self.no_decision += 1,
            PairOutcome::Same => self.same += 1,
            PairOutcome::Flip { tie, no_decision } => {
                self.flips += 1;
                self.tie_flips += u64::from(tie);
                self.no_decision_flips += u64::from(no_decision);
            }
        }
    }

    pub(crate) fn pairs(&self) -> u64 {
        self.same + self.flips
    }

    fn lost(&self) -> u64 {
        self.missing + self.unasked
    }

    pub(crate) fn counts(&self) -> Counts {
        Counts {
            pairs: self.pairs(),
            flips: self.flips,
            missing: self.lost(),
            unasked: self.unasked,
            no_decision: self.no_decision,
            vacuous: self.vacuous,
        }
    }

    /// The common fields under `ruling`; `words` has the word for the judged kind.
    pub(crate) fn figure(
        &self,
        asked: u64,
        ruling: &Ruling,
        words: impl Fn(&Judged) -> (Verdict, Option<String>),
    ) -> Figure {
        let Ruling {
            limit,
            rule,
            bounds,
            over,
            judged,
        } = ruling;
        let said = judged.as_ref().map(words);
        let (verdict, reason) = said.unwrap_or_else(|| (self.ungated(), None));
        let pairs = self.pairs();
        let share = proportion::wilson(self.flips, pairs, LEVEL).ok();
        Figure {
            applicable: pairs + self.lost() + self.no_decision,
            vacuous: self.vacuous,
            asked,
            pairs,
            missing: self.missing,
            unasked: self.unasked,
            no_decision: self.no_decision,
            flips: Some(self.flips),
            firm_flips: Some(self.flips - self.tie_flips),
            tie_flips: Some(self.tie_flips),
            rate: share.map(|share| share.value),
            interval: match over {
                Some(over) => over.interval,
                None => share.map(|share| [share.lower, share.upper]),
            },
            lower: bounds.map(|bounds| bounds.lower),
            upper: bounds.map(|bounds| bounds.upper),
            clusters: over.as_ref().map(|over| over.figure.clone()),
            limit: *limit,
            rule: *rule,
            verdict,
            reason,
        }
    }

    /// The word without a gate.
    fn ungated(&self) -> Verdict {
        if self.pairs() + self.lost() + self.no_decision > 0 {
            Verdict::NoGate
        } else if self.vacuous > 0 {
            Verdict::NotApplicable
        } else {
            Verdict::NotMeasured
        }
    }
}

/// The pairs of one variant, counted.
pub(crate) fn tally(pairs: &[CasePair<'_>], vacuous: u64) -> Tally {
    let mut tally = Tally {
        vacuous,
        ..Tally::default()
    };
    for each in pairs {
        tally.add(pair(each.own, each.variant));
    }
    tally
}

/// What a line is judged by.
#[derive(Clone, Debug)]
pub(crate) struct Ruling {
    pub(crate) limit: Option<f64>,
    pub(crate) rule: Rule,
    pub(crate) bounds: Option<Bounds>,
    /// What the limit says; `None` without one.
    pub(crate) judged: Option<Judged>,
    /// The share over clusters, where they are declared.
    pub(crate) over: Option<OverClusters>,
}

impl Ruling {
    /// A limit on counts by the rule of the run, or in general where `general` says so.
    pub(crate) fn new<'a>(
        counts: Counts,
        pairs: impl Iterator<Item = (&'a Case, PairOutcome)>,
        limit: Option<f64>,
        general: bool,
        gates: &Gates,
    ) -> Self {
        let mut over = units(gates, pairs).and_then(|units| units.share(gates.alpha));
        let bounds = match &over {
            Some(over) => Some(over.bounds),
            None => counts.bounds(gates.population, gates.alpha),
        };
        let decisive = bounds.filter(|_| general);
        let mut judged = limit
            .map(|limit| gate::judge_by(counts, limit, decisive, gates.population, gates.alpha));
        if let (Some(over), Some(judged), Some(limit)) = (&mut over, &mut judged, limit) {
            over_clusters(over, judged, counts, limit, gates.alpha);
        }
        Self {
            limit,
            rule: if general { Rule::General } else { Rule::File },
            bounds,
            judged,
            over,
        }
    }
}

/// What clusters withhold, and how many more of them would settle it in place of further pairs.
fn over_clusters(
    over: &mut OverClusters,
    judged: &mut Judged,
    counts: Counts,
    limit: f64,
    alpha: f64,
) {
    if judged.kind == Kind::Inconclusive {
        judged.more_pairs = None;
        let (hits, lost) = (counts.flips, counts.missing);
        over.figure.more_clusters = more_clusters(over.clusters, hits, lost, limit, alpha);
    }
    few_clusters(over, judged);
}

/// Withholds `stable` from too few clusters.
pub(crate) fn few_clusters(over: &OverClusters, judged: &mut Judged) {
    if judged.kind == Kind::Stable && over.clusters < gate::FEWEST_CLUSTERS {
        judged.kind = Kind::Undecided;
        judged.reason = Some(gate::few_clusters(over.clusters));
    }
}

/// The pairs by declared cluster; `None` where none are declared.
pub(crate) fn units<'a>(
    gates: &Gates,
    pairs: impl Iterator<Item = (&'a Case, PairOutcome)>,
) -> Option<Units<'a>> {
    let field = gates.groups.cluster.as_deref()?;
    let units = pairs.filter_map(|(case, outcome)| Some((case, unit(outcome)?)));
    Some(Units::of(field, units))
}

/// What a pair contributes to a share of flips; `None` where neither answer decided.
pub(crate) fn unit(outcome: PairOutcome) -> Option<Unit> {
    match outcome {
        PairOutcome::Flip { .. } => Some(Unit::Hit),
        PairOutcome::Same => Some(Unit::NoHit),
        PairOutcome::Missing | PairOutcome::Unasked => Some(Unit::Lost),
        PairOutcome::NoDecision => None,
    }
}

/// Every pair's case with its outcome.
pub(crate) fn outcomes<'a>(
    pairs: &[CasePair<'a>],
) -> impl Iterator<Item = (&'a Case, PairOutcome)> {
    pairs
        .iter()
        .map(|each| (each.case, pair(each.own, each.variant)))
}

/// The line of one variant under its ruling, with the field by whose values cases depend on each other; `words` has the word
/// for the judged kind.
pub(crate) fn line(
    axis: Axis,
    pairs: &[CasePair<'_>],
    vacuous_reasons: IndexMap<VacuousReason, u64>,
    ruling: &Ruling,
    cluster: Option<&str>,
    words: impl Fn(&Judged) -> (Verdict, Option<String>),
) -> Line {
    let tally = tally(pairs, vacuous_reasons.values().sum());
    let mut directions = Transitions::default();
    let (mut following, mut moved) = (0, Vec::new());
    for each in pairs {
        let outcome = pair(each.own, each.variant);
        let flipped = matches!(outcome, PairOutcome::Flip { .. });
        let compared = flipped || outcome == PairOutcome::Same;
        if let (true, Said::Chose { id: before, .. }) = (compared, each.own) {
            // Where an option stands is told by the one chosen and not by those that are the same answer.
            let (chosen, then) = chosen(each);
            if chosen.is_some_and(|chosen| moves(each, chosen)) {
                moved.push((each.case, flipped));
            }
            if let Said::Chose { id: after, .. } = each.variant {
                transitions(&mut directions, each.case, before, after);
                let follows = chosen
                    .zip(then)
                    .is_some_and(|(chosen, then)| follows_position(each, chosen, then));
                following += u64::from(flipped && follows);
            }
        }
    }
    let asked = pairs
        .iter()
        .filter(|each| each.variant != Said::Unasked)
        .count() as u64;
    let other_version = pairs.iter().filter(|each| each.other_version).count() as u64;
    let mut figure = tally.figure(asked, ruling, words);
    let all = tally.pairs() + tally.lost();
    two_models(&mut figure, other_version);
    #[expect(clippy::cast_precision_loss, reason = "pair counts are far below 2^52")]
    let part = |part: u64, of: u64| (of > 0).then(|| part as f64 / of as f64);
    let share = |hits: u64| part(hits, all);
    let moved_flips = moved.iter().filter(|(_, flipped)| *flipped).count() as u64;
    let more = ruling
        .judged
        .as_ref()
        .and_then(|judged| judged.more_pairs.as_ref());
    Line {
        figure,
        vacuous_reasons,
        no_decision_flips: tally.no_decision_flips,
        other_version,
        unreadable: pairs.iter().filter(|each| each.unreadable).count() as u64,
        position_following: following,
        moved: moved.len() as u64,
        moved_flips,
        moved_rate: part(moved_flips, moved.len() as u64),
        moved_interval: share_interval(cluster, moved),
        rate_if_missing_same: share(tally.flips),
        rate_if_missing_flipped: share(tally.flips + tally.lost()),
        transitions: directions,
        // Without the accepted option no answer is accepted, which says nothing about the model.
        accuracy: if axis == Axis::Drop {
            None
        } else {
            accuracy::accuracy(
                pairs.iter().map(|each| (each.case, each.own, each.variant)),
                cluster,
            )
        },
        more_pairs: more.map(|more| MorePairs {
            if_no_flip: more.if_no_further_flip,
            if_same_rate: more.if_rate_persists,
        }),
        anchored: None,
        over_limit_p: None,
        over_limit_holm_p: None,
        direction: None,
        key_changes: None,
        drift: None,
        routing: None,
        score: None,
    }
}

/// Says so where every missing pair is missing because two models served it: asking again brings nothing there, since every ask
/// was answered.
pub(crate) fn two_models(figure: &mut Figure, other_version: u64) {
    let lost = figure.missing + figure.unasked;
    if figure.reason.is_some() && other_version > 0 && other_version == lost {
        let all = figure.pairs + lost;
        figure.reason = Some(format!(
            "{other_version} of {all} pairs compare two served models"
        ));
    }
}

/// The options chosen in a pair, by their own identities; none where no order on record says where they stood.
fn chosen(pair: &CasePair<'_>) -> (Option<OptionId>, Option<OptionId>) {
    pair.answers
        .filter(|_| !pair.case.brought.unlisted)
        .map_or((None, None), |(own, variant)| (own.choice, variant.choice))
}

/// Whether the variant shows `id` in another position than what it is compared with.
fn moves(pair: &CasePair<'_>, id: OptionId) -> bool {
    pair.order.position_of(id) != pair.from.position_of(id)
}

/// Whether the variant's choice stands where the baseline's choice stood.
fn follows_position(pair: &CasePair<'_>, before: OptionId, after: OptionId) -> bool {
    let stood = pair.from.position_of(before);
    stood.and_then(|stood| pair.order.at(stood)) == Some(after)
}

/// The words of the control.
pub(crate) fn control_words(judged: &Judged) -> (Verdict, Option<String>) {
    let word = match judged.kind {
        Kind::Stable => Verdict::Quiet,
        Kind::Sensitive => Verdict::NoisyBackend,
        Kind::Inconclusive => Verdict::NoiseInconclusive,
        Kind::Undecided => Verdict::Undecided,
        Kind::NotApplicable => Verdict::NotApplicable,
        Kind::NotMeasured => Verdict::NotMeasured,
    };
    (word, judged.reason.clone())
}

/// Which of several verdicts on one axis speaks for it: the worst, the first of equals.
pub(crate) fn severity(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::OrderSensitive
        | Verdict::KeysSensitive
        | Verdict::DescriptionsSensitive
        | Verdict::PhrasingSensitive
        | Verdict::StateKeysSensitive
        | Verdict::WhitespaceSensitive
        | Verdict::LetterCaseSensitive
        | Verdict::DropSensitive
        | Verdict::DecoySensitive
        | Verdict::BatchSensitive
        | Verdict::CrossSensitive
        | Verdict::Noisy
        | Verdict::CauseOpen
        | Verdict::NoisyBackend => 6,
        Verdict::Undecided => 5,
        Verdict::Inconclusive | Verdict::NoiseInconclusive => 4,
        // An order that was asked and measured nothing does not pass unseen behind the others.
        Verdict::NotMeasured => 3,
        Verdict::Stable | Verdict::Quiet => 2,
        Verdict::NotApplicable => 1,
        Verdict::Fits
        | Verdict::NotATask
        | Verdict::TooFewCases
        | Verdict::FitInconclusive
        | Verdict::WithinLimit
        | Verdict::OverLimit
        | Verdict::NoGate => 0,
    }
}
