//! Standard input, line by line, on a thread of its own: a thread that waits for a line keeps nobody from ending.

use std::io::{self, BufRead, Read};
use std::thread;

use tokio::sync::mpsc::{Receiver, Sender, channel};

/// The most bytes of one message.
const MOST_BYTES: u64 = 32 << 20;
/// Messages that may wait to be taken; the client waits beyond that.
const WAITING: usize = 64;

/// One line of standard input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line without its line feed.
    Text(String),
    /// A line that cannot be read, and why.
    Unreadable(String),
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
            // The rest of the line is read and dropped.
            if input.skip_until(b'\n').is_err() {
                return;
            }
            Line::Unreadable(format!("a message has more than {} MiB", most >> 20))
        } else {
            match String::from_utf8(bytes) {
                Ok(text) if text.trim().is_empty() => continue,
                Ok(text) => Line::Text(text.trim_end_matches(['\n', '\r']).to_owned()),
                Err(_) => Line::Unreadable("a message is not UTF-8".to_owned()),
            }
        };
        if to.blocking_send(line).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_one_by_one_and_what_is_too_long_or_no_text_is_told() {
        let (sender, mut receiver) = channel(WAITING);
        let long = "x".repeat(3 << 20);
        let mut input = format!("{{}}\r\n\n  \n{long}\n[]\n").into_bytes();
        input.extend_from_slice(b"\xff\nlast");
        read(&mut input.as_slice(), &sender, 2 << 20);
        drop(sender);
        let found: Vec<Line> = std::iter::from_fn(|| receiver.blocking_recv()).collect();
        assert_eq!(
            found,
            [
                Line::Text("{}".to_owned()),
                Line::Unreadable("a message has more than 2 MiB".to_owned()),
                Line::Text("[]".to_owned()),
                Line::Unreadable("a message is not UTF-8".to_owned()),
                Line::Text("last".to_owned()),
            ]
        );
    }
}
