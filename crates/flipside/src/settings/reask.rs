//! The settings of `flipside reask`.

use camino::Utf8PathBuf;
use flipside_core::plan::Baseline;
use flipside_formats::read::Input;

use super::values::Check;
use super::{Probing, TextSource, probing};
use crate::defaults;
use crate::diagnostic::Diagnostic;
use crate::flags::ReaskFlags;

/// What `flipside reask` does.
#[derive(Debug)]
pub(crate) struct Reask {
    pub(crate) runs: Vec<Utf8PathBuf>,
    pub(crate) baseline: Baseline,
    pub(crate) supplied: Supplied,
    pub(crate) probing: Probing,
}

/// What the user supplies where a record lacks it.
#[derive(Debug)]
pub(crate) struct Supplied {
    pub(crate) rules: Option<TextSource>,
    pub(crate) rules_from: Vec<Input>,
    pub(crate) options_from: Vec<Input>,
    pub(crate) cases: Vec<Input>,
}

/// Checks the flags of `flipside reask`.
///
/// # Errors
/// Every bad value.
pub(crate) fn reask(flags: &ReaskFlags) -> Result<Reask, Vec<Diagnostic>> {
    let mut check = Check::default();
    for (place, run) in flags.runs.iter().enumerate() {
        if flags.runs[..place].contains(run) {
            let run = flipside_core::foreign::Foreign(run);
            let error = Diagnostic::new(format!("`{run}` is given twice"));
            check.errors.push(error);
        }
    }
    let mut asked = flags.asked.clone();
    if asked.order.is_empty() && asked.axis.is_empty() {
        asked.order.push(defaults::REASK_ORDER.to_owned());
    }
    let probing = probing(
        &mut check,
        "flipside reask",
        &asked,
        &flags.judged,
        &flags.output,
        &flags.model,
    );
    let baseline = check.value(
        "--baseline",
        flags.baseline.as_deref(),
        "`ask` or `recorded`",
        Baseline::parse,
    );
    if flags.rules.is_some() && !flags.rules_from.is_empty() {
        let error = "`--rules` and `--rules-from` both say what the rules were";
        let help = "give one of them";
        check.errors.push(Diagnostic::new(error).help(help));
    }
    let inputs = |texts: &[String]| texts.iter().filter_map(|text| text.parse().ok()).collect();
    check.done(Reask {
        runs: flags.runs.iter().map(Utf8PathBuf::from).collect(),
        baseline: baseline.unwrap_or_default(),
        supplied: Supplied {
            rules: flags.rules.as_deref().map(TextSource::of),
            rules_from: inputs(&flags.rules_from),
            options_from: inputs(&flags.options_from),
            cases: inputs(&flags.cases),
        },
        probing,
    })
}
