//! Standard input, line by line, on a thread of its own: a thread that waits for a line keeps nobody from ending.

use std::io::{self, BufRead, Read};
use std::thread;

use flipside_core::json::Json;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::id::IdScan;

/// The most bytes of one message.
const MOST_BYTES: u64 = 32 << 20;
/// Messages that may wait to be taken; the client waits beyond that.
const WAITING: usize = 64;

/// One line of standard input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line without its line feed.
    Text(String),
    /// A line that cannot be read.
    Unreadable {
        /// Why.
        why: String,
        /// Its `id` as far as that can be found, else null.
        id: Json,
        /// Whether it is no JSON, rather than more than is taken.
        broken: bool,
    },
}

/// The lines of standard input; it ends where that does.
pub(super) fn lines() -> Receiver<Line> {
    let (sender, receiver) = channel(WAITING);
    thread::spawn(move || read(&mut io::stdin().lock(), &sender, MOST_BYTES));
    receiver
}

fn read(input: &mut impl BufRead, to: &Sender<Line>, most: u64) {
    loop {
        let mut bytes = Vec::new();
        let Ok(length) = input.by_ref().take(most).read_until(b'\n', &mut bytes) else {
            return;
        };
        if length == 0 {
            return;
        }
        let line = if length as u64 == most && bytes.last() != Some(&b'\n') {
            let mut scan = IdScan::default();
            scan.feed(&bytes);
            drop(bytes);
            if rest(input, &mut scan).is_err() {
                return;
            }
            Line::Unreadable {
                why: format!("a message has more than {} MiB", most >> 20),
                id: scan.id(),
                broken: false,
            }
        } else {
            match String::from_utf8(bytes) {
                Ok(text) if text.trim().is_empty() => continue,
                Ok(text) => Line::Text(text.trim_end_matches(['\n', '\r']).to_owned()),
                Err(error) => Line::Unreadable {
                    why: "a message is not UTF-8".to_owned(),
                    id: IdScan::of(error.as_bytes()),
                    broken: true,
                },
            }
        };
        if to.blocking_send(line).is_err() {
            return;
        }
    }
}

/// Reads the rest of a line, of which only its `id` is kept.
fn rest(input: &mut impl BufRead, scan: &mut IdScan) -> io::Result<()> {
    loop {
        let bytes = match input.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = bytes.iter().position(|byte| *byte == b'\n');
        scan.feed(&bytes[..end.unwrap_or(bytes.len())]);
        let used = end.map_or(bytes.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() || used == 0 {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(bytes: &[u8]) -> Vec<Line> {
        let (sender, mut receiver) = channel(WAITING);
        // Pieces that end within keys and numbers.
        let mut input = io::BufReader::with_capacity(7, bytes);
        read(&mut input, &sender, 2 << 20);
        drop(sender);
        std::iter::from_fn(|| receiver.blocking_recv()).collect()
    }

    fn unreadable(why: &str, id: &str, broken: bool) -> Line {
        let (why, id) = (why.to_owned(), flipside_formats::json::parse(id).unwrap());
        Line::Unreadable { why, id, broken }
    }

    #[test]
    fn lines_come_one_by_one_and_what_is_too_long_or_no_text_is_told() {
        let long = "x".repeat(3 << 20);
        let mut input = format!("{{}}\r\n\n  \n{long}\n[]\n").into_bytes();
        input.extend_from_slice(b"\xff\n{\"id\":7,\"x\":\"\xff\"}\nlast");
        assert_eq!(
            found(&input),
            [
                Line::Text("{}".to_owned()),
                unreadable("a message has more than 2 MiB", "null", false),
                Line::Text("[]".to_owned()),
                unreadable("a message is not UTF-8", "null", true),
                unreadable("a message is not UTF-8", "7", true),
                Line::Text("last".to_owned()),
            ]
        );
    }

    #[test]
    fn a_line_that_is_too_long_keeps_its_id_wherever_that_stands() {
        let long = "x".repeat(3 << 20);
        for (line, id) in [
            (
                format!(r#"{{"id":12345678901,"x":"{long}"}}"#),
                "12345678901",
            ),
            (
                format!(r#"{{"x":"{long}","id":"call-12345678901"}}"#),
                r#""call-12345678901""#,
            ),
            (format!(r#"{{"x":"{long}"}}"#), "null"),
            (format!(r#"{{"id":1,"x":"{long}""#), "null"),
        ] {
            let too_long = || unreadable("a message has more than 2 MiB", id, false);
            assert_eq!(
                found(format!("{line}\n[]\n{line}").as_bytes()),
                [too_long(), Line::Text("[]".to_owned()), too_long()]
            );
        }
    }
}
