//! Every default that a user meets, with its reason. Help texts and tests take them from here.

use std::time::Duration;

/// The model without `--model`: trained, inside the program, and one whose answers order can move.
pub(crate) const MODEL: &str = "tiny-laya";
/// The seed without `--seed`: any fixed number, so that the same command draws the same orders everywhere.
pub(crate) const SEED: u64 = 1;
/// The cap of `--order all`: every other order of five options, and no more requests than that per case.
pub(crate) const MAX_ORDERS: usize = 120;
/// What `flipside reask` asks without `--order` and `--axis`: one ask per decision, and every option of an even list moves.
pub(crate) const REASK_ORDER: &str = "reverse";
/// How long one attempt may take: what the System One clients allow.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(10);
/// Attempts after the first.
pub(crate) const RETRIES: u32 = 2;
/// The most retries that may be asked for: beyond it a dead backend only takes longer to be noticed.
pub(crate) const MOST_RETRIES: u32 = 20;
/// The first wait before another attempt; it doubles.
pub(crate) const FIRST_WAIT: Duration = Duration::from_millis(500);
/// The longest wait of our own choosing.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// A whole ask may take this many times the timeout.
pub(crate) const BUDGET_TIMEOUTS: u32 = 3;
/// The most asks in flight: sockets of one process.
pub(crate) const MOST_CONCURRENCY: u32 = 1_024;
/// Where runs of models that cost something go without `--out`.
pub(crate) const RUNS: &str = "flipside-runs";
/// The report's width where standard output is no terminal.
pub(crate) const WIDTH: usize = 120;
/// Asks of one call of `flipside mcp`: the bundled cases in their own order, two others and once more, with room to confirm
/// every flip, and no more than an agent should spend unasked.
pub(crate) const MCP_ASKS: u64 = 500;
/// The orders that a call of `flipside mcp` asks unless it names others.
pub(crate) const MCP_ORDER: &str = "check";
/// How long calls in flight may go on after the end of input: long enough for an answer that is on its way, short enough that
/// a killed client leaves no process.
pub(crate) const MCP_ENDING: Duration = Duration::from_secs(5);
