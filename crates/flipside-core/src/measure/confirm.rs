//! Flips asked once more: which, how many come again, and what caused them.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use crate::case::Case;
use crate::course::Confirm;
use crate::gate::{Gates, Kind};
use crate::measure::accuracy::LEVEL;
use crate::measure::axis::{Judgement, Judgements};
use crate::measure::line::Ruling;
use crate::measure::pair::{PairOutcome, Said, other_version, pair, said};
use crate::measure::table::{CasePair, Table};
use crate::measure::units::{contrast, dependent};
use crate::perturb::Axis;
use crate::record::Asked;
use crate::stats::net_effect::{confirmed, replications_needed};
use crate::summary::{Confirmation, Verdict};

/// The variants of `axis` whose flips are to be confirmed, those that flip most first.
fn family<'j, 'a>(axis: Axis, judged: &'j Judgements<'a>, gates: &Gates) -> Vec<&'j Judgement<'a>> {
    let unsettled = |ruling: &Ruling| {
        let kind = ruling.judged.as_ref().map(|judged| judged.kind);
        !matches!(kind, None | Some(Kind::Stable | Kind::NotApplicable))
    };
    // A gate on the whole axis asks about the flips of every variant.
    let mut pooled = judged.pooled.iter().filter(|pooled| pooled.axis == axis);
    let whole = pooled.any(|pooled| unsettled(&pooled.ruling));
    let judged = judged.each.iter().filter(|each| each.axis == axis);
    let open = |each: &&Judgement<'_>| match gates.confirm {
        Confirm::Never => false,
        Confirm::All => true,
        Confirm::Auto => whole || unsettled(&each.ruling),
    };
    let mut family: Vec<&Judgement<'_>> = judged.filter(open).collect();
    let flips = |each: &&Judgement<'_>| each.pairs.iter().filter(|pair| flipped(pair)).count();
    family.sort_by_cached_key(|each| std::cmp::Reverse(flips(each)));
    family
}

fn flipped(each: &CasePair<'_>) -> bool {
    matches!(pair(each.own, each.variant), PairOutcome::Flip { .. })
}

/// The flips on `axis` that are to be confirmed, one of each case: in the variant that flips most of those in which it flipped.
///
/// Which one depends on the first round alone, so that under an order that does nothing the two answers of a flip are as
/// likely to come again as to change places, whichever was chosen.
pub(crate) fn to_confirm<'a>(
    axis: Axis,
    judged: &Judgements<'a>,
    table: &Table<'_>,
    gates: &Gates,
) -> Vec<CasePair<'a>> {
    let mut chosen: Vec<Option<CasePair<'a>>> = vec![None; table.plan.cases.len()];
    for judgement in family(axis, judged, gates) {
        for each in judgement.pairs.iter().filter(|each| flipped(each)) {
            let case = table.plan.asks[each.ask].case as usize;
            chosen[case].get_or_insert(*each);
        }
    }
    chosen.into_iter().flatten().collect()
}

/// What asking the flips on `axis` once more showed; `needed` says which slots were to be asked. `None` if none was.
///
/// Source: the statistics page, 5. An answer is replicated if both orders give theirs again, swapped if each gives the
/// other's.
pub(crate) fn confirmation(
    axis: Axis,
    judged: &Judgements<'_>,
    table: &Table<'_>,
    gates: &Gates,
    needed: impl Fn(u32) -> bool,
) -> Option<Confirmation> {
    let mut counts = Counts::default();
    let mut said = Vec::new();
    let mut by_variant = IndexMap::new();
    for each in to_confirm(axis, judged, table, gates) {
        let slots = [table.against(each.ask), each.ask].map(|ask| table.plan.again(ask));
        if slots.iter().all(|slot| needed(*slot)) {
            said.push((each.case, counts.add(table, &each, slots)));
            let variant = table.plan.variant_of(&table.plan.asks[each.ask]);
            *by_variant.entry(variant.name.clone()).or_insert(0) += 1;
        }
    }
    if counts.flips == 0 {
        return None;
    }
    // A case counts as compared if any of its pairs could be, as lost if one that is missing might have flipped.
    let mut cases: Vec<(bool, bool, bool)> = vec![(false, false, false); table.plan.cases.len()];
    for each in family(axis, judged, gates)
        .iter()
        .flat_map(|each| &each.pairs)
    {
        let (compared, flip, lost) = &mut cases[table.plan.asks[each.ask].case as usize];
        match pair(each.own, each.variant) {
            PairOutcome::Same => *compared = true,
            PairOutcome::Flip { .. } => (*compared, *flip) = (true, true),
            PairOutcome::Missing | PairOutcome::Unasked => *lost = true,
            PairOutcome::NoDecision => {}
        }
    }
    let count = |wanted: fn(&(bool, bool, bool)) -> bool| {
        cases.iter().filter(|case| wanted(case)).count() as u64
    };
    let compared = count(|(compared, ..)| *compared);
    let open = count(|(_, flip, lost)| *lost && !*flip);
    let all = count(|(compared, _, lost)| *compared || *lost);
    let Counts {
        flips,
        replicated,
        swapped,
        neither,
        missing,
        unasked,
    } = counts;
    let alpha = gates.alpha;
    let found = confirmed(replicated, swapped, compared, LEVEL).ok()?;
    let worst = replicated + missing + unasked + open;
    let upper = confirmed(worst, swapped, all, 1.0 - 2.0 * alpha).ok()?;
    let lost = missing + unasked;
    let most = match lost {
        0 => found.effect.upper,
        _ => {
            confirmed(replicated + lost, swapped, compared, LEVEL)
                .ok()?
                .effect
                .upper
        }
    };
    let mut confirmation = Confirmation {
        flips,
        by_variant,
        replicated,
        swapped,
        neither,
        missing,
        unasked,
        cases: compared,
        effect: (lost == 0).then_some(found.effect.value),
        interval: [found.effect.lower, most],
        upper: upper.effect.upper,
        p: found.p,
        clusters: None,
        replications_needed: replications_needed(replicated, swapped, alpha),
    };
    if let Some(field) = dependent(&gates.groups, &table.plan.cases) {
        // Every case in which no flip was asked once more, as compared or as lost.
        let flipped: BTreeSet<&str> = said.iter().map(|(case, _)| case.id.0.as_str()).collect();
        let others = table.plan.cases.iter().zip(&cases);
        let others = others.filter(|(case, _)| !flipped.contains(case.id.0.as_str()));
        let others = others.filter(|(_, (compared, _, lost))| *compared || *lost);
        let others: Vec<(&Case, (bool, bool))> = others
            .map(|(case, (compared, flip, lost))| (case, (*compared, *lost && !*flip)))
            .collect();
        over_clusters(&mut confirmation, field, &said, &others, alpha);
    }
    Some(confirmation)
}

/// Interval, bound and test over the clusters of `field`: `said` has what became of each flip, `others` every other case with
/// whether it was compared and whether it could still turn out to have flipped.
///
/// Source: the statistics page, 4.2, 4.3 and 5. Where order does nothing, the two answers of the second
/// round can change places in all cases of a cluster at once, so that a cluster with more flips that came again than swapped
/// is as likely as one with fewer.
fn over_clusters(
    found: &mut Confirmation,
    field: &str,
    said: &[(&Case, Again)],
    others: &[(&Case, (bool, bool))],
    alpha: f64,
) {
    let flips = |lost: bool| {
        said.iter().map(move |&(case, again)| {
            let replicated = again == Again::Replicated || (lost && again == Again::Lost);
            (case, (replicated, again == Again::Swapped))
        })
    };
    let none = |compared: &&(&_, (bool, bool))| compared.1.0;
    let rest = others.iter().filter(none);
    let rest = rest.map(|(case, _)| (*case, (false, false)));
    let rest: Vec<(&Case, (bool, bool))> = rest.collect();
    let known: Vec<(&Case, (bool, bool))> = flips(false).chain(rest.iter().copied()).collect();
    let most: Vec<(&Case, (bool, bool))> = flips(true).chain(rest).collect();
    let worst = others
        .iter()
        .map(|(case, (_, open))| (*case, (*open, false)));
    let worst: Vec<(&Case, (bool, bool))> = flips(true).chain(worst).collect();
    if let Some(contrast) = contrast(field, &known, LEVEL) {
        found.interval = contrast.interval;
        found.p = contrast.p;
        found.clusters = Some(contrast.signs);
        let signs = contrast.signs;
        found.replications_needed = replications_needed(signs.first, signs.second, alpha);
    }
    if found.effect.is_none()
        && let Some(contrast) = contrast(field, &most, LEVEL)
    {
        found.interval[1] = contrast.interval[1];
    }
    if let Some(contrast) = contrast(field, &worst, 1.0 - 2.0 * alpha) {
        found.upper = contrast.interval[1];
    }
}

/// What became of a flip that was asked once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Again {
    Replicated,
    Swapped,
    Neither,
    /// Missing or not asked.
    Lost,
}

#[derive(Default)]
struct Counts {
    flips: u64,
    replicated: u64,
    swapped: u64,
    neither: u64,
    missing: u64,
    unasked: u64,
}

impl Counts {
    fn add(&mut self, table: &Table<'_>, each: &CasePair<'_>, slots: [u32; 2]) -> Again {
        self.flips += 1;
        let baseline = table.asked[table.against(each.ask)].as_ref();
        let [own, variant] = slots
            .map(|slot| again(baseline, table.asked[slot as usize].as_ref()).within(each.case));
        let (count, became) = if own == Said::Unasked || variant == Said::Unasked {
            (&mut self.unasked, Again::Lost)
        } else if own == Said::Missing || variant == Said::Missing {
            (&mut self.missing, Again::Lost)
        } else if alike(own, each.own) && alike(variant, each.variant) {
            (&mut self.replicated, Again::Replicated)
        } else if alike(own, each.variant) && alike(variant, each.own) {
            (&mut self.swapped, Again::Swapped)
        } else {
            (&mut self.neither, Again::Neither)
        };
        *count += 1;
        became
    }
}

/// What a repetition said; missing where another model served it than the baseline.
fn again(baseline: Option<&Asked>, asked: Option<&Asked>) -> Said {
    if other_version(baseline, asked) {
        Said::Missing
    } else {
        said(asked)
    }
}

/// Whether two asks say the same, tied or not.
fn alike(a: Said, b: Said) -> bool {
    match (a, b) {
        (Said::Chose { id: a, .. }, Said::Chose { id: b, .. }) => a == b,
        (Said::Nothing, Said::Nothing) => true,
        _ => false,
    }
}

/// Whether flips came again more often than they changed places, beyond chance.
pub(crate) fn comes_again(found: &Confirmation, alpha: f64) -> bool {
    let prevails = match found.clusters {
        None => found.replicated > found.swapped,
        Some(clusters) => clusters.first > clusters.second,
    };
    prevails && found.p <= alpha
}

/// Why more than the limit flipped, as far as the confirmation tells.
pub(crate) fn cause(
    axis: Axis,
    confirmation: Option<&Confirmation>,
    limit: Option<f64>,
    alpha: f64,
) -> (Verdict, Option<String>) {
    let open = |reason: String| (Verdict::CauseOpen, Some(reason));
    let Some(found) = confirmation else {
        return open("its flips were not asked once more".to_owned());
    };
    if found.unasked > 0 {
        let (unasked, flips) = (found.unasked, found.flips);
        return open(format!(
            "{unasked} of {flips} flips were not asked once more"
        ));
    }
    if comes_again(found, alpha) {
        return (Verdict::sensitive(axis), None);
    }
    if limit.is_some_and(|limit| found.upper <= limit) {
        return (Verdict::Noisy, None);
    }
    (Verdict::CauseOpen, None)
}
