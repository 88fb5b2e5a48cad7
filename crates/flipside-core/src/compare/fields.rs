//! The common cases in parts: every figure for each value of a field.

use std::collections::BTreeMap;

use indexmap::{IndexMap, IndexSet};
use schemars::JsonSchema;
use serde::Serialize;

use super::figures::{Differing, Paired};
use super::matching::MatchedCase;
use super::orders;
use super::refusal::Refusal;
use crate::measure::by_size;
use crate::stats::multiple::benjamini_hochberg;
use crate::summary::SplitClaim;

/// Values with figures of their own; of more, those with most cases.
const VALUES: usize = 50;

/// The common cases split by fields, with one correction for all that was tested.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct By {
    /// What a flag among them says.
    pub claim: SplitClaim,
    /// Adjusted p values up to this are flagged.
    pub alpha: f64,
    /// Paired tests that were adjusted together, by Benjamini and Hochberg: of every value of every field, accuracy in the own
    /// order and flips in every other.
    pub tests: u64,
    /// The fields, in the order in which they were asked for.
    pub fields: Vec<FieldComparison>,
}

/// The common cases split by one field.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FieldComparison {
    /// The field.
    pub field: String,
    /// Cases that have it on neither side, in no value.
    pub cases_without: u64,
    /// The values with most cases, at most 50: numbers by size, then texts.
    pub values: Vec<ValueComparison>,
    /// Values that are left out, and tested neither.
    pub values_left_out: u64,
}

/// The common cases of one value.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ValueComparison {
    /// The baseline's value, or the only one where one side has none.
    pub value: String,
    /// The variant's, where it is another; null where it is the same.
    pub variant_value: Option<String>,
    /// Cases.
    pub cases: u64,
    /// Own-order answers that differ between the two.
    pub answers: Differing,
    /// Accuracy in the own order in each; null without common labels.
    pub accuracy: Option<Tested>,
    /// By other order that both asked.
    pub orders: IndexMap<String, ValueOrder>,
}

/// One other order of the cases of one value.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ValueOrder {
    /// Answers that differ between the two.
    pub answers: Differing,
    /// Flips from the own order in each.
    pub flips: Tested,
}

/// A paired figure whose test is one of many.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Tested {
    /// The figure.
    #[serde(flatten)]
    pub paired: Paired,
    /// `mcnemar_p` after the adjustment for all tests; null without one.
    pub adjusted_p: Option<f64>,
    /// Whether it is at most `alpha`.
    pub flagged: bool,
}

/// A value of each side; one where only one side has the field.
type Value<'a> = (&'a str, Option<&'a str>);

/// The figures of `cases` by each of `fields`; `rows` are the other orders.
///
/// # Errors
/// [`Refusal::UnknownField`] if no common case has a field.
pub(super) fn by(
    cases: &[MatchedCase<'_>],
    fields: &[String],
    rows: &IndexSet<String>,
    alpha: f64,
) -> Result<By, Refusal> {
    let wanted: IndexSet<&String> = fields.iter().collect();
    let found = wanted
        .into_iter()
        .map(|field| split(cases, field, rows, alpha));
    let mut fields = found.collect::<Result<Vec<_>, _>>()?;
    let tests = adjust(&mut fields, alpha);
    Ok(By {
        claim: SplitClaim::Exploratory,
        alpha,
        tests,
        fields,
    })
}

fn split(
    cases: &[MatchedCase<'_>],
    field: &str,
    rows: &IndexSet<String>,
    alpha: f64,
) -> Result<FieldComparison, Refusal> {
    let mut by_value: BTreeMap<Value<'_>, Vec<MatchedCase<'_>>> = BTreeMap::new();
    let mut without = 0;
    for case in cases {
        match value_of(case, field) {
            Some(value) => by_value.entry(value).or_default().push(case.clone()),
            None => without += 1,
        }
    }
    if by_value.is_empty() {
        return Err(Refusal::UnknownField {
            field: field.to_owned(),
            known: known(cases),
        });
    }
    let mut kept: Vec<_> = by_value.into_iter().collect();
    let all = kept.len();
    // Sorted by name before, so that of equal ones the first by name stay.
    kept.sort_by_key(|(_, cases)| std::cmp::Reverse(cases.len()));
    kept.truncate(VALUES);
    kept.sort_by(|(one, _), (other, _)| by_size(one.0, other.0).then_with(|| one.1.cmp(&other.1)));
    let left_out = (all - kept.len()) as u64;
    let values = kept
        .iter()
        .map(|(value, cases)| figures(*value, cases, rows, alpha));
    Ok(FieldComparison {
        field: field.to_owned(),
        cases_without: without,
        values: values.collect(),
        values_left_out: left_out,
    })
}

fn value_of<'a>(case: &MatchedCase<'a>, field: &str) -> Option<Value<'a>> {
    let [first, second] = case.sides.map(|side| side.case.field(field));
    match (first, second) {
        (Some(first), Some(second)) if first != second => Some((first, Some(second))),
        (first, second) => first.or(second).map(|value| (value, None)),
    }
}

/// The names of the fields of common cases, in byte order.
fn known(cases: &[MatchedCase<'_>]) -> Vec<String> {
    let sides = cases.iter().flat_map(|case| case.sides);
    let names = sides.flat_map(|side| side.case.fields.iter().map(|(name, _)| name.clone()));
    let names: std::collections::BTreeSet<String> = names.collect();
    names.into_iter().collect()
}

fn figures(
    (value, variant_value): Value<'_>,
    cases: &[MatchedCase<'_>],
    rows: &IndexSet<String>,
    alpha: f64,
) -> ValueComparison {
    let tested = |paired: Paired| Tested {
        paired,
        adjusted_p: None,
        flagged: false,
    };
    let accuracy = orders::accuracy(cases, |case| Some(case.own));
    let order = |name: &String| {
        let pairs = cases.iter().filter_map(|case| case.row(name));
        let figures = ValueOrder {
            answers: orders::differing(pairs),
            flips: tested(orders::flips(cases, name).figures(alpha)),
        };
        (name.clone(), figures)
    };
    ValueComparison {
        value: value.to_owned(),
        variant_value: variant_value.map(str::to_owned),
        cases: cases.len() as u64,
        answers: orders::differing(cases.iter().map(|case| case.own)),
        accuracy: (!accuracy.is_empty()).then(|| tested(accuracy.figures(alpha))),
        orders: rows.iter().map(order).collect(),
    }
}

fn tests(fields: &mut [FieldComparison]) -> impl Iterator<Item = &mut Tested> {
    let values = fields.iter_mut().flat_map(|field| &mut field.values);
    values.flat_map(|value| {
        let flips = value.orders.values_mut().map(|order| &mut order.flips);
        value.accuracy.iter_mut().chain(flips)
    })
}

/// Adjusts the p values of all fields together, flags, and counts the tests.
fn adjust(fields: &mut [FieldComparison], alpha: f64) -> u64 {
    let p_values: Vec<f64> = tests(fields)
        .filter_map(|test| test.paired.mcnemar_p)
        .collect();
    let adjusted = benjamini_hochberg(&p_values).unwrap_or_default();
    let with_one = tests(fields).filter(|test| test.paired.mcnemar_p.is_some());
    for (test, p) in with_one.zip(adjusted) {
        test.adjusted_p = Some(p);
        test.flagged = p <= alpha;
    }
    p_values.len() as u64
}
