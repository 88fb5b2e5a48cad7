//! Language models as a [`Protocol`].

use flipside_core::answer::{
    self, Answer, Declined, Readout, ReadoutKind, Reported, ReportedScore,
};
use flipside_core::case::QuestionKind;
use flipside_core::model::{Failure, Rejection, Reply, Unsupported, Wire};
use flipside_core::present::Presentation;

use super::letters::Letters;
use super::listed::{self, Listed, Problem};
use super::reply::{self, Spoken, malformed};
use super::settings::{Length, Read, Settings};
use super::show::{Words, answers, words};
use super::template::Template;
use super::ties;
use super::{echo, plain, remedy, request};
use crate::wire::Protocol;

/// Below this probability on all letters together the reply is no answer to the question (the wire page, 6.3).
const LEAST_COVERED: f64 = 0.05;
/// Below this it is an answer with a remark.
pub(super) const LOW_COVERED: f64 = 0.5;
/// The remark of an answer whose letters have less than half of the probability.
pub const LOW_COVERAGE: &str = "low coverage: the letters have less than half of the probability";

/// A language model that selects: by letters, by the texts of options, or in plain text.
#[derive(Clone, Debug)]
pub struct LanguageModel {
    settings: Settings,
    template: Template,
}

impl LanguageModel {
    /// What records call it.
    pub const NAME: &str = "language-model";

    /// A language model with these settings, asked in the words of `template`.
    pub fn new(settings: Settings, template: Template) -> Self {
        Self { settings, template }
    }

    /// The one that a record describes; `None` if it has settings that there are not.
    pub(crate) fn open(wire: &Wire) -> Option<Self> {
        let (settings, template) = Settings::of_map(&wire.settings)?;
        Some(Self::new(settings, template))
    }

    fn words(&self, shown: &Presentation<'_>) -> Result<Words, Unsupported> {
        if self.settings.read == Read::Text {
            return Ok(words(&self.template, shown, None));
        }
        let letters = Letters::of(shown)?;
        Ok(words(&self.template, shown, Some(&letters)))
    }

    fn letters(shown: &Presentation<'_>) -> Result<Letters, Rejection> {
        Letters::of(shown).map_err(|unsupported| Rejection::Unsupported {
            message: unsupported.reason,
        })
    }

    /// The texts of a request that scores every option: what stands before, and the whole of each.
    fn scored(&self, shown: &Presentation<'_>) -> (String, Vec<String>) {
        let prefix = words(&self.template, shown, None).joined();
        let texts = answers(&self.template, shown);
        let texts = texts
            .iter()
            .map(|answer| request::continued(&prefix, answer))
            .collect();
        (prefix, texts)
    }

    /// What a reply lists of the letters.
    fn listed(
        &self,
        shown: &Presentation<'_>,
        reply: &Reply,
    ) -> Result<Result<Listed, Declined>, Rejection> {
        let letters = Self::letters(shown)?;
        let spoken = reply::spoken(self.settings.api, &reply::parse(&reply.body)?)?;
        let silent = spoken.content.trim().is_empty() && !spoken.cut && !spoken.reasoned;
        if spoken.refused || (silent && spoken.places.as_ref().is_none_or(Vec::is_empty)) {
            return Ok(Err(Declined::Refusal));
        }
        if spoken.reasoned || listed::is_reasoning(spoken.content.trim_start().as_bytes()) {
            return Err(malformed("reasoning", listed::REASONING));
        }
        let Some(places) = spoken.places else {
            return Err(malformed("no-logprobs", NO_LOGPROBS));
        };
        let place = listed::answering(&places).map_err(rejection)?;
        listed::listed(place, &letters).map_err(rejection).map(Ok)
    }

    fn read_letters(&self, shown: &Presentation<'_>, reply: &Reply) -> Result<Answer, Rejection> {
        let listed = match self.listed(shown, reply)? {
            Ok(listed) => listed,
            Err(why) => return Ok(declined(why)),
        };
        if listed.observed() == 0 {
            return Err(malformed(
                "no-letter",
                "none of the letters is among the listed tokens, so that the model does not answer with one; change the template, or ask with `read=plain`",
            ));
        }
        if listed.covered < LEAST_COVERED {
            return Err(malformed(
                "coverage",
                format!(
                    "the letters have a probability of {:.4} together, expected at least {LEAST_COVERED}: the model does not answer with a letter; change the template, or ask with `read=plain`",
                    listed.covered
                ),
            ));
        }
        let mut answer = if listed.observed() == listed.logs.len() {
            let shares: Vec<f64> = listed.logs.iter().flatten().map(|log| log.exp()).collect();
            distributed(shown, &shares)?
        } else {
            partial(&listed)?
        };
        ties::settle(shown, &listed, &mut answer);
        if listed.covered < LOW_COVERED {
            answer.remarks.push(LOW_COVERAGE.to_owned());
        }
        let complete = listed.observed() == listed.logs.len();
        answer.readout = Some(Box::new(Readout {
            kind: ReadoutKind::LetterLogprobs,
            covered: Some(listed.covered),
            bound: (!complete).then_some(listed.bound),
            log_probabilities: by_identity(shown, &listed.logs),
            per_byte: Vec::new(),
        }));
        Ok(answer)
    }

    fn read_texts(&self, shown: &Presentation<'_>, reply: &Reply) -> Result<Answer, Rejection> {
        let parsed = reply::parse(&reply.body)?;
        let (prefix, texts) = self.scored(shown);
        let sums = echo::sums(&parsed, self.settings.scores, &prefix, &texts)?;
        #[expect(
            clippy::cast_precision_loss,
            reason = "a text has far fewer than 2^52 bytes"
        )]
        let means: Vec<f64> = sums
            .iter()
            .zip(&texts)
            .map(|(sum, text)| sum / (text.len() - prefix.len()) as f64)
            .collect();
        let compared = match self.settings.length {
            Length::Sum => &sums,
            Length::Mean => &means,
        };
        let most = compared.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let shares: Vec<f64> = compared.iter().map(|log| (log - most).exp()).collect();
        let mut answer = distributed(shown, &shares)?;
        ties::first_shown(shown, &shares, &mut answer);
        let observed = |values: &[f64]| values.iter().copied().map(Some).collect::<Vec<_>>();
        answer.readout = Some(Box::new(Readout {
            kind: ReadoutKind::TextLogprobs,
            covered: None,
            bound: None,
            log_probabilities: by_identity(shown, &observed(&sums)),
            per_byte: by_identity(shown, &observed(&means)),
        }));
        Ok(answer)
    }

    fn read_plain(&self, shown: &Presentation<'_>, reply: &Reply) -> Result<Answer, Rejection> {
        let letters = Self::letters(shown)?;
        let spoken: Spoken = reply::spoken(self.settings.api, &reply::parse(&reply.body)?)?;
        if spoken.refused || (spoken.content.trim().is_empty() && !spoken.cut) {
            return Ok(declined(Declined::Refusal));
        }
        let content = &spoken.content;
        Ok(plain::read(&self.template, shown, &letters, content))
    }
}

const NO_LOGPROBS: &str = "the reply has no log-probabilities, so that letters cannot be read: the server or a gateway before it drops them; ask with `read=plain`, or ask a server that gives them";

fn rejection((rule, message): Problem) -> Rejection {
    malformed(rule, message)
}

fn declined(why: Declined) -> Answer {
    Answer {
        declined: Some(why),
        ..Answer::default()
    }
}

/// By identity what stands by position; an option that is not shown was not observed.
pub(super) fn by_identity(
    shown: &Presentation<'_>,
    by_position: &[Option<f64>],
) -> Vec<Option<f64>> {
    let mut values = vec![None; shown.identities()];
    for (option, value) in shown.options().zip(by_position) {
        values[option.id.index()] = *value;
    }
    values
}

/// The answer of a distribution over all positions, which need not add up to 1 yet.
pub(super) fn distributed(shown: &Presentation<'_>, shares: &[f64]) -> Result<Answer, Rejection> {
    let total: f64 = shares.iter().sum();
    let probabilities: Vec<f64> = shares.iter().map(|share| share / total).collect();
    let keyed = || {
        shown
            .options()
            .map(|option| option.key.0.as_str())
            .zip(probabilities.iter().copied())
    };
    let mut answer = match shown.case().question.kind {
        QuestionKind::Choice => answer::choice(
            shown,
            &Reported {
                choice: None,
                probabilities: Some(keyed().collect()),
                confidence: None,
            },
        ),
        QuestionKind::Noul => {
            let yes = keyed()
                .find(|(key, _)| *key == "true")
                .map_or(f64::NAN, |(_, p)| p);
            answer::noul(shown, yes, None)
        }
        QuestionKind::Score => {
            let places = (0_u32..).map(f64::from).zip(&probabilities);
            answer::score(
                shown,
                &ReportedScore {
                    score: places.map(|(place, p)| place * p).sum(),
                    probabilities: probabilities.clone(),
                    confidence: None,
                },
            )
        }
    }?;
    // They were computed, and are rounded nowhere.
    answer.rounding = 0.0;
    Ok(answer)
}

/// The answer where some letters are not listed and the top one lies above all that the others can have: no distribution, and the
/// choice is still to be settled.
fn partial(listed: &Listed) -> Result<Answer, Rejection> {
    let observed = || listed.logs.iter().flatten().copied();
    let top = observed().fold(f64::NEG_INFINITY, f64::max);
    if top <= listed.bound {
        return Err(malformed(
            "bound",
            format!(
                "{} of {} letters are listed and the top one has no more than one that is not may have; ask with a larger `top` or `deeper`",
                listed.observed(),
                listed.logs.len()
            ),
        ));
    }
    let close = |log: f64| top.exp() - log.exp() <= answer::FLOAT_NOISE;
    Ok(Answer {
        tied: observed().filter(|log| close(*log)).count() > 1,
        ..Answer::default()
    })
}

impl Protocol for LanguageModel {
    fn wire(&self) -> Wire {
        let mut settings = self.settings.to_map();
        self.template.record(&mut settings);
        Wire {
            name: Self::NAME.to_owned(),
            settings,
        }
    }

    fn request(
        &self,
        shown: &Presentation<'_>,
        model: Option<&str>,
    ) -> Result<Vec<u8>, Unsupported> {
        if self.settings.read == Read::Text {
            let prefix = self.words(shown)?.joined();
            if prefix.ends_with(char::is_whitespace) || prefix.is_empty() {
                return Err(Unsupported {
                    reason: "the words before the options end in a blank, so that tokens would not begin where options begin; end the template in a character such as `:`".to_owned(),
                });
            }
            return Ok(request::echo(
                &self.settings,
                &prefix,
                &answers(&self.template, shown),
                model,
            ));
        }
        let words = self.words(shown)?;
        Ok(request::request(
            &self.settings,
            &words,
            model,
            self.settings.top,
        ))
    }

    fn read(&self, shown: &Presentation<'_>, reply: &Reply) -> Result<Answer, Rejection> {
        let mut answer = match self.settings.read {
            Read::Letter => self.read_letters(shown, reply),
            Read::Text => self.read_texts(shown, reply),
            Read::Plain => self.read_plain(shown, reply),
        }?;
        reply::about(self.settings.api, &reply::parse(&reply.body)?, &mut answer);
        Ok(answer)
    }

    fn deeper(
        &self,
        shown: &Presentation<'_>,
        model: Option<&str>,
        reply: &Reply,
    ) -> Option<Vec<u8>> {
        let deeper = self
            .settings
            .deeper
            .filter(|deeper| *deeper > self.settings.top)?;
        let spoken = reply::spoken(self.settings.api, &reply::parse(&reply.body).ok()?).ok()?;
        let length = listed::answering(spoken.places.as_deref()?).ok()?.top.len();
        // A shorter list is all that the server gives; a longer one came from a request of this kind.
        if length < usize::from(self.settings.top) || length > usize::from(self.settings.top) + 1 {
            return None;
        }
        let listed = self.listed(shown, reply).ok()?.ok()?;
        if listed.observed() == listed.logs.len() {
            return None;
        }
        let words = self.words(shown).ok()?;
        Some(request::request(&self.settings, &words, model, deeper))
    }

    fn goes_deeper(&self) -> bool {
        // Texts and plain answers list no tokens of which there could be more.
        let deeper = self.settings.deeper;
        self.settings.read == Read::Letter
            && deeper.is_some_and(|deeper| deeper > self.settings.top)
    }

    fn failure(&self, failure: Failure) -> Failure {
        remedy::with(&self.settings, failure)
    }

    fn object_order(&self) -> bool {
        false
    }

    fn whole_replies(&self) -> bool {
        false
    }
}
