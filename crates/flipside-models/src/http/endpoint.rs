//! Where requests go.

use url::{Host, Url};

/// A full `http` or `https` URL without credentials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Endpoint(Url);

/// Why a text is no endpoint. The text itself is never repeated: it may hold a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum UrlProblem {
    #[error("expected a URL with http:// or https://")]
    Form,
    #[error("expected a URL without user name and password; a key comes from its own variable")]
    Credentials,
}

/// TypeSafe's host.
pub(crate) const TYPESAFE: &str = "api.typesafe.ai";
/// OpenRouter's host.
pub(crate) const OPENROUTER: &str = "openrouter.ai";
/// `OpenAI`'s host.
pub(crate) const OPENAI: &str = "api.openai.com";

impl Endpoint {
    /// The endpoint at `text`, as it is.
    pub(crate) fn parse(text: &str) -> Result<Self, UrlProblem> {
        Self::of(Url::parse(text.trim()).map_err(|_| UrlProblem::Form)?)
    }

    /// The endpoint at `url`, as it is.
    pub(crate) fn of(url: Url) -> Result<Self, UrlProblem> {
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(UrlProblem::Form);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(UrlProblem::Credentials);
        }
        Ok(Self(url))
    }

    /// The endpoint that `TYPESAFE_API_URL` means: a path that ends in `/systemone` or `/decisions` is complete, an
    /// origin or a path that ends in `/v1` gets the rest, any other path stays.
    pub(crate) fn completed(text: &str) -> Result<Self, UrlProblem> {
        let mut endpoint = Self::parse(text)?;
        let path = endpoint.0.path().trim_end_matches('/').to_owned();
        if path.is_empty() {
            let rest = if endpoint.is_at(OPENROUTER) {
                "/api/alpha/decisions"
            } else {
                "/v1/systemone"
            };
            endpoint.0.set_path(rest);
        } else if path.ends_with("/v1") {
            endpoint.0.set_path(&(path + "/systemone"));
        }
        Ok(endpoint)
    }

    /// The endpoint below the base that `TYPESAFE_BASE_URL` means, as TypeSafe's SDK appends it.
    pub(crate) fn below(text: &str) -> Result<Self, UrlProblem> {
        let mut endpoint = Self::completed(text)?;
        let path = endpoint.0.path().trim_end_matches('/').to_owned();
        if !path.ends_with("/systemone") && !path.ends_with("/decisions") {
            endpoint.0.set_path(&(path + "/v1/systemone"));
        }
        Ok(endpoint)
    }

    /// The endpoint that `OPENROUTER_BASE_URL` means: a path that ends in `/decisions` is complete, that of another API of
    /// OpenRouter (`/api/v1`) or none gets the one of decisions, and any other path gets `/decisions` appended.
    pub(crate) fn openrouter(text: &str) -> Result<Self, UrlProblem> {
        let mut endpoint = Self::parse(text)?;
        let path = endpoint.0.path().trim_end_matches('/').to_owned();
        let path = match path
            .strip_suffix("/api/v1")
            .or_else(|| path.strip_suffix("/api"))
        {
            _ if path.ends_with("/decisions") => path,
            Some(before) => format!("{before}/api/alpha/decisions"),
            None if path.is_empty() => "/api/alpha/decisions".to_owned(),
            None => path + "/decisions",
        };
        endpoint.0.set_path(&path);
        Ok(endpoint)
    }

    /// The same, with `rest` appended to a path that does not end so.
    #[must_use]
    pub(crate) fn ending(mut self, rest: &str) -> Self {
        let path = self.0.path().trim_end_matches('/').to_owned();
        if !path.ends_with(rest) {
            self.0.set_path(&(path + rest));
        }
        self
    }

    /// The whole URL.
    pub(crate) fn url(&self) -> &Url {
        &self.0
    }

    /// Scheme, host, port and path; a query may hold a secret and is left out.
    pub(crate) fn shown(&self) -> String {
        let mut url = self.0.clone();
        url.set_query(None);
        url.set_fragment(None);
        url.to_string()
    }

    /// The values in its query that are secrets by their names, such as that of `api_key` or of `sig`.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = String> {
        const NAMES: [&str; 7] = ["key", "token", "secret", "sig", "auth", "pass", "cred"];
        let secret = |name: &str| {
            let name = name.to_ascii_lowercase();
            NAMES.iter().any(|part| name.contains(part))
        };
        let pairs = self.0.query_pairs();
        pairs.filter_map(move |(name, value)| secret(&name).then(|| value.into_owned()))
    }

    /// Host, and port where it is not the scheme's own.
    pub(crate) fn authority(&self) -> &str {
        self.0.authority()
    }

    /// Whether the host is exactly `host`.
    pub(crate) fn is_at(&self, host: &str) -> bool {
        self.0
            .host_str()
            .is_some_and(|found| found.trim_end_matches('.') == host)
    }

    /// Whether the host is one below `domain`, which starts with a dot.
    pub(crate) fn is_below(&self, domain: &str) -> bool {
        let host = self.0.host_str().map(|host| host.trim_end_matches('.'));
        host.is_some_and(|host| host.len() > domain.len() && host.ends_with(domain))
    }

    /// Whether the connection is encrypted.
    pub(crate) fn is_encrypted(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// Whether the host is this machine.
    pub(crate) fn is_loopback(&self) -> bool {
        match self.0.host() {
            Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => {
                address.is_loopback() || address.to_ipv4_mapped().is_some_and(|v4| v4.is_loopback())
            }
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_or_base_is_completed_and_an_endpoint_stays() {
        for (given, completed) in [
            (
                "https://api.typesafe.ai",
                "https://api.typesafe.ai/v1/systemone",
            ),
            ("https://h:8443/v1/", "https://h:8443/v1/systemone"),
            ("https://h/typesafe/v1", "https://h/typesafe/v1/systemone"),
            (
                "https://openrouter.ai",
                "https://openrouter.ai/api/alpha/decisions",
            ),
            (
                "https://h/api/alpha/decisions",
                "https://h/api/alpha/decisions",
            ),
            ("https://h/systemone", "https://h/systemone"),
            ("https://h/other", "https://h/other"),
        ] {
            assert_eq!(Endpoint::completed(given).unwrap().shown(), completed);
        }
        assert_eq!(
            Endpoint::below("https://h/typesafe").unwrap().shown(),
            "https://h/typesafe/v1/systemone"
        );
        assert_eq!(
            Endpoint::below("https://h").unwrap().shown(),
            "https://h/v1/systemone"
        );
    }

    #[test]
    fn a_base_of_openrouter_leads_to_its_decisions() {
        for (given, completed) in [
            (
                "https://openrouter.ai",
                "https://openrouter.ai/api/alpha/decisions",
            ),
            (
                "https://openrouter.ai/api/v1",
                "https://openrouter.ai/api/alpha/decisions",
            ),
            (
                "https://gw.example/or/api/",
                "https://gw.example/or/api/alpha/decisions",
            ),
            (
                "https://gw.example/api/alpha",
                "https://gw.example/api/alpha/decisions",
            ),
            (
                "https://gw.example/v1/decisions",
                "https://gw.example/v1/decisions",
            ),
        ] {
            assert_eq!(Endpoint::openrouter(given).unwrap().shown(), completed);
        }
        let base = Endpoint::parse("http://h:1/x/").unwrap().ending("/predict");
        assert_eq!(base.shown(), "http://h:1/x/predict");
        assert_eq!(base.clone().ending("/predict"), base);
    }

    #[test]
    fn loopback_is_told_from_names_that_look_like_it() {
        for here in [
            "http://localhost/",
            "http://127.0.0.2:1/",
            "http://[::1]/",
            "http://[::ffff:127.0.0.1]/",
            "http://a.localhost/",
        ] {
            assert!(Endpoint::parse(here).unwrap().is_loopback(), "{here}");
        }
        for there in [
            "http://localhost.example/",
            "http://127.0.0.1.example/",
            "http://10.0.0.1/",
            "http://0.0.0.0/",
        ] {
            assert!(!Endpoint::parse(there).unwrap().is_loopback(), "{there}");
        }
    }

    #[test]
    fn credentials_are_refused_and_a_query_is_not_shown() {
        assert_eq!(
            Endpoint::parse("https://a:b@h/"),
            Err(UrlProblem::Credentials)
        );
        assert_eq!(Endpoint::parse("ftp://h/"), Err(UrlProblem::Form));
        assert_eq!(
            Endpoint::parse("https://h/v1?token=t").unwrap().shown(),
            "https://h/v1"
        );
        let endpoint = Endpoint::parse("https://h/?v=1&API_Key=a%2Fb&Signature=c&model=m").unwrap();
        let secrets: Vec<String> = endpoint.secrets().collect();
        assert_eq!(secrets, ["a/b", "c"]);
    }
}
