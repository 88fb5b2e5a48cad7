//! One connection: requests read one after the other, each answered with one write.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time;

use crate::dialect::Wrong;
use crate::fault::Fault;
use crate::head::{self, Head};
use crate::hop;
use crate::reply::Reply;
use crate::request::Problem;
use crate::route::{Call, Route};
use crate::seen::Seen;
use crate::server::Shared;

const FIRST_READ: usize = 16 * 1024;
const MAX_HEAD: usize = 64 * 1024;
const MAX_BODY: usize = 64 * 1024 * 1024;
const LAYA_CONCURRENT: usize = 16;
const LAYA_BODY_TIMEOUT: Duration = Duration::from_secs(30);
const CONTINUE: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";
const NOT_HTTP: &[u8] =
    b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/// Serves a connection until either side ends it.
pub(crate) async fn serve(mut stream: TcpStream, shared: Arc<Shared>) {
    let mut wire = Wire {
        inbox: Vec::with_capacity(FIRST_READ),
        reply: Reply::new(),
        out: Vec::with_capacity(2048),
    };
    while let Some((head, body)) = wire.receive(&mut stream, &shared).await {
        let (body, end) = match body {
            Received::Plain(end) => (Cow::Borrowed(&wire.inbox[head.length..end]), end),
            Received::Chunked(body, end) => (Cow::Owned(body), end),
        };
        let call = Call {
            bytes: &wire.inbox,
            head: &head,
            body: &body,
        };
        wire.out.clear();
        wire.reply.clear();
        let mut exchange = Exchange {
            stream: &mut stream,
            shared: &shared,
            reply: &mut wire.reply,
            out: &mut wire.out,
        };
        if exchange.answer(&call).await.is_none() {
            return;
        }
        if end == wire.inbox.len() {
            wire.inbox.clear();
        } else {
            wire.inbox.drain(..end);
        }
    }
}

struct Wire {
    inbox: Vec<u8>,
    reply: Reply,
    out: Vec<u8>,
}

/// A body, and where it ends in the inbox.
enum Received {
    Plain(usize),
    Chunked(Vec<u8>, usize),
}

impl Wire {
    /// The next whole request; nothing when the connection has ended or has to.
    async fn receive(
        &mut self,
        stream: &mut TcpStream,
        shared: &Shared,
    ) -> Option<(Head, Received)> {
        let head = loop {
            if !self.inbox.is_empty() {
                match Head::read(&self.inbox) {
                    Ok(Some(head)) => break head,
                    Ok(None) if self.inbox.len() <= MAX_HEAD => {}
                    _ => return self.refuse(stream).await,
                }
            }
            self.more(stream, FIRST_READ).await?;
        };
        if head.expects_continue {
            stream.write_all(CONTINUE).await.ok()?;
        }
        let dialect = shared.settings.dialect;
        let body = self.body(stream, &head);
        if !dialect.is_laya() {
            return body.await.map(|body| (head, body));
        }
        if let Ok(body) = time::timeout(LAYA_BODY_TIMEOUT, body).await {
            return body.map(|body| (head, body));
        }
        self.reply.clear();
        let slow = Problem::new(Wrong::Envelope, &["body"], "the body came too slowly");
        self.reply.error(dialect, 408, "malformed_request", &slow);
        self.out.clear();
        self.reply.send(&mut self.out, &[], true);
        stream.write_all(&self.out).await.ok()?;
        None
    }

    async fn body(&mut self, stream: &mut TcpStream, head: &Head) -> Option<Received> {
        if head.chunked {
            loop {
                match head::chunked(&self.inbox[head.length..]) {
                    Ok(Some((body, used))) => {
                        return Some(Received::Chunked(body, head.length + used));
                    }
                    Ok(None) if self.inbox.len() <= MAX_BODY => {
                        self.more(stream, FIRST_READ).await?;
                    }
                    _ => return self.refuse(stream).await,
                }
            }
        }
        if head.content_length > MAX_BODY {
            return self.refuse(stream).await;
        }
        let end = head.length + head.content_length;
        while self.inbox.len() < end {
            self.more(stream, end - self.inbox.len()).await?;
        }
        Some(Received::Plain(end))
    }

    async fn more(&mut self, stream: &mut TcpStream, room: usize) -> Option<()> {
        self.inbox.reserve(room);
        match stream.read_buf(&mut self.inbox).await {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(()),
        }
    }

    async fn refuse<T>(&self, stream: &mut TcpStream) -> Option<T> {
        stream.write_all(NOT_HTTP).await.ok()?;
        None
    }
}

struct Exchange<'a> {
    stream: &'a mut TcpStream,
    shared: &'a Arc<Shared>,
    reply: &'a mut Reply,
    out: &'a mut Vec<u8>,
}

/// Counts a request as being answered, as long as it lives.
struct Busy<'a>(&'a AtomicUsize);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Exchange<'_> {
    /// Answers one request; nothing when the connection has to end.
    async fn answer(&mut self, call: &Call<'_>) -> Option<()> {
        let settings = &self.shared.settings;
        let route = Route::of(settings.dialect, call.method(), call.path());
        let number = if route.is_decision() {
            self.shared.next()
        } else {
            self.shared.count()
        };
        let place = self.record(call, route);
        if !route.is_decision() {
            settings.answer(call, (route, number), &self.shared.memory, &[], self.reply);
            settings.fields(call, number, self.reply);
            return self.send(place, &[], call.head.close).await;
        }
        let faults = self.shared.faults(number);
        if faults
            .iter()
            .any(|fault| matches!(fault, Fault::AcceptAndClose | Fault::Refuse))
        {
            return None;
        }
        let passed = if faults.contains(&&Fault::KnownFields) {
            hop::known_fields(call.body, settings.dialect)
        } else {
            Cow::Borrowed(call.body)
        };
        let call = &Call {
            body: &passed,
            ..*call
        };
        let busy = self.shared.busy.fetch_add(1, Ordering::Relaxed);
        let _busy = Busy(&self.shared.busy);
        if settings.dialect.is_laya() && busy >= LAYA_CONCURRENT && settings.authorize(call).is_ok()
        {
            let problem = Problem::new(Wrong::Busy, &[], "too many requests at once");
            self.reply.problem(settings.dialect, &problem);
            return self.send(place, &[], call.head.close).await;
        }
        self.wait(&faults).await?;
        let credentials = call.credentials().unwrap_or_default();
        let replaced = faults
            .iter()
            .any(|fault| self.reply.replace(fault, settings.dialect, credentials));
        if !replaced {
            settings.answer(
                call,
                (route, number),
                &self.shared.memory,
                &faults,
                self.reply,
            );
        }
        settings.fields(call, number, self.reply);
        for fault in &faults {
            self.reply.spoil(fault);
        }
        let sent = self.send(place, &faults, call.head.close).await;
        if self.shared.faults(number + 1).contains(&&Fault::Refuse) {
            self.shared.stop();
        }
        sent
    }

    fn record(&self, call: &Call<'_>, route: Route) -> Option<usize> {
        if !self.shared.record {
            return None;
        }
        let keys = if route.is_decision() {
            call.keys(self.shared.settings.dialect)
        } else {
            Vec::new()
        };
        let mut seen = Seen::new(call.bytes, call.head, call.body, keys);
        if route.is_decision() {
            seen.letters = call.letters(self.shared.settings.dialect);
        }
        let mut all = self.shared.seen.lock().ok()?;
        all.push(seen);
        Some(all.len() - 1)
    }

    /// Sleeps as long as settings and faults ask; nothing when no answer is to come.
    async fn wait(&mut self, faults: &[&Fault]) -> Option<()> {
        let mut delay = self.shared.delay;
        for fault in faults {
            match fault {
                Fault::Late(late) => delay += *late,
                Fault::NeverAnswer => {
                    let mut rest = [0; 1024];
                    while self.stream.read(&mut rest).await.is_ok_and(|n| n > 0) {}
                    return None;
                }
                _ => {}
            }
        }
        if !delay.is_zero() {
            self.shared.sleep(delay).await;
        }
        Some(())
    }

    async fn send(&mut self, place: Option<usize>, faults: &[&Fault], close: bool) -> Option<()> {
        let keep = self.reply.send(self.out, faults, close);
        if let Some(place) = place
            && let Ok(mut all) = self.shared.seen.lock()
        {
            all[place].status = self.reply.status;
        }
        let trickle = faults.iter().find_map(|fault| match fault {
            Fault::Trickle(pause) => Some(*pause),
            _ => None,
        });
        match trickle {
            None => self.stream.write_all(self.out).await.ok()?,
            Some(pause) => {
                for byte in self.out.chunks(1) {
                    self.stream.write_all(byte).await.ok()?;
                    time::sleep(pause).await;
                }
            }
        }
        keep.then_some(())
    }
}
