//! `openai:MODEL[@URL][?settings]`, `llamacpp:URL` and `ollama:MODEL[@URL]`.

use std::net::Ipv4Addr;

use camino::Utf8PathBuf;
use flipside_core::foreign::Foreign;
use url::Url;

use super::build::BuildError;
use super::served::{Given, url_error};
use super::spec::{Problem, expected};
use crate::env::{self, Variable};
use crate::http::{Endpoint, Key, OPENAI, Parts, Served};
use crate::wire::language::{Api, LanguageModel, Read, Settings, Template};

/// OpenAI's base.
const OPENAI_URL: &str = "https://api.openai.com/v1";
/// Where Ollama listens.
const OLLAMA_URL: &str = "http://127.0.0.1:11434";
/// Tokens that OpenAI's older completions list at most.
const OPENAI_COMPLETIONS_TOP: u16 = 5;
/// Asks in flight to a hosted model.
const CONCURRENCY: usize = 8;
/// Asks in flight to a server that is likely on one machine.
const LOCAL_CONCURRENCY: usize = 1;

/// A language model as a user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanguageSpec {
    /// The model's name; none for a server that has one model.
    model: Option<String>,
    url: Option<Url>,
    settings: Settings,
    /// Settings that the user set, so that a host's own limits do not replace them.
    given: Vec<String>,
    template: Option<Utf8PathBuf>,
}

/// What `argument` after `name:` means.
pub(super) fn parse(name: &str, argument: &str) -> Result<LanguageSpec, Problem> {
    let (rest, pairs) = match argument.rsplit_once('?') {
        Some((rest, pairs)) => (rest, pairs),
        None => (argument, ""),
    };
    let (model, url) = match name {
        "llamacpp" => (
            None,
            Some(self::url(rest, "llamacpp:http://127.0.0.1:8080")?),
        ),
        _ => named(name, rest)?,
    };
    let pairs = pairs.split('&').filter(|pair| !pair.is_empty());
    let pairs = pairs
        .map(|pair| match pair.split_once('=') {
            Some((name, value)) if !value.is_empty() => Ok((name, value)),
            _ => expected(format_args!(
                "settings such as `?read=plain&template=FILE`, found `{}`",
                Foreign(pair).cut(40)
            )),
        })
        .collect::<Result<Vec<_>, _>>()?;
    let mut names: Vec<&str> = pairs.iter().map(|(name, _)| *name).collect();
    names.sort_unstable();
    if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return problem(format!(
            "the setting `{}` is given twice",
            Foreign(twice[0]).cut(20)
        ));
    }
    let find = |wanted: &str| {
        pairs
            .iter()
            .find(|(name, _)| *name == wanted)
            .map(|(_, value)| *value)
    };
    let api = match (name, find("api")) {
        ("llamacpp", None) => Api::LlamaCpp,
        ("ollama", None) => Api::Ollama,
        ("openai", None | Some("chat")) => Api::Chat,
        ("openai", Some("completions")) => Api::Completions,
        ("openai", Some(other)) => {
            return expected(format_args!(
                "`api=chat` or `api=completions`, found `{}`",
                Foreign(other).cut(20)
            ));
        }
        (_, Some(_)) => {
            return problem(format!(
                "`{name}` has one API and no setting `api`; its OpenAI routes are `openai:MODEL@URL`"
            ));
        }
        (_, None) => unreachable!("the names of this form are matched above"),
    };
    let read = read(api, find("read"))?;
    let mut settings = Settings::standard(api, read);
    let mut given = Vec::new();
    for (name, value) in &pairs {
        if !["api", "read", "template"].contains(name) {
            settings
                .set(name, value)
                .or_else(|found| problem(found.0))?;
            given.push((*name).to_owned());
        }
    }
    Ok(LanguageSpec {
        model,
        url,
        settings,
        given,
        template: find("template").map(Utf8PathBuf::from),
    })
}

fn problem<T>(problem: String) -> Result<T, Problem> {
    Err(Problem {
        problem,
        help: None,
    })
}

fn read(api: Api, name: Option<&str>) -> Result<Read, Problem> {
    let Some(name) = name else {
        return Ok(Read::Letter);
    };
    let possible = api.reads();
    if let Some(read) = possible.iter().find(|read| read.name() == name) {
        return Ok(*read);
    }
    let forms: Vec<String> = possible
        .iter()
        .map(|read| format!("`read={}`", read.name()))
        .collect();
    let forms = forms.join(" or ");
    if name == Read::Text.name() {
        return problem(format!(
            "`read=text` needs a server that echoes, over `openai:MODEL@URL?api=completions&read=text`; {} has {forms}",
            api.words()
        ));
    }
    expected(format_args!(
        "{forms} for {}, found `{}`",
        api.words(),
        Foreign(name).cut(20)
    ))
}

/// `MODEL` or `MODEL@URL`; a model's name may have colons and slashes in it, and no `@`: what was meant as a server must never be
/// taken for a part of the name, since the cases and a key would go to another one.
fn named(name: &str, text: &str) -> Result<(Option<String>, Option<Url>), Problem> {
    let (model, url) = match text.split_once('@') {
        Some((model, url)) => (model, Some(url)),
        None => (text, None),
    };
    let form = match name {
        "ollama" => "ollama:MODEL@http://127.0.0.1:11434".to_owned(),
        _ => format!("{name}:MODEL@http://127.0.0.1:8000/v1"),
    };
    if model.trim().is_empty() || model.contains("://") || is_address(model) {
        return expected(format_args!(
            "a model name after `{name}:`, such as `{form}`"
        ));
    }
    let url = url.map(|url| self::url(url, &form)).transpose()?;
    Ok((Some(model.to_owned()), url))
}

/// Whether `model` is where a server listens, and no name.
fn is_address(model: &str) -> bool {
    let host = model.split([':', '/']).next().unwrap_or_default();
    host == "localhost" || host.parse::<Ipv4Addr>().is_ok() || model.starts_with('[')
}

fn url(text: &str, form: &str) -> Result<Url, Problem> {
    match Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => {
            if !url.username().is_empty() || url.password().is_some() {
                return expected(
                    "a URL without user name and password; a key comes from its environment variable",
                );
            }
            Ok(url)
        }
        _ => expected(format_args!(
            "a URL with http:// or https://, such as `{form}`"
        )),
    }
}

impl Given<'_> {
    /// A language model at its server: OpenAI's or one that a variable or the spec names.
    pub(super) fn language(self, spec: &LanguageSpec) -> Result<Served, BuildError> {
        let (base, from) = self.base(spec)?;
        let unfit = |problem: String| match from {
            Some(variable) => BuildError::Url {
                variable: variable.name,
                problem,
            },
            None => self.unusable(problem),
        };
        let route = at_route(base, spec.settings.api).map_err(unfit)?;
        let endpoint = Endpoint::of(route).map_err(|problem| unfit(problem.to_string()))?;
        let key = match spec.settings.api {
            Api::Chat | Api::Completions => self.language_key(&endpoint)?,
            Api::LlamaCpp | Api::Ollama => None,
        };
        if key.is_none() && endpoint.is_at(OPENAI) {
            return Err(self.missing(
                &[&env::OPENAI_API_KEY],
                "set it, or name a server of your own as `openai:MODEL@URL`",
            ));
        }
        let mut settings = spec.settings.clone();
        let free = |name: &str| !spec.given.iter().any(|given| given == name);
        if endpoint.is_at(OPENAI) {
            if settings.api == Api::Completions && free("top") {
                settings.top = OPENAI_COMPLETIONS_TOP;
            }
            // More than 20 are refused there, always.
            if free("deeper") {
                settings.deeper = None;
            }
        }
        let template = self.template(spec)?;
        let local = endpoint.is_loopback();
        self.connected(Parts {
            spec: self.spec.to_owned(),
            protocol: Box::new(LanguageModel::new(settings, template)),
            model: self
                .options
                .model_name
                .clone()
                .or_else(|| spec.model.clone()),
            key,
            concurrency: if local {
                LOCAL_CONCURRENCY
            } else {
                CONCURRENCY
            },
            price: None,
            confidence: None,
            endpoint,
        })
    }

    /// Where the server is, and the variable that says so.
    fn base(self, spec: &LanguageSpec) -> Result<(Url, Option<&'static Variable>), BuildError> {
        if let Some(url) = &spec.url {
            return Ok((url.clone(), None));
        }
        let known = |url: &str| Url::parse(url).expect("our own constants are URLs");
        if spec.settings.api == Api::Ollama {
            return Ok((known(OLLAMA_URL), None));
        }
        for variable in [&env::OPENAI_BASE_URL, &env::LLM_BASE_URL] {
            if let Some(url) = self.environment.get(variable) {
                let endpoint =
                    Endpoint::parse(url).map_err(|problem| url_error(variable, problem))?;
                return Ok((endpoint.url().clone(), Some(variable)));
            }
        }
        Ok((known(OPENAI_URL), None))
    }

    /// The key whose own host `endpoint` is at: OpenAI's, or that of a key's URL variable.
    fn language_key(self, endpoint: &Endpoint) -> Result<Option<Key>, BuildError> {
        let of_variable = |variable: &Variable| {
            let base = self
                .environment
                .get(variable)
                .and_then(|url| Endpoint::parse(url).ok());
            base.is_some_and(|base| {
                base.authority() == endpoint.authority()
                    && base.is_encrypted() == endpoint.is_encrypted()
            })
        };
        if (endpoint.is_at(OPENAI) || of_variable(&env::OPENAI_BASE_URL))
            && let Some(key) = self.key(&env::OPENAI_API_KEY, endpoint)?
        {
            return Ok(Some(key));
        }
        if of_variable(&env::LLM_BASE_URL) {
            return self.key(&env::LLM_API_KEY, endpoint);
        }
        self.key_of(endpoint)
    }

    fn template(self, spec: &LanguageSpec) -> Result<Template, BuildError> {
        let Some(file) = &spec.template else {
            return Ok(Template::standard(spec.settings.read));
        };
        let text =
            fs_err::read_to_string(file).map_err(|error| self.unusable(error.to_string()))?;
        Template::parse(&text, spec.settings.read)
            .map_err(|problem| self.unusable(format!("{file}: {problem}")))
    }

    fn unusable(self, problem: String) -> BuildError {
        BuildError::Spec {
            spec: self.spec.to_owned(),
            problem,
        }
    }
}

/// The route below a base: `/v1` is added to a bare origin where OpenAI's routes are spoken, and a whole endpoint stays.
///
/// # Errors
/// Which form the endpoint of another API has.
fn at_route(mut base: Url, api: Api) -> Result<Url, String> {
    let (origin, route) = match api {
        Api::Chat => ("/v1", "/chat/completions"),
        Api::Completions => ("/v1", "/completions"),
        Api::LlamaCpp => ("", "/completion"),
        Api::Ollama => ("", "/api/chat"),
    };
    let path = base.path().trim_end_matches('/').to_owned();
    let is_chat = path.ends_with("/chat/completions");
    let other = match api {
        Api::Chat if path.ends_with("/completions") && !is_chat => Some(
            "the endpoint of completions, which is asked as `openai:MODEL@URL?api=completions`",
        ),
        Api::LlamaCpp | Api::Ollama if path.ends_with("/completions") => {
            Some("an endpoint of OpenAI's API, which is asked as `openai:MODEL@URL`")
        }
        _ => None,
    };
    if let Some(other) = other {
        return Err(format!(
            "`{}` is {other}; expected a base URL, or one that ends in `{route}`",
            Foreign(&path).cut(80)
        ));
    }
    if path.is_empty() {
        base.set_path(&format!("{origin}{route}"));
    } else if !path.ends_with(route) || (api == Api::Completions && is_chat) {
        let path = path.strip_suffix("/chat/completions").unwrap_or(&path);
        base.set_path(&format!("{path}{route}"));
    }
    Ok(base)
}
