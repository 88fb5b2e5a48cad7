//! A prompt read back: each token of it with its log-probability.
//!
//! Every token of the prompt has -2, but the very first, which has none. The tokens of what was appended share the logarithm of the
//! probability of the option that it is: of m tokens, token j has j / (1 + 2 + .. + m) of it, so that none can be left out unnoticed. Appended
//! text that is no option of the list has -30 in all. Where the prompt lists no options, a text's log-probability is a hash of what stands
//! before it and of itself, from -6 to -2: no order can change it.

use super::find::{Found, appended};
use super::speak::Thought;
use super::tokens::cut;
use crate::draw::Hash;
use crate::fault::LanguageFault;
use crate::shares::float;

const PROMPT_LOGPROB: f64 = -2.0;
const STRANGE: f64 = -30.0;
const UNLISTED: (f64, f64) = (-6.0, 4.0);
const SEED: u64 = 3;

/// One token of a prompt.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Read {
    pub(super) text: String,
    pub(super) logprob: Option<f64>,
    /// Where it begins, in characters of the prompt.
    pub(super) offset: i64,
}

/// Every token of `prompt`, for a model that found `found` in what stands before the appended text.
pub(super) fn read(
    prompt: &str,
    found: &Found,
    thought: &Thought,
    faults: &[LanguageFault],
) -> Vec<Read> {
    let (before, after) = appended(prompt);
    let mut texts: Vec<(&str, f64)> = cut(before)
        .into_iter()
        .map(|text| (text, PROMPT_LOGPROB))
        .collect();
    let pieces = cut(after);
    let (logprob, m) = (score(before, after, found, thought), float(pieces.len()));
    let parts = m * (m + 1.0) / 2.0;
    let shares = (1..).map(|j| logprob * float(j) / parts);
    let boundary = texts.len();
    texts.extend(pieces.into_iter().zip(shares));
    let mut tokens = Vec::with_capacity(texts.len());
    let (mut chars, mut bytes) = (0, 0);
    let in_bytes = faults.contains(&LanguageFault::ByteOffsets);
    for (text, logprob) in texts {
        let offset = i64::try_from(if in_bytes { bytes } else { chars }).unwrap_or(i64::MAX);
        tokens.push(Read {
            text: text.to_owned(),
            logprob: (bytes > 0).then_some(logprob),
            offset,
        });
        chars += text.chars().count();
        bytes += text.len();
    }
    if faults.contains(&LanguageFault::StraddlingToken) && 0 < boundary && boundary < tokens.len() {
        let second = tokens.remove(boundary);
        tokens[boundary - 1].text.push_str(&second.text);
        tokens[boundary - 1].logprob = second.logprob;
    }
    if faults.contains(&LanguageFault::NoOffsets) {
        for token in &mut tokens {
            token.offset = -1;
        }
    }
    tokens
}

/// The log-probability of `after` where `before` stands.
fn score(before: &str, after: &str, found: &Found, thought: &Thought) -> f64 {
    let text = after.trim();
    if found.options.is_empty() {
        let draw = Hash::new(SEED)
            .bytes(before.as_bytes())
            .number(0)
            .bytes(text.as_bytes())
            .unit();
        return UNLISTED.0 + UNLISTED.1 * draw;
    }
    let same = |at: &usize| {
        let option = &found.options[*at];
        let own = [
            Some(&option.body),
            Some(&option.key),
            option.text.as_ref(),
            Some(&option.letter),
        ];
        own.into_iter().flatten().any(|own| own == text)
    };
    let at = (0..found.options.len()).find(same);
    at.map_or(STRANGE, |at| thought.letters[at].1.ln().max(STRANGE))
}

#[cfg(test)]
mod tests {
    use super::super::find::find;
    use super::*;

    const PROMPT: &str = "Wéll?\nA) pay: money\nB) wait\nAnswer: ";

    fn reading(after: &str, faults: &[LanguageFault]) -> Vec<Read> {
        let thought = Thought {
            letters: vec![("A".into(), 0.9), ("B".into(), 0.1)],
            ..Thought::default()
        };
        read(&format!("{PROMPT}{after}"), &find(PROMPT), &thought, faults)
    }

    #[test]
    fn the_tokens_of_an_option_sum_to_its_log_probability() {
        // ` mone`, `y`: 1/3 and 2/3 of ln 0.9 = -0.105361. The prompt up to the colon has 35 characters and 36 bytes.
        for (after, p) in [
            ("money", 0.9),
            ("pay", 0.9),
            ("pay: money", 0.9),
            ("wait", 0.1),
            ("B", 0.1),
        ] {
            let tokens = reading(after, &[]);
            let own = tokens.iter().filter(|token| token.offset >= 35);
            let sum: f64 = own.map(|token| token.logprob.expect("not the first")).sum();
            assert!((sum - f64::ln(p)).abs() < 1e-12, "{after}: {sum}");
            let text: String = tokens.iter().map(|token| token.text.as_str()).collect();
            assert_eq!(text, format!("{PROMPT}{after}"));
        }
        let tokens = reading("money", &[]);
        let end = &tokens[tokens.len() - 2..];
        assert_eq!((end[0].text.as_str(), end[0].offset), (" mone", 35));
        assert_eq!((end[1].text.as_str(), end[1].offset), ("y", 40));
        assert!((end[1].logprob.expect("a number") + 0.070_240).abs() < 1e-6);
        assert_eq!((tokens[0].logprob, tokens[1].logprob), (None, Some(-2.0)));
        let strange: f64 = reading("cats", &[])[tokens.len() - 2..]
            .iter()
            .filter_map(|t| t.logprob)
            .sum();
        assert!((strange + 30.0).abs() < 1e-12, "{strange}");
    }

    #[test]
    fn faults_of_an_echo_are_in_its_tokens_and_offsets() {
        let straddling = reading("money", &[LanguageFault::StraddlingToken]);
        assert!(
            straddling
                .iter()
                .any(|token| token.text == ": mone" && token.offset == 34)
        );
        assert!(straddling.iter().all(|token| token.offset != 35));
        assert!(
            reading("money", &[LanguageFault::NoOffsets])
                .iter()
                .all(|token| token.offset == -1)
        );
        let bytes = reading("money", &[LanguageFault::ByteOffsets]);
        assert!(
            bytes
                .iter()
                .any(|token| token.text == " mone" && token.offset == 36)
        );
    }

    #[test]
    fn without_a_list_a_text_has_its_own_log_probability_in_every_order() {
        let prompt = "Which of them?\n\nAnswer:";
        let of = |text: &str| score(prompt, text, &find(prompt), &Thought::default());
        assert!((-6.0..-2.0).contains(&of(" pay")) && (of(" pay") - of("pay")).abs() < 1e-12);
        assert!((of(" pay") - of(" wait")).abs() > 1e-6);
    }
}
