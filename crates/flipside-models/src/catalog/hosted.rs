//! Models at hosts of their own: which endpoint, key and model name each takes (the wire page, 2 to 4 and 12.1).

use flipside_core::answer::ConfidenceKind;
use url::Url;

use super::build::BuildError;
use super::hosted_argument::{LayaSpec, OpenRouterSpec};
use super::price;
use super::served::{CONCURRENCY, Given, url_error};
use crate::env::{self, Variable};
use crate::http::{Endpoint, Key, Parts, Served, UrlProblem};
use crate::wire::clef::Clef;
use crate::wire::clm::Clm;
use crate::wire::cua::Cua;
use crate::wire::laya::{Laya, Settings};
use crate::wire::openrouter::OpenRouter;
use crate::wire::{Limited, Limits, Protocol};

/// One GPU answers one ask at a time.
const LOCAL_CONCURRENCY: usize = 1;
/// OpenRouter's endpoint.
const OPENROUTER_URL: &str = "https://openrouter.ai/api/alpha/decisions";
/// Cloudflare's API.
const CLOUDFLARE_URL: &str = "https://api.cloudflare.com/client/v4";
/// What Cua-S1's worker calls its model (the wire page, 4.2); it refuses other names.
const CUA_MODEL: &str = "cua-s1-4b-0.2";

/// The variables of a server that somebody runs: its URL, the model's name, the key.
struct Own {
    url: &'static Variable,
    name: &'static Variable,
    key: &'static Variable,
    /// The model's name without a variable.
    default: &'static str,
}

const LAYA_SERVED: Own = Own {
    url: &env::LAYA_SERVED_URL,
    name: &env::LAYA_SERVED_MODEL,
    key: &env::LAYA_SERVED_API_KEY,
    default: "english",
};
const LAYA_PREDICT: Own = Own {
    url: &env::LAYA_BASE_URL,
    name: &env::LAYA_MODEL,
    key: &env::LAYA_API_KEY,
    default: "typed-decisions",
};
const CLM: Own = Own {
    url: &env::CLM_URL,
    name: &env::CLM_MODEL,
    key: &env::CLM_API_KEY,
    default: "clm-latest",
};

/// How a server's answers are read, and how it is treated.
struct Manner {
    protocol: Box<dyn Protocol>,
    concurrency: usize,
    confidence: ConfidenceKind,
}

impl Given<'_> {
    /// `laya-served[:URL]`.
    pub(super) fn laya_served(self, laya: &LayaSpec) -> Result<Served, BuildError> {
        let max_len = match self.environment.get(&env::LAYA_SERVED_MAX_LEN) {
            Some(text) => Some(tokens(text)?),
            None => None,
        };
        let endpoint = self.named_or(laya.url.as_ref(), LAYA_SERVED.url, Endpoint::parse)?;
        self.own(&LAYA_SERVED, endpoint, manner(laya, max_len))
    }

    /// `laya-predict[:URL]`: a base, to which `/predict` is appended.
    pub(super) fn laya_predict(self, laya: &LayaSpec) -> Result<Served, BuildError> {
        let endpoint = self.named_or(laya.url.as_ref(), LAYA_PREDICT.url, |text| {
            Endpoint::parse(text).map(|endpoint| endpoint.ending("/predict"))
        })?;
        self.own(&LAYA_PREDICT, endpoint, manner(laya, None))
    }

    /// `clm[:URL]`.
    pub(super) fn clm(self, url: Option<&Url>) -> Result<Served, BuildError> {
        let endpoint = self.named_or(url, CLM.url, Endpoint::parse)?;
        let manner = Manner {
            protocol: limited(Clm, Limits::CLM),
            concurrency: CONCURRENCY,
            confidence: ConfidenceKind::AboveChance,
        };
        self.own(&CLM, endpoint, manner)
    }

    /// `cua-served:URL`: no variable is its own.
    pub(super) fn cua_served(self, url: &Url) -> Result<Served, BuildError> {
        let endpoint = self.endpoint(url)?;
        let key = self.key_of(&endpoint)?;
        let model = self.options.model_name.as_deref().unwrap_or(CUA_MODEL);
        self.connected(Parts {
            spec: self.spec.to_owned(),
            endpoint,
            protocol: limited(Cua, Limits::CUA),
            model: Some(model.to_owned()),
            key,
            concurrency: LOCAL_CONCURRENCY,
            price: None,
            confidence: Some(ConfidenceKind::Entropy),
        })
    }

    /// `openrouter:MODEL`: the model's own limits are known where it is Jev.
    pub(super) fn openrouter(self, asked: &OpenRouterSpec) -> Result<Served, BuildError> {
        let endpoint = match self.environment.get(&env::OPENROUTER_BASE_URL) {
            Some(text) => Endpoint::openrouter(text)
                .map_err(|problem| url_error(&env::OPENROUTER_BASE_URL, problem))?,
            None => Endpoint::parse(OPENROUTER_URL).expect("our own constant is an endpoint"),
        };
        let key = self.required(&env::OPENROUTER_API_KEY, &endpoint)?;
        let model = self.options.model_name.as_ref().unwrap_or(&asked.model);
        let protocol = OpenRouter::by(asked.providers.clone());
        let is_jev = model.trim_start_matches('~').starts_with("typesafe/jev");
        self.connected(Parts {
            spec: self.spec.to_owned(),
            price: price::known(&endpoint, Some(model)),
            endpoint,
            protocol: if is_jev {
                limited(protocol, Limits::JEV)
            } else {
                Box::new(protocol)
            },
            model: Some(model.clone()),
            key,
            concurrency: CONCURRENCY,
            confidence: None,
        })
    }

    /// `cloudflare:MODEL`: account and model are parts of the URL.
    pub(super) fn cloudflare(self, model: &str) -> Result<Served, BuildError> {
        let Some(account) = self.environment.get(&env::CLOUDFLARE_ACCOUNT_ID) else {
            let help = "set it to the account that is billed; it is a part of the URL";
            return Err(self.missing(&[&env::CLOUDFLARE_ACCOUNT_ID], help));
        };
        if !account
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        {
            return Err(BuildError::Url {
                variable: env::CLOUDFLARE_ACCOUNT_ID.name,
                problem: "expected letters, digits and `-`".to_owned(),
            });
        }
        let base = self
            .environment
            .get(&env::CLOUDFLARE_BASE_URL)
            .unwrap_or(CLOUDFLARE_URL);
        let model = self.options.model_name.as_deref().unwrap_or(model);
        let named = if model.starts_with('@') {
            model.to_owned()
        } else {
            format!("@cf/cloudflare/{model}")
        };
        let endpoint = Endpoint::parse(base)
            .map_err(|problem| url_error(&env::CLOUDFLARE_BASE_URL, problem))?
            .ending(&format!("/accounts/{account}/ai/run/{named}"));
        let key = self.required(&env::CLOUDFLARE_API_TOKEN, &endpoint)?;
        self.connected(Parts {
            spec: self.spec.to_owned(),
            endpoint,
            protocol: limited(Clef, Limits::CLEF),
            model: Some(named),
            key,
            concurrency: CONCURRENCY,
            price: None,
            confidence: None,
        })
    }

    /// A server that somebody runs, with its own variables.
    fn own(self, own: &Own, endpoint: Endpoint, manner: Manner) -> Result<Served, BuildError> {
        let name = self.options.model_name.as_deref();
        let name = name
            .or_else(|| self.environment.get(own.name))
            .unwrap_or(own.default);
        self.connected(Parts {
            spec: self.spec.to_owned(),
            key: self.own_key(own, &endpoint)?,
            endpoint,
            protocol: manner.protocol,
            model: Some(name.to_owned()),
            concurrency: manner.concurrency,
            price: None,
            confidence: Some(manner.confidence),
        })
    }

    /// The key that the user names, else the server's own, which goes to the host of its URL variable and, where none is set, to
    /// the one in the spec.
    fn own_key(self, own: &Own, endpoint: &Endpoint) -> Result<Option<Key>, BuildError> {
        let variable = self.environment.get(own.url);
        let home = variable.and_then(|text| Endpoint::parse(text).ok());
        match home {
            Some(home) if home.authority() != endpoint.authority() => self.named_key(endpoint),
            _ => self.key(own.key, endpoint),
        }
    }

    /// A key without which nobody answers, unless on this machine.
    fn required(
        self,
        variable: &'static Variable,
        endpoint: &Endpoint,
    ) -> Result<Option<Key>, BuildError> {
        match self.key(variable, endpoint)? {
            None if !endpoint.is_loopback() => Err(self.missing(
                &[variable],
                "set it, or name another variable with `--key-from`",
            )),
            key => Ok(key),
        }
    }

    /// The URL in the spec, else that in `variable`, read by `read`.
    fn named_or(
        self,
        url: Option<&Url>,
        variable: &'static Variable,
        read: impl Fn(&str) -> Result<Endpoint, UrlProblem>,
    ) -> Result<Endpoint, BuildError> {
        if let Some(url) = url {
            return read(url.as_str()).map_err(|problem| self.spec_error(problem));
        }
        let Some(text) = self.environment.get(variable) else {
            let help = "set it to the server's URL, or write the URL after the name and a colon";
            return Err(self.missing(&[variable], help));
        };
        read(text).map_err(|problem| url_error(variable, problem))
    }

    fn endpoint(self, url: &Url) -> Result<Endpoint, BuildError> {
        Endpoint::of(url.clone()).map_err(|problem| self.spec_error(problem))
    }

    fn spec_error(self, problem: UrlProblem) -> BuildError {
        BuildError::Spec {
            spec: self.spec.to_owned(),
            problem: problem.to_string(),
        }
    }
}

fn manner(laya: &LayaSpec, max_len: Option<u64>) -> Manner {
    let protocol = Laya::new(Settings {
        option_order: laya.option_order,
        max_len,
        ..Settings::default()
    });
    let limits = if laya.tournament {
        Limits::LAYA_TOURNAMENT
    } else {
        Limits::LAYA
    };
    Manner {
        protocol: limited(protocol, limits),
        concurrency: LOCAL_CONCURRENCY,
        confidence: ConfidenceKind::Entropy,
    }
}

fn limited(protocol: impl Protocol + 'static, limits: Limits) -> Box<dyn Protocol> {
    Box::new(Limited { protocol, limits })
}

/// A number of tokens as `LAYA_SERVED_MAX_LEN` has it.
fn tokens(text: &str) -> Result<u64, BuildError> {
    text.parse()
        .ok()
        .filter(|most| *most > 0)
        .ok_or_else(|| BuildError::Url {
            variable: env::LAYA_SERVED_MAX_LEN.name,
            problem: "expected a whole number of tokens over 0".to_owned(),
        })
}
