//! What every order of a question costs a causal language model, as ratios measured in one run.
//!
//! `FLIPSIDE_SMOLLM2=FILE cargo bench -p flipside-local --bench causal`; without the file it measures the tiny model of the tests, whose
//! ratios say nothing of real ones. Nothing here fails on a slow machine.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a bench prints its figures and stops where something is missing"
)]

use std::time::Instant;

use camino::Utf8PathBuf;
use flipside_local::causal::{Causal, Numbers, Read, Request, Words};

/// Rounds whose median is printed.
const ROUNDS: usize = 3;
/// Orders that are asked in one pass, where they are asked in parts.
const PARTS: [usize; 4] = [1, 4, 8, 24];
const TINY: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/goldens/causal-llama/model.gguf"
);

/// A ticket with its history, about 200 tokens of a trained vocabulary.
const STATE: &str = "Customer: I was charged twice for order 5510 and the second charge is still pending after nine days. I wrote to you on Monday and again on Thursday, and both times I was told that the refund was on its way. My bank says that nothing was sent. I have attached the statement, the receipt and the two confirmations that I received. Please look at the account and not at the template, since the template answers a question that I did not ask. If this takes longer than the end of the month I will have to close the account and dispute the charge, which neither of us wants. The order was delivered in time and there is nothing wrong with it. The card ends in 4417, the amount is 86.20 and the merchant name on the second line differs from that on the first, which may help you to find it. Thank you for your help, and sorry for the length of this message.";
const OPTIONS: [&str; 4] = [
    "invoices, payments, refunds and charges that appear twice",
    "bugs, crashes, outages and pages that do not load at all",
    "account login, password, two-factor codes and blocked users",
    "general feedback, praise, ideas and everything that is left",
];

fn main() {
    let file = std::env::var("FLIPSIDE_SMOLLM2").unwrap_or_else(|_| TINY.to_owned());
    let file = Utf8PathBuf::from(file);
    let before = resident();
    let start = Instant::now();
    let model = Causal::open(&file, Numbers::F32).unwrap();
    println!(
        "load       {:.0} MB in {:.2} s, digest included; memory after {:.0} MB more; a kept token needs {} bytes, at most {} are kept",
        model.bytes() as f64 / 1e6,
        start.elapsed().as_secs_f64(),
        resident() - before,
        model.kept_bytes(),
        model.kept_tokens(),
    );
    let orders = requests(&letters());
    let naive: usize = orders
        .iter()
        .map(|one| model.before(one).unwrap().len())
        .sum();
    // Threads start, pages are touched.
    model.ask_alone(&orders[0]).unwrap();
    let prompt = model.before(&orders[0]).unwrap().len();
    let (prefill, spent) = median(|| drop(model.ask_alone(&orders[0]).unwrap()));
    println!(
        "prefill    {prompt} tokens in {:.0} ms: {:.2} tokens per ms, {:.2} per ms of processor",
        prefill * 1e3,
        prompt as f64 / prefill / 1e3,
        prompt as f64 / spent / 1e3
    );
    for part in PARTS {
        let mut tree = 0;
        let (took, _) = median(|| {
            // Nothing is kept from one round to the next.
            model.forget();
            tree = orders
                .chunks(part)
                .flat_map(|part| model.ask(part))
                .map(|asked| asked.unwrap().computed)
                .sum();
        });
        println!(
            "24 orders  {part} at once: {tree} of {naive} tokens in {took:.2} s: {:.2} full prompts, {:.2} times the tree at the speed of a prefill",
            took / prefill,
            took / (tree as f64 * prefill / prompt as f64)
        );
    }
    let texts = Read::Texts(OPTIONS.iter().map(|text| (*text).to_owned()).collect());
    let listed = requests(&texts).remove(0);
    let mut asked = model.ask_alone(&listed).unwrap();
    let (took, _) = median(|| asked = model.ask_alone(&listed).unwrap());
    println!(
        "texts      {} of {} tokens in {:.0} ms: {:.2} full prompts",
        asked.computed,
        asked.naive,
        took * 1e3,
        took / prefill
    );
    println!(
        "floor      the shape of a batch moves a log-probability by at most {:.1e} nat",
        model.floor().unwrap()
    );
    println!("memory     {:.0} MB in all", resident());
}

fn letters() -> Read {
    Read::Letters(b"ABCD".to_vec())
}

/// The question in all 24 orders.
fn requests(read: &Read) -> Vec<Request> {
    let orders = (0..256).map(|n| [n / 64, n / 16 % 4, n / 4 % 4, n % 4]);
    let orders = orders.filter(|order| (0..4).all(|option| order.contains(&option)));
    orders
        .map(|order| {
            let lines = order.iter().zip('A'..);
            let lines: Vec<String> = lines
                .map(|(option, letter)| format!("{letter}) {}\n", OPTIONS[*option]))
                .collect();
            Request {
                chat: false,
                words: Words {
                    system: None,
                    user: format!(
                        "{STATE}\n\nWhich team should handle this message?\n{}Answer:",
                        lines.concat()
                    ),
                },
                read: read.clone(),
                less: None,
            }
        })
        .collect()
}

/// Seconds on the clock and of the processor that `run` takes, in the middle of some rounds.
fn median(mut run: impl FnMut()) -> (f64, f64) {
    let mut rounds: Vec<(f64, f64)> = (0..ROUNDS)
        .map(|_| {
            let (start, spent) = (Instant::now(), processor());
            run();
            (start.elapsed().as_secs_f64(), processor() - spent)
        })
        .collect();
    rounds.sort_by(|a, b| a.0.total_cmp(&b.0));
    rounds[ROUNDS / 2]
}

/// Seconds of processor that this process took, all threads together; not a number where the system does not tell.
fn processor() -> f64 {
    const TICKS: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name may hold blanks; what follows its bracket does not.
    let after = stat.rsplit_once(')').map_or("", |(_, after)| after);
    let fields: Vec<&str> = after.split_whitespace().collect();
    let ticks = |place: usize| {
        fields
            .get(place)
            .and_then(|field| field.parse::<f64>().ok())
    };
    match (ticks(11), ticks(12)) {
        (Some(user), Some(system)) => (user + system) / TICKS,
        _ => f64::NAN,
    }
}

/// Memory of this process in MB; not a number where the system does not tell.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS"));
    let value = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
    value.map_or(f64::NAN, |kilobytes| kilobytes * 1024.0 / 1e6)
}
