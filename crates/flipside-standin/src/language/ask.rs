//! A request read: the prompt and what is wanted of the next tokens.

use std::borrow::Cow;

use super::find::find;
use super::server::{Form, Language};
use super::setting::Traits;
use crate::dialect::Wrong;
use crate::json::{Json, Member, Node, Reader};
use crate::request::{Problem, field, text_of};

/// What the text must be, where the request says so.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    Free,
    /// One of the letters, alone.
    Letter,
    /// An object with this member.
    Object(String),
}

/// A request of any form.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a field of requests of its own"
)]
pub(super) struct Ask {
    pub(super) prompts: Vec<String>,
    pub(super) model: Option<String>,
    /// Tokens to generate; none is as many as it takes.
    pub(super) tokens: Option<usize>,
    /// How many alternatives are listed; none where no log-probabilities are asked for, or the server has none.
    pub(super) top: Option<usize>,
    pub(super) echo: bool,
    /// Whether each token of the prompt is listed alone, as vLLM does for `prompt_logprobs` 0.
    pub(super) prompt_logprobs: bool,
    pub(super) shape: Shape,
    /// Ollama's lines in place of one object.
    pub(super) stream: bool,
    pub(super) temperature: Option<f64>,
    /// llama.cpp's probabilities in place of their logarithms.
    pub(super) post_sampling: bool,
}

/// What llama.cpp generates at most without being told: no end.
const ENDLESS: i64 = -1;

/// The temperature of a model that has one only.
const FIXED_TEMPERATURE: f64 = 1.0;

/// What the completions route generates without being told.
const COMPLETION_TOKENS: usize = 16;

/// Fields that a server in OpenAI's shape knows; any other is refused, as a misspelt one would be.
const KNOWN: [&str; 37] = [
    "model",
    "messages",
    "prompt",
    "max_tokens",
    "max_completion_tokens",
    "temperature",
    "top_p",
    "top_k",
    "min_p",
    "n",
    "stop",
    "stream",
    "seed",
    "user",
    "logprobs",
    "top_logprobs",
    "echo",
    "prompt_logprobs",
    "logit_bias",
    "presence_penalty",
    "frequency_penalty",
    "best_of",
    "suffix",
    "response_format",
    "structured_outputs",
    "reasoning_effort",
    "reasoning",
    "include_reasoning",
    "chat_template_kwargs",
    "add_generation_prompt",
    "add_special_tokens",
    "provider",
    "service_tier",
    "store",
    "metadata",
    "prompt_cache_key",
    "cache_salt",
];

/// Letters and keys of the list in the first prompt of a request, in its order.
pub(crate) fn listed(text: &str) -> Vec<(String, String)> {
    let Ok(Node {
        json: Json::Object(members),
        ..
    }) = Reader::new(text).node()
    else {
        return Vec::new();
    };
    let prompts = prompts(&members).unwrap_or_default();
    let options = prompts.first().map(|prompt| find(prompt).options);
    let options = options.unwrap_or_default().into_iter();
    options.map(|each| (each.letter, each.key)).collect()
}

impl Ask {
    pub(super) fn read(
        text: &str,
        form: Form,
        server: Language,
        traits: &Traits,
    ) -> Result<Self, Problem> {
        let mut reader = Reader::new(text);
        let node = reader.node().and_then(|node| reader.end().map(|()| node));
        let node =
            node.map_err(|broken| Problem::new(Wrong::NotJson, &["body"], broken.to_string()))?;
        let Json::Object(members) = &node.json else {
            return Err(wrong("body", "expected an object"));
        };
        let fields = Fields(members);
        if matches!(form, Form::Chat | Form::Completions) {
            fields.known()?;
        }
        let expected = if matches!(form, Form::Chat | Form::OllamaChat) {
            "messages"
        } else {
            "prompt"
        };
        let prompts = prompts(members).filter(|_| field(members, expected).is_some());
        let prompts = prompts
            .ok_or_else(|| wrong(expected, &format!("`{expected}` is required, as text")))?;
        let mut ask = Self {
            prompts,
            model: field(members, "model")
                .and_then(text_of)
                .map(Cow::into_owned),
            tokens: None,
            top: None,
            echo: false,
            prompt_logprobs: false,
            shape: Shape::Free,
            stream: false,
            temperature: None,
            post_sampling: false,
        };
        match form {
            Form::Chat => ask.chat(&fields)?,
            Form::Completions => ask.completions(&fields)?,
            Form::Llamacpp => ask.llamacpp(&fields)?,
            Form::OllamaChat | Form::OllamaGenerate => ask.ollama(&fields)?,
        }
        ask.limit(server, form, traits)?;
        Ok(ask)
    }

    fn chat(&mut self, fields: &Fields<'_, '_>) -> Result<(), Problem> {
        self.temperature = fields.plain()?;
        self.tokens = match fields.count("max_completion_tokens")? {
            None => fields.count("max_tokens")?,
            given => given,
        };
        let top = fields.count("top_logprobs")?;
        let asked = fields.flag("logprobs")?;
        if top.is_some() && !asked {
            let message = "'top_logprobs' is allowed only where 'logprobs' is true";
            return Err(wrong("top_logprobs", message));
        }
        self.top = asked.then_some(top.unwrap_or(0));
        self.shape = fields.shape();
        Ok(())
    }

    fn completions(&mut self, fields: &Fields<'_, '_>) -> Result<(), Problem> {
        self.temperature = fields.plain()?;
        self.tokens = Some(fields.count("max_tokens")?.unwrap_or(COMPLETION_TOKENS));
        self.top = fields.count("logprobs")?;
        self.echo = fields.flag("echo")?;
        self.prompt_logprobs = match fields.count("prompt_logprobs")? {
            None => false,
            Some(0) => true,
            Some(_) => {
                return Err(wrong(
                    "prompt_logprobs",
                    "this stand-in lists no other tokens of a prompt",
                ));
            }
        };
        self.shape = fields.shape();
        Ok(())
    }

    fn llamacpp(&mut self, fields: &Fields<'_, '_>) -> Result<(), Problem> {
        self.temperature = fields.temperature()?;
        if fields.flag("stream")? {
            return Err(wrong("stream", "this stand-in does not stream"));
        }
        let tokens = fields.whole("n_predict")?.unwrap_or(ENDLESS);
        self.tokens = usize::try_from(tokens).ok();
        self.top = fields.count("n_probs")?.filter(|top| *top > 0);
        self.post_sampling = fields.flag("post_sampling_probs")?;
        self.shape = match (fields.get("grammar"), fields.get("json_schema")) {
            (_, Some(schema)) => Shape::Object(member_of(schema)),
            (Some(_), None) => Shape::Letter,
            (None, None) => Shape::Free,
        };
        Ok(())
    }

    fn ollama(&mut self, fields: &Fields<'_, '_>) -> Result<(), Problem> {
        self.stream = fields.get("stream").is_none() || fields.flag("stream")?;
        let top = fields.count("top_logprobs")?;
        self.top = fields.flag("logprobs")?.then_some(top.unwrap_or(0));
        if let Some(Json::Object(options)) = fields.get("options").map(|node| &node.json) {
            let options = Fields(options);
            self.temperature = options.temperature()?;
            let tokens = options.whole("num_predict")?.unwrap_or(ENDLESS);
            self.tokens = usize::try_from(tokens).ok();
        }
        if let Some(format) = fields.get("format") {
            self.shape = Shape::Object(member_of(format));
        }
        Ok(())
    }

    /// What the server's limits make of the request.
    fn limit(&mut self, server: Language, form: Form, traits: &Traits) -> Result<(), Problem> {
        let name = match form {
            Form::Completions => "logprobs",
            Form::Llamacpp => "n_probs",
            Form::Chat | Form::OllamaChat | Form::OllamaGenerate => "top_logprobs",
        };
        if let (Some(asked), Some(most)) = (self.top, traits.top)
            && asked > most
        {
            return Err(wrong(name, &server.too_many(asked, most)));
        }
        if self.echo && self.top.is_some() && !traits.echo {
            return Err(wrong(
                "echo",
                "Setting 'echo' and 'logprobs' at the same time is not supported for this model.",
            ));
        }
        let fixed = |temperature: f64| (temperature - FIXED_TEMPERATURE).abs() < f64::EPSILON;
        if !traits.zero_temperature && !self.temperature.is_none_or(fixed) {
            let message = "Unsupported value: 'temperature' is fixed with this model. Only the default (1) value is supported.";
            return Err(wrong("temperature", message));
        }
        let usual = usize::from(form == Form::Chat || self.prompt_logprobs);
        let least = traits.min_tokens.unwrap_or(usual);
        if let Some(tokens) = self.tokens.filter(|tokens| *tokens < least) {
            return Err(wrong(
                "max_tokens",
                &format!("max_tokens must be at least {least}, got {tokens}."),
            ));
        }
        if !traits.logprobs {
            (self.top, self.prompt_logprobs) = (None, false);
        }
        if let (Some(top), Some(silent)) = (&mut self.top, traits.silent_top) {
            *top = silent.min(*top);
        }
        Ok(())
    }
}

/// The texts that the model reads; nothing where there is none.
fn prompts(members: &[Member<'_>]) -> Option<Vec<String>> {
    if let Some(Json::Array(messages)) = field(members, "messages").map(|node| &node.json) {
        let texts: Option<Vec<String>> = messages.iter().map(message).collect();
        return texts
            .filter(|texts| !texts.is_empty())
            .map(|texts| vec![texts.join("\n")]);
    }
    let system = field(members, "system").and_then(text);
    match field(members, "prompt").map(|node| &node.json) {
        Some(Json::Text(prompt)) => Some(vec![system.map_or_else(
            || prompt.to_string(),
            |system| format!("{system}\n{prompt}"),
        )]),
        Some(Json::Array(prompts)) if !prompts.is_empty() => prompts.iter().map(text).collect(),
        _ => None,
    }
}

/// A message's text: its content, or the text parts of it.
fn message(node: &Node<'_>) -> Option<String> {
    let Json::Object(fields) = &node.json else {
        return None;
    };
    field(fields, "role").and_then(text)?;
    let content = field(fields, "content")?;
    let Json::Array(parts) = &content.json else {
        return text(content);
    };
    let part = |node: &Node<'_>| match &node.json {
        Json::Object(fields) => field(fields, "text").and_then(text),
        _ => None,
    };
    let parts: Option<Vec<String>> = parts.iter().map(part).collect();
    parts.map(|parts| parts.concat())
}

fn text(node: &Node<'_>) -> Option<String> {
    match &node.json {
        Json::Text(text) => Some(text.to_string()),
        _ => None,
    }
}

/// The first property of a JSON schema, or `answer`.
fn member_of(schema: &Node<'_>) -> String {
    let properties = match &schema.json {
        Json::Object(fields) => field(fields, "properties"),
        _ => None,
    };
    match properties.map(|node| &node.json) {
        Some(Json::Object(members)) if !members.is_empty() => members[0].key.to_string(),
        _ => "answer".to_owned(),
    }
}

struct Fields<'m, 'a>(&'m [Member<'a>]);

impl<'m, 'a> Fields<'m, 'a> {
    /// A member that is there and not null.
    fn get(&self, name: &str) -> Option<&'m Node<'a>> {
        field(self.0, name).filter(|node| node.json != Json::Null)
    }

    fn flag(&self, name: &str) -> Result<bool, Problem> {
        match self.get(name).map(|node| &node.json) {
            None => Ok(false),
            Some(Json::Bool(flag)) => Ok(*flag),
            Some(_) => Err(wrong(name, &format!("`{name}`: expected true or false"))),
        }
    }

    fn whole(&self, name: &str) -> Result<Option<i64>, Problem> {
        let Some(node) = self.get(name) else {
            return Ok(None);
        };
        let number = match node.json {
            Json::Number(number) => number.parse().ok(),
            _ => None,
        };
        number
            .map(Some)
            .ok_or_else(|| wrong(name, &format!("`{name}`: expected a whole number")))
    }

    fn count(&self, name: &str) -> Result<Option<usize>, Problem> {
        let below = || wrong(name, &format!("`{name}`: expected a number not below 0"));
        let number = self.whole(name)?;
        number
            .map(|number| usize::try_from(number).map_err(|_| below()))
            .transpose()
    }

    fn temperature(&self) -> Result<Option<f64>, Problem> {
        let Some(node) = self.get("temperature") else {
            return Ok(None);
        };
        let number: Option<f64> = match node.json {
            Json::Number(number) => number.parse().ok(),
            _ => None,
        };
        let known = number.filter(|t| (0.0..=2.0).contains(t));
        let message = "`temperature`: expected a number from 0 to 2";
        known.map(Some).ok_or_else(|| wrong("temperature", message))
    }

    /// The temperature, when all that both routes in OpenAI's shape have in common is as it should be.
    fn plain(&self) -> Result<Option<f64>, Problem> {
        let temperature = self.temperature()?;
        self.whole("seed")?;
        if self.flag("stream")? {
            return Err(wrong("stream", "this stand-in does not stream"));
        }
        match self.count("n")? {
            None | Some(1) => Ok(temperature),
            Some(_) => Err(wrong("n", "this stand-in gives one choice")),
        }
    }

    fn known(&self) -> Result<(), Problem> {
        let unknown = self
            .0
            .iter()
            .find(|member| !KNOWN.contains(&member.key.as_ref()));
        unknown.map_or(Ok(()), |member| {
            let message = format!("Unrecognized request argument supplied: {}", member.key);
            Err(wrong(&member.key, &message))
        })
    }

    /// What `structured_outputs` or `response_format` asks for.
    fn shape(&self) -> Shape {
        if self.get("structured_outputs").is_some() {
            return Shape::Letter;
        }
        let Some(Json::Object(format)) = self.get("response_format").map(|node| &node.json) else {
            return Shape::Free;
        };
        let kind = field(format, "type").and_then(text);
        match (
            kind.as_deref(),
            field(format, "json_schema").map(|node| &node.json),
        ) {
            (Some("json_schema"), Some(Json::Object(named))) => {
                Shape::Object(field(named, "schema").map_or_else(|| "answer".to_owned(), member_of))
            }
            (Some("json_object"), _) => Shape::Object("answer".to_owned()),
            _ => Shape::Free,
        }
    }
}

fn wrong(name: &str, message: &str) -> Problem {
    Problem::new(Wrong::Envelope, &[name], message)
}
