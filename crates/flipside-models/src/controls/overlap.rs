//! `overlap`: the option that shares the most words with the state.
//!
//! A word is a run of three or more letters, lower-cased, that is no stop word; two words are the same when their first
//! five letters are. Words come from the strings of the state (not from its member names), and from an option's text
//! and name. A shared word counts 1 over the number of options that have it, so a word that every option has decides
//! little. Probabilities are the softmax of twice the counts.
//!
//! No step depends on where an option stands, not even the last bit of a sum: sums run over sorted values, and the
//! choice among exact ties is the option whose (name, text) sorts first.

use flipside_core::json::Json;
use flipside_core::present::{Presentation, Shown};

use super::content;
use super::policy::Decision;

/// Logits per counted word: one unique word makes an option `e^2`, about seven times, as likely.
const SCALE: f64 = 2.0;
/// Letters that a word must have.
const LEAST: usize = 3;
/// Letters that are compared.
const STEM: usize = 5;
/// Bits of a letter in a packed stem.
const BITS: u32 = 21;

/// Frequent words that say nothing about the content. None is longer than a stem.
const STOP: [u128; 64] = pack_all([
    "the", "and", "for", "are", "was", "were", "not", "but", "you", "your", "our", "his", "her",
    "its", "with", "from", "this", "that", "have", "has", "had", "will", "would", "could", "they",
    "them", "then", "than", "there", "their", "about", "which", "what", "when", "where", "who",
    "how", "why", "can", "may", "any", "all", "some", "such", "into", "only", "also", "been",
    "being", "does", "did", "one", "two", "over", "more", "most", "very", "just", "these", "those",
    "other", "she", "him", "per",
]);

const fn pack_all<const N: usize>(words: [&str; N]) -> [u128; N] {
    let mut packed = [0; N];
    let mut place = 0;
    while place < N {
        let bytes = words[place].as_bytes();
        let mut letter = 0;
        while letter < bytes.len() {
            packed[place] = (packed[place] << BITS) | bytes[letter] as u128;
            letter += 1;
        }
        place += 1;
    }
    packed
}

/// Pick and probabilities.
pub(crate) fn decide(shown: &Presentation<'_>) -> Decision {
    let counts = counts(shown);
    let place = best(shown, &counts);
    let top = counts[place];
    let mut probabilities: Vec<f64> = counts
        .iter()
        .map(|count| (SCALE * (count - top)).exp())
        .collect();
    let mut sorted = probabilities.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    let sum: f64 = sorted.iter().sum();
    for p in &mut probabilities {
        *p /= sum;
    }
    Decision::Pick {
        place,
        probabilities,
    }
}

/// The pick alone.
pub(crate) fn pick(shown: &Presentation<'_>) -> usize {
    best(shown, &counts(shown))
}

#[expect(
    clippy::float_cmp,
    reason = "only counts that are equal to the bit tie"
)]
fn best(shown: &Presentation<'_>, counts: &[f64]) -> usize {
    let top = counts.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut tied = shown
        .options()
        .filter(|option| counts[option.position.index()] == top);
    let first = tied.next().expect("a case has an option");
    let best = tied.fold(first, |best, option| {
        if content::order(shown, &option, &best).is_lt() {
            option
        } else {
            best
        }
    });
    best.position.index()
}

/// The weighted number of words that each option shares with the state, by position.
fn counts(shown: &Presentation<'_>) -> Vec<f64> {
    let mut state = Vec::new();
    strings(shown.state(), &mut |text| {
        words(text, &mut |stem, letters| {
            if letters > STEM || !STOP.contains(&stem) {
                state.push(stem);
            }
        });
    });
    state.sort_unstable();
    state.dedup();
    let mut holders = vec![0_u16; state.len()];
    // The places in `state` of the words shared by each option, option after option.
    let mut shared: Vec<usize> = Vec::new();
    let mut ends = Vec::with_capacity(shown.len());
    for option in shown.options() {
        let start = shared.len();
        option_words(shown, &option, &mut |stem, _| {
            if let Ok(place) = state.binary_search(&stem)
                && !shared[start..].contains(&place)
            {
                shared.push(place);
                holders[place] += 1;
            }
        });
        shared[start..].sort_unstable();
        ends.push(shared.len());
    }
    let mut start = 0;
    ends.into_iter()
        .map(|end| {
            let count = shared[start..end]
                .iter()
                .map(|&place| 1.0 / f64::from(holders[place]))
                .sum();
            start = end;
            count
        })
        .collect()
}

fn option_words<'a>(
    shown: &Presentation<'a>,
    option: &Shown<'a>,
    each: &mut impl FnMut(u128, usize),
) {
    words(content::name(shown, option), each);
    if let Some(text) = option.text {
        strings(text, &mut |text| words(text, each));
    }
}

/// Hands every string of `value` to `each`; member names are no content.
fn strings(value: &Json, each: &mut dyn FnMut(&str)) {
    match value {
        Json::String(text) => each(text),
        Json::Array(items) => items.iter().for_each(|item| strings(item, each)),
        Json::Object(object) => object
            .members()
            .iter()
            .for_each(|(_, value)| strings(value, each)),
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}

/// Hands every word of `text` to `each`, as its packed stem and its number of letters.
fn words(text: &str, each: &mut impl FnMut(u128, usize)) {
    let (mut stem, mut letters) = (0, 0);
    for c in text.chars() {
        if c.is_ascii_alphabetic() {
            push(c.to_ascii_lowercase(), &mut stem, &mut letters);
        } else if c.is_alphabetic() {
            c.to_lowercase()
                .for_each(|c| push(c, &mut stem, &mut letters));
        } else {
            if letters >= LEAST {
                each(stem, letters);
            }
            (stem, letters) = (0, 0);
        }
    }
    if letters >= LEAST {
        each(stem, letters);
    }
}

fn push(c: char, stem: &mut u128, letters: &mut usize) {
    if *letters < STEM {
        *stem = (*stem << BITS) | u128::from(u32::from(c));
    }
    *letters += 1;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stems(text: &str) -> Vec<(u128, usize)> {
        let mut found = Vec::new();
        words(text, &mut |stem, letters| found.push((stem, letters)));
        found
    }

    #[test]
    fn words_are_runs_of_three_letters_compared_by_their_first_five() {
        assert_eq!(stems("Refund a-b it's")[0].0, stems("refunds")[0].0);
        assert_eq!(stems("Refund a-b it's").len(), 1);
        assert_ne!(stems("login")[0].0, stems("logistics")[0].0);
        assert_eq!(stems("RÜCKGABE")[0], stems("rückgabe")[0]);
    }

    #[test]
    fn no_stop_word_is_longer_than_a_stem_or_given_twice() {
        let mut sorted = STOP.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), STOP.len());
        assert!(STOP.iter().all(|stem| *stem < 1 << (BITS * 5)));
    }
}
