//! The dialects: who they are, where they listen, what they refuse.

use std::str::FromStr;

use crate::language::Language;
use crate::policy::ParseError;

/// The protocol that the server speaks: a dialect of System One, or that of a language model's server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Dialect {
    /// `typesafe`: the reference, `POST /v1/systemone`. Missing key 403, wrong key 401; decodes zstd bodies.
    #[default]
    Typesafe,
    /// `openrouter`: `POST /api/alpha/decisions`; adds `id`, `provider`, `usage.cost`; errors nested in `error`.
    Openrouter,
    /// `vercel`: `POST /typesafe/v1/systemone`; errors as top-level `message` and `error_type`.
    Vercel,
    /// `laya`: the module `laya.serve`, with all its limits and its own fields, rounded to 4 decimals.
    Laya,
    /// `laya-pkg`: the package `laya-serve`: unknown fields and unknown models are refused with 422.
    LayaPkg,
    /// `problem-json`: Laya's fields, errors as RFC 9457 `application/problem+json`.
    ProblemJson,
    /// `predict`: Laya's example server, `POST /predict`.
    Predict,
    /// `clm`: `clm-serve`: unrounded, `billing_units`, described options hide their keys; `POST /v1/rank` too.
    Clm,
    /// `cua`: the Cua-S1 worker: choices of at most 26 options and nothing else, 400 for a key given twice anywhere.
    Cua,
    /// `ollama-s1`: Ollama's System One: at most 26 options, errors as `{"error":"text"}`.
    OllamaS1,
    /// `kev`: kev's server: `latency_ms`, 8,192 tokens, and `POST /v1/systemone/permute`, which asks one question in many orders.
    Kev,
    /// `runware`: a System One body at `POST /v1/decisions`.
    Runware,
    /// `cloudflare`: Clef in its envelope, at the path that names account and model; 1 to 64 questions with plain names.
    Cloudflare,
    /// `jev-compatible`: the package `jev-compatible-server`: unknown fields are refused, a statement needs both sides described,
    /// legends are lists, and `unsupported` says why.
    JevCompatible,
    /// `openai-decisions`: `POST /v1/decisions` with arrays: typed values, refusals per question, limits of its own.
    OpenaiDecisions,
    /// `agentjev`: the `AgentJev` service, `POST /api/evaluate`; its model sees neither keys nor the order of a state's keys.
    Agentjev,
    /// `chat`, `completions`, `llamacpp`, `ollama`, `no-logprobs`, `top5`: a language model that reads options in a prompt.
    Language(Language),
}

/// Every dialect with its text.
pub(crate) const DIALECTS: &[(&str, Dialect)] = &[
    ("typesafe", Dialect::Typesafe),
    ("openrouter", Dialect::Openrouter),
    ("vercel", Dialect::Vercel),
    ("laya", Dialect::Laya),
    ("laya-pkg", Dialect::LayaPkg),
    ("problem-json", Dialect::ProblemJson),
    ("predict", Dialect::Predict),
    ("clm", Dialect::Clm),
    ("cua", Dialect::Cua),
    ("ollama-s1", Dialect::OllamaS1),
    ("kev", Dialect::Kev),
    ("runware", Dialect::Runware),
    ("cloudflare", Dialect::Cloudflare),
    ("jev-compatible", Dialect::JevCompatible),
    ("openai-decisions", Dialect::OpenaiDecisions),
    ("agentjev", Dialect::Agentjev),
    ("chat", Dialect::Language(Language::Chat)),
    ("completions", Dialect::Language(Language::Completions)),
    ("llamacpp", Dialect::Language(Language::Llamacpp)),
    ("ollama", Dialect::Language(Language::Ollama)),
    ("no-logprobs", Dialect::Language(Language::NoLogprobs)),
    ("top5", Dialect::Language(Language::Top5)),
];

impl FromStr for Dialect {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let found = DIALECTS.iter().find(|(name, _)| *name == text);
        found.map(|(_, dialect)| *dialect).ok_or_else(|| {
            let names: Vec<String> = DIALECTS
                .iter()
                .map(|(name, _)| format!("`{name}`"))
                .collect();
            ParseError(format!(
                "dialect `{text}`: expected one of {}",
                names.join(", ")
            ))
        })
    }
}

/// What a request may hold.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) body_bytes: usize,
    pub(crate) questions: usize,
    pub(crate) least_options: usize,
    pub(crate) options: usize,
    pub(crate) all_options: usize,
    pub(crate) levels: (usize, usize),
    pub(crate) state_chars: usize,
    /// Estimated at four bytes a token.
    pub(crate) body_tokens: usize,
}

/// How a level of wrongness is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrong {
    NotJson,
    /// The envelope: no questions, no state.
    Envelope,
    /// One question is not as it should be.
    Question,
    /// More than the limits allow.
    TooMuch,
    /// More questions than the limits allow.
    TooManyQuestions,
    /// A longer state than the limits allow.
    StateTooLong,
    /// More tokens than the model can read.
    TooManyTokens,
    /// More bytes than the server reads.
    TooLarge,
    UnknownModel,
    /// The policy does not fit the question.
    Policy,
    NoKey,
    StrangeKey,
    NoSuchPath,
    Method,
    Encoding,
    Busy,
}

const UNLIMITED: usize = usize::MAX;
const MIB: usize = 1024 * 1024;

impl Dialect {
    /// The path of the decision endpoint.
    pub(crate) fn path(self) -> &'static str {
        match self {
            Self::Typesafe
            | Self::Laya
            | Self::LayaPkg
            | Self::ProblemJson
            | Self::Clm
            | Self::Cua
            | Self::OllamaS1
            | Self::Kev
            | Self::JevCompatible => "/v1/systemone",
            Self::Runware | Self::OpenaiDecisions => "/v1/decisions",
            Self::Cloudflare => "/client/v4/accounts/standin/ai/run/@cf/cloudflare/clef",
            Self::Agentjev => "/api/evaluate",
            Self::Openrouter => "/api/alpha/decisions",
            Self::Vercel => "/typesafe/v1/systemone",
            Self::Predict => "/predict",
            Self::Language(server) => server.path(),
        }
    }

    /// The model's name as served, unless the builder says another.
    pub(crate) fn model(self) -> &'static str {
        match self {
            Self::Typesafe | Self::Vercel => "jev-1.14.0",
            Self::Openrouter => "typesafe/jev-1.14",
            Self::Laya | Self::Predict | Self::ProblemJson => "english",
            Self::LayaPkg => "laya-latest",
            Self::Clm => "clm-latest",
            Self::Cua => "cua-s1-4b-0.2",
            Self::OllamaS1 => "decider:latest",
            Self::Kev => "kev-1",
            Self::Runware => "typesafe:jev@1",
            Self::Cloudflare => "clef",
            Self::JevCompatible => "jev-compatible",
            Self::OpenaiDecisions => "gpt-6-luna",
            Self::Agentjev => "agentjev-0.6b",
            // The name that the request asks for.
            Self::Language(_) => "",
        }
    }

    /// Whether answers carry Laya's own fields.
    pub(crate) fn is_laya(self) -> bool {
        matches!(self, Self::Laya | Self::Predict | Self::ProblemJson)
    }

    /// Whether `confidence` is 1 - H / ln n.
    pub(crate) fn is_entropy(self) -> bool {
        self.is_laya() || matches!(self, Self::LayaPkg | Self::Cua | Self::OllamaS1)
    }

    /// Whether only choices are answered.
    pub(crate) fn choices_only(self) -> bool {
        self == Self::Cua
    }

    /// Whether questions are an array.
    pub(crate) fn is_listed(self) -> bool {
        matches!(self, Self::OpenaiDecisions | Self::Agentjev)
    }

    /// Decimals that the dialect itself rounds to.
    pub(crate) fn decimals(self) -> Option<u32> {
        self.is_laya().then_some(4)
    }

    pub(crate) fn limits(self) -> Limits {
        let free = Limits {
            body_bytes: 32 * MIB,
            questions: UNLIMITED,
            least_options: 1,
            options: 255,
            all_options: UNLIMITED,
            levels: (2, 10),
            state_chars: UNLIMITED,
            body_tokens: 65_536,
        };
        match self {
            Self::Typesafe
            | Self::Openrouter
            | Self::Vercel
            | Self::Runware
            | Self::OpenaiDecisions => free,
            Self::Cua | Self::OllamaS1 => Limits {
                options: 26,
                body_tokens: UNLIMITED,
                ..free
            },
            Self::Kev => Limits {
                body_tokens: 8_192,
                ..free
            },
            Self::Cloudflare => Limits {
                questions: 64,
                least_options: 2,
                body_tokens: UNLIMITED,
                ..free
            },
            Self::JevCompatible => Limits {
                levels: (2, 255),
                ..free
            },
            Self::Agentjev => Limits {
                body_bytes: 1_000_000,
                ..free
            },
            Self::LayaPkg | Self::Language(_) => Limits {
                body_tokens: UNLIMITED,
                ..free
            },
            Self::Laya | Self::Predict | Self::ProblemJson => Limits {
                body_bytes: 2 * MIB,
                questions: 64,
                least_options: 1,
                options: 100,
                all_options: 512,
                levels: (1, 32),
                state_chars: 50_000,
                body_tokens: UNLIMITED,
            },
            Self::Clm => Limits {
                options: UNLIMITED,
                levels: (2, UNLIMITED),
                body_tokens: UNLIMITED,
                ..free
            },
        }
    }

    /// The status that `wrong` is answered with.
    pub(crate) fn status(self, wrong: Wrong) -> u16 {
        match wrong {
            Wrong::NoSuchPath => 404,
            Wrong::Method => 405,
            Wrong::Encoding => 415,
            Wrong::TooManyTokens if self == Self::Kev => 422,
            Wrong::TooLarge | Wrong::TooManyTokens => 413,
            Wrong::Busy => 503,
            Wrong::NoKey if self == Self::Typesafe => 403,
            Wrong::NoKey | Wrong::StrangeKey => 401,
            Wrong::TooMuch | Wrong::TooManyQuestions | Wrong::StateTooLong if self.is_laya() => 413,
            Wrong::NotJson | Wrong::Envelope if self.is_laya() => 400,
            Wrong::NotJson if self == Self::Cua => 400,
            Wrong::UnknownModel
                if self == Self::OpenaiDecisions || matches!(self, Self::Language(_)) =>
            {
                404
            }
            _ if matches!(
                self,
                Self::Openrouter | Self::Vercel | Self::OllamaS1 | Self::Language(_)
            ) || self.is_listed() =>
            {
                400
            }
            _ => 422,
        }
    }

    /// Laya's word, or the problem code, for `wrong`.
    pub(crate) fn code(wrong: Wrong) -> &'static str {
        match wrong {
            Wrong::NotJson | Wrong::Envelope => "malformed_request",
            Wrong::Question | Wrong::UnknownModel | Wrong::Policy => "invalid_question",
            Wrong::TooMuch | Wrong::TooLarge => "too_large",
            Wrong::TooManyQuestions => "too_many_questions",
            Wrong::StateTooLong => "state_too_large",
            Wrong::TooManyTokens => "max_tokens_exceeded",
            Wrong::NoKey | Wrong::StrangeKey => "authentication_error",
            Wrong::NoSuchPath | Wrong::Method => "not_found",
            Wrong::Encoding => "unsupported_encoding",
            Wrong::Busy => "overloaded",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_dialect_has_its_text_and_others_are_refused() {
        for (text, dialect) in DIALECTS {
            assert_eq!(text.parse(), Ok(*dialect));
        }
        let error = "jev".parse::<Dialect>().unwrap_err().to_string();
        assert!(error.contains("`laya-pkg`"), "{error}");
    }
}
