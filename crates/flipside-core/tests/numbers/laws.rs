//! Laws of the statistics: what must hold for all numbers, whatever the reference says about some.

#[path = "laws_answers.rs"]
mod answers;
#[path = "laws_draws.rs"]
mod draws;
#[path = "laws_runs.rs"]
mod runs;
#[path = "laws_shares.rs"]
mod shares;
#[path = "laws_slices.rs"]
mod slices;

use proptest::test_runner::Config;

/// `cases` random cases; nothing is written beside the tests.
fn cases(cases: u32) -> Config {
    Config {
        failure_persistence: None,
        ..Config::with_cases(cases)
    }
}

#[track_caller]
fn close(a: f64, b: f64, relative: f64) {
    let error = (a - b).abs();
    assert!(
        error <= relative * a.abs().max(b.abs()) + 1e-15,
        "{a:e} and {b:e}, {error:.1e} apart"
    );
}
