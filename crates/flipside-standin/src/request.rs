//! A request body read: questions and options in the order they came, checked as the dialect checks them.

use std::borrow::Cow;

use crate::check;
use crate::dialect::{Dialect, Wrong};
use crate::json::{Broken, Json, Member, Node, Reader};

/// One question type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Choice,
    Score,
    Noul,
}

/// An option, a level or a side, as offered.
#[derive(Clone, Debug)]
pub(crate) struct Offer<'a> {
    pub(crate) key: Cow<'a, str>,
    /// Its text; structure is its JSON text, null is none.
    pub(crate) text: Option<Cow<'a, str>>,
    /// Its text as JSON.
    pub(crate) raw: &'a str,
}

/// One question.
#[derive(Clone, Debug)]
pub(crate) struct Question<'a> {
    pub(crate) id: Cow<'a, str>,
    pub(crate) kind: Kind,
    /// As JSON; `null` when left out.
    pub(crate) instructions: &'a str,
    /// Without duplicates: the first place and the last value of each key, as Python reads them.
    pub(crate) offers: Vec<Offer<'a>>,
    /// Laya's permutation: what the model sees at each place.
    pub(crate) option_order: Option<Vec<usize>>,
}

/// A decision request, or several states with the same questions.
#[derive(Clone, Debug)]
pub(crate) struct Body<'a> {
    /// Each state as JSON.
    pub(crate) states: Vec<&'a str>,
    pub(crate) questions: Vec<Question<'a>>,
    pub(crate) temperature: Option<f64>,
    /// The provider that OpenRouter's caller prefers.
    pub(crate) provider: Option<Cow<'a, str>>,
}

/// Why a request is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) wrong: Wrong,
    /// Where, from `body` down.
    pub(crate) place: Vec<String>,
    pub(crate) message: String,
}

impl Problem {
    pub(crate) fn new(wrong: Wrong, place: &[&str], message: impl Into<String>) -> Self {
        Self {
            wrong,
            place: place.iter().map(|&part| part.to_owned()).collect(),
            message: message.into(),
        }
    }
}

/// The members of the envelope before any check.
#[derive(Default)]
pub(crate) struct Envelope<'a> {
    pub(crate) model: Option<Node<'a>>,
    pub(crate) state: Option<&'a str>,
    pub(crate) states: Option<Node<'a>>,
    pub(crate) questions: Option<Node<'a>>,
    pub(crate) temperature: Option<Node<'a>>,
    pub(crate) provider: Option<Node<'a>>,
    /// Controls that only Laya knows, and their values.
    pub(crate) controls: Vec<Member<'a>>,
    /// The first field that is none of these.
    pub(crate) unknown: Option<Cow<'a, str>>,
    pub(crate) lone_surrogate: bool,
}

const LAYA_CONTROLS: [&str; 6] = [
    "max_len",
    "head_max_len",
    "task",
    "lang",
    "lang_guess",
    "min_confidence",
];

impl<'a> Envelope<'a> {
    /// Reads the members of a body; of a repeated one, the last counts.
    pub(crate) fn read(text: &'a str, dialect: Dialect) -> Result<Self, Broken> {
        let mut envelope = Self::default();
        let mut reader = Reader::new(text);
        if !reader.at_object() {
            reader.skip()?;
            reader.end()?;
            return Ok(envelope);
        }
        reader.members(|reader, key| {
            match key.as_ref() {
                "model" => envelope.model = Some(reader.node()?),
                "state" => envelope.state = Some(reader.skip()?),
                "states" => envelope.states = Some(reader.node()?),
                "questions" => envelope.questions = Some(reader.node()?),
                "temperature" => envelope.temperature = Some(reader.node()?),
                "provider" if Dialect::Openrouter == dialect => {
                    envelope.provider = Some(reader.node()?);
                }
                name if LAYA_CONTROLS.contains(&name) => {
                    let node = reader.node()?;
                    envelope.controls.push(Member { key, node });
                }
                _ => {
                    reader.skip()?;
                    envelope.unknown.get_or_insert(key);
                }
            }
            Ok(())
        })?;
        reader.end()?;
        envelope.lone_surrogate = reader.lone_surrogate;
        Ok(envelope)
    }
}

/// The option keys of the first choice question in the order received, duplicates included.
pub(crate) fn keys(text: &str, dialect: Dialect) -> Vec<String> {
    let Ok(Envelope {
        questions: Some(Node {
            json: Json::Object(questions),
            ..
        }),
        ..
    }) = Envelope::read(text, dialect)
    else {
        return Vec::new();
    };
    let choice = questions.iter().find_map(|question| {
        let Json::Object(fields) = &question.node.json else {
            return None;
        };
        let is_choice = matches!(field(fields, "type"), Some(Node { json: Json::Text(t), .. }) if t == "choice");
        field(fields, "criteria").filter(|_| is_choice)
    });
    match choice.map(|node| &node.json) {
        Some(Json::Object(members)) => members
            .iter()
            .map(|member| member.key.to_string())
            .collect(),
        Some(Json::Array(nodes)) => nodes
            .iter()
            .filter_map(text_of)
            .map(Cow::into_owned)
            .collect(),
        _ => Vec::new(),
    }
}

/// The last member of that name.
pub(crate) fn field<'n, 'a>(members: &'n [Member<'a>], name: &str) -> Option<&'n Node<'a>> {
    members
        .iter()
        .rev()
        .find(|member| member.key == name)
        .map(|member| &member.node)
}

/// A value's text: a string's own, structure as JSON text, nothing for null.
pub(crate) fn text_of<'a>(node: &Node<'a>) -> Option<Cow<'a, str>> {
    match &node.json {
        Json::Null => None,
        Json::Text(text) => Some(text.clone()),
        _ => Some(Cow::Borrowed(node.raw)),
    }
}

impl<'a> Body<'a> {
    /// Reads and checks a body as `dialect` does; `batch` expects `states` in place of `state`.
    pub(crate) fn read(
        text: &'a str,
        dialect: Dialect,
        model: &str,
        batch: bool,
    ) -> Result<Self, Problem> {
        let mut envelope = Envelope::read(text, dialect).map_err(|broken| {
            Problem::new(
                Wrong::NotJson,
                &["body", &broken.at.to_string()],
                broken.to_string(),
            )
        })?;
        check::envelope(&envelope, dialect, model, text)?;
        let states = states(&envelope, batch)?;
        check::states(&states, dialect)?;
        let provider = check::provider(envelope.provider.take())?;
        let Some(Json::Object(members)) = envelope.questions.map(|node| node.json) else {
            let message = "`questions` must be an object";
            return Err(Problem::new(
                Wrong::Envelope,
                &["body", "questions"],
                message,
            ));
        };
        let limits = dialect.limits();
        if members.is_empty() {
            let message = "`questions` must hold at least one question";
            return Err(Problem::new(
                Wrong::Envelope,
                &["body", "questions"],
                message,
            ));
        }
        if members.len() > limits.questions {
            let message = format!("{} questions, at most {}", members.len(), limits.questions);
            return Err(Problem::new(
                Wrong::TooManyQuestions,
                &["body", "questions"],
                message,
            ));
        }
        let mut questions: Vec<Question<'a>> = Vec::with_capacity(members.len());
        for member in members {
            let question = check::question(member, dialect)?;
            match questions.iter_mut().find(|known| known.id == question.id) {
                Some(known) => *known = question,
                None => questions.push(question),
            }
        }
        let options: usize = questions.iter().map(|question| question.offers.len()).sum();
        if options > limits.all_options {
            let message = format!("{options} options in all, at most {}", limits.all_options);
            return Err(Problem::new(
                Wrong::TooMuch,
                &["body", "questions"],
                message,
            ));
        }
        let temperature = check::temperature(envelope.temperature.as_ref(), dialect)?;
        Ok(Self {
            states,
            questions,
            temperature,
            provider,
        })
    }
}

fn states<'a>(envelope: &Envelope<'a>, batch: bool) -> Result<Vec<&'a str>, Problem> {
    if !batch {
        let missing = || Problem::new(Wrong::Envelope, &["body", "state"], "`state` is required");
        return Ok(vec![envelope.state.ok_or_else(missing)?]);
    }
    match envelope.states.as_ref().map(|node| &node.json) {
        Some(Json::Array(nodes)) if !nodes.is_empty() => {
            Ok(nodes.iter().map(|node| node.raw).collect())
        }
        _ => {
            let message = "`states` must be a list of at least one state";
            Err(Problem::new(Wrong::Envelope, &["body", "states"], message))
        }
    }
}
