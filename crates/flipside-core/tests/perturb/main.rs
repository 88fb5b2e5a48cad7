//! Axes: what each changes and nothing else, the way back from every answer, and what a plan makes of them.

#![expect(clippy::unwrap_used, reason = "a test fails where it unwraps nothing")]

mod cases;
mod options;
mod plans;
mod words;
