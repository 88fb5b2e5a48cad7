//! Which axes beside the order are asked, and how they are combined.

use flipside_core::foreign::Foreign;
use flipside_core::perturb::order::OrderSpec;
use flipside_core::perturb::{AXIS_FORMS, Axis, AxisSpec};
use flipside_core::plan::Cross;

use super::Check;
use super::values::whole;
use crate::diagnostic::Diagnostic;
use crate::flags::AskedFlags;

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
        let mut asked: Vec<Axis> = Vec::new();
        for axis in self.specs.iter().map(AxisSpec::axis) {
            if !asked.contains(&axis) {
                asked.push(axis);
            }
        }
        asked.extend(self.cross.map(|_| Axis::Cross));
        asked
    }

    /// Whether something on them draws.
    pub(crate) fn draws(&self) -> bool {
        self.specs.iter().any(AxisSpec::draws) || matches!(self.cross, Some(Cross::Drawn(_)))
    }
}

pub(super) fn read(check: &mut Check, flags: &AskedFlags) -> Axes {
    let (mut specs, mut unread) = (Vec::new(), false);
    for entry in &flags.axis {
        match AxisSpec::parse_list(entry) {
            Ok(more) => specs.extend(more),
            Err(errors) => {
                unread = true;
                check.errors.extend(errors.iter().map(|error| {
                    Diagnostic::new(format!("`--axis`: {error}"))
                        .help(format!("axes are {AXIS_FORMS}"))
                }));
            }
        }
    }
    check.errors.extend(given_together(&specs));
    let cross = check.value(
        "--cross",
        flags.cross.as_deref(),
        "`--cross` alone, or a plain number from 1 to 1000 after `--cross=`",
        |text| {
            if text == "full" {
                return Some(Cross::Full);
            }
            let drawn = whole(text, 1, MOST_DRAWN)?;
            u32::try_from(drawn).ok().map(Cross::Drawn)
        },
    );
    let axes = Axes { specs, cross };
    if cross.is_some() && !unread {
        crossed(check, &axes, &flags.order);
    }
    axes
}

/// What combining axes needs of the others that are asked.
fn crossed(check: &mut Check, axes: &Axes, orders: &[String]) {
    let asked = axes.asked();
    if asked.contains(&Axis::Drop) {
        let error = "`--cross` cannot combine `drop`, whose pairs have a reference of their own";
        let help = "ask `drop` in a run of its own, or leave `--cross` out";
        check.errors.push(Diagnostic::new(error).help(help));
        return;
    }
    // Orders that cannot be read are told elsewhere.
    let other = |entry: &String| {
        let specs = OrderSpec::parse_list(entry);
        specs.map_or(true, |specs| !specs.iter().all(OrderSpec::is_control))
    };
    let order = orders.iter().any(other).then_some(Axis::Order);
    let crossed = order.into_iter().chain(asked);
    let crossed: Vec<Axis> = crossed.filter(|axis| Cross::takes(*axis)).collect();
    let found = match crossed[..] {
        [] => "none is asked".to_owned(),
        [Axis::Order] => "only another order is asked".to_owned(),
        [axis] => format!("only `{}` is asked", axis.name()),
        _ => return,
    };
    let error = format!("`--cross` combines two axes or more, and {found}");
    let help = "add an axis with `--axis`, or another order with `--order`";
    check.errors.push(Diagnostic::new(error).help(help));
}

/// What is wrong with entries that are given together.
fn given_together(specs: &[AxisSpec]) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    for (place, spec) in specs.iter().enumerate() {
        let earlier = &specs[..place];
        let written = |spec: &AxisSpec| Foreign(&spec.to_string()).to_string();
        if earlier.contains(spec) {
            let spec = written(spec);
            errors.push(Diagnostic::new(format!(
                "`--axis`: `{spec}` is given twice"
            )));
        } else if let Some(other) = earlier.iter().find(|other| other.clashes(spec)) {
            let help = match spec {
                AxisSpec::Keys(_) => "put all lists of keys into one file",
                _ => "give each decoy a key of its own",
            };
            let (spec, other) = (written(spec), written(other));
            let error = format!("`--axis`: `{other}` and `{spec}` would have one name");
            errors.push(Diagnostic::new(error).help(help));
        }
    }
    errors
}

#[cfg(test)]
mod tests {
    use flipside_core::perturb::AxisSpec;

    use super::given_together;

    fn errors(entries: &[&str]) -> Vec<String> {
        let specs = entries.iter().map(|entry| AxisSpec::parse_list(entry));
        let specs: Vec<AxisSpec> = specs.flat_map(Result::unwrap).collect();
        given_together(&specs)
            .into_iter()
            .map(|error| error.text)
            .collect()
    }

    #[test]
    fn one_axis_in_several_forms_is_asked_and_one_form_twice_is_not() {
        assert!(
            errors(&[
                "keys:letters,keys:numbers,keys",
                "descriptions,descriptions:key"
            ])
            .is_empty()
        );
        assert_eq!(
            errors(&["keys,drop", "keys:abstract"]),
            ["`--axis`: `keys:abstract` is given twice"]
        );
    }

    #[test]
    fn two_things_of_one_name_are_refused() {
        assert_eq!(
            errors(&["keys:list:a.json,keys:list:b.json"]),
            ["`--axis`: `keys:list:a.json` and `keys:list:b.json` would have one name"]
        );
        assert_eq!(
            errors(&["decoy:x=one", "decoy:x=two, too", "decoy:y=one"]),
            ["`--axis`: `decoy:x=one` and `decoy:x=two, too` would have one name"]
        );
    }
}
