//! How fast the program asks, against bounds and rivals measured in the same run, and how much memory it needs.
//!
//! `cargo bench -p flipside` prints ratios; nothing here fails on a slow machine. The stand-in serves from this process,
//! the program runs as a child, and the rival is this very file run again as a bare loop over the same HTTP client.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a bench prints its figures and stops where something is missing"
)]

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use flipside_standin::{Policy, Standin};

/// Asks of the memory figure and of the figures without delay.
const ASKS: usize = 50_000;

fn main() {
    let words: Vec<String> = std::env::args().collect();
    if let [_, bare, url, body, asks, in_flight] = &words[..]
        && bare == "--bare"
    {
        bare_loop(
            url,
            Path::new(body),
            asks.parse().unwrap(),
            in_flight.parse().unwrap(),
        );
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    memory(folder.path());
    start_up(folder.path());
    for in_flight in [16, 64] {
        with_delay(folder.path(), in_flight);
    }
    for in_flight in [16, 64] {
        without_delay(folder.path(), in_flight);
    }
}

/// A case file of four options and a request of about 400 bytes.
fn cases(path: &Path, count: usize) {
    let mut text = String::new();
    for case in 0..count {
        writeln!(
            text,
            "{{\"id\":\"b{case}\",\"state\":{{\"subject\":\"Charged twice\",\"body\":\"Two identical payments on 3 May, order {case}.\"}},\
             \"options\":{{\"billing\":\"payments, invoices, refunds\",\"technical\":\"errors and outages\",\
             \"delivery\":\"parcels and couriers\",\"human\":\"anything that needs a person\"}},\"rules\":\"Which team should own this ticket?\"}}"
        )
        .unwrap();
    }
    std::fs::write(path.join("cases.jsonl"), text).unwrap();
}

/// How fast one probe was.
struct Speed {
    /// The whole process, reading and writing included, in seconds.
    process: f64,
    /// Requests per second between the first request and the last answer, journal included.
    rate: f64,
}

/// Runs a probe of the case file as a child.
fn probe(path: &Path, url: &str, orders: &str, in_flight: usize) -> Speed {
    let out = path.join("run");
    let _ = std::fs::remove_dir_all(&out);
    let start = Instant::now();
    let status = Command::new(env!("CARGO_BIN_EXE_flipside"))
        .current_dir(path)
        .args([
            "probe",
            "cases.jsonl",
            "--model",
            &format!("systemone:{url}"),
            "--order",
            orders,
        ])
        .args([
            "--gate",
            "none:fit",
            // The planned asks alone: every case flips, and each flip would be asked once more.
            "--no-confirm",
            "--out",
            "run",
            "--concurrency",
            &in_flight.to_string(),
        ])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    let process = start.elapsed().as_secs_f64();
    assert!(matches!(status.code(), Some(0 | 1)), "{status}");
    let summary = std::fs::read(out.join("summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&summary).unwrap();
    let asking = |name: &str| summary["asking"][name].as_f64().unwrap();
    Speed {
        process,
        rate: asking("requests") / asking("seconds"),
    }
}

fn standin(delay: Duration) -> Standin {
    Standin::builder()
        .policy(Policy::First)
        .delay(delay)
        .record(false)
        .start()
        .unwrap()
}

/// Largest resident memory of any finished child so far, in MB.
fn peak_of_children() -> f64 {
    let usage =
        nix::sys::resource::getrusage(nix::sys::resource::UsageWho::RUSAGE_CHILDREN).unwrap();
    usage.max_rss() as f64 * 1024.0 / 1e6
}

fn memory(path: &Path) {
    cases(path, 5_000);
    let server = standin(Duration::ZERO);
    let speed = probe(path, &server.url(), "reverse", 16);
    println!(
        "memory     10,000 asks of 4 options with journal: peak {:.1} MB (bound 30 MB), {:.2} s",
        peak_of_children(),
        speed.process
    );
}

fn start_up(path: &Path) {
    let mut times: Vec<f64> = (0..21)
        .map(|_| {
            let start = Instant::now();
            let status = Command::new(env!("CARGO_BIN_EXE_flipside"))
                .arg("--version")
                .stdout(Stdio::null())
                .status();
            assert!(status.unwrap().success());
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let version = times[times.len() / 2];
    std::fs::write(
        path.join("one.jsonl"),
        "{\"state\":{},\"options\":{\"a\":\"1\",\"b\":\"2\"},\"rules\":\"r\"}\n",
    )
    .unwrap();
    let mut times: Vec<f64> = (0..21)
        .map(|_| {
            let start = Instant::now();
            let status = Command::new(env!("CARGO_BIN_EXE_flipside"))
                .current_dir(path)
                .args([
                    "probe",
                    "one.jsonl",
                    "--model",
                    "systemone:http://127.0.0.1:9/v1/systemone",
                    "--dry-run",
                ])
                .stdout(Stdio::null())
                .status();
            assert!(status.unwrap().success());
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let http = times[times.len() / 2];
    println!(
        "start-up   --version {version:.1} ms; plan of one case for an HTTP model {http:.1} ms (bound 20 ms)"
    );
}

fn with_delay(path: &Path, in_flight: usize) {
    let delay = Duration::from_millis(20);
    let asks = in_flight * 100;
    cases(path, asks / 2);
    let server = standin(delay);
    let speed = probe(path, &server.url(), "reverse", in_flight);
    let bound = in_flight as f64 / delay.as_secs_f64();
    println!(
        "20 ms      {in_flight:>3} in flight: {:>6.0} asks/s, {:.1} % of concurrency/delay = {bound:.0} (bound 95 %); whole process {:.1} %",
        speed.rate,
        100.0 * speed.rate / bound,
        100.0 * asks as f64 / speed.process / bound
    );
}

fn without_delay(path: &Path, in_flight: usize) {
    cases(path, ASKS / 5);
    let server = standin(Duration::ZERO);
    let body = path.join("body.json");
    std::fs::write(&body, request()).unwrap();
    let (mut asking, mut process, mut rates, mut bares) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..7 {
        let bare = Command::new(std::env::current_exe().unwrap())
            .args([
                "--bare",
                &server.url(),
                body.to_str().unwrap(),
                &ASKS.to_string(),
                &in_flight.to_string(),
            ])
            .output()
            .unwrap();
        let bare: f64 = String::from_utf8(bare.stdout)
            .unwrap()
            .trim()
            .parse()
            .unwrap();
        let speed = probe(path, &server.url(), "reverse,rotate:1,random:2", in_flight);
        asking.push(speed.rate / bare);
        process.push(ASKS as f64 / speed.process / bare);
        rates.push(speed.rate);
        bares.push(bare);
    }
    for values in [&mut asking, &mut process, &mut rates, &mut bares] {
        values.sort_by(f64::total_cmp);
    }
    let middle = |values: &[f64]| values[values.len() / 2];
    println!(
        "no delay   {in_flight:>3} in flight: {:>6.0} asks/s with journal and checks, bare reqwest loop {:.0}; ratio {:.2} ({:.2} to {:.2}; bound 0.6); whole process, reading and figures included, {:.2}",
        middle(&rates),
        middle(&bares),
        middle(&asking),
        asking[0],
        asking[asking.len() - 1],
        middle(&process)
    );
}

fn request() -> &'static str {
    "{\"model\":\"jev-latest\",\"state\":{\"subject\":\"Charged twice\",\"body\":\"Two identical payments on 3 May, order 4711.\"},\
     \"questions\":{\"pick\":{\"type\":\"choice\",\"instructions\":{\"rules\":\"Which team should own this ticket?\"},\
     \"criteria\":{\"billing\":\"payments, invoices, refunds\",\"technical\":\"errors and outages\",\
     \"delivery\":\"parcels and couriers\",\"human\":\"anything that needs a person\"}}}}"
}

/// The rival: the same client sends the same bytes and reads the body; nothing is checked or kept. Prints asks/s.
fn bare_loop(url: &str, body: &Path, asks: usize, in_flight: usize) {
    let body = std::fs::read(body).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let client = reqwest::Client::builder()
        .tcp_nodelay(true)
        .build()
        .unwrap();
    let rate = runtime.block_on(async {
        let one = || async {
            let sent = client
                .post(url)
                .header("content-type", "application/json")
                .body(body.clone())
                .send()
                .await;
            sent.unwrap().bytes().await.unwrap().len()
        };
        let left = std::cell::Cell::new(asks);
        let worker = || async {
            while left.get() > 0 {
                left.set(left.get() - 1);
                one().await;
            }
        };
        let start = Instant::now();
        let workers: Vec<_> = (0..in_flight).map(|_| worker()).collect();
        futures_util::future::join_all(workers).await;
        asks as f64 / start.elapsed().as_secs_f64()
    });
    println!("{rate}");
}
