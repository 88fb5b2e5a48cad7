//! The client: sends exact bytes once, and reads at most 8 MiB.

use std::io::Read;
use std::sync::OnceLock;

use flate2::read::MultiGzDecoder;
use flipside_core::foreign::Foreign;
use flipside_core::model::{Failure, Reply};
use jiff::Timestamp;
use reqwest::header::{
    ACCEPT, AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue,
};
use reqwest::redirect::Policy;
use reqwest::{Method, NoProxy, Proxy, Request, Response, StatusCode, Url};

use super::endpoint::Endpoint;
use super::key::{Key, without};
use super::{compression, failure, header};
use crate::env::{self, Environment};
use crate::wire::message;

/// The most bytes of a reply that are read, before and after decompression.
const MOST_BYTES: usize = 8 << 20;
/// How the failure of a longer reply begins.
pub(crate) const TOO_LONG: &str = "the reply is longer than";
/// What `User-Agent` says.
const AGENT: &str = concat!("flipside/", env!("CARGO_PKG_VERSION"));

/// Proxies as the environment names them.
#[derive(Clone, Default)]
pub(crate) struct Proxies {
    address: Option<String>,
    except: Option<String>,
}

/// One endpoint, its key, and the connections to it. Nothing connects, and no certificate is loaded, before the first
/// request.
#[derive(Debug)]
pub(crate) struct Client {
    endpoint: Endpoint,
    key: Option<Key>,
    proxies: Proxies,
    headers: HeaderMap,
    compress: bool,
    connections: OnceLock<Result<reqwest::Client, String>>,
}

impl std::fmt::Debug for Proxies {
    /// A proxy's address may hold a password.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Proxies({})",
            if self.address.is_some() {
                "set"
            } else {
                "none"
            }
        )
    }
}

impl Proxies {
    /// The proxy for `endpoint`; loopback is never proxied.
    pub(crate) fn read(environment: &Environment, endpoint: &Endpoint) -> Self {
        if endpoint.is_loopback() {
            return Self::default();
        }
        let variable = if endpoint.is_encrypted() {
            &env::HTTPS_PROXY
        } else {
            &env::HTTP_PROXY
        };
        let text = |variable| environment.get(variable).map(str::to_owned);
        Self {
            address: text(variable),
            except: text(&env::NO_PROXY),
        }
    }
}

impl Client {
    pub(crate) fn new(endpoint: Endpoint, key: Option<Key>, proxies: Proxies) -> Self {
        let json = HeaderValue::from_static("application/json");
        let mut headers = HeaderMap::from_iter([(ACCEPT, json.clone()), (CONTENT_TYPE, json)]);
        if let Some(key) = &key {
            headers.insert(AUTHORIZATION, key.authorization());
        }
        Self {
            endpoint,
            key,
            proxies,
            headers,
            compress: false,
            connections: OnceLock::new(),
        }
    }

    /// Whether bodies of [`compression::LEAST`] bytes or more go out as zstd.
    pub(crate) fn compress(&mut self, on: bool) {
        self.compress = on;
    }

    /// Where requests go.
    pub(crate) fn url(&self) -> &Url {
        self.endpoint.url()
    }

    /// Sends `bytes` once.
    pub(crate) async fn post(&self, bytes: &[u8]) -> Result<Reply, Failure> {
        self.post_to(self.endpoint.url().clone(), bytes).await
    }

    /// Sends `bytes` once to `url`, which is at the host of the endpoint: the key goes there too.
    pub(crate) async fn post_to(&self, url: Url, bytes: &[u8]) -> Result<Reply, Failure> {
        debug_assert_eq!(url.authority(), self.endpoint.authority());
        let mut request = Request::new(Method::POST, url);
        *request.headers_mut() = self.headers.clone();
        let compressed = self.compress && bytes.len() >= compression::LEAST;
        let body = if compressed {
            let zstd = HeaderValue::from_static("zstd");
            request.headers_mut().insert(CONTENT_ENCODING, zstd);
            compression::zstd(bytes)
        } else {
            bytes.to_vec()
        };
        *request.body_mut() = Some(body.into());
        let mut received = self.execute(request).await;
        if let Err(Failure::Status {
            status: 415,
            message,
            ..
        }) = &mut received
            && compressed
        {
            message.push_str(" (the request was compressed; leave out `--compress`)");
        }
        received
    }

    /// Asks once for what lies at `url`, which is at the host of the endpoint: the key goes there too.
    pub(crate) async fn get(&self, url: Url) -> Result<Reply, Failure> {
        debug_assert_eq!(url.authority(), self.endpoint.authority());
        let mut request = Request::new(Method::GET, url);
        *request.headers_mut() = self.headers.clone();
        self.execute(request).await
    }

    async fn execute(&self, request: Request) -> Result<Reply, Failure> {
        let client = self
            .connections
            .get_or_init(|| connectable(&self.endpoint, &self.proxies));
        let client = match client {
            Ok(client) => client,
            Err(message) => {
                return Err(Failure::Connect {
                    message: message.clone(),
                });
            }
        };
        let response = client
            .execute(request)
            .await
            .map_err(|error| failure::of(&error, &self.endpoint))?;
        let (status, headers) = (response.status(), response.headers().clone());
        let body = self.body(response, status).await;
        if !status.is_success() {
            // What can be read of an error's body is enough.
            return Err(self.status(status, &headers, &body.unwrap_or_default()));
        }
        Ok(Reply {
            body: self.redacted(body?),
            request_id: header::request_id(&headers).map(|id| self.redacted(id.to_owned())),
            server_ms: header::server_ms(&headers),
            cost_usd_picos: header::cost_usd_picos(&headers),
        })
    }

    async fn body(&self, mut response: Response, status: StatusCode) -> Result<String, Failure> {
        let encoding =
            header::text(response.headers(), "content-encoding").map(str::to_ascii_lowercase);
        let expected =
            usize::try_from(response.content_length().unwrap_or(0)).unwrap_or(usize::MAX);
        if expected > MOST_BYTES {
            return Err(too_long(status));
        }
        let mut bytes = Vec::with_capacity(expected);
        while let Some(chunk) = response
            .chunk()
            .await
            .map_err(|error| failure::of(&error, &self.endpoint))?
        {
            if bytes.len() + chunk.len() > MOST_BYTES {
                return Err(too_long(status));
            }
            bytes.extend_from_slice(&chunk);
        }
        let bytes = match encoding.as_deref() {
            None | Some("" | "identity") => bytes,
            Some("gzip" | "x-gzip") => self.unzipped(&bytes, status)?,
            Some(other) => {
                let message = format!(
                    "the reply is compressed with `{}`, which nobody asked for",
                    Foreign(other).cut(20)
                );
                return Err(unreadable(status, message));
            }
        };
        Ok(String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
    }

    fn unzipped(&self, bytes: &[u8], status: StatusCode) -> Result<Vec<u8>, Failure> {
        let mut plain = Vec::new();
        let mut limited = MultiGzDecoder::new(bytes).take(MOST_BYTES as u64 + 1);
        match limited.read_to_end(&mut plain) {
            Ok(_) if plain.len() > MOST_BYTES => Err(too_long(status)),
            Ok(_) => Ok(plain),
            Err(_) => {
                let host = self.endpoint.authority();
                Err(Failure::Broken {
                    message: format!("`{host}` sent a gzip reply that cannot be unpacked"),
                })
            }
        }
    }

    fn status(&self, status: StatusCode, headers: &HeaderMap, body: &str) -> Failure {
        let message = if status.is_redirection() {
            self.redacted(self.redirect(headers))
        } else {
            self.redacted(message::of_body(&self.redacted(body.to_owned())))
        };
        Failure::Status {
            status: status.as_u16(),
            message,
            retry_after: header::retry_after(headers, Timestamp::now()),
            should_retry: header::should_retry(headers),
        }
    }

    /// A redirect is not followed: it would take the request, or the key, to another place than the one that was named.
    fn redirect(&self, headers: &HeaderMap) -> String {
        let target =
            header::text(headers, "location").and_then(|to| self.endpoint.url().join(to).ok());
        match target {
            Some(url) if url.authority() == self.endpoint.authority() => {
                format!(
                    "a redirect to `{}`, which is not followed; name that address if it is the one to ask",
                    Foreign(url.path()).cut(80)
                )
            }
            Some(url) if url.has_host() => {
                format!(
                    "a redirect to the host `{}`, which is not followed; name that address if it is the one to ask",
                    Foreign(url.host_str().unwrap_or_default())
                )
            }
            _ => "a redirect, which is not followed".to_owned(),
        }
    }

    /// `text` without the key, and without the secrets in the endpoint's query.
    fn redacted(&self, text: String) -> String {
        let text = match &self.key {
            Some(key) => key.redacted(&text).into_owned(),
            None => text,
        };
        let secrets = self.endpoint.secrets();
        secrets.fold(text, |text, secret| without(&text, &secret).into_owned())
    }
}

fn connectable(endpoint: &Endpoint, proxies: &Proxies) -> Result<reqwest::Client, String> {
    let mut builder = reqwest::Client::builder()
        .user_agent(AGENT)
        .redirect(Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        .tcp_nodelay(true)
        .no_proxy();
    if let Some(address) = &proxies.address {
        let proxy =
            Proxy::all(address.as_str()).map_err(|_| "the proxy's address is no URL".to_owned())?;
        let except = proxies.except.as_deref().and_then(NoProxy::from_string);
        builder = builder.proxy(proxy.no_proxy(except));
    }
    if !endpoint.is_encrypted() {
        // Nothing is encrypted, so no root certificate needs to be loaded.
        builder = builder.tls_certs_only([]);
    }
    builder
        .build()
        .map_err(|error| format!("no client for `{}`: {error}", endpoint.authority()))
}

fn too_long(status: StatusCode) -> Failure {
    unreadable(status, format!("{TOO_LONG} {} MiB", MOST_BYTES >> 20))
}

/// A reply that came whole and would come the same again.
fn unreadable(status: StatusCode, message: String) -> Failure {
    Failure::Status {
        status: status.as_u16(),
        message,
        retry_after: None,
        should_retry: Some(false),
    }
}
