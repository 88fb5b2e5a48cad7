//! What changed between two run folders: their recorded answers, paired by case and order.

use camino::Utf8PathBuf;
use flipside_core::compare::{Comparison, Demand, Wanted, compare};
use flipside_core::gate::ALPHA;
use flipside_formats::recorded::Recorded;

/// The comparison of two run folders, or why there is none; `None` where two run folders are not all that is reported.
pub(super) fn between(runs: &[Utf8PathBuf]) -> Option<Result<Comparison, String>> {
    let [first, second] = runs else { return None };
    if !runs.iter().all(|run| run.join("run.json").exists()) {
        return None;
    }
    let read = |path: &Utf8PathBuf| {
        let recorded = Recorded::read(path).map_err(|error| error.to_string())?;
        Ok(recorded.into_answers(path.as_str()))
    };
    let both = read(first).and_then(|first| Ok((first, read(second)?)));
    let wanted = Wanted {
        version: env!("CARGO_PKG_VERSION"),
        orders: &[],
        by: &[],
        equivalent: Demand::default(),
        not_worse: Demand::default(),
        alpha: ALPHA,
    };
    Some(both.and_then(|(first, second)| {
        compare(&first, &second, &wanted).map_err(|refusal| refusal.to_string())
    }))
}
