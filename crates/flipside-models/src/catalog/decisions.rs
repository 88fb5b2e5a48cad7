//! `openai-decisions` and `agentjev-served`: their arguments, endpoints and keys.

use flipside_core::answer::ConfidenceKind;
use url::Url;

use super::argument::own_query;
use super::build::BuildError;
use super::price;
use super::served::{Given, url_error};
use super::spec::{Kind, Problem, expected};
use crate::env;
use crate::http::{Endpoint, OPENAI, Parts, Served};
use crate::wire::agentjev::AgentJev;
use crate::wire::openai_decisions::OpenAiDecisions;

/// Asks in flight to a hosted model unless the user says otherwise.
const CONCURRENCY: usize = 8;
/// An `AgentJev` service is one process with one model.
const AGENTJEV_CONCURRENCY: usize = 1;
/// `OpenAI`'s base URL.
const OPENAI_URL: &str = "https://api.openai.com/v1";
/// Where an `AgentJev` service listens (the wire page, 4.3).
const AGENTJEV_URL: &str = "http://127.0.0.1:18765/api/evaluate";

/// `MODEL[@URL]`.
pub(super) fn openai(argument: &str) -> Result<Kind, Problem> {
    let form = "a model, and a base URL where it is not OpenAI's, such as `openai-decisions:gpt-6-luna` or \
                `openai-decisions:m@http://127.0.0.1:8080/v1`";
    let (model, url) = match argument.split_once('@') {
        Some((model, url)) => (model, Some(url)),
        None => (argument, None),
    };
    if model.trim().is_empty() {
        return expected(form);
    }
    if model.contains('?') {
        return expected("`openai-decisions:MODEL[@URL]`, which takes no settings after `?`");
    }
    let url = match url.map(plain_url) {
        None => None,
        Some(Some(url)) => {
            own_query(&url)?;
            Some(url)
        }
        Some(None) => return expected(form),
    };
    Ok(Kind::OpenAiDecisions {
        model: model.to_owned(),
        url,
    })
}

/// `[URL]`.
pub(super) fn agentjev(argument: Option<&str>) -> Result<Kind, Problem> {
    let form = "a URL with http:// or https:// and without user name and password, such as \
                `agentjev-served:http://127.0.0.1:18765/api/evaluate`, or `agentjev-served` alone";
    match argument.map(plain_url) {
        None => Ok(Kind::AgentJevServed(None)),
        Some(Some(url)) => {
            own_query(&url)?;
            Ok(Kind::AgentJevServed(Some(url)))
        }
        Some(None) => expected(form),
    }
}

/// A URL that requests can go to, without credentials.
fn plain_url(text: &str) -> Option<Url> {
    let endpoint = Endpoint::parse(text).ok()?;
    Some(endpoint.url().clone())
}

/// The endpoint below a base URL: a path that ends in `/decisions` is complete, an origin gets `/v1/decisions`.
fn below(base: &Url) -> Url {
    let mut url = base.clone();
    let path = base.path().trim_end_matches('/');
    if !path.ends_with("/decisions") {
        let version = if path.is_empty() { "/v1" } else { path };
        url.set_path(&format!("{version}/decisions"));
    }
    url
}

impl Given<'_> {
    /// `openai-decisions:MODEL[@URL]`: at its URL, or where the environment says that `OpenAI` is.
    pub(super) fn openai_decisions(
        self,
        model: &str,
        url: Option<&Url>,
    ) -> Result<Served, BuildError> {
        let from_variable = self.environment.get(&env::OPENAI_BASE_URL);
        let base = match (url, from_variable) {
            (Some(url), _) => url.clone(),
            (None, Some(base)) => Endpoint::parse(base)
                .map_err(|problem| url_error(&env::OPENAI_BASE_URL, problem))?
                .url()
                .clone(),
            (None, None) => Url::parse(OPENAI_URL).expect("our own constant is a URL"),
        };
        let endpoint = Endpoint::of(below(&base)).map_err(|problem| BuildError::Spec {
            spec: self.spec.to_owned(),
            problem: problem.to_string(),
        })?;
        // A key goes to its own host, and to one that stands beside it in the environment.
        let key = if url.is_none() {
            self.key(&env::OPENAI_API_KEY, &endpoint)?
        } else {
            self.key_of(&endpoint)?
        };
        if key.is_none() && endpoint.is_at(OPENAI) {
            return Err(self.missing(
                &[&env::OPENAI_API_KEY],
                "set it, or name another server as `openai-decisions:MODEL@URL`",
            ));
        }
        let name = self.options.model_name.as_deref().unwrap_or(model);
        let price = price::known(&endpoint, Some(name));
        self.connected(Parts {
            spec: self.spec.to_owned(),
            endpoint,
            protocol: Box::new(OpenAiDecisions),
            model: Some(name.to_owned()),
            key,
            concurrency: CONCURRENCY,
            price,
            confidence: None,
        })
    }

    /// `agentjev-served[:URL]`: no key, and no model name.
    pub(super) fn agentjev_served(self, url: Option<&Url>) -> Result<Served, BuildError> {
        let endpoint = match url {
            Some(url) => Endpoint::of(url.clone()),
            None => Endpoint::parse(AGENTJEV_URL),
        };
        let endpoint = endpoint.map_err(|problem| BuildError::Spec {
            spec: self.spec.to_owned(),
            problem: problem.to_string(),
        })?;
        self.connected(Parts {
            spec: self.spec.to_owned(),
            endpoint,
            protocol: Box::new(AgentJev),
            model: None,
            key: None,
            concurrency: AGENTJEV_CONCURRENCY,
            price: None,
            confidence: Some(ConfidenceKind::Margin),
        })
    }
}
