//! Journal lines: one ask a line, the only source of truth of a run.
//!
//! A line is written in one piece and ends in a line feed. A file whose last line has none was cut short while that
//! line was being written; [`read`] leaves it out and says where the whole lines end.

use std::borrow::Cow;
use std::io::{BufRead, BufReader};

use camino::Utf8Path;
use flipside_core::answer::{Answer, Confidence, confidence};
use flipside_core::course::State;
use flipside_core::order::Order;
use flipside_core::perturb::{Axis, Variant};
use flipside_core::record::{Asked, Outcome};
use serde::{Deserialize, Serialize};

/// One ask with everything that came back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line<'a> {
    /// The ask's slot in the plan.
    pub ask: u32,
    /// The ask that this one repeats to confirm a flip, for a line of the confirmation round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirms: Option<u32>,
    /// The case.
    pub case: Cow<'a, str>,
    /// The axis.
    pub axis: Axis,
    /// The value on it.
    pub variant: Cow<'a, str>,
    /// The order as sent, as an array of identities.
    pub order: Cow<'a, Order>,
    /// SHA-256 of the exact request bytes.
    pub digest: Cow<'a, str>,
    /// The request, where its digest appears for the first time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Cow<'a, str>>,
    /// The ask whose reply answered this one, for an ask that shares another's bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shares: Option<u32>,
    /// Whether the answer was on record before the run, so that nothing was sent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub recorded: bool,
    /// The reply as received; absent if none came, another ask's line has it, or the answer was on record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<Cow<'a, str>>,
    /// What was asked once more because the reply left something out, and came back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deeper: Option<Deeper<'a>>,
    /// The server's id for the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<Cow<'a, str>>,
    /// How long the server says that it took, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_ms: Option<u64>,
    /// The answer as aligned, or how the ask failed.
    pub outcome: Cow<'a, Outcome>,
    /// Our own confidences.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "ignored"
    )]
    pub confidence: Option<Confidence>,
    /// How long the last attempt took, in milliseconds.
    pub ms: f64,
    /// How many attempts were made; 0 for an ask that shares another's bytes, or that was not sent.
    pub attempts: u32,
    /// Where an adaptive rule stands after this answer, where it led further.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
}

/// One more request of an ask, for what its first reply left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deeper<'a> {
    /// The request.
    pub request: Cow<'a, str>,
    /// The reply as received; absent if none came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<Cow<'a, str>>,
    /// Whether the outcome was read from this reply, and not from the first one.
    pub taken: bool,
}

/// Our confidences are recomputed from the answer and never read back.
fn ignored<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Confidence>, D::Error> {
    serde::de::IgnoredAny::deserialize(deserializer).map(|_| None)
}

impl Line<'_> {
    /// Appends the line and its line feed.
    ///
    /// # Errors
    /// [`serde_json::Error`] for a number that is not finite, which no valid answer has.
    pub fn write(&self, out: &mut Vec<u8>) -> Result<(), serde_json::Error> {
        serde_json::to_writer(&mut *out, self)?;
        out.push(b'\n');
        Ok(())
    }

    /// The variant of the ask.
    pub fn variant(&self) -> Variant {
        Variant {
            axis: self.axis,
            name: self.variant.clone().into_owned(),
        }
    }

    /// The reply that the outcome was read from.
    pub fn taken(&self) -> Option<&str> {
        let deeper = self.deeper.as_ref().filter(|deeper| deeper.taken);
        deeper.map_or(self.reply.as_deref(), |deeper| deeper.reply.as_deref())
    }

    /// What figures need of the line.
    pub fn asked(&self) -> Asked {
        Asked {
            outcome: self.outcome.clone().into_owned(),
            ms: self.ms,
            attempts: self.attempts,
        }
    }
}

/// Our own confidences in the outcome of an ask that offered `order`, where it has probabilities.
pub fn confidence_of(outcome: &Outcome, order: &Order) -> Option<Confidence> {
    match outcome {
        Outcome::Answered(answer) => confidence(&answer.offered(order)?),
        Outcome::Failed(_) => None,
    }
}

/// An answer as journal lines have it.
///
/// # Panics
/// If one of its numbers is not finite, which no valid answer has.
pub fn answer_text(answer: &Answer) -> String {
    serde_json::to_string(answer).expect("an answer has text keys and finite numbers")
}

/// The answer that [`answer_text`] wrote.
///
/// # Errors
/// [`serde_json::Error`] if `text` is none.
pub fn read_answer(text: &str) -> Result<Answer, serde_json::Error> {
    serde_json::from_str(text)
}

/// The whole lines of a journal.
#[derive(Debug)]
pub struct Journal {
    /// The lines in the order in which they were written.
    pub lines: Vec<Line<'static>>,
    /// Where the last whole line ends, in bytes; what follows was cut short.
    pub whole_bytes: u64,
    /// How many bytes follow it.
    pub torn_bytes: u64,
}

/// Why a journal cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be read.
    #[error("the journal cannot be read")]
    Io(#[from] std::io::Error),
    /// A whole line is no journal line.
    #[error("{path}:{line}: no journal line")]
    Line {
        /// The journal.
        path: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        #[source]
        source: serde_json::Error,
    },
}

/// Reads every whole line of the journal at `path`; a missing file has none.
///
/// # Errors
/// [`Error`] if it cannot be read, or a whole line is not a journal line.
pub fn read(path: &Utf8Path) -> Result<Journal, Error> {
    let mut journal = Journal {
        lines: Vec::new(),
        whole_bytes: 0,
        torn_bytes: 0,
    };
    visit(path, |line| journal.lines.push(line)).map(|(whole, torn)| {
        journal.whole_bytes = whole;
        journal.torn_bytes = torn;
        journal
    })
}

/// Hands every whole line to `each`, one at a time; returns where whole lines end and how many bytes follow.
///
/// # Errors
/// As [`read`].
pub fn visit(path: &Utf8Path, mut each: impl FnMut(Line<'static>)) -> Result<(u64, u64), Error> {
    let file = match fs_err::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok((0, 0)),
        Err(error) => return Err(error.into()),
    };
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let (mut whole, mut number) = (0, 0);
    let mut text = Vec::new();
    loop {
        text.clear();
        let length = reader.read_until(b'\n', &mut text)? as u64;
        if text.last() != Some(&b'\n') {
            return Ok((whole, length));
        }
        number += 1;
        let line =
            serde_json::from_slice::<Line<'static>>(&text).map_err(|source| Error::Line {
                path: path.to_string(),
                line: number,
                source,
            })?;
        whole += length;
        each(line);
    }
}
