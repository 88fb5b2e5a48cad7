//! What the canary asks, and in which order.

use super::judge::{Heard, moved};
use crate::case::{self, Brought, Case, CaseId, CaseOption, Key, KeyBinding, QuestionKind, Source};
use crate::json::{Json, Object};
use crate::order::{OptionId, Order};
use crate::perturb::{Axis, Variant};
use crate::plan::Plan;

/// The most asks that the canary makes of one model.
pub const MOST_ASKS: usize = 8;
/// Texts shorter than this have no room for a beginning and an end.
const SHORTEST_TEXT: usize = 16;
/// Longer texts are not asked, so that the canary stays cheap.
const LONGEST_TEXT: usize = 2_000;
/// Keys that say nothing. Their places in sorted order (2, 3, 0, 1) differ from their own and from those of [`INTEGERS`] in every
/// place, so that a model which prefers a place shows whether it saw them sorted or as they were first sent.
pub(super) const PLAIN: [&str; 4] = ["mir", "tol", "bes", "kan"];
/// Keys that JavaScript moves (sorted: 1, 0, 3, 2).
pub(super) const INTEGERS: [&str; 4] = ["2", "1", "4", "3"];
/// What texts are filled with.
const FILLING: &str = "the desk for such matters ";
/// How texts end, one for each option.
const ENDS: [&str; 4] = ["amber", "birch", "cedar", "delta"];

/// Whether a run of `plan` asks something that changes the order of options or their keys.
pub fn concerns(plan: &Plan) -> bool {
    let reorders =
        |variant: &Variant| matches!(variant.axis, Axis::Order | Axis::Keys | Axis::Cross);
    plan.variants.iter().any(reorders)
}

/// Characters of the longest option text in a plan.
pub fn longest_text(plan: &Plan) -> usize {
    let options = plan.cases.iter().flat_map(|case| &case.options);
    let texts = options.filter_map(|option| option.text.as_ref());
    let length = |text: &Json| match text.as_str() {
        Some(text) => text.chars().count(),
        None => text.to_text().chars().count(),
    };
    texts.map(length).max().unwrap_or(0)
}

/// One question of the canary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// Its options.
    pub content: Content,
    /// Their order.
    pub turn: Turn,
    /// Whether it is asked once more, to the byte.
    pub again: bool,
}

/// The options of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Plain keys and one text for all.
    Plain,
    /// Keys that look like integers and one text for all.
    Integers,
    /// Plain keys and long texts that differ in their last word, of so many characters.
    Texts(usize),
    /// As [`Content::Texts`], with the last words of the options exchanged.
    OtherEnds(usize),
    /// As [`Content::Texts`], with other texts from the first character on.
    OtherTexts(usize),
}

/// The order of the options of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// As they are listed.
    Own,
    /// In one cycle: a model that looks at places alone answers the same only if it prefers none.
    Turned,
    /// Reversed: no option keeps the one before it.
    Reversed,
}

impl Turn {
    /// The order.
    pub fn order(self) -> Order {
        let ids = match self {
            Self::Own => [0, 1, 2, 3],
            Self::Turned => [2, 0, 3, 1],
            Self::Reversed => [3, 2, 1, 0],
        };
        Order::listing(&ids.map(OptionId))
    }
}

impl Question {
    const fn new(content: Content, turn: Turn) -> Self {
        Self {
            content,
            turn,
            again: false,
        }
    }

    /// Its name in records, such as `plain/turned`.
    pub fn name(&self) -> String {
        let content = match self.content {
            Content::Plain => "plain",
            Content::Integers => "integers",
            Content::Texts(_) => "texts",
            Content::OtherEnds(_) => "other-ends",
            Content::OtherTexts(_) => "other-texts",
        };
        let turn = match (self.turn, self.again) {
            (Turn::Own, false) => "own",
            (Turn::Turned, false) => "turned",
            (Turn::Reversed, false) => "reversed",
            (_, true) => "again",
        };
        format!("{content}/{turn}")
    }

    /// The case that asks it, of which [`Turn::order`] is the order.
    pub fn case(&self) -> Case {
        let text = |text: &str| Json::String(text.to_owned());
        let object = |key: &str, words: &str| {
            Json::Object(Object::new(vec![(key.to_owned(), text(words))]).expect("one member"))
        };
        let keys = match self.content {
            Content::Integers => INTEGERS,
            _ => PLAIN,
        };
        let option = |(place, key): (usize, &str)| CaseOption {
            key: Key(key.to_owned()),
            text: Some(text(&self.content.text(place))),
        };
        Case {
            id: CaseId("canary".to_owned()),
            source: Source {
                format: "canary".to_owned().into(),
                file: "canary".to_owned().into(),
                line: 1,
            },
            state: object(
                "note",
                "A check of the connection. Nothing here speaks for any option.",
            ),
            question: case::Question {
                kind: QuestionKind::Choice,
                name: "pick".to_owned(),
                instructions: Some(object("rules", "Pick any option.")),
                before: Vec::new(),
                after: Vec::new(),
            }
            .into(),
            options: keys.into_iter().enumerate().map(option).collect(),
            keys: KeyBinding::Option,
            accept: Vec::new().into(),
            named: true,
            position_dependent: None,
            note: None,
            fields: Vec::new().into(),
            equal: Vec::new().into(),
            brought: Brought::default(),
        }
    }
}

impl Content {
    fn text(self, place: usize) -> String {
        let filled = |characters: usize| FILLING.chars().cycle().take(characters);
        match self {
            Self::Plain | Self::Integers => "one of four".to_owned(),
            Self::Texts(length) => filled(alike(length)).collect::<String>() + ENDS[place],
            Self::OtherEnds(length) => {
                filled(alike(length)).collect::<String>() + ENDS[(place + 1) % 4]
            }
            Self::OtherTexts(length) => {
                let words = [ENDS[(place + 1) % 4], " "].concat();
                words.chars().cycle().take(length).collect()
            }
        }
    }
}

/// Characters at the start of texts of `length` that are the same in all of them.
pub(super) fn alike(length: usize) -> usize {
    length - ENDS[0].len()
}

/// What is to be asked after `heard`; `None` when it is done. `longest`: characters of the longest option text that the run asks.
pub fn next(heard: &[Heard], longest: usize) -> Option<Question> {
    if heard.len() >= MOST_ASKS {
        return None;
    }
    let find = |content, turn, again| {
        let mut all = heard.iter();
        all.find(|each| {
            each.question
                == Question {
                    content,
                    turn,
                    again,
                }
        })
    };
    let ask = |content, turn| Some(Question::new(content, turn));
    let plain = |turn| find(Content::Plain, turn, false);
    let Some(own) = plain(Turn::Own) else {
        return ask(Content::Plain, Turn::Own);
    };
    let Some(turned) = plain(Turn::Turned) else {
        return ask(Content::Plain, Turn::Turned);
    };
    let mut orders_differ = moved(own, turned);
    if !orders_differ {
        match plain(Turn::Reversed) {
            None => return ask(Content::Plain, Turn::Reversed),
            Some(reversed) => orders_differ = moved(own, reversed),
        }
    }
    if orders_differ {
        match find(Content::Plain, Turn::Own, true) {
            None => {
                return Some(Question {
                    again: true,
                    ..own.question
                });
            }
            // What differs from itself tells nothing more.
            Some(again) if moved(own, again) => return None,
            Some(_) => {}
        }
    }
    for turn in [Turn::Own, Turn::Turned] {
        if find(Content::Integers, turn, false).is_none() {
            return ask(Content::Integers, turn);
        }
    }
    if longest < SHORTEST_TEXT || own.probabilities.is_none() {
        return None;
    }
    let length = longest.min(LONGEST_TEXT);
    let of = |content| find(content, Turn::Own, false);
    let Some(texts) = of(Content::Texts(length)) else {
        return ask(Content::Texts(length), Turn::Own);
    };
    match of(Content::OtherEnds(length)) {
        None => ask(Content::OtherEnds(length), Turn::Own),
        Some(ends) if moved(texts, ends) => None,
        Some(_) if of(Content::OtherTexts(length)).is_some() => None,
        Some(_) => ask(Content::OtherTexts(length), Turn::Own),
    }
}
