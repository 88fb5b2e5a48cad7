//! What stands after the name of a hosted model: a URL, a model, and settings after a question mark.

use flipside_core::foreign::Foreign;
use url::{Url, form_urlencoded};

use super::argument;
use super::spec::{Kind, Problem, expected};

/// `laya-served` or `laya-predict`: where, and how the order of options travels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LayaSpec {
    /// The server; the variable's without one.
    pub url: Option<Url>,
    /// Whether `option_order` carries the order of the options.
    pub option_order: bool,
    /// Whether the server decides long lists in groups.
    pub tournament: bool,
}

/// `openrouter:MODEL`: which model, and who may answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenRouterSpec {
    /// The model, such as `typesafe/jev-1.14`.
    pub model: String,
    /// The providers that may answer, the preferred one first; anybody without one.
    pub providers: Vec<String>,
}

pub(super) fn url(name: &str, argument: Option<&str>) -> Result<Url, Problem> {
    match argument::systemone(argument.unwrap_or_default()) {
        Ok(Kind::SystemOne(url)) => Ok(url),
        Err(problem) if Url::parse(argument.unwrap_or_default()).is_ok_and(|url| is_http(&url)) => {
            Err(problem)
        }
        _ => expected(format_args!(
            "a URL with http:// or https:// after `{name}:`, such as `{name}:http://127.0.0.1:8000/v1/systemone`"
        )),
    }
}

pub(super) fn optional_url(name: &str, argument: Option<&str>) -> Result<Option<Url>, Problem> {
    argument.map(|text| url(name, Some(text))).transpose()
}

fn is_http(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && url.has_host()
}

/// A URL or nothing, then settings. A member that is none is refused, since a misspelt `order` would ask in another way unseen.
pub(super) fn laya(name: &str, argument: Option<&str>) -> Result<LayaSpec, Problem> {
    let mut spec = LayaSpec::default();
    let Some(argument) = argument else {
        return Ok(spec);
    };
    let (text, query) = argument.split_once('?').unwrap_or((argument, ""));
    for (setting, value) in form_urlencoded::parse(query.as_bytes()) {
        match (&*setting, &*value) {
            ("order", "option_order") => spec.option_order = true,
            ("order", "keys") => spec.option_order = false,
            ("order", _) => return expected("`?order=option_order` or `?order=keys`"),
            ("tournament", "on") => spec.tournament = true,
            ("tournament", "off") => spec.tournament = false,
            ("tournament", _) => return expected("`?tournament=on` or `?tournament=off`"),
            _ => {
                return expected(format_args!(
                    "`?order=option_order` or `?tournament=on` after `{name}`, found `{}`",
                    Foreign(&setting).cut(40)
                ));
            }
        }
    }
    if text.is_empty() {
        return if query.is_empty() {
            url(name, None).map(|_| spec)
        } else {
            Ok(spec)
        };
    }
    spec.url = Some(url(name, Some(text))?);
    Ok(spec)
}

pub(super) fn openrouter(argument: &str) -> Result<Kind, Problem> {
    const FORM: &str = "a model after `openrouter:`, such as `openrouter:typesafe/jev-1.14`";
    let (model, query) = argument.split_once('?').unwrap_or((argument, ""));
    if model.is_empty() || model.contains(char::is_whitespace) {
        return expected(FORM);
    }
    let mut providers = Vec::new();
    for (setting, value) in form_urlencoded::parse(query.as_bytes()) {
        let names = value.split(',').map(|name| name.trim().to_owned());
        if setting != "provider" {
            return expected("`?provider=NAME` or `?provider=NAME,NAME` after the model");
        }
        providers.extend(names);
    }
    if providers.iter().any(String::is_empty) || argument.ends_with('?') {
        return expected("names of providers, such as `?provider=TypeSafe`");
    }
    Ok(Kind::OpenRouter(OpenRouterSpec {
        model: model.to_owned(),
        providers,
    }))
}

pub(super) fn cloudflare(argument: &str) -> Result<Kind, Problem> {
    let plain = |text: &str| {
        let fits = |c: char| c.is_ascii_alphanumeric() || "-_./@".contains(c);
        !text.is_empty() && text.chars().all(fits) && !text.split('/').any(|part| part == "..")
    };
    if plain(argument) {
        Ok(Kind::Cloudflare(argument.to_owned()))
    } else {
        expected(
            "a model after `cloudflare:`, such as `cloudflare:clef` or `cloudflare:@cf/cloudflare/clef-flash`",
        )
    }
}
