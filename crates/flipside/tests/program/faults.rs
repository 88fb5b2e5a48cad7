//! Dialect by fault: every dialect of System One and its kin with everything that a server can do wrong (the wire page, 14.3 and 11).
//!
//! A row is one fault; all dialects are asked by one command, each a model of its own. What is expected is the same for all of them,
//! since what a fault means does not hang on who has it.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::thread;

use flipside_standin::{Dialect, Fault, Policy, Standin, When};
use serde_json::Value;

use crate::dialects::{Kin, kin};
use crate::support::{flipside, folder, json, ran};

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

/// What becomes of the asks of one dialect.
#[derive(Clone, Copy, Debug)]
enum Expected {
    /// Every ask has its answer, although every reply has the fault.
    Survives,
    /// The ask that meets it fails, by this kind and for this reason; the others are answered.
    Fails(&'static str, &'static str),
    /// As [`Expected::Fails`], and another attempt is answered.
    FailsOnce(&'static str, &'static str),
    /// As [`Expected::FailsOnce`], and a server that does nothing else is given up with this remedy.
    Lost(&'static str, &'static str, &'static str),
    /// As [`Expected::Lost`], but another attempt is not made in time.
    LostForGood(&'static str, &'static str, &'static str),
    /// Nothing further is asked, for this reason and with this remedy.
    Stops(&'static str, &'static str),
    /// The ask is answered, and the answer decides nothing.
    Declines,
    /// The ask is answered by another model, so that its pair is missing.
    OtherVersion,
}
use Expected::{Declines, Fails, FailsOnce, Lost, LostForGood, OtherVersion, Stops, Survives};

const UP: &str = "help: see that it answers and repeat";
const SLOWER: &str = "help: wait, or lower `--rate` and `--concurrency`, and repeat";
const LONGER: &str =
    "help: see that it answers, raise `--timeout` or lower `--concurrency`, and repeat";
const START: &str = "help: start it and repeat";
const BROKE: &str = "broke off before a complete reply: ";
const JSON: &str = "is no JSON that can be read: ";
const LATE: &str = "gave no complete answer within 900 ms";

/// Every fault with what becomes of it.
const TABLE: &[(&str, Expected)] = &[
    // Slow ones first, since they take longest.
    ("never-answer", Lost("timeout", LATE, LONGER)),
    ("trickle", Lost("timeout", LATE, LONGER)),
    ("late:2000", Lost("timeout", LATE, LONGER)),
    ("late:50", Survives),
    // Statuses.
    (
        "status:400",
        Fails("status", "answered 400: planned fault: 400"),
    ),
    (
        "status:401",
        Stops(
            "answered 401: planned fault: 401",
            "no key was sent (`--key-from VARIABLE` names one); mend it and repeat",
        ),
    ),
    (
        "status:402",
        Stops(
            "answered 402: planned fault: 402",
            "help: add credit to the account that it belongs to and repeat",
        ),
    ),
    (
        "status:403",
        Stops(
            "answered 403: planned fault: 403",
            "no key was sent (`--key-from VARIABLE` names one); mend it and repeat",
        ),
    ),
    (
        "status:404",
        Stops(
            "answered 404: planned fault: 404",
            "help: mend its address or the model's name and repeat",
        ),
    ),
    (
        "status:408",
        Lost("status", "answered 408: planned fault: 408", UP),
    ),
    (
        "status:409",
        Fails("status", "answered 409: planned fault: 409"),
    ),
    (
        "status:413",
        Fails("status", "answered 413: planned fault: 413"),
    ),
    (
        "status:415",
        Fails("status", "answered 415: planned fault: 415"),
    ),
    (
        "status:422",
        Fails("status", "answered 422: planned fault: 422"),
    ),
    (
        "status:429",
        Lost("status", "answered 429: planned fault: 429", SLOWER),
    ),
    (
        "retry-after:429:0",
        Lost("status", "answered 429: planned fault: 429", SLOWER),
    ),
    (
        "retry-after:429:1",
        Lost("status", "answered 429: planned fault: 429", SLOWER),
    ),
    (
        "retry-after:429:0.5",
        Lost("status", "answered 429: planned fault: 429", SLOWER),
    ),
    (
        "retry-after:503:date",
        Lost("status", "answered 503: planned fault: 503", UP),
    ),
    (
        "retry-after:429:absurd",
        LostForGood("status", "answered 429: planned fault: 429", SLOWER),
    ),
    (
        "retry-after:429:ms=50",
        Lost("status", "answered 429: planned fault: 429", SLOWER),
    ),
    (
        "should-retry:503:false",
        LostForGood("status", "answered 503: planned fault: 503", UP),
    ),
    (
        "should-retry:409:true",
        FailsOnce("status", "answered 409: planned fault: 409"),
    ),
    (
        "status:500",
        Lost("status", "answered 500: planned fault: 500", UP),
    ),
    (
        "status:502",
        Lost("status", "answered 502: an HTML page", UP),
    ),
    (
        "status:503",
        Lost("status", "answered 503: planned fault: 503", UP),
    ),
    (
        "status:504",
        Lost("status", "answered 504: planned fault: 504", UP),
    ),
    (
        "status:529",
        Lost("status", "answered 529: planned fault: 529", UP),
    ),
    (
        "text-error:503",
        Lost(
            "status",
            "answered 503: upstream connect error or disconnect before headers",
            UP,
        ),
    ),
    (
        "error-200",
        FailsOnce(
            "status",
            "the reply is an error 429: too many requests upstream",
        ),
    ),
    (
        "redirect",
        Fails(
            "status",
            "answered 307: a redirect to the host `elsewhere.invalid`, which is not followed; name that address if it is the one to ask",
        ),
    ),
    // On the way.
    ("refuse", Stops("refused the connection", START)),
    ("accept-and-close", Lost("connection", BROKE, UP)),
    ("close-mid-header", Lost("connection", BROKE, UP)),
    ("close-mid-body", Lost("connection", BROKE, UP)),
    ("length-too-long", Lost("connection", BROKE, UP)),
    ("length-too-short", Fails("malformed", JSON)),
    ("chunked", Survives),
    ("gzip", Survives),
    ("bom", Survives),
    ("prefix", Fails("malformed", JSON)),
    (
        "trailing",
        Fails(
            "malformed",
            "expected the end of the text after the value, found `{`",
        ),
    ),
    (
        "huge",
        Fails("status", "answered 200: the reply is longer than 8 MiB"),
    ),
    (
        "empty",
        Fails("malformed", "the reply is empty, expected JSON"),
    ),
    (
        "html",
        Fails("malformed", "the reply is an HTML page, expected JSON"),
    ),
    // Probabilities.
    (
        "duplicate-key",
        Fails("malformed", "is given twice, at columns"),
    ),
    ("missing-option", Fails("malformed", "no probability for `")),
    (
        "extra-option",
        Fails(
            "malformed",
            "a probability for `x_extra`, which was not offered",
        ),
    ),
    ("reversed-keys", Survives),
    ("no-probabilities", Survives),
    ("pick-only", Survives),
    ("rounded:2", Survives),
    ("rounded:4", Survives),
    ("sum:0.97", Survives),
    ("sum:1.03", Survives),
    (
        "sum:0.8",
        Fails(
            "malformed",
            "the probabilities add up to 0.800000, expected 1",
        ),
    ),
    (
        "sum:0.9",
        Fails(
            "malformed",
            "the probabilities add up to 0.900000, expected 1",
        ),
    ),
    // 0.97 · 1.2
    (
        "sum:1.2",
        Fails("malformed", "a probability is 1.164, expected 0 to 1"),
    ),
    ("nan", Fails("malformed", "`NaN` is not a JSON number")),
    (
        "nan-extra",
        Fails("malformed", "`NaN` is not a JSON number"),
    ),
    (
        "infinite",
        Fails(
            "malformed",
            "the probability of `a` is 1e400, which is too large",
        ),
    ),
    ("minus-zero", Survives),
    (
        "text-numbers",
        Fails(
            "malformed",
            "the probability of `a` is the string `0.01`, expected a number",
        ),
    ),
    (
        "confidence:1.5",
        Fails("malformed", "confidence is 1.5, expected 0 to 1"),
    ),
    // Answers.
    (
        "unknown-type",
        Fails(
            "malformed",
            "the answer has type `oracle`, the question `choice`",
        ),
    ),
    (
        "unsupported",
        Fails("unsupported", "the model cannot answer this question: "),
    ),
    ("refusal", Declines),
    ("model-changes", OtherVersion),
    ("no-usage", Survives),
    ("float-tokens", Survives),
    ("negative-usage", Survives),
    (
        "nfd-keys",
        Fails("malformed", "perhaps the server normalises Unicode"),
    ),
    (
        "lower-keys",
        Fails("malformed", "; it differs from `É` in case only"),
    ),
    (
        "legend-from-one",
        Fails(
            "malformed",
            "`legend` has the level `3`, expected \"0\" to \"2\"",
        ),
    ),
    (
        "second-best",
        Fails(
            "malformed",
            "the reply chose `c` with probability 0.02, the largest is 0.97",
        ),
    ),
    (
        "not-offered",
        Fails(
            "malformed",
            "the reply chose `x_not_offered`, which was not offered (`",
        ),
    ),
    (
        "nobody-asked",
        Fails(
            "malformed",
            "an answer for question `x_nobody`, which was not asked",
        ),
    ),
    (
        "missing-answer",
        Fails("malformed", "no answer for question `pick`"),
    ),
];

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
