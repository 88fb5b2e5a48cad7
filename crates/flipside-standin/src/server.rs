//! The running server.

use std::fmt;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::{self, Runtime};
use tokio::sync::{mpsc, watch};

use crate::builder::Builder;
use crate::cache::Memory;
use crate::clock::Clock;
use crate::connection;
use crate::fault::{Fault, When};
use crate::seen::Seen;
use crate::service::Settings;

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
    clock: OnceLock<Option<Clock>>,
    stopped: watch::Sender<bool>,
}

impl Shared {
    pub(crate) fn new(
        settings: Settings,
        faults: Vec<(Fault, When)>,
        delay: Duration,
        record: bool,
    ) -> Self {
        Self {
            settings,
            memory: Memory::default(),
            delay,
            record,
            seen: Mutex::default(),
            busy: AtomicUsize::new(0),
            count: AtomicU64::new(0),
            faults,
            clock: OnceLock::new(),
            stopped: watch::Sender::new(false),
        }
    }

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

    /// Sleeps for `duration`, to a fraction of a millisecond.
    pub(crate) async fn sleep(&self, duration: Duration) {
        match self.clock.get_or_init(|| Clock::start().ok()) {
            Some(clock) => clock.sleep(duration).await,
            None => tokio::time::sleep(duration).await,
        }
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

    /// Starts serving.
    pub(crate) fn launch(shared: Shared, port: u16, thread_count: usize) -> io::Result<Self> {
        let shared = Arc::new(shared);
        let first = runtime()?;
        let listener = {
            let _context = first.enter();
            bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?.listen(BACKLOG)?
        };
        let address = listener.local_addr()?;
        let held = Arc::new(Mutex::new(None));
        if shared.faults(1).contains(&&Fault::Refuse) {
            shared.stop();
        }
        let mut threads = Vec::with_capacity(thread_count);
        let mut helpers = Vec::new();
        for _ in 1..thread_count {
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
