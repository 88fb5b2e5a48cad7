//! The words around a case: a text in parts with placeholders.

use std::collections::BTreeMap;
use std::fmt;

use flipside_core::digest::Digest;
use flipside_core::foreign::Foreign;

use super::settings::Read;

/// What a language model is shown around the case, and how an option is written.
///
/// A line `[system]`, `[user]`, `[option]` or `[answer]` alone begins a part; blank lines around a part are no part of it.
/// `{{name}}` is replaced, once: what is put in is not looked at again. A line that is one placeholder and comes out empty is left
/// out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    text: String,
    pub(super) system: Option<Part>,
    pub(super) user: Part,
    pub(super) option: Part,
    pub(super) answer: Part,
}

/// Lines of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part(Vec<Vec<Piece>>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Slot(Slot),
}

/// What a placeholder stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    State,
    Instructions,
    Options,
    Letter,
    Key,
    Text,
    Option,
}

/// Why a text is no template.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct TemplateProblem {
    /// The line, from 1.
    pub line: usize,
    /// What was found and expected.
    pub problem: String,
}

/// The template of letters and plain text, where nobody gives another.
pub const LETTERS: &str = "\
[system]
You choose exactly one option. Answer with its letter alone.
[user]
{{state}}

{{instructions}}
{{options}}
Letter:
[option]
{{letter}}) {{option}}
";

/// The template of `read=text`, where nobody gives another.
pub const TEXTS: &str = "\
[user]
{{state}}

{{instructions}}
{{options}}
Answer:
[option]
- {{option}}
[answer]
{{option}}
";

const PARTS: [&str; 4] = ["system", "user", "option", "answer"];

impl Slot {
    const AROUND: [Self; 3] = [Self::State, Self::Instructions, Self::Options];
    const LISTED: [Self; 4] = [Self::Letter, Self::Key, Self::Text, Self::Option];
    const SCORED: [Self; 3] = [Self::Key, Self::Text, Self::Option];

    fn name(self) -> &'static str {
        match self {
            Self::State => "state",
            Self::Instructions => "instructions",
            Self::Options => "options",
            Self::Letter => "letter",
            Self::Key => "key",
            Self::Text => "text",
            Self::Option => "option",
        }
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{{{}}}}}", self.name())
    }
}

impl Template {
    /// The template that is used for `read` where nobody gives another.
    pub fn standard(read: Read) -> Self {
        let text = match read {
            Read::Text => TEXTS,
            Read::Letter | Read::Plain => LETTERS,
        };
        Self::parse(text, read).expect("our own templates are tested")
    }

    /// The template that `text` is, for `read`.
    ///
    /// # Errors
    /// [`TemplateProblem`] with its line: a part or placeholder that there is not, or one that is missing.
    pub fn parse(text: &str, read: Read) -> Result<Self, TemplateProblem> {
        let mut parts: [Option<(usize, Part)>; 4] = Default::default();
        let mut current: Option<usize> = None;
        let mut last = 0;
        for (number, line) in (1..).zip(text.lines()) {
            last = number;
            let name = line.trim_end().strip_prefix('[');
            let named = name.and_then(|name| name.strip_suffix(']'));
            if let Some(place) = named.and_then(|name| PARTS.iter().position(|part| *part == name))
            {
                if parts[place].is_some() {
                    return problem(
                        number,
                        format!("the part `[{}]` stands twice", PARTS[place]),
                    );
                }
                parts[place] = Some((number, Part(Vec::new())));
                current = Some(place);
                continue;
            }
            let Some(place) = current else {
                if line.trim().is_empty() {
                    continue;
                }
                let found = Foreign(line).cut(40);
                return problem(
                    number,
                    format!(
                        "`{found}` stands before any part, expected `[system]` or `[user]` alone on a line"
                    ),
                );
            };
            let slots: &[Slot] = match (PARTS[place], read) {
                ("option", Read::Text) | ("answer", _) => &Slot::SCORED,
                ("option", _) => &Slot::LISTED,
                _ => &Slot::AROUND,
            };
            let line = pieces(line, number, PARTS[place], slots)?;
            if let Some((_, part)) = &mut parts[place] {
                part.0.push(line);
            }
        }
        let [system, user, option, answer] = parts.map(|part| {
            part.map(|(line, mut part)| {
                part.trim();
                (line, part)
            })
        });
        let Some((at_user, user)) = user else {
            return problem(last, "there is no part `[user]`");
        };
        let listed = user.has(Slot::Options)
            || system
                .as_ref()
                .is_some_and(|(_, part)| part.has(Slot::Options));
        if !listed && read != Read::Text {
            return problem(
                at_user,
                "`[user]` has no `{{options}}`, so that no option would be shown",
            );
        }
        let standard = |part: &str, slots: &[Slot]| {
            Part(vec![
                pieces(part, 0, "option", slots).expect("a line of our own"),
            ])
        };
        let option = match (option, read) {
            (Some((line, part)), Read::Letter | Read::Plain) if !part.has(Slot::Letter) => {
                return problem(
                    line,
                    "`[option]` has no `{{letter}}`, by which the answer is read",
                );
            }
            (Some((_, part)), _) => part,
            (None, Read::Text) => standard("- {{option}}", &Slot::SCORED),
            (None, _) => standard("{{letter}}) {{option}}", &Slot::LISTED),
        };
        let answer = match (answer, read) {
            (Some((line, _)), Read::Letter | Read::Plain) => {
                return problem(line, "`[answer]` belongs to `read=text` alone");
            }
            (Some((line, part)), Read::Text)
                if !Slot::SCORED.iter().any(|slot| part.has(*slot)) =>
            {
                return problem(
                    line,
                    "`[answer]` has none of `{{key}}`, `{{text}}` and `{{option}}`, so that all answers would be one",
                );
            }
            (Some((_, part)), Read::Text) => part,
            (None, _) => standard("{{option}}", &Slot::SCORED),
        };
        Ok(Self {
            text: text.to_owned(),
            system: system.map(|(_, part)| part),
            user,
            option,
            answer,
        })
    }

    /// The text that it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether options are listed in it.
    pub(super) fn lists(&self) -> bool {
        let system = self.system.iter();
        system
            .chain([&self.user])
            .any(|part| part.has(Slot::Options))
    }

    /// Puts text and digest among the settings that a record names.
    pub(super) fn record(&self, settings: &mut BTreeMap<String, String>) {
        settings.insert("template".to_owned(), self.text().to_owned());
        settings.insert("template-sha256".to_owned(), self.digest().to_string());
    }

    /// SHA-256 of the text.
    pub fn digest(&self) -> Digest {
        Digest::of(self.text.as_bytes())
    }
}

impl Part {
    /// The part with its placeholders replaced.
    pub(super) fn fill(&self, value: impl Fn(Slot) -> String) -> String {
        let mut lines = Vec::with_capacity(self.0.len());
        for line in &self.0 {
            let filled: String = line
                .iter()
                .map(|piece| match piece {
                    Piece::Text(text) => text.clone(),
                    Piece::Slot(slot) => value(*slot),
                })
                .collect();
            if !(filled.is_empty() && matches!(line.as_slice(), [Piece::Slot(_)])) {
                lines.push(filled);
            }
        }
        lines.join("\n")
    }

    pub(super) fn has(&self, slot: Slot) -> bool {
        self.0
            .iter()
            .flatten()
            .any(|piece| *piece == Piece::Slot(slot))
    }

    /// Without the blank lines around it.
    fn trim(&mut self) {
        let blank = |line: &Vec<Piece>| {
            line.iter()
                .all(|piece| matches!(piece, Piece::Text(text) if text.trim().is_empty()))
        };
        while self.0.last().is_some_and(blank) {
            self.0.pop();
        }
        let first = self.0.iter().position(|line| !blank(line)).unwrap_or(0);
        self.0.drain(..first);
    }
}

fn problem<T>(line: usize, problem: impl Into<String>) -> Result<T, TemplateProblem> {
    Err(TemplateProblem {
        line,
        problem: problem.into(),
    })
}

fn pieces(
    line: &str,
    number: usize,
    part: &str,
    slots: &[Slot],
) -> Result<Vec<Piece>, TemplateProblem> {
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some(start) = rest.find("{{") {
        let Some(length) = rest[start + 2..].find("}}") else {
            return problem(number, "`{{` without `}}`");
        };
        if start > 0 {
            pieces.push(Piece::Text(rest[..start].to_owned()));
        }
        let name = rest[start + 2..start + 2 + length].trim();
        let Some(slot) = slots.iter().find(|slot| slot.name() == name) else {
            let known: Vec<String> = slots.iter().map(|slot| format!("`{slot}`")).collect();
            let name = Foreign(name).cut(40);
            return problem(
                number,
                format!(
                    "`[{part}]` knows no `{{{{{name}}}}}`, expected one of {}",
                    known.join(" ")
                ),
            );
        };
        pieces.push(Piece::Slot(*slot));
        rest = &rest[start + 2 + length + 2..];
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest.to_owned()));
    }
    Ok(pieces)
}
