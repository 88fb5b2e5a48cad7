//! Run folders, and the signals that stop a run.

use std::io::Write;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use flipside_core::case::Case;
use flipside_core::course::Course;
use flipside_core::gate::Gates;
use flipside_core::model::{Card, Model};
use flipside_core::plan::Plan;
use flipside_core::recorded::RecordingTally;
use flipside_core::stats::draw::DRAW_VERSION;
use flipside_engine::Signals;
use flipside_formats::canonical;
use flipside_formats::folder::{self, Folder, RunAdaptive, RunJudging, RunSource};

use crate::cli::hardware;
use crate::cli::json_file::{JsonFile, Kept};
use crate::defaults;
use crate::diagnostic::Diagnostic;
use crate::settings::{Axes, Orders};

/// What `run.json` says beside the plan.
pub(crate) struct Origin<'a> {
    pub(crate) command: &'a [String],
    pub(crate) orders: &'a Orders,
    pub(crate) axes: &'a Axes,
    pub(crate) gates: &'a Gates,
    pub(crate) sources: &'a [RunSource],
    pub(crate) recordings: &'a [RecordingTally],
    /// What the models run on, as the user says.
    pub(crate) hardware: Option<&'a str>,
}

/// Opens the run folder at `path`.
///
/// # Errors
/// Whatever keeps it from being written.
fn open(
    path: &Utf8Path,
    plan: &Plan,
    card: &Card,
    origin: &Origin<'_>,
) -> Result<Folder, Diagnostic> {
    let run = folder::Run {
        schema: folder::SCHEMA.to_owned(),
        flipside: env!("CARGO_PKG_VERSION").to_owned(),
        command: origin.command.to_vec(),
        started: jiff::Timestamp::now()
            .strftime("%Y-%m-%dT%H:%M:%SZ")
            .to_string(),
        platform: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        hardware: hardware::of(card, origin.hardware),
        model: card.spec.clone(),
        requested_model: card.requested.clone(),
        endpoint: card.endpoint.clone(),
        protocol: card.protocol.clone(),
        orders: origin
            .orders
            .specs
            .iter()
            .map(ToString::to_string)
            .collect(),
        axes: origin.axes.specs.iter().map(ToString::to_string).collect(),
        cross: origin.axes.cross.map(|cross| cross.to_string()),
        seed: origin.orders.seed,
        draws: DRAW_VERSION.to_owned(),
        max_orders: origin.orders.most,
        asks: plan.asks.len() as u64,
        plan: plan.digest().to_string(),
        sources: origin.sources.to_vec(),
        served_models: Vec::new(),
        served: Vec::new(),
        canary: None,
        cost: None,
        baseline: plan.baseline,
        recordings: origin.recordings.to_vec(),
        judging: judging(plan, origin.gates),
    };
    Folder::open(path, run, |out| canonical_lines(&plan.cases, out)).map_err(|error| {
        let help = error.help();
        Diagnostic::caused(&error).maybe_help(help)
    })
}

/// Outputs, opened before the first ask.
pub(crate) struct Outputs {
    /// Where the run folders are: as the user named it, or as we did.
    pub(crate) out: Option<Utf8PathBuf>,
    /// By plan.
    pub(crate) folders: Vec<Option<Folder>>,
    pub(crate) json: Option<JsonFile>,
}

impl Outputs {
    /// Opens the file of `--json` and a run folder for every plan that keeps one: all below `out`, or without it those of models that
    /// cost something. `kept` is what the run reads and keeps, which the file may not replace.
    ///
    /// # Errors
    /// Whatever keeps one of them from being written; then nothing is left behind.
    pub(crate) fn open(
        json: Option<&str>,
        kept: &Kept<'_>,
        out: Option<&Utf8Path>,
        plans: &[(Arc<dyn Model>, Plan)],
        origin: &Origin<'_>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let json = json.map(|path| JsonFile::open(path, kept));
        let json = json.transpose().map_err(|error| vec![error])?;
        let cards: Vec<&Card> = plans.iter().map(|(model, _)| model.card()).collect();
        let named = out.is_some();
        let out = out.map(Utf8Path::to_owned).or_else(|| unnamed(&cards));
        let paths = out.as_ref().map(|out| paths(out, &cards));
        let (mut folders, mut errors) = (Vec::new(), Vec::new());
        for (place, (model, plan)) in plans.iter().enumerate() {
            let card = model.card();
            let kept = named || card.remote;
            let path = paths.as_ref().filter(|_| kept).map(|paths| &paths[place]);
            match path.map(|path| open(path, plan, card, origin)).transpose() {
                Ok(folder) => folders.push(folder),
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() {
            return Ok(Self { out, folders, json });
        }
        if let Some(json) = json {
            json.discard();
        }
        Err(errors)
    }
}

/// How the run is judged, as far as it decides what is asked.
fn judging(plan: &Plan, gates: &Gates) -> RunJudging {
    let course = Course::new(plan, gates).ok();
    let standing = course.as_ref().and_then(Course::standing);
    RunJudging {
        alpha: gates.alpha,
        confirm: gates.confirm.name().to_owned(),
        adaptive: standing.map(|standing| RunAdaptive {
            rule: standing.rule,
            variant: plan.variants[standing.variant].name.clone(),
            limit: standing.limit,
            cases: plan.cases.len(),
            cluster: gates.groups.cluster.clone(),
            units: standing.units,
            planned: standing.planned.clone(),
            grown_from: Vec::new(),
        }),
    }
}

fn canonical_lines(cases: &[Case], out: &mut dyn Write) -> std::io::Result<()> {
    let mut line = Vec::new();
    for case in cases {
        line.clear();
        canonical::write_case(case, &mut line);
        out.write_all(&line)?;
    }
    Ok(())
}

/// Where a run goes without `--out`: one folder for all its models, so that naming it goes on with all of them.
fn unnamed(cards: &[&Card]) -> Option<Utf8PathBuf> {
    let remote = cards.iter().find(|card| card.remote)?;
    let now = jiff::Timestamp::now()
        .strftime("%Y%m%dT%H%M%S%3fZ")
        .to_string();
    let name = match cards {
        [_] => format!("{now}-{}", slug(&remote.spec)),
        _ => now,
    };
    Some(Utf8Path::new(defaults::RUNS).join(name))
}

/// The folder of each model of a run in `out`: `out` itself for one model, else one beneath it for each.
fn paths(out: &Utf8Path, cards: &[&Card]) -> Vec<Utf8PathBuf> {
    if cards.len() == 1 {
        return vec![out.to_owned()];
    }
    let mut names: Vec<String> = Vec::new();
    for card in cards {
        let plain = slug(&card.spec);
        let numbered = (2..).map(|number| format!("{plain}-{number}"));
        let mut free = std::iter::once(plain.clone()).chain(numbered);
        names.extend(free.find(|name| !names.contains(name)));
    }
    names.iter().map(|name| out.join(name)).collect()
}

/// A model's name as part of a path.
fn slug(spec: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || c == '.' {
            c
        } else {
            '-'
        }
    };
    let mut slug: String = spec.chars().map(plain).take(60).collect();
    while slug.contains("--") {
        slug = slug.replace("--", "-");
    }
    slug.trim_matches(['-', '.']).to_owned()
}

/// The command as it can be typed again, with `extra` words at its end.
pub(crate) fn again(command: &[String], extra: &[String]) -> String {
    let word = |text: &String| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,@%+=~".contains(c);
        if !text.is_empty() && text.chars().all(plain) {
            text.clone()
        } else {
            format!("'{}'", text.replace('\'', r"'\''"))
        }
    };
    command
        .iter()
        .chain(extra)
        .map(word)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Signals that the user's interrupts set: once finishes what is in flight, twice stops.
pub(crate) fn signals() -> Signals {
    let signals = Signals::default();
    let (drain, abort) = (signals.drain.clone(), signals.abort.clone());
    tokio::spawn(async move {
        interrupt().await;
        drain.cancel();
        interrupt().await;
        abort.cancel();
    });
    signals
}

/// Waits for the next interrupt.
pub(crate) async fn interrupt() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let (Ok(mut int), Ok(mut term)) = (
            signal(SignalKind::interrupt()),
            signal(SignalKind::terminate()),
        ) {
            tokio::select! {
                _ = int.recv() => {}
                _ = term.recv() => {}
            }
            return;
        }
    }
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_can_be_typed_again() {
        let words: Vec<String> = ["flipside", "probe", "my cases.jsonl", "it's", ""]
            .map(str::to_owned)
            .to_vec();
        let extra = ["--out".to_owned(), "runs/a".to_owned()];
        assert_eq!(
            again(&words, &extra),
            r"flipside probe 'my cases.jsonl' 'it'\''s' '' --out runs/a"
        );
    }

    #[test]
    fn a_model_names_its_folder() {
        assert_eq!(
            slug("systemone:http://127.0.0.1:8000/v1"),
            "systemone-http-127.0.0.1-8000-v1"
        );
        assert_eq!(slug("../../etc"), "etc");
    }
}
