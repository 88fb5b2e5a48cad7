//! Models in process: where a checkpoint lies and how it is run.

use camino::{Utf8Path, Utf8PathBuf};
use flipside_core::foreign::Foreign;
use flipside_local::agentjev::{self, AgentJev, Mode};
use flipside_local::embed::{self, Embed, Readout};
use flipside_local::laya::Laya;
use flipside_local::{LoadError, Precision, tiny};
use url::form_urlencoded;

use super::spec::{Problem, expected};
use crate::local::{Checkpoint, InProcess};
use crate::wire;
use crate::wire::laya::Settings;

/// `tiny-laya`, `tiny-agentjev`, `laya:DIR`, `agentjev:DIR`, `embed:DIR` with their settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalSpec {
    /// Which architecture.
    pub architecture: Architecture,
    /// The folder; `None` for the checkpoint inside the program.
    pub folder: Option<Utf8PathBuf>,
    /// In what numbers it computes.
    pub precision: Precision,
    /// Whether a Laya checkpoint or a sentence encoder is asked with the options in another order instead of with `option_order`.
    pub keys: bool,
    /// How `AgentJev`'s paths are run.
    pub mode: Mode,
    /// Heads of `AgentJev`'s set layers.
    pub set_heads: usize,
    /// Whether `AgentJev`'s candidates are scored one by one.
    pub alone: bool,
    /// How a sentence encoder reads state and options.
    pub readout: Readout,
}

/// An architecture that runs in process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Architecture {
    /// All options in one sequence.
    Laya,
    /// Every option on a path of its own.
    AgentJev,
    /// A sentence encoder.
    Embed,
}

/// What stands after `name`: a folder where it takes one, and settings.
pub(super) fn parse(name: &str, argument: Option<&str>) -> Result<LocalSpec, Problem> {
    let (architecture, inside) = match name {
        "tiny-laya" => (Architecture::Laya, true),
        "laya" => (Architecture::Laya, false),
        "tiny-agentjev" => (Architecture::AgentJev, true),
        "embed" => (Architecture::Embed, false),
        _ => (Architecture::AgentJev, false),
    };
    let settings = agentjev::Settings::default();
    let mut spec = LocalSpec {
        architecture,
        folder: None,
        precision: settings.precision,
        keys: false,
        mode: settings.mode,
        set_heads: settings.set_heads,
        alone: settings.alone,
        readout: Readout::default(),
    };
    let argument = argument.unwrap_or_default();
    let (folder, query) = argument.split_once('?').unwrap_or((argument, ""));
    match (inside, folder.is_empty()) {
        (true, true) => {}
        (true, false) => {
            return expected(format_args!(
                "`{name}` alone or with settings, such as `{name}?precision=bf16`"
            ));
        }
        (false, true) => {
            return expected(format_args!(
                "a checkpoint folder after `{name}:`, such as `{name}:models/{name}`"
            ));
        }
        (false, false) => spec.folder = Some(folder.into()),
    }
    for (setting, value) in form_urlencoded::parse(query.as_bytes()) {
        set(&mut spec, name, &setting, &value)?;
    }
    Ok(spec)
}

fn set(spec: &mut LocalSpec, name: &str, setting: &str, value: &str) -> Result<(), Problem> {
    match (setting, value, spec.architecture) {
        ("precision", value, _) => match Precision::parse(value) {
            Some(precision) => spec.precision = precision,
            None => return expected("`?precision=f32` or `?precision=bf16`"),
        },
        ("order", "option_order", Architecture::Laya | Architecture::Embed) => spec.keys = false,
        ("order", "keys", Architecture::Laya | Architecture::Embed) => spec.keys = true,
        ("order", _, Architecture::Laya | Architecture::Embed) => {
            return expected("`?order=option_order` or `?order=keys`");
        }
        ("mode", "path", Architecture::AgentJev) => spec.mode = Mode::Path,
        ("mode", "shared", Architecture::AgentJev) => spec.mode = Mode::Shared,
        ("mode", _, Architecture::AgentJev) => return expected("`?mode=path` or `?mode=shared`"),
        ("set", "together", Architecture::AgentJev) => spec.alone = false,
        ("set", "alone", Architecture::AgentJev) => spec.alone = true,
        ("set", _, Architecture::AgentJev) => return expected("`?set=together` or `?set=alone`"),
        ("set_heads", value, Architecture::AgentJev) => match value.parse() {
            Ok(heads) if (1..=64).contains(&heads) => spec.set_heads = heads,
            _ => return expected("a whole number from 1 to 64, such as `?set_heads=4`"),
        },
        ("readout", value, Architecture::Embed) => match Readout::parse(value) {
            Some(readout) => spec.readout = readout,
            None => return expected("`?readout=apart` or `?readout=together`"),
        },
        _ => {
            let known = match spec.architecture {
                Architecture::Laya => "`precision` or `order`",
                Architecture::AgentJev => "`precision`, `mode`, `set` or `set_heads`",
                Architecture::Embed => "`precision`, `readout` or `order`",
            };
            return expected(format_args!(
                "a setting {known} of `{name}`, found `{}`",
                Foreign(setting).cut(40)
            ));
        }
    }
    Ok(())
}

/// The model that `spec` describes, loaded.
///
/// # Errors
/// [`LoadError`] naming file and key or tensor.
pub fn load(text: &str, spec: &LocalSpec) -> Result<InProcess, LoadError> {
    let named = |folder: &Utf8Path| {
        let whole = folder
            .canonicalize_utf8()
            .unwrap_or_else(|_| folder.to_owned());
        whole.file_name().unwrap_or("checkpoint").to_owned()
    };
    let (name, checkpoint, protocol): (_, _, Box<dyn wire::Protocol>) = match spec.architecture {
        Architecture::Laya => {
            let laya = match &spec.folder {
                None => tiny::laya(spec.precision)?,
                Some(folder) => Laya::open(folder, spec.precision)?,
            };
            (
                spec.folder.as_deref().map_or("tiny-laya".to_owned(), named),
                Checkpoint::Laya(laya),
                Box::new(systemone(spec)),
            )
        }
        Architecture::AgentJev => {
            let settings = agentjev::Settings {
                precision: spec.precision,
                mode: spec.mode,
                set_heads: spec.set_heads,
                alone: spec.alone,
            };
            let agentjev = match &spec.folder {
                None => tiny::agentjev(settings)?,
                Some(folder) => AgentJev::open(folder, settings)?,
            };
            (
                spec.folder
                    .as_deref()
                    .map_or("tiny-agentjev".to_owned(), named),
                Checkpoint::AgentJev(agentjev),
                Box::new(wire::agentjev::AgentJev),
            )
        }
        Architecture::Embed => {
            let folder = spec.folder.as_deref().unwrap_or(Utf8Path::new("."));
            let settings = embed::Settings {
                precision: spec.precision,
                readout: spec.readout,
            };
            (
                named(folder),
                Checkpoint::Embed(Embed::open(folder, settings)?),
                Box::new(systemone(spec)),
            )
        }
    };
    Ok(InProcess::new(text.to_owned(), &name, protocol, checkpoint))
}

/// What a checkpoint is sent that reads System One questions with the order of their slots.
fn systemone(spec: &LocalSpec) -> wire::laya::Laya {
    wire::laya::Laya::new(Settings {
        option_order: !spec.keys,
        every: !spec.keys,
        exact: true,
        max_len: None,
    })
}
