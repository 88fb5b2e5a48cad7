//! A presentation in words.

use flipside_core::case::QuestionKind;
use flipside_core::json::Json;
use flipside_core::present::{Presentation, Shown};

use super::letters::{self, Letters};
use super::template::{Slot, Template};

/// What a model is shown: the two parts of a conversation, of which completions get one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Words {
    pub(super) system: Option<String>,
    pub(super) user: String,
}

impl Words {
    /// Both parts as one text, a blank line between them.
    pub(super) fn joined(&self) -> String {
        match &self.system {
            Some(system) => format!("{system}\n\n{}", self.user),
            None => self.user.clone(),
        }
    }
}

/// What is shown otherwise than it is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Change<'c> {
    /// The state.
    pub(super) state: Option<&'c str>,
    /// Whether every option is the first, at its own position.
    pub(super) equal: bool,
}

/// `shown` in the words of `template`, with `letters` where there are some.
pub(super) fn words(
    template: &Template,
    shown: &Presentation<'_>,
    letters: Option<&Letters>,
) -> Words {
    changed(template, shown, letters, Change::default())
}

/// The same with a change.
pub(super) fn changed(
    template: &Template,
    shown: &Presentation<'_>,
    letters: Option<&Letters>,
    change: Change<'_>,
) -> Words {
    let first = shown.options().next().filter(|_| change.equal);
    let options: Vec<String> = shown
        .options()
        .map(|option| match first {
            None => option,
            Some(first) => Shown {
                position: option.position,
                ..first
            },
        })
        .map(|option| line(template, shown, letters, &option))
        .collect();
    let options = options.join("\n");
    let value = |slot| match slot {
        Slot::State => change
            .state
            .map_or_else(|| state(shown.state()), str::to_owned),
        Slot::Instructions => shown.instructions().map(instructions).unwrap_or_default(),
        Slot::Options => options.clone(),
        Slot::Letter | Slot::Key | Slot::Text | Slot::Option => String::new(),
    };
    Words {
        system: template
            .system
            .as_ref()
            .map(|part| part.fill(value))
            .filter(|text| !text.is_empty()),
        user: template.user.fill(value),
    }
}

/// An option as `template` lists it.
pub(super) fn line(
    template: &Template,
    shown: &Presentation<'_>,
    letters: Option<&Letters>,
    option: &Shown<'_>,
) -> String {
    template.option.fill(|slot| match slot {
        Slot::Letter => letters
            .map(|letters| char::from(letters.shown[option.position.index()]).to_string())
            .unwrap_or_default(),
        slot => of_option(shown, option, slot),
    })
}

/// Whether `template` shows the key of an option.
pub(super) fn keyed(template: &Template, shown: &Presentation<'_>, option: &Shown<'_>) -> bool {
    let part = &template.option;
    part.has(Slot::Key) || (part.has(Slot::Option) && (named(shown) || described(option).is_none()))
}

/// Whether keys are names, and no letters or numbers of levels.
fn named(shown: &Presentation<'_>) -> bool {
    shown.case().question.kind != QuestionKind::Score && letters::own(shown).is_none()
}

/// What is scored of each option by `read=text`, first position first.
pub(super) fn answers(template: &Template, shown: &Presentation<'_>) -> Vec<String> {
    shown
        .options()
        .map(|option| template.answer.fill(|slot| of_option(shown, &option, slot)))
        .collect()
}

fn of_option(shown: &Presentation<'_>, option: &Shown<'_>, slot: Slot) -> String {
    match slot {
        Slot::Key => option.key.0.clone(),
        Slot::Text => described(option).unwrap_or_default(),
        Slot::Option => whole(shown, option),
        Slot::Letter | Slot::State | Slot::Instructions | Slot::Options => String::new(),
    }
}

/// `KEY: TEXT`, or what there is of it; the text alone where the key is no name: a letter, or the number of a level.
pub(super) fn whole(shown: &Presentation<'_>, option: &Shown<'_>) -> String {
    match described(option) {
        Some(text) if named(shown) => format!("{}: {text}", option.key.0),
        Some(text) => text,
        None => option.key.0.clone(),
    }
}

/// The text of an option, where it says something.
pub(super) fn described(option: &Shown<'_>) -> Option<String> {
    option.text.map(text).filter(|text| !text.is_empty())
}

/// A text as it is, nothing for null, everything else as compact JSON.
fn text(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Null => String::new(),
        other => other.to_text(),
    }
}

/// The text of a member `rules` that stands alone, which is how cases with plain `rules` are asked; anything else as [`text`].
fn instructions(value: &Json) -> String {
    let alone = match value {
        Json::Object(members) => match members.members() {
            [(name, Json::String(rules))] if name == "rules" => Some(rules.clone()),
            _ => None,
        },
        _ => None,
    };
    alone.unwrap_or_else(|| text(value))
}

/// An object as one line `name: value` per member, in its order; anything else as [`text`].
fn state(state: &Json) -> String {
    let Json::Object(members) = state else {
        return text(state);
    };
    let line = |(name, value): &(String, Json)| {
        format!(
            "{name}: {}",
            value
                .as_str()
                .map_or_else(|| value.to_text(), str::to_owned)
        )
    };
    members
        .members()
        .iter()
        .map(line)
        .collect::<Vec<_>>()
        .join("\n")
}
