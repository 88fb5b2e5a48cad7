//! What orders and shared states cost of one ask, as ratios measured in one run.
//!
//! `cargo bench -p flipside-local --bench order` makes a checkpoint of random weights, an eighth of the published size;
//! `FLIPSIDE_AGENTJEV=DIR` takes the checkpoint in that folder instead, and tells how long it loads and how much memory it takes.
//! Nothing here fails on a slow machine.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a bench prints its figures and stops where something is missing"
)]

mod cores;
#[expect(dead_code, reason = "tests make other sizes with it")]
#[path = "../tests/agentjev/random.rs"]
mod random;

use std::process::ExitCode;
use std::time::Instant;

use camino::Utf8PathBuf;
use candle_core::Tensor;
use flipside_core::case::QuestionKind;
use flipside_local::Observer;
use flipside_local::agentjev::{AgentJev, Mode, Question, Settings};

/// Rounds whose median is printed.
const ROUNDS: usize = 7;

fn main() -> ExitCode {
    cores::counted(bench)
}

fn bench() {
    let kept = tempfile::tempdir().unwrap();
    let folder = if let Ok(folder) = std::env::var("FLIPSIDE_AGENTJEV") {
        Utf8PathBuf::from(folder)
    } else {
        let folder = Utf8PathBuf::from_path_buf(kept.path().to_owned()).unwrap();
        random::write(
            &folder,
            random::Geometry {
                width: 512,
                inner: 1536,
                layers: 12,
                heads: 8,
                key_heads: 4,
                head: 128,
                set: 128,
                set_layers: 2,
            },
        );
        folder
    };
    let before = resident("VmRSS");
    let start = Instant::now();
    let model = AgentJev::open(&folder, Settings::default()).unwrap();
    println!(
        "load       {:.0} MB of weights in {:.2} s, digest included; memory after {:.0} MB more, at most {:.0} MB in all",
        model.bytes() as f64 / 1e6,
        start.elapsed().as_secs_f64(),
        resident("VmRSS") - before,
        resident("VmHWM"),
    );
    let mut states = States(0);
    // Threads start, pages are touched.
    model.ask(&states.next(), &question(0, 4)).unwrap();
    one_ask(&model, &mut states);
    orders(&model, &mut states);
    questions(&model, &mut states);
    println!("memory     {:.0} MB at most in all", resident("VmHWM"));
}

/// Memory of this process in MB, by the system's name for it; not a number where the system does not tell.
fn resident(name: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(name));
    let value = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
    value.map_or(f64::NAN, |kilobytes| kilobytes * 1024.0 / 1e6)
}

/// Texts of one length that were never asked about, so that nothing of them is kept.
struct States(usize);

impl States {
    /// A ticket with its history: 390 tokens of a byte-level vocabulary, as a ticket four times as long has with that of the release.
    fn next(&mut self) -> String {
        self.0 += 1;
        format!(
            "Ticket {:06}: two identical payments of 19.90 were taken from my card on 3 May, one at 10:02 and one at 10:03. \
             The order page shows a single order. I asked the bank; they say both were booked by the shop. Please refund one \
             of them before the end of the week, and tell me how this can be avoided, since it happened in March too. Thank you \
             for your help with this, Anna K.",
            self.0
        )
    }
}

/// Texts as long in bytes as texts of a few words are in tokens: a candidate's piece has 13 to 19 tokens, six of them its heading in
/// the release's vocabulary and thirteen here.
fn question(number: usize, options: usize) -> Question {
    let texts = ["money", "errors", "parcel", "person", "prices"];
    Question {
        id: number.to_string(),
        kind: QuestionKind::Choice,
        text: format!("Which team, {number}?"),
        keys: (0..options).map(|option| option.to_string()).collect(),
        candidates: texts[..options]
            .iter()
            .map(|&text| text.to_owned())
            .collect(),
    }
}

/// Seconds that `work` takes.
fn timed(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

/// The median of how many times as long the first of a pair took; a busy spell tells on both of a pair.
fn ratio(of: &[f64], to: &[f64]) -> f64 {
    median(of.iter().zip(to).map(|(of, to)| of / to).collect())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn one_ask(model: &AgentJev, states: &mut States) {
    let (first, second) = (question(0, 5), question(1, 5));
    let (mut cold, mut known, mut again, mut whole) = (vec![], vec![], vec![], vec![]);
    for _ in 0..ROUNDS {
        let state = states.next();
        let ask = |question: &Question| timed(|| drop(model.ask(&state, question).unwrap()));
        cold.push(ask(&first));
        known.push(ask(&second));
        again.push(ask(&second));
    }
    let paths = model.paths(&states.next(), &first).unwrap();
    for _ in 0..3 {
        whole.push(timed(|| drop(model.vectors(&paths, Mode::Path).unwrap())));
    }
    let (cold, known, again) = (median(cold) * 1e3, median(known) * 1e3, median(again) * 1e3);
    let candidates: usize = paths.candidates.iter().map(Vec::len).sum();
    println!(
        "one ask    5 options {cold:.0} ms: state {:.0} ms for {} tokens, question {:.0} ms for {}, candidates {again:.0} ms for {candidates}",
        cold - known,
        paths.state.len(),
        known - again,
        paths.question.len(),
    );
    let whole = median(whole) * 1e3;
    println!(
        "paths      each whole {whole:.0} ms for {} tokens: {:.2} times as much",
        paths.lengths().sum::<usize>(),
        whole / cold
    );
}

/// Every order of four places.
fn permutations() -> Vec<[usize; 4]> {
    let mut all = Vec::new();
    for a in 0..4 {
        for b in (0..4).filter(|b| *b != a) {
            for c in (0..4).filter(|c| *c != a && *c != b) {
                all.push([a, b, c, 6 - a - b - c]);
            }
        }
    }
    all
}

fn orders(model: &AgentJev, states: &mut States) {
    let question = question(0, 4);
    let (mut asks, mut all) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let state = states.next();
        asks.push(timed(|| drop(model.ask(&state, &question).unwrap())));
        let state = states.next();
        all.push(timed(|| {
            let paths = model.paths(&state, &question).unwrap();
            let (vectors, _) = model.vectors(&paths, Mode::Shared).unwrap();
            let rows: Vec<Tensor> = (0..4)
                .map(|row| vectors.narrow(0, row, 1).unwrap())
                .collect();
            for order in permutations() {
                let rows: Vec<&Tensor> = order.iter().map(|row| &rows[*row]).collect();
                let vectors = Tensor::cat(&rows, 0).unwrap();
                model.score(&vectors, Observer::NONE).unwrap();
            }
        }));
    }
    let ratio = ratio(&all, &asks);
    let (ask, all) = (median(asks), median(all));
    println!(
        "orders     24 orders of 4 options {:.1} ms, one ask {:.1} ms: ratio {ratio:.3} (bound 1.05)",
        all * 1e3,
        ask * 1e3,
    );
}

fn questions(model: &AgentJev, states: &mut States) {
    let questions: Vec<Question> = (0..10).map(|number| question(number, 4)).collect();
    let (mut together, mut apart, mut whole) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS.min(5) {
        let state = states.next();
        together.push(timed(|| {
            for question in &questions {
                model.ask(&state, question).unwrap();
            }
        }));
        let each: Vec<String> = questions.iter().map(|_| states.next()).collect();
        apart.push(timed(|| {
            for (state, question) in each.iter().zip(&questions) {
                model.ask(state, question).unwrap();
            }
        }));
        if round == 0 {
            whole.push(timed(|| {
                for question in &questions {
                    let paths = model.paths(&state, question).unwrap();
                    model.vectors(&paths, Mode::Path).unwrap();
                }
            }));
        }
    }
    let ratio = ratio(&together, &apart);
    let (together, apart, whole) = (median(together), median(apart), median(whole));
    println!(
        "questions  10 of one state {:.0} ms, of ten states {:.0} ms: ratio {ratio:.3} (bound 0.35); each path whole {:.0} ms: ratio {:.3}",
        together * 1e3,
        apart * 1e3,
        whole * 1e3,
        together / whole
    );
}
