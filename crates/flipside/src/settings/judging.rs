//! How figures are judged: the flags of "What is judged" beside `--gate`.

use flipside_core::course::{Adaptive, Confirm};
use flipside_core::gate::{self, GateSpec, Gates, Population};
use flipside_core::groups::Groups;
use flipside_core::perturb::Axis;
use flipside_core::perturb::order::OrderSpec;

use super::Check;
use crate::diagnostic::Diagnostic;
use crate::flags::JudgedFlags;

/// How figures are judged.
#[derive(Clone, Debug)]
pub(crate) struct Judging {
    pub(crate) strict: bool,
    pub(crate) alpha: f64,
    pub(crate) confirm: Confirm,
    pub(crate) adaptive: Option<Adaptive>,
    pub(crate) population: Population,
    pub(crate) groups: Groups,
}

impl Judging {
    /// The gates of a run.
    pub(crate) fn gates(&self, specs: &[GateSpec], order_asked: bool, axes: &[Axis]) -> Gates {
        Gates {
            alpha: self.alpha,
            confirm: self.confirm,
            adaptive: self.adaptive,
            population: self.population,
            groups: self.groups.clone(),
            ..Gates::resolve(specs, order_asked, axes, self.strict)
        }
    }
}

/// `axes`: whether other axes are asked for, readable or not.
pub(super) fn read(
    check: &mut Check,
    flags: &JudgedFlags,
    orders: &[OrderSpec],
    axes: bool,
) -> Judging {
    let alpha = alpha(check, flags.alpha.as_deref());
    let population = population(check, flags.population.as_deref());
    let confirm = check.value(
        "--confirm",
        flags.confirm.as_deref(),
        "`auto`, `never` or `all`",
        |text| text.parse::<Confirm>().ok(),
    );
    if flags.no_confirm && confirm.is_some_and(|confirm| confirm != Confirm::Never) {
        check.errors.push(Diagnostic::new(
            "`--no-confirm` and `--confirm` contradict each other",
        ));
    }
    let adaptive = check.value(
        "--adaptive",
        flags.adaptive.as_deref(),
        "`planned` or `open`",
        |text| text.parse::<Adaptive>().ok(),
    );
    let certify = orders.contains(&OrderSpec::Certify);
    let adaptive = adaptive.or(certify.then_some(Adaptive::Planned));
    if adaptive.is_some() {
        sampled(check, orders, certify, population);
        if axes {
            let help =
                "ask the axes in a run of its own, or leave `--adaptive` and `--order certify` out";
            check.errors.push(
                Diagnostic::new(
                    "asking adaptively decides about one order, and `--axis` asks more",
                )
                .help(help),
            );
        }
    }
    let groups = groups(check, flags.cluster.as_deref(), &flags.by, population);
    Judging {
        groups,
        strict: flags.strict || adaptive.is_some(),
        alpha,
        confirm: if flags.no_confirm {
            Confirm::Never
        } else {
            confirm.unwrap_or_default()
        },
        adaptive,
        population,
    }
}

/// The error rate of bounds and tests.
pub(super) fn alpha(check: &mut Check, text: Option<&str>) -> f64 {
    let expected = "a share over 0% and under 50% such as `5%` or `0.01`";
    let alpha = check.value("--alpha", text, expected, |text| {
        gate::share(text).filter(|alpha| *alpha > 0.0 && *alpha < 0.5)
    });
    alpha.unwrap_or(gate::ALPHA)
}

/// What bounds speak about.
pub(super) fn population(check: &mut Check, text: Option<&str>) -> Population {
    let expected = "`traffic` or `file`";
    let population = check.value("--population", text, expected, |text| match text {
        "traffic" => Some(Population::Traffic),
        "file" => Some(Population::File),
        _ => None,
    });
    population.unwrap_or_default()
}

/// The top probability from which an answer is accepted without review, if there is one.
pub(super) fn threshold(check: &mut Check, text: Option<&str>) -> Option<f64> {
    let expected = "a share over 0 and up to 1 such as `0.9` or `90%`";
    check.value("--threshold", text, expected, |text| {
        gate::share(text).filter(|share| *share > 0.0)
    })
}

/// The gates in `entries`, of which `command --help` lists the forms; each figure has one at most.
pub(super) fn gates(check: &mut Check, entries: &[String], command: &str) -> Vec<GateSpec> {
    let mut gates = Vec::new();
    for entry in entries {
        match GateSpec::parse_list(entry) {
            Ok(more) => gates.extend(more),
            Err(errors) => check.errors.extend(errors.iter().map(|error| {
                Diagnostic::new(format!("`--gate`: {error}")).help(format!(
                    "nothing was read or asked; `{command} --help` lists the forms"
                ))
            })),
        }
    }
    for (place, gate) in gates.iter().enumerate() {
        let (GateSpec::Limit(subject, _) | GateSpec::None(subject)) = gate;
        let again = |earlier: &GateSpec| {
            let (GateSpec::Limit(known, _) | GateSpec::None(known)) = earlier;
            known == subject
        };
        if gates[..place].iter().any(again) {
            let name = subject.name();
            let name = flipside_core::foreign::Foreign(&name);
            let error = Diagnostic::new(format!("`--gate`: `{name}` has two gates"));
            check
                .errors
                .push(error.help("give each figure one limit, or `none:`"));
        }
    }
    gates
}

/// The fields that cases are grouped by; whether cases have them is known once they are read.
pub(super) fn groups(
    check: &mut Check,
    cluster: Option<&str>,
    fields: &[String],
    population: Population,
) -> Groups {
    let expected = "the name of a field of the cases";
    let field = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let cluster = check.value("--cluster", cluster, expected, field);
    let mut by = Vec::new();
    for text in fields {
        if by.contains(text) {
            let text = flipside_core::foreign::Foreign(text);
            check
                .errors
                .push(Diagnostic::new(format!("`--by {text}` is given twice")));
            continue;
        }
        by.extend(check.value("--by", Some(text), expected, field));
    }
    if cluster.is_some() && population == Population::File {
        let error = "`--cluster` speaks about traffic, `--population file` does not";
        check.errors.push(Diagnostic::new(error));
    }
    Groups { cluster, by }
}

/// What adaptive asking needs of the other flags.
fn sampled(check: &mut Check, orders: &[OrderSpec], certify: bool, population: Population) {
    let cause = if certify {
        "`--order certify`"
    } else {
        "`--adaptive`"
    };
    let others: Vec<&OrderSpec> = orders.iter().filter(|spec| !spec.is_control()).collect();
    let one = match others[..] {
        [spec] => match spec {
            OrderSpec::Random { draws, .. } => *draws == 1,
            OrderSpec::Certify | OrderSpec::Reverse | OrderSpec::Rotate(_) => true,
            _ => false,
        },
        _ => false,
    };
    if !one {
        let list: Vec<String> = others.iter().map(ToString::to_string).collect();
        let found = if list.is_empty() {
            "no other order is asked".to_owned()
        } else {
            let list = list.join(",");
            format!(
                "`--order {}` is asked",
                flipside_core::foreign::Foreign(&list)
            )
        };
        let error = format!("{cause} decides about one other order per case, and {found}");
        let help = "ask `certify` alone, or with `same:N` beside it";
        check.errors.push(Diagnostic::new(error).help(help));
    }
    if population == Population::File {
        let error = format!("{cause} speaks about traffic, `--population file` does not");
        check.errors.push(Diagnostic::new(error));
    }
}
