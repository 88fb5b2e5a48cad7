//! `--key-from`: a key out of a variable that the user names, for one host.

use std::collections::BTreeSet;
use std::sync::Arc;

use flipside_core::model::Model;
use flipside_models::env::Environment;

use crate::diagnostic::Diagnostic;

/// The environment with the value of the variable that `--key-from` names, if it names one.
///
/// # Errors
/// A variable that is not set.
pub(crate) fn named(
    environment: &Environment,
    variable: Option<&str>,
) -> Result<Environment, Vec<Diagnostic>> {
    let Some(variable) = variable else {
        return Ok(environment.clone());
    };
    let value = std::env::var(variable).unwrap_or_default();
    if value.is_empty() {
        let problem = Diagnostic::new(format!(
            "`--key-from {variable}`: the variable is not set, expected the key in it"
        ));
        return Err(vec![problem]);
    }
    Ok(environment.clone().naming(variable, value))
}

/// Whether it is clear whose key the named variable holds: that of the one host that is asked.
///
/// # Errors
/// Models at several hosts, or none that is asked over HTTP.
pub(crate) fn one_host(
    variable: Option<&str>,
    models: &[Arc<dyn Model>],
) -> Result<(), Vec<Diagnostic>> {
    let Some(variable) = variable else {
        return Ok(());
    };
    let hosts: BTreeSet<String> = (models.iter())
        .filter_map(|model| {
            // A card has the whole URL of an endpoint.
            let (_, rest) = model.card().endpoint.as_deref()?.split_once("://")?;
            Some(rest.split('/').next().unwrap_or(rest).to_owned())
        })
        .collect();
    let hosts: Vec<&str> = hosts.iter().map(String::as_str).collect();
    let (problem, help) = match hosts.as_slice() {
        [_] => return Ok(()),
        [] => (
            "no model that is named sends a key".to_owned(),
            "leave the flag out",
        ),
        several => (
            format!(
                "the models are at {}, expected one host",
                several.join(" and ")
            ),
            "ask each host with a command of its own",
        ),
    };
    let problem = format!("`--key-from {variable}`: {problem}");
    Err(vec![Diagnostic::new(problem).help(help)])
}
