//! The progress line: done, flips so far, asks a second, time left. On a terminal only.

use std::io::IsTerminal;

use flipside_core::measure::{PairOutcome, Said, pair, said};
use flipside_core::perturb::Axis;
use flipside_core::plan::Plan;
use flipside_engine::Event;
use indicatif::{ProgressBar, ProgressState, ProgressStyle};

/// A progress line for one run.
pub(crate) struct Progress<'a> {
    plan: &'a Plan,
    said: Vec<Said>,
    baseline: Vec<usize>,
    by_case: Vec<Vec<usize>>,
    flips: u64,
    bar: Option<ProgressBar>,
}

impl<'a> Progress<'a> {
    /// A line on standard error, where that is a terminal; with `quiet` none.
    pub(crate) fn new(plan: &'a Plan, quiet: bool) -> Self {
        let shown = !quiet && std::io::stderr().is_terminal();
        let bar = shown.then(|| {
            let style = "{bar:24} {pos}/{len} asks  {msg}  {rate} asks/s  {eta} left";
            let style = ProgressStyle::with_template(style)
                .unwrap_or_else(|_| ProgressStyle::default_bar())
                .with_key(
                    "rate",
                    |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                        // A progress line that cannot be written is nothing to stop for.
                        let _ = write!(out, "{:.1}", state.per_sec());
                    },
                );
            ProgressBar::new(0).with_style(style)
        });
        let (mut baseline, mut by_case) = (
            vec![0; plan.cases.len()],
            vec![Vec::new(); plan.cases.len()],
        );
        for (place, ask) in plan.asks.iter().enumerate() {
            match plan.variant_of(ask).axis {
                Axis::Baseline => baseline[ask.case as usize] = place,
                // A dropped option's ask is compared with one of its own, whose answer this line does not keep.
                Axis::Same | Axis::Drop => {}
                _ => by_case[ask.case as usize].push(place),
            }
        }
        Self {
            plan,
            // Answers on record are known before the first event.
            said: (plan.known().iter().take(plan.asks.len()))
                .map(|asked| said(asked.as_ref()))
                .collect(),
            baseline,
            by_case,
            flips: 0,
            bar,
        }
    }

    /// Takes note of one event.
    pub(crate) fn observe(&mut self, event: &Event<'_>) {
        let Some(bar) = &self.bar else { return };
        match event {
            Event::Began { needed, journaled } => {
                bar.set_length(*needed as u64);
                bar.set_position(*journaled as u64);
            }
            Event::Grew { needed } => bar.set_length(*needed as u64),
            Event::Asked { ask, .. } if *ask >= self.said.len() => {
                bar.set_message(format!("{} flipped, asked once more", self.flips));
                bar.inc(1);
            }
            Event::Asked { ask, asked } => {
                self.said[*ask] = said(Some(asked));
                let case = self.plan.asks[*ask].case as usize;
                let own = self.baseline[case];
                let flipped = |variant: &usize| {
                    let outcome = pair(self.said[own], self.said[*variant]);
                    matches!(outcome, PairOutcome::Flip { .. })
                };
                if own == *ask {
                    self.flips += self.by_case[case]
                        .iter()
                        .filter(|variant| flipped(variant))
                        .count() as u64;
                } else if self.by_case[case].contains(ask) && flipped(ask) {
                    self.flips += 1;
                }
                bar.set_message(format!("{} flipped", self.flips));
                bar.inc(1);
            }
            Event::Draining { in_flight } => {
                bar.set_message(format!(
                    "{} flipped, waiting for {in_flight} in flight",
                    self.flips
                ));
            }
            _ => {}
        }
    }

    /// Removes the line.
    pub(crate) fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A progress line for the order study of one model.
pub(crate) struct Studying(Option<ProgressBar>);

impl Studying {
    /// A line on standard error, where that is a terminal.
    pub(crate) fn new(model: &str, cases: usize) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style =
                ProgressStyle::with_template("{bar:24} {pos}/{len} cases  {msg}  {eta} left")
                    .unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(cases as u64)
                .with_style(style)
                .with_message(flipside_core::foreign::Foreign(model).to_string())
        });
        Self(bar)
    }

    /// Takes note of the cases done so far.
    pub(crate) fn done(&self, cases: usize) {
        if let Some(bar) = &self.0 {
            bar.set_position(cases as u64);
        }
    }
}

impl Drop for Studying {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
