//! What Laya reads of a question: a head of instructions and options, then as much of the state as fits.
//!
//! It cuts without a word, so this is an estimate, made of bytes; what the reply says is better and read elsewhere. Numbers are
//! those of laya 0.4.15 (the wire page, 3.2).

use std::collections::BTreeSet;

use flipside_core::answer::Answer;
use flipside_core::case::QuestionKind;
use flipside_core::json::Json;
use flipside_core::present::{Presentation, Shown};

/// Bytes of text in one token, about.
const BYTES_A_TOKEN: usize = 4;
/// The most tokens of one option.
const OPTION: usize = 48;
/// Tokens of the head that no option gets.
const RESERVED: usize = 16;
/// The fewest tokens that an option is cut to.
const LEAST: usize = 4;

/// What one checkpoint reads at most, in tokens.
#[derive(Clone, Copy)]
struct Budget {
    head: usize,
    window: u64,
}

const ENGLISH: Budget = Budget {
    head: 192,
    window: 512,
};
/// That of every other checkpoint, and the larger one: a checkpoint that is not known is not said to have cut.
const OTHERS: Budget = Budget {
    head: 256,
    window: 1_024,
};

const OPTIONS_CUT: &str = "by an estimate of ours some option texts are longer than what Laya reads of each, so that their ends were cut";
const OPTIONS_ALIKE: &str =
    "by an estimate of ours Laya cut options to the same text: choosing between them is a tie";
const WINDOW_FULL: &str =
    "`usage.input_tokens` is all that Laya reads of a question: the end of the state was cut";

/// What was cut out of `shown`, as far as it can be told; `window` replaces the checkpoint's own number of tokens.
pub(super) fn remarks(
    shown: &Presentation<'_>,
    answer: &Answer,
    window: Option<u64>,
) -> Vec<String> {
    let english = answer.served_model.as_deref() == Some("english");
    let budget = if english { ENGLISH } else { OTHERS };
    let question = &shown.case().question;
    let questions = (1 + question.before.len() + question.after.len()) as u64;
    let full = questions * window.unwrap_or(budget.window);
    let window_full = answer
        .usage
        .input_tokens
        .is_some_and(|tokens| tokens >= full);
    let head = head(shown, budget.head);
    [
        (head.cut, OPTIONS_CUT),
        (head.alike, OPTIONS_ALIKE),
        (window_full, WINDOW_FULL),
    ]
    .into_iter()
    .filter(|(is, _)| *is)
    .map(|(_, text)| text.to_owned())
    .collect()
}

/// What becomes of the options.
struct Head {
    cut: bool,
    /// Whether two that differ are the same after the cut.
    alike: bool,
}

fn head(shown: &Presentation<'_>, most: usize) -> Head {
    // The sides of a statement are two, and levels have no keys.
    if shown.case().question.kind == QuestionKind::Noul {
        return Head {
            cut: false,
            alike: false,
        };
    }
    let texts: Vec<String> = shown
        .options()
        .map(|option| spoken(shown, option))
        .collect();
    let instructions = shown.instructions().map_or(0, |text| tokens(&plain(text)));
    let options: usize = texts.iter().map(|text| tokens(text).min(OPTION)).sum();
    let each = if instructions + options > most {
        OPTION.min(LEAST.max((most - RESERVED) / texts.len().max(1)))
    } else {
        OPTION
    };
    let whole: BTreeSet<&str> = texts.iter().map(String::as_str).collect();
    let read: BTreeSet<&str> = whole.iter().map(|text| start(text, each)).collect();
    Head {
        cut: texts.iter().any(|text| tokens(text) > each),
        alike: read.len() < whole.len(),
    }
}

/// The text of an option as Laya shows it: `key: text`, or the key alone.
fn spoken(shown: &Presentation<'_>, option: Shown<'_>) -> String {
    match option.text {
        Some(text) if shown.case().question.kind == QuestionKind::Score => plain(text),
        Some(text) => format!("{}: {}", option.key.0, plain(text)),
        None => option.key.0.clone(),
    }
}

fn plain(text: &Json) -> String {
    text.as_str().map_or_else(|| text.to_text(), str::to_owned)
}

fn tokens(text: &str) -> usize {
    text.len().div_ceil(BYTES_A_TOKEN)
}

/// The first `most` tokens.
fn start(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most * BYTES_A_TOKEN)]
}
