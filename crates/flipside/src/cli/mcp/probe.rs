//! The tool `probe`: cases of the call or of a file, asked in several ways.

use std::time::Instant;

use flipside_core::canary::Canary;
use flipside_core::case::Case;
use flipside_core::foreign::Foreign;
use flipside_core::json::{Json, Object};
use flipside_core::order::OptionId;
use flipside_core::perturb::Axis;
use flipside_core::summary::{Figure, GateLine, Summary};
use flipside_engine::Signals;
use flipside_formats::read::{Error, Input, ReadOptions, read_cases};
use flipside_models::env::Environment;
use flipside_report::warning::{self, Warning};
use flipside_report::{Style, terminal};

use super::arguments::Arguments;
use super::decide::with_warnings;
use super::outcome::{Outcome, as_arguments};
use crate::cli::one::Choice;
use crate::cli::prepared::{Prepared, ReadCases};
use crate::cli::values::{count, number, object, text};
use crate::defaults;
use crate::diagnostic::Diagnostic;
use crate::settings::{Mcp, ProbeCall};

/// Answers a call.
///
/// # Errors
/// What is wrong with its arguments or cases.
pub(super) async fn probe(
    settings: &Mcp,
    environment: &Environment,
    arguments: &Object,
    signals: &Signals,
) -> Result<Outcome, Vec<Diagnostic>> {
    let began = Instant::now();
    let mut errors = Vec::new();
    let known = [
        "cases", "model", "order", "axis", "gate", "seed", "max_asks",
    ];
    let arguments = Arguments::new(arguments, "", &known, &mut errors);
    let mut words = |name| arguments.text(name, &mut errors).map(str::to_owned);
    let (model, order, axis, gate) = (words("model"), words("order"), words("axis"), words("gate"));
    let call = ProbeCall {
        model,
        order,
        axis,
        gate,
        seed: arguments.number("seed", &mut errors),
        max_asks: arguments.number("max_asks", &mut errors),
    };
    let cases = cases(settings, arguments, &mut errors);
    let probing = settings.probe(call);
    let probing = probing.map_err(|found| errors.extend(found)).ok();
    let (Some(cases), Some(probing), true) = (cases, probing, errors.is_empty()) else {
        return Err(errors);
    };
    let mut warnings = cases.warnings;
    let most = probing.models.max_asks;
    let prepared = Prepared::new(probing, environment, || Ok(cases.read))?;
    check_asks(prepared.requests(), most)?;
    let ended = prepared
        .measured(signals)
        .await
        .map_err(|error| vec![error])?;
    let ms = began.elapsed().as_secs_f64() * 1e3;
    warnings.extend(
        warning::warnings(&ended.summary)
            .iter()
            .map(Warning::for_a_caller),
    );
    let structured = with_warnings(told(&ended.summary, ms), &warnings);
    let mut texts = vec![terminal::render(&ended.summary, &PLAIN)];
    texts.extend(warnings.iter().map(|warning| format!("warning: {warning}")));
    let failed = ended.problem.is_some();
    if let Some(problem) = ended.problem {
        texts.splice(0..0, Outcome::of_errors(&[problem]).texts);
    }
    Ok(Outcome {
        texts,
        structured: Some(structured),
        failed,
    })
}

/// How the report looks, whatever standard output is.
const PLAIN: Style = Style {
    color: false,
    width: defaults::WIDTH,
    verbose: false,
};

/// Refuses what needs more requests than a call may make, before any is made.
///
/// # Errors
/// Says so.
pub(super) fn check_asks(requests: u64, most: Option<u64>) -> Result<(), Vec<Diagnostic>> {
    match most {
        Some(most) if requests > most => {
            let error = format!("this needs {requests} asks, and the call may make {most}");
            let help = "ask fewer cases or orders, or start the server with a larger `--max-asks`";
            Err(vec![Diagnostic::new(error).help(help)])
        }
        _ => Ok(()),
    }
}

/// Cases, and what was noticed while they were read.
struct Cases {
    read: ReadCases,
    warnings: Vec<String>,
}

fn cases(settings: &Mcp, arguments: Arguments<'_>, errors: &mut Vec<Diagnostic>) -> Option<Cases> {
    match arguments.required("cases", errors)? {
        Json::String(name) => match of_file(settings, name) {
            Ok(cases) => Some(cases),
            Err(found) => {
                errors.extend(found);
                None
            }
        },
        Json::Array(items) => listed(items, errors),
        other => {
            errors.push(Diagnostic::new(format!(
                "`cases` is {}, expected an array of cases, a path or `builtin:NAME`",
                other.kind()
            )));
            None
        }
    }
}

fn of_file(settings: &Mcp, name: &str) -> Result<Cases, Vec<Diagnostic>> {
    let input: Input = name.parse().unwrap_or_else(|never| match never {});
    let shown = Foreign(name).cut(80);
    match &input {
        Input::Stdin => {
            let error =
                "`cases`: standard input carries the protocol, expected a path or `builtin:NAME`";
            return Err(vec![Diagnostic::new(error)]);
        }
        Input::Path(path) if !settings.may_read(path.as_std_path()) => {
            let error =
                format!("`cases`: `{shown}` is no case file that this server was started with");
            let help = "start it with `--cases` and that path, or give an array of cases";
            return Err(vec![Diagnostic::new(error).help(help)]);
        }
        _ => {}
    }
    let read = read_cases(&[input], &ReadOptions::default())
        .map_err(|found| found.iter().map(unreadable).collect::<Vec<_>>())?;
    Ok(Cases {
        warnings: read.warnings.iter().map(ToString::to_string).collect(),
        read: ReadCases::of_files(read),
    })
}

/// An error about a file, which a caller may not read: nothing of what is in it is told.
fn unreadable(error: &Error) -> Diagnostic {
    if error.at().is_none() {
        return Diagnostic::caused(error).maybe_help(error.help());
    }
    Diagnostic::new(error.without_content()).help(
        "calls are told nothing of what is in a file; `flipside probe FILE` on the server's machine says more",
    )
}

fn listed(items: &[Json], errors: &mut Vec<Diagnostic>) -> Option<Cases> {
    let before = errors.len();
    if items.is_empty() {
        errors.push(Diagnostic::new(
            "`cases` is empty, expected one case or more",
        ));
    }
    let (mut cases, mut warnings) = (Vec::new(), Vec::new());
    for (place, item) in items.iter().enumerate() {
        cases.extend(listed_one(place, item, &mut warnings, errors));
    }
    let ids = cases.iter().map(|case: &Case| case.id.0.as_str());
    if let Some((first, second)) = flipside_core::json::first_duplicate(ids) {
        let id = &cases[second].id;
        errors.push(Diagnostic::new(format!(
            "`cases`: id `{id}` is given twice, by case {} and case {}",
            cases[first].source.line, cases[second].source.line
        )));
    }
    let read = ReadCases {
        cases,
        ..ReadCases::default()
    };
    (errors.len() == before).then_some(Cases { read, warnings })
}

fn listed_one(
    place: usize,
    item: &Json,
    warnings: &mut Vec<String>,
    errors: &mut Vec<Diagnostic>,
) -> Option<Case> {
    let Json::Object(object) = item else {
        let kind = item.kind();
        errors.push(Diagnostic::new(format!(
            "`cases[{place}]` is {kind}, expected an object"
        )));
        return None;
    };
    let at = format!("cases[{place}].");
    let known = ["id", "state", "options", "rules", "expect"];
    let fields = Arguments::new(object, &at, &known, errors);
    let id = fields.text("id", errors).map(str::to_owned);
    if id.as_deref() == Some("") {
        errors.push(Diagnostic::new(format!("`{at}id` is empty")));
    }
    let state = fields.state(errors);
    let options = fields.options(errors);
    let rules = fields.required_text("rules", errors);
    let (state, options, rules) = (state?, options?, rules?);
    let accept = accepted(fields.get("expect"), &options.options, &at, errors)?;
    warnings.extend(
        options
            .warning
            .map(|warning| format!("`cases[{place}]`: {warning}")),
    );
    let case = Choice {
        named: id.is_some(),
        id: id.unwrap_or_else(|| format!("case {}", place + 1)),
        format: "call",
        file: "cases",
        line: place as u64 + 1,
        state,
        options: options.options,
        rules: rules.to_owned(),
        accept,
    };
    match case.case() {
        Ok(case) => Some(case),
        Err(error) => {
            errors.push(Diagnostic::new(format!("`cases[{place}]`: {error}")));
            None
        }
    }
}

fn accepted(
    expect: Option<&Json>,
    options: &[(String, Option<String>)],
    at: &str,
    errors: &mut Vec<Diagnostic>,
) -> Option<Vec<OptionId>> {
    let keys: Vec<Option<&str>> = match expect {
        None => return Some(Vec::new()),
        Some(Json::Array(items)) if !items.is_empty() => items.iter().map(Json::as_str).collect(),
        Some(other) => vec![other.as_str()],
    };
    let mut accept = Vec::new();
    for key in keys {
        let Some(key) = key else {
            errors.push(Diagnostic::new(format!(
                "`{at}expect` is neither the key of an option nor an array of keys"
            )));
            return None;
        };
        let Some(place) = options.iter().position(|(known, _)| known == key) else {
            let keys: Vec<String> = options
                .iter()
                .map(|(key, _)| format!("`{}`", Foreign(key)))
                .collect();
            errors.push(Diagnostic::new(format!(
                "`{at}expect`: `{}` is no option, expected one of {}",
                Foreign(key).cut(80),
                keys.join(", ")
            )));
            return None;
        };
        accept.push(OptionId(u16::try_from(place).expect("at most 255 options")));
    }
    Some(accept)
}

/// The main figures, as the output schema has them.
fn told(summary: &Summary, ms: f64) -> Vec<(&'static str, Json)> {
    let counts = &summary.counts;
    let mut members = vec![("complete", Json::Bool(summary.complete))];
    if let Some(stopped) = &summary.stopped {
        members.push(("stopped", text(stopped.as_str())));
    }
    let canary = summary.canary.as_ref();
    let requests =
        summary.asking.map_or(0, |asking| asking.requests) + canary.map_or(0, |canary| canary.asks);
    members.extend([
        ("exit", count(u64::from(summary.exit))),
        ("asks", count(requests)),
        ("cases", count(counts.cases)),
        ("labelled", count(counts.labelled)),
        ("answered", count(counts.answered)),
        ("failed", count(counts.failed)),
        ("fit", figure(None, &summary.fit.figure, summary.fit.right)),
    ]);
    let lines = summary.axes.iter().flat_map(|(axis, lines)| {
        let lines = lines.iter();
        lines.map(move |(variant, line)| flips(Some((axis, variant)), &line.figure))
    });
    members.push(("axes", Json::Array(lines.collect())));
    if let Some(control) = &summary.control {
        members.push((
            "control",
            flips(Some((Axis::Same.name(), "")), &control.figure),
        ));
    }
    members.extend(canary.map(|found| ("canary", checked(found, summary))));
    let gates = summary.gates.iter().map(gate).collect();
    let served = summary.model.served.first().unwrap_or(&summary.model.spec);
    members.extend([
        ("gates", Json::Array(gates)),
        ("model", text(served.as_str())),
        ("ms", number((ms * 1e3).round() / 1e3)),
    ]);
    members
}

/// What the order canary found, and what that means for the verdicts of `summary`.
fn checked(found: &Canary, summary: &Summary) -> Json {
    let mut members = vec![
        ("order", text(found.order.name())),
        ("asks", count(found.asks)),
    ];
    members.extend(
        found
            .why
            .as_ref()
            .map(|why| ("why", text(as_arguments(why)))),
    );
    let warnings = terminal::qualifications(summary);
    if !warnings.is_empty() {
        members.push(("warning", text(warnings.join("; "))));
    }
    object(members)
}

fn flips(of: Option<(&str, &str)>, found: &Figure) -> Json {
    figure(of, found, found.flips.unwrap_or(0))
}

fn figure(of: Option<(&str, &str)>, found: &Figure, counted: u64) -> Json {
    let mut members = Vec::new();
    if let Some((axis, variant)) = of {
        members.push(("axis", text(axis)));
        if !variant.is_empty() {
            members.push(("variant", text(variant)));
        }
    }
    members.push(("count", count(counted)));
    members.push(("of", count(found.pairs)));
    members.extend(found.rate.map(|rate| ("rate", number(rate))));
    members.extend(found.interval.map(|interval| {
        let ends = interval.map(number).to_vec();
        ("interval", Json::Array(ends))
    }));
    members.push(("missing", count(found.missing)));
    members.push(("vacuous", count(found.vacuous)));
    members.extend(found.tie_flips.map(|ties| ("tie_flips", count(ties))));
    members.extend(found.limit.map(|limit| ("limit", number(limit))));
    members.push(("verdict", text(found.verdict.text())));
    members.extend(
        found
            .reason
            .as_ref()
            .map(|reason| ("reason", text(reason.as_str()))),
    );
    object(members)
}

fn gate(line: &GateLine) -> Json {
    let mut members = vec![
        ("subject", text(line.subject.as_str())),
        ("limit", number(line.limit)),
        ("verdict", text(line.verdict.text())),
        ("held", Json::Bool(line.held)),
    ];
    members.extend(
        line.reason
            .as_ref()
            .map(|reason| ("reason", text(reason.as_str()))),
    );
    object(members)
}
