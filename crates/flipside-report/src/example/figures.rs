//! Figures, counted as simply as possible.

use flipside_core::order::Position;
use flipside_core::perturb::Axis;
use flipside_core::plan::VacuousReason;
use flipside_core::summary::{
    Accuracy, AskStatus, AskSummary, CaseSummary, Figure, Fit, KeyBaseline, Line, Mean, MorePairs,
    PositionBaseline, Rule, Transitions, Verdict,
};
use indexmap::IndexMap;

use super::bounds::{lower, mcnemar, upper, wilson};
use super::runs::id;

fn figure(hits: u64, pairs: u64, missing: u64, limit: Option<f64>, rule: Rule) -> Figure {
    let all = pairs + missing;
    Figure {
        applicable: all,
        vacuous: 0,
        asked: all,
        pairs,
        missing,
        unasked: 0,
        no_decision: 0,
        flips: Some(hits),
        firm_flips: Some(hits),
        tie_flips: Some(0),
        rate: (pairs > 0).then(|| hits as f64 / pairs as f64),
        interval: (pairs > 0).then(|| wilson(hits, pairs)),
        lower: (all > 0).then(|| lower(hits, all)),
        upper: (all > 0).then(|| upper(hits + missing, all)),
        clusters: None,
        limit,
        rule,
        verdict: Verdict::NoGate,
        reason: None,
    }
}

pub(super) fn fit(cases: &[CaseSummary], limit: Option<f64>, rule: Rule) -> Fit {
    let own: Vec<&AskSummary> = cases
        .iter()
        .filter(|case| !case.accept.is_empty())
        .map(|case| &case.asks[0])
        .collect();
    let right = own.iter().filter(|ask| ask.ok == Some(true)).count() as u64;
    let pairs = own.iter().filter(|ask| ask.ok.is_some()).count() as u64;
    let of = own.len() as u64;
    let mut fit = Fit {
        figure: Figure {
            flips: None,
            firm_flips: None,
            tie_flips: None,
            ..figure(right, pairs, of - pairs, limit, rule)
        },
        right,
        position_baseline: None,
        accepted_positions: Vec::new(),
        key_baseline: None,
        informative: true,
        clean_cases_needed: Some(14),
    };
    let shown = &mut fit.figure;
    shown.verdict = match (pairs, shown.rate) {
        (_, None) => Verdict::NotMeasured,
        (0..8, _) => Verdict::TooFewCases,
        _ if rule == Rule::General && shown.lower.unwrap() >= 0.8 => Verdict::Fits,
        _ if rule == Rule::General && shown.upper.unwrap() < 0.8 => Verdict::NotATask,
        _ if rule == Rule::General => Verdict::FitInconclusive,
        (_, Some(rate)) if rate >= 0.8 => Verdict::Fits,
        _ => Verdict::NotATask,
    };
    shown.reason = match shown.verdict {
        Verdict::TooFewCases => Some(format!("{pairs} of 8")),
        Verdict::NotMeasured => Some("no case says which options are right".to_owned()),
        _ => None,
    };
    let accepted = |place: usize| {
        cases
            .iter()
            .filter(|case| case.accept.contains(&id(place)))
            .count()
    };
    let best = (0..16)
        .max_by_key(|place| (accepted(*place), 16 - place))
        .unwrap();
    if of > 0 {
        let right = accepted(best) as u64;
        let rate = right as f64 / of as f64;
        fit.position_baseline = Some(PositionBaseline {
            right,
            of,
            rate,
            lower: lower(right, of),
            position: Some(id(best).0),
        });
        fit.key_baseline = Some(KeyBaseline {
            right: 1,
            of,
            rate: 1.0 / of as f64,
            key: cases[0].keys[0].to_string(),
        });
        fit.informative = rate < 0.8;
    }
    fit
}

pub(super) fn line(
    cases: &[CaseSummary],
    axis: Axis,
    name: &str,
    limit: Option<f64>,
    rule: Rule,
    noisy: bool,
) -> Line {
    let pairs: Vec<(&CaseSummary, &AskSummary, &AskSummary)> = cases
        .iter()
        .filter_map(|case| {
            let variant = case
                .asks
                .iter()
                .find(|ask| ask.axis == axis && *ask.variant == *name)?;
            Some((case, &case.asks[0], variant))
        })
        .collect();
    let count = |wanted: &dyn Fn(&AskSummary, &AskSummary) -> bool| {
        pairs
            .iter()
            .filter(|(_, own, variant)| wanted(own, variant))
            .count() as u64
    };
    let lost = |ask: &AskSummary, status| ask.status == status;
    let missing =
        count(&|own, variant| lost(own, AskStatus::Failed) || lost(variant, AskStatus::Failed));
    let unasked = count(&|own, variant| {
        !lost(own, AskStatus::Failed)
            && !lost(variant, AskStatus::Failed)
            && (lost(own, AskStatus::Unasked) || lost(variant, AskStatus::Unasked))
    });
    let no_decision =
        count(&|own, variant| lost(own, AskStatus::Declined) && lost(variant, AskStatus::Declined));
    let flips = count(&|_, variant| variant.flip == Some(true));
    let ties = count(&|own, variant| variant.flip == Some(true) && (own.tied || variant.tied));
    let compared = count(&|_, variant| variant.flip.is_some());
    let mut shown = figure(flips, compared, missing + unasked, limit, rule);
    let vacuous = (cases.len() - pairs.len()) as u64;
    (
        shown.missing,
        shown.unasked,
        shown.no_decision,
        shown.vacuous,
    ) = (missing, unasked, no_decision, vacuous);
    shown.applicable += no_decision;
    (shown.firm_flips, shown.tie_flips) = (Some(flips - ties), Some(ties));
    let sensitive = if noisy {
        Verdict::CauseOpen
    } else {
        Verdict::sensitive(axis)
    };
    let mut more_pairs = None;
    shown.verdict = match (limit, shown.rate, shown.lower, shown.upper) {
        (_, None, ..) if vacuous > 0 => Verdict::NotApplicable,
        (None, ..) => Verdict::NoGate,
        (_, None, ..) => Verdict::NotMeasured,
        (Some(limit), Some(rate), ..)
            if rule == Rule::File && rate <= limit && missing + unasked == 0 =>
        {
            Verdict::Stable
        }
        (Some(limit), Some(rate), ..) if rule == Rule::File && rate > limit => sensitive,
        (Some(_), ..) if rule == Rule::File => Verdict::Undecided,
        (Some(limit), _, _, Some(upper)) if upper <= limit => Verdict::Stable,
        (Some(limit), _, Some(lower), _) if lower > limit => sensitive,
        (Some(limit), ..) => {
            let more = (1..2_000).find(|more| upper(flips, compared + more) <= limit);
            more_pairs = Some(MorePairs {
                if_no_flip: more,
                if_same_rate: if flips == 0 { more } else { Some(261) },
            });
            Verdict::Inconclusive
        }
    };
    if shown.verdict == Verdict::Undecided {
        let lost = missing + unasked;
        shown.reason = Some(format!(
            "{lost} of {} pairs are missing; ask them again first",
            compared + lost
        ));
    }
    let follows = |case: &CaseSummary, own: &AskSummary, variant: &AskSummary| {
        let place = |ask: &AskSummary| ask.choice.and_then(|id| ask.order.position_of(id));
        variant.flip == Some(true)
            && !case.keys.is_empty()
            && place(own).is_some()
            && place(own) == place(variant)
    };
    let moves = |own: &AskSummary, variant: &AskSummary| {
        variant.flip.is_some()
            && own
                .choice
                .is_some_and(|id| variant.order.at(Position(id.0)) != Some(id))
    };
    let (moved, moved_flips) = (
        count(&moves),
        count(&|own, variant| moves(own, variant) && variant.flip == Some(true)),
    );
    Line {
        vacuous_reasons: if vacuous > 0 {
            IndexMap::from([(VacuousReason::OneOption, vacuous)])
        } else {
            IndexMap::new()
        },
        no_decision_flips: count(&|own, variant| {
            variant.flip == Some(true) && (own.choice.is_none() || variant.choice.is_none())
        }),
        other_version: 0,
        unreadable: 0,
        position_following: pairs
            .iter()
            .filter(|(case, own, variant)| follows(case, own, variant))
            .count() as u64,
        moved,
        moved_flips,
        moved_rate: (moved > 0).then(|| moved_flips as f64 / moved as f64),
        moved_interval: (moved > 0).then(|| wilson(moved_flips, moved)),
        rate_if_missing_same: None,
        rate_if_missing_flipped: None,
        transitions: Transitions::default(),
        accuracy: accuracy(&pairs),
        anchored: None,
        over_limit_p: None,
        over_limit_holm_p: None,
        figure: shown,
        more_pairs,
        direction: None,
        key_changes: None,
        drift: None,
        routing: None,
        score: None,
    }
}

fn accuracy(pairs: &[(&CaseSummary, &AskSummary, &AskSummary)]) -> Option<Accuracy> {
    let both: Vec<(bool, bool)> = pairs
        .iter()
        .filter_map(|(_, own, variant)| own.ok.zip(variant.ok))
        .collect();
    let of = both.len() as u64;
    let right = both.iter().filter(|(_, variant)| *variant).count() as u64;
    let own_right = both.iter().filter(|(own, _)| *own).count() as u64;
    let lost = both
        .iter()
        .filter(|(own, variant)| *own && !*variant)
        .count() as u64;
    let won = both
        .iter()
        .filter(|(own, variant)| !*own && *variant)
        .count() as u64;
    if of == 0 {
        return None;
    }
    let difference = (right as f64 - own_right as f64) / of as f64;
    Some(Accuracy {
        right,
        of,
        rate: right as f64 / of as f64,
        interval: wilson(right, of),
        own_right,
        difference,
        difference_interval: [(difference - 0.1).max(-1.0), (difference + 0.1).min(1.0)],
        mcnemar_p: mcnemar(lost, won),
        clusters: None,
    })
}

pub(super) fn averaged(cases: &[CaseSummary]) -> Option<Mean> {
    let shares: Vec<(f64, u64)> = cases
        .iter()
        .filter_map(|case| {
            let oks: Vec<bool> = case
                .asks
                .iter()
                .filter(|ask| matches!(ask.axis, Axis::Baseline | Axis::Order))
                .filter_map(|ask| ask.ok)
                .collect();
            let right = oks.iter().filter(|ok| **ok).count();
            (!oks.is_empty()).then(|| (right as f64 / oks.len() as f64, oks.len() as u64))
        })
        .collect();
    if shares.is_empty() {
        return None;
    }
    let value = shares.iter().map(|(share, _)| share).sum::<f64>() / shares.len() as f64;
    let asks = shares.iter().map(|(_, asks)| asks).sum();
    Some(Mean {
        value,
        cases: shares.len() as u64,
        asks,
        interval: [(value - 0.15).max(0.0), (value + 0.15).min(1.0)],
    })
}
