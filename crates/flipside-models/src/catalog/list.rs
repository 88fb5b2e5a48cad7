//! Every name with one line.

use crate::env::{self, Variable};

/// A model that can be named.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    /// How it is written, such as `slot:K`.
    pub form: &'static str,
    /// The part before the colon.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// What it needs.
    pub needs: Needs,
}

/// What a model needs before it can be asked.
#[derive(Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing: no key and no network.
    Nothing,
    /// A file or folder that its argument names.
    File,
    /// A program that its argument names.
    Program,
    /// A server that its argument names.
    Server,
    /// A server that its argument or else this variable names.
    ServerOr(&'static Variable),
    /// One of these variables, and its server.
    OneOf(&'static [&'static Variable]),
}

impl Needs {
    /// What is needed, in words.
    pub fn words(&self) -> String {
        match self {
            Self::Nothing => "nothing".to_owned(),
            Self::File => "the file".to_owned(),
            Self::Program => "the program".to_owned(),
            Self::Server => "the server".to_owned(),
            Self::ServerOr(variable) => format!("a URL or {}", variable.name),
            Self::OneOf(variables) => variables
                .iter()
                .map(|variable| variable.name)
                .collect::<Vec<_>>()
                .join(" or "),
        }
    }
}

const fn control(form: &'static str, name: &'static str, about: &'static str) -> Entry {
    Entry {
        form,
        name,
        about,
        needs: Needs::Nothing,
    }
}

const ENTRIES: &[Entry] = &[
    control(
        "tiny-laya",
        "tiny-laya",
        "a small trained model inside: all options in one sequence, so that order can matter",
    ),
    control(
        "tiny-agentjev",
        "tiny-agentjev",
        "a small trained model inside: each option on a path of its own, so that order cannot matter",
    ),
    control("first", "first", "control: the option shown first"),
    control("last", "last", "control: the option shown last"),
    control(
        "slot:K",
        "slot",
        "control: the option shown at position K, from 1",
    ),
    control(
        "prior:P1,P2,..",
        "prior",
        "control: positions by these weights, one per option",
    ),
    control(
        "overlap",
        "overlap",
        "control: the option that shares the most words with the state",
    ),
    control(
        "random",
        "random",
        "control: each option equally likely, drawn per ask",
    ),
    control(
        "noisy:P",
        "noisy",
        "control: as `overlap`, but two asks of a case disagree with probability P",
    ),
    control(
        "next-to:KEY",
        "next-to",
        "control: the option shown after the one with this key, circularly",
    ),
    Entry {
        form: "rule:FILE",
        name: "rule",
        about: "control: the first rule whose text occurs in the state; JSON lines {\"contains\",\"choose\"}",
        needs: Needs::File,
    },
    Entry {
        form: "jev[:NAME]",
        name: "jev",
        about: "Jev at TypeSafe or OpenRouter, by the environment",
        needs: Needs::OneOf(&[&env::TYPESAFE_API_KEY, &env::OPENROUTER_API_KEY]),
    },
    Entry {
        form: "laya-served[:URL]",
        name: "laya-served",
        about: "a Laya server; `?order=option_order` permutes without the order of keys",
        needs: Needs::ServerOr(&env::LAYA_SERVED_URL),
    },
    Entry {
        form: "clm[:URL]",
        name: "clm",
        about: "a CLM server",
        needs: Needs::ServerOr(&env::CLM_URL),
    },
    Entry {
        form: "systemone:URL",
        name: "systemone",
        about: "any server that speaks System One, at its full endpoint",
        needs: Needs::Server,
    },
    Entry {
        form: "openai-decisions:MODEL[@URL]",
        name: "openai-decisions",
        about: "OpenAI Decisions, or a server of the same protocol at its base URL",
        needs: Needs::OneOf(&[&env::OPENAI_API_KEY]),
    },
    Entry {
        form: "agentjev-served[:URL]",
        name: "agentjev-served",
        about: "an AgentJev service, at 127.0.0.1:18765 unless its full endpoint is named",
        needs: Needs::Server,
    },
    Entry {
        form: "openai:MODEL[@URL]",
        name: "openai",
        about: "a language model behind OpenAI's routes: OpenAI, vLLM, SGLang and others; settings after `?`",
        needs: Needs::Server,
    },
    Entry {
        form: "llamacpp:URL",
        name: "llamacpp",
        about: "a language model of llama.cpp's server, at its own `/completion`",
        needs: Needs::Server,
    },
    Entry {
        form: "ollama:MODEL[@URL]",
        name: "ollama",
        about: "a language model of Ollama, at `/api/chat`",
        needs: Needs::Server,
    },
    Entry {
        form: "laya:DIR",
        name: "laya",
        about: "a Laya checkpoint in process; `?precision=bf16`, `?order=keys`",
        needs: Needs::File,
    },
    Entry {
        form: "agentjev:DIR",
        name: "agentjev",
        about: "an AgentJev checkpoint in process; `?precision=bf16`, `?mode=path`, `?set=alone`, `?set_heads=4`",
        needs: Needs::File,
    },
    Entry {
        form: "embed:DIR",
        name: "embed",
        about: "a control: a sentence encoder in process, which reads no instructions; `?readout=together`, `?precision=bf16`, `?order=keys`",
        needs: Needs::File,
    },
    Entry {
        form: "gguf:FILE",
        name: "gguf",
        about: "a causal language model in process: Llama, Qwen2 or Qwen3 in GGUF; `?read=text`, `?read=pointwise`, `?template=plain`",
        needs: Needs::File,
    },
    Entry {
        form: "exec:COMMAND",
        name: "exec",
        about: "your own adapter: JSON lines on standard input and output",
        needs: Needs::Program,
    },
    Entry {
        form: "replay:RUN",
        name: "replay",
        about: "answers recorded in a run folder",
        needs: Needs::File,
    },
    Entry {
        form: "openrouter:MODEL",
        name: "openrouter",
        about: "a decision model at OpenRouter; `?provider=NAME` pins who answers",
        needs: Needs::OneOf(&[&env::OPENROUTER_API_KEY]),
    },
    Entry {
        form: "laya-predict[:URL]",
        name: "laya-predict",
        about: "Laya's example server, as NeuroLink asks it",
        needs: Needs::ServerOr(&env::LAYA_BASE_URL),
    },
    Entry {
        form: "cua-served:URL",
        name: "cua-served",
        about: "a Cua-S1 worker: choices of at most 26 options",
        needs: Needs::Server,
    },
    Entry {
        form: "cloudflare:MODEL",
        name: "cloudflare",
        about: "Clef at Cloudflare, in the account CLOUDFLARE_ACCOUNT_ID",
        needs: Needs::OneOf(&[&env::CLOUDFLARE_API_TOKEN]),
    },
];

/// Every model that can be named, in the order in which people are shown them.
pub fn catalog() -> &'static [Entry] {
    ENTRIES
}
