//! The settings of `flipside compare`.

use camino::Utf8PathBuf;
use flipside_core::compare::Demand;
use flipside_core::gate;

use super::Check;
use crate::diagnostic::Diagnostic;
use crate::flags::CompareFlags;

/// What `flipside compare` does.
#[derive(Debug)]
pub(crate) struct Compare {
    pub(crate) baseline: Utf8PathBuf,
    pub(crate) variant: Utf8PathBuf,
    pub(crate) orders: Vec<String>,
    pub(crate) equivalent: Demand,
    pub(crate) not_worse: Demand,
    pub(crate) alpha: f64,
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
    let expected = "a share over 0% and under 50% such as `5%` or `0.01`";
    let alpha = check.value("--alpha", flags.alpha.as_deref(), expected, |text| {
        gate::share(text).filter(|share| *share > 0.0 && *share < 0.5)
    });
    let names = flags.order.iter().flat_map(|entry| entry.split(','));
    let orders: Vec<String> = names.map(|name| name.trim().to_owned()).collect();
    if orders.iter().any(String::is_empty) {
        check.refuse("--order", &flags.order.join(","), "names of orders");
    }
    check.done(Compare {
        baseline: flags.baseline.clone().into(),
        variant: flags.variant.clone().into(),
        orders,
        equivalent,
        not_worse,
        alpha: alpha.unwrap_or(gate::ALPHA),
        json: flags.json.clone(),
        verbose: flags.verbose,
    })
}
