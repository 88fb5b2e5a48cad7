//! The comparison as a whole: what is refused, and what is compared.

use std::borrow::Cow;

use indexmap::IndexSet;

use super::answers::{AnswerSet, CaseAnswers};
use super::axes;
use super::demand::Demand;
use super::fields;
use super::figures::{Claim, Comparison, SCHEMA};
use super::judge::Judged;
use super::matching::{Matched, OWN, is_part, matched};
use super::orders;
use super::refusal::{Refusal, names};
use super::several;
use super::unlisted::by_key;
use crate::record::Outcome;
use crate::stats::cluster::DRAWS;
use crate::stats::draw::DRAW_VERSION;
use crate::summary::METHOD;

/// The seed of the bootstrap.
pub const SEED: u64 = 1;

/// The chance with which `pairs_needed` pairs show a difference.
pub const POWER: f64 = 0.8;

/// What a comparison is to say.
#[derive(Clone, Debug)]
pub struct Wanted<'a> {
    /// The flipside version that compares.
    pub version: &'a str,
    /// The other orders to compare, `own` for none of them; empty for all that both asked.
    pub orders: &'a [String],
    /// The fields of cases to split the figures by.
    pub by: &'a [String],
    /// Margins within which the two are to be shown the same.
    pub equivalent: Demand,
    /// Margins by which the variant may be worse.
    pub not_worse: Demand,
    /// Error rate of each one-sided test, strictly between 0 and 0.5.
    pub alpha: f64,
}

/// Compares two recorded answer sets.
///
/// # Errors
/// [`Refusal`] if they must not be compared, or have nothing to compare.
pub fn compare(
    baseline: &AnswerSet,
    variant: &AnswerSet,
    wanted: &Wanted<'_>,
) -> Result<Comparison, Refusal> {
    if let (Some(first), Some(second)) = (baseline.about.method, variant.about.method)
        && first != second
    {
        return Err(Refusal::Method {
            baseline: first,
            variant: second,
        });
    }
    let (baseline, variant) = by_key(baseline, variant);
    let (baseline, variant) = (&*by_class(&baseline), &*by_class(&variant));
    let mut matched = matched(baseline, variant);
    refuse_cases(&matched, baseline, variant)?;
    let rows = rows(&matched, wanted.orders)?;
    matched.keep(&rows);
    let cases = &matched.cases[..];
    if cases.iter().all(|case| case.answered().is_empty()) {
        return Err(Refusal::NoAnswers);
    }
    let accuracy = orders::accuracy(cases, |case| Some(case.own));
    let flips: Vec<_> = (rows.iter())
        .map(|name| (name.clone(), orders::flips(cases, name)))
        .collect();
    let by = fields::by(cases, wanted.by, &rows, wanted.alpha)?;
    let complete = [baseline.about.complete, variant.about.complete];
    let axes = axes::compared(cases, complete, wanted.alpha);
    let judged = Judged {
        accuracy: &accuracy,
        flips: &flips,
        alpha: wanted.alpha,
        stopped_by: (baseline.about.stopped_by.as_deref()).or(variant.about.stopped_by.as_deref()),
    };
    let mut verdicts = judged.lines(Claim::Equivalent, &wanted.equivalent);
    verdicts.extend(judged.lines(Claim::NotWorse, &wanted.not_worse));
    let only = |side: usize| {
        let known = |name: &&String| !matched.rows.iter().any(|row| is_part(row, name));
        matched.asked[side].iter().filter(known).cloned().collect()
    };
    Ok(Comparison {
        schema: SCHEMA.to_owned(),
        method: METHOD,
        flipside: wanted.version.to_owned(),
        baseline: baseline.about.clone(),
        variant: variant.about.clone(),
        alpha: wanted.alpha,
        seed: SEED,
        draws: DRAW_VERSION.to_owned(),
        resamples: DRAWS,
        cases: matched.counts,
        other_fields: matched.other_fields.clone(),
        orders_only_baseline: only(0),
        orders_only_variant: only(1),
        orders: orders::compared(cases, &accuracy, &flips, wanted.alpha),
        axes: axes.compared,
        axes_left_out: axes.left_out,
        by,
        all_orders: several::compared(cases, !rows.is_empty(), wanted.alpha),
        exit: u8::from(verdicts.iter().any(|line| !line.held)),
        verdicts,
    })
}

/// The set with every choice named by the smallest option that is declared to be the same answer, as flips are counted.
fn by_class(set: &AnswerSet) -> Cow<'_, AnswerSet> {
    if set
        .cases
        .iter()
        .all(|answers| answers.case.equal.is_empty())
    {
        return Cow::Borrowed(set);
    }
    let mut set = set.clone();
    for CaseAnswers { case, asks } in &mut set.cases {
        for ask in asks {
            if let Outcome::Answered(answer) = &mut ask.outcome {
                answer.choice = answer.choice.map(|id| case.class_of(id));
            }
        }
    }
    Cow::Owned(set)
}

fn refuse_cases(
    matched: &Matched<'_>,
    baseline: &AnswerSet,
    variant: &AnswerSet,
) -> Result<(), Refusal> {
    let counts = matched.counts;
    if counts.common > 0 {
        return Ok(());
    }
    if counts.other_content > 0 && matched.other_kind == counts.other_content {
        let kinds = |set: &AnswerSet| {
            let kinds = set.cases.iter().map(|answers| answers.case.question.kind);
            let mut kinds: Vec<_> = kinds.collect();
            kinds.sort_unstable();
            kinds.dedup();
            names(kinds.into_iter().map(crate::case::QuestionKind::name))
        };
        return Err(Refusal::QuestionTypes {
            baseline: kinds(baseline),
            variant: kinds(variant),
        });
    }
    Err(Refusal::NoCommonCase {
        only_baseline: counts.only_baseline,
        only_variant: counts.only_variant,
        other_content: counts.other_content,
    })
}

/// The other orders to compare: all that both asked, or those of them that are wanted.
fn rows(matched: &Matched<'_>, wanted: &[String]) -> Result<IndexSet<String>, Refusal> {
    let [first, second] = &matched.asked;
    if wanted.is_empty() {
        if matched.rows.is_empty() && !(first.is_empty() && second.is_empty()) {
            let asked = |asked: &IndexSet<String>| names(asked.iter().map(String::as_str));
            return Err(Refusal::NoCommonOrder {
                baseline: asked(first),
                variant: asked(second),
            });
        }
        return Ok(matched.rows.clone());
    }
    let unknown = wanted
        .iter()
        .find(|name| *name != OWN && !matched.rows.contains(*name));
    if let Some(name) = unknown {
        let common = std::iter::once(OWN).chain(matched.rows.iter().map(String::as_str));
        return Err(Refusal::UnknownOrder {
            name: name.clone(),
            common: names(common),
        });
    }
    let kept = matched.rows.iter().filter(|name| wanted.contains(name));
    Ok(kept.cloned().collect())
}
