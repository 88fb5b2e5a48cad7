//! Runs as `JUnit` XML: a suite of gates, then a suite per axis with a test per case.
//!
//! The document keeps the schema of Jenkins's xUnit plugin (`junit-10.xsd`) and, for run folders, the stricter one of Ant's tasks too,
//! which demands a time stamp. That is why it is written here: what libraries write has attributes that these schemas refuse.

mod status;
#[cfg(test)]
mod tests;
mod xml;

use std::collections::BTreeMap;

use flipside_core::foreign::Foreign;
use flipside_core::perturb::Axis;
use flipside_core::summary::{CaseSummary, GateLine, Summary};

use self::status::{Status, of_pairs};
use self::xml::{attribute, text};
use crate::pair::{Pair, of_case};
use crate::tables::Run;
use crate::wording;

/// The most characters of a name.
const NAME: usize = 200;

/// `JUnit` XML of `runs`.
///
/// Every gate is a test of the suite `MODEL gates`: a failure where it does not hold, with its reason. Every case is a test of each axis:
/// a failure where it flipped, an error where an ask of it failed, skipped where it was not asked, did not decide, or where the axis
/// cannot change it. Fit is a gate and no axis. Times are those of the asks, in seconds.
pub fn render(runs: &[Run<'_>]) -> String {
    let mut out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n".to_owned();
    let mut id = 0;
    for run in runs {
        let about = about(run, runs);
        let axes = axes(run.summary).into_iter();
        let axes = axes.map(|axis| of_axis(&about, run.summary, axis));
        for suite in std::iter::once(of_gates(&about, run.summary)).chain(axes) {
            suite.write(id, run.started, &mut out);
            id += 1;
        }
    }
    out + "</testsuites>\n"
}

/// What a run's suites begin with: its model, and where several runs have that its name.
fn about(run: &Run<'_>, runs: &[Run<'_>]) -> String {
    let spec = |run: &Run<'_>| run.summary.model.spec.clone();
    let (own, alike) = (
        spec(run),
        runs.iter().filter(|other| spec(other) == spec(run)),
    );
    match (own.is_empty(), alike.count()) {
        (true, _) => Foreign(run.name).cut(NAME),
        (false, 1) => Foreign(&own).cut(NAME),
        (false, _) => format!(
            "{} in {}",
            Foreign(&own).cut(NAME),
            Foreign(run.name).cut(NAME)
        ),
    }
}

/// A suite before it is written.
struct Suite {
    about: String,
    part: String,
    tests: Vec<Test>,
}

struct Test {
    name: String,
    ms: f64,
    status: Status,
}

impl Suite {
    fn write(&self, id: u64, started: Option<&str>, out: &mut String) {
        let count = |kind: &str| {
            let of = |test: &&Test| test.status.element() == Some(kind);
            self.tests.iter().filter(of).count().to_string()
        };
        let seconds: f64 = self.tests.iter().map(|test| test.ms / 1_000.0).sum();
        *out += "  <testsuite";
        let numbers = [
            ("id", id.to_string()),
            ("tests", self.tests.len().to_string()),
            ("failures", count("failure")),
            ("errors", count("error")),
            ("skipped", count("skipped")),
            ("time", format!("{seconds:.3}")),
        ];
        attribute("name", &format!("{} {}", self.about, self.part), out);
        attribute("package", &self.about, out);
        attribute("hostname", "localhost", out);
        if let Some(started) = started.and_then(without_zone) {
            attribute("timestamp", started, out);
        }
        for (name, value) in &numbers {
            attribute(name, value, out);
        }
        *out += ">\n    <properties/>\n";
        // A reader takes the last dot for the end of a package.
        let class = format!("{}.{}", self.about.replace('.', "_"), self.part);
        for test in &self.tests {
            *out += "    <testcase";
            attribute("name", &test.name, out);
            attribute("classname", &class, out);
            attribute("time", &format!("{:.3}", test.ms / 1_000.0), out);
            test.status.write(out);
        }
        *out += "    <system-out/>\n    <system-err/>\n  </testsuite>\n";
    }
}

/// `2026-12-01T03:00:00` of `2026-12-01T03:00:00Z`: the schema of Ant allows no zone.
fn without_zone(started: &str) -> Option<&str> {
    let time = started.strip_suffix('Z')?;
    let shape = |(c, of): (char, char)| {
        if of == '0' {
            c.is_ascii_digit()
        } else {
            c == of
        }
    };
    let fits = time.len() == 19 && time.chars().zip("0000-00-00T00:00:00".chars()).all(shape);
    fits.then_some(time)
}

fn of_gates(about: &str, summary: &Summary) -> Suite {
    let test = |gate| of_gate(summary, gate);
    let mut tests: Vec<Test> = summary.gates.iter().map(test).collect();
    if !summary.complete || summary.stopped.is_some() {
        // What was not asked held no gate.
        let found = wording::not_complete(summary);
        tests.push(Test {
            name: "run".to_owned(),
            ms: 0.0,
            status: Status::Error("not complete", found.clone(), found),
        });
    }
    Suite {
        about: about.to_owned(),
        part: "gates".to_owned(),
        tests,
    }
}

fn of_gate(summary: &Summary, gate: &GateLine) -> Test {
    let by = gate.decided_by.as_deref().map(wording::foreign);
    let parts = [
        Some(gate.verdict.text().to_owned()),
        by.map(|by| format!("decided by {by}")),
        gate.reason.as_deref().map(wording::foreign),
        Some(format!("limit {}", wording::limit(gate.limit))),
        Some(wording::claim(gate.rule, &summary.judging)),
    ];
    let said = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let status = if gate.held {
        Status::Success
    } else {
        Status::Failure(gate.verdict.text(), said.clone(), said)
    };
    Test {
        name: wording::foreign(&gate.subject),
        ms: 0.0,
        status,
    }
}

/// The axes that were asked, the control last.
fn axes(summary: &Summary) -> Vec<&str> {
    let control = summary.control.as_ref().map(|_| Axis::Same.name());
    let asked = summary.axes.keys().map(String::as_str);
    asked.chain(control).collect()
}

fn of_axis(about: &str, summary: &Summary, axis: &str) -> Suite {
    let mut seen: BTreeMap<String, u64> = BTreeMap::new();
    let test = |case: &CaseSummary| {
        let of = |pair: &Pair<'_>| pair.axis() == axis;
        let found: Vec<Pair<'_>> = of_case(summary, case).filter(of).collect();
        let mut name = Foreign(&case.id).cut(NAME);
        let times = seen.entry(name.clone()).or_default();
        *times += 1;
        if *times > 1 {
            // Ids that differ beyond the cut only.
            name = format!("{name} ({times})");
        }
        Test {
            name,
            ms: found.iter().filter_map(|pair| pair.variant.ms).sum(),
            status: of_pairs(case, &found),
        }
    };
    Suite {
        about: about.to_owned(),
        part: axis.to_owned(),
        tests: summary.cases.iter().map(test).collect(),
    }
}
