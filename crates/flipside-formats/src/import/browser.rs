//! Browser runs of system1-agents: `decision_ticks.json`, alone or in its run folder.
//!
//! A tick keeps the six most probable options of one of the questions that it asked, sorted by probability, and neither the state
//! nor the rules: none can be asked again, and nothing says that two ticks are the same decision. What the probabilities allow to
//! be said is in the recording's margins. Where the calls themselves are kept beside it, they are System One requests.

use std::ops::ControlFlow;

use camino::Utf8Path;
use flipside_core::answer;
use flipside_core::case::{Case, CaseOption, FieldValue, Key, QuestionKind, Source};
use flipside_core::json::{Json, Number, Object};
use flipside_core::order::Order;
use flipside_core::present::Presentation;
use flipside_core::record::{Failed, Outcome};
use flipside_core::recorded::{CLOSE, Decision, FRONT, KeptTick, Margins, Missing, Target};

use super::build::{Gathered, bare, field, origin};
use super::file::{File, done};
use super::{Kind, Record, Recording};
use crate::cases::{self, Fields};
use crate::read::{At, Error, Format, Out, ReadOptions};

/// The format's name.
const FORMAT: &str = "s1a-browser";
/// The part of system1-agents that wrote it.
const BROWSER: &str = "browser";
/// The file of ticks in a run folder.
const TICKS: &str = "decision_ticks.json";
/// The file beside it that names the model, in some runs.
const ANSWER: &str = "answer.json";
/// The file beside it that has the requests, in some runs.
const CALLS: &str = "laya_calls.jsonl";
/// So many options are kept of a question, the most probable ones.
const KEPT: usize = 6;
/// The question of which act to do.
const OPERATION: &str = "operation";

/// Reads the run at `path`: its folder, or its file of ticks.
///
/// # Errors
/// Every error of its files.
pub(super) fn read(path: &Utf8Path) -> Result<Recording, Vec<Error>> {
    let one = |error| vec![error];
    let (folder, ticks) = if path.is_dir() {
        (Some(path), path.join(TICKS))
    } else {
        (
            path.parent().filter(|_| path.file_name() == Some(TICKS)),
            path.to_owned(),
        )
    };
    let file = File::load(&ticks).map_err(one)?;
    let mut out = Out::default();
    let beside = |name: &str| {
        let file = folder.map(|folder| folder.join(name));
        file.filter(|file| file.is_file())
    };
    let (answer, calls) = (beside(ANSWER), beside(CALLS));
    let answer = answer.as_deref().map(File::load).transpose().map_err(one)?;
    let model = answer.as_ref().map(model).transpose()?.flatten();
    let run = folder.and_then(Utf8Path::file_name).unwrap_or(file.stem());
    let mut gathered = Gathered::new(&file, FORMAT);
    gathered.model(model.as_deref().unwrap_or(super::build::NO_MODEL));
    let mut kept = Vec::new();
    file.rows(Kind::Browser, &mut out, &mut |row, out| {
        let run = Run {
            at: &row.at,
            name: run,
            source: file.source(FORMAT, &row.at),
            model: model.as_deref(),
        };
        match run.ticks(&row.object) {
            Ok(ticks) => {
                for (decision, tick) in ticks {
                    gathered.take(decision, out);
                    kept.push(tick);
                }
            }
            Err(error) => out.error(error),
        }
    })?;
    let mut sources = Vec::new();
    if let Some(answer) = &answer {
        sources.push(record(answer, path, 0));
    }
    let calls = calls.as_deref().map(File::load).transpose().map_err(one)?;
    if let Some(calls) = &calls {
        let asked = requests(calls, model.as_deref(), &mut out)?;
        sources.push(record(calls, path, asked.len() as u64));
        gathered.decisions.extend(asked);
    }
    done(&mut out)?;
    let mut recording = gathered.recording(out);
    recording.about.name = path.to_string();
    recording.about.served.clear();
    recording.sources = std::iter::once(record(&file, path, kept.len() as u64))
        .chain(sources)
        .collect();
    recording.margins = Some(Margins::of(&kept, CLOSE));
    Ok(recording)
}

fn record(file: &File<'_>, root: &Utf8Path, decisions: u64) -> Record {
    let beneath = file.path.strip_prefix(root).ok();
    let beneath = beneath.filter(|rest| !rest.as_str().is_empty());
    Record {
        name: beneath.unwrap_or(file.path).to_string(),
        sha256: file.sha256,
        decisions,
    }
}

/// The model that the answer of the run names: the configured one, or the slot that it stood in.
fn model(file: &File<'_>) -> Result<Option<String>, Vec<Error>> {
    let (mut out, mut found) = (Out::default(), None);
    file.each_row(file.text()?, &mut out, &mut |row, _| {
        let named = ["model", "slot"]
            .into_iter()
            .find_map(|name| row.object.get(name)?.as_str());
        found = named.map(str::to_owned);
        ControlFlow::Break(())
    });
    done(&mut out)?;
    Ok(found)
}

/// The requests that were kept beside the ticks: each question of one is a decision without an answer on record.
fn requests(
    file: &File<'_>,
    model: Option<&str>,
    out: &mut Out,
) -> Result<Vec<Decision>, Vec<Error>> {
    let options = ReadOptions::default();
    let mut found = Out::default();
    file.rows(Kind::Request, out, &mut |row, _| {
        let source = cases::Source {
            file: file.name,
            stem: file.stem(),
            format: Format::SystemOne,
            options: &options,
            whole: true,
        };
        if let Err(error) = cases::of_body(&row, Fields::of(&row), &source, &mut found) {
            found.error(error);
        }
    })?;
    out.warnings.append(&mut found.warnings);
    let decisions = std::mem::take(&mut found.cases)
        .into_iter()
        .map(|mut case| {
            origin(&mut case, model);
            field(&mut case, FRONT, FieldValue::Text(BROWSER.to_owned()));
            Decision {
                case,
                outcome: None,
                others: Vec::new(),
                missing: Vec::new(),
            }
        });
    let decisions = decisions.collect();
    done(&mut found)?;
    Ok(decisions)
}

/// What the ticks of a run have in common.
struct Run<'a> {
    at: &'a At,
    /// What ids begin with.
    name: &'a str,
    source: Source,
    model: Option<&'a str>,
}

impl Run<'_> {
    fn ticks(&self, run: &Object) -> Result<Vec<(Decision, KeptTick)>, Error> {
        let own = Fields::inside(self.at, "", run);
        let list = match own.required("ticks", "a browser run has `ticks`")? {
            Json::Array(list) => list,
            other => return Err(own.type_error("ticks", other, "an array of objects")),
        };
        let mut numbers = Vec::new();
        let mut ticks = Vec::new();
        for (place, value) in list.iter().enumerate() {
            let path = format!("ticks[{place}]");
            let Some(object) = value.as_object() else {
                return Err(own.type_error(&path, value, "an object"));
            };
            let path = path + ".";
            let fields = Fields::inside(self.at, &path, object);
            let number = number(fields, place)?;
            if numbers.contains(&number) {
                let found = object.get("tick").unwrap_or(&Json::Null);
                return Err(fields.value_error("tick", found, "a number that no other tick has"));
            }
            numbers.push(number);
            ticks.push(self.tick(fields, number)?);
        }
        Ok(ticks)
    }

    fn tick(&self, tick: Fields<'_>, number: u64) -> Result<(Decision, KeptTick), Error> {
        let help = "a tick has `operation`, `target`, `probabilities` and `candidates`";
        tick.required("operation", help)?;
        let operation = tick.string("operation")?.unwrap_or_default();
        let target = match tick.get("target") {
            None => None,
            Some(Json::String(label)) => Some(label.as_str()),
            Some(other) => return Err(tick.type_error("target", other, "a text or null")),
        };
        let probabilities = probabilities(tick, help)?;
        let labels = match tick.get("candidates") {
            None => None,
            Some(Json::Object(labels)) => Some(labels),
            Some(other) => {
                return Err(tick.type_error("candidates", other, "an object of texts by key"));
            }
        };
        let question = match target {
            Some(_) => format!("{}_target", operation.to_lowercase()),
            None => OPERATION.to_owned(),
        };
        let mut case = bare(
            format!("{}/{number}", self.name),
            self.source.clone(),
            &question,
            QuestionKind::Choice,
        );
        case.brought.unlisted = true;
        case.options = (probabilities.iter())
            .map(|(key, _)| CaseOption {
                key: Key(key.clone()),
                text: labels.and_then(|labels| labels.get(key)).cloned(),
            })
            .collect();
        self.fields(&mut case, tick, operation, number)?;
        let named = |label: &str| {
            let has = |option: &&CaseOption| {
                option
                    .text
                    .as_ref()
                    .and_then(Json::as_str)
                    .unwrap_or(&option.key.0)
                    == label
            };
            let keys = case
                .options
                .iter()
                .filter(has)
                .map(|option| option.key.0.as_str());
            keys.collect::<Vec<_>>()
        };
        let chosen = match target {
            None => vec![operation],
            Some(label) => named(label),
        };
        let all_kept = probabilities.len() < KEPT;
        let mut missing = vec![Missing::State, Missing::Order];
        if !all_kept {
            let kept = probabilities.len() as u64;
            missing.push(Missing::Options { kept, of: None });
        }
        missing.extend([Missing::Rules, Missing::Question, Missing::View]);
        let (outcome, place) = match (&chosen[..], target) {
            ([key], None) => (
                Some(outcome(&case, key, &probabilities, all_kept)),
                Target::None,
            ),
            ([key], Some(_)) => {
                let place = place(key).map_or(Target::Unknown, Target::Place);
                (Some(outcome(&case, key, &probabilities, all_kept)), place)
            }
            ([], _) => {
                let why = "the record names a target that none of the kept options is called by"
                    .to_owned();
                missing.push(Missing::Answer { why });
                (None, Target::Unknown)
            }
            (several, _) => {
                let why = format!(
                    "{} of the kept options are called as the record names the target",
                    several.len()
                );
                missing.push(Missing::Answer { why });
                (None, Target::Ambiguous)
            }
        };
        let kept = KeptTick {
            probabilities: probabilities.into_iter().map(|(_, p)| p).collect(),
            all_kept,
            target: place,
        };
        let decision = Decision {
            case,
            outcome,
            others: Vec::new(),
            missing,
        };
        Ok((decision, kept))
    }

    fn fields(
        &self,
        case: &mut Case,
        tick: Fields<'_>,
        operation: &str,
        number: u64,
    ) -> Result<(), Error> {
        origin(case, self.model);
        let text = |text: &str| FieldValue::Text(text.to_owned());
        let whole = |number: u64| {
            let number = Number::parse(&number.to_string());
            FieldValue::Number(number.expect("a whole number is a JSON number"))
        };
        field(case, FRONT, text(BROWSER));
        field(case, "episode", text(self.name));
        field(case, "step", whole(number));
        field(case, OPERATION, text(operation));
        match tick.get("elements") {
            None => {}
            Some(value) => {
                let elements = FieldValue::of(value).filter(|_| matches!(value, Json::Number(_)));
                let elements =
                    elements.ok_or_else(|| tick.type_error("elements", value, "a number"))?;
                field(case, "elements", elements);
            }
        }
        Ok(())
    }
}

/// The number of a tick, or its place.
fn number(tick: Fields<'_>, place: usize) -> Result<u64, Error> {
    match tick.get("tick") {
        None => Ok(place as u64 + 1),
        Some(value) => match value {
            Json::Number(number) => number.to_u64(),
            _ => None,
        }
        .ok_or_else(|| tick.value_error("tick", value, "a whole number")),
    }
}

fn probabilities(tick: Fields<'_>, help: &'static str) -> Result<Vec<(String, f64)>, Error> {
    let members = match tick.required("probabilities", help)? {
        Json::Object(members) if members.is_empty() => {
            return Err(tick.empty("probabilities", help));
        }
        Json::Object(members) => members.members(),
        other => {
            return Err(tick.type_error(
                "probabilities",
                other,
                "an object of probabilities by key",
            ));
        }
    };
    let one = |(key, value): &(String, Json)| {
        let number = match value {
            Json::Number(number) => number.to_f64(),
            _ => None,
        };
        let in_range = number.filter(|p| (0.0..=1.0).contains(p));
        let p = in_range.ok_or_else(|| {
            tick.value_error(
                &format!("probabilities.{key}"),
                value,
                "a probability from 0 to 1",
            )
        })?;
        Ok((key.clone(), p))
    };
    members.iter().map(one).collect()
}

/// The place in the page that a key stands for: `7`, or `7:2` for the second entry of a list that stands there.
fn place(key: &str) -> Option<u64> {
    let (place, _) = key.split_once(':').unwrap_or((key, ""));
    place.parse().ok().filter(|place| *place > 0)
}

/// What was answered: with its probabilities where all are kept, as those of some options are no distribution.
fn outcome(case: &Case, key: &str, probabilities: &[(String, f64)], all_kept: bool) -> Outcome {
    let order = Order::own(case.options.len());
    let reported = answer::Reported {
        choice: Some(key),
        probabilities: all_kept.then(|| {
            probabilities
                .iter()
                .map(|(key, p)| (key.as_str(), *p))
                .collect()
        }),
        confidence: None,
    };
    match answer::choice(&Presentation::new(case, &order), &reported) {
        Ok(answer) => Outcome::Answered(answer),
        Err(rejection) => Outcome::Failed(Failed::from(&rejection)),
    }
}
