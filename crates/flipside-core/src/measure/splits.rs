//! The cases in parts: every figure for each value of a property, beside all other values.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use indexmap::IndexMap;

use crate::case::Case;
use crate::gate::Gates;
use crate::groups::Groups;
use crate::json::Number;
use crate::measure::accuracy::{LEVEL, right};
use crate::measure::clusters::{Unit, Units};
use crate::measure::pair::{PairOutcome, Said, pair};
use crate::measure::reported::{self, Reported, reported};
use crate::measure::table::Table;
use crate::perturb::{Axis, Variant};
use crate::stats::fisher::fisher_exact;
use crate::stats::multiple::benjamini_hochberg;
use crate::stats::proportion;
use crate::summary::{Slice, Split, SplitClaim, SplitKind, SplitValue, Splits};

/// Values with figures of their own; of more, those with most cases.
const VALUES: usize = 50;

/// What a case contributes to a figure: a pair, or for fit an own-order answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    Hit,
    NoHit,
    /// An answer of fit that did not decide: no hit, and counted under its own name too.
    Undecided,
    /// A pair without a decision: in no denominator.
    NoDecision,
    Missing,
    Unasked,
    Vacuous,
}

/// What one figure says about every case; `None` for a case that it does not concern.
struct Column {
    /// The variant; `None` for fit.
    variant: Option<Variant>,
    told: Vec<Option<Told>>,
    /// By case how far its probabilities moved; empty for fit, and for variants that change which options are offered.
    moved: Vec<Option<Reported>>,
}

/// Every split of the run's cases (the statistics page, 6.3).
/// `cluster` names the field by whose values cases depend on each other, if any.
pub(crate) fn splits(table: &Table<'_>, gates: &Gates, cluster: Option<&str>) -> Splits {
    let groups = &gates.groups;
    let columns = columns(table);
    let mut splits: Vec<Split> = properties(table, groups)
        .into_iter()
        .map(|(kind, name, values)| split(table, &columns, cluster, kind, name, &values))
        .collect();
    let tests = adjust(&mut splits, gates.alpha);
    Splits {
        claim: SplitClaim::Exploratory,
        alpha: gates.alpha,
        tests,
        by: splits,
    }
}

/// The properties that split the cases, each with its value by case.
fn properties(table: &Table<'_>, groups: &Groups) -> Vec<(SplitKind, String, Vec<Option<String>>)> {
    let cases = &table.plan.cases;
    let of = |kind: SplitKind, value: &dyn Fn(usize, &Case) -> Option<String>| {
        let values: Vec<Option<String>> = cases
            .iter()
            .enumerate()
            .map(|(place, case)| value(place, case))
            .collect();
        (kind, kind.name().to_owned(), values)
    };
    let several = |(_, _, values): &(SplitKind, String, Vec<Option<String>>)| {
        let mut known = values.iter().flatten();
        let first = known.next();
        known.any(|value| Some(value) != first)
    };
    let mut found = vec![of(SplitKind::Described, &|_, case| {
        Some(described(case).to_owned())
    })];
    let others = [
        of(SplitKind::Options, &|place, case| {
            // Where nothing but choices is on record, nobody knows how many options there were.
            let counted =
                !case.brought.unlisted || table.baseline_answer(place)?.probabilities.is_some();
            counted.then(|| case.options.len().to_string())
        }),
        of(SplitKind::Question, &|_, case| {
            Some(case.question.kind.name().to_owned())
        }),
        of(SplitKind::Model, &|place, _| {
            let served = table.baseline_answer(place)?.served_model.as_deref()?;
            Some(served.to_owned())
        }),
    ];
    found.extend(others.into_iter().filter(several));
    for field in &groups.by {
        let (kind, _, values) = of(SplitKind::Field, &|_, case| {
            case.field(field).map(str::to_owned)
        });
        found.push((kind, field.clone(), values));
    }
    found
}

/// Whether options say more than their keys.
fn described(case: &Case) -> &'static str {
    let options = case.options.iter();
    let with = options.filter(|option| option.has_description()).count();
    match with {
        0 => "bare",
        all if all == case.options.len() => "described",
        _ => "partly described",
    }
}

/// Fit, then every variant but those that leave an option out, of which there are as many as options.
fn columns(table: &Table<'_>) -> Vec<Column> {
    let plan = table.plan;
    let own = table.own();
    let fit = plan.cases.iter().zip(&own).map(|(case, said)| {
        case.is_labelled()
            .then_some(match (*said, right(case, *said)) {
                (Said::Missing, _) => Told::Missing,
                (Said::Unasked, _) => Told::Unasked,
                (Said::Nothing, _) => Told::Undecided,
                (_, Some(true)) => Told::Hit,
                _ => Told::NoHit,
            })
    });
    let mut columns = vec![Column {
        variant: None,
        told: fit.collect(),
        moved: Vec::new(),
    }];
    for (place, variant) in plan.variants.iter().enumerate() {
        // Slices of every combination would bury those of its parts among tests.
        let apart = matches!(variant.axis, Axis::Drop | Axis::Cross);
        if !variant.axis.changes() || apart {
            continue;
        }
        let mut told = vec![None; plan.cases.len()];
        for vacuous in &plan.vacuous {
            if vacuous.variant as usize == place {
                told[vacuous.case as usize] = Some(Told::Vacuous);
            }
        }
        let resizes = variant.axis == Axis::Decoy;
        let mut moved = vec![None; if resizes { 0 } else { plan.cases.len() }];
        for each in table.pairs(place) {
            let case = plan.asks[each.ask].case as usize;
            if let Some(moved) = moved.get_mut(case) {
                let both = each.answers;
                *moved = both.and_then(|(own, variant)| reported(own, variant));
            }
            told[case] = Some(match pair(each.own, each.variant) {
                PairOutcome::Flip { .. } => Told::Hit,
                PairOutcome::Same => Told::NoHit,
                PairOutcome::NoDecision => Told::NoDecision,
                PairOutcome::Missing => Told::Missing,
                PairOutcome::Unasked => Told::Unasked,
            });
        }
        columns.push(Column {
            variant: Some(variant.clone()),
            told,
            moved,
        });
    }
    columns
}

fn split(
    table: &Table<'_>,
    columns: &[Column],
    cluster: Option<&str>,
    kind: SplitKind,
    name: String,
    values: &[Option<String>],
) -> Split {
    let mut cases: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, value) in values.iter().enumerate() {
        if let Some(value) = value {
            cases.entry(value).or_default().push(place);
        }
    }
    let inside: Vec<usize> = (0..values.len())
        .filter(|place| values[*place].is_some())
        .collect();
    let mut kept: Vec<(&str, Vec<usize>)> = cases.into_iter().collect();
    let all = kept.len();
    // Sorted by name before, so that of equal ones the first by name stay.
    kept.sort_by_key(|(_, places)| std::cmp::Reverse(places.len()));
    kept.truncate(VALUES);
    kept.sort_by(|(one, _), (other, _)| by_size(one, other));
    let plan_cases = &table.plan.cases;
    let whole: Vec<Slice> = columns
        .iter()
        .map(|column| slice(column, &inside, plan_cases, None))
        .collect();
    let reason = if cluster.is_some() {
        Some("cases of one cluster are not independent, and the exact test takes them to be")
    } else if all < 2 {
        Some("one value has nothing to be compared with")
    } else {
        None
    };
    let value = |(value, places): &(&str, Vec<usize>)| {
        let slices = columns.iter().zip(&whole).map(|(column, whole)| {
            let mut slice = slice(column, places, plan_cases, cluster);
            slice.rest_pairs = whole.pairs - slice.pairs;
            slice.rest_hits = whole.hits - slice.hits;
            if reason.is_none() {
                let rest = (slice.rest_hits, slice.rest_pairs);
                slice.p = fisher_exact((slice.hits, slice.pairs), rest).ok();
            }
            (column, slice)
        });
        let mut fit = None;
        let mut axes: IndexMap<String, IndexMap<String, Slice>> = IndexMap::new();
        for (column, slice) in slices {
            match &column.variant {
                None => {
                    let labelled = places.iter().any(|place| column.told[*place].is_some());
                    fit = labelled.then_some(slice);
                }
                Some(variant) => {
                    let lines = axes.entry(variant.axis.name().to_owned()).or_default();
                    lines.insert(variant.name.clone(), slice);
                }
            }
        }
        SplitValue {
            value: (*value).to_owned(),
            cases: places.len() as u64,
            fit,
            axes,
        }
    };
    Split {
        kind,
        name,
        cases_without: (values.len() - inside.len()) as u64,
        values: kept.iter().map(value).collect(),
        values_left_out: (all - kept.len()) as u64,
        reason: reason.map(str::to_owned),
    }
}

/// Numbers by size, then texts in byte order.
pub(crate) fn by_size(one: &str, other: &str) -> Ordering {
    let number = |text: &str| Number::parse(text).and_then(|number| number.to_f64());
    match (number(one), number(other)) {
        (Some(a), Some(b)) => a.total_cmp(&b).then_with(|| one.cmp(other)),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => one.cmp(other),
    }
}

fn slice(column: &Column, places: &[usize], cases: &[Case], cluster: Option<&str>) -> Slice {
    let told = || places.iter().filter_map(|place| column.told[*place]);
    let count = |wanted: Told| told().filter(|told| *told == wanted).count() as u64;
    let hits = count(Told::Hit);
    let pairs = hits + count(Told::NoHit) + count(Told::Undecided);
    let wilson = proportion::wilson(hits, pairs, LEVEL).ok();
    let interval = match cluster {
        None => wilson.map(|share| [share.lower, share.upper]),
        Some(field) => {
            let units = places.iter().filter_map(|place| {
                let unit = match column.told[*place]? {
                    Told::Hit => Unit::Hit,
                    Told::NoHit | Told::Undecided => Unit::NoHit,
                    _ => return None,
                };
                Some((&cases[*place], unit))
            });
            let share = Units::of(field, units).share(1.0 - LEVEL);
            share.and_then(|share| share.interval)
        }
    };
    let moved = places.iter().filter_map(|place| {
        let moved = column.moved.get(*place).copied().flatten()?;
        Some((&cases[*place], moved))
    });
    let moved: Vec<_> = moved.collect();
    Slice {
        pairs,
        hits,
        rest_pairs: 0,
        rest_hits: 0,
        missing: count(Told::Missing),
        unasked: count(Told::Unasked),
        no_decision: count(Told::NoDecision) + count(Told::Undecided),
        vacuous: count(Told::Vacuous),
        rate: wilson.map(|share| share.value),
        interval,
        p: None,
        adjusted_p: None,
        flagged: false,
        drift: (!moved.is_empty()).then(|| reported::summed_up(&moved)),
    }
}

/// The figures of a value, fit first.
fn slices(value: &mut SplitValue) -> impl Iterator<Item = &mut Slice> {
    let orders = value.axes.values_mut().flat_map(|lines| lines.values_mut());
    value.fit.iter_mut().chain(orders)
}

/// Adjusts the p values of all splits together, flags, and counts the tests.
fn adjust(splits: &mut [Split], alpha: f64) -> u64 {
    let mut p_values = Vec::new();
    for split in splits.iter_mut() {
        let values = tested(split);
        for value in split.values.iter_mut().take(values) {
            p_values.extend(slices(value).filter_map(|slice| slice.p));
        }
    }
    let adjusted = benjamini_hochberg(&p_values).unwrap_or_default();
    let mut next = adjusted.iter().copied();
    for split in splits.iter_mut() {
        let values = tested(split);
        for value in split.values.iter_mut().take(values) {
            for slice in slices(value).filter(|slice| slice.p.is_some()) {
                slice.adjusted_p = next.next();
            }
        }
        if let [first, second] = &mut split.values[..]
            && values == 1
        {
            mirror(first, second);
        }
        for slice in split.values.iter_mut().flat_map(slices) {
            slice.flagged = slice.adjusted_p.is_some_and(|p| p <= alpha);
        }
    }
    p_values.len() as u64
}

/// How many of a split's values are tests of their own: where there are two, the second is the first one's mirror image.
fn tested(split: &Split) -> usize {
    match split.values.len() {
        2 if split.values_left_out == 0 => 1,
        all => all,
    }
}

fn mirror(first: &SplitValue, second: &mut SplitValue) {
    let copy = |from: &Slice, to: &mut Slice| {
        (to.p, to.adjusted_p) = (from.p, from.adjusted_p);
    };
    if let (Some(from), Some(to)) = (&first.fit, &mut second.fit) {
        copy(from, to);
    }
    for (axis, lines) in &first.axes {
        for (name, from) in lines {
            if let Some(to) = second
                .axes
                .get_mut(axis)
                .and_then(|lines| lines.get_mut(name))
            {
                copy(from, to);
            }
        }
    }
}
