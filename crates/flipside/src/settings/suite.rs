//! The settings of `flipside suite`.

use camino::Utf8PathBuf;
use flipside_core::foreign::Foreign;
use flipside_core::gate::{GateSpec, Subject};
use flipside_core::suite::figures::limits;
use flipside_formats::read::Input;
use flipside_formats::suite::BUILTIN;
use flipside_models::catalog::Kind;

use super::asking::{Models, models};
use super::values::{Check, whole};
use crate::defaults;
use crate::diagnostic::Diagnostic;
use crate::flags::{SuiteGenerateFlags, SuiteReportFlags, SuiteRunFlags, SuiteScoreFlags};

/// What `flipside suite generate` does.
#[derive(Debug)]
pub(crate) struct SuiteGenerate {
    pub(crate) bases: Input,
    pub(crate) out: Option<Utf8PathBuf>,
}

/// What `flipside suite run` does.
#[derive(Debug)]
pub(crate) struct SuiteRun {
    pub(crate) rows: Input,
    pub(crate) seed: u64,
    pub(crate) models: Models,
    pub(crate) out: Option<Utf8PathBuf>,
    pub(crate) dry_run: bool,
    pub(crate) reporting: SuiteReporting,
}

/// What `flipside suite score` does.
#[derive(Debug)]
pub(crate) struct SuiteScore {
    pub(crate) rows: Input,
    /// Files of answers, each with the name of its column.
    pub(crate) answers: Vec<(Input, String)>,
    pub(crate) reporting: SuiteReporting,
}

/// How a suite is judged and reported.
#[derive(Debug)]
pub(crate) struct SuiteReporting {
    pub(crate) limits: Vec<(Subject, f64)>,
    pub(crate) json: Option<String>,
    pub(crate) verbose: bool,
}

/// What the flags of `flipside suite generate` say; each of their values is one.
pub(crate) fn suite_generate(flags: &SuiteGenerateFlags) -> SuiteGenerate {
    SuiteGenerate {
        bases: flags.template.as_deref().map_or_else(built_in, input),
        out: flags.out.clone().map(Utf8PathBuf::from),
    }
}

/// Checks the flags of `flipside suite run`.
///
/// # Errors
/// Every bad value.
pub(crate) fn suite_run(flags: &SuiteRunFlags) -> Result<SuiteRun, Vec<Diagnostic>> {
    let mut check = Check::default();
    let rows = flags.rows.as_deref().map_or_else(built_in, input);
    let models = models(&mut check, &flags.model);
    let number = "a plain number from 0 to 18446744073709551615";
    let given = check.value("--seed", flags.seed.as_deref(), number, |text| {
        whole(text, 0, u64::MAX)
    });
    let draws = models
        .specs
        .iter()
        .any(|spec| matches!(spec.kind(), Kind::Random | Kind::Noisy(_)));
    if let (Some(seed), false) = (given, draws) {
        let error = format!("`--seed {seed}`: no model draws, so the seed would change nothing");
        check
            .errors
            .push(Diagnostic::new(error).help("leave it out"));
    }
    let reporting = reporting(&mut check, &flags.judged);
    check.done(SuiteRun {
        rows,
        seed: given.unwrap_or(defaults::SEED),
        models,
        out: flags.out.clone().map(Utf8PathBuf::from),
        dry_run: flags.dry_run,
        reporting,
    })
}

/// Checks the flags of `flipside suite score`.
///
/// # Errors
/// Every bad value.
pub(crate) fn suite_score(flags: &SuiteScoreFlags) -> Result<SuiteScore, Vec<Diagnostic>> {
    let mut check = Check::default();
    let rows = input(&flags.rows);
    let mut answers: Vec<(Input, String)> = Vec::new();
    for text in &flags.answers {
        let file = input(text);
        if matches!(file, Input::Builtin(_)) {
            check.refuse("ANSWERS", text, "a file of answers");
        }
        if file == rows || answers.iter().any(|(known, _)| *known == file) {
            let file = Foreign(text);
            let error = Diagnostic::new(format!("`{file}` is given twice"));
            check.errors.push(error);
        }
        answers.push((file, text.clone()));
    }
    if !flags.name.is_empty() && flags.name.len() != answers.len() {
        let error = format!(
            "`--name` is given {} times for {} files of answers",
            flags.name.len(),
            answers.len()
        );
        let help = "give each file its name, in their order, or none";
        check.errors.push(Diagnostic::new(error).help(help));
    }
    for ((_, own), name) in answers.iter_mut().zip(&flags.name) {
        own.clone_from(name);
    }
    for (place, (_, name)) in answers.iter().enumerate() {
        if flags.name.iter().take(place).any(|earlier| earlier == name) {
            let error = format!("`--name {}` is given twice", Foreign(name));
            check.errors.push(Diagnostic::new(error));
        }
    }
    let reporting = reporting(&mut check, &flags.judged);
    check.done(SuiteScore {
        rows,
        answers,
        reporting,
    })
}

fn built_in() -> Input {
    Input::Builtin(BUILTIN.to_owned())
}

fn input(text: &str) -> Input {
    let Ok(input) = text.parse();
    input
}

fn reporting(check: &mut Check, flags: &SuiteReportFlags) -> SuiteReporting {
    let mut specs = Vec::new();
    for entry in &flags.gate {
        match GateSpec::parse_list(entry) {
            Ok(more) => specs.extend(more),
            Err(errors) => check
                .errors
                .extend((errors.iter()).map(|error| Diagnostic::new(format!("`--gate`: {error}")))),
        }
    }
    let limits = limits(&specs).unwrap_or_else(|errors| {
        let told = errors.iter();
        let told = told.map(|error| Diagnostic::new(format!("`--gate`: {error}")));
        check.errors.extend(told);
        Vec::new()
    });
    for (place, (subject, _)) in limits.iter().enumerate() {
        if limits[..place].iter().any(|(known, _)| known == subject) {
            let name = subject.name();
            let error = format!("`--gate`: `{}` has two gates", Foreign(&name));
            let help = "give each figure one limit";
            check.errors.push(Diagnostic::new(error).help(help));
        }
    }
    SuiteReporting {
        limits,
        json: flags.json.clone(),
        verbose: flags.verbose,
    }
}
