//! `flipside probe`: read, perturb, ask, align, measure, judge, report.

use std::collections::BTreeSet;
use std::io::Write;
use std::sync::Arc;

use flipside_core::course::Course;
use flipside_core::foreign::Foreign;
use flipside_core::gate::Gates;
use flipside_core::model::Model;
use flipside_core::order::Order;
use flipside_core::perturb::AxisSpec;
use flipside_core::perturb::keys::KeysSpec;
use flipside_core::perturb::order::OrderSpec;
use flipside_core::plan::{self, Plan, PlanInput};
use flipside_core::preflight::preflight;
use flipside_core::summary::Summary;
use flipside_formats::read::{CaseSet, read_cases};
use flipside_formats::{keys, orders};
use flipside_models::env::Environment;
use flipside_report::{Style, json, terminal, warning, wording};

use crate::cli::ask::Asking;
use crate::cli::dry_run::dry_run;
use crate::cli::json_file::{JsonFile, Kept};
use crate::cli::out::{self, Origin, Outputs};
use crate::diagnostic::{self, Diagnostic, data, say};
use crate::exit::Exit;
use crate::flags::ProbeFlags;
use crate::settings::{self, Probe};

/// Runs the command.
pub(crate) fn probe(
    flags: &ProbeFlags,
    command: &[String],
    environment: &Environment,
    runtime: &tokio::runtime::Runtime,
) -> Exit {
    let prepared = settings::probe(flags).and_then(|settings| prepare(settings, environment));
    let prepared = match prepared {
        Ok(prepared) => prepared,
        Err(errors) => {
            diagnostic::print(&errors);
            return Exit::Usage;
        }
    };
    let style = crate::style(prepared.settings.verbose);
    if prepared.settings.dry_run {
        return dry_run(
            &prepared.plans,
            prepared.settings.models.price,
            &prepared.gates,
            &style,
        );
    }
    let outputs = match open(&prepared, command) {
        Ok(outputs) => outputs,
        Err(errors) => {
            diagnostic::print(&errors);
            return Exit::Usage;
        }
    };
    runtime.block_on(ask_all(&prepared, outputs, command, &style))
}

/// Everything that is known before the first ask.
struct Prepared {
    settings: Probe,
    cases: CaseSet,
    gates: Gates,
    plans: Vec<(Arc<dyn Model>, Plan)>,
}

fn prepare(settings: Probe, environment: &Environment) -> Result<Prepared, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let lists = lists(&settings.orders.specs, &mut errors);
    let key_lists = key_lists(&settings.axes.specs, &mut errors);
    let mut cases = read_cases(&settings.inputs, &settings.read).unwrap_or_else(|found| {
        errors.extend(
            found
                .iter()
                .map(|error| Diagnostic::caused(error).maybe_help(error.help())),
        );
        CaseSet::default()
    });
    if !errors.is_empty() {
        return Err(errors);
    }
    for warning in &cases.warnings {
        say(format!("warning: {warning}"));
    }
    let distinct = plan::distinct(std::mem::take(&mut cases.cases))
        .map_err(|found| found.iter().map(Diagnostic::new).collect::<Vec<_>>())?;
    settings.judging.groups.check(&distinct).map_err(|found| {
        let told = found
            .iter()
            .map(|error| Diagnostic::new(error).help(error.help()));
        told.collect::<Vec<_>>()
    })?;
    let built = crate::build(&settings.models, settings.orders.seed, environment)?;
    // Beside another axis the control alone asks for no order.
    let orders = &settings.orders.specs;
    let order_asked = if settings.axes.specs.is_empty() {
        !orders.is_empty()
    } else {
        orders.iter().any(|spec| !spec.is_control())
    };
    let gates = settings
        .judging
        .gates(&settings.gates, order_asked, &settings.axes.asked());
    let input = PlanInput {
        orders: &settings.orders.specs,
        seed: settings.orders.seed,
        max_orders: settings.orders.most,
        lists: &lists,
        axes: &settings.axes.specs,
        key_lists: &key_lists,
        cross: settings.axes.cross,
    };
    let mut plans = Vec::new();
    for model in built {
        match Plan::build(&distinct, &input, model.as_ref()) {
            Ok(plan) => {
                if let Err(error) = Course::new(&plan, &gates) {
                    errors.push(Diagnostic::new(error));
                }
                plans.push((model, plan));
            }
            Err(found) => {
                let spec = &model.card().spec;
                errors.extend(
                    found
                        .iter()
                        .map(|error| Diagnostic::new(format!("`{}`: {error}", Foreign(spec)))),
                );
            }
        }
    }
    if errors.is_empty() {
        Ok(Prepared {
            settings,
            cases,
            gates,
            plans,
        })
    } else {
        Err(errors)
    }
}

pub(crate) fn lists(
    specs: &[OrderSpec],
    errors: &mut Vec<Diagnostic>,
) -> Vec<(String, Vec<Order>)> {
    let mut lists: Vec<(String, Vec<Order>)> = Vec::new();
    for spec in specs {
        let OrderSpec::List(file) = spec else {
            continue;
        };
        if lists.iter().any(|(known, _)| known == file) {
            continue;
        }
        match orders::read(file.as_str().into()) {
            Ok(orders) => lists.push((file.clone(), orders)),
            Err(found) => errors.extend(found.iter().map(|error| Diagnostic::caused(error))),
        }
    }
    lists
}

/// The lists of keys in every `keys:list:FILE`, by file; what is wrong with them goes to `errors`.
fn key_lists(specs: &[AxisSpec], errors: &mut Vec<Diagnostic>) -> Vec<(String, Vec<Vec<String>>)> {
    let mut lists: Vec<(String, Vec<Vec<String>>)> = Vec::new();
    for spec in specs {
        let AxisSpec::Keys(KeysSpec::List(file)) = spec else {
            continue;
        };
        match keys::read(file.as_str().into()) {
            Ok(keys) => lists.push((file.clone(), keys)),
            Err(found) => errors.extend(found.iter().map(|error| Diagnostic::caused(error))),
        }
    }
    lists
}

fn open(prepared: &Prepared, command: &[String]) -> Result<Outputs, Vec<Diagnostic>> {
    let settings = &prepared.settings;
    let origin = Origin {
        command,
        orders: &settings.orders,
        axes: &settings.axes,
        gates: &prepared.gates,
        sources: &prepared.cases.sources,
    };
    let (json, out) = (settings.json.as_deref(), settings.out.as_deref());
    Outputs::open(json, &kept(prepared), out, &prepared.plans, &origin)
}

/// What the run reads, and the folders that it keeps or replays.
fn kept(prepared: &Prepared) -> Kept<'_> {
    let settings = &prepared.settings;
    let specs = prepared
        .plans
        .iter()
        .map(|(model, _)| model.card().spec.as_str());
    let argument = |prefix| {
        specs
            .clone()
            .filter_map(move |spec: &str| spec.strip_prefix(prefix))
    };
    let lists = settings.orders.specs.iter().filter_map(|spec| match spec {
        OrderSpec::List(file) => Some(file.as_str()),
        _ => None,
    });
    let key_lists = settings.axes.specs.iter().filter_map(|spec| match spec {
        AxisSpec::Keys(KeysSpec::List(file)) => Some(file.as_str()),
        _ => None,
    });
    let sources = prepared
        .cases
        .sources
        .iter()
        .map(|source| source.name.as_str());
    let out = settings.out.as_ref().map(|out| out.as_str());
    Kept {
        files: sources
            .chain(lists)
            .chain(key_lists)
            .chain(argument("rule:"))
            .collect(),
        folders: out.into_iter().chain(argument("replay:")).collect(),
    }
}

async fn ask_all(prepared: &Prepared, outputs: Outputs, command: &[String], style: &Style) -> Exit {
    let settings = &prepared.settings;
    let signals = out::signals();
    let (mut summaries, mut problems, mut exits) = (Vec::new(), Vec::new(), Vec::new());
    let mut warned = BTreeSet::new();
    for ((model, plan), folder) in prepared.plans.iter().zip(&outputs.folders) {
        let extra = match (&outputs.out, &settings.out) {
            (Some(out), None) => vec!["--out".to_owned(), out.to_string()],
            _ => Vec::new(),
        };
        if prepared.gates.strict {
            let reach = preflight(plan, model.card(), &prepared.gates);
            for warning in wording::out_of_reach(&reach) {
                // Models that are asked the same say it once.
                if warned.insert(warning.clone()) {
                    say(format!("warning: {warning}"));
                }
            }
        }
        let asking = Asking {
            plan,
            model: model.as_ref(),
            models: &settings.models,
            gates: &prepared.gates,
            threshold: settings.threshold,
            folder: folder.as_ref(),
            again: out::again(command, &extra),
        };
        let ended = match asking.run(&signals).await {
            Ok(ended) => ended,
            Err(error) => {
                problems.push(error);
                exits.push(Exit::Usage);
                continue;
            }
        };
        let written = folder.as_ref().map(|folder| {
            folder.served(&ended.summary.model.served)?;
            folder.write("summary.json", |out| json::write(&ended.summary, out))
        });
        if let Some(Err(error)) = written {
            problems.push(Diagnostic::caused(&error));
            exits.push(Exit::Incomplete);
        }
        problems.extend(ended.problem);
        exits.push(ended.exit);
        summaries.push(ended.summary);
        if signals.drain.is_cancelled() {
            break;
        }
    }
    if let Err(error) = report(&summaries, prepared, outputs.json, style) {
        problems.push(error);
        exits.push(Exit::Incomplete);
    }
    diagnostic::print(&problems);
    Exit::worst(exits).unwrap_or(Exit::Incomplete)
}

fn report(
    summaries: &[Summary],
    prepared: &Prepared,
    output: Option<JsonFile>,
    style: &Style,
) -> Result<(), Diagnostic> {
    if summaries.is_empty() {
        return Ok(());
    }
    let several = prepared.plans.len() > 1;
    if !output.as_ref().is_some_and(JsonFile::is_standard) {
        match summaries {
            [summary] if !several => data(&terminal::render(summary, style))?,
            summaries => data(&terminal::render_several(summaries, style))?,
        }
    }
    for summary in summaries {
        // Beside other models a warning says which one it is about.
        let about = if several {
            format!("{}: ", Foreign(&summary.model.spec))
        } else {
            String::new()
        };
        for warning in warning::warnings(summary) {
            say(format!("warning: {about}{warning}"));
        }
    }
    let write = |out: &mut dyn Write| match summaries {
        [summary] if !several => json::write(summary, out),
        summaries => json::write_several(summaries, out),
    };
    match output {
        None => Ok(()),
        Some(output) => output.write(write),
    }
}
