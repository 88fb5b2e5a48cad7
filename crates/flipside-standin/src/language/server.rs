//! The servers: who they are and where they listen.

use std::fmt::Write as _;

use super::setting::Traits;
use crate::reply::Reply;
use crate::route::Route;

/// A server of a language model. Texts for [`FromStr`](std::str::FromStr) of [`Dialect`](crate::Dialect) stand behind each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Language {
    /// `chat`: `POST /v1/chat/completions` as OpenAI has it; at most 20 alternatives, more are refused with 400.
    Chat,
    /// `completions`: `POST /v1/completions` as vLLM has it, one prompt or several, with `echo`; its chat route too.
    Completions,
    /// `llamacpp`: `POST /completion` of llama.cpp's server, any number of alternatives; its chat route too.
    Llamacpp,
    /// `ollama`: `POST /api/chat` and `/api/generate`, at most 20 alternatives; its chat route in OpenAI's shape too.
    Ollama,
    /// `no-logprobs`: `chat` that ignores `logprobs`.
    NoLogprobs,
    /// `top5`: `chat` that cuts the list of alternatives at 5 and does not say so.
    Top5,
}

/// The shape of a request and its reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Chat,
    Completions,
    Llamacpp,
    OllamaChat,
    OllamaGenerate,
}

impl Form {
    pub(super) fn of(path: &str) -> Self {
        match path.split('?').next().unwrap_or_default() {
            "/v1/completions" => Self::Completions,
            "/completion" => Self::Llamacpp,
            "/api/chat" => Self::OllamaChat,
            "/api/generate" => Self::OllamaGenerate,
            _ => Self::Chat,
        }
    }
}

const CHAT: &str = "/v1/chat/completions";

impl Language {
    /// The path of the endpoint that tests ask by default.
    pub(crate) fn path(self) -> &'static str {
        match self {
            Self::Chat | Self::NoLogprobs | Self::Top5 => CHAT,
            Self::Completions => "/v1/completions",
            Self::Llamacpp => "/completion",
            Self::Ollama => "/api/chat",
        }
    }

    pub(crate) fn route(self, method: &[u8], path: &[u8]) -> Route {
        let path = std::str::from_utf8(path).unwrap_or_default();
        let (route, expected) = match (self, path) {
            _ if path == self.path() || path == CHAT => (Route::Decision, "POST"),
            (Self::Ollama, "/api/generate") => (Route::Decision, "POST"),
            (Self::Ollama, "/api/show") => (Route::Models, "POST"),
            (_, "/v1/models")
            | (Self::Completions, "/version")
            | (Self::Llamacpp, "/props")
            | (Self::Ollama, "/api/tags" | "/api/version") => (Route::Models, "GET"),
            (Self::Completions | Self::Llamacpp, "/health") => (Route::Health, "GET"),
            _ => return Route::Nowhere,
        };
        if method == expected.as_bytes() {
            route
        } else {
            Route::WrongMethod
        }
    }

    /// The server's own headers.
    pub(crate) fn fields(self, number: u64, reply: &mut Reply) {
        if !matches!(self, Self::Llamacpp | Self::Ollama) {
            reply.field("x-request-id", format_args!("req-{number}"));
        }
    }

    /// How the server is before any setting.
    pub(super) fn traits(self) -> Traits {
        let usual = Traits::default();
        match self {
            Self::Chat | Self::Completions | Self::Ollama => usual,
            Self::Llamacpp => Traits { top: None, ..usual },
            Self::NoLogprobs => Traits {
                logprobs: false,
                ..usual
            },
            Self::Top5 => Traits {
                silent_top: Some(5),
                ..usual
            },
        }
    }

    /// Why more alternatives than `most` are refused, in the server's words.
    pub(super) fn too_many(self, asked: usize, most: usize) -> String {
        let mut text = String::new();
        let written = match self {
            Self::Completions => write!(
                text,
                "Requested sample logprobs of {asked}, which is greater than max allowed: {most}"
            ),
            Self::Ollama => write!(text, "top_logprobs must be between 0 and {most}"),
            _ => write!(
                text,
                "Invalid value for 'top_logprobs': must be less than or equal to {most}."
            ),
        };
        written.expect("a string takes every text");
        text
    }
}
