//! Every figure: fit, every variant of every axis, axes that are judged as a whole, the control and its repeats.

use flipside_core::perturb::Axis;
use flipside_core::summary::{Figure, Line};

use super::Run;
use super::table::{self, Field, Kind, Table, field, word};

#[derive(Clone, Copy)]
struct Row<'a> {
    run: Run<'a>,
    kind: &'static str,
    axis: &'a str,
    variant: &'a str,
    figure: &'a Figure,
    right: Option<u64>,
    line: Option<&'a Line>,
}

pub(super) fn table<'a>(runs: &'a [Run<'a>]) -> Table<'a> {
    table::table("figures", fields(), runs.iter().flat_map(rows))
}

fn rows<'a>(run: &Run<'a>) -> Vec<Row<'a>> {
    let run = *run;
    let summary = run.summary;
    let plain = |kind, axis, variant, figure| Row {
        run,
        kind,
        axis,
        variant,
        figure,
        right: None,
        line: None,
    };
    let of = |kind, axis, variant, line: &'a Line| Row {
        line: Some(line),
        ..plain(kind, axis, variant, &line.figure)
    };
    let mut rows = vec![Row {
        right: Some(summary.fit.right),
        ..plain("fit", Axis::Baseline.name(), "own", &summary.fit.figure)
    }];
    for (axis, lines) in &summary.axes {
        rows.extend(
            lines
                .iter()
                .map(|(name, line)| of("line", axis, name, line)),
        );
        let composition = summary.composition.as_ref();
        let whole = composition
            .zip(Axis::parse(axis))
            .and_then(|(found, axis)| found.figure(axis));
        rows.extend(whole.map(|figure| plain("whole", axis, "", figure)));
    }
    if let Some(control) = &summary.control {
        let same = Axis::Same.name();
        rows.push(plain("control", same, "", &control.figure));
        let repeats = control.by_repeat.iter();
        rows.extend(repeats.map(|(name, line)| of("repeat", same, name, line)));
    }
    rows
}

fn fields<'a>() -> Vec<Field<'a, Row<'a>>> {
    let mut fields = shares();
    fields.extend(beside());
    fields
}

/// What every figure has.
fn shares<'a>() -> Vec<Field<'a, Row<'a>>> {
    use Kind::{Count, Number, Text};
    vec![
        field("run", Text, "the run folder or file", |row| {
            row.run.name.into()
        }),
        field("model", Text, "the model, as the user named it", |row| {
            row.run.summary.model.spec.as_str().into()
        }),
        field(
            "kind",
            Text,
            "fit, line (a variant), whole (all of an axis), control, or repeat (of the control)",
            |row| row.kind.into(),
        ),
        field("axis", Text, "what was changed", |row| row.axis.into()),
        field("variant", Text, "the value on the axis", |row| {
            row.variant.into()
        }),
        field("applicable", Count, "cases to which it applies", |row| {
            row.figure.applicable.into()
        }),
        field("vacuous", Count, "cases it could not change", |row| {
            row.figure.vacuous.into()
        }),
        field("asked", Count, "asks made", |row| row.figure.asked.into()),
        field(
            "pairs",
            Count,
            "the denominator; for fit labelled cases with an answer",
            |row| row.figure.pairs.into(),
        ),
        field("missing", Count, "pairs with a failed ask", |row| {
            row.figure.missing.into()
        }),
        field("unasked", Count, "pairs with an ask not made", |row| {
            row.figure.unasked.into()
        }),
        field(
            "no_decision",
            Count,
            "pairs in which neither answer decided",
            |row| row.figure.no_decision.into(),
        ),
        field("right", Count, "accepted answers; for fit only", |row| {
            row.right.into()
        }),
        field("flips", Count, "flips; empty for fit", |row| {
            row.figure.flips.into()
        }),
        field("firm_flips", Count, "flips within no tie", |row| {
            row.figure.firm_flips.into()
        }),
        field("tie_flips", Count, "flips within a tie", |row| {
            row.figure.tie_flips.into()
        }),
        field(
            "rate",
            Number,
            "the share, 0 to 1: flips of pairs, for fit right answers",
            |row| row.figure.rate.into(),
        ),
        field(
            "interval_lower",
            Number,
            "its 95 % interval, lower end",
            |row| row.figure.interval.map(|[lower, _]| lower).into(),
        ),
        field("interval_upper", Number, "its upper end", |row| {
            row.figure.interval.map(|[_, upper]| upper).into()
        }),
        field("lower", Number, "one-sided lower bound in general", |row| {
            row.figure.lower.into()
        }),
        field("upper", Number, "one-sided upper bound in general", |row| {
            row.figure.upper.into()
        }),
        field(
            "limit",
            Number,
            "the gate's limit; empty without one",
            |row| row.figure.limit.into(),
        ),
        field("rule", Text, "file or general", |row| {
            word(&row.figure.rule)
        }),
        field("verdict", Text, "the word", |row| {
            row.figure.verdict.text().into()
        }),
        field(
            "reason",
            Text,
            "why, where the word alone does not say it",
            |row| row.figure.reason.as_deref().into(),
        ),
    ]
}

/// What a variant has beside its share.
fn beside<'a>() -> Vec<Field<'a, Row<'a>>> {
    use Kind::{Count, Number};
    vec![
        field(
            "position_following",
            Count,
            "flips in which the option changed and its position did not",
            |row| row.line.map(|line| line.position_following).into(),
        ),
        field(
            "accuracy_right",
            Count,
            "accepted answers under the variant",
            |row| accuracy(row).map(|found| found.right).into(),
        ),
        field("accuracy_of", Count, "of so many", |row| {
            accuracy(row).map(|found| found.of).into()
        }),
        field(
            "accuracy_difference",
            Number,
            "accuracy minus that of the same cases in their own order",
            |row| accuracy(row).map(|found| found.difference).into(),
        ),
        field(
            "drift_pairs",
            Count,
            "pairs with both distributions",
            |row| drift(row).map(|found| found.pairs).into(),
        ),
        field(
            "drift_total_variation_median",
            Number,
            "half the sum of absolute changes, median over pairs",
            |row| {
                drift(row)
                    .and_then(|found| found.total_variation.median)
                    .into()
            },
        ),
        field(
            "drift_total_variation_p95",
            Number,
            "its 95th percentile",
            |row| {
                drift(row)
                    .and_then(|found| found.total_variation.p95)
                    .into()
            },
        ),
        field(
            "drift_jensen_shannon_median",
            Number,
            "Jensen-Shannon divergence in bits, median over pairs",
            |row| {
                drift(row)
                    .and_then(|found| found.jensen_shannon_bits.median)
                    .into()
            },
        ),
        field(
            "drift_jensen_shannon_p95",
            Number,
            "its 95th percentile",
            |row| {
                drift(row)
                    .and_then(|found| found.jensen_shannon_bits.p95)
                    .into()
            },
        ),
    ]
}

fn accuracy<'a>(row: &Row<'a>) -> Option<&'a flipside_core::summary::Accuracy> {
    row.line?.accuracy.as_ref()
}

fn drift<'a>(row: &Row<'a>) -> Option<&'a flipside_core::summary::DriftFigure> {
    row.line?.drift.as_ref()
}
