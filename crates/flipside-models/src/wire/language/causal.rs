//! What a causal language model in process is asked, and how its log-probabilities are read.

use std::collections::BTreeMap;

use flipside_core::answer::{Answer, Readout, ReadoutKind, Usage};
use flipside_core::json::{Json, Object, write_string};
use flipside_core::model::{Rejection, Reply, Unsupported, Wire};
use flipside_core::present::Presentation;

use super::letters::Letters;
use super::listed::Listed;
use super::protocol::{LOW_COVERAGE, LOW_COVERED, by_identity, distributed};
use super::reply::{malformed, number, parse};
use super::settings::Read;
use super::show::{Change, Words, answers, changed};
use super::template::{Template, TemplateProblem};
use super::ties::{self, TIED};
use crate::wire::Protocol;

/// The template of `read=pointwise`, where nobody gives another.
pub const POINTWISE: &str = "\
[user]
{{state}}

{{instructions}}
Answer:
[answer]
{{option}}
";

/// The state of a question that says nothing, for contextual normalisation.
const NOTHING: &str = "N/A";

/// What is read of a causal language model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CausalRead {
    /// The distribution of the next token over the letters of the options.
    #[default]
    Letter,
    /// The log-probability of each option's text, with the options listed.
    Text,
    /// The same without a list: no option sees another, so that order cannot matter.
    Pointwise,
}

/// What is compared of an option's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compared {
    /// The mean of its log-probabilities per token.
    #[default]
    Mean,
    /// Their sum.
    Sum,
    /// Their mean per byte.
    Byte,
}

/// What a log-probability is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Normalised {
    /// Nothing.
    #[default]
    None,
    /// The same after a state that says nothing (Zhao et al. 2021, contextual calibration): what letter, place or text have anyway.
    Contextual,
    /// The same after the last line of the question alone (Holtzman et al. 2021, domain conditional PMI): what a text has anyway.
    Pmi,
}

/// How a causal language model in process is asked and read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CausalSettings {
    /// What is read.
    pub read: CausalRead,
    /// Whether the words are a conversation in the file's own template.
    pub chat: bool,
    /// What is compared of texts.
    pub compared: Compared,
    /// What it is compared with.
    pub normalised: Normalised,
}

impl CausalRead {
    const ALL: [Self; 3] = [Self::Letter, Self::Text, Self::Pointwise];

    /// Its name in specs and records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Letter => "letter",
            Self::Text => "text",
            Self::Pointwise => "pointwise",
        }
    }

    /// The one of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }

    /// How its template is read.
    fn template(self) -> Read {
        match self {
            Self::Letter => Read::Letter,
            Self::Text | Self::Pointwise => Read::Text,
        }
    }
}

impl Compared {
    const ALL: [Self; 3] = [Self::Mean, Self::Sum, Self::Byte];

    /// Its name in specs and records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Sum => "sum",
            Self::Byte => "byte",
        }
    }

    /// The one of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }
}

impl Normalised {
    const ALL: [Self; 3] = [Self::None, Self::Contextual, Self::Pmi];

    /// Its name in specs and records.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Contextual => "contextual",
            Self::Pmi => "pmi",
        }
    }

    /// The one of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }
}

/// A causal language model in process, asked in the words of a template.
#[derive(Clone, Debug)]
pub struct Causal {
    settings: CausalSettings,
    template: Template,
}

/// What a reply says, by position.
struct Said {
    logs: Vec<f64>,
    less: Option<Vec<f64>>,
    logits: Vec<f64>,
    covered: Option<f64>,
    tokens: Vec<f64>,
}

impl Causal {
    /// What records call it.
    pub const NAME: &'static str = "causal";

    /// One with these settings and words.
    pub fn new(settings: CausalSettings, template: Template) -> Self {
        Self { settings, template }
    }

    /// The words of `read` where nobody gives others.
    pub fn standard(read: CausalRead) -> Template {
        match read {
            CausalRead::Pointwise => {
                Template::parse(POINTWISE, Read::Text).expect("our own templates are tested")
            }
            CausalRead::Letter | CausalRead::Text => Template::standard(read.template()),
        }
    }

    /// The words that `text` is, for `read`.
    ///
    /// # Errors
    /// [`TemplateProblem`] with its line.
    pub fn template(text: &str, read: CausalRead) -> Result<Template, TemplateProblem> {
        let template = Template::parse(text, read.template())?;
        if read == CausalRead::Pointwise && template.lists() {
            return Err(TemplateProblem {
                line: 1,
                problem: "the words list `{{options}}`, which `read=pointwise` shows to no option"
                    .to_owned(),
            });
        }
        Ok(template)
    }

    /// How it is asked.
    pub fn settings(&self) -> CausalSettings {
        self.settings
    }

    /// The one that a record describes; `None` if it has settings that there are not.
    pub(crate) fn open(wire: &Wire) -> Option<Self> {
        let of = |name: &str| wire.settings.get(name).map(String::as_str);
        let read = CausalRead::parse(of("read")?)?;
        let template = Self::template(of("template")?, read).ok()?;
        let settings = CausalSettings {
            read,
            chat: match of("chat")? {
                "yes" => true,
                "no" => false,
                _ => return None,
            },
            compared: Compared::parse(of("length")?)?,
            normalised: Normalised::parse(of("normalise")?)?,
        };
        let own = Self::new(settings, template);
        (own.wire() == *wire).then_some(own)
    }

    /// The bytes that ask `shown`; with `equal`, every option has the text of the first.
    pub(crate) fn asking(
        &self,
        shown: &Presentation<'_>,
        equal: bool,
    ) -> Result<Vec<u8>, Unsupported> {
        let letters = match self.settings.read {
            CausalRead::Letter => Some(Letters::of(shown).map_err(|unsupported| Unsupported {
                reason: unsupported.reason.replace(" on a server of `openai:`", ""),
            })?),
            CausalRead::Text | CausalRead::Pointwise => None,
        };
        let words = |state| {
            let change = Change { state, equal };
            changed(&self.template, shown, letters.as_ref(), change)
        };
        let own = words(None);
        if !self.settings.chat && own.joined().trim_end() != own.joined() {
            return Err(Unsupported {
                reason: "the words before the answer end in a blank, so that tokens would not begin where it begins; end the template in a character such as `:`".to_owned(),
            });
        }
        let mut body = vec![b'{'];
        body.extend_from_slice(if self.settings.chat {
            br#""chat":true"#
        } else {
            br#""chat":false"#
        });
        write_words(&own, &mut body);
        if let Some(letters) = &letters {
            let letters: String = letters.shown.iter().copied().map(char::from).collect();
            body.extend_from_slice(br#","letters":"#);
            write_string(&letters, &mut body);
        } else {
            body.extend_from_slice(br#","texts":["#);
            for (place, answer) in answers(&self.template, shown).iter().enumerate() {
                if place > 0 {
                    body.push(b',');
                }
                write_string(answer, &mut body);
            }
            body.push(b']');
        }
        let less = match self.settings.normalised {
            Normalised::None => None,
            Normalised::Contextual => Some(words(Some(NOTHING))),
            Normalised::Pmi => Some(Words {
                system: None,
                user: own.user.lines().last().unwrap_or_default().to_owned(),
            }),
        };
        if let Some(less) = less {
            body.extend_from_slice(br#","less":{"#);
            let start = body.len();
            write_words(&less, &mut body);
            // The comma before the first member.
            body.remove(start);
            body.push(b'}');
        }
        body.push(b'}');
        Ok(body)
    }

    fn said(&self, shown: &Presentation<'_>, reply: &Object) -> Result<Said, Rejection> {
        let list = |of: &Object, name: &str| -> Result<Option<Vec<f64>>, Rejection> {
            let Some(list) = of.get(name) else {
                return Ok(None);
            };
            let items = list.as_array().unwrap_or_default();
            let numbers = items.iter().map(number).collect::<Result<Vec<_>, _>>()?;
            if numbers.len() == shown.len() {
                return Ok(Some(numbers));
            }
            Err(malformed(
                "causal-lists",
                format!(
                    "`{name}` has {} numbers, {} options were shown",
                    numbers.len(),
                    shown.len()
                ),
            ))
        };
        let Some(logs) = list(reply, "log_probabilities")? else {
            return Err(malformed(
                "causal-lists",
                "the reply has no `log_probabilities`",
            ));
        };
        let less = match reply.get("less").and_then(Json::as_object) {
            Some(less) => list(less, "log_probabilities")?,
            None => None,
        };
        if less.is_some() != (self.settings.normalised != Normalised::None) {
            return Err(malformed(
                "causal-lists",
                "the reply compares with something else than was asked",
            ));
        }
        Ok(Said {
            logs,
            less,
            logits: list(reply, "logits")?.unwrap_or_default(),
            covered: reply.get("covered").map(number).transpose()?,
            tokens: list(reply, "tokens")?.unwrap_or_default(),
        })
    }

    /// What the options are compared by, first position first: logarithms of what is proportional to their probabilities.
    fn compared(&self, shown: &Presentation<'_>, said: &Said) -> Vec<f64> {
        let lengths = self.lengths(shown, said);
        let less = said.less.iter().flatten().copied();
        let less = less.chain(std::iter::repeat(0.0));
        let pairs = said.logs.iter().zip(less).zip(lengths);
        pairs
            .map(|((log, less), length)| (log - less) / length)
            .collect()
    }

    /// What each log-probability is divided by.
    fn lengths(&self, shown: &Presentation<'_>, said: &Said) -> Vec<f64> {
        match (self.settings.read, self.settings.compared) {
            (CausalRead::Letter, _) | (_, Compared::Sum) => vec![1.0; said.logs.len()],
            (_, Compared::Mean) => said.tokens.clone(),
            (_, Compared::Byte) => self.bytes(shown),
        }
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "a text has far fewer than 2^52 bytes"
    )]
    fn bytes(&self, shown: &Presentation<'_>) -> Vec<f64> {
        let answers = answers(&self.template, shown);
        let before = usize::from(!self.settings.chat);
        answers
            .iter()
            .map(|text| (text.len() + before) as f64)
            .collect()
    }

    /// The logits that an order study compares, by position: of letters those of the model, of texts what they are compared by.
    pub(crate) fn logits(
        &self,
        shown: &Presentation<'_>,
        body: &str,
    ) -> Result<Vec<f64>, Rejection> {
        let said = self.said(shown, &parse(body)?)?;
        if self.settings.read == CausalRead::Letter && said.less.is_none() {
            return Ok(said.logits);
        }
        Ok(self.compared(shown, &said))
    }

    fn answer(&self, shown: &Presentation<'_>, said: &Said) -> Result<Answer, Rejection> {
        let compared = self.compared(shown, said);
        let most = compared.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let shares: Vec<f64> = compared.iter().map(|log| (log - most).exp()).collect();
        let mut answer = distributed(shown, &shares)?;
        let observed = |values: &[f64]| values.iter().copied().map(Some).collect::<Vec<_>>();
        let mut readout = Readout {
            kind: ReadoutKind::TextLogprobs,
            covered: said.covered,
            bound: None,
            log_probabilities: by_identity(shown, &observed(&said.logs)),
            per_byte: Vec::new(),
        };
        if self.settings.read == CausalRead::Letter {
            readout.kind = ReadoutKind::LetterLogprobs;
            let listed = Listed {
                covered: shares.iter().sum(),
                generated: None,
                bound: 0.0,
                logs: observed(&compared.iter().map(|log| log - most).collect::<Vec<_>>()),
            };
            ties::settle(shown, &listed, &mut answer);
            if said.covered.is_some_and(|covered| covered < LOW_COVERED) {
                answer.remarks.push(LOW_COVERAGE.to_owned());
            }
        } else {
            let bytes = self.bytes(shown);
            let means: Vec<f64> = said
                .logs
                .iter()
                .zip(&bytes)
                .map(|(log, n)| log / n)
                .collect();
            readout.per_byte = by_identity(shown, &observed(&means));
            if answer.tied {
                answer.remarks.push(TIED.to_owned());
            }
        }
        answer.readout = Some(Box::new(readout));
        Ok(answer)
    }
}

fn write_words(words: &Words, body: &mut Vec<u8>) {
    if let Some(system) = &words.system {
        body.extend_from_slice(br#","system":"#);
        write_string(system, body);
    }
    body.extend_from_slice(br#","user":"#);
    write_string(&words.user, body);
}

impl Protocol for Causal {
    fn wire(&self) -> Wire {
        let settings = [
            ("read", self.settings.read.name()),
            ("chat", if self.settings.chat { "yes" } else { "no" }),
            ("length", self.settings.compared.name()),
            ("normalise", self.settings.normalised.name()),
        ];
        let settings = settings.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let mut settings: BTreeMap<String, String> = settings.into_iter().collect();
        self.template.record(&mut settings);
        Wire {
            name: Self::NAME.to_owned(),
            settings,
        }
    }

    fn request(
        &self,
        shown: &Presentation<'_>,
        _model: Option<&str>,
    ) -> Result<Vec<u8>, Unsupported> {
        self.asking(shown, false)
    }

    fn read(&self, shown: &Presentation<'_>, reply: &Reply) -> Result<Answer, Rejection> {
        let reply = parse(&reply.body)?;
        let mut answer = self.answer(shown, &self.said(shown, &reply)?)?;
        answer.served_model = reply.get("model").and_then(Json::as_str).map(Into::into);
        let usage = reply.get("usage").and_then(Json::as_object);
        let count = |name: &str| match usage?.get(name)? {
            Json::Number(count) => count.to_u64(),
            _ => None,
        };
        let (input, computed) = (count("input_tokens"), count("computed_tokens"));
        answer.usage = Usage {
            input_tokens: input,
            output_tokens: Some(0),
            cached_tokens: input
                .zip(computed)
                .and_then(|(all, own)| all.checked_sub(own)),
            cost_usd_picos: None,
        }
        .into();
        Ok(answer)
    }

    fn object_order(&self) -> bool {
        false
    }

    fn whole_replies(&self) -> bool {
        false
    }
}
