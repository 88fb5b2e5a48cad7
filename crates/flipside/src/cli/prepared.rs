//! Cases made ready to be asked, asked, and told about: what commands share that ask cases in several ways.

use std::collections::BTreeSet;
use std::io::Write;
use std::sync::Arc;

use camino::Utf8PathBuf;
use flipside_core::case::Case;
use flipside_core::course::Course;
use flipside_core::foreign::Foreign;
use flipside_core::gate::Gates;
use flipside_core::model::{Model, Wire};
use flipside_core::perturb::AxisSpec;
use flipside_core::perturb::keys::KeysSpec;
use flipside_core::perturb::order::OrderSpec;
use flipside_core::plan::{self, Baseline, Distinct, Plan, PlanInput};
use flipside_core::preflight::preflight;
use flipside_core::recorded::RecordingTally;
use flipside_core::summary::Summary;
use flipside_engine::Signals;
use flipside_formats::folder::{Folder, RunSource};
use flipside_formats::read::{CaseSet, SourceFile};
use flipside_models::env::Environment;
use flipside_report::{Style, json, terminal, warning, wording};

use crate::cli::ask::{Asked1, Asking};
use crate::cli::canary::Wanted;
use crate::cli::dry_run::dry_run;
use crate::cli::json_file::{JsonFile, Kept, arguments};
use crate::cli::lists::{key_lists, lists};
use crate::cli::out::{self, Origin, Outputs};
use crate::cli::page::{self, PageRun};
use crate::cli::same::{same_models, same_wires};
use crate::diagnostic::{self, Diagnostic, data, say};
use crate::exit::Exit;
use crate::settings::Probing;

/// Cases that were read, and where they come from.
#[derive(Debug, Default)]
pub(crate) struct ReadCases {
    pub(crate) cases: Vec<Case>,
    pub(crate) sources: Vec<RunSource>,
    pub(crate) recordings: Vec<RecordingTally>,
    /// What each run of ours among the recordings was asked over, where its record says so.
    pub(crate) wires: Vec<(Utf8PathBuf, Wire)>,
    /// Where the baseline's answers come from.
    pub(crate) baseline: Baseline,
    /// Fields by which figures are split, where the cases have several values of them.
    pub(crate) split_by: Vec<&'static str>,
}

impl ReadCases {
    /// The cases of files.
    pub(crate) fn of_files(read: CaseSet) -> Self {
        Self {
            sources: read.sources.iter().map(source).collect(),
            cases: read.cases,
            ..Self::default()
        }
    }
}

/// A case file, as `run.json` has it.
pub(crate) fn source(source: &SourceFile) -> RunSource {
    RunSource {
        name: source.name.clone(),
        sha256: source.sha256.to_string(),
        cases: source.cases as u64,
    }
}

/// Everything that is known before the first ask.
pub(crate) struct Prepared {
    settings: Probing,
    sources: Vec<RunSource>,
    recordings: Vec<RecordingTally>,
    gates: Gates,
    plans: Vec<(Arc<dyn Model>, Plan)>,
}

impl Prepared {
    /// Reads lists, then the cases by `read`, builds the models and plans every ask.
    ///
    /// # Errors
    /// Whatever is wrong with any of them.
    pub(crate) fn new(
        mut settings: Probing,
        environment: &Environment,
        read: impl FnOnce() -> Result<ReadCases, Vec<Diagnostic>>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut errors = Vec::new();
        let lists = lists(&settings.orders.specs, &mut errors);
        let key_lists = key_lists(&settings.axes.specs, &mut errors);
        let cases = read().unwrap_or_else(|found| {
            errors.extend(found);
            ReadCases::default()
        });
        if !errors.is_empty() {
            return Err(errors);
        }
        let distinct = plan::distinct(cases.cases)
            .map_err(|found| found.iter().map(Diagnostic::new).collect::<Vec<_>>())?;
        let groups = &mut settings.judging.groups;
        for field in cases.split_by {
            if splits(&distinct, field) && !groups.by.iter().any(|known| known == field) {
                groups.by.push(field.to_owned());
            }
        }
        groups.check(&distinct).map_err(|found| {
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
        if cases.baseline == Baseline::Recorded {
            errors.extend(same_models(&distinct, &built));
            errors.extend(same_wires(&cases.wires, &built));
        }
        let mut plans = Vec::new();
        for model in built {
            let planned = Plan::build(&distinct, &input, model.as_ref());
            match planned {
                Ok(plan) => {
                    let plan = match cases.baseline {
                        Baseline::Ask => plan,
                        Baseline::Recorded => {
                            plan.with_recorded_baselines(model.card().whole_replies)
                        }
                    };
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
            Ok(Self {
                settings,
                sources: cases.sources,
                recordings: cases.recordings,
                gates,
                plans,
            })
        } else {
            Err(errors)
        }
    }

    /// Asks, or says what would be asked.
    pub(crate) fn run(self, command: &[String], runtime: &tokio::runtime::Runtime) -> Exit {
        let style = crate::style(self.settings.verbose);
        if self.settings.dry_run {
            let canary = Wanted::of(self.settings.canary);
            return dry_run(
                &self.plans,
                self.settings.models.price,
                &self.gates,
                canary,
                &style,
            );
        }
        let outputs = match open(&self, command) {
            Ok(outputs) => outputs,
            Err(errors) => {
                diagnostic::print(&errors);
                return Exit::Usage;
            }
        };
        runtime.block_on(ask_all(&self, outputs, command, &style))
    }
}

/// What a caller needs that prints nothing and keeps nothing.
impl Prepared {
    /// Requests that the planned asks of the first model need.
    pub(crate) fn requests(&self) -> u64 {
        let (_, plan) = &self.plans[0];
        (0..plan.asks.len())
            .filter(|slot| plan.sends(*slot))
            .count() as u64
    }

    /// Asks the first model, and returns what that showed.
    ///
    /// # Errors
    /// A plan that cannot be gone on with.
    pub(crate) async fn measured(&self, signals: &Signals) -> Result<Asked1, Diagnostic> {
        let (model, plan) = &self.plans[0];
        let asking = Asking {
            plan,
            model: model.as_ref(),
            models: &self.settings.models,
            gates: &self.gates,
            threshold: self.settings.threshold,
            recordings: &self.recordings,
            folder: None,
            canary: Wanted::WhereOrderCounts,
            quiet: false,
            again: String::new(),
        };
        asking.run(signals).await
    }
}

/// Whether the cases have several values of `field`; where cases of two values were merged into one, no figure of either is known,
/// which is said.
fn splits(distinct: &Distinct, field: &str) -> bool {
    let values: BTreeSet<&str> = (distinct.cases.iter())
        .filter_map(|case| case.field(field))
        .collect();
    let merged = distinct.duplicates.iter();
    let merged = merged
        .filter(|duplicate| duplicate.differs_in.iter().any(|known| known == field))
        .count();
    if merged > 0 {
        let n = wording::plural(merged as u64, "decision", "decisions");
        say(format!(
            "warning: figures are not split by `{field}`: {n} of one value asked the same as a decision of another"
        ));
    }
    merged == 0 && values.len() > 1
}

fn open(prepared: &Prepared, command: &[String]) -> Result<Outputs, Vec<Diagnostic>> {
    let settings = &prepared.settings;
    let origin = Origin {
        command,
        orders: &settings.orders,
        axes: &settings.axes,
        gates: &prepared.gates,
        sources: &prepared.sources,
        recordings: &prepared.recordings,
        hardware: settings.models.hardware.as_deref(),
    };
    let (json, out) = (settings.json.as_deref(), settings.out.as_deref());
    Outputs::open(json, &kept(prepared), out, &prepared.plans, &origin)
}

/// What the run reads, and the folders that it keeps or replays.
fn kept(prepared: &Prepared) -> Kept<'_> {
    let settings = &prepared.settings;
    let specs: Vec<&str> = (prepared.plans.iter())
        .map(|(model, _)| model.card().spec.as_str())
        .collect();
    let lists = settings.orders.specs.iter().filter_map(|spec| match spec {
        OrderSpec::List(file) => Some(file.as_str()),
        _ => None,
    });
    let key_lists = settings.axes.specs.iter().filter_map(|spec| match spec {
        AxisSpec::Keys(KeysSpec::List(file)) => Some(file.as_str()),
        _ => None,
    });
    let sources = prepared.sources.iter().map(|source| source.name.as_str());
    let out = settings.out.as_ref().map(|out| out.as_str());
    let recordings = prepared.recordings.iter().map(|tally| tally.name.as_str());
    Kept {
        files: sources
            .chain(lists)
            .chain(key_lists)
            .chain(arguments(&specs, "rule:"))
            .collect(),
        folders: out
            .into_iter()
            .chain(arguments(&specs, "replay:"))
            .chain(recordings)
            .collect(),
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
            for warning in wording::out_of_reach(&reach)
                .iter()
                .filter(|_| !settings.quiet)
            {
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
            recordings: &prepared.recordings,
            folder: folder.as_ref(),
            canary: Wanted::of(settings.canary),
            quiet: settings.quiet,
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
            folder.served(&ended.summary)?;
            folder.write("summary.json", |out| json::write(&ended.summary, out))?;
            let summary = &ended.summary;
            let page = PageRun {
                folder,
                plan,
                summary,
            };
            page.write()
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
    if let Err(error) = beside(&summaries, prepared, &outputs) {
        problems.push(error);
        exits.push(Exit::Incomplete);
    }
    if let Err(error) = report(&summaries, prepared, outputs.json, style) {
        problems.push(error);
        exits.push(Exit::Incomplete);
    }
    diagnostic::print(&problems);
    Exit::worst(exits).unwrap_or(Exit::Incomplete)
}

/// The page of several models beside each other, where all of them keep a run folder.
fn beside(summaries: &[Summary], prepared: &Prepared, outputs: &Outputs) -> Result<(), Diagnostic> {
    let folders: Option<Vec<&Folder>> = outputs.folders.iter().map(Option::as_ref).collect();
    let (Some(out), Some(folders)) = (&outputs.out, folders) else {
        return Ok(());
    };
    if folders.len() < 2 || summaries.len() < folders.len() {
        return Ok(());
    }
    let each = folders.into_iter().zip(&prepared.plans).zip(summaries);
    let runs: Vec<PageRun<'_>> = each
        .map(|((folder, (_, plan)), summary)| PageRun {
            folder,
            plan,
            summary,
        })
        .collect();
    page::write_several(out, &runs)
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
    let quiet = prepared.settings.quiet;
    if !output.as_ref().is_some_and(JsonFile::is_standard) {
        match summaries {
            summaries if quiet => data(&terminal::render_gates(summaries, style))?,
            [summary] if !several => data(&terminal::render(summary, style))?,
            summaries => data(&terminal::render_several(summaries, style))?,
        }
    }
    for summary in summaries.iter().filter(|_| !quiet) {
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
