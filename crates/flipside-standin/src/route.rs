//! Requests whole: where they go and what their bodies say.

use std::borrow::Cow;
use std::io::Read;

use crate::dialect::{Dialect, Wrong};
use crate::head::{Encoding, Head};
use crate::language;
use crate::listed;
use crate::request::{self, Problem};

const MAX_DECODED: u64 = 32 * 1024 * 1024;

/// A request, whole.
pub(crate) struct Call<'a> {
    /// Head and whatever follows it.
    pub(crate) bytes: &'a [u8],
    pub(crate) head: &'a Head,
    pub(crate) body: &'a [u8],
}

/// Where a request goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    Decision,
    Batch,
    Rank,
    /// Kev's question in many orders.
    Permute,
    Models,
    Health,
    WrongMethod,
    Nowhere,
}

impl Route {
    pub(crate) fn of(dialect: Dialect, method: &[u8], path: &[u8]) -> Self {
        let path = path.split(|byte| *byte == b'?').next().unwrap_or_default();
        if let Dialect::Language(server) = dialect {
            return server.route(method, path);
        }
        let (route, expected): (Self, &[u8]) = match (dialect, path) {
            _ if path == dialect.path().as_bytes() => (Self::Decision, b"POST"),
            (Dialect::Laya | Dialect::ProblemJson, b"/v1/systemone/batch")
            | (Dialect::Predict, b"/predict/batch") => (Self::Batch, b"POST"),
            (Dialect::JevCompatible, b"/systemone") => (Self::Decision, b"POST"),
            (Dialect::Clm, b"/v1/rank") => (Self::Rank, b"POST"),
            (Dialect::Kev, b"/v1/systemone/permute") => (Self::Permute, b"POST"),
            (
                Dialect::Typesafe
                | Dialect::LayaPkg
                | Dialect::Clm
                | Dialect::Kev
                | Dialect::OpenaiDecisions,
                b"/v1/models",
            )
            | (Dialect::Agentjev, b"/api/info")
            | (Dialect::Openrouter, b"/api/v1/models")
            | (Dialect::Vercel, b"/typesafe/v1/models")
            | (Dialect::Predict, b"/models") => (Self::Models, b"GET"),
            (
                Dialect::Laya
                | Dialect::Predict
                | Dialect::Clm
                | Dialect::ProblemJson
                | Dialect::Cua
                | Dialect::JevCompatible
                | Dialect::Agentjev,
                b"/health",
            )
            | (Dialect::LayaPkg, b"/healthz")
            | (Dialect::ProblemJson, b"/livez" | b"/readyz") => (Self::Health, b"GET"),
            _ => return Self::Nowhere,
        };
        if method == expected {
            route
        } else {
            Self::WrongMethod
        }
    }

    /// Whether the request is one that the model decides on: counted, and subject to faults.
    pub(crate) fn is_decision(self) -> bool {
        matches!(
            self,
            Self::Decision | Self::Batch | Self::Rank | Self::Permute
        )
    }
}

impl<'a> Call<'a> {
    pub(crate) fn method(&self) -> &'a [u8] {
        &self.bytes[self.head.method.clone()]
    }

    pub(crate) fn path(&self) -> &'a [u8] {
        &self.bytes[self.head.path.clone()]
    }

    /// The `Authorization` header's value.
    pub(crate) fn credentials(&self) -> Option<&'a str> {
        let range = self.head.authorization.clone()?;
        std::str::from_utf8(&self.bytes[range]).ok()
    }

    /// The option keys received, if the body can be read at all.
    pub(crate) fn keys(&self, dialect: Dialect) -> Vec<String> {
        let text = self.text(dialect).ok();
        text.map_or_else(Vec::new, |text| match dialect {
            Dialect::Language(_) => language::listed(&text)
                .into_iter()
                .map(|(_, key)| key)
                .collect(),
            _ if dialect.is_listed() => listed::keys(dialect, &text),
            _ => request::keys(&text, dialect),
        })
    }

    /// The letters that stand before the options of a prompt.
    pub(crate) fn letters(&self, dialect: Dialect) -> Vec<String> {
        let Dialect::Language(_) = dialect else {
            return Vec::new();
        };
        let text = self.text(dialect).unwrap_or_default();
        let listed = language::listed(&text).into_iter();
        listed.map(|(letter, _)| letter).collect()
    }

    /// The body, decoded.
    pub(crate) fn text(&self, dialect: Dialect) -> Result<Cow<'a, str>, Problem> {
        let not_text = || Problem::new(Wrong::NotJson, &["body"], "not UTF-8");
        let too_large = || Problem::new(Wrong::TooLarge, &["body"], "the body is too large");
        let body = match self.head.encoding {
            Encoding::Identity => Cow::Borrowed(self.body),
            Encoding::Zstd if dialect == Dialect::Typesafe => {
                let broken = || Problem::new(Wrong::NotJson, &["body"], "not a zstd stream");
                let decoder =
                    ruzstd::decoding::StreamingDecoder::new(self.body).map_err(|_| broken())?;
                let mut body = Vec::new();
                decoder
                    .take(MAX_DECODED + 1)
                    .read_to_end(&mut body)
                    .map_err(|_| broken())?;
                Cow::Owned(body)
            }
            Encoding::Zstd | Encoding::Other => {
                let message = "this content encoding is not supported";
                return Err(Problem::new(Wrong::Encoding, &["body"], message));
            }
        };
        if body.len() > dialect.limits().body_bytes {
            return Err(too_large());
        }
        match body {
            Cow::Borrowed(body) => std::str::from_utf8(body)
                .map(Cow::Borrowed)
                .map_err(|_| not_text()),
            Cow::Owned(body) => String::from_utf8(body)
                .map(Cow::Owned)
                .map_err(|_| not_text()),
        }
    }
}
