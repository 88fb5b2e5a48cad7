//! What people see.

mod axes;
mod canary;
mod compare;
mod composition;
mod differences;
mod drift;
mod figures;
mod keyed;
mod margins;
mod orders;
mod pairs;
mod phrasing;
mod position;
mod preflight;
mod record;
mod report;
mod several;
mod splits;
mod standing;
mod suite;

use flipside_core::summary::Summary;

use crate::Style;
use crate::example::{self, Builder, Reply, Variants};

const WIDE: Style = Style {
    color: false,
    width: 120,
    verbose: false,
};
const NARROW: Style = Style {
    color: false,
    width: 80,
    verbose: false,
};
const VERBOSE: Style = Style {
    color: false,
    width: 120,
    verbose: true,
};
const CHECK: [Variants; 3] = [Variants::Reverse, Variants::Rotate(1), Variants::Same(1)];

/// The text with its line breaks and columns undone.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn line<'a>(text: &'a str, start: &str) -> &'a str {
    text.lines()
        .find(|line| line.starts_with(start))
        .unwrap_or_else(|| panic!("no line `{start}` in\n{text}"))
}

/// A run of the same shape over content that the model reads.
fn content(cases: usize, variants: &[Variants], strict: bool) -> Summary {
    let mut builder = Builder::new(
        example::labelled(cases, &["refund", "deny", "escalate"]),
        variants,
    );
    builder.strict = strict;
    builder.answered(|case, _, _| Reply::Chose(example::id(case % 3), 0.9))
}
