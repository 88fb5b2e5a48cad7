//! The architectures that run in process.

use flipside_core::answer::ConfidenceKind;
use flipside_core::invariance::Seen;
use flipside_core::json::Json;
use flipside_local::agentjev::{self, AgentJev, Mode};
use flipside_local::embed::{Embed, Readout, SCALE};
use flipside_local::laya::{self, Laya, Layout};
use flipside_local::{AskError, Observer, Precision};

/// A loaded checkpoint.
pub(crate) enum Checkpoint {
    Laya(Laya),
    AgentJev(AgentJev),
    Embed(Embed),
}

impl Checkpoint {
    /// Answers a request of the architecture's own server, calling itself `name`.
    pub(crate) fn reply(&self, name: &str, request: &Json) -> Result<String, AskError> {
        match self {
            Self::Laya(laya) => laya.reply(name, request),
            Self::AgentJev(agentjev) => agentjev.reply(name, request),
            Self::Embed(embed) => embed.reply(name, request),
        }
    }

    /// Whether it would, without a forward pass.
    pub(crate) fn check(&self, request: &Json) -> Result<(), AskError> {
        match self {
            Self::Laya(laya) => laya.check(request),
            Self::AgentJev(agentjev) => agentjev.check(request),
            Self::Embed(embed) => embed.check(request),
        }
    }

    pub(crate) fn digest(&self) -> &str {
        match self {
            Self::Laya(laya) => laya.digest(),
            Self::AgentJev(agentjev) => agentjev.digest(),
            Self::Embed(embed) => embed.digest(),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Laya(laya) => laya.bytes(),
            Self::AgentJev(agentjev) => agentjev.bytes(),
            Self::Embed(embed) => embed.bytes(),
        }
    }

    pub(crate) fn confidence(&self) -> Option<ConfidenceKind> {
        match self {
            Self::Laya(_) | Self::Embed(_) => Some(ConfidenceKind::Entropy),
            Self::AgentJev(_) => None,
        }
    }

    /// What it is, a line each.
    pub(crate) fn about(&self) -> Vec<String> {
        let mut lines = vec![
            format!("sha256 {}", self.digest()),
            format!("{} bytes of weights", self.bytes()),
        ];
        match self {
            Self::Laya(laya) => {
                let config = laya.config();
                lines.push(format!(
                    "Laya on {}, width {}, {} layers of the decision head",
                    config.encoder,
                    laya.width(),
                    config.head_layers
                ));
                lines.push(format!(
                    "reads {} tokens, {} of them of question and options",
                    config.max_len, config.head_max_len
                ));
                lines.push(match config.layout {
                    Layout::Sequential => {
                        "options in one sequence: their order can change everything".to_owned()
                    }
                    Layout::Parallel => {
                        "options side by side: their order can change nothing but rounding"
                            .to_owned()
                    }
                });
                lines.push(format!("computes in {}", laya.precision().name()));
                let replaced = config.temperatures.replaced().iter();
                lines.extend(replaced.map(|replaced| format!("temperature: {replaced}")));
            }
            Self::AgentJev(agentjev) => {
                let settings = agentjev.settings();
                lines.push(format!(
                    "AgentJev, width {}, {} heads of the set head",
                    agentjev.width(),
                    settings.set_heads
                ));
                lines.push(
                    "options on paths of their own: their order can change nothing but rounding"
                        .to_owned(),
                );
                lines.push(
                    match settings.mode {
                        Mode::Path => "each path run whole",
                        Mode::Shared => "state and question run once for all paths",
                    }
                    .to_owned(),
                );
                if settings.alone {
                    lines.push("each option scored by itself".to_owned());
                }
                lines.push(format!("computes in {}", settings.precision.name()));
            }
            Self::Embed(embed) => {
                let settings = embed.settings();
                lines.push(format!(
                    "sentence encoder, width {}, reads {} tokens",
                    embed.width(),
                    embed.positions()
                ));
                lines.push(format!(
                    "a control: reads state and options, and no instructions; a logit is {SCALE} times a cosine"
                ));
                lines.push(
                    match settings.readout {
                        Readout::Apart => {
                            "each text in a sequence of its own: order can change nothing but rounding"
                        }
                        Readout::Together => {
                            "all texts in one sequence: their order can change everything"
                        }
                    }
                    .to_owned(),
                );
                lines.push(format!("computes in {}", settings.precision.name()));
            }
        }
        lines
    }

    pub(crate) fn precision(&self) -> Precision {
        match self {
            Self::Laya(laya) => laya.precision(),
            Self::AgentJev(agentjev) => agentjev.settings().precision,
            Self::Embed(embed) => embed.settings().precision,
        }
    }

    /// What a whole pass over the only question of `request` shows, by position.
    pub(crate) fn see(&self, request: &Json) -> Result<Seen, AskError> {
        match self {
            Self::Laya(laya) => {
                let (state, question) = laya::only(request)?;
                let asked = laya.ask(&state, &question)?;
                let vectors = asked.scored.vectors.to_vec2()?;
                let logits = asked.scored.logits;
                let cuts = &asked.sequence.cuts;
                Ok(by_slot(&question, &asked.answer, cuts, vectors, logits))
            }
            Self::Embed(embed) => {
                let (state, question) = laya::only(request)?;
                let asked = embed.ask(&state, &question)?;
                let (vectors, logits) = (asked.scored.vectors, asked.scored.logits);
                let cuts = &asked.sequence.cuts;
                Ok(by_slot(&question, &asked.answer, cuts, vectors, logits))
            }
            Self::AgentJev(agentjev) => {
                let (state, question) = agentjev::only(request)?;
                let paths = agentjev.paths(&state, &question)?;
                // Whole paths: nothing that another call left behind.
                let (vectors, _) = agentjev.vectors(&paths, Mode::Path)?;
                let logits = agentjev.score(&vectors, Observer::NONE)?;
                let temperature = agentjev.temperatures().of(question.kind);
                let answer = agentjev::Answer::of(&question, logits, temperature)?;
                Ok(Seen {
                    vectors: vectors.to_vec2()?,
                    logits: answer.logits,
                    probabilities: answer.probabilities,
                    choice: answer.choice,
                    kept: Vec::new(),
                })
            }
        }
    }

    /// The logits of option vectors; `None` where a model has none that stand for themselves.
    pub(crate) fn rescore(&self, vectors: &[Vec<f32>]) -> Option<Result<Vec<f32>, AskError>> {
        match self {
            Self::Laya(_) | Self::Embed(_) => None,
            Self::AgentJev(agentjev) => Some(agentjev.rescore(vectors)),
        }
    }

    /// The logits by slot where every option of the only question of `request` has the text of the first.
    pub(crate) fn equal_slots(&self, request: &Json) -> Result<Vec<f32>, AskError> {
        match self {
            Self::Laya(laya) => {
                let (state, question) = with_equal_slots(request)?;
                Ok(laya.ask(&state, &question)?.scored.logits)
            }
            Self::Embed(embed) => {
                let (state, question) = with_equal_slots(request)?;
                Ok(embed.ask(&state, &question)?.scored.logits)
            }
            Self::AgentJev(agentjev) => {
                let seen = self.see(request)?;
                agentjev.rescore(&vec![seen.vectors[0].clone(); seen.vectors.len()])
            }
        }
    }
}

/// What an answer to a System One question shows, from the order of its options to that of its slots.
fn by_slot(
    question: &laya::Question,
    answer: &laya::Answer,
    cuts: &laya::Cuts,
    vectors: Vec<Vec<f32>>,
    logits: Vec<f32>,
) -> Seen {
    let order = &question.order;
    let choice = order.iter().position(|option| *option == answer.choice);
    let probabilities = order.iter().map(|option| answer.probabilities[*option]);
    Seen {
        vectors,
        logits,
        probabilities: probabilities.collect(),
        choice: choice.expect("an option of the question"),
        kept: cuts
            .options
            .iter()
            .chain([&cuts.state])
            .map(|(_, kept)| *kept)
            .collect(),
    }
}

/// The only question of `request`, the text of its first slot in every slot.
fn with_equal_slots(request: &Json) -> Result<(laya::State, laya::Question), AskError> {
    let (state, mut question) = laya::only(request)?;
    let first = question.slots().next().map(str::to_owned);
    let options = question.options.len();
    question.options = vec![first.unwrap_or_default(); options];
    Ok((state, question))
}
