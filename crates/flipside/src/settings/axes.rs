//! Which axes beside the order are asked, and how they are combined.

use flipside_core::perturb::{AXIS_FORMS, Axis, AxisSpec};
use flipside_core::plan::Cross;

use super::Check;
use super::values::whole;
use crate::diagnostic::Diagnostic;
use crate::flags::ProbeFlags;

/// The most combinations that may be drawn per case.
const MOST_DRAWN: u64 = 1_000;

/// Which axes beside the order are asked.
#[derive(Debug, Default)]
pub(crate) struct Axes {
    pub(crate) specs: Vec<AxisSpec>,
    pub(crate) cross: Option<Cross>,
}

impl Axes {
    /// The axes that are asked, each once.
    pub(crate) fn asked(&self) -> Vec<Axis> {
        let mut asked: Vec<Axis> = self.specs.iter().map(AxisSpec::axis).collect();
        asked.extend(self.cross.map(|_| Axis::Cross));
        asked.dedup();
        asked
    }

    /// Whether something on them draws.
    pub(crate) fn draws(&self) -> bool {
        self.specs.iter().any(AxisSpec::draws) || matches!(self.cross, Some(Cross::Drawn(_)))
    }
}

pub(super) fn read(check: &mut Check, flags: &ProbeFlags) -> Axes {
    let mut specs = Vec::new();
    for entry in &flags.axis {
        match AxisSpec::parse_list(entry) {
            Ok(more) => specs.extend(more),
            Err(errors) => check.errors.extend(errors.iter().map(|error| {
                Diagnostic::new(format!("`--axis`: {error}")).help(format!("axes are {AXIS_FORMS}"))
            })),
        }
    }
    for (place, spec) in specs.iter().enumerate() {
        if specs[..place].contains(spec) {
            let spec = spec.to_string();
            let spec = flipside_core::foreign::Foreign(&spec);
            check.errors.push(Diagnostic::new(format!(
                "`--axis`: `{spec}` is given twice"
            )));
        }
    }
    let cross = check.value(
        "--cross",
        flags.cross.as_deref(),
        "nothing, or `=N`, a plain number from 1 to 1000",
        |text| match text {
            "full" => Some(Cross::Full),
            _ => {
                let drawn = whole(text, 1, MOST_DRAWN)?;
                u32::try_from(drawn).ok().map(Cross::Drawn)
            }
        },
    );
    Axes { specs, cross }
}
