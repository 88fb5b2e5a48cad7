//! Measures simulated models whose flip rates are known, and prints the page `docs/results/truth.md`.
//!
//! `cargo run --release -p flipside-core --example truth -- DATE > docs/results/truth.md`

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "what the example is for"
)]

#[path = "../tests/truth/mod.rs"]
mod truth;

fn main() {
    let Some(date) = std::env::args().nth(1) else {
        eprintln!("expected the date that the page is to carry, such as 2026-11-30");
        std::process::exit(2);
    };
    let command = format!(
        "cargo run --release -p flipside-core --example truth -- {date} > docs/results/truth.md"
    );
    let results = truth::page::Results::new(truth::RUNS, truth::RUNS, truth::RUNS);
    print!("{}", results.page(&date, &command));
}
