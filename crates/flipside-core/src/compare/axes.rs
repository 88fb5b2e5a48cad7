//! Other axes than the order, and the control: the same variant in both.

use indexmap::{IndexMap, IndexSet};
use schemars::JsonSchema;
use serde::Serialize;

use super::answers::{CaseAnswers, RecordedAsk};
use super::figures::{Differing, LeftOut, Paired};
use super::matching::{Both, MatchedCase, Side};
use super::meet::{missing, own, side};
use super::orders::{differing, leave_out};
use super::paired::Cells;
use crate::measure::pair;
use crate::order::OptionId;
use crate::perturb::{Axis, Variant};

/// One variant of another axis, or of the control, in both answer sets.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AxisComparison {
    /// What cannot be paired.
    pub left_out: LeftOut,
    /// Answers to the same presentation that differ between the two.
    pub answers: Differing,
    /// Flips in each from what the variant is compared with there: the own order and words, or for an option left out the whole
    /// list in which it stands last.
    pub flips: Paired,
    /// Cases in which a side had chosen the very option that is left out, so that it is no flip; not in `flips`.
    pub chose_left_out: u64,
}

/// A variant of another axis that is not compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AxisLeftOut {
    /// Axis and value, such as `keys/shuffled`.
    pub name: String,
    /// Asks of common cases on record in the baseline.
    pub baseline: u64,
    /// Asks of common cases on record in the variant.
    pub variant: u64,
    /// Why.
    pub reason: String,
}

/// What another axis shows of two answer sets.
pub(super) struct Axes {
    pub(super) compared: IndexMap<String, AxisComparison>,
    pub(super) left_out: Vec<AxisLeftOut>,
}

/// Every variant of another axis of `cases`, in the order in which the baseline asked; `complete` says which side is.
pub(super) fn compared(cases: &[MatchedCase<'_>], complete: [bool; 2], alpha: f64) -> Axes {
    let asked = [0, 1].map(|place| variants(cases, place));
    let (mut figures, mut left_out) = (IndexMap::new(), Vec::new());
    let all: IndexSet<&Variant> = asked[0].keys().chain(asked[1].keys()).copied().collect();
    for variant in all {
        let [baseline, in_variant] = [0, 1].map(|place| asked[place].get(variant).copied());
        match reason(variant, baseline, in_variant) {
            Some(reason) => left_out.push(AxisLeftOut {
                name: variant.to_string(),
                baseline: baseline.unwrap_or(0),
                variant: in_variant.unwrap_or(0),
                reason: reason.to_owned(),
            }),
            None => {
                figures.insert(variant.to_string(), line(cases, variant, complete, alpha));
            }
        }
    }
    Axes {
        compared: figures,
        left_out,
    }
}

/// By variant of another axis how many asks of `cases` the side has.
fn variants<'a>(cases: &[MatchedCase<'a>], place: usize) -> IndexMap<&'a Variant, u64> {
    let mut found = IndexMap::new();
    for case in cases {
        for ask in &case.sides[place].asks {
            let apart = matches!(ask.variant.axis, Axis::Baseline | Axis::Order);
            if !apart && !is_reference(&ask.variant) {
                *found.entry(&*ask.variant).or_default() += 1;
            }
        }
    }
    found
}

/// Whether only others are compared with it.
fn is_reference(variant: &Variant) -> bool {
    variant.axis == Axis::Drop && variant.name.starts_with(LAST)
}

/// How the list begins that an option less is compared with.
const LAST: &str = "last:";

/// Why a variant is not compared, if it is not.
fn reason(
    variant: &Variant,
    baseline: Option<u64>,
    in_variant: Option<u64>,
) -> Option<&'static str> {
    if variant.axis == Axis::Unrecorded {
        return Some("what was changed is not on record");
    }
    if baseline.is_none() {
        return Some("asked only in the variant");
    }
    if in_variant.is_none() {
        return Some("asked only in the baseline");
    }
    let free = variant.parts().iter().any(is_free);
    free.then_some("drawn or given by the user: whether both showed the same is not on record")
}

/// Whether the name alone does not say what was shown: a seed or a file of the user decides it too.
fn is_free(variant: &Variant) -> bool {
    let begins = |start: &str| variant.name.starts_with(start);
    match variant.axis {
        Axis::Keys => begins("shuffled") || begins("list:"),
        Axis::StateKeys => begins("shuffle:"),
        Axis::Decoy => begins("given:"),
        _ => false,
    }
}

fn line(
    cases: &[MatchedCase<'_>],
    variant: &Variant,
    complete: [bool; 2],
    alpha: f64,
) -> AxisComparison {
    let (mut left_out, mut chose_left_out) = (LeftOut::default(), 0);
    let (mut pairs, mut cells) = (Vec::new(), Cells::default());
    for case in cases {
        let asks = case.sides.map(|answers| ask_of(answers, variant));
        if let [Some(first), Some(second)] = asks
            && first.order != second.order
        {
            left_out.other_order += 1;
            continue;
        }
        let said = [0, 1].map(|place| match asks[place] {
            Some(ask) => side(ask, own(case.sides[place])),
            None => missing(complete[place]),
        });
        let both = Both {
            baseline: said[0],
            variant: said[1],
        };
        leave_out(&mut left_out, both);
        if asks.iter().all(Option::is_none) || !both.is_present() {
            continue;
        }
        pairs.push(both);
        let out = left_out_by(variant);
        let from = [0, 1].map(|place| against(case.sides[place], out, complete[place]));
        // Choosing it again was not on offer, as in the figures of one run.
        let class = out.map(|out| case.case.class_of(out));
        let chose = |from: &Side<'_>| from.answer().is_some_and(|answer| answer.choice == class);
        if out.is_some() && from.iter().any(chose) {
            chose_left_out += 1;
            continue;
        }
        cells.add_flips([0, 1].map(|place| pair(from[place].said(), said[place].said())));
    }
    AxisComparison {
        left_out,
        answers: differing(pairs.into_iter()),
        flips: cells.figures(alpha),
        chose_left_out,
    }
}

fn ask_of<'a>(answers: &'a CaseAnswers, variant: &Variant) -> Option<&'a RecordedAsk> {
    answers.asks.iter().find(|ask| *ask.variant == *variant)
}

/// The option that a variant leaves out, if it is of the drop axis.
fn left_out_by(variant: &Variant) -> Option<OptionId> {
    let id = (variant.axis == Axis::Drop).then(|| variant.name.parse().ok());
    id.flatten().map(OptionId)
}

/// What a variant is compared with on a side: the own order and words; where it leaves out the option `out`, the whole list in
/// which that one stands last, which for the last option is the own order.
fn against(answers: &CaseAnswers, out: Option<OptionId>, complete: bool) -> Side<'_> {
    let baseline = own(answers);
    let found = match out {
        Some(out) if out.index() + 1 < answers.case.options.len() => ask_of(
            answers,
            &Variant::on(Axis::Drop, format!("{LAST}{}", out.0)),
        ),
        _ => baseline,
    };
    found.map_or_else(|| missing(complete), |ask| side(ask, baseline))
}
