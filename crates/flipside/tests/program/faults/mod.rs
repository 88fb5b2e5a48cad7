//! Dialect by fault: every dialect of System One and its kin with everything that a server can do wrong (the wire page, 14.3 and 11).
//!
//! A row is one fault; all dialects are asked by one command, each a model of its own. What is expected is the same for all of them,
//! since what a fault means does not hang on who has it.

mod table;

use std::collections::VecDeque;
use std::sync::Mutex;
use std::thread;

use flipside_standin::{Dialect, Fault, Policy, Standin, When};
use serde_json::Value;

use crate::dialects::{Kin, kin};
use crate::support::{flipside, folder, json, ran};
use Expected::{Declines, Fails, FailsOnce, Lost, LostForGood, OtherVersion, Stops, Survives};
use table::{Expected, TABLE};

/// Commands that run beside each other; most of them wait.
const BESIDE: usize = 24;

/// Two cases in their own order and reversed: four asks. `weighed` gives 0.97, 0.02 and 0.01 in any order.
const CASES: &str = "\
{\"id\":\"u0\",\"state\":{\"n\":0},\"options\":{\"a\":\"1\",\"É\":\"97\",\"c\":\"2\"},\"rules\":\"Pick.\"}
{\"id\":\"u1\",\"state\":{\"n\":1},\"options\":{\"a\":\"1\",\"É\":\"97\",\"c\":\"2\"},\"rules\":\"Pick.\"}
";

/// The same with levels.
const LEVELS: &str = "\
{\"id\":\"u0\",\"type\":\"score\",\"state\":{\"n\":0},\"options\":[\"1\",\"97\",\"2\"],\"rules\":\"Pick.\"}
{\"id\":\"u1\",\"type\":\"score\",\"state\":{\"n\":1},\"options\":[\"1\",\"97\",\"2\"],\"rules\":\"Pick.\"}
";

/// How a row is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    /// One request has the fault, and there is one attempt.
    Once,
    /// One request has the fault, and there are two attempts.
    Again,
    /// Every request has the fault, and there is one attempt.
    Always,
}

impl Expected {
    fn passes(self) -> &'static [Pass] {
        match self {
            Survives => &[Pass::Always],
            Fails(..) | Declines | OtherVersion => &[Pass::Once],
            FailsOnce(..) => &[Pass::Once, Pass::Again],
            Stops(..) => &[Pass::Once, Pass::Always],
            Lost(..) | LostForGood(..) => &[Pass::Once, Pass::Again, Pass::Always],
        }
    }
}

/// What one dialect should have come to.
#[derive(Debug, PartialEq, Eq)]
struct Counts {
    answered: u64,
    failed: u64,
    unasked: u64,
    no_decision: u64,
    /// Pairs with a failed ask, or across models.
    missing: u64,
    complete: bool,
}

impl Counts {
    const ALL: Self = Self {
        answered: 4,
        failed: 0,
        unasked: 0,
        no_decision: 0,
        missing: 0,
        complete: true,
    };
    const ONE_FAILED: Self = Self {
        answered: 3,
        failed: 1,
        missing: 1,
        ..Self::ALL
    };
    const GIVEN_UP: Self = Self {
        answered: 0,
        unasked: 4,
        complete: false,
        ..Self::ALL
    };

    fn expected(expected: Expected, pass: Pass) -> Self {
        match (expected, pass) {
            (Survives, _) | (Lost(..) | FailsOnce(..), Pass::Again) => Self::ALL,
            (Lost(..) | LostForGood(..) | Stops(..), Pass::Always) => Self::GIVEN_UP,
            (Stops(..), _) => Self {
                answered: 1,
                unasked: 3,
                complete: false,
                ..Self::ALL
            },
            (Declines, _) => Self {
                no_decision: 1,
                ..Self::ALL
            },
            (OtherVersion, _) => Self {
                missing: 1,
                ..Self::ALL
            },
            _ => Self::ONE_FAILED,
        }
    }

    fn found(summary: &Value) -> Self {
        let count = |name: &str| summary["counts"][name].as_u64().unwrap();
        Self {
            answered: count("answered"),
            failed: count("failed"),
            unasked: count("unasked"),
            no_decision: count("no_decision"),
            missing: summary["axes"]["order"]["reverse"]["missing"]
                .as_u64()
                .unwrap(),
            complete: summary["complete"].as_bool().unwrap(),
        }
    }
}

/// One command: a row asked in one way of some dialects.
struct Job {
    fault: &'static str,
    expected: Expected,
    pass: Pass,
    dialects: Vec<Kin>,
}

impl Job {
    fn when(&self) -> When {
        match self.pass {
            Pass::Always => When::Always,
            // A connection that stands cannot be closed unread.
            _ if self.fault == "accept-and-close" => When::Nth(1),
            _ => When::Nth(2),
        }
    }

    fn server(&self, dialect: Dialect) -> Standin {
        Standin::builder()
            .dialect(dialect)
            .policy(Policy::Weighed)
            .fault(self.fault.parse::<Fault>().unwrap(), self.when())
            .start()
            .unwrap()
    }

    /// Asks, and says everything that is not as expected.
    fn run(&self) -> Vec<String> {
        let levels = self.fault == "legend-from-one";
        let (_guard, path) = folder(if levels { LEVELS } else { CASES });
        let servers: Vec<Standin> = self
            .dialects
            .iter()
            .map(|kin| self.server(kin.dialect))
            .collect();
        let mut command = flipside();
        command.current_dir(&path).args([
            "probe",
            "cases.jsonl",
            "--order",
            "reverse",
            "--gate",
            "none:fit",
            "--no-confirm",
            "--no-canary",
            "--json",
            "s.json",
            "--out",
            "runs",
        ]);
        // Many asks at once where none of them is answered: it only takes time.
        let beside = if self.pass == Pass::Always { "4" } else { "1" };
        let retries = if self.pass == Pass::Again { "1" } else { "0" };
        let short = matches!(self.expected, Lost("timeout", ..));
        let timeout = if short { "900ms" } else { "20s" };
        command.args([
            "--concurrency",
            beside,
            "--retries",
            retries,
            "--timeout",
            timeout,
        ]);
        for (kin, server) in self.dialects.iter().zip(&servers) {
            kin.add(&mut command, server);
        }
        let ran = ran(&command.output().unwrap());
        let summary = json(&path, "s.json");
        let summaries = match summary.get("models") {
            Some(Value::Array(summaries)) => summaries.clone(),
            _ => vec![summary],
        };
        let mut wrong = Vec::new();
        let mut check = |name: &str, what: String, holds: bool| {
            if !holds {
                wrong.push(format!("{} {:?} {name}: {what}", self.fault, self.pass));
            }
        };
        check(
            "all",
            format!("{} summaries", summaries.len()),
            summaries.len() == servers.len(),
        );
        let incomplete = !Counts::expected(self.expected, self.pass).complete;
        check(
            "all",
            format!("exit {}", ran.code),
            (ran.code == 3) == incomplete,
        );
        for ((kin, server), summary) in self.dialects.iter().zip(&servers).zip(&summaries) {
            let name = kin.name;
            let expected = Counts::expected(self.expected, self.pass);
            let found = Counts::found(summary);
            check(
                name,
                format!("{found:?}, expected {expected:?}"),
                found == expected,
            );
            let requests = match (self.expected, self.pass) {
                // A dead server counts no request.
                (Stops("refused the connection", _), _) | (_, Pass::Always) => server.count(),
                (Stops(..), _) => 2,
                (Lost(..) | FailsOnce(..), Pass::Again) => 5,
                _ => 4,
            };
            check(
                name,
                format!("{} requests, expected {requests}", server.count()),
                server.count() == requests,
            );
            let asks = summary["cases"].as_array().unwrap().iter();
            for ask in asks.flat_map(|case| case["asks"].as_array().unwrap()) {
                let aligned = match ask["status"].as_str().unwrap() {
                    "answered" => ask["choice"] == 1,
                    _ => ask["choice"].is_null(),
                };
                check(name, format!("an answer of its own: {ask}"), aligned);
                if ask["status"] == "failed" {
                    self.failed(name, ask, &mut check);
                }
            }
        }
        self.told(&ran.err, &mut check);
        wrong
    }

    /// A failed ask names its cause.
    fn failed(&self, name: &str, ask: &Value, check: &mut impl FnMut(&str, String, bool)) {
        let (Fails(kind, text)
        | FailsOnce(kind, text)
        | Lost(kind, text, _)
        | LostForGood(kind, text, _)) = self.expected
        else {
            check(name, format!("a failed ask: {ask}"), false);
            return;
        };
        check(
            name,
            format!("kind {}", ask["failed"]),
            ask["failed"] == kind,
        );
        let failure = ask["failure"].as_str().unwrap_or_default();
        check(
            name,
            format!("`{failure}`, expected `{text}`"),
            failure.contains(text),
        );
    }

    /// What is said to people names cause and remedy, once for each dialect.
    fn told(&self, told: &str, check: &mut impl FnMut(&str, String, bool)) {
        let all = self.dialects.len();
        let mut says = |text: &str, least: usize| {
            let found = told.matches(text).count();
            check(
                "all",
                format!("`{text}` is said {found} times, expected {least}"),
                found >= least,
            );
        };
        match (self.expected, self.pass) {
            (Lost(_, text, remedy) | LostForGood(_, text, remedy), Pass::Always)
            | (Stops(text, remedy), _) => {
                says("error: stopped after ", all);
                says(text, all);
                // One help that several share is said once.
                says(remedy, 1);
            }
            (_, Pass::Again) if !matches!(self.expected, LostForGood(..)) => {}
            (Fails(kind, _) | FailsOnce(kind, _) | Lost(kind, ..) | LostForGood(kind, ..), _) => {
                says(": 1 of 4 asks failed (25.0%, mostly ", all);
                says(remedy(kind), all);
            }
            (OtherVersion, _) => says("name an exact version as the model and probe again", all),
            _ => {}
        }
    }
}

/// What the warning about failed asks says to do.
fn remedy(kind: &str) -> &'static str {
    match kind {
        "malformed" => "read their replies and mend the server's",
        "status" => "look at the example in the report's `failed` line and mend what it names",
        "connection" => "see that the server is up",
        "timeout" => "raise `--timeout` or lower `--concurrency`",
        "unsupported" => "leave out questions that the model cannot answer",
        other => panic!("no remedy for {other}"),
    }
}

/// Whether the dialect can have the fault at all.
fn fault_applies(dialect: Dialect, fault: &str) -> bool {
    // The one answers choices alone, the legends of the other are lists without numbers.
    let levels = !matches!(dialect, Dialect::Cua | Dialect::JevCompatible);
    levels || fault != "legend-from-one"
}

fn jobs() -> VecDeque<Job> {
    let mut jobs = VecDeque::new();
    for (fault, expected) in TABLE {
        for pass in expected.passes() {
            // Where time passes, few dialects at a time.
            let few = *pass == Pass::Again || matches!(expected, Lost("timeout", ..));
            let size = if few { 3 } else { kin().len() };
            let fits = |kin: &&Kin| fault_applies(kin.dialect, fault);
            let dialects: Vec<Kin> = kin().iter().filter(fits).copied().collect();
            for dialects in dialects.chunks(size) {
                jobs.push_back(Job {
                    fault,
                    expected: *expected,
                    pass: *pass,
                    dialects: dialects.to_vec(),
                });
            }
        }
    }
    jobs
}

#[test]
fn every_dialect_survives_every_fault_or_names_cause_and_remedy() {
    let jobs = Mutex::new(jobs());
    let wrong = Mutex::new(Vec::new());
    let next = || jobs.lock().unwrap().pop_front();
    thread::scope(|scope| {
        for _ in 0..BESIDE {
            scope.spawn(|| {
                while let Some(job) = next() {
                    let found = job.run();
                    wrong.lock().unwrap().extend(found);
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn the_table_has_every_fault_of_the_wire_page() {
    let faults: Vec<Fault> = TABLE
        .iter()
        .map(|(fault, _)| fault.parse().unwrap())
        .collect();
    for status in [
        400, 401, 402, 403, 404, 408, 409, 413, 415, 422, 429, 500, 502, 503, 504, 529,
    ] {
        assert!(faults.contains(&Fault::Status(status)), "{status}");
    }
    for (place, fault) in faults.iter().enumerate() {
        assert!(!faults[..place].contains(fault), "{fault:?} stands twice");
    }
}
