//! Workflow commands of GitHub Actions: annotations on the lines of the case files. The job summary is
//! [`markdown::render_summary`](crate::markdown::render_summary).

use flipside_core::foreign::Foreign;
use flipside_core::perturb::Axis;
use flipside_core::summary::{AskStatus, CaseSummary, Summary};

use crate::pair::{Pair, PairSays, pairs};
use crate::tables::Run;
use crate::warning::warnings;
use crate::wording;

/// GitHub shows this many annotations of a level from one step.
const SHOWN: usize = 10;
/// The most characters of a title.
const TITLE: usize = 120;

/// How grave an annotation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Error,
    Warning,
    Notice,
}

/// What an annotation stands at, and what it says.
struct Annotation {
    level: Level,
    place: Option<(String, u64)>,
    title: String,
    text: String,
}

/// One workflow command a line: an error per gate that does not hold and per flip that counts against it, a warning per warning and
/// failed ask, a notice per other flip. Of each level ten at most, which is what GitHub shows of a step; a tenth that stands for more says
/// so.
pub fn render(runs: &[Run<'_>]) -> String {
    let mut found: Vec<Annotation> = Vec::new();
    for run in runs {
        let about = if runs.len() > 1 {
            format!("{}: ", wording::foreign(run.name))
        } else {
            String::new()
        };
        let mut of = of_run(run.summary);
        for annotation in &mut of {
            annotation.text = format!("{about}{}", annotation.text);
        }
        found.extend(of);
    }
    let mut out = String::new();
    for level in [Level::Error, Level::Warning, Level::Notice] {
        let of: Vec<&Annotation> = found.iter().filter(|one| one.level == level).collect();
        let shown = if of.len() > SHOWN {
            SHOWN - 1
        } else {
            of.len()
        };
        out.extend(of.iter().take(shown).map(|one| command(one)));
        let more = (of.len() - shown) as u64;
        if more > 0 {
            out += &command(&Annotation {
                level,
                place: None,
                title: format!("flipside: {} more", wording::count(more)),
                text: "the job summary and the run folder have them".to_owned(),
            });
        }
    }
    out
}

fn of_run(summary: &Summary) -> Vec<Annotation> {
    let mut found = Vec::new();
    for gate in summary.gates.iter().filter(|gate| !gate.held) {
        let reason = gate.reason.as_deref().map(wording::foreign);
        let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
        found.push(Annotation {
            level: Level::Error,
            place: None,
            title: format!("flipside: {}", wording::gate(gate)),
            text: format!(
                "{}{reason}, limit {}",
                gate.verdict.text(),
                wording::limit(gate.limit)
            ),
        });
    }
    let flipped = |pair: &Pair<'_>| pair.outcome == PairSays::Flip;
    for pair in pairs(summary).filter(flipped) {
        found.push(Annotation {
            level: if counts(summary, &pair) {
                Level::Error
            } else {
                Level::Notice
            },
            place: place(pair.case),
            title: title(&format!("case {} flipped", pair.case.id)),
            text: wording::flip(pair.case, pair.own, pair.variant),
        });
    }
    for warning in warnings(summary) {
        found.push(Annotation {
            level: Level::Warning,
            place: None,
            title: "flipside".to_owned(),
            text: warning.to_string(),
        });
    }
    for case in &summary.cases {
        for ask in &case.asks {
            if ask.status == AskStatus::Failed {
                let kind = ask.failed.map_or("failed", wording::failed);
                let text = wording::foreign(ask.failure.as_deref().unwrap_or_default());
                found.push(Annotation {
                    level: Level::Warning,
                    place: place(case),
                    title: title(&format!("case {} has no answer", case.id)),
                    text: format!("{}: {kind}: {text}", wording::asked_as(ask)),
                });
            }
        }
    }
    found
}

fn title(text: &str) -> String {
    Foreign(text).cut(TITLE)
}

/// Whether the flip counts against a gate that does not hold.
fn counts(summary: &Summary, pair: &Pair<'_>) -> bool {
    let (axis, variant) = (pair.axis(), &pair.variant.variant);
    summary.gates.iter().any(|gate| {
        let about = match gate.subject.split_once('.') {
            None => gate.subject == axis && !has_own_gate(summary, axis, variant),
            Some((subject, name)) => subject == axis && *name == **variant,
        };
        about && !gate.held
    })
}

/// Whether a gate of its own replaces the general one of its axis.
fn has_own_gate(summary: &Summary, axis: &str, variant: &str) -> bool {
    let own = format!("{axis}.{variant}");
    axis != Axis::Same.name() && summary.gates.iter().any(|gate| gate.subject == own)
}

/// The line of the case in the workspace; a case that no file of the user's brought has none.
fn place(case: &CaseSummary) -> Option<(String, u64)> {
    let named = !case.file.is_empty() && &*case.file != "-" && !case.file.starts_with("builtin:");
    named.then(|| (case.file.to_string(), case.line))
}

/// One line: `::error file=F,line=L,title=T::text`.
fn command(annotation: &Annotation) -> String {
    let level = match annotation.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Notice => "notice",
    };
    let place = annotation.place.as_ref();
    let place = place.map(|(file, line)| format!("file={},line={line},", property(file)));
    format!(
        "::{level} {}title={}::{}\n",
        place.unwrap_or_default(),
        property(&annotation.title),
        data(&annotation.text)
    )
}

/// Text after the second pair of colons, as GitHub's toolkit escapes it.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// A property's value, as GitHub's toolkit escapes it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests;
