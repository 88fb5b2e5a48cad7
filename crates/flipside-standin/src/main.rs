//! `flipside-standin`: serves a stand-in until Ctrl-C.

use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;

use clap::Parser;
use flipside_standin::{Builder, Fault, ParseError, Policy, Setting, Standin, When};

/// A test server that speaks a decision protocol, right or wrong; prints its URL and serves until Ctrl-C.
#[derive(Parser)]
#[command(version, after_help = format!("{}\n\n{}", Policy::HELP, Setting::HELP))]
struct Arguments {
    /// What `confidence` means: above-chance, entropy, max-p, margin; the dialect's own without it
    #[arg(long)]
    confidence: Option<String>,
    /// Time before each decision, such as 20ms or 1.5s
    #[arg(long)]
    delay: Option<String>,
    /// Protocol: typesafe (as without it), openrouter, vercel, laya, laya-pkg, problem-json, predict, clm, cua, ollama-s1, kev, runware, cloudflare,
    /// jev-compatible, openai-decisions, agentjev; of a language model's server: chat, completions, llamacpp, ollama, no-logprobs, top5
    #[arg(long)]
    dialect: Option<String>,
    /// Add `x_seen` to replies: key order, digest of the body, header names
    #[arg(long)]
    echo_seen: bool,
    /// A fault and when it happens, such as status:500@every:5; always without `@`. Repeatable
    #[arg(long)]
    fault: Vec<String>,
    /// Require this bearer key
    #[arg(long)]
    key: Option<String>,
    /// The served model's name
    #[arg(long)]
    model: Option<String>,
    /// Keep no requests in memory, for benchmarks
    #[arg(long)]
    no_record: bool,
    /// What the model prefers, such as first (as without it), content, slot:2 or noisy:0.1; the list is below
    #[arg(long)]
    policy: Option<String>,
    /// Port on 127.0.0.1; any free one without it
    #[arg(long)]
    port: Option<String>,
    /// Decimals that numbers are rounded to
    #[arg(long)]
    round: Option<String>,
    /// A property of a language model's server, such as coverage:0.3; the list is below. Repeatable
    #[arg(long)]
    setting: Vec<String>,
    /// Threads that serve; 1 without it
    #[arg(long)]
    threads: Option<String>,
}

impl Arguments {
    /// The server asked for, or everything that is wrong with the arguments.
    fn builder(&self) -> Result<Builder, Vec<String>> {
        let mut wrong = Vec::new();
        let mut builder = Standin::builder()
            .record(!self.no_record)
            .echo_seen(self.echo_seen);
        if let Some(dialect) = read("dialect", self.dialect.as_deref(), parse, &mut wrong) {
            builder = builder.dialect(dialect);
        }
        if let Some(confidence) = read("confidence", self.confidence.as_deref(), parse, &mut wrong)
        {
            builder = builder.confidence(confidence);
        }
        if let Some(policy) = read("policy", self.policy.as_deref(), parse, &mut wrong) {
            builder = builder.policy(policy);
        }
        if let Some(delay) = read("delay", self.delay.as_deref(), duration, &mut wrong) {
            builder = builder.delay(delay);
        }
        for text in &self.fault {
            if let Some((fault, when)) = read("fault", Some(text), fault, &mut wrong) {
                builder = builder.fault(fault, when);
            }
        }
        for text in &self.setting {
            if let Some(setting) = read("setting", Some(text), parse, &mut wrong) {
                builder = builder.setting(setting);
            }
        }
        if let Some(port) = read(
            "port",
            self.port.as_deref(),
            |t| count(t, "from 0 to 65535"),
            &mut wrong,
        ) {
            builder = builder.port(port);
        }
        let decimals = |text: &str| {
            count(text, "of decimals").and_then(|d| {
                if d > 15 {
                    Err("at most 15 decimals".into())
                } else {
                    Ok(d)
                }
            })
        };
        if let Some(decimals) = read("round", self.round.as_deref(), decimals, &mut wrong) {
            builder = builder.round(decimals);
        }
        if let Some(threads) = read(
            "threads",
            self.threads.as_deref(),
            |t| count(t, "of threads"),
            &mut wrong,
        ) {
            builder = builder.threads(threads);
        }
        if let Some(key) = &self.key {
            builder = builder.key(key);
        }
        if let Some(model) = &self.model {
            builder = builder.model(model);
        }
        if wrong.is_empty() {
            Ok(builder)
        } else {
            Err(wrong)
        }
    }
}

fn read<T>(
    flag: &str,
    text: Option<&str>,
    parse: impl FnOnce(&str) -> Result<T, String>,
    wrong: &mut Vec<String>,
) -> Option<T> {
    match parse(text?) {
        Ok(value) => Some(value),
        Err(why) => {
            wrong.push(format!("--{flag}: {why}"));
            None
        }
    }
}

fn parse<T: FromStr<Err = ParseError>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: ParseError| error.to_string())
}

fn count<T: FromStr>(text: &str, what: &str) -> Result<T, String> {
    text.parse()
        .map_err(|_| format!("`{text}`: expected a number {what}"))
}

fn fault(text: &str) -> Result<(Fault, When), String> {
    let (fault, when) = text.rsplit_once('@').unwrap_or((text, "always"));
    Ok((parse(fault)?, parse(when)?))
}

fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1e-3),
        None => (text.strip_suffix('s').unwrap_or_default(), 1.0),
    };
    let seconds: Option<f64> = number.parse().ok();
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds * unit).ok())
        .ok_or_else(|| format!("`{text}`: expected a time such as `20ms` or `1.5s`"))
}

#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program says what it does"
)]
fn main() -> ExitCode {
    let builder = match Arguments::parse().builder() {
        Ok(builder) => builder,
        Err(wrong) => {
            for why in wrong {
                eprintln!("error: {why}");
            }
            return ExitCode::from(2);
        }
    };
    let standin = match builder.start() {
        Ok(standin) => standin,
        Err(error) => {
            eprintln!("error: cannot serve: {error}");
            return ExitCode::from(3);
        }
    };
    println!("{}", standin.url());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build();
    let waited = runtime.map(|runtime| runtime.block_on(tokio::signal::ctrl_c()));
    match waited {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(error)) | Err(error) => {
            eprintln!("error: cannot wait for Ctrl-C: {error}");
            ExitCode::from(3)
        }
    }
}
