//! What differs between two answer sets, in words: cases by name, distances, other axes, parts of the cases.

use flipside_core::compare::{
    AxisLeftOut, By, Change, Comparison, DriftBetween, FieldComparison, OtherField, SpreadBetween,
    Tested, ValueComparison,
};
use flipside_core::drift_gate::digits;

use super::number::{count, p_value};
use super::text::{foreign, list, name, plural};

/// Cases with both answers: `c03 (refund to deny), c07 (no decision to refund; tie)`, and how many more there are.
pub fn changes(changes: &[&Change], most: usize) -> String {
    let mut parts: Vec<String> = changes.iter().take(most).map(|each| change(each)).collect();
    if changes.len() > most {
        let more = (changes.len() - most) as u64;
        parts.push(format!("{} more; --verbose lists them", count(more)));
    }
    parts.join(", ")
}

fn change(change: &Change) -> String {
    let key = |key: &Option<String>| {
        let key = key.as_deref();
        key.map_or_else(|| "no decision".to_owned(), name)
    };
    let tie = if change.tie { "; tie" } else { "" };
    format!(
        "{} ({} to {}{tie})",
        name(&change.case),
        key(&change.baseline),
        key(&change.variant)
    )
}

/// How far the two are apart, in one line: mean and median total variation, the largest change of a probability, rounding.
pub fn apart(drift: &DriftBetween) -> String {
    if let Some(reason) = apart_reason(drift) {
        return reason;
    }
    let mut parts = vec![spread(&drift.total_variation)];
    parts.extend(largest(&drift.largest_change).map(|largest| format!("largest |dp| {largest}")));
    parts.extend(apart_notes(drift));
    parts.join("; ")
}

/// Why the two have no distance.
pub fn apart_reason(drift: &DriftBetween) -> Option<String> {
    Some(format!(
        "not measured: {}",
        super::drift::why(drift.reason?)
    ))
}

/// Mean and median of one distance, each with its interval: `mean 0.12 (95% CI 0.08 to 0.17), median 0.1 (0.05 to 0.2)`.
pub fn spread(spread: &SpreadBetween) -> String {
    let one = |word: &str, level: &str, value: Option<f64>, interval: Option<[f64; 2]>| {
        let value = value?;
        let interval = interval
            .map(|[lower, upper]| format!(" ({level}{} to {})", digits(lower), digits(upper)));
        Some(format!(
            "{word} {}{}",
            digits(value),
            interval.unwrap_or_default()
        ))
    };
    let parts = [
        one("mean", "95% CI ", spread.mean, spread.mean_interval),
        one("median", "", spread.median, spread.median_interval),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The largest of one distance, with its case: `0.79 in c36`.
pub fn largest(spread: &SpreadBetween) -> Option<String> {
    let largest = spread.largest?;
    let worst = spread.worst.as_deref();
    let worst = worst.map(|id| format!(" in {}", name(id)));
    Some(format!("{}{}", digits(largest), worst.unwrap_or_default()))
}

/// What stands beside distances: answers without probabilities, and how coarsely a side rounds.
pub fn apart_notes(drift: &DriftBetween) -> Vec<String> {
    let mut notes = Vec::new();
    if drift.without_probabilities > 0 {
        let cases = plural(drift.without_probabilities, "case", "cases");
        notes.push(format!("{cases} without probabilities"));
    }
    let sides = [
        ("baseline", drift.baseline_step),
        ("variant", drift.variant_step),
    ];
    for (side, step) in sides {
        if let Some(step) = step {
            // The step is a power of ten.
            let decimals = -step.log10().round();
            notes.push(format!("the {side}'s are rounded to {decimals} decimals"));
        }
    }
    notes
}

/// Fields whose values differ, where some do: `track in 3 cases`.
pub fn other_fields(fields: &[OtherField]) -> Option<String> {
    let each = |field: &OtherField| {
        let cases = plural(field.cases, "case", "cases");
        format!("`{}` in {cases}", foreign(&field.field))
    };
    let fields: Vec<String> = fields.iter().map(each).collect();
    (!fields.is_empty()).then(|| {
        format!(
            "{}: another value in each; answers are compared all the same",
            list(&fields)
        )
    })
}

/// What is not on record about orders, where something is not.
pub fn unlisted(comparison: &Comparison) -> Option<String> {
    let cases = comparison.cases.unlisted;
    (cases > 0).then(|| {
        format!(
            "not on record for {}: options are matched by key, and nothing is said about order or position",
            plural(cases, "case", "cases")
        )
    })
}

/// A variant that is not compared, and why.
pub fn axis_left_out(left: &AxisLeftOut) -> String {
    let asks = match (left.baseline, left.variant) {
        (n, 0) | (0, n) => plural(n, "ask", "asks"),
        (a, b) => format!("{} and {} asks", count(a), count(b)),
    };
    format!(
        "{} ({asks}): {}",
        foreign(&left.name),
        foreign(&left.reason)
    )
}

/// The value that a part of the cases has: `hard`, or `hard to easy` where it is another in each.
pub fn part_name(value: &ValueComparison) -> String {
    match &value.variant_value {
        Some(other) => format!("{} to {}", name(&value.value), name(other)),
        None => name(&value.value),
    }
}

/// A paired figure in a table: `3/8 to 8/8, p 0.0625, adjusted 0.125 *`.
pub fn tested(tested: &Tested) -> String {
    let paired = &tested.paired;
    let share = |share: &flipside_core::compare::Share| {
        format!("{}/{}", count(share.count), count(share.of))
    };
    let p = paired
        .mcnemar_p
        .zip(tested.adjusted_p)
        .map(|(p, adjusted)| format!(", p {}, adjusted {}", p_value(p), p_value(adjusted)));
    let mark = if tested.flagged { " *" } else { "" };
    let missing = match paired.missing {
        0 => String::new(),
        n => format!(", {} missing", count(n)),
    };
    format!(
        "{} to {}{}{missing}{mark}",
        share(&paired.baseline),
        share(&paired.variant),
        p.unwrap_or_default()
    )
}

/// What stands beneath the values of a field.
pub fn part_notes(by: &By, field: &FieldComparison, hidden: u64) -> Vec<String> {
    let mut notes = Vec::new();
    if hidden > 0 {
        let values = plural(hidden, "more value", "more values");
        notes.push(format!("and {values}; --verbose lists them"));
    }
    if field.values_left_out > 0 {
        let values = plural(field.values_left_out, "value", "values");
        notes.push(format!("{values} with fewer cases left out"));
    }
    if field.cases_without > 0 {
        let cases = plural(field.cases_without, "case", "cases");
        notes.push(format!("{cases} without `{}`", foreign(&field.field)));
    }
    let tests = plural(by.tests, "test", "tests");
    notes.push(format!(
        "exploratory, exact McNemar adjusted for {tests}; * at most {} after that",
        super::number::limit(by.alpha)
    ));
    notes
}
