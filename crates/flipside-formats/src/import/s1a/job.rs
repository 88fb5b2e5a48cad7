//! The files of a run, one trial after the other.

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};
use flipside_core::case::{FieldValue, Source};
use flipside_core::compare::About;
use flipside_core::json::Json;
use flipside_core::record::Outcome;
use flipside_core::recorded::{BACKEND, Decision};

use super::align::align;
use super::decision::{Context, decision};
use super::episode::Episode;
use super::trial::{Document, Trial};
use crate::import::build::NO_MODEL;
use crate::import::rules::Rules;
use crate::import::{Error, Record, Recording, Supplements};
use crate::read::{self, Out, Warning};

/// The format's name.
const FORMAT: &str = "s1a-job";

/// Reads the run at `path`: a job folder, the folder of a trial, that of its agent, or an episode's file.
///
/// # Errors
/// Every error of its files; decisions of a trial that ended in an error are read as far as they go.
pub(in crate::import) fn read(
    path: &Utf8Path,
    supplements: &Supplements,
) -> Result<Recording, Vec<Error>> {
    let rules = Rules::of(supplements);
    let mut run = Run::new(path);
    let (mut errors, mut out) = (Vec::new(), Out::default());
    let trials = run.open(path).unwrap_or_else(|found| {
        errors.extend(found.into_iter().map(Error::from));
        Vec::new()
    });
    let mut known = Vec::new();
    for trial in trials {
        match trial.result.as_deref().map(Document::read).transpose() {
            Ok(result) => {
                if let (Some(result), Some(file)) = (&result, &trial.result) {
                    run.source(file, result, 0);
                }
                known.push((trial, result));
            }
            Err(found) => errors.extend(found.into_iter().map(Error::from)),
        }
    }
    let names = names(&known);
    for ((trial, result), name) in known.iter().zip(&names) {
        if let Err(found) = run.trial(trial, result.as_ref(), name, &rules, &mut out) {
            errors.extend(found);
        }
    }
    if out.error_count() > 0 {
        let mut all = std::mem::take(&mut out);
        run.warnings.append(&mut all.warnings);
        errors.extend(all.into_errors().into_iter().map(Error::from));
    }
    if errors.len() > read::MOST_ERRORS {
        let count = (errors.len() - read::MOST_ERRORS) as u64;
        errors.truncate(read::MOST_ERRORS);
        errors.push(read::Error::More { count }.into());
    }
    if errors.is_empty() {
        run.warnings.append(&mut out.warnings);
        Ok(run.recording(path, &known))
    } else {
        Err(errors)
    }
}

/// What ids of a trial's decisions begin with: its task, which another run of it shares, unless two trials have one task.
fn names(known: &[(Trial, Option<Document>)]) -> Vec<String> {
    let task = |result: &Option<Document>| {
        let task = result
            .as_ref()
            .and_then(|result| result.text(&["task_name"]));
        task.map(str::to_owned)
    };
    let tasks: Vec<Option<String>> = known.iter().map(|(_, result)| task(result)).collect();
    let mut trials: BTreeMap<&str, u64> = BTreeMap::new();
    for task in tasks.iter().flatten() {
        *trials.entry(task).or_default() += 1;
    }
    let alone = |task: &String| trials.get(task.as_str()) == Some(&1);
    let own = |((trial, _), task): (&(Trial, _), &Option<String>)| {
        let task = task.clone().filter(|task| alone(task));
        task.unwrap_or_else(|| trial.name.clone())
    };
    known.iter().zip(&tasks).map(own).collect()
}

/// What was read so far.
struct Run {
    /// The folder that the user named, beneath which files are named; its own path where that is a file.
    root: Utf8PathBuf,
    config: Option<Document>,
    job: Option<Document>,
    decisions: Vec<Decision>,
    sources: Vec<Record>,
    warnings: Vec<Warning>,
    served: BTreeSet<String>,
}

impl Run {
    fn new(path: &Utf8Path) -> Self {
        Self {
            root: path.to_owned(),
            config: None,
            job: None,
            decisions: Vec::new(),
            sources: Vec::new(),
            warnings: Vec::new(),
            served: BTreeSet::new(),
        }
    }

    /// The trials of the run at `path`, by name.
    fn open(&mut self, path: &Utf8Path) -> Result<Vec<Trial>, Vec<read::Error>> {
        if path.is_file() {
            return Ok(vec![Trial::of_episode(path)]);
        }
        if path.join("agent/episode.json").is_file() {
            return Ok(vec![Trial::in_folder(path)]);
        }
        if path.join("episode.json").is_file() {
            return Ok(vec![Trial::of_episode(&path.join("episode.json"))]);
        }
        let files = ["config.json", "result.json"].map(|name| path.join(name));
        let [config, job] = files.each_ref().map(|file| Document::read(file));
        let (config, job) = match (config, job) {
            (Ok(config), Ok(job)) => (config, job),
            (config, job) => {
                let errors = [config.err(), job.err()];
                return Err(errors.into_iter().flatten().flatten().collect());
            }
        };
        self.source(&files[0], &config, 0);
        self.source(&files[1], &job, 0);
        let counted = job.value(&["n_total_trials"]).and_then(whole);
        let mut trials = Vec::new();
        let unreadable = |source| {
            let file = path.to_string();
            vec![read::Error::Unreadable { file, source }]
        };
        for entry in fs_err::read_dir(path).map_err(unreadable)? {
            let folder = Utf8PathBuf::try_from(entry.map_err(unreadable)?.path());
            let folder = folder.map_err(|error| unreadable(error.into_io_error()))?;
            if folder.is_dir() {
                let trial = Trial::in_folder(&folder);
                trials.extend((trial.episode.is_some() || trial.result.is_some()).then_some(trial));
            }
        }
        trials.sort_by(|one, other| one.name.cmp(&other.name));
        let kept = trials
            .iter()
            .filter(|trial| trial.episode.is_some())
            .count() as u64;
        let of = counted.unwrap_or(0).max(trials.len() as u64);
        if kept < of {
            self.warnings.push(Warning::LostTrials {
                file: path.to_string(),
                found: kept,
                of,
            });
        }
        (self.config, self.job) = (Some(config), Some(job));
        Ok(trials)
    }

    fn source(&mut self, file: &Utf8Path, document: &Document, decisions: u64) {
        let beneath = file
            .strip_prefix(&self.root)
            .ok()
            .filter(|rest| !rest.as_str().is_empty());
        self.sources.push(Record {
            name: beneath.unwrap_or(file).to_string(),
            sha256: document.sha256,
            decisions,
        });
    }

    /// Reads the decisions of one trial.
    fn trial(
        &mut self,
        trial: &Trial,
        result: Option<&Document>,
        name: &str,
        rules: &Rules<'_>,
        out: &mut Out,
    ) -> Result<(), Vec<Error>> {
        let Some(file) = &trial.episode else {
            return Ok(());
        };
        let document = Document::read(file)
            .map_err(|errors| -> Vec<Error> { errors.into_iter().map(Error::from).collect() })?;
        let episode =
            Episode::of(&document.at, &document.object).map_err(|error| vec![error.into()])?;
        let source = Source {
            format: FORMAT.into(),
            file: file.as_str().into(),
            line: document.at.line,
        };
        let named = result.and_then(|result| result.text(&["agent_info", "model_info", "name"]));
        let job = self.config.as_ref();
        let (job, policy) = (
            job.and_then(|config| config.text(&["job_name"]))
                .map(str::to_owned),
            named.map(str::to_owned).or_else(|| self.policy()),
        );
        let context = Context {
            at: &document.at,
            source: &source,
            name,
            job: job.as_deref(),
            policy: policy.as_deref(),
            seed: seed(&episode, name),
            rules,
            expected: &episode.expected,
        };
        let (mut errors, before) = (Vec::new(), self.decisions.len());
        for (tick, view) in episode
            .ticks
            .iter()
            .zip(align(&episode.ticks, &episode.views))
        {
            let view = view.map(|view| &episode.views[view]);
            match decision(tick, view, &context, out) {
                Ok(decision) => self.decisions.extend(decision),
                Err(error) => errors.push(error),
            }
            self.served.extend(tick.served_by.map(str::to_owned));
        }
        self.source(file, &document, (self.decisions.len() - before) as u64);
        if errors.is_empty() {
            Ok(())
        } else {
            Err(errors)
        }
    }

    /// The policy that the job names.
    fn policy(&self) -> Option<String> {
        let agents = self.config.as_ref()?.value(&["agents"])?.as_array()?;
        let name = agents.first()?.as_object()?.get("model_name")?;
        name.as_str().map(str::to_owned)
    }

    fn recording(mut self, path: &Utf8Path, known: &[(Trial, Option<Document>)]) -> Recording {
        let results = || {
            known
                .iter()
                .filter_map(|(trial, result)| Some((trial, result.as_ref()?)))
        };
        let failed: Vec<(&str, String)> = results()
            .filter_map(|(trial, result)| {
                let why = result.value(&["exception_info"])?;
                let said = result.text(&["exception_info", "error"]).map(str::to_owned);
                Some((trial.name.as_str(), said.unwrap_or_else(|| why.to_text())))
            })
            .collect();
        if let Some((trial, why)) = failed.first() {
            self.warnings.push(Warning::FailedTrials {
                file: path.to_string(),
                failed: failed.len() as u64,
                of: known.len() as u64,
                trial: (*trial).to_owned(),
                why: why.clone(),
            });
        }
        let backend = self
            .decisions
            .iter()
            .find_map(|each| each.case.field(BACKEND));
        let model = self.policy().or_else(|| backend.map(str::to_owned));
        let lost = self
            .warnings
            .iter()
            .any(|warning| matches!(warning, Warning::LostTrials { .. }));
        let started = match &self.job {
            Some(job) => job.text(&["started_at"]),
            None => results().find_map(|(_, result)| result.text(&["started_at"])),
        };
        let finished = |document: &Document| document.text(&["finished_at"]).is_some();
        let outcomes = || {
            self.decisions
                .iter()
                .filter_map(|each| each.outcome.as_ref())
        };
        let about = About {
            name: path.to_string(),
            model: model.unwrap_or_else(|| NO_MODEL.to_owned()),
            requested: None,
            endpoint: None,
            served: self.served.iter().cloned().collect(),
            flipside: None,
            method: None,
            started: started.map(str::to_owned),
            cases: self.decisions.len() as u64,
            planned: None,
            recorded: outcomes().count() as u64,
            failed: outcomes()
                .filter(|outcome| matches!(outcome, Outcome::Failed(_)))
                .count() as u64,
            complete: failed.is_empty()
                && !lost
                && self.job.as_ref().is_none_or(finished)
                && results().all(|(_, result)| finished(result)),
            stopped_by: None,
        };
        Recording {
            format: FORMAT.to_owned(),
            about,
            decisions: self.decisions,
            sources: self.sources,
            margins: None,
            warnings: self.warnings,
        }
    }
}

/// What the episode was seeded by: as it says itself, or as the task's name ends.
fn seed(episode: &Episode<'_>, name: &str) -> Option<FieldValue> {
    let told = episode.seed.and_then(FieldValue::of);
    let named = || {
        let (_, seed) = name.rsplit_once('/')?;
        flipside_core::json::Number::parse(seed).map(FieldValue::Number)
    };
    told.or_else(named)
}

fn whole(value: &Json) -> Option<u64> {
    match value {
        Json::Number(number) => number.to_u64(),
        _ => None,
    }
}
