//! Entries, and how they are found and printed.

use std::fmt::Write;

use super::{compared, figures, runs, verdicts};
use crate::wording;

/// A word and what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The word, as reports print it.
    pub word: &'static str,
    /// Other words for it, or words that the same text explains.
    pub also: &'static [&'static str],
    /// What it is a word for.
    pub group: Group,
    /// What it means, in whole sentences.
    pub text: &'static str,
}

/// What a word is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Cases, asks, and what was done with them.
    Runs,
    /// The axes on which something is changed.
    Axes,
    /// Words of gates.
    Verdicts,
    /// Figures, and what stands beside them.
    Figures,
    /// Two runs, or two records.
    Comparisons,
}

impl Group {
    const ALL: [Self; 5] = [
        Self::Runs,
        Self::Axes,
        Self::Verdicts,
        Self::Figures,
        Self::Comparisons,
    ];

    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Runs => "Runs",
            Self::Axes => "Axes",
            Self::Verdicts => "Verdicts",
            Self::Figures => "Figures",
            Self::Comparisons => "Comparisons",
        }
    }
}

/// Shorthand of the lists.
pub(super) const fn entry(
    group: Group,
    word: &'static str,
    also: &'static [&'static str],
    text: &'static str,
) -> Entry {
    Entry {
        word,
        also,
        group,
        text,
    }
}

/// Every entry, by group.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    let all = [
        runs::ENTRIES,
        runs::AXES,
        verdicts::ENTRIES,
        figures::ENTRIES,
        compared::ENTRIES,
    ];
    all.into_iter().flatten()
}

/// The entry of `word`, in any case and with blanks or hyphens between its parts.
pub fn find(word: &str) -> Option<&'static Entry> {
    let wanted = plain(word);
    entries().find(|entry| names(entry).any(|name| plain(name) == wanted))
}

fn names(entry: &Entry) -> impl Iterator<Item = &'static str> {
    std::iter::once(entry.word).chain(entry.also.iter().copied())
}

fn plain(word: &str) -> String {
    let words = word.split(|c: char| c.is_whitespace() || c == '-' || c == '_');
    let words: Vec<String> = words
        .filter(|part| !part.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join(" ")
}

/// The most words that are offered for one that there is none of.
const OFFERED: usize = 5;

/// Words that have something of `word` in them, or that its parts are in; at most five, in the order of the list.
pub fn nearest(word: &str) -> Vec<&'static str> {
    let wanted = plain(word);
    let parts: Vec<&str> = wanted.split(' ').filter(|part| part.len() > 2).collect();
    let near = |name: &&str| {
        let name = plain(name);
        let begins = |part: &&str| {
            name.split(' ')
                .any(|own| own.starts_with(*part) || part.starts_with(own) && own.len() > 3)
        };
        parts.iter().any(begins)
    };
    entries()
        .flat_map(names)
        .filter(near)
        .take(OFFERED)
        .collect()
}

/// An entry in lines of at most `width` columns.
pub fn render(entry: &Entry, width: usize) -> String {
    let mut out = entry.word.to_owned();
    if !entry.also.is_empty() {
        let _ = write!(out, " (also {})", entry.also.join(", "));
    }
    let mut lines = wording::wrap(&out, width);
    let text = wording::wrap(entry.text, width.saturating_sub(2).max(20));
    lines.extend(text.into_iter().map(|line| format!("  {line}")));
    lines.join("\n") + "\n"
}

/// The words of every group in lines of at most `width` columns.
pub fn render_list(width: usize) -> String {
    let mut out = String::new();
    for group in Group::ALL {
        let of = entries().filter(|entry| entry.group == group);
        let words: Vec<&str> = of.map(|entry| entry.word).collect();
        let _ = writeln!(out, "{}", group.title());
        // A word of several parts stays on one line.
        let joined = words.join(",\n").replace(' ', "\u{a0}").replace('\n', " ");
        for line in wording::wrap(&joined, width.saturating_sub(2).max(20)) {
            let _ = writeln!(out, "  {}", line.replace('\u{a0}', " "));
        }
        out.push('\n');
    }
    out + "`flipside explain WORD` prints what a word means.\n"
}
