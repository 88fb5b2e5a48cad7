//! The server: one message in, at most one out, calls beside each other.

use std::io::{self, Write};

use flipside_core::foreign::Foreign;
use flipside_core::json::{Json, Object};
use flipside_engine::Signals;
use flipside_models::env::Environment;
use futures_util::StreamExt;
use futures_util::future::LocalBoxFuture;
use futures_util::stream::FuturesUnordered;
use tokio::time::{Instant, sleep_until};

use super::input::{Line, lines};
use super::message::{INVALID, METHOD, Message, PARAMS, PARSE, Request, answered, failed, read};
use super::outcome::Outcome;
use super::schema::{DECIDE, INSTRUCTIONS, PROBE, tools};
use super::{decide, probe};
use crate::cli::out;
use crate::cli::values::{object, text};
use crate::defaults;
use crate::diagnostic::{self, Diagnostic, say};
use crate::exit::Exit;
use crate::flags::McpFlags;
use crate::keys;
use crate::settings::{self, Mcp};

/// Protocol revisions, the one that is offered first.
const REVISIONS: [&str; 2] = ["2025-11-25", "2025-06-18"];

/// Runs the command.
pub(crate) fn mcp(
    flags: &McpFlags,
    environment: &Environment,
    runtime: &tokio::runtime::Runtime,
) -> Exit {
    match settings::mcp(flags) {
        Ok(settings) => runtime.block_on(serve(&settings, environment)),
        Err(errors) => {
            diagnostic::print(&errors);
            Exit::Usage
        }
    }
}

/// A call in flight.
struct Call {
    id: Json,
    signals: Signals,
}

/// A call that ended.
struct Ended {
    id: Json,
    outcome: Outcome,
}

/// What a message leads to.
enum Next<'a> {
    Nothing,
    Send(Json),
    Call(LocalBoxFuture<'a, Ended>),
}

struct Server<'a> {
    settings: &'a Mcp,
    environment: &'a Environment,
    /// Every key that a result might show.
    keys: Environment,
    initialized: bool,
    calls: Vec<Call>,
}

async fn serve(settings: &Mcp, environment: &Environment) -> Exit {
    say(started(settings));
    // A variable that cannot be read is told by every call.
    let keys = keys::named(environment, settings.key_from());
    let mut server = Server {
        settings,
        environment,
        keys: keys.unwrap_or_else(|_| environment.clone()),
        initialized: false,
        calls: Vec::new(),
    };
    let mut lines = lines();
    let mut in_flight = FuturesUnordered::new();
    let mut interrupted = std::pin::pin!(out::interrupt());
    // Set at the end of input.
    let mut end: Option<Instant> = None;
    loop {
        let next = tokio::select! {
            biased;
            () = &mut interrupted => break,
            () = sleep_until(end.unwrap_or_else(Instant::now)), if end.is_some() => break,
            Some(ended) = in_flight.next() => server.ended(ended),
            line = lines.recv(), if end.is_none() => if let Some(line) = line {
                server.take(line)
            } else {
                end = Some(Instant::now() + defaults::MCP_ENDING);
                Next::Nothing
            },
        };
        match next {
            Next::Nothing => {}
            Next::Call(call) => in_flight.push(call),
            Next::Send(message) => {
                // A client that is gone wants no further answer.
                if send(&server.redacted(message)).is_err() {
                    break;
                }
            }
        }
        if end.is_some() && in_flight.is_empty() {
            break;
        }
    }
    Exit::Held
}

fn started(settings: &Mcp) -> String {
    let models: Vec<String> = (settings.models().iter())
        .map(|model| format!("`{}`", Foreign(model)))
        .collect();
    format!(
        "serving `decide` and `probe` over standard input and output, {}, at most {} asks a call",
        models.join(", "),
        settings.most_asks
    )
}

fn send(message: &Json) -> io::Result<()> {
    let mut bytes = Vec::new();
    message.write(&mut bytes);
    bytes.push(b'\n');
    let mut out = io::stdout().lock();
    out.write_all(&bytes)?;
    out.flush()
}

impl<'a> Server<'a> {
    fn ended(&mut self, ended: Ended) -> Next<'a> {
        let Some(place) = self.calls.iter().position(|call| call.id == ended.id) else {
            return Next::Nothing;
        };
        let call = self.calls.swap_remove(place);
        if call.signals.abort.is_cancelled() {
            return Next::Nothing;
        }
        Next::Send(answered(&call.id, ended.outcome.result()))
    }

    /// `message` without a key; its `id`, which is the client's own, is as it was.
    fn redacted(&self, message: Json) -> Json {
        match message {
            Json::Object(members) => {
                let members = members.into_members().into_iter();
                let members = members.map(|(name, value)| match name.as_str() {
                    "id" => (name, value),
                    _ => (name, without_keys(&self.keys, value)),
                });
                Json::Object(Object::new(members.collect()).expect("the same members"))
            }
            other => other,
        }
    }

    fn take(&mut self, line: Line) -> Next<'a> {
        let line = match line {
            Line::Text(line) => line,
            Line::Unreadable { why, id, broken } => {
                let code = if broken { PARSE } else { INVALID };
                return Next::Send(failed(&id, code, &why));
            }
        };
        match read(&line) {
            Err(answer) => Next::Send(answer),
            Ok(Message::Answer) => Next::Nothing,
            Ok(Message::Notification { method, params }) => {
                if method == "notifications/cancelled" {
                    self.cancel(&params);
                }
                Next::Nothing
            }
            Ok(Message::Request(request)) => self.request(request),
        }
    }

    fn cancel(&self, params: &Object) {
        let id = params.get("requestId");
        for call in self.calls.iter().filter(|call| Some(&call.id) == id) {
            call.signals.abort.cancel();
        }
    }

    fn request(&mut self, request: Request) -> Next<'a> {
        let Request {
            id,
            method,
            params,
            repeated,
        } = request;
        let refuse = |code, why: &str| Next::Send(failed(&id, code, why));
        if let Some(repeated) = repeated.as_ref().filter(|_| method != "tools/call") {
            return refuse(PARAMS, repeated);
        }
        match method.as_str() {
            "ping" => Next::Send(answered(&id, object(Vec::new()))),
            "initialize" if self.initialized => refuse(INVALID, "`initialize` was called before"),
            "initialize" => match initialized(&params) {
                Ok(result) => {
                    self.initialized = true;
                    Next::Send(answered(&id, result))
                }
                Err(why) => refuse(PARAMS, &why),
            },
            "tools/list" | "tools/call" if !self.initialized => {
                refuse(INVALID, "`initialize` comes first")
            }
            "tools/list" if params.get("cursor").is_some() => refuse(
                PARAMS,
                "`cursor`: the list has one page, which has no cursor",
            ),
            "tools/list" => {
                let tools = object(vec![("tools", Json::Array(tools()))]);
                Next::Send(answered(&id, tools))
            }
            "tools/call" => self.call(&id, &params, repeated),
            _ => {
                let method = Foreign(&method).cut(80);
                refuse(METHOD, &format!("`{method}` is no method of this server"))
            }
        }
    }

    fn call(&mut self, id: &Json, params: &Object, repeated: Option<String>) -> Next<'a> {
        let refuse = |code, why: &str| Next::Send(failed(id, code, why));
        if self.calls.iter().any(|call| call.id == *id) {
            return refuse(INVALID, "a call with this `id` is in flight");
        }
        if let Some(repeated) = repeated {
            let help = "give each key once; flipside never merges or drops one";
            let outcome = Outcome::of_errors(&[Diagnostic::new(repeated).help(help)]);
            return Next::Send(answered(id, outcome.result()));
        }
        let Some(name) = params.get("name").and_then(Json::as_str) else {
            return refuse(PARAMS, "`name` is missing, expected `decide` or `probe`");
        };
        let name = match name {
            DECIDE => DECIDE,
            PROBE => PROBE,
            other => {
                let other = Foreign(other).cut(80);
                return refuse(
                    PARAMS,
                    &format!("`{other}` is no tool, expected `decide` or `probe`"),
                );
            }
        };
        let arguments = match params.get("arguments") {
            None => Object::default(),
            Some(Json::Object(arguments)) => arguments.clone(),
            Some(other) => {
                let why = format!("`arguments` is {}, expected an object", other.kind());
                return refuse(PARAMS, &why);
            }
        };
        let signals = Signals::default();
        self.calls.push(Call {
            id: id.clone(),
            signals: signals.clone(),
        });
        let (settings, environment, id) = (self.settings, self.environment, id.clone());
        Next::Call(Box::pin(async move {
            let outcome = match name {
                DECIDE => decide::decide(settings, environment, &arguments, &signals).await,
                _ => probe::probe(settings, environment, &arguments, &signals).await,
            };
            let outcome = outcome.unwrap_or_else(|errors| Outcome::of_errors(&errors));
            Ended { id, outcome }
        }))
    }
}

/// `value` with no key in any text; the names of members are our own.
fn without_keys(keys: &Environment, value: Json) -> Json {
    match value {
        Json::String(text) => Json::String(keys.redacted(&text).into_owned()),
        Json::Array(items) => {
            let items = items.into_iter().map(|item| without_keys(keys, item));
            Json::Array(items.collect())
        }
        Json::Object(members) => {
            let members = members.into_members().into_iter();
            let members = members.map(|(name, value)| (name, without_keys(keys, value)));
            Json::Object(Object::new(members.collect()).expect("the same members"))
        }
        other => other,
    }
}

/// The result of `initialize`: the client's revision where it is known, else our newest.
fn initialized(params: &Object) -> Result<Json, String> {
    let Some(wanted) = params.get("protocolVersion").and_then(Json::as_str) else {
        return Err("`protocolVersion` is missing".to_owned());
    };
    let known = REVISIONS.iter().find(|revision| **revision == wanted);
    let tools = object(vec![("listChanged", Json::Bool(false))]);
    let server = object(vec![
        ("name", text("flipside")),
        ("title", text("flipside")),
        ("version", text(env!("CARGO_PKG_VERSION"))),
    ]);
    Ok(object(vec![
        ("protocolVersion", text(*known.unwrap_or(&REVISIONS[0]))),
        ("capabilities", object(vec![("tools", tools)])),
        ("serverInfo", server),
        ("instructions", text(INSTRUCTIONS)),
    ]))
}
