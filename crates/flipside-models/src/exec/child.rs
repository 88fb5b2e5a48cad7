//! The process behind an adapter: one task writes whole lines, one hands replies to the asks that wait for them.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use flipside_core::foreign::Foreign;
use flipside_core::model::Failure;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;

use super::line;
use super::words::Words;

/// How long a program that closed its output may take to end, and its last words to arrive.
const ENDING: Duration = Duration::from_secs(1);
/// Characters of a foreign line that a message quotes.
const QUOTED: usize = 120;

/// A started program. Dropping it ends the program.
#[derive(Debug)]
pub(crate) struct Running {
    lines: mpsc::UnboundedSender<Vec<u8>>,
    waiting: Arc<Waiting>,
    tasks: [AbortHandle; 2],
}

/// The asks in flight.
#[derive(Debug, Default)]
struct Waiting(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    last: u64,
    asks: BTreeMap<u64, oneshot::Sender<String>>,
    /// Why the program answers no more.
    end: Option<String>,
}

/// Forgets an ask that nobody waits for any more; its reply may still come.
struct Forget<'a> {
    waiting: &'a Waiting,
    id: u64,
}

impl Drop for Forget<'_> {
    fn drop(&mut self) {
        self.waiting.state().asks.remove(&self.id);
    }
}

impl Waiting {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands a line to the ask with its id; `false` if it is no reply to anything that was asked.
    fn deliver(&self, text: &str) -> bool {
        let Some(id) = line::id(text) else {
            return false;
        };
        let mut state = self.state();
        let known = (1..=state.last).contains(&id);
        if let Some(ask) = state.asks.remove(&id) {
            // Whoever asked may have given up meanwhile.
            let _ = ask.send(text.to_owned());
        }
        known
    }

    /// Fails the asks in flight; the first reason stays.
    fn end(&self, why: String) {
        let mut state = self.state();
        state.end.get_or_insert(why);
        state.asks.clear();
    }
}

/// Ends the wait of all asks when the task that would answer them is gone, for whatever reason.
struct Answering(Arc<Waiting>);

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.end("the adapter was stopped".to_owned());
    }
}

impl Running {
    /// Starts the program; needs a runtime, as every ask does.
    pub(crate) fn start(words: &Words) -> Result<Self, Failure> {
        let mut child = Command::new(words.program())
            .args(words.arguments())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| Failure::Connect {
                message: format!("`{}` cannot be started: {error}", Foreign(words.program())),
            })?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            unreachable!("all three were asked to be pipes");
        };
        let (lines, queue) = mpsc::unbounded_channel();
        let waiting = Arc::new(Waiting::default());
        let program = Foreign(words.program()).to_string();
        let writer = tokio::spawn(write(stdin, queue)).abort_handle();
        let reader = tokio::spawn(supervise(
            child,
            program,
            stdout,
            stderr,
            Answering(Arc::clone(&waiting)),
        ))
        .abort_handle();
        Ok(Self {
            lines,
            waiting,
            tasks: [writer, reader],
        })
    }

    /// Whether it answers no more.
    pub(crate) fn has_ended(&self) -> bool {
        self.waiting.state().end.is_some()
    }

    /// Asks, and waits for the line with the same id.
    pub(crate) fn ask(
        &self,
        request: &[u8],
    ) -> impl Future<Output = Result<String, Failure>> + use<> {
        let (answered, answer) = oneshot::channel();
        let id = {
            let mut state = self.waiting.state();
            state.last += 1;
            let id = state.last;
            // After an end the sender is dropped here, and the wait below tells why.
            if state.end.is_none() {
                state.asks.insert(id, answered);
            }
            id
        };
        // A closed queue means an end, which the wait below tells.
        let _ = self.lines.send(line::numbered(id, request));
        let waiting = Arc::clone(&self.waiting);
        async move {
            let _forget = Forget {
                waiting: &waiting,
                id,
            };
            let answer = answer.await;
            answer.map_err(|_| {
                let end = waiting.state().end.clone();
                Failure::Broken {
                    message: end.unwrap_or_else(|| "the adapter was stopped".to_owned()),
                }
            })
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.tasks.iter().for_each(AbortHandle::abort);
    }
}

/// Writes whole lines, so that an ask that is given up leaves no half of one behind.
async fn write(mut stdin: ChildStdin, mut queue: mpsc::UnboundedReceiver<Vec<u8>>) {
    while let Some(line) = queue.recv().await {
        if stdin.write_all(&line).await.is_err() {
            return;
        }
    }
}

async fn supervise(
    mut child: Child,
    program: String,
    stdout: ChildStdout,
    stderr: ChildStderr,
    answering: Answering,
) {
    let waiting = &answering.0;
    let last_words = Arc::new(Mutex::new(String::new()));
    let errors = tokio::spawn(pass_on(stderr, Arc::clone(&last_words)));
    let mut replies = BufReader::new(stdout);
    let mut text = Vec::new();
    let garbage = loop {
        text.clear();
        match replies.read_until(b'\n', &mut text).await {
            Ok(0) | Err(_) => break None,
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&text);
        if !line.trim().is_empty() && !waiting.deliver(line.trim()) {
            break Some(Foreign(line.trim()).cut(QUOTED));
        }
    };
    if let Some(line) = garbage {
        let why = format!("`{program}` wrote a line that replies to nothing asked: `{line}`");
        return waiting.end(why);
    }
    let ended = match tokio::time::timeout(ENDING, child.wait()).await {
        Ok(Ok(status)) => format!("ended with {status}"),
        Ok(Err(_)) | Err(_) => "closed its standard output".to_owned(),
    };
    // Its last words may still be on their way; something that it started may keep the pipe open for ever.
    let _ = tokio::time::timeout(ENDING, errors).await;
    let said = last_words
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    let said = if said.is_empty() {
        said
    } else {
        format!(": {said}")
    };
    waiting.end(format!("`{program}` {ended}{said}"));
}

/// Passes the program's standard error on to ours, escaped, and keeps the last line that says something.
async fn pass_on(stderr: ChildStderr, last_words: Arc<Mutex<String>>) {
    let mut lines = BufReader::new(stderr);
    let mut text = Vec::new();
    loop {
        text.clear();
        if !matches!(lines.read_until(b'\n', &mut text).await, Ok(1..)) {
            return;
        }
        let line = String::from_utf8_lossy(&text);
        let line = line.trim_end();
        // Nothing is to be done about a closed standard error.
        let _ = writeln!(std::io::stderr(), "{}", Foreign(line));
        if !line.trim().is_empty() {
            *last_words.lock().unwrap_or_else(PoisonError::into_inner) =
                Foreign(line.trim()).cut(QUOTED);
        }
    }
}
