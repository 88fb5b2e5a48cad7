//! Which endpoint, key and model name the environment gives to a model behind HTTP (the wire page, 12.2).

use flipside_core::answer::ConfidenceKind;
use url::Url;

use super::build::{BuildError, Options};
use super::{hosts, price};
use crate::env::{self, Environment, Variable};
use crate::http::{Endpoint, Key, OPENROUTER, Parts, Proxies, Served, TYPESAFE, UrlProblem};
use crate::wire::systemone::SystemOne;
use crate::wire::{Limited, Limits, Protocol};

/// Asks in flight to a hosted model unless the user says otherwise.
pub(super) const CONCURRENCY: usize = 8;
/// The alias that every compatible server knows; some refuse a request without a model (the wire page, 1.3 and 11).
const SYSTEMONE_MODEL: &str = "jev-latest";
/// TypeSafe's endpoint.
const TYPESAFE_URL: &str = "https://api.typesafe.ai/v1/systemone";
/// OpenRouter's endpoint.
const OPENROUTER_URL: &str = "https://openrouter.ai/api/alpha/decisions";
/// Where Ollama listens (the wire page, 4.4).
const OLLAMA_PORT: u16 = 11_434;
/// The spec, and what it is built from.
#[derive(Clone, Copy)]
pub(super) struct Given<'a> {
    pub(super) spec: &'a str,
    pub(super) environment: &'a Environment,
    pub(super) options: &'a Options,
}

impl Given<'_> {
    /// `jev[:NAME]`: TypeSafe or OpenRouter, or the endpoint that TypeSafe's URL variables name.
    pub(super) fn jev(self, name: Option<&str>) -> Result<Served, BuildError> {
        let endpoint = self.jev_endpoint()?;
        let key = self.jev_key(&endpoint)?;
        if key.is_none() && !endpoint.is_loopback() {
            let variables: &[&Variable] = if endpoint.is_at(OPENROUTER) {
                &[&env::OPENROUTER_API_KEY]
            } else if endpoint.is_at(TYPESAFE) {
                &[&env::TYPESAFE_API_KEY]
            } else {
                &[&env::TYPESAFE_API_KEY, &env::OPENROUTER_API_KEY]
            };
            return Err(self.missing(
                variables,
                "set it, or ask a server without a key as `systemone:URL`",
            ));
        }
        let by_host = if endpoint.is_at(OPENROUTER) {
            "~typesafe/jev-latest"
        } else {
            "jev-latest"
        };
        let model = self
            .options
            .model_name
            .as_deref()
            .or(name)
            .or_else(|| self.environment.get(&env::TYPESAFE_MODEL))
            .or_else(|| self.environment.get(&env::TYPESAFE_DEFAULT_MODEL))
            .unwrap_or(by_host)
            .to_owned();
        self.served(endpoint, key, Some(model))
    }

    /// `systemone:URL`: a key goes to the host that it belongs to, or is the one that the user names.
    pub(super) fn systemone(self, url: &Url) -> Result<Served, BuildError> {
        let endpoint = Endpoint::of(url.clone()).map_err(|problem| BuildError::Spec {
            spec: self.spec.to_owned(),
            problem: problem.to_string(),
        })?;
        let key = self.key_of(&endpoint)?;
        let name = self
            .options
            .model_name
            .as_deref()
            .unwrap_or(SYSTEMONE_MODEL);
        self.served(endpoint, key, Some(name.to_owned()))
    }

    fn jev_endpoint(self) -> Result<Endpoint, BuildError> {
        if let Some(url) = self.environment.get(&env::TYPESAFE_API_URL) {
            return Endpoint::completed(url)
                .map_err(|problem| url_error(&env::TYPESAFE_API_URL, problem));
        }
        if let Some(url) = self.environment.get(&env::TYPESAFE_BASE_URL) {
            return Endpoint::below(url)
                .map_err(|problem| url_error(&env::TYPESAFE_BASE_URL, problem));
        }
        let known = |url| Ok(Endpoint::parse(url).expect("our own constants are endpoints"));
        if self.environment.get(&env::TYPESAFE_API_KEY).is_some() {
            known(TYPESAFE_URL)
        } else if self.environment.get(&env::OPENROUTER_API_KEY).is_some() {
            known(OPENROUTER_URL)
        } else {
            let help = "set one of them, or try `--model overlap`, which needs no key";
            Err(self.missing(&[&env::TYPESAFE_API_KEY, &env::OPENROUTER_API_KEY], help))
        }
    }

    /// The key for `endpoint`: its host's own, or for a host of the user's choice TypeSafe's before OpenRouter's.
    fn jev_key(self, endpoint: &Endpoint) -> Result<Option<Key>, BuildError> {
        if hosts::variable_of(endpoint).is_some() {
            return self.key_of(endpoint);
        }
        match self.key(&env::TYPESAFE_API_KEY, endpoint)? {
            Some(key) => Ok(Some(key)),
            None => self.key(&env::OPENROUTER_API_KEY, endpoint),
        }
    }

    fn served(
        self,
        endpoint: Endpoint,
        key: Option<Key>,
        model: Option<String>,
    ) -> Result<Served, BuildError> {
        // As its documents say; a gateway's confidence is whatever stands behind it.
        let is_jev = self.spec.split(':').next() == Some("jev") && !endpoint.is_at(OPENROUTER);
        let confidence = is_jev.then_some(ConfidenceKind::AboveChance);
        let limits = if endpoint.is_at(TYPESAFE) {
            Some(Limits::JEV)
        } else if endpoint.url().port() == Some(OLLAMA_PORT) {
            Some(Limits::OLLAMA)
        } else {
            None
        };
        let protocol: Box<dyn Protocol> = match limits {
            Some(limits) => Box::new(Limited {
                protocol: SystemOne,
                limits,
            }),
            None => Box::new(SystemOne),
        };
        self.connected(Parts {
            spec: self.spec.to_owned(),
            price: price::known(&endpoint, model.as_deref()),
            endpoint,
            protocol,
            model,
            key,
            concurrency: CONCURRENCY,
            confidence,
        })
    }

    /// The model made of `parts`, whose key may go to its endpoint.
    pub(super) fn connected(self, parts: Parts) -> Result<Served, BuildError> {
        if let Some(key) = &parts.key {
            let checked = key.check(&parts.endpoint);
            checked.map_err(|problem| BuildError::key(&problem))?;
        }
        let proxies = Proxies::read(self.environment, &parts.endpoint);
        Ok(Served::new(parts, proxies))
    }

    /// The key that the user names, else the one in `variable`.
    pub(super) fn key(
        self,
        variable: &Variable,
        endpoint: &Endpoint,
    ) -> Result<Option<Key>, BuildError> {
        if let Some(key) = self.named_key(endpoint)? {
            return Ok(Some(key));
        }
        let key = Key::read(self.environment, variable);
        key.map_err(|problem| BuildError::key(&problem))
    }

    /// The key that the user names, else the one of the host, where it has one.
    pub(super) fn key_of(self, endpoint: &Endpoint) -> Result<Option<Key>, BuildError> {
        match hosts::variable_of(endpoint) {
            Some(variable) => self.key(variable, endpoint),
            None => self.named_key(endpoint),
        }
    }

    /// The key that the user names, unless it is another host's.
    pub(super) fn named_key(self, endpoint: &Endpoint) -> Result<Option<Key>, BuildError> {
        let key = Key::named(self.environment).map_err(|problem| BuildError::key(&problem))?;
        if let Some(key) = &key {
            hosts::belongs(key.variable(), endpoint)
                .map_err(|problem| BuildError::key(&problem))?;
        }
        Ok(key)
    }

    pub(super) fn missing(self, variables: &[&Variable], help: &'static str) -> BuildError {
        let names: Vec<String> = variables
            .iter()
            .map(|variable| format!("`{}`", variable.name))
            .collect();
        BuildError::Missing {
            spec: self.spec.to_owned(),
            variables: names.join(" or "),
            help,
        }
    }
}

pub(super) fn url_error(variable: &Variable, problem: UrlProblem) -> BuildError {
    BuildError::Url {
        variable: variable.name,
        problem: problem.to_string(),
    }
}
