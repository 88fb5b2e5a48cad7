//! Splits and clusters in words.

use flipside_core::drift_gate::digits;
use flipside_core::summary::{
    ClusterFigure, ClusterSigns, Slice, Split, SplitKind, Splits, Summary,
};

use super::number::{count, p_value, range};
use super::text::{foreign, name, plural};

/// What counts as one independent unit. `verbose` says it where nothing was declared, too.
pub fn units(summary: &Summary, verbose: bool) -> Option<String> {
    match &summary.cluster {
        Some(cluster) => Some(format!(
            "{} by `{}`, {} at most; intervals, bounds and tests are over clusters",
            plural(cluster.clusters, "cluster", "clusters"),
            foreign(&cluster.field),
            plural(cluster.largest, "case", "cases"),
        )),
        None if verbose => Some(
            "cases are taken as independent; --cluster FIELD if several come from one template"
                .to_owned(),
        ),
        None => None,
    }
}

/// What tests are called over clusters: ` over clusters`, or nothing.
pub(super) fn over_clusters(signs: Option<&ClusterSigns>) -> &'static str {
    signs.map_or("", |_| " over clusters")
}

/// Further clusters that would settle an inconclusive verdict, as a sentence.
pub fn more_clusters(clusters: Option<&ClusterFigure>) -> Option<String> {
    let more = clusters?.more_clusters?;
    Some(format!(
        "about {} without a flip would settle it",
        plural(more, "more cluster", "more clusters")
    ))
}

/// What a split is by, with one of its values: `3 options`, `bare options`, `level hard`.
pub fn slice_name(split: &Split, value: &str) -> String {
    let value = name(value);
    match split.kind {
        SplitKind::Options if value == "1" => "1 option".to_owned(),
        SplitKind::Described | SplitKind::Options => format!("{value} options"),
        SplitKind::Question => format!("{value} questions"),
        SplitKind::Model => format!("served by {value}"),
        SplitKind::Field => format!("{} {value}", name(&split.name)),
    }
}

/// The heading of a split's values.
pub fn split_name(split: &Split) -> String {
    match split.kind {
        SplitKind::Described => "option texts".to_owned(),
        SplitKind::Options => "options".to_owned(),
        SplitKind::Question => "question".to_owned(),
        SplitKind::Model => "served model".to_owned(),
        SplitKind::Field => name(&split.name),
    }
}

/// A slice's share: `12/30 flipped`, or `0/0`. `flips`: whether it is of flips; else of fit.
pub fn slice_share(slice: &Slice, flips: bool) -> String {
    let word = if flips { "flipped" } else { "right" };
    match slice.pairs {
        0 => "0/0".to_owned(),
        pairs => format!("{}/{} {word}", count(slice.hits), count(pairs)),
    }
}

/// A slice's share with its interval and what has none: `12/30 (24.6-57.7%), 1 missing`.
pub fn slice_cell(slice: &Slice) -> String {
    let mut parts = vec![match slice.interval {
        Some(interval) if slice.pairs > 0 => format!(
            "{}/{} ({})",
            count(slice.hits),
            count(slice.pairs),
            range(interval)
        ),
        _ => "0/0".to_owned(),
    }];
    let lost = [
        (slice.missing, "missing"),
        (slice.unasked, "unasked"),
        (slice.vacuous, "vacuous"),
    ];
    parts.extend(
        lost.iter()
            .filter(|(n, _)| *n > 0)
            .map(|(n, what)| format!("{} {what}", count(*n))),
    );
    parts.join(", ")
}

/// How far a slice's probabilities moved as reported, by mean total variation and the largest change: `0.29, 0.938`; `-` without any.
pub fn slice_drift(slice: &Slice) -> String {
    let drift = slice.drift.as_ref();
    let both = drift.and_then(|drift| drift.mean_total_variation.zip(drift.largest_change));
    both.map_or_else(
        || "-".to_owned(),
        |(mean, largest)| format!("{}, {}", digits(mean), digits(largest)),
    )
}

/// How a flagged slice differs from the rest: `under reverse, all others 3/90; exploratory, adjusted p 0.0012`. `variant`: as
/// [`variant`](super::variant) names it; none for fit.
pub fn slice_differs(slice: &Slice, variant: Option<&str>) -> String {
    let under = match variant {
        Some(variant) => format!("under {variant}"),
        None => "in own order".to_owned(),
    };
    let p = slice.adjusted_p.map(p_value).unwrap_or_default();
    format!(
        "{under}, all others {}/{}; exploratory, adjusted p {p}",
        count(slice.rest_hits),
        count(slice.rest_pairs)
    )
}

/// Flagged slices that have no line of their own.
pub fn more_flagged(more: u64) -> String {
    let slices = plural(more, "more slice differs", "more slices differ");
    format!("; {slices}, --verbose lists them")
}

/// What is not shown of a split.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hidden {
    /// Values.
    pub values: u64,
    /// Variants.
    pub variants: u64,
}

/// What stands beneath the values of a split: what is not shown, cases without a value, and what a mark means.
pub fn split_notes(splits: &Splits, split: &Split, hidden: Hidden, marked: bool) -> Vec<String> {
    let mut notes = Vec::new();
    if hidden.values > 0 {
        let values = plural(hidden.values, "more value", "more values");
        notes.push(format!("and {values}; --verbose lists them"));
    }
    if hidden.variants > 0 {
        let variants = plural(hidden.variants, "more variant", "more variants");
        notes.push(format!("and {variants}; --verbose lists them"));
    }
    if split.values_left_out > 0 {
        let values = plural(split.values_left_out, "value", "values");
        notes.push(format!("{values} with fewer cases left out"));
    }
    if split.cases_without > 0 {
        let cases = plural(split.cases_without, "case", "cases");
        notes.push(match split.kind {
            SplitKind::Field => format!("{cases} without `{}`", foreign(&split.name)),
            _ => format!("{cases} without one"),
        });
    }
    if marked {
        let tests = plural(splits.tests, "test", "tests");
        notes.push(format!(
            "* differs from all other values; exploratory, adjusted for {tests}"
        ));
    }
    if let Some(reason) = &split.reason {
        notes.push(format!("nothing is tested: {}", foreign(reason)));
    }
    notes
}
