//! A run folder read back: its plan, its cases, and what became of every ask.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use flipside_core::case::Case;
use flipside_core::compare::{About, AnswerSet, CaseAnswers, RecordedAsk};
use flipside_core::foreign::Foreign;
use flipside_core::perturb::Axis;
use flipside_core::record::Outcome;

use crate::canonical::read_canonical;
use crate::folder::{self, Run};
use crate::journal::{self, Line};

/// What a run folder holds.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// `run.json`.
    pub run: Run,
    /// What `summary.json` says of how it was measured, where there is one.
    pub measured: Option<Measured>,
    /// Its cases in the order of `cases.jsonl`, each with its asks in the order of the plan.
    pub cases: Vec<CaseAnswers>,
}

/// The part of `summary.json` that says how a run was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
pub struct Measured {
    /// The version of the methods.
    pub method: u32,
    /// Whether everything was asked that was to be asked.
    pub complete: bool,
}

/// Why a run folder cannot be read back.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such folder, or it is no run folder.
    #[error("`{path}` is no run folder: {found}")]
    NoRun {
        /// The folder.
        path: Utf8PathBuf,
        /// What it is.
        found: &'static str,
    },
    /// `run.json` cannot be read.
    #[error(transparent)]
    Folder(#[from] folder::Error),
    /// `run.json` has another shape.
    #[error(
        "`{path}` is of a run of `{}`, this flipside reads `{}`",
        Foreign(found),
        folder::SCHEMA
    )]
    Schema {
        /// The file.
        path: Utf8PathBuf,
        /// Its shape.
        found: String,
    },
    /// `cases.jsonl` cannot be read.
    #[error("`{path}` cannot be read")]
    Io {
        /// The file.
        path: Utf8PathBuf,
        /// What went wrong.
        #[source]
        source: std::io::Error,
    },
    /// A line of `cases.jsonl` is no case.
    #[error("`{folder}`: {first}{more}")]
    Case {
        /// The folder.
        folder: Utf8PathBuf,
        /// The first such line.
        first: Box<crate::read::Error>,
        /// How many more there are.
        more: String,
    },
    /// The journal cannot be read.
    #[error(transparent)]
    Journal(#[from] journal::Error),
    /// A journal line says something that cannot be.
    #[error("{path}:{line}: {found}")]
    Line {
        /// The journal.
        path: Utf8PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        found: String,
    },
    /// Nothing was recorded.
    #[error("`{path}` has no recorded ask")]
    Empty {
        /// The folder.
        path: Utf8PathBuf,
    },
}

impl Error {
    /// What to do about it, where there is something.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::NoRun { .. } => Some("name a folder that `flipside probe --out DIR` wrote"),
            Self::Empty { .. } => Some("run its command again first"),
            _ => None,
        }
    }
}

impl Recorded {
    /// Reads the run folder at `path`. A last journal line that was cut short is left out; so is nothing else.
    ///
    /// # Errors
    /// [`Error`] for the first thing that is wrong.
    pub fn read(path: &Utf8Path) -> Result<Self, Error> {
        let no_run = |found| Error::NoRun {
            path: path.to_owned(),
            found,
        };
        if !path.exists() {
            return Err(no_run("there is nothing of that name"));
        }
        if !path.is_dir() {
            return Err(no_run("it is a file"));
        }
        if !path.join("run.json").exists() {
            return Err(no_run("it has no `run.json`"));
        }
        let run = folder::read_run(path)?;
        if run.schema != folder::SCHEMA {
            return Err(Error::Schema {
                path: path.join("run.json"),
                found: run.schema,
            });
        }
        let cases = read_cases(path)?;
        let asks = Asks::read(&folder::journal_path(path), &cases)?;
        if asks.by_ask.is_empty() {
            return Err(Error::Empty {
                path: path.to_owned(),
            });
        }
        Ok(Self {
            run,
            measured: read_measured(path),
            cases: asks.of(cases),
        })
    }

    /// The recorded answers, under the name by which the user called the folder.
    pub fn into_answers(self, name: &str) -> AnswerSet {
        let asks = || self.cases.iter().flat_map(|answers| &answers.asks);
        let recorded = asks().count() as u64;
        let failed = asks().filter(|ask| matches!(ask.outcome, Outcome::Failed(_)));
        let all = recorded >= self.run.asks;
        let rule = self
            .run
            .judging
            .adaptive
            .map(|adaptive| adaptive.rule.name());
        // An adaptive run is done with fewer asks than it planned; only its summary says whether it was.
        let decided = self.measured.is_some_and(|measured| measured.complete);
        let stopped_by = rule.filter(|_| !all && decided).map(str::to_owned);
        AnswerSet {
            about: About {
                name: name.to_owned(),
                model: self.run.model,
                requested: self.run.requested_model,
                endpoint: self.run.endpoint,
                served: self.run.served_models,
                flipside: Some(self.run.flipside),
                method: self.measured.map(|measured| measured.method),
                started: Some(self.run.started),
                cases: self.cases.len() as u64,
                planned: Some(self.run.asks),
                recorded,
                failed: failed.count() as u64,
                complete: all || stopped_by.is_some(),
                stopped_by,
            },
            cases: self.cases,
        }
    }
}

/// The cases of the run folder at `path`.
///
/// # Errors
/// [`Error::Io`] and [`Error::Case`].
pub(crate) fn read_cases(path: &Utf8Path) -> Result<Vec<Case>, Error> {
    let file = path.join("cases.jsonl");
    let text = fs_err::read_to_string(&file).map_err(|source| Error::Io { path: file, source })?;
    let cases = read_canonical(&text).map_err(|mut errors| {
        let more = match errors.len() {
            0 | 1 => String::new(),
            all => format!(" (and {} more)", all - 1),
        };
        Error::Case {
            folder: path.to_owned(),
            first: Box::new(errors.swap_remove(0)),
            more,
        }
    })?;
    Ok(cases)
}

/// What `summary.json` says, if there is one that can be read.
fn read_measured(path: &Utf8Path) -> Option<Measured> {
    let text = fs_err::read(path.join("summary.json")).ok()?;
    serde_json::from_slice(&text).ok()
}

/// What the journal has, by place in the plan: the case and the ask.
#[derive(Default)]
struct Asks {
    by_ask: BTreeMap<u32, (usize, RecordedAsk)>,
}

impl Asks {
    fn read(path: &Utf8Path, cases: &[Case]) -> Result<Self, Error> {
        let ids: BTreeMap<&str, usize> = (cases.iter().enumerate())
            .map(|(place, case)| (case.id.0.as_str(), place))
            .collect();
        let mut asks = Self::default();
        let (mut number, mut wrong) = (0, None);
        journal::visit(path, |line| {
            number += 1;
            if wrong.is_none()
                && counts(&line)
                && let Err(found) = asks.add(line, cases, &ids)
            {
                wrong = Some(Error::Line {
                    path: path.to_owned(),
                    line: number,
                    found,
                });
            }
        })?;
        wrong.map_or(Ok(asks), Err)
    }

    fn add(
        &mut self,
        line: Line<'static>,
        cases: &[Case],
        ids: &BTreeMap<&str, usize>,
    ) -> Result<(), String> {
        let Some(&place) = ids.get(&*line.case) else {
            let id = Foreign(&line.case);
            return Err(format!("case `{id}` is not in `cases.jsonl`"));
        };
        check(&line, &cases[place])?;
        let known = self.by_ask.get(&line.ask);
        if known.is_some_and(|(_, known)| !is_unanswered(&known.outcome)) {
            return Err(format!("ask {} stands in the journal twice", line.ask));
        }
        let ask = RecordedAsk {
            variant: line.variant().into(),
            order: line.order.into_owned(),
            outcome: line.outcome.into_owned(),
        };
        self.by_ask.insert(line.ask, (place, ask));
        Ok(())
    }

    fn of(self, cases: Vec<Case>) -> Vec<CaseAnswers> {
        let asks = Vec::new;
        let mut all: Vec<CaseAnswers> = cases
            .into_iter()
            .map(|case| CaseAnswers { case, asks: asks() })
            .collect();
        for (place, ask) in self.by_ask.into_values() {
            all[place].asks.push(ask);
        }
        all
    }
}

/// Whether a line is an ask of the plan; those of the confirmation round only repeat one.
fn counts(line: &Line<'_>) -> bool {
    line.confirms.is_none()
}

/// Whether an ask failed for lack of an answer, so that a later line may have one.
fn is_unanswered(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Failed(failed) if failed.unanswered)
}

/// Whether order, choice and probabilities are those of the case.
fn check(line: &Line<'_>, case: &Case) -> Result<(), String> {
    let own = case.options.len();
    let (least, options) = match line.axis {
        Axis::Drop => (own.saturating_sub(1), own),
        Axis::Decoy => (own + 1, own + 1),
        // Whatever it combines.
        Axis::Cross => (own.saturating_sub(1), own + 1),
        _ => (own, own),
    };
    let found = line.order.len();
    if !(least..=options).contains(&found) {
        return Err(format!(
            "the order has {found} places, case `{}` has {own} options",
            case.id
        ));
    }
    if let Some(id) = line
        .order
        .identities()
        .iter()
        .find(|id| id.index() >= options)
    {
        return Err(format!(
            "the order has option {}, case `{}` has {own} options, counted from 0",
            id.0, case.id
        ));
    }
    let Outcome::Answered(answer) = &*line.outcome else {
        return Ok(());
    };
    if let Some(choice) = answer.choice.filter(|choice| choice.index() >= options) {
        return Err(format!(
            "the answer is option {}, case `{}` has {own} options, counted from 0",
            choice.0, case.id
        ));
    }
    if let Some(choice) = answer
        .choice
        .filter(|choice| line.order.position_of(*choice).is_none())
    {
        return Err(format!(
            "the answer is option {}, counted from 0, which the order does not offer",
            choice.0
        ));
    }
    match &answer.probabilities {
        Some(all) if !(own..=options).contains(&all.len()) => Err(format!(
            "the answer has {} probabilities, case `{}` has {own} options",
            all.len(),
            case.id
        )),
        _ => Ok(()),
    }
}
