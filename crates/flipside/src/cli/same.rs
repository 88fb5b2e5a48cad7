//! Whether recorded answers are those of the models that are asked.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use camino::Utf8PathBuf;
use flipside_core::foreign::Foreign;
use flipside_core::model::{Model, Wire};
use flipside_core::plan::Distinct;
use flipside_core::record::Outcome;
use flipside_core::recorded::BACKEND;
use flipside_models::catalog::{SameModel, same_model};
use flipside_report::wording;

use crate::diagnostic::{Diagnostic, say};

/// An error for every recorded backend that is another model than one of `models`; where nobody can tell it is said.
pub(crate) fn same_models(distinct: &Distinct, models: &[Arc<dyn Model>]) -> Vec<Diagnostic> {
    let mut served_by: BTreeMap<Option<&str>, Vec<String>> = BTreeMap::new();
    for case in distinct.cases.iter() {
        if let Some(Outcome::Answered(answer)) = case.brought.recorded.as_deref() {
            let served = served_by.entry(case.field(BACKEND)).or_default();
            let new = answer.served_model.iter().map(ToString::to_string);
            let new = new.filter(|name| !served.contains(name));
            served.extend(new.collect::<Vec<_>>());
        }
    }
    let mut errors = Vec::new();
    for model in models {
        let card = model.card();
        // Of records of several models that nobody knows, one at most is of the model that is asked.
        let sameness = |wanted: SameModel| {
            let each = served_by.iter();
            each.filter(|(backend, served)| same_model(**backend, served, card) == wanted)
                .count()
        };
        let (unknown, told) = (sameness(SameModel::Unknown), sameness(SameModel::Same) > 0);
        if unknown > 1 || (told && unknown > 0) {
            let all: Vec<String> = served_by
                .iter()
                .map(|(backend, served)| recorded_as(*backend, served))
                .collect();
            let error = format!(
                "`--baseline recorded` needs the model that answered: the records are of {}, and `{}` is one of them at most",
                wording::list(&all),
                Foreign(&card.spec)
            );
            errors.push(
                Diagnostic::new(error)
                    .help("name the runs of one model, or leave `--baseline recorded` out"),
            );
            continue;
        }
        for (backend, served) in &served_by {
            let (now, then) = (Foreign(&card.spec), recorded_as(*backend, served));
            match same_model(*backend, served, card) {
                SameModel::Same => {}
                SameModel::Unknown => say(format!(
                    "warning: whether `{now}` is the model of the record, {then}, is not known; where it is another, pairs \
                     compare two models"
                )),
                SameModel::Other => {
                    let error = format!(
                        "`--baseline recorded` needs the model that answered: the record is of {then}, `{now}` is another"
                    );
                    let help = "name that model with `--model`, or leave `--baseline recorded` out: the baseline is asked then, and \
                                compared with the record";
                    errors.push(Diagnostic::new(error).help(help));
                }
            }
        }
    }
    errors
}

/// An error for every run that was asked over another protocol, or with other settings, than one of `models` is: what a model is
/// shown and how it is read would differ within each pair, and be mistaken for an effect of the order.
pub(crate) fn same_wires(
    wires: &[(Utf8PathBuf, Wire)],
    models: &[Arc<dyn Model>],
) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    for model in models {
        let card = model.card();
        let Some(now) = &card.protocol else { continue };
        for (run, then) in wires.iter().filter(|(_, then)| then != now) {
            let (run, spec) = (Foreign(run.as_str()), Foreign(&card.spec));
            let what = if then.name == now.name {
                let names = then.settings.keys().chain(now.settings.keys());
                let differ =
                    names.filter(|name| then.settings.get(*name) != now.settings.get(*name));
                let differ: BTreeSet<String> = differ.map(|name| format!("`{name}`")).collect();
                let differ: Vec<String> = differ.into_iter().collect();
                format!("with another {} than `{spec}`", wording::list(&differ))
            } else {
                let (then, now) = (Foreign(&then.name), Foreign(&now.name));
                format!("over `{then}`, and `{spec}` is asked over `{now}`")
            };
            let error = format!(
                "`--baseline recorded` needs requests as they were: `{run}` was asked {what}"
            );
            let help = "name the model as that run did, or leave `--baseline recorded` out: the baseline is asked then, and compared \
                        with the record";
            errors.push(Diagnostic::new(error).help(help));
        }
    }
    errors
}

/// How the record names the model.
fn recorded_as(backend: Option<&str>, served: &[String]) -> String {
    let served: Vec<String> = served
        .iter()
        .map(|name| format!("`{}`", Foreign(name)))
        .collect();
    match (backend, &served[..]) {
        (None, []) => "a model that it does not name".to_owned(),
        (None, _) => wording::list(&served),
        (Some(backend), []) => format!("`{}`", Foreign(backend)),
        (Some(backend), _) => {
            format!(
                "`{}` served by {}",
                Foreign(backend),
                wording::list(&served)
            )
        }
    }
}
