//! What a server will be like.

use std::io;
use std::time::Duration;

use crate::confidence::Confidence;
use crate::dialect::Dialect;
use crate::fault::{Fault, When};
use crate::language::Setting;
use crate::policy::Policy;
use crate::server::{Shared, Standin};
use crate::service::Settings;

/// Says what a server will be like.
#[derive(Clone, Debug)]
#[must_use = "a builder does nothing until it is started"]
pub struct Builder {
    dialect: Dialect,
    policy: Policy,
    faults: Vec<(Fault, When)>,
    delay: Duration,
    key: Option<String>,
    round: Option<u32>,
    model: Option<String>,
    port: u16,
    record: bool,
    echo_seen: bool,
    threads: usize,
    confidence: Option<Confidence>,
    headers: Vec<(String, String)>,
    language: Vec<Setting>,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            dialect: Dialect::Typesafe,
            policy: Policy::First,
            faults: Vec::new(),
            delay: Duration::ZERO,
            key: None,
            round: None,
            model: None,
            port: 0,
            record: true,
            echo_seen: false,
            threads: 1,
            confidence: None,
            headers: Vec::new(),
            language: Vec::new(),
        }
    }
}

impl Builder {
    /// The dialect spoken; [`Dialect::Typesafe`] by default.
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = dialect;
        self
    }

    /// What the model prefers; [`Policy::First`] by default.
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Adds a fault. Of several that replace the whole reply, the first one given wins.
    pub fn fault(mut self, fault: Fault, when: When) -> Self {
        self.faults.push((fault, when));
        self
    }

    /// Time that passes before each decision is sent.
    pub fn delay(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Requires this key as `Authorization: Bearer KEY`; without one, any or none will do.
    pub fn key(mut self, key: &str) -> Self {
        self.key = Some(key.to_owned());
        self
    }

    /// Rounds every number of an answer to so many decimals.
    pub fn round(mut self, decimals: u32) -> Self {
        self.round = Some(decimals);
        self
    }

    /// The served model's name; in Laya's dialects that of the checkpoint in `routing`.
    pub fn model(mut self, model: &str) -> Self {
        self.model = Some(model.to_owned());
        self
    }

    /// The port; 0, the default, is any free one.
    pub fn port(mut self, port: u16) -> Self {
        self.port = port;
        self
    }

    /// Whether requests are kept for [`Standin::seen`]; they are by default. Off for benchmarks.
    pub fn record(mut self, record: bool) -> Self {
        self.record = record;
        self
    }

    /// Whether replies carry `x_seen`: the option keys in order, the SHA-256 of the body bytes and the header names.
    pub fn echo_seen(mut self, echo: bool) -> Self {
        self.echo_seen = echo;
        self
    }

    /// How many threads serve; 1 by default.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// What `confidence` of choices and scores means; the dialect's own formula by default.
    pub fn confidence(mut self, confidence: Confidence) -> Self {
        self.confidence = Some(confidence);
        self
    }

    /// Adds a header to every reply.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Adds a setting of a language model's server; other dialects have no use for it. Of two that say the same, the last counts.
    pub fn setting(mut self, setting: Setting) -> Self {
        self.language.push(setting);
        self
    }

    /// Starts the server.
    ///
    /// # Errors
    /// If the port cannot be had, or a thread cannot be started.
    pub fn start(self) -> io::Result<Standin> {
        let settings = Settings {
            dialect: self.dialect,
            policy: self.policy,
            model: self
                .model
                .unwrap_or_else(|| self.dialect.model().to_owned()),
            key: self.key,
            decimals: self.round,
            echo_seen: self.echo_seen,
            confidence: self.confidence,
            headers: self.headers,
            language: self.language,
        };
        let shared = Shared::new(settings, self.faults, self.delay, self.record);
        Standin::launch(shared, self.port, self.threads)
    }
}
