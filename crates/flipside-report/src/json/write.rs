//! Summaries as JSON text.

use std::io::{self, Write};

use flipside_core::compare::Comparison;
use flipside_core::invariance::{self, Invariance};
use flipside_core::suite::figures::SuiteReport;
use flipside_core::summary::Summary;
use serde::Serialize;

use super::finite;
use super::layout::Layout;

/// Summaries of one run, model by model.
#[derive(Serialize, schemars::JsonSchema)]
pub(crate) struct Several<'a> {
    /// One summary per model, in the order in which they were named.
    pub(crate) models: &'a [Summary],
}

/// Writes a summary as JSON over several lines, with a final newline; lists below the top stay on one line each.
///
/// # Errors
/// Whatever `out` says.
///
/// # Panics
/// If a figure is not a finite number, which core refuses at its door; JSON would print it as `null`, and `null`
/// means that there is nothing to measure.
pub fn write(summary: &Summary, out: impl Write) -> io::Result<()> {
    text(summary, out)
}

/// Writes several summaries as one JSON object, `{"models": [..]}`, with a final newline.
///
/// # Errors
/// Whatever `out` says.
///
/// # Panics
/// As [`write`].
pub fn write_several(summaries: &[Summary], out: impl Write) -> io::Result<()> {
    text(&Several { models: summaries }, out)
}

/// Writes a comparison as JSON, with a final newline.
///
/// # Errors
/// Whatever `out` says.
///
/// # Panics
/// As [`write`].
pub fn write_comparison(comparison: &Comparison, out: impl Write) -> io::Result<()> {
    text(comparison, out)
}

/// Writes what a suite showed as JSON, with a final newline.
///
/// # Errors
/// Whatever `out` says.
///
/// # Panics
/// As [`write`].
pub fn write_suite(report: &SuiteReport, out: impl Write) -> io::Result<()> {
    text(report, out)
}

/// The order study of several models.
#[derive(Serialize, schemars::JsonSchema)]
pub(crate) struct Studies<'a> {
    /// What this is.
    pub(crate) schema: &'static str,
    /// One study per model, in the order in which they were named.
    pub(crate) models: &'a [Invariance],
}

/// Writes the order study of several models as one JSON object, with a final newline.
///
/// # Errors
/// Whatever `out` says.
///
/// # Panics
/// As [`write`].
pub fn write_invariance(models: &[Invariance], out: impl Write) -> io::Result<()> {
    let schema = invariance::SCHEMA;
    text(&Studies { schema, models }, out)
}

/// What [`write`] writes, as text.
///
/// # Panics
/// As [`write`].
pub fn render(summary: &Summary) -> String {
    in_memory(summary)
}

/// What [`write_several`] writes, as text.
///
/// # Panics
/// As [`write`].
pub fn render_several(summaries: &[Summary]) -> String {
    in_memory(&Several { models: summaries })
}

/// What [`write_comparison`] writes, as text.
///
/// # Panics
/// As [`write`].
pub fn render_comparison(comparison: &Comparison) -> String {
    in_memory(comparison)
}

/// What [`write_suite`] writes, as text.
///
/// # Panics
/// As [`write`].
pub fn render_suite(report: &SuiteReport) -> String {
    in_memory(report)
}

fn in_memory<T: Serialize>(value: &T) -> String {
    let mut bytes = Vec::new();
    text(value, &mut bytes).expect("memory takes everything");
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

fn text<T: Serialize>(value: &T, mut out: impl Write) -> io::Result<()> {
    if let Err(error) = finite::check(value) {
        panic!("a summary holds finite numbers only, and {error}");
    }
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, Layout::new());
    value.serialize(&mut serializer)?;
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{self, Variants};

    #[test]
    fn a_summary_is_json_with_a_final_newline_and_null_for_what_is_undefined() {
        let text = render(&example::plain());
        assert!(text.ends_with("}\n"));
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["schema"], "flipside.summary/1");
        assert_eq!(value["order_averaged_accuracy"], serde_json::Value::Null);
        assert_eq!(value["fit"]["flips"], serde_json::Value::Null);
    }

    #[test]
    fn a_summary_read_back_is_the_one_that_was_written() {
        let across = Summary {
            orders: Some(Box::new(example::sweep())),
            ..example::plain()
        };
        let examples = vec![
            example::plain(),
            example::ordinary(),
            example::troubled(),
            example::hostile(),
            example::moved(),
            example::routed(),
            example::recorded(),
            example::over_record(),
            example::composed(example::axes()),
            example::axes(),
            across,
        ];
        for (place, summary) in examples.iter().enumerate() {
            let back: Summary = serde_json::from_str(&render(summary)).unwrap();
            assert_eq!(back, *summary, "example {place}");
        }
    }

    #[test]
    fn several_summaries_are_one_object() {
        let both = [example::plain(), example::first(&[Variants::Reverse])];
        let value: serde_json::Value = serde_json::from_str(&render_several(&both)).unwrap();
        assert_eq!(value["models"].as_array().map(Vec::len), Some(2));
        assert_eq!(value.as_object().map(serde_json::Map::len), Some(1));
    }

    #[test]
    #[should_panic(expected = "`axes.order.reverse.rate` is NaN")]
    fn a_number_that_is_not_finite_is_refused_and_never_null() {
        let mut summary = example::first(&[Variants::Reverse]);
        summary.axes["order"]["reverse"].figure.rate = Some(f64::NAN);
        render(&summary);
    }
}
