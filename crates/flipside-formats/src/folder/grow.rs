//! Runs that grow: more cases for a rule that may be gone on with.

use std::io::Write;

use camino::Utf8Path;
use flipside_core::course::Adaptive;

use super::{Run, difference, write_whole};

/// The run that `earlier` becomes by growing to `now`, with its cases written; `None` if it does not grow.
///
/// Only a run by the rule `open` may, by cases that follow those that it had; not over clusters, which more cases would change
/// after they were looked at.
pub(super) fn grown(
    path: &Utf8Path,
    earlier: &Run,
    now: &Run,
    cases: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> std::io::Result<Option<Run>> {
    let open = |run: &Run| {
        let adaptive = run.judging.adaptive.as_ref();
        adaptive
            .is_some_and(|adaptive| adaptive.rule == Adaptive::Open && adaptive.cluster.is_none())
    };
    if !(open(earlier) && open(now)) || earlier.plan == now.plan {
        return Ok(None);
    }
    let alike = Run {
        plan: earlier.plan.clone(),
        ..now.clone()
    };
    if difference::difference(earlier, &alike).is_some() {
        return Ok(None);
    }
    let file = path.join("cases.jsonl");
    let before = fs_err::read(&file)?;
    let mut text = Vec::new();
    cases(&mut text)?;
    let (Some(was), Some(is)) = (&earlier.judging.adaptive, &now.judging.adaptive) else {
        return Ok(None);
    };
    // A process that was killed while it let the run grow may have written the new cases already.
    let lines = |text: &[u8]| -> Vec<Vec<u8>> {
        let lines = text.split_inclusive(|byte| *byte == b'\n');
        lines.take(was.cases).map(<[u8]>::to_vec).collect()
    };
    if is.cases <= was.cases || lines(&before) != lines(&text) {
        return Ok(None);
    }
    let grown_from = [&was.grown_from[..], &[was.cases]].concat();
    let mut grown = Run {
        command: now.command.clone(),
        asks: now.asks,
        plan: now.plan.clone(),
        sources: now.sources.clone(),
        judging: now.judging.clone(),
        ..earlier.clone()
    };
    if let Some(grown) = &mut grown.judging.adaptive {
        grown.grown_from = grown_from;
    }
    write_whole(&file, |out| out.write_all(&text))?;
    Ok(Some(grown))
}
