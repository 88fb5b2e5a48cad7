//! The running server and its builder.

use std::fmt;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::{self, Runtime};
use tokio::sync::{mpsc, watch};

use crate::connection;
use crate::decide::Memory;
use crate::dialect::Dialect;
use crate::fault::{Fault, When};
use crate::policy::Policy;
use crate::route::Settings;
use crate::seen::Seen;

const BACKLOG: u32 = 1024;
const PAUSE_AFTER_FAILED_ACCEPT: Duration = Duration::from_millis(10);

/// What all connections share.
pub(crate) struct Shared {
    pub(crate) settings: Settings,
    pub(crate) memory: Memory,
    pub(crate) delay: Duration,
    pub(crate) record: bool,
    pub(crate) seen: Mutex<Vec<Seen>>,
    pub(crate) busy: AtomicUsize,
    count: AtomicU64,
    faults: Vec<(Fault, When)>,
    stopped: watch::Sender<bool>,
}

impl Shared {
    /// Numbers a new decision request, from 1.
    pub(crate) fn next(&self) -> u64 {
        self.count.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub(crate) fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    /// The faults of request `number`, in the order given.
    pub(crate) fn faults(&self, number: u64) -> Vec<&Fault> {
        let firing = self.faults.iter().filter(|(fault, when)| {
            // A dead server cannot count: `refuse` has no end.
            when.fires(number)
                || (*fault == Fault::Refuse && matches!(when, When::Nth(k) if number > *k))
        });
        firing.map(|(fault, _)| fault).collect()
    }

    pub(crate) fn stop(&self) {
        self.stopped.send_replace(true);
    }
}

/// A running server. Dropping it stops it.
pub struct Standin {
    shared: Arc<Shared>,
    address: SocketAddr,
    threads: Mutex<Vec<JoinHandle<()>>>,
    /// Keeps the port from others after [`Standin::stop`], refusing all the while.
    held: Arc<Mutex<Option<TcpSocket>>>,
}

impl Standin {
    /// A server of the `typesafe` dialect whose model prefers the first option, until told otherwise.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// The decision endpoint's full URL, such as `http://127.0.0.1:PORT/v1/systemone`.
    pub fn url(&self) -> String {
        format!("{}{}", self.origin(), self.shared.settings.dialect.path())
    }

    /// `http://127.0.0.1:PORT`.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every request received so far, in order of arrival; nothing with [`Builder::record`] off.
    pub fn seen(&self) -> Vec<Seen> {
        self.shared
            .seen
            .lock()
            .map(|seen| seen.clone())
            .unwrap_or_default()
    }

    /// How many decision requests have been received, answered or not.
    pub fn count(&self) -> usize {
        usize::try_from(self.shared.count()).unwrap_or(usize::MAX)
    }

    /// Closes the listening socket and all open connections, and refuses from now on. Returns when that is so.
    pub fn stop(&self) {
        self.shared.stop();
        let threads = self
            .threads
            .lock()
            .map(|mut threads| std::mem::take(&mut *threads));
        for thread in threads.unwrap_or_default() {
            // A thread that panicked has already said so.
            let _ = thread.join();
        }
    }
}

impl Drop for Standin {
    fn drop(&mut self) {
        self.stop();
        if let Ok(mut held) = self.held.lock() {
            held.take();
        }
    }
}

impl fmt::Debug for Standin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Standin")
            .field("url", &self.url())
            .finish_non_exhaustive()
    }
}

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

    /// Starts the server.
    ///
    /// # Errors
    /// If the port cannot be had, or a thread cannot be started.
    pub fn start(self) -> io::Result<Standin> {
        let shared = Arc::new(Shared {
            settings: Settings {
                dialect: self.dialect,
                policy: self.policy,
                model: self
                    .model
                    .unwrap_or_else(|| self.dialect.model().to_owned()),
                key: self.key,
                decimals: self.round,
                echo_seen: self.echo_seen,
            },
            memory: Memory::default(),
            delay: self.delay,
            record: self.record,
            seen: Mutex::default(),
            busy: AtomicUsize::new(0),
            count: AtomicU64::new(0),
            faults: self.faults,
            stopped: watch::Sender::new(false),
        });
        let first = runtime()?;
        let listener = {
            let _context = first.enter();
            bind(SocketAddr::from((Ipv4Addr::LOCALHOST, self.port)))?.listen(BACKLOG)?
        };
        let address = listener.local_addr()?;
        let held = Arc::new(Mutex::new(None));
        if shared.faults(1).contains(&&Fault::Refuse) {
            shared.stop();
        }
        let mut threads = Vec::with_capacity(self.threads);
        let mut helpers = Vec::new();
        for _ in 1..self.threads {
            let (helper, streams) = mpsc::unbounded_channel();
            let (runtime, shared) = (runtime()?, Arc::clone(&shared));
            threads.push(start(move || runtime.block_on(help(streams, shared)))?);
            helpers.push(helper);
        }
        let (keep, server) = (Arc::clone(&held), Arc::clone(&shared));
        threads.push(start(move || {
            first.block_on(listen(listener, helpers, server));
            drop(first);
            if let Ok(mut held) = keep.lock() {
                *held = bind(address).ok();
            }
        })?);
        let standin = Standin {
            shared,
            address,
            threads: Mutex::new(threads),
            held,
        };
        if *standin.shared.stopped.borrow() {
            standin.stop();
        }
        Ok(standin)
    }
}

fn runtime() -> io::Result<Runtime> {
    runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .build()
}

fn start(work: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    thread::Builder::new()
        .name("standin".to_owned())
        .spawn(work)
}

fn bind(address: SocketAddr) -> io::Result<TcpSocket> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}

async fn stopped(shared: &Shared) {
    // The sender lives as long as `shared`, so this ends only when the server is stopped.
    let _ = shared
        .stopped
        .subscribe()
        .wait_for(|stopped| *stopped)
        .await;
}

/// Accepts connections and hands them out in turn; ends, and with it the listening socket, when stopped.
async fn listen(
    listener: TcpListener,
    helpers: Vec<mpsc::UnboundedSender<std::net::TcpStream>>,
    shared: Arc<Shared>,
) {
    let accept = async {
        let mut turn = 0;
        loop {
            let Ok((stream, _)) = listener.accept().await else {
                tokio::time::sleep(PAUSE_AFTER_FAILED_ACCEPT).await;
                continue;
            };
            if shared
                .faults(shared.count() + 1)
                .contains(&&Fault::AcceptAndClose)
            {
                shared.next();
                continue;
            }
            // Without this a reply may wait for the acknowledgement of the one before.
            let _ = stream.set_nodelay(true);
            match helpers.get(turn) {
                None => drop(tokio::spawn(connection::serve(stream, Arc::clone(&shared)))),
                Some(helper) => {
                    if let Ok(stream) = stream.into_std() {
                        let _ = helper.send(stream);
                    }
                }
            }
            turn = (turn + 1) % (helpers.len() + 1);
        }
    };
    tokio::select! {
        () = stopped(&shared) => {}
        () = accept => {}
    }
}

/// Serves the connections handed over; ends when stopped.
async fn help(mut streams: mpsc::UnboundedReceiver<std::net::TcpStream>, shared: Arc<Shared>) {
    let serve = async {
        while let Some(stream) = streams.recv().await {
            if let Ok(stream) = TcpStream::from_std(stream) {
                tokio::spawn(connection::serve(stream, Arc::clone(&shared)));
            }
        }
    };
    tokio::select! {
        () = stopped(&shared) => {}
        () = serve => {}
    }
}
