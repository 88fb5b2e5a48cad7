//! Asking one plan of one model: the line before the first ask, the folder, the progress, and how it ended.

use flipside_core::canary::Canary;
use flipside_core::cost::Paying;
use flipside_core::course::Course;
use flipside_core::foreign::Foreign;
use flipside_core::gate::Gates;
use flipside_core::measure::{About, summarise};
use flipside_core::model::{Card, Model};
use flipside_core::plan::Plan;
use flipside_core::record::{Asked, Outcome};
use flipside_core::recorded::RecordingTally;
use flipside_core::summary::{Asking as Speed, Summary};
use flipside_engine::{Append, Limits, Run, Signals, Stopped};
use flipside_formats::folder::Folder;

use crate::cli::canary::Wanted;
use crate::cli::hardware;
use crate::cli::remedy::{REFUSED, remedy};
use crate::diagnostic::{Diagnostic, say};
use crate::exit::Exit;
use crate::progress::Progress;
use crate::settings::Models;

/// One plan to ask.
pub(crate) struct Asking<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) model: &'a dyn Model,
    pub(crate) models: &'a Models,
    pub(crate) gates: &'a Gates,
    /// Our own top probability from which an answer is accepted without review.
    pub(crate) threshold: Option<f64>,
    /// The recordings that the cases come from.
    pub(crate) recordings: &'a [RecordingTally],
    pub(crate) folder: Option<&'a Folder>,
    /// Whether a canary tells first if order reaches the model.
    pub(crate) canary: Wanted,
    /// Whether nothing is said before the end.
    pub(crate) quiet: bool,
    /// The command that goes on with an unfinished run; empty where a caller asks that has none.
    pub(crate) again: String,
}

/// How one plan's asking ended.
pub(crate) struct Asked1 {
    pub(crate) summary: Summary,
    pub(crate) exit: Exit,
    pub(crate) problem: Option<Diagnostic>,
}

/// How one plan's asking ended, before anything is measured.
pub(crate) struct Ended {
    /// By slot of the plan: what became of it.
    pub(crate) asked: Vec<Option<Asked>>,
    /// Why the run stopped early, if it did.
    pub(crate) stopped: Option<String>,
    /// What the order canary found.
    pub(crate) canary: Option<Canary>,
    /// How it is paid for.
    paying: Option<Paying>,
    problem: Option<Diagnostic>,
    speed: Option<Speed>,
}

impl Asking<'_> {
    /// Asks what is not in the journal yet, and summarises.
    ///
    /// # Errors
    /// A journal that cannot be gone on with.
    pub(crate) async fn run(&self, signals: &Signals) -> Result<Asked1, Diagnostic> {
        Ok(self.measured(self.ask(signals).await?))
    }

    /// The summary of what was asked.
    pub(crate) fn measured(&self, ended: Ended) -> Asked1 {
        let stopped = ended.stopped.is_some();
        let about = About {
            version: env!("CARGO_PKG_VERSION"),
            card: self.model.card(),
            stopped: ended.stopped,
            asking: ended.speed,
            threshold: self.threshold,
            recordings: self.recordings.to_vec(),
            canary: ended.canary,
            paying: ended.paying,
        };
        let mut summary = summarise(self.plan, ended.asked, &self.grown_gates(), about);
        summary.model.hardware = hardware::of(self.model.card(), self.models.hardware.as_deref());
        let exit = match (stopped, summary.exit) {
            (true, _) | (false, 3) => Exit::Incomplete,
            (false, 0) => Exit::Held,
            (false, _) => Exit::NotHeld,
        };
        Asked1 {
            summary,
            exit,
            problem: ended.problem,
        }
    }

    /// Asks what is not in the journal yet.
    ///
    /// # Errors
    /// A journal that cannot be gone on with.
    pub(crate) async fn ask(&self, signals: &Signals) -> Result<Ended, Diagnostic> {
        let card = self.model.card();
        let (journal, known) = self.journal()?;
        let gates = &self.grown_gates();
        let course = Course::new(self.plan, gates).map_err(Diagnostic::new)?;
        let (slots, recorded) = (self.plan.asks.len(), self.plan.recorded_asks());
        let planned = slots - recorded;
        let journaled = known[..slots].iter().flatten().count() - recorded;
        if let Some(folder) = self.folder.filter(|folder| folder.resumed() && !self.quiet) {
            let confirming = known[slots..].iter().flatten().count();
            let confirming = match confirming {
                0 => String::new(),
                n => format!(", and {n} that confirm flips"),
            };
            let most = self.most();
            say(format!(
                "going on with `{}`: {journaled} of {most}{planned} asks are in its journal{confirming}",
                folder.path()
            ));
        }
        let left = self.requests_left(&known);
        if card.remote && left > 0 && !self.quiet {
            say(before(card, self.most(), left, self.folder));
        }
        let limits = self.limits(card);
        let (canary, before) = self.canary(signals, &limits, left).await;
        let mut progress = Progress::new(self.plan, self.quiet);
        let run = Run {
            plan: self.plan,
            limits: &limits,
            journal,
            course,
            asked: known,
            before,
        };
        let ended = run
            .execute(self.model, signals, &mut |event| progress.observe(event))
            .await;
        progress.clear();
        let open =
            |asked: &&Asked| matches!(&asked.outcome, Outcome::Failed(failed) if failed.unanswered);
        let done = ended.asked.iter().flatten().count() - recorded;
        let total = if self.gates.adaptive.is_some() && done <= planned {
            format!("{}{planned}", self.most())
        } else {
            ended.needed.to_string()
        };
        let kept = done - ended.asked.iter().flatten().filter(open).count();
        let stopped = ended.stopped.as_ref();
        let text = stopped.map(|stopped| stopped_text(stopped, done, &total, card));
        Ok(Ended {
            problem: stopped
                .zip(text.as_ref())
                .map(|(stopped, text)| Diagnostic::new(text).help(self.help(stopped, kept))),
            stopped: text,
            canary,
            paying: card.remote.then_some(Paying {
                price: limits.price,
                canary: before.spending,
            }),
            speed: (ended.requests > 0).then_some(Speed {
                requests: ended.requests,
                seconds: ended.elapsed.as_secs_f64(),
            }),
            asked: ended.asked,
        })
    }

    /// The gates, with the sizes that the run in the folder grew from.
    fn grown_gates(&self) -> Gates {
        let adaptive = self
            .folder
            .and_then(|folder| folder.run().judging.adaptive.as_ref());
        Gates {
            grown_from: adaptive.map_or_else(Vec::new, |adaptive| adaptive.grown_from.clone()),
            ..self.gates.clone()
        }
    }

    /// How a number of asks begins that asking adaptively need not reach.
    fn most(&self) -> &'static str {
        match self.gates.adaptive {
            Some(_) => "at most ",
            None => "",
        }
    }

    /// Requests that are left, as far as is known; at most so many where asking is adaptive.
    fn requests_left(&self, known: &[Option<Asked>]) -> usize {
        let Ok(mut course) = Course::new(self.plan, self.gates) else {
            return 0;
        };
        let next = course.ready(known);
        if self.gates.adaptive.is_none() || next.is_empty() {
            return next.len();
        }
        let planned = 0..self.plan.asks.len();
        planned
            .filter(|slot| known[*slot].is_none() && self.plan.sends(*slot))
            .count()
    }

    fn journal(&self) -> Result<(Option<Append>, Vec<Option<Asked>>), Diagnostic> {
        let Some(folder) = self.folder else {
            return Ok((None, self.plan.known()));
        };
        match flipside_engine::resume(&folder.journal(), self.plan, self.model) {
            Ok(resumed) => Ok((Some(resumed.journal), resumed.asked)),
            Err(error) => {
                Err(Diagnostic::caused(&error).help("the journal is unchanged; name a new `--out`"))
            }
        }
    }

    fn limits(&self, card: &Card) -> Limits {
        Limits {
            concurrency: self.models.concurrency.unwrap_or(card.concurrency),
            timeout: self.models.timeout,
            policy: self.models.policy,
            rate: self.models.rate,
            max_asks: self.models.max_asks,
            max_cost_usd_micros: self.models.max_cost_usd_micros,
            price: self.models.price.or(card.price),
        }
    }

    fn help(&self, stopped: &Stopped, done: usize) -> String {
        let kept = match (self.folder, done) {
            (None, _) => "without `--out` nothing is kept for going on".to_owned(),
            (Some(folder), 0) => {
                format!(
                    "nothing was answered yet; the plan is in `{}`",
                    folder.path()
                )
            }
            (Some(folder), 1) => {
                format!(
                    "the 1 answer in `{}` is kept and will not be asked again",
                    folder.path()
                )
            }
            (Some(folder), done) => format!(
                "the {done} answers in `{}` are kept and will not be asked again",
                folder.path()
            ),
        };
        let action = remedy(stopped, self.model.card());
        if self.again.is_empty() {
            return format!("{action} the call");
        }
        format!("{action} `{}`; {kept}", self.again)
    }
}

/// The line before the first ask: host, model, and the variable that the key came from.
fn before(card: &Card, most: &str, requests: usize, folder: Option<&Folder>) -> String {
    let endpoint = card.endpoint.as_ref();
    let mut parts = vec![
        format!("asking `{}`", Foreign(&card.spec)),
        endpoint.map_or_else(String::new, |at| format!(" at {}", Foreign(at))),
    ];
    parts.extend(
        card.requested
            .as_ref()
            .map(|model| format!(", model `{}`", Foreign(model))),
    );
    parts.push(match (&card.key_variable, endpoint) {
        (Some(variable), _) => format!(", key from {variable}"),
        (None, Some(_)) => ", without a key".to_owned(),
        (None, None) => String::new(),
    });
    let plural = if requests == 1 { "" } else { "s" };
    parts.push(format!(": {most}{requests} request{plural}"));
    parts.extend(folder.map(|folder| format!(", kept in `{}`", folder.path())));
    parts.concat()
}

/// Host and port of an endpoint, for messages.
fn host(card: &Card) -> String {
    let Some(endpoint) = &card.endpoint else {
        return String::new();
    };
    let host = endpoint
        .split_once("://")
        .map_or(endpoint.as_str(), |(_, rest)| rest);
    let host = host.split(['/', '?']).next().unwrap_or(host);
    format!(" at {}", Foreign(host))
}

fn stopped_text(stopped: &Stopped, done: usize, total: &str, card: &Card) -> String {
    format!(
        "stopped after {done} of {total} asks: {}",
        reason(stopped, card)
    )
}

fn reason(stopped: &Stopped, card: &Card) -> String {
    match stopped {
        Stopped::Refused { message } => troubled(card, message, 1),
        Stopped::Backend { message, attempts } => troubled(card, message, *attempts),
        Stopped::MaxAsks { limit } => format!("`--max-asks {limit}` is reached"),
        Stopped::MaxCost { limit_usd_micros } => {
            format!("`--max-cost {}` is reached", dollars(*limit_usd_micros))
        }
        Stopped::CostUnknown => {
            "an answer came whose cost nobody states, and `--max-cost` is given".to_owned()
        }
        Stopped::Interrupted => "interrupted".to_owned(),
        Stopped::Journal { message } => format!("the journal cannot be written: {message}"),
        _ => "the run was stopped".to_owned(),
    }
}

/// Which model met what, and how often, without its address twice.
fn troubled(card: &Card, message: &str, attempts: u32) -> String {
    let host = host(card);
    let bare = host.trim_start_matches(" at ");
    let message = message.replace(&format!("`{bare}` "), "");
    let host = if message.contains(bare) {
        ""
    } else {
        host.as_str()
    };
    let times = match attempts {
        1 => String::new(),
        _ if message.ends_with(REFUSED) => format!(" {attempts} times"),
        _ => format!(", tried {attempts} times"),
    };
    format!(
        "`{}`{host} {}{times}",
        Foreign(&card.spec),
        Foreign(&message)
    )
}

/// Millionths of a US dollar as dollars, to the cent and as far as there are digits.
fn dollars(micros: u64) -> String {
    let text = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
    let end = text.trim_end_matches('0').len();
    let cents = text.len() - 4;
    text[..end.max(cents)].to_owned()
}

#[cfg(test)]
mod tests {
    use super::dollars;

    #[test]
    fn a_limit_is_printed_as_far_as_it_has_digits() {
        assert_eq!(dollars(1), "0.000001");
        assert_eq!(dollars(200), "0.0002");
        assert_eq!(dollars(1_500_000), "1.50");
        assert_eq!(dollars(20_000_000), "20.00");
    }
}
