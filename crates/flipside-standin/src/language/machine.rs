//! One request answered.

use std::borrow::Cow;

use super::ask::Ask;
use super::echo;
use super::find::{Found, appended, find};
use super::models::{self, NAME};
use super::server::{Form, Language};
use super::setting::Traits;
use super::speak::{Spoken, Thought, speak, spoil};
use super::write::{Bytes, Pen, quoted};
use crate::cache::Memory;
use crate::decide::{Scene, decide};
use crate::dialect::Wrong;
use crate::fault::{Fault, LanguageFault};
use crate::reply::Reply;
use crate::request::{Body, Kind, Offer, Problem, Question};
use crate::route::{Call, Route};
use crate::service::Settings;

const FINGERPRINT: &str = "fp_standin";
const CREATED: u64 = 1_790_812_800;
const CHANGED: &str = "-changed";
const BYTES_PER_TOKEN: usize = 4;

/// A server with its model, for one request.
pub(crate) struct Machine<'a> {
    settings: &'a Settings,
    pub(super) server: Language,
    pub(super) traits: Traits,
    memory: &'a Memory,
    faults: &'a [&'a Fault],
    pub(super) language_faults: Vec<LanguageFault>,
}

/// What a reply is made of.
pub(super) struct Said {
    pub(super) prompt: String,
    pub(super) found: Found,
    pub(super) thought: Thought,
    pub(super) spoken: Spoken,
}

impl<'a> Machine<'a> {
    pub(crate) fn new(
        settings: &'a Settings,
        server: Language,
        memory: &'a Memory,
        faults: &'a [&'a Fault],
    ) -> Self {
        let language_faults = faults.iter().filter_map(|fault| match fault {
            Fault::Language(fault) => Some(*fault),
            _ => None,
        });
        Self {
            settings,
            server,
            traits: server.traits().with(&settings.language),
            memory,
            faults,
            language_faults: language_faults.collect(),
        }
    }

    pub(crate) fn answer(
        &self,
        call: &Call<'_>,
        (route, number): (Route, u64),
        reply: &mut Reply,
    ) -> Result<(), Problem> {
        let path = std::str::from_utf8(call.path()).unwrap_or_default();
        if !route.is_decision() {
            models::describe(self.server, path, self.served(), reply);
            return Ok(());
        }
        let text = call.text(crate::Dialect::Language(self.server))?;
        let form = Form::of(path);
        let ask = Ask::read(&text, form, self.server, &self.traits)?;
        let asked = ask.model.as_deref().unwrap_or_default();
        if self.traits.strict_model && asked != self.served() {
            let message =
                format!("The model `{asked}` does not exist or you do not have access to it.");
            return Err(Problem::new(Wrong::UnknownModel, &["model"], message));
        }
        let said: Result<Vec<Said>, Problem> = ask
            .prompts
            .iter()
            .map(|prompt| self.say(prompt, &ask, number))
            .collect();
        let said = said?;
        let text = match form {
            Form::Chat => self.chat(&ask, &said[0], number),
            Form::Completions => self.completions(&ask, &said, number),
            Form::Llamacpp => self.llamacpp(&ask, &said[0]),
            Form::OllamaChat | Form::OllamaGenerate => self.ollama(&ask, &said[0], form, reply),
        };
        reply.put(&text);
        Ok(())
    }

    /// What the model makes of one prompt.
    fn say(&self, prompt: &str, ask: &Ask, number: u64) -> Result<Said, Problem> {
        let seen = if ask.echo || ask.prompt_logprobs {
            appended(prompt).0
        } else {
            prompt
        };
        let found = find(seen);
        let thought = self.think(&found, number)?;
        let faults = &self.language_faults;
        let mut spoken = speak(
            &thought,
            self.traits.coverage,
            &ask.shape,
            faults,
            ask.tokens,
        );
        for step in &mut spoken.steps {
            spoil(step, &thought, faults);
        }
        Ok(Said {
            prompt: prompt.to_owned(),
            found,
            thought,
            spoken,
        })
    }

    /// The policy over the listed options.
    fn think(&self, found: &Found, number: u64) -> Result<Thought, Problem> {
        if found.options.is_empty() {
            return Ok(Thought::default());
        }
        let state = quoted(&found.state);
        let raw: Vec<String> = found
            .options
            .iter()
            .map(|option| {
                option
                    .text
                    .as_deref()
                    .map_or_else(|| "null".to_owned(), quoted)
            })
            .collect();
        let offers = found.options.iter().zip(&raw).map(|(option, raw)| Offer {
            key: Cow::Borrowed(option.key.as_str()),
            text: option.text.as_deref().map(Cow::Borrowed),
            raw,
        });
        let question = Question {
            id: Cow::Borrowed("prompt"),
            kind: Kind::Choice,
            instructions: "null",
            offers: offers.collect(),
            option_order: None,
        };
        let letters: Vec<String> = found
            .options
            .iter()
            .map(|option| option.letter.clone())
            .collect();
        let body = Body {
            states: vec![&state],
            questions: vec![question],
            temperature: None,
            provider: None,
        };
        let scene = Scene {
            body: &body,
            state: &state,
            question: &body.questions[0],
            place: 0,
            number,
            hide_keys: false,
            letters: &letters,
            memory: self.memory,
        };
        let decision = decide(&self.settings.policy, &scene)
            .map_err(|why| Problem::new(Wrong::Policy, &["body"], why))?;
        Ok(Thought {
            letters: letters.iter().cloned().zip(decision.p).collect(),
            best: decision.choice,
            refused: decision.refused || self.meets(&Fault::Refusal),
        })
    }

    fn served(&self) -> &str {
        if self.settings.model.is_empty() {
            NAME
        } else {
            &self.settings.model
        }
    }

    pub(super) fn has(&self, fault: LanguageFault) -> bool {
        self.language_faults.contains(&fault)
    }

    pub(super) fn meets(&self, fault: &Fault) -> bool {
        self.faults.contains(&fault)
    }

    pub(super) fn pen(&self) -> Pen {
        let bytes = match (self.has(LanguageFault::NoBytes), self.server) {
            (false, _) => Bytes::List,
            (true, Language::Ollama) => Bytes::Absent,
            (true, _) => Bytes::Null,
        };
        Pen {
            decimals: self.settings.decimals,
            bytes,
            space: self.traits.space,
            backwards: self.has(LanguageFault::UnsortedList),
        }
    }

    /// The model that answers, as JSON: the served one where one is set, otherwise the one asked for.
    pub(super) fn model(&self, ask: &Ask) -> String {
        let own = Some(self.settings.model.as_str()).filter(|name| !name.is_empty());
        let name = own.or(ask.model.as_deref()).unwrap_or(NAME);
        let changed = if self.meets(&Fault::ModelChanges) {
            CHANGED
        } else {
            ""
        };
        quoted(&format!("{name}{changed}"))
    }

    /// Why it ended, in OpenAI's words.
    pub(super) fn finish(&self, spoken: &Spoken) -> &'static str {
        if self.has(LanguageFault::ContentFilter) {
            "content_filter"
        } else if spoken.full {
            "length"
        } else {
            "stop"
        }
    }

    /// `,"system_fingerprint":..,"usage":..`.
    fn tail(&self, said: &[Said]) -> String {
        let changed = if self.has(LanguageFault::FingerprintChanges) {
            CHANGED
        } else {
            ""
        };
        let fingerprint = format!(",\"system_fingerprint\":\"{FINGERPRINT}{changed}\"");
        if self.meets(&Fault::NoUsage) {
            return fingerprint;
        }
        let (read, written) = tokens(said);
        let all = read + written;
        format!(
            "{fingerprint},\"usage\":{{\"prompt_tokens\":{read},\"completion_tokens\":{written},\"total_tokens\":{all},\
             \"prompt_tokens_details\":{{\"cached_tokens\":0}}}}"
        )
    }

    fn chat(&self, ask: &Ask, said: &Said, number: u64) -> String {
        let Said {
            thought, spoken, ..
        } = said;
        let content = match (ask.top, self.has(LanguageFault::LogprobsNull)) {
            (None, _) | (_, true) => "null".to_owned(),
            (Some(top), false) => format!(
                "{{\"content\":{},\"refusal\":null}}",
                self.pen().steps(&spoken.steps, top)
            ),
        };
        let (text, refusal, logprobs) = if thought.refused {
            (
                "null".to_owned(),
                "\"I'm sorry, I can't help with that.\"",
                "null".to_owned(),
            )
        } else {
            (quoted(&spoken.text()), "null", content)
        };
        let reasoning = if self.has(LanguageFault::ReasoningContent) {
            format!(",\"reasoning_content\":{}", quoted(&thought.aloud()))
        } else {
            String::new()
        };
        let choice = if self.has(LanguageFault::NoChoices) {
            String::new()
        } else {
            format!(
                "{{\"index\":0,\"message\":{{\"role\":\"assistant\",\"content\":{text},\"refusal\":{refusal}{reasoning}}},\
                 \"logprobs\":{logprobs},\"finish_reason\":\"{}\"}}",
                self.finish(spoken)
            )
        };
        format!(
            "{{\"id\":\"chatcmpl-{number}\",\"object\":\"chat.completion\",\"created\":{CREATED},\"model\":{},\"choices\":[{choice}]{}}}",
            self.model(ask),
            self.tail(std::slice::from_ref(said))
        )
    }

    fn completions(&self, ask: &Ask, said: &[Said], number: u64) -> String {
        let all = said
            .iter()
            .enumerate()
            .map(|(at, said)| self.completion(ask, at, said));
        let choices: Vec<String> = all
            .filter(|_| !self.has(LanguageFault::NoChoices))
            .collect();
        format!(
            "{{\"id\":\"cmpl-{number}\",\"object\":\"text_completion\",\"created\":{CREATED},\"model\":{},\"choices\":[{}]{}}}",
            self.model(ask),
            choices.join(","),
            self.tail(said)
        )
    }

    /// One choice: the prompt where it is asked back, then what was said.
    fn completion(&self, ask: &Ask, index: usize, said: &Said) -> String {
        let Said {
            prompt,
            found,
            thought,
            spoken,
        } = said;
        let pen = self.pen();
        let mut text = spoken.text();
        let mut rows: Vec<(String, String, String, String)> = Vec::new();
        let mut offset = i64::try_from(prompt.chars().count()).unwrap_or(i64::MAX);
        if ask.echo {
            text.insert_str(0, prompt);
            for token in echo::read(prompt, found, thought, &self.language_faults) {
                let name = quoted(&pen.shown(&token.text));
                let logprob = token
                    .logprob
                    .map_or_else(|| "null".to_owned(), |value| pen.number(value));
                let top = token
                    .logprob
                    .map_or_else(|| "null".to_owned(), |_| format!("{{{name}:{logprob}}}"));
                rows.push((name, logprob, top, token.offset.to_string()));
            }
        }
        for step in &spoken.steps {
            let alternatives: Vec<String> = pen
                .listed(step, ask.top.unwrap_or(0))
                .into_iter()
                .map(|entry| {
                    format!(
                        "{}:{}",
                        quoted(&pen.shown(&entry.text)),
                        pen.number(entry.logprob)
                    )
                })
                .collect();
            let shown = if self.has(LanguageFault::NoOffsets) {
                -1
            } else {
                offset
            };
            rows.push((
                quoted(&pen.shown(&step.chosen.text)),
                pen.number(step.chosen.logprob),
                format!("{{{}}}", alternatives.join(",")),
                shown.to_string(),
            ));
            offset += i64::try_from(step.chosen.text.chars().count()).unwrap_or(0);
        }
        let column = |of: fn(&(String, String, String, String)) -> &str| {
            let cells: Vec<&str> = rows.iter().map(of).collect();
            cells.join(",")
        };
        let logprobs = if ask.top.is_none() || self.has(LanguageFault::LogprobsNull) {
            "null".to_owned()
        } else {
            format!(
                "{{\"tokens\":[{}],\"token_logprobs\":[{}],\"top_logprobs\":[{}],\"text_offset\":[{}]}}",
                column(|row| &row.0),
                column(|row| &row.1),
                column(|row| &row.2),
                column(|row| &row.3)
            )
        };
        let prompted = if ask.prompt_logprobs && !self.has(LanguageFault::LogprobsNull) {
            let tokens = echo::read(prompt, found, thought, &self.language_faults);
            let places: Vec<String> = tokens.iter().map(|token| pen.prompted(token)).collect();
            format!(",\"prompt_logprobs\":[{}]", places.join(","))
        } else {
            String::new()
        };
        format!(
            "{{\"index\":{index},\"text\":{},\"logprobs\":{logprobs},\"finish_reason\":\"{}\"{prompted}}}",
            quoted(&text),
            self.finish(spoken)
        )
    }
}

/// Tokens read and written: a quarter of the prompts' bytes, and each token said.
pub(super) fn tokens(said: &[Said]) -> (usize, usize) {
    let read = said
        .iter()
        .map(|said| said.prompt.len().div_ceil(BYTES_PER_TOKEN))
        .sum();
    (read, said.iter().map(|said| said.spoken.steps.len()).sum())
}
