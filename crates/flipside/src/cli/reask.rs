//! `flipside reask`: decisions on record, asked again.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use flipside_core::case::{Case, CaseId};
use flipside_core::digest::Digest;
use flipside_core::foreign::Foreign;
use flipside_core::plan::Baseline;
use flipside_core::recorded::{
    BACKEND, Decision, FRONT, Lacking, Missing, QUESTION, RecordingTally, Standing,
};
use flipside_formats::folder::{RunSource, read_run};
use flipside_formats::import::{self, Recording, Supplements};
use flipside_formats::read::{Input, ReadOptions, read_cases};
use flipside_models::env::Environment;
use flipside_report::{terminal, wording};

use crate::cli::prepared::{Prepared, ReadCases};
use crate::diagnostic::{self, Diagnostic, data, say};
use crate::exit::Exit;
use crate::flags::ReaskFlags;
use crate::settings::{self, Reask, Supplied, TextSource};

/// Runs the command.
pub(crate) fn reask(
    flags: &ReaskFlags,
    command: &[String],
    environment: &Environment,
    runtime: &tokio::runtime::Runtime,
) -> Exit {
    let prepared = settings::reask(flags).and_then(|settings| prepare(settings, environment));
    match prepared {
        Ok(prepared) => prepared.run(command, runtime),
        Err(errors) => {
            diagnostic::print(&errors);
            Exit::Usage
        }
    }
}

fn prepare(settings: Reask, environment: &Environment) -> Result<Prepared, Vec<Diagnostic>> {
    let Reask {
        runs,
        baseline,
        supplied,
        probing,
    } = settings;
    let (out, verbose) = (probing.out.clone(), probing.verbose);
    Prepared::new(probing, environment, || {
        if let Some(out) = out.filter(|out| runs.iter().any(|run| same_file(run, out))) {
            let out = Foreign(out.as_str());
            let error = format!("`--out {out}` is a recording that is read");
            return Err(vec![Diagnostic::new(error).help("name another folder")]);
        }
        cases(&runs, &supplied, baseline, verbose)
    })
}

fn same_file(one: &Utf8Path, other: &Utf8Path) -> bool {
    let real = |path: &Utf8Path| fs_err::canonicalize(path).ok();
    real(one).is_some_and(|one| Some(one) == real(other))
}

/// The decisions of `runs` that can be asked again, as cases. Of a recording that cannot say more, it prints how close its decisions
/// were.
fn cases(
    runs: &[Utf8PathBuf],
    supplied: &Supplied,
    baseline: Baseline,
    verbose: bool,
) -> Result<ReadCases, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let supplements = supplements(supplied, &mut errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut recordings = Vec::new();
    for run in runs {
        match import::read(run, &supplements) {
            Ok(recording) => recordings.push(recording),
            Err(found) => errors.extend(
                (found.iter()).map(|error| Diagnostic::caused(error).maybe_help(error.help())),
            ),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    unused(runs, supplied);
    let mut found = ReadCases {
        baseline,
        split_by: vec![BACKEND, FRONT, QUESTION],
        ..ReadCases::default()
    };
    for run in runs {
        let wire = read_run(run).ok().and_then(|recorded| recorded.protocol);
        found.wires.extend(wire.map(|wire| (run.clone(), wire)));
    }
    let mut by_run = Vec::new();
    for (run, recording) in runs.iter().zip(recordings) {
        for warning in &recording.warnings {
            say(format!("warning: {warning}"));
        }
        let tally = tally(run, &recording);
        for line in told(&tally) {
            say(line);
        }
        if let Some(margins) = &recording.margins {
            let shown = data(&terminal::render_margins(margins, &crate::style(verbose)));
            errors.extend(shown.err());
        }
        errors.extend((tally.reask == 0).then(|| nothing(&tally)));
        found.recordings.push(tally);
        found.sources.extend(recording.sources.iter().map(source));
        let decisions = recording.decisions.into_iter();
        let asked = decisions.filter(|decision| decision.standing() == Standing::Reask);
        by_run.push(asked.map(case).collect::<Vec<Case>>());
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    name_apart(&names(runs), &mut by_run);
    found.cases = by_run.into_iter().flatten().collect();
    Ok(found)
}

fn tally(run: &Utf8Path, recording: &Recording) -> RecordingTally {
    RecordingTally::of(
        run.as_str(),
        &recording.format,
        &recording.about.model,
        &recording.decisions,
    )
}

fn source(record: &import::Record) -> RunSource {
    RunSource {
        name: record.name.clone(),
        sha256: record.sha256.to_string(),
        cases: record.decisions,
    }
}

fn case(decision: Decision) -> Case {
    let mut case = decision.case;
    case.brought.recorded = decision.outcome.map(Box::new);
    case
}

/// What a recording is good for, and what keeps its decisions from being asked again.
fn told(tally: &RecordingTally) -> Vec<String> {
    let mut lines = vec![format!(
        "{}: {}",
        Foreign(&tally.name),
        wording::recording(tally)
    )];
    lines.extend(tally.missing.iter().map(|lacking| {
        let supplied = lacking.supplied_by.as_ref();
        let supplied = supplied.map_or_else(String::new, |flags| format!("; {flags}"));
        let (what, count) = (Foreign(&lacking.what), wording::count(lacking.decisions));
        format!("  {count}: {what}{supplied}")
    }));
    lines
}

/// That nothing of a recording can be asked again, and what supplies what is missing.
fn nothing(tally: &RecordingTally) -> Diagnostic {
    let parts: Vec<String> = (tally.missing.iter())
        .map(
            |Lacking {
                 what, decisions, ..
             }| { format!("{} ({})", Foreign(what), wording::count(*decisions)) },
        )
        .collect();
    let decisions = match tally.decisions {
        0 => "it has no decision".to_owned(),
        1 => format!(
            "its one decision cannot be asked again: {}",
            parts.join(", ")
        ),
        n => {
            let n = wording::count(n);
            format!(
                "none of its {n} decisions can be asked again: {}",
                parts.join(", ")
            )
        }
    };
    let mut help: Vec<&str> = Vec::new();
    let flags = tally
        .missing
        .iter()
        .filter_map(|lacking| lacking.supplied_by.as_deref());
    help.extend(flags);
    if tally
        .missing
        .iter()
        .any(|lacking| lacking.supplied_by.is_none())
    {
        help.push(match help[..] {
            [] => "no flag supplies that",
            _ => "no flag supplies the rest",
        });
    }
    if tally.compare > 0 {
        help.push("`flipside compare` reports what the answers alone show");
    }
    let help = (!help.is_empty()).then(|| help.join("; "));
    Diagnostic::new(format!("`{}`: {decisions}", Foreign(&tally.name))).maybe_help(help)
}

/// What the user supplies; what is wrong with it goes to `errors`.
fn supplements(supplied: &Supplied, errors: &mut Vec<Diagnostic>) -> Supplements {
    let rules = match &supplied.rules {
        None => None,
        Some(TextSource::Text(text)) => Some(text.clone()),
        Some(TextSource::File(path)) => match fs_err::read_to_string(path) {
            Ok(text) => Some(text),
            Err(error) => {
                errors.push(Diagnostic::new(format!("`--rules`: {error}")));
                None
            }
        },
    };
    if rules
        .as_deref()
        .is_some_and(|rules| rules.trim().is_empty())
    {
        errors.push(Diagnostic::new("`--rules`: the text is empty"));
    }
    let mut read = |inputs: &[Input]| match read_cases(inputs, &ReadOptions::default()) {
        Ok(set) => set.cases,
        Err(found) => {
            let told = found.iter();
            errors.extend(told.map(|error| Diagnostic::caused(error).maybe_help(error.help())));
            Vec::new()
        }
    };
    Supplements {
        rules_from: read(&supplied.rules_from),
        options_from: read(&supplied.options_from),
        cases: read(&supplied.cases),
        rules,
    }
}

/// Says which of the supplied things no decision lacks.
fn unused(runs: &[Utf8PathBuf], supplied: &Supplied) {
    let given = [
        ("--rules", supplied.rules.is_some(), Missing::Rules),
        (
            "--rules-from",
            !supplied.rules_from.is_empty(),
            Missing::Rules,
        ),
        (
            "--options-from",
            !supplied.options_from.is_empty(),
            Missing::Order,
        ),
        ("--cases", !supplied.cases.is_empty(), Missing::Request),
    ];
    if given.iter().all(|(_, given, _)| !given) {
        return;
    }
    // As they are without anything supplied.
    let bare: Vec<Recording> = (runs.iter())
        .filter_map(|run| import::read(run, &Supplements::default()).ok())
        .collect();
    // What cannot be read without cases lacks whatever they have.
    if bare.len() < runs.len() {
        return;
    }
    for (flag, given, part) in given {
        let mut decisions = bare.iter().flat_map(|recording| &recording.decisions);
        if given && !decisions.any(|decision| decision.missing.contains(&part)) {
            say(format!(
                "warning: `{flag}` changes nothing: no decision lacks what it supplies"
            ));
        }
    }
}

/// What each run is called in the ids of its decisions, where ids alone do not tell.
fn names(runs: &[Utf8PathBuf]) -> Vec<String> {
    let short: Vec<&str> = runs
        .iter()
        .map(|run| run.file_name().unwrap_or(run.as_str()))
        .collect();
    let apart = |name: &&str| short.iter().filter(|known| known == &name).count() == 1;
    if short.iter().all(apart) {
        short.iter().map(|name| (*name).to_owned()).collect()
    } else {
        runs.iter().map(ToString::to_string).collect()
    }
}

/// Puts the run's name before every id that stands for different questions, and a number behind those that still do.
fn name_apart(runs: &[String], by_run: &mut [Vec<Case>]) {
    let mut contents: BTreeMap<String, Digest> = BTreeMap::new();
    let mut shared: Vec<String> = Vec::new();
    for case in by_run.iter().flatten() {
        let content = case.content();
        let known = contents.entry(case.id.0.clone()).or_insert(content);
        if *known != content {
            shared.push(case.id.0.clone());
        }
    }
    shared.sort_unstable();
    let mut taken: BTreeMap<String, Digest> = BTreeMap::new();
    for (run, cases) in runs.iter().zip(by_run) {
        for case in cases {
            let content = case.content();
            let mut id = case.id.0.clone();
            if shared.binary_search(&id).is_ok() {
                id = format!("{run}/{id}");
            }
            let mut numbered = (2..).map(|number| format!("{id}#{number}"));
            let mut free = id.clone();
            while *taken.entry(free.clone()).or_insert(content) != content {
                free = numbered.next().expect("numbers do not end");
            }
            case.id = CaseId(free);
        }
    }
}

#[cfg(test)]
mod tests {
    use flipside_core::json::Json;

    use super::*;

    fn ids(runs: &[&[(&str, &str)]]) -> Vec<String> {
        let text = r#"{"id":"x","state":{"n":1},"options":{"a":"1","b":"2"},"rules":"r"}"#;
        let folder = tempfile::tempdir().unwrap();
        let file = Utf8PathBuf::try_from(folder.path().join("cases.jsonl")).unwrap();
        fs_err::write(&file, text).unwrap();
        let one = read_cases(&[Input::Path(file)], &ReadOptions::default()).unwrap();
        let case = |(id, state): &(&str, &str)| Case {
            id: CaseId((*id).to_owned()),
            state: Json::String((*state).to_owned()),
            ..one.cases[0].clone()
        };
        let mut by_run: Vec<Vec<Case>> = runs
            .iter()
            .map(|run| run.iter().map(case).collect())
            .collect();
        let names: Vec<String> = (1..=runs.len()).map(|n| format!("run{n}")).collect();
        name_apart(&names, &mut by_run);
        by_run.into_iter().flatten().map(|case| case.id.0).collect()
    }

    #[test]
    fn ids_that_stand_for_two_questions_take_the_name_of_their_run() {
        assert_eq!(
            ids(&[&[("1", "x"), ("2", "y")], &[("1", "z"), ("2", "y")]]),
            ["run1/1", "2", "run2/1", "2"]
        );
        assert_eq!(ids(&[&[("1", "x"), ("2", "x")]]), ["1", "2"]);
        // Two questions of one id in one run, and an id that looks like a number behind another.
        assert_eq!(
            ids(&[&[("1", "x"), ("1", "y"), ("run1/1#2", "z")]]),
            ["run1/1", "run1/1#2", "run1/1#2#2"]
        );
    }

    #[test]
    fn runs_are_called_by_their_last_name_where_that_tells_them_apart() {
        let names = |runs: &[&str]| names(&runs.iter().map(Utf8PathBuf::from).collect::<Vec<_>>());
        assert_eq!(names(&["runs/a", "runs/b"]), ["a", "b"]);
        assert_eq!(names(&["x/a", "y/a"]), ["x/a", "y/a"]);
    }
}
