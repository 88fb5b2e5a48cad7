//! Words of comparisons.

use super::find::{Entry, Group, entry};

use Group::Comparisons;

pub(super) const ENTRIES: &[Entry] = &[
    entry(
        Comparisons,
        "compared",
        &["changed", "from", "to", "left out"],
        "Two runs, on the cases that both have with the same content and by the same order of their options. What only one has is counted and left out.",
    ),
    entry(
        Comparisons,
        "answers",
        &["differ"],
        "Answers to the same presentation that differ between the two.",
    ),
    entry(
        Comparisons,
        "better",
        &[],
        "More right answers, or fewer flips, than chance explains: the exact test of the same cases, adjusted over all rows by Holm's method, at the error rate.",
    ),
    entry(
        Comparisons,
        "worse",
        &[],
        "Fewer right answers, or more flips, than chance explains; as a word of `--not-worse`, worse by more than the margin.",
    ),
    entry(
        Comparisons,
        "regressed",
        &["repaired"],
        "A case that was right and is not any more, or the other way round.",
    ),
    entry(
        Comparisons,
        "apart",
        &[],
        "How far the probabilities of the two are apart on the same presentation.",
    ),
    entry(
        Comparisons,
        "equivalent",
        &["not shown equivalent"],
        "Accuracy is shown to be the same within the margin: the whole interval of the difference lies in it. Where it is not shown, it may still be so.",
    ),
    entry(
        Comparisons,
        "flips kept",
        &["flips not shown kept"],
        "Flips are shown to rise by no more than the margin.",
    ),
    entry(
        Comparisons,
        "not worse",
        &["not shown"],
        "Shown to be worse by no more than the margin.",
    ),
    entry(
        Comparisons,
        "fields",
        &[],
        "Fields of the cases whose values differ between the two.",
    ),
];
