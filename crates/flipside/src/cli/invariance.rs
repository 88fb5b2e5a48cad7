//! `flipside invariance`: the order study below the answer, of models in process.

use flipside_core::case::Case;
use flipside_core::invariance::{Invariance, study, with_options};
use flipside_formats::read::{Input, read_cases};
use flipside_models::catalog::in_process;
use flipside_report::{json, markdown, terminal};

use crate::cli::json_file::{JsonFile, Kept};
use crate::diagnostic::{self, Diagnostic, data, say};
use crate::exit::Exit;
use crate::flags::InvarianceFlags;
use crate::progress::Studying;
use crate::settings;

/// Runs the command.
pub(crate) fn invariance(flags: &InvarianceFlags) -> Exit {
    match prepared(flags) {
        Ok((settings, cases, output)) => match run(&settings, &cases, output) {
            Ok(exit) => exit,
            Err((errors, exit)) => {
                diagnostic::print(&errors);
                exit
            }
        },
        Err(errors) => {
            diagnostic::print(&errors);
            Exit::Usage
        }
    }
}

type Prepared = (settings::Invariance, Vec<Case>, Option<JsonFile>);

fn prepared(flags: &InvarianceFlags) -> Result<Prepared, Vec<Diagnostic>> {
    let settings = settings::invariance(flags)?;
    let read = read_cases(&settings.inputs, &settings.read).map_err(|found| {
        let told = found.iter();
        told.map(|error| Diagnostic::caused(error).maybe_help(error.help()))
            .collect::<Vec<_>>()
    })?;
    for warning in &read.warnings {
        say(format!("warning: {warning}"));
    }
    let mut cases = read.cases;
    cases.truncate(settings.limit);
    if !settings.options.is_empty() {
        cases = resized(&cases, &settings);
    }
    if cases.is_empty() {
        let text = "no question has as many different options to draw from";
        return Err(vec![
            Diagnostic::new(text).help("ask for fewer with `--options`"),
        ]);
    }
    let files: Vec<String> = settings.inputs.iter().map(Input::to_string).collect();
    let kept = Kept {
        files: files.iter().map(String::as_str).collect(),
        folders: Vec::new(),
    };
    let output = settings
        .json
        .as_deref()
        .map(|path| JsonFile::open(path, &kept));
    let output = output.transpose().map_err(|error| vec![error])?;
    Ok((settings, cases, output))
}

/// The choices with each number of options that was asked for.
fn resized(cases: &[Case], settings: &settings::Invariance) -> Vec<Case> {
    let mut all = Vec::new();
    for options in &settings.options {
        let found = with_options(cases, *options, settings.study.seed);
        if found.is_empty() {
            say(format!(
                "warning: the file has too few different options for questions of {options}: none is asked"
            ));
        }
        all.extend(found);
    }
    all
}

fn run(
    settings: &settings::Invariance,
    cases: &[Case],
    output: Option<JsonFile>,
) -> Result<Exit, (Vec<Diagnostic>, Exit)> {
    let mut models: Vec<Invariance> = Vec::new();
    for spec in &settings.models {
        let model = in_process(spec).expect("the settings name models in process alone");
        let model = model.map_err(|error| (vec![Diagnostic::caused(&error)], Exit::Usage))?;
        let progress = Studying::new(spec.text(), cases.len());
        let about = (spec.text(), Some(model.digest()));
        models.push(study(cases, &*model, about, &settings.study, |done| {
            progress.done(done);
        }));
    }
    let style = crate::style(false);
    let unasked = models.iter().all(|model| {
        model.questions.choice + model.questions.score == 0 && model.refused.reason.is_some()
    });
    if unasked {
        let errors = models.iter().map(|model| {
            let reason = model.refused.reason.as_deref().unwrap_or_default();
            Diagnostic::new(format!(
                "`{}` can be asked none of these questions: {reason}",
                model.model
            ))
        });
        return Err((errors.collect(), Exit::Usage));
    }
    let written = || -> Result<(), Diagnostic> {
        if !output.as_ref().is_some_and(JsonFile::is_standard) {
            data(&if settings.markdown {
                markdown::render_invariance(&models)
            } else {
                terminal::render_invariance(&models, &style)
            })?;
        }
        match output {
            Some(output) => output.write(|out| json::write_invariance(&models, out)),
            None => Ok(()),
        }
    };
    written().map_err(|error| (vec![error], Exit::Incomplete))?;
    // What could not be asked was not shown.
    let all = models
        .iter()
        .all(|model| model.statement.invariant && model.refused.cases.count == 0);
    Ok(if settings.require && !all {
        Exit::NotHeld
    } else {
        Exit::Held
    })
}
