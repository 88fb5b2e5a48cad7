//! `flipside suite score`: answers from any engine to the figures of a suite; nothing is asked.

use flipside_core::answer;
use flipside_core::foreign::Foreign;
use flipside_core::measure::Said;
use flipside_core::order::Order;
use flipside_core::present::Presentation;
use flipside_core::suite::SuiteCase;
use flipside_core::suite::figures::{
    AboutModel, AnswerSource, RowAnswer, SuiteModel, SuiteReport, SuiteRows, decided,
};
use flipside_formats::read::Input;
use flipside_formats::suite::{Given, GivenRow, SuiteAnswers, read_answers};
use flipside_report::wording;

use super::report::{self, told};
use crate::cli::json_file::{JsonFile, Kept};
use crate::diagnostic::{self, Diagnostic, say};
use crate::exit::Exit;
use crate::flags::SuiteScoreFlags;
use crate::settings::{self, SuiteScore};

/// Runs the command.
pub(super) fn score(flags: &SuiteScoreFlags) -> Exit {
    let scored = settings::suite_score(flags).and_then(|settings| {
        let scored = scored(&settings)?;
        let output = open(&settings).map_err(|error| vec![error])?;
        Ok((settings, scored, output))
    });
    let (settings, report, output) = match scored {
        Ok(scored) => scored,
        Err(errors) => {
            diagnostic::print(&errors);
            return Exit::Usage;
        }
    };
    let style = crate::style(settings.reporting.verbose);
    match report::print(&report, output, &style) {
        Ok(()) if report.exit == 0 => Exit::Held,
        Ok(()) => Exit::NotHeld,
        Err(error) => {
            diagnostic::print(&[error]);
            Exit::Incomplete
        }
    }
}

fn open(settings: &SuiteScore) -> Result<Option<JsonFile>, Diagnostic> {
    let answers = settings.answers.iter().map(|(file, _)| file);
    let files: Vec<String> = std::iter::once(&settings.rows)
        .chain(answers)
        .map(Input::to_string)
        .collect();
    let kept = Kept {
        files: files.iter().map(String::as_str).collect(),
        folders: Vec::new(),
    };
    let path = settings.reporting.json.as_deref();
    path.map(|path| JsonFile::open(path, &kept)).transpose()
}

/// The report of every file of answers, or everything that is wrong with the files.
fn scored(settings: &SuiteScore) -> Result<SuiteReport, Vec<Diagnostic>> {
    let suite = report::rows(&settings.rows)?;
    let (mut models, mut errors) = (Vec::new(), Vec::new());
    for (file, name) in &settings.answers {
        match read_answers(file, &suite.rows) {
            Ok(answers) => models.push(model(&suite.rows, answers, name, settings)),
            Err(found) => errors.extend(told(&found)),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let source = &suite.source;
    let rows = SuiteRows::of(&source.name, &source.sha256, &suite.rows);
    Ok(SuiteReport::new(env!("CARGO_PKG_VERSION"), rows, models))
}

fn model(
    rows: &[SuiteCase],
    answers: SuiteAnswers,
    name: &str,
    settings: &SuiteScore,
) -> SuiteModel {
    let mut rejected: Vec<String> = Vec::new();
    let given = rows.iter().zip(answers.rows);
    let said: Vec<RowAnswer> = given
        .map(|(row, given)| match given {
            None => RowAnswer::UNASKED,
            Some(given) => answer(row, given, &mut rejected),
        })
        .collect();
    if let Some(first) = rejected.first() {
        let answers_text = wording::plural(rejected.len() as u64, "answer", "answers");
        let such = if rejected.len() == 1 { "" } else { "such as " };
        say(format!(
            "warning: {}: {answers_text} cannot be read and counted as missing: {such}{first}",
            Foreign(&answers.file)
        ));
    }
    let about = AboutModel {
        name: name.to_owned(),
        source: AnswerSource::Read {
            file: answers.file,
            sha256: answers.sha256.to_string(),
        },
        stopped: None,
    };
    SuiteModel::of(about, rows, &said, &settings.reporting.limits)
}

/// What was given to a row; what is no answer to it goes to `rejected`.
fn answer(row: &SuiteCase, given: GivenRow, rejected: &mut Vec<String>) -> RowAnswer {
    let said = match given.given {
        Given::Refusal => Said::Nothing,
        Given::Failed(_) => Said::Missing,
        Given::Answer(answer) => {
            let own = Order::own(row.case.options.len());
            match answer::given(&Presentation::new(&row.case, &own), &answer) {
                Ok(answer) => decided(&row.row, &answer),
                Err(rejection) => {
                    rejected.push(format!(
                        "line {}, row `{}`: {rejection}",
                        given.line, row.case.id
                    ));
                    Said::Missing
                }
            }
        }
    };
    RowAnswer {
        said,
        ms: given.ms.filter(|_| said != Said::Missing),
        served: given.model,
        repeated: false,
    }
}
