//! `flipside suite run`: every row asked through the ordinary engine, then counted.

use std::sync::Arc;

use flipside_core::foreign::Foreign;
use flipside_core::gate::{GateSpec, Gates, Subject};
use flipside_core::groups::Groups;
use flipside_core::model::{Card, Model};
use flipside_core::plan::{self, Plan, PlanInput};
use flipside_core::suite::figures::{
    AboutModel, AnswerSource, RowAnswer, SuiteModel, SuiteReport, SuiteRows, row_answers,
};
use flipside_core::summary::Summary;
use flipside_engine::Signals;
use flipside_formats::suite::Suite;
use flipside_models::env::Environment;
use flipside_report::{Style, json};

use super::report;
use crate::cli::ask::Asking;
use crate::cli::canary::Wanted;
use crate::cli::dry_run::dry_run;
use crate::cli::json_file::{Kept, arguments};
use crate::cli::out::{self, Origin, Outputs};
use crate::cli::page::PageRun;
use crate::defaults;
use crate::diagnostic::{self, Diagnostic};
use crate::exit::Exit;
use crate::flags::SuiteRunFlags;
use crate::settings::{self, Axes, Orders, SuiteRun};

/// The field of a row's case that names its base case, whose rows depend on each other.
const BASE: &str = "base_id";

/// Runs the command.
pub(super) fn run(
    flags: &SuiteRunFlags,
    command: &[String],
    environment: &Environment,
    runtime: &tokio::runtime::Runtime,
) -> Exit {
    let prepared = settings::suite_run(flags).and_then(|settings| prepare(settings, environment));
    let prepared = match prepared {
        Ok(prepared) => prepared,
        Err(errors) => {
            diagnostic::print(&errors);
            return Exit::Usage;
        }
    };
    let style = crate::style(prepared.settings.reporting.verbose);
    if prepared.settings.dry_run {
        return dry_run(
            &prepared.plans,
            prepared.settings.models.price,
            &prepared.gates,
            Wanted::NoQuestion,
            &style,
        );
    }
    match open(&prepared, command) {
        Ok(outputs) => runtime.block_on(prepared.ask_all(outputs, command, &style)),
        Err(errors) => {
            diagnostic::print(&errors);
            Exit::Usage
        }
    }
}

/// Everything that is known before the first ask.
struct Prepared {
    settings: SuiteRun,
    suite: Suite,
    gates: Gates,
    plans: Vec<(Arc<dyn Model>, Plan)>,
}

fn prepare(settings: SuiteRun, environment: &Environment) -> Result<Prepared, Vec<Diagnostic>> {
    let suite = report::rows(&settings.rows)?;
    // Rows that ask the same are asked once.
    let cases = suite.rows.iter().map(|row| row.case.clone()).collect();
    let distinct = plan::distinct(cases)
        .map_err(|found| found.iter().map(Diagnostic::new).collect::<Vec<_>>())?;
    let input = PlanInput::orders(&[], settings.seed);
    let (mut plans, mut errors) = (Vec::new(), Vec::new());
    for model in crate::build(&settings.models, settings.seed, environment)? {
        match Plan::build(&distinct, &input, model.as_ref()) {
            Ok(plan) => plans.push((model, plan)),
            Err(found) => {
                let spec = Foreign(&model.card().spec);
                let told = found.iter();
                errors.extend(told.map(|error| Diagnostic::new(format!("`{spec}`: {error}"))));
            }
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    // The summary in the run folder judges nothing: the suite's own limits are on the suite's own figures.
    let none = [GateSpec::None(Subject::Fit)];
    let gates = Gates {
        groups: Groups {
            cluster: Some(BASE.to_owned()),
            by: Vec::new(),
        },
        ..Gates::resolve(&none, false, &[], false)
    };
    Ok(Prepared {
        settings,
        suite,
        gates,
        plans,
    })
}

fn open(prepared: &Prepared, command: &[String]) -> Result<Outputs, Vec<Diagnostic>> {
    let settings = &prepared.settings;
    let orders = Orders {
        specs: Vec::new(),
        seed: settings.seed,
        most: defaults::MAX_ORDERS,
    };
    let origin = Origin {
        command,
        orders: &orders,
        axes: &Axes::default(),
        gates: &prepared.gates,
        sources: &[crate::cli::prepared::source(&prepared.suite.source)],
        recordings: &[],
        hardware: None,
    };
    let (json, out) = (settings.reporting.json.as_deref(), settings.out.as_deref());
    Outputs::open(json, &prepared.kept(), out, &prepared.plans, &origin)
}

impl Prepared {
    /// What the run reads and keeps.
    fn kept(&self) -> Kept<'_> {
        let specs: Vec<&str> = (self.plans.iter())
            .map(|(model, _)| model.card().spec.as_str())
            .collect();
        let rows = std::iter::once(self.suite.source.name.as_str());
        let out = self.settings.out.as_ref().map(|out| out.as_str());
        Kept {
            files: rows.chain(arguments(&specs, "rule:")).collect(),
            folders: out
                .into_iter()
                .chain(arguments(&specs, "replay:"))
                .collect(),
        }
    }

    async fn ask_all(&self, outputs: Outputs, command: &[String], style: &Style) -> Exit {
        let signals = out::signals();
        let extra = match (&outputs.out, &self.settings.out) {
            (Some(out), None) => vec!["--out".to_owned(), out.to_string()],
            _ => Vec::new(),
        };
        let again = out::again(command, &extra);
        let (mut models, mut problems, mut exits) = (Vec::new(), Vec::new(), Vec::new());
        for ((model, plan), folder) in self.plans.iter().zip(&outputs.folders) {
            let asking = Asking {
                plan,
                model: model.as_ref(),
                models: &self.settings.models,
                gates: &self.gates,
                threshold: None,
                recordings: &[],
                folder: folder.as_ref(),
                canary: Wanted::NoQuestion,
                quiet: false,
                again: again.clone(),
            };
            match self.ask(&asking, &signals).await {
                Ok((model, found)) => {
                    exits.extend((!found.is_empty()).then_some(Exit::Incomplete));
                    problems.extend(found);
                    models.push(model);
                }
                Err(error) => {
                    problems.push(error);
                    exits.push(Exit::Usage);
                }
            }
            if signals.drain.is_cancelled() {
                exits.push(Exit::Incomplete);
                break;
            }
        }
        let report = self.report(models);
        exits.push(match report.exit {
            0 => Exit::Held,
            1 => Exit::NotHeld,
            _ => Exit::Incomplete,
        });
        if !report.models.is_empty()
            && let Err(error) = report::print(&report, outputs.json, style)
        {
            problems.push(error);
            exits.push(Exit::Incomplete);
        }
        diagnostic::print(&problems);
        Exit::worst(exits).unwrap_or(Exit::Incomplete)
    }

    /// Asks one model, keeps what it said where it is kept, and says what kept the run from its end.
    ///
    /// # Errors
    /// A journal that cannot be gone on with.
    async fn ask(
        &self,
        asking: &Asking<'_>,
        signals: &Signals,
    ) -> Result<(SuiteModel, Vec<Diagnostic>), Diagnostic> {
        let ended = asking.ask(signals).await?;
        let answers = row_answers(&self.suite.rows, asking.plan, &ended.asked);
        let measured = asking.measured(ended);
        let model = self.model(asking.model.card(), &measured.summary, &answers);
        let written = asking.folder.map(|folder| {
            folder.served(&measured.summary)?;
            folder.write("summary.json", |out| json::write(&measured.summary, out))?;
            let page = PageRun {
                folder,
                plan: asking.plan,
                summary: &measured.summary,
            };
            page.write()?;
            let alone = self.report(vec![model.clone()]);
            folder.write("suite.json", |out| json::write_suite(&alone, out))
        });
        let written = written.and_then(Result::err);
        let written = written.map(|error| Diagnostic::caused(&error));
        let problems = written.into_iter().chain(measured.problem).collect();
        Ok((model, problems))
    }

    fn model(&self, card: &Card, summary: &Summary, answers: &[RowAnswer]) -> SuiteModel {
        let about = AboutModel {
            name: card.spec.clone(),
            source: AnswerSource::Asked {
                requested: card.requested.clone(),
                endpoint: card.endpoint.clone(),
                served: summary.model.served.clone(),
            },
            stopped: summary.stopped.clone(),
        };
        SuiteModel::of(
            about,
            &self.suite.rows,
            answers,
            &self.settings.reporting.limits,
        )
    }

    fn report(&self, models: Vec<SuiteModel>) -> SuiteReport {
        let source = &self.suite.source;
        let rows = SuiteRows::of(&source.name, &source.sha256, &self.suite.rows);
        SuiteReport::new(env!("CARGO_PKG_VERSION"), rows, models)
    }
}
