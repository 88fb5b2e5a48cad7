//! Telling recordings apart, by content: a folder by its files, a file by the fields of its rows.

use std::ops::ControlFlow;

use camino::Utf8Path;
use flipside_core::json::Object;

use super::Problem;
use super::file::File;
use crate::cases;
use crate::read::{Error, Out};

/// A kind of recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A run folder of ours.
    Run,
    /// A job of system1-agents, one trial of it, or one `episode.json`.
    Job,
    /// A browser run of system1-agents, or its `decision_ticks.json`.
    Browser,
    /// System One requests with their responses in one file.
    Exchange,
    /// System One requests, whose responses may stand in a file beside them.
    Request,
    /// System One responses, whose requests may stand in a file beside them.
    Response,
    /// Results of sys1-eval.
    Results,
    /// `AgentJev` requests or responses.
    AgentJev,
    /// A table of answers, CSV or one object a row.
    Table,
    /// Rows that list the options as offered beside what was chosen.
    Listed,
}

impl Kind {
    /// What a row of this kind is, as a person would say it.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Run => "a run folder of flipside",
            Self::Job => "an episode of system1-agents",
            Self::Browser => "a browser run of system1-agents",
            Self::Exchange => "a System One exchange",
            Self::Request => "a System One request",
            Self::Response => "a System One response",
            Self::Results => "a result of sys1-eval",
            Self::AgentJev => "an AgentJev request or response",
            Self::Table => "a row of an answer table",
            Self::Listed => "a row with the options as offered and a choice",
        }
    }

    /// The kind of the recording in a folder.
    pub(super) fn of_folder(path: &Utf8Path) -> Option<Self> {
        let has = |name: &str| path.join(name).exists();
        if has("run.json") {
            Some(Self::Run)
        } else if has("decision_ticks.json") {
            Some(Self::Browser)
        } else if has("agent/episode.json")
            || has("episode.json")
            || (has("config.json") && has("result.json"))
        {
            Some(Self::Job)
        } else {
            None
        }
    }

    /// The kind of a file, as its first row shows it; every other row is held against it when it is read.
    ///
    /// # Errors
    /// Every error of its rows where none of them tells.
    pub(super) fn of_file(file: &File<'_>) -> Result<Self, Vec<Error>> {
        let text = file.beginning()?;
        if is_table(text) {
            return Ok(Self::Table);
        }
        let (mut out, mut found) = (Out::default(), None);
        file.each_row(text, &mut out, &mut |row, _| {
            let kind = Self::of_row(&row.object).map_err(|problem| problem.at(&row.at));
            found = Some(kind);
            ControlFlow::Break(())
        });
        match found {
            Some(kind) => kind.map_err(|error| vec![error]),
            None if out.error_count() > 0 => Err(out.into_errors()),
            None => Err(vec![Problem::Empty.at(&file.at(1))]),
        }
    }

    /// The kind of a row.
    pub(super) fn of_row(row: &Object) -> Result<Self, Problem> {
        let has = |name: &str| row.get(name).is_some();
        let all = |names: &[&str]| names.iter().all(|name| has(name));
        let is = |name: &str, kind: &str| row.get(name).is_some_and(|value| value.kind() == kind);
        if all(&["decisions", "views"]) {
            Ok(Self::Job)
        } else if is("ticks", "an array") {
            Ok(Self::Browser)
        } else if cases::is_agentjev_exchange(row) {
            Ok(Self::AgentJev)
        } else if all(&["request", "response"]) {
            Ok(Self::Exchange)
        } else if all(&["answers", "ok", "id"]) {
            Ok(Self::Results)
        } else if (is("questions", "an array") && has("state"))
            || has("requests")
            || is("results", "an array")
        {
            Ok(Self::AgentJev)
        } else if is("questions", "an object") && has("state") && !is("gold", "an object") {
            Ok(Self::Request)
        } else if all(&["answers", "model"]) {
            Ok(Self::Response)
        } else if is("order", "an array") && has("choice") {
            Ok(Self::Listed)
        } else if let Some(format) = cases::known(row) {
            Err(Problem::CaseFile { format })
        } else if has("id") && cases::ANSWER.iter().any(|name| has(name)) {
            Ok(Self::Table)
        } else {
            let fields = row.members().iter().map(|(name, _)| name.clone());
            Err(Problem::Unknown {
                fields: fields.collect(),
            })
        }
    }
}

/// Whether a text is no JSON and begins with a header of several columns.
fn is_table(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).trim_start();
    let header = text.lines().next().unwrap_or_default();
    !text.starts_with(['{', '[']) && header.contains(',')
}
