//! The settings of `flipside compare`.

use camino::Utf8PathBuf;
use flipside_core::compare::Demand;
use flipside_core::gate::{GateSpec, Population};
use flipside_core::groups::Groups;
use flipside_formats::read::Input;

use super::{Check, judging};
use crate::diagnostic::Diagnostic;
use crate::flags::CompareFlags;

/// What `flipside compare` does.
#[derive(Debug)]
pub(crate) struct Compare {
    pub(crate) baseline: Utf8PathBuf,
    /// Without it the baseline holds several orders of each case.
    pub(crate) variant: Option<Utf8PathBuf>,
    /// The cases that answers belong to where their record lacks them, the baseline's and the variant's.
    pub(crate) cases: Vec<Input>,
    /// Those that the variant's belong to, where they are others.
    pub(crate) variant_cases: Vec<Input>,
    pub(crate) options_from: Vec<Input>,
    /// Fields with the values that are compared.
    pub(crate) only: Vec<(String, String)>,
    pub(crate) orders: Vec<String>,
    pub(crate) equivalent: Demand,
    pub(crate) not_worse: Demand,
    pub(crate) alpha: f64,
    pub(crate) gates: Vec<GateSpec>,
    pub(crate) groups: Groups,
    pub(crate) population: Population,
    pub(crate) strict: bool,
    pub(crate) threshold: Option<f64>,
    /// Flags that were given and are about answers to the same presentations alone.
    pub(crate) for_same: Vec<&'static str>,
    /// Flags that were given and are about answers to other presentations alone.
    pub(crate) for_others: Vec<&'static str>,
    pub(crate) json: Option<String>,
    pub(crate) verbose: bool,
}

/// Checks the flags of `flipside compare`.
///
/// # Errors
/// Every bad value.
pub(crate) fn compare(flags: &CompareFlags) -> Result<Compare, Vec<Diagnostic>> {
    let mut check = Check::default();
    let mut demand = |flag: &str, entries: &[String], zero| {
        Demand::parse(entries, zero).unwrap_or_else(|errors| {
            let error = |error| Diagnostic::new(format!("`{flag}`: {error}"));
            check.errors.extend(errors.iter().map(error));
            Demand::default()
        })
    };
    let equivalent = demand("--margin", &flags.margin, false);
    let not_worse = demand("--not-worse", &flags.not_worse, true);
    let alpha = judging::alpha(&mut check, flags.alpha.as_deref());
    let population = judging::population(&mut check, flags.population.as_deref());
    let groups = judging::groups(&mut check, flags.cluster.as_deref(), &flags.by, population);
    let gates = judging::gates(&mut check, &flags.gate, "flipside compare");
    let threshold = judging::threshold(&mut check, flags.threshold.as_deref());
    let names = flags.order.iter().flat_map(|entry| entry.split(','));
    let orders: Vec<String> = names.map(|name| name.trim().to_owned()).collect();
    if orders.iter().any(String::is_empty) {
        check.refuse("--order", &flags.order.join(","), "names of orders");
    }
    let cases = inputs(&mut check, &flags.cases);
    let own = inputs(&mut check, &flags.variant_cases);
    if flags.variant.is_none() && !own.is_empty() {
        let error = "`--variant-cases` is about VARIANT, and there is none";
        let help = "name the cases of BASELINE with `--cases`";
        check.errors.push(Diagnostic::new(error).help(help));
    }
    let options_from = inputs(&mut check, &flags.options_from);
    let only = flags
        .only
        .iter()
        .filter_map(|text| match text.split_once('=') {
            Some((field, value)) if !field.is_empty() => Some((field.to_owned(), value.to_owned())),
            _ => {
                check.refuse(
                    "--where",
                    text,
                    "a field and its value, such as `track=billing`",
                );
                None
            }
        });
    let only = only.collect();
    check.done(Compare {
        baseline: flags.baseline.clone().into(),
        variant: flags.variant.clone().map(Utf8PathBuf::from),
        cases,
        variant_cases: own,
        options_from,
        only,
        orders,
        equivalent,
        not_worse,
        alpha,
        gates,
        groups,
        population,
        strict: flags.strict,
        threshold,
        for_same: given(&[
            ("--margin", !flags.margin.is_empty()),
            ("--not-worse", !flags.not_worse.is_empty()),
            ("--order", !flags.order.is_empty()),
        ]),
        for_others: given(&[
            ("--cluster", flags.cluster.is_some()),
            ("--gate", !flags.gate.is_empty()),
            ("--population", flags.population.is_some()),
            ("--strict", flags.strict),
            ("--threshold", flags.threshold.is_some()),
        ]),
        json: flags.json.clone(),
        verbose: flags.verbose,
    })
}

/// The flags that were given.
fn given(flags: &[(&'static str, bool)]) -> Vec<&'static str> {
    let given = flags.iter().filter(|(_, given)| *given);
    given.map(|(flag, _)| *flag).collect()
}

fn inputs(check: &mut Check, texts: &[String]) -> Vec<Input> {
    let inputs = texts.iter().filter_map(|text| match text.parse::<Input>() {
        Ok(input) => Some(input),
        Err(error) => {
            check.errors.push(Diagnostic::caused(&error));
            None
        }
    });
    inputs.collect()
}
