//! Which endpoint, key and model name the environment gives to a model behind HTTP (the wire page, 12.2).

use flipside_core::answer::ConfidenceKind;
use flipside_core::model::Price;
use url::Url;

use super::build::{BuildError, Options};
use crate::env::{self, Environment, Variable};
use crate::http::{Endpoint, Key, OPENROUTER, Parts, Proxies, Served, TYPESAFE, UrlProblem};
use crate::wire::systemone::SystemOne;

/// Asks in flight to a hosted model unless the user says otherwise.
const CONCURRENCY: usize = 8;
/// Laya answers one ask at a time.
const LAYA_CONCURRENCY: usize = 1;
/// The alias that every compatible server knows; some refuse a request without a model (the wire page, 1.3 and 11).
const SYSTEMONE_MODEL: &str = "jev-latest";
/// TypeSafe's endpoint.
const TYPESAFE_URL: &str = "https://api.typesafe.ai/v1/systemone";
/// OpenRouter's endpoint.
const OPENROUTER_URL: &str = "https://openrouter.ai/api/alpha/decisions";
/// What TypeSafe asks: 0.042 US dollars per million input tokens (the wire page, 1.5).
const TYPESAFE_PRICE: Price = Price {
    input_usd_micros: 42_000,
    output_usd_micros: 0,
};

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
        let price = endpoint.is_at(TYPESAFE).then_some(TYPESAFE_PRICE);
        self.served(endpoint, key, Some(model), CONCURRENCY, price)
    }

    /// `laya-served`: at its URL, with its key if there is one.
    pub(super) fn laya_served(self) -> Result<Served, BuildError> {
        let variables = [
            &env::LAYA_SERVED_URL,
            &env::LAYA_SERVED_MODEL,
            &env::LAYA_SERVED_API_KEY,
        ];
        self.local(variables, "english", LAYA_CONCURRENCY)
    }

    /// `clm`: at its URL, with its key if there is one.
    pub(super) fn clm(self) -> Result<Served, BuildError> {
        self.local(
            [&env::CLM_URL, &env::CLM_MODEL, &env::CLM_API_KEY],
            "clm-latest",
            CONCURRENCY,
        )
    }

    /// `systemone:URL`: a key goes to TypeSafe and OpenRouter only, each its own.
    pub(super) fn systemone(self, url: &Url) -> Result<Served, BuildError> {
        let endpoint = Endpoint::of(url.clone()).map_err(|problem| BuildError::Spec {
            spec: self.spec.to_owned(),
            problem: problem.to_string(),
        })?;
        let key = match own_variable(&endpoint) {
            Some(variable) => self.key(variable)?,
            None => None,
        };
        let name = self
            .options
            .model_name
            .as_deref()
            .unwrap_or(SYSTEMONE_MODEL);
        self.served(endpoint, key, Some(name.to_owned()), CONCURRENCY, None)
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
        match own_variable(endpoint) {
            Some(variable) => self.key(variable),
            None => match self.key(&env::TYPESAFE_API_KEY)? {
                Some(key) => Ok(Some(key)),
                None => self.key(&env::OPENROUTER_API_KEY),
            },
        }
    }

    fn local(
        self,
        variables: [&'static Variable; 3],
        model: &str,
        concurrency: usize,
    ) -> Result<Served, BuildError> {
        let [url, name, key] = variables;
        let Some(at) = self.environment.get(url) else {
            return Err(self.missing(
                &[url],
                "set it to the full endpoint, such as `http://127.0.0.1:8000/v1/systemone`",
            ));
        };
        let endpoint = Endpoint::parse(at).map_err(|problem| url_error(url, problem))?;
        let named = self
            .options
            .model_name
            .as_deref()
            .or_else(|| self.environment.get(name))
            .unwrap_or(model);
        let key = self.key(key)?;
        self.served(endpoint, key, Some(named.to_owned()), concurrency, None)
    }

    fn served(
        self,
        endpoint: Endpoint,
        key: Option<Key>,
        model: Option<String>,
        concurrency: usize,
        price: Option<Price>,
    ) -> Result<Served, BuildError> {
        if let Some(key) = &key {
            key.check(&endpoint)
                .map_err(|problem| BuildError::key(&problem))?;
        }
        let proxies = Proxies::read(self.environment, &endpoint);
        // As their documents say; a gateway's confidence is whatever stands behind it.
        let confidence = match self.spec.split(':').next() {
            Some("jev") if !endpoint.is_at(OPENROUTER) => Some(ConfidenceKind::AboveChance),
            Some("clm") => Some(ConfidenceKind::AboveChance),
            Some("laya-served") => Some(ConfidenceKind::Entropy),
            _ => None,
        };
        let spec = self.spec.to_owned();
        Ok(Served::new(
            Parts {
                spec,
                endpoint,
                protocol: Box::new(SystemOne),
                model,
                key,
                concurrency,
                price,
                confidence,
            },
            proxies,
        ))
    }

    fn key(self, variable: &Variable) -> Result<Option<Key>, BuildError> {
        Key::read(self.environment, variable).map_err(|problem| BuildError::key(&problem))
    }

    fn missing(self, variables: &[&Variable], help: &'static str) -> BuildError {
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

/// The variable whose key belongs to the host, if one does.
fn own_variable(endpoint: &Endpoint) -> Option<&'static Variable> {
    if endpoint.is_at(OPENROUTER) {
        Some(&env::OPENROUTER_API_KEY)
    } else if endpoint.is_at(TYPESAFE) {
        Some(&env::TYPESAFE_API_KEY)
    } else {
        None
    }
}

fn url_error(variable: &Variable, problem: UrlProblem) -> BuildError {
    BuildError::Url {
        variable: variable.name,
        problem: problem.to_string(),
    }
}
