//! What `flipside mcp` serves, and the settings of its calls, which are read as those of `decide` and `probe` are.

use std::path::{Path, PathBuf};

use flipside_core::foreign::Foreign;
use flipside_core::perturb::AxisSpec;
use flipside_core::perturb::keys::KeysSpec;
use flipside_core::perturb::order::OrderSpec;
use flipside_models::catalog::{Kind, ModelSpec, without_secrets};

use super::{Axes, Check, Models, Orders, Probing, models, orders, probing};
use crate::defaults;
use crate::diagnostic::Diagnostic;
use crate::flags::{AskedFlags, JudgedFlags, McpFlags, ModelFlags, OutputFlags};

/// What `flipside mcp` serves.
#[derive(Debug)]
pub(crate) struct Mcp {
    flags: ModelFlags,
    /// Case files and folders that calls may name.
    cases: Vec<CaseRoot>,
    /// Asks that one call may make.
    pub(crate) most_asks: u64,
}

/// A case file or a folder of them.
#[derive(Debug)]
struct CaseRoot {
    /// Without links, so that no other name reaches it.
    path: PathBuf,
    folder: bool,
}

/// What a call of `probe` says beside its cases.
#[derive(Debug, Default)]
pub(crate) struct ProbeCall {
    pub(crate) model: Option<String>,
    pub(crate) order: Option<String>,
    pub(crate) axis: Option<String>,
    pub(crate) gate: Option<String>,
    pub(crate) seed: Option<String>,
    pub(crate) max_asks: Option<String>,
}

/// Checks the flags of `flipside mcp`.
///
/// # Errors
/// Every bad value.
pub(crate) fn mcp(flags: &McpFlags) -> Result<Mcp, Vec<Diagnostic>> {
    let mut check = Check::default();
    let models = models(&mut check, &flags.model);
    let roots = (flags.cases.iter())
        .filter_map(|path| case_root(&mut check, path))
        .collect();
    let mut flags = flags.model.clone();
    if flags.model.is_empty() {
        flags.model.push(defaults::MODEL.to_owned());
    }
    check.done(Mcp {
        flags,
        cases: roots,
        most_asks: models.max_asks.unwrap_or(defaults::MCP_ASKS),
    })
}

fn case_root(check: &mut Check, named: &str) -> Option<CaseRoot> {
    let found = fs_err::canonicalize(named).and_then(|path| Ok((fs_err::metadata(&path)?, path)));
    match found {
        Ok((at, path)) if at.is_file() || at.is_dir() => Some(CaseRoot {
            path,
            folder: at.is_dir(),
        }),
        _ => {
            check.refuse("--cases", named, "a case file or a folder of them");
            None
        }
    }
}

impl Mcp {
    /// Whether a call may name the case file `path`: it was named when the server was started, or is in a folder that was.
    /// What is not there is as little a case file as what is not allowed, so that nothing is told about other files.
    pub(crate) fn may_read(&self, path: &Path) -> bool {
        let Ok(path) = fs_err::canonicalize(path) else {
            return false;
        };
        let allowed =
            |root: &CaseRoot| path == root.path || root.folder && path.starts_with(&root.path);
        self.cases.iter().any(allowed) && fs_err::metadata(&path).is_ok_and(|at| at.is_file())
    }

    /// The models that calls may name, the one of calls that name none first.
    pub(crate) fn models(&self) -> &[String] {
        &self.flags.model
    }

    /// The variable that `--key-from` names.
    pub(crate) fn key_from(&self) -> Option<&str> {
        self.flags.key_from.as_deref()
    }

    /// The orders and the model of a call of `decide`.
    ///
    /// # Errors
    /// Every bad value.
    pub(crate) fn decide(
        &self,
        model: Option<&str>,
        order: Option<&str>,
    ) -> Result<(Orders, Models), Vec<Diagnostic>> {
        let mut check = Check::default();
        let flags = self.model(&mut check, model, None);
        let models = models(&mut check, &flags);
        let entry = order.unwrap_or(defaults::MCP_ORDER).to_owned();
        let orders = orders(&mut check, &[entry], None, None, &Axes::default(), &models);
        let specs = &orders.specs;
        if !specs.is_empty() && specs.iter().all(OrderSpec::is_control) {
            let order = Foreign(order.unwrap_or_default()).to_string();
            let error = format!(
                "`--order {order}` asks no other order, so that nothing could be called stable"
            );
            let help = "leave it out for `check`, or add an order such as `reverse`";
            check.errors.push(Diagnostic::new(error).help(help));
        }
        refuse_files(&mut check, specs, &[]);
        check.done((orders, models))
    }

    /// The settings of a call of `probe`.
    ///
    /// # Errors
    /// Every bad value.
    pub(crate) fn probe(&self, call: ProbeCall) -> Result<Probing, Vec<Diagnostic>> {
        let mut check = Check::default();
        let flags = self.model(&mut check, call.model.as_deref(), call.max_asks);
        let order = match (call.order, &call.axis) {
            (None, None) => Some(defaults::MCP_ORDER.to_owned()),
            (order, _) => order,
        };
        let asked = AskedFlags {
            order: order.into_iter().collect(),
            axis: call.axis.into_iter().collect(),
            seed: call.seed,
            ..AskedFlags::default()
        };
        let judged = JudgedFlags {
            gate: call.gate.into_iter().collect(),
            ..JudgedFlags::default()
        };
        let output = OutputFlags::default();
        let probing = probing(
            &mut check,
            "flipside probe",
            &asked,
            &judged,
            &output,
            &flags,
        );
        refuse_files(&mut check, &probing.orders.specs, &probing.axes.specs);
        check.done(probing)
    }

    /// The server's own flags with the model that a call names, and the asks that it may make.
    fn model(
        &self,
        check: &mut Check,
        named: Option<&str>,
        max_asks: Option<String>,
    ) -> ModelFlags {
        let text = named.unwrap_or(&self.flags.model[0]);
        let known = self.flags.model.iter().any(|model| model == text);
        // What cannot be read at all is told where models are read.
        if let Ok(spec) = ModelSpec::parse(text)
            && !known
            && !is_harmless(spec.kind())
        {
            let models: Vec<String> = self
                .flags
                .model
                .iter()
                .map(|model| format!("`{}`", Foreign(&without_secrets(model))))
                .collect();
            let text = without_secrets(text);
            let text = Foreign(&text).cut(80);
            let error = format!(
                "`--model {text}`: this server asks {}, and controls such as `first`",
                models.join(", ")
            );
            let help = "start it with that `--model` too, where calls are to name it";
            check.errors.push(Diagnostic::new(error).help(help));
        }
        let most = max_asks.unwrap_or_else(|| self.most_asks.to_string());
        if most.parse().is_ok_and(|most: u64| most > self.most_asks) {
            let error = format!(
                "`--max-asks {most}`: this server allows {} asks a call",
                self.most_asks
            );
            let help = "ask fewer, or start it with a larger `--max-asks`";
            check.errors.push(Diagnostic::new(error).help(help));
        }
        ModelFlags {
            model: vec![text.to_owned()],
            max_asks: Some(most),
            ..self.flags.clone()
        }
    }
}

/// Refuses orders and axes that are in files: errors about a file quote it, and a caller may see no file of this machine.
fn refuse_files(check: &mut Check, orders: &[OrderSpec], axes: &[AxisSpec]) {
    let orders = orders.iter().filter_map(|spec| match spec {
        OrderSpec::List(file) => Some(("--order list", file)),
        _ => None,
    });
    let axes = axes.iter().filter_map(|spec| match spec {
        AxisSpec::Keys(KeysSpec::List(file)) => Some(("--axis keys:list", file)),
        _ => None,
    });
    for (what, file) in orders.chain(axes) {
        let error = format!(
            "`{what}:{}`: a call may not name files",
            Foreign(file).cut(80)
        );
        let help = "name one that needs no file, or run `flipside probe`, which reads such files";
        check.errors.push(Diagnostic::new(error).help(help));
    }
}

/// Whether a caller may name it unasked: it runs no command, reads no file and reaches no address.
fn is_harmless(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::First
            | Kind::Last
            | Kind::Slot(_)
            | Kind::Prior(_)
            | Kind::Overlap
            | Kind::Random
            | Kind::Noisy(_)
            | Kind::NextTo(_)
    )
}
