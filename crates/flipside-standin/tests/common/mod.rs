//! A client of the simplest kind: bytes out, bytes in, over one socket.
#![expect(dead_code, reason = "each test program uses its own part")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends here")]

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use flipside_standin::{Builder, Policy, Standin};

/// A reply, read to its end.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines
            .into_iter()
            .find(|(found, _)| found.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }

    /// The first answer's choice.
    pub(crate) fn choice(&self) -> String {
        after(self.text(), "\"choice\":\"", "\"").to_owned()
    }

    /// The first answer's probability of an option.
    pub(crate) fn share(&self, key: &str) -> f64 {
        let shares = after(self.text(), "\"probabilities\":{", "}");
        let from = format!("\"{key}\":");
        let number = shares.split(&from).nth(1).expect(key);
        number.split(',').next().unwrap().parse().expect(number)
    }

    /// The number behind a member's name, the first of that name.
    pub(crate) fn number(&self, name: &str) -> f64 {
        let text = after(self.text(), &format!("\"{name}\":"), "}");
        text.split(',').next().unwrap().parse().expect(text)
    }
}

/// What stands between `from` and `to`.
pub(crate) fn after<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let rest = text
        .split_once(from)
        .unwrap_or_else(|| panic!("no {from} in {text}"))
        .1;
    rest.split(to).next().unwrap()
}

/// One connection.
pub(crate) struct Wire {
    pub(crate) stream: TcpStream,
    read: Vec<u8>,
    path: String,
}

impl Wire {
    pub(crate) fn to(standin: &Standin) -> Self {
        let stream = TcpStream::connect(address(standin)).unwrap();
        stream.set_nodelay(true).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        let path = standin.url().replace(&standin.origin(), "");
        Self {
            stream,
            read: Vec::new(),
            path,
        }
    }

    /// Sends a body to the decision endpoint and reads the reply.
    pub(crate) fn ask(&mut self, body: &str) -> Reply {
        let request = self.request(body);
        self.stream.write_all(request.as_bytes()).unwrap();
        self.reply().expect("a reply")
    }

    /// The request that [`Wire::ask`] sends.
    pub(crate) fn request(&self, body: &str) -> String {
        let (path, length) = (&self.path, body.len());
        format!(
            "POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        )
    }

    /// Sends any bytes and reads the reply.
    pub(crate) fn send(&mut self, request: &[u8]) -> Reply {
        self.stream.write_all(request).unwrap();
        self.reply().expect("a reply")
    }

    /// The next reply; nothing if the connection ends before the reply does.
    pub(crate) fn reply(&mut self) -> Option<Reply> {
        let end = loop {
            match self.read.windows(4).position(|four| four == b"\r\n\r\n") {
                Some(end) => break end + 4,
                None => self.more()?,
            }
        };
        let head = String::from_utf8(self.read[..end].to_vec()).unwrap();
        let mut reply = Reply {
            status: head.split(' ').nth(1).unwrap().parse().unwrap(),
            head,
            body: Vec::new(),
        };
        if reply.header("transfer-encoding") == Some("chunked") {
            while !self.read.ends_with(b"0\r\n\r\n") {
                self.more()?;
            }
            reply.body = self.read.split_off(end);
            self.read.clear();
            return Some(reply);
        }
        let length: usize = reply.header("content-length").unwrap().parse().unwrap();
        while self.read.len() < end + length {
            self.more()?;
        }
        reply.body = self.read[end..end + length].to_vec();
        self.read.drain(..end + length);
        Some(reply)
    }

    /// Everything until the connection ends.
    pub(crate) fn rest(mut self) -> Vec<u8> {
        while self.more().is_some() {}
        self.read
    }

    fn more(&mut self) -> Option<()> {
        let mut some = [0; 8192];
        let n = self.stream.read(&mut some).ok().filter(|n| *n > 0)?;
        self.read.extend_from_slice(&some[..n]);
        Some(())
    }
}

pub(crate) fn address(standin: &Standin) -> String {
    standin.origin().replace("http://", "")
}

/// A running server with that policy.
pub(crate) fn serve(policy: &str) -> Standin {
    builder(policy).start().unwrap()
}

pub(crate) fn builder(policy: &str) -> Builder {
    Standin::builder().policy(policy.parse::<Policy>().unwrap())
}

/// A choice body; an option is `key` (null) or `key=text`.
pub(crate) fn choice(state: &str, options: &[&str]) -> String {
    let question = choice_question(options);
    format!("{{\"model\":\"jev-latest\",\"state\":\"{state}\",\"questions\":{{\"q\":{question}}}}}")
}

pub(crate) fn choice_question(options: &[&str]) -> String {
    let mut criteria = String::new();
    for (at, option) in options.iter().enumerate() {
        let comma = if at > 0 { "," } else { "" };
        match option.split_once('=') {
            Some((key, text)) => write!(criteria, "{comma}\"{key}\":\"{text}\"").unwrap(),
            None => write!(criteria, "{comma}\"{option}\":null").unwrap(),
        }
    }
    format!("{{\"type\":\"choice\",\"instructions\":\"Which?\",\"criteria\":{{{criteria}}}}}")
}

pub(crate) const ABC: [&str; 3] = ["alpha=payments", "beta=errors and outages", "gamma"];
