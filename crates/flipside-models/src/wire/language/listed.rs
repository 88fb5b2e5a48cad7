//! From the tokens that a server lists to log-probabilities of letters (the wire page, 6.3).

use flipside_core::foreign::Foreign;
use flipside_core::letter::{of_token, without_marks};

use super::letters::Letters;

/// Up to this a log-probability counts as 0, for float noise.
const NOISE: f64 = 1e-6;
/// From here on a log-probability means "too unlikely to say": OpenAI writes -9999.
const TOO_UNLIKELY: f64 = -9998.0;
/// What all listed tokens of one position may add up to, for rounding.
const MOST_IN_ALL: f64 = 1.01;

/// One token with its natural log-probability.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) bytes: Vec<u8>,
    pub(super) log: f64,
}

/// One generated position.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Place {
    /// The token that was generated; `None` where only the list is known.
    pub(super) token: Option<Token>,
    /// The most likely tokens.
    pub(super) top: Vec<Token>,
    /// Whether the server lists them in order, the most likely first.
    pub(super) sorted: bool,
}

/// What is listed about letters at one position.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Listed {
    /// By position of the options; `None` for a letter that is not listed.
    pub(super) logs: Vec<Option<f64>>,
    /// The most that a token which is not listed can have.
    pub(super) bound: f64,
    /// The probability of all letters together.
    pub(super) covered: f64,
    /// The position whose letter was generated.
    pub(super) generated: Option<usize>,
}

impl Listed {
    /// How many letters are listed.
    pub(super) fn observed(&self) -> usize {
        self.logs.iter().flatten().count()
    }
}

/// A list that is none of log-probabilities: the rule and what was found.
pub(super) type Problem = (&'static str, String);

/// What `place` says about `letters`. The forms of one letter (`A`, ` A`, `a`) are added up.
pub(super) fn listed(place: &Place, letters: &Letters) -> Result<Listed, Problem> {
    check(place)?;
    let mut all: Vec<&Token> = place.top.iter().collect();
    if let Some(token) = &place.token
        && !place.top.iter().any(|top| top.bytes == token.bytes)
    {
        all.push(token);
    }
    all.retain(|token| token.log > TOO_UNLIKELY);
    let position =
        |token: &Token| of_token(&token.bytes).and_then(|letter| letters.position(letter));
    let mut forms: Vec<Vec<f64>> = vec![Vec::new(); letters.shown.len()];
    for token in &all {
        if let Some(position) = position(token) {
            forms[position].push(token.log);
        }
    }
    let logs: Vec<Option<f64>> = forms.iter().map(|forms| log_sum_exp(forms)).collect();
    let total: f64 = all.iter().map(|token| token.log.exp()).sum();
    if total > MOST_IN_ALL {
        return Err((
            "logprob-sum",
            format!(
                "the listed tokens have a probability of {total:.4} together, so that they are no log-probabilities"
            ),
        ));
    }
    let smallest = all.iter().map(|token| token.log).fold(0.0, f64::min);
    Ok(Listed {
        covered: logs
            .iter()
            .flatten()
            .map(|log| log.exp())
            .sum::<f64>()
            .min(1.0),
        generated: place.token.as_ref().and_then(position),
        bound: smallest.min((1.0 - total).max(NOISE).ln()),
        logs,
    })
}

/// The logarithm of the sum of exponentials, without leaving the range of numbers; `None` of nothing.
pub(super) fn log_sum_exp(logs: &[f64]) -> Option<f64> {
    let most = logs.iter().copied().reduce(f64::max)?;
    Some(most + logs.iter().map(|log| (log - most).exp()).sum::<f64>().ln())
}

/// Rule 7: numbers that can be log-probabilities.
fn check(place: &Place) -> Result<(), Problem> {
    let all = || place.top.iter().chain(&place.token);
    if let Some(token) = all().find(|token| token.log > NOISE) {
        return Err((
            "logprob-positive",
            format!(
                "token {} has the log-probability {}, which is above 0",
                quoted(&token.bytes),
                token.log
            ),
        ));
    }
    // A list that is one certain token is what grammars and processed logits leave, and says as little.
    if all().all(|token| token.log == 0.0) {
        return Err((
            "logprob-zero",
            "every listed log-probability is 0, so that the server does not give them".to_owned(),
        ));
    }
    if place.sorted {
        let sampled = place.token.as_ref().map(|token| token.bytes.as_slice());
        // Some servers put the generated token before or after the list, wherever it ranks.
        let ranked: Vec<&Token> = place
            .top
            .iter()
            .filter(|top| Some(top.bytes.as_slice()) != sampled)
            .collect();
        if let Some(pair) = ranked
            .windows(2)
            .find(|pair| pair[1].log > pair[0].log + NOISE)
        {
            return Err((
                "logprob-order",
                format!(
                    "the listed tokens are not in order: {} after {}",
                    pair[1].log, pair[0].log
                ),
            ));
        }
    }
    Ok(())
}

/// A token in a message.
pub(super) fn quoted(token: &[u8]) -> String {
    format!("`{}`", Foreign(&String::from_utf8_lossy(token)).cut(20))
}

/// Where the answer stands among the generated positions.
pub(super) fn answering(places: &[Place]) -> Result<&Place, Problem> {
    let bytes = |place: &Place| -> Vec<u8> {
        let token = place.token.as_ref().or_else(|| place.top.first());
        token.map_or_else(Vec::new, |token| token.bytes.clone())
    };
    let whole: Vec<u8> = places.iter().flat_map(bytes).collect();
    let Some(first) = places
        .iter()
        .position(|place| !without_marks(&bytes(place)).is_empty())
    else {
        return Err((
            "blank-token",
            "the reply has blanks where its answer was to be; set `tokens` to more than it has, such as `tokens=4`".to_owned(),
        ));
    };
    let start: usize = places[..first].iter().map(|place| bytes(place).len()).sum();
    let text = without_marks(&whole[start..]);
    if is_reasoning(text) {
        return Err(("reasoning", REASONING.to_owned()));
    }
    if !text.starts_with(b"{") {
        return Ok(&places[first]);
    }
    let offset = in_object(&whole).ok_or((
        "json-answer",
        "the reply begins a JSON object without an `answer` in it; set `tokens` to more, or ask for the letter alone".to_owned(),
    ))?;
    let mut end = 0;
    places
        .iter()
        .find(|place| {
            end += bytes(place).len();
            end > offset
        })
        .ok_or((
            "json-answer",
            "the reply ends before its `answer`; set `tokens` to more".to_owned(),
        ))
}

/// What to do about a model that reasons before it answers.
pub(super) const REASONING: &str = "the model reasons before it answers, so that its first token is no letter; turn that off with `reasoning=none` or `thinking=off`, or ask with `read=plain`";

/// Whether generated text begins with reasoning.
pub(super) fn is_reasoning(text: &[u8]) -> bool {
    [
        "<think",
        "<|channel|>",
        "<reasoning",
        "[THINK]",
        "<|thinking",
    ]
    .iter()
    .any(|tag| text.starts_with(tag.as_bytes()))
}

/// Where the value of `"answer"` begins, after its quote.
fn in_object(text: &[u8]) -> Option<usize> {
    const NAME: &[u8] = b"\"answer\"";
    let name = text.windows(NAME.len()).position(|window| window == NAME)? + NAME.len();
    let blank = |from: usize| {
        text[from..]
            .iter()
            .position(|byte| !byte.is_ascii_whitespace())
            .map(|n| from + n)
    };
    let colon = blank(name).filter(|at| text[*at] == b':')?;
    let quote = blank(colon + 1).filter(|at| text[*at] == b'"')?;
    (quote + 1 < text.len()).then_some(quote + 1)
}
