//! `flipside-standin`: test servers that speak the decision protocols, right and wrong; uses no room of ours.
//!
//! A [`Standin`] is a running HTTP server on a loopback port, with its own threads, so tests that start one need no
//! async runtime. It answers with a [`Policy`] whose flip rates are known, in a [`Dialect`], and goes wrong on the
//! requests that a [`Fault`] and its [`When`] name. It reads bodies with its own ordered, duplicate-keeping tokenizer
//! and keeps what it [`Seen`], so that a test can assert on the wire itself. Dropping it stops it.
//!
//! ```
//! use std::io::{Read, Write};
//! use flipside_standin::{Fault, Policy, Standin, When};
//!
//! let standin = Standin::builder()
//!     .policy(Policy::First)
//!     .fault(Fault::Status(503), When::Nth(2))
//!     .start()?;
//! let body = r#"{"model":"jev-latest","state":"s","questions":{"q":{"type":"choice","criteria":{"b":null,"a":null}}}}"#;
//! let mut stream = std::net::TcpStream::connect(standin.origin().trim_start_matches("http://"))?;
//! write!(stream, "POST /v1/systemone HTTP/1.1\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}", body.len())?;
//! let mut reply = String::new();
//! stream.read_to_string(&mut reply)?;
//! assert!(reply.contains(r#""choice":"b""#), "{reply}");
//! assert_eq!(standin.seen()[0].keys, ["b", "a"]);
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! The binary of the same name serves until Ctrl-C:
//!
//! ```text
//! flipside-standin --policy sorted-order:first --dialect laya --delay 20ms --fault status:500@every:5
//! ```

mod agentjev;
mod answer;
mod builder;
mod cache;
mod check;
mod clock;
mod confidence;
mod connection;
mod counted;
mod date;
mod decide;
mod dialect;
mod draw;
mod fault;
mod head;
mod hop;
mod json;
mod language;
mod listed;
mod offers;
mod openai;
mod permute;
mod planted;
mod policy;
mod refusal;
mod reply;
mod request;
mod route;
mod seen;
mod server;
mod service;
mod shares;
mod sheet;
mod spoil;
mod strict;
mod words;

pub use builder::Builder;
pub use confidence::Confidence;
pub use counted::Counted;
pub use dialect::Dialect;
pub use fault::{Fault, LanguageFault, Retry, When};
pub use language::{Language, Setting};
pub use policy::{ParseError, Policy};
pub use seen::Seen;
pub use server::Standin;
