//! How many decisions per second a stand-in gives over kept connections, with a client as bare as the server.
//!
//! `cargo run --release -p flipside-standin --example throughput -- [CONNECTIONS] [SECONDS] [HOST:PORT]`. Client and
//! server share the machine, so the figure is that of both together. With an address, it asks that server instead.
#![expect(clippy::print_stdout, reason = "a measurement says what it found")]

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use flipside_standin::{Policy, Standin};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const BODY: &str = r#"{"model":"jev-latest","state":{"subject":"Charged twice","body":"Two identical payments on 3 May."},"questions":{"queue":{"type":"choice","instructions":"Which team should own this ticket?","criteria":{"billing":"payments, invoices, refunds","technical":"errors and outages","human":null,"sales":"offers and contracts"}}}}"#;

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: u64| {
        arguments
            .next()
            .and_then(|a| a.parse().ok())
            .unwrap_or(default)
    };
    let (connections, seconds) = (number(32), number(3));
    let standin = Standin::builder()
        .policy(Policy::First)
        .record(false)
        .start()?;
    let own = standin.origin().replace("http://", "");
    let address = arguments.next().unwrap_or(own);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .build()?;
    let done = Arc::new(AtomicU64::new(0));
    let start = Instant::now();
    runtime.block_on(async {
        for _ in 0..connections {
            tokio::spawn(ask(address.clone(), Arc::clone(&done)));
        }
        tokio::time::sleep(Duration::from_secs(seconds)).await;
    });
    let done = done.load(Ordering::Relaxed);
    println!(
        "{} decisions, {} a second",
        done,
        u128::from(done) * 1000 / start.elapsed().as_millis()
    );
    Ok(())
}

/// Asks one after the other over one connection, until the runtime ends.
async fn ask(address: String, done: Arc<AtomicU64>) -> io::Result<()> {
    let mut stream = TcpStream::connect(&address).await?;
    stream.set_nodelay(true)?;
    let request = format!(
        "POST /v1/systemone HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nAccept: application/json\r\n\
         Authorization: Bearer none\r\nContent-Length: {}\r\n\r\n{BODY}",
        BODY.len()
    );
    let mut reply = vec![0; 16 * 1024];
    // Replies are short and end with two braces, which stand nowhere else at the end of a packet.
    loop {
        stream.write_all(request.as_bytes()).await?;
        let mut read = 0;
        while !(read > 0 && reply[..read].ends_with(b"}}")) {
            let n = stream.read(&mut reply[read..]).await?;
            if n == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            read += n;
        }
        done.fetch_add(1, Ordering::Relaxed);
    }
}
