//! How long one whole ask takes, from the request's bytes to the reply's, beside the same graph in PyTorch on the same cores.
//!
//! `cargo bench -p flipside-local --bench ask` asks the small models inside and every checkpoint folder in `FLIPSIDE_CHECKPOINTS`
//! (paths with colons between them). With `FLIPSIDE_PYTHON`, a Python that has what `tools/goldens/requirements.txt` names, the same
//! question about the same state is timed there by `tools/goldens/torch_bench.py`, and the ratio is printed: below 1 this is faster.
//! Nothing here fails on a slow machine.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench prints its figures and stops where something is missing"
)]

mod cores;

use std::process::{Command, ExitCode};
use std::time::Instant;

use camino::{Utf8Path, Utf8PathBuf};
use flipside_core::json::Json;
use flipside_local::Precision;
use flipside_local::agentjev::{AgentJev, Settings};
use flipside_local::laya::Laya;

/// Asks whose median is printed.
const ROUNDS: usize = 30;
/// Threads that one ask may use.
const THREADS: [usize; 2] = [1, 2];

enum Model {
    Laya(Laya),
    AgentJev(AgentJev),
}

impl Model {
    fn open(folder: &Utf8Path) -> Self {
        if folder.join("rl_agent_config.json").exists() {
            Self::Laya(Laya::open(folder, Precision::F32).unwrap())
        } else {
            Self::AgentJev(AgentJev::open(folder, Settings::default()).unwrap())
        }
    }

    /// The question that `torch_bench.py` asks, about its state with a number, so that nothing of it is kept from the ask before.
    fn request(&self, number: usize) -> Json {
        let state = format!(
            "{number:03} customer ticket: we were billed twice for March. The second charge is a duplicate, please refund it today."
        );
        let teams = serde_json::json!({
            "billing": "invoices, charges, refunds",
            "bugs": "bugs, outages, integration errors",
            "sales": "pricing, new contracts",
            "login": "accounts, passwords, access",
            "other": "everything else",
        });
        let text = "Which team should handle this ticket?";
        let request = match self {
            Self::Laya(_) => serde_json::json!({
                "state": state,
                "questions": {"q": {"type": "choice", "instructions": text, "criteria": teams}},
            }),
            Self::AgentJev(_) => serde_json::json!({
                "state": state,
                "questions": [{"id": "q", "type": "choice", "question": text, "options": teams}],
            }),
        };
        flipside_formats::json::parse(&request.to_string()).unwrap()
    }

    fn reply(&self, request: &Json) -> String {
        match self {
            Self::Laya(laya) => laya.reply("bench", request),
            Self::AgentJev(agentjev) => agentjev.reply("bench", request),
        }
        .unwrap()
    }
}

/// Milliseconds of one ask on so many threads.
fn ours(model: &Model, threads: usize) -> f64 {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap();
    let mut times: Vec<f64> = (0..ROUNDS + 2)
        .map(|round| {
            let request = model.request(threads * 100 + round);
            let start = Instant::now();
            pool.install(|| drop(model.reply(&request)));
            start.elapsed().as_secs_f64() * 1e3
        })
        .skip(2)
        .collect();
    times.sort_by(f64::total_cmp);
    times[ROUNDS / 2]
}

/// What PyTorch says of these folders; nothing without a Python.
fn theirs(root: &Utf8Path, folders: &[Utf8PathBuf]) -> Option<serde_json::Value> {
    let python = std::env::var("FLIPSIDE_PYTHON").ok()?;
    let threads = THREADS.map(|threads| threads.to_string()).join(",");
    let ran = Command::new(python)
        .current_dir(root.join("tools/goldens"))
        .args(["torch_bench.py", "--threads", &threads])
        .args(["--repeats", &ROUNDS.to_string()])
        .args(folders)
        .output()
        .unwrap();
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    Some(serde_json::from_slice(&ran.stdout).unwrap())
}

fn main() -> ExitCode {
    cores::counted(bench)
}

fn bench() {
    let crate_folder = Utf8Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = crate_folder.join("../..").canonicalize_utf8().unwrap();
    let mut folders = vec![
        root.join("crates/flipside-local/data/tiny-laya"),
        root.join("crates/flipside-local/data/tiny-agentjev"),
    ];
    let more = std::env::var("FLIPSIDE_CHECKPOINTS").unwrap_or_default();
    folders.extend(
        more.split(':')
            .filter(|path| !path.is_empty())
            .map(|path| Utf8Path::new(path).canonicalize_utf8().unwrap()),
    );
    let theirs = theirs(&root, &folders);
    for (place, folder) in folders.iter().enumerate() {
        let model = Model::open(folder);
        for threads in THREADS {
            let ours = ours(&model, threads);
            let name = folder.file_name().unwrap();
            let rival = theirs.as_ref().map(|theirs| {
                let medians = &theirs[place]["threads"][threads.to_string()];
                ["ask_ms", "batched_ms"].map(|name| medians[name].as_f64())
            });
            let rival = match rival {
                None => String::new(),
                Some([ask, batched]) => {
                    let ask = ask.unwrap();
                    let batched = batched.map_or(String::new(), |batched| {
                        format!("; its batched forward alone {batched:.1} ms")
                    });
                    format!(", PyTorch {ask:.1} ms, ratio {:.2}{batched}", ours / ask)
                }
            };
            println!("{name:<16} {threads} threads: {ours:.1} ms an ask{rival}");
        }
    }
}
