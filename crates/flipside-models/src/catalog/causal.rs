//! `gguf:FILE` with its settings: a causal language model in process.

use camino::Utf8PathBuf;
use flipside_core::foreign::Foreign;
use flipside_local::LoadError;
use flipside_local::causal::{self, Numbers};
use url::form_urlencoded;

use super::spec::{Problem, expected};
use crate::local::CausalModel;
use crate::wire::language::{Causal, CausalRead, CausalSettings, Compared, Normalised};

/// The template setting that means no chat template.
const PLAIN: &str = "plain";

/// A causal language model as a user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CausalSpec {
    /// The GGUF file.
    pub file: Utf8PathBuf,
    /// In what numbers it computes.
    pub numbers: Numbers,
    /// What is read of it.
    pub read: CausalRead,
    /// What is compared of texts.
    pub compared: Compared,
    /// What that is compared with.
    pub normalised: Normalised,
    /// Whether it is asked in the file's chat template; `None` is where letters are read and the file has one.
    pub chat: Option<bool>,
    /// A file with the words around a case; `None` for the standard ones.
    pub template: Option<Utf8PathBuf>,
}

/// What stands after `gguf`.
pub(super) fn parse(argument: Option<&str>) -> Result<CausalSpec, Problem> {
    let argument = argument.unwrap_or_default();
    let (file, query) = argument.split_once('?').unwrap_or((argument, ""));
    if file.is_empty() {
        return expected("a file after `gguf:`, such as `gguf:model.gguf`");
    }
    let mut spec = CausalSpec {
        file: file.into(),
        numbers: Numbers::default(),
        read: CausalRead::default(),
        compared: Compared::default(),
        normalised: Normalised::default(),
        chat: None,
        template: None,
    };
    let mut seen: Vec<String> = Vec::new();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        if seen.iter().any(|seen| *seen == name) {
            return Err(problem(format!(
                "the setting `{}` is given twice",
                Foreign(&name).cut(20)
            )));
        }
        set(&mut spec, &name, &value)?;
        seen.push(name.into_owned());
    }
    let given = |name: &str| seen.iter().any(|seen| seen == name);
    if spec.read == CausalRead::Letter {
        if given("length") {
            return Err(problem(
                "`length` belongs to `read=text` and `read=pointwise`: letters have none"
                    .to_owned(),
            ));
        }
        if spec.normalised == Normalised::Pmi {
            return Err(problem(
                "`normalise=pmi` belongs to `read=text` and `read=pointwise`; letters have `normalise=contextual`"
                    .to_owned(),
            ));
        }
    }
    if given("chat") && spec.template.is_none() && given("template") {
        return Err(problem(
            "`template=plain` asks without the chat template; leave out `chat`".to_owned(),
        ));
    }
    Ok(spec)
}

fn set(spec: &mut CausalSpec, name: &str, value: &str) -> Result<(), Problem> {
    /// The value that `parsed` found, or what was expected.
    fn found<T>(parsed: Option<T>, forms: &str) -> Result<T, Problem> {
        parsed.map_or_else(|| expected(forms), Ok)
    }
    match name {
        "read" => {
            let forms = "`?read=letter`, `?read=text` or `?read=pointwise`";
            spec.read = found(CausalRead::parse(value), forms)?;
        }
        "precision" => {
            let forms = "`?precision=f32` or `?precision=quantised`";
            spec.numbers = found(Numbers::parse(value), forms)?;
        }
        "length" => {
            let forms = "`?length=mean`, `?length=sum` or `?length=byte`";
            spec.compared = found(Compared::parse(value), forms)?;
        }
        "normalise" => {
            let forms = "`?normalise=none`, `?normalise=contextual` or `?normalise=pmi`";
            spec.normalised = found(Normalised::parse(value), forms)?;
        }
        "chat" => {
            let chat = match value {
                "yes" => Some(true),
                "no" => Some(false),
                _ => None,
            };
            spec.chat = Some(found(chat, "`?chat=yes` or `?chat=no`")?);
        }
        "template" if value == PLAIN => spec.chat = Some(false),
        "template" if value.is_empty() => {
            return expected("`?template=plain`, or a file with the words around a case");
        }
        "template" => spec.template = Some(value.into()),
        _ => {
            return expected(format_args!(
                "a setting `read`, `template`, `chat`, `length`, `normalise` or `precision` of `gguf`, found `{}`",
                Foreign(name).cut(40)
            ));
        }
    }
    Ok(())
}

fn problem(problem: String) -> Problem {
    Problem {
        problem,
        help: None,
    }
}

/// The model that `spec` describes, loaded.
///
/// # Errors
/// [`LoadError`] naming file and setting, tensor or line.
pub(super) fn load(text: &str, spec: &CausalSpec) -> Result<CausalModel, LoadError> {
    let template = match &spec.template {
        None => Causal::standard(spec.read),
        Some(file) => {
            let words = fs_err::read_to_string(file).map_err(|source| LoadError::Read {
                file: file.to_string(),
                source,
            })?;
            Causal::template(&words, spec.read).map_err(|problem| LoadError::Invalid {
                file: file.to_string(),
                problem: problem.to_string(),
            })?
        }
    };
    let model = causal::Causal::open(&spec.file, spec.numbers)?;
    let chat = match spec.chat {
        Some(true) if !model.chats() => {
            return Err(LoadError::Invalid {
                file: spec.file.to_string(),
                problem: "no `tokenizer.chat_template`, which `chat=yes` asks in".to_owned(),
            });
        }
        Some(chat) => chat,
        None => spec.read == CausalRead::Letter && model.chats(),
    };
    let settings = CausalSettings {
        read: spec.read,
        chat,
        compared: spec.compared,
        normalised: spec.normalised,
    };
    let name = spec.file.file_stem().unwrap_or("model");
    let name = match spec.numbers {
        Numbers::F32 => name.to_owned(),
        Numbers::Quantised => format!("{name}-quantised"),
    };
    let file = spec.file.clone();
    let reference = (spec.numbers == Numbers::Quantised).then(|| {
        let open = move || causal::Causal::open(&file, Numbers::F32);
        Box::new(open) as Box<_>
    });
    let protocol = Causal::new(settings, template);
    Ok(CausalModel::new(
        text.to_owned(),
        &name,
        protocol,
        model,
        reference,
    ))
}
