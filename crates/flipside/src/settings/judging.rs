//! How figures are judged: the flags of "What is judged" beside `--gate`.

use flipside_core::course::{Adaptive, Confirm};
use flipside_core::gate::{self, GateSpec, Gates, Population};
use flipside_core::groups::Groups;
use flipside_core::perturb::Axis;
use flipside_core::perturb::order::OrderSpec;

use super::Check;
use crate::diagnostic::Diagnostic;
use crate::flags::ProbeFlags;

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

pub(super) fn read(check: &mut Check, flags: &ProbeFlags, orders: &[OrderSpec]) -> Judging {
    let alpha = check.value(
        "--alpha",
        flags.alpha.as_deref(),
        "a share over 0% and under 50% such as `5%` or `0.01`",
        |text| gate::share(text).filter(|alpha| *alpha > 0.0 && *alpha < 0.5),
    );
    let population = check.value(
        "--population",
        flags.population.as_deref(),
        "`traffic` or `file`",
        |text| match text {
            "traffic" => Some(Population::Traffic),
            "file" => Some(Population::File),
            _ => None,
        },
    );
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
    let population = population.unwrap_or_default();
    if adaptive.is_some() {
        sampled(check, orders, certify, population);
        if !flags.axis.is_empty() {
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
    let groups = groups(check, flags);
    if groups.cluster.is_some() && population == Population::File {
        let error = "`--cluster` speaks about traffic, `--population file` does not";
        check.errors.push(Diagnostic::new(error));
    }
    Judging {
        groups,
        strict: flags.strict || adaptive.is_some(),
        alpha: alpha.unwrap_or(gate::ALPHA),
        confirm: if flags.no_confirm {
            Confirm::Never
        } else {
            confirm.unwrap_or_default()
        },
        adaptive,
        population,
    }
}

/// The fields that cases are grouped by; whether cases have them is known once they are read.
fn groups(check: &mut Check, flags: &ProbeFlags) -> Groups {
    let expected = "the name of a field of the cases";
    let field = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let cluster = check.value("--cluster", flags.cluster.as_deref(), expected, field);
    let mut by = Vec::new();
    for text in &flags.by {
        if by.contains(text) {
            let text = flipside_core::foreign::Foreign(text);
            check
                .errors
                .push(Diagnostic::new(format!("`--by {text}` is given twice")));
            continue;
        }
        by.extend(check.value("--by", Some(text), expected, field));
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
