//! What the canary asks, and in which order.

use super::judge::{Heard, doubted, moved};
use crate::case::{self, Brought, Case, CaseId, CaseOption, Key, KeyBinding, QuestionKind, Source};
use crate::json::{Json, Object};
use crate::order::{OptionId, Order};
use crate::perturb::{Axis, Variant};
use crate::plan::Plan;

/// The most asks that the canary makes of one model.
pub const MOST_ASKS: usize = 14;
/// Texts shorter than this have no room for a beginning and an end.
const SHORTEST_TEXT: usize = 16;
/// Longer texts are not asked, so that the canary stays cheap.
const LONGEST_TEXT: usize = 2_000;
/// Keys that say nothing. Their places in sorted order (2, 3, 0, 1) differ from their own and from those of [`INTEGERS`] in every
/// place, so that a model which prefers a place shows whether it saw them sorted or as they were first sent.
pub(super) const PLAIN: [&str; 4] = ["mir", "tol", "bes", "kan"];
/// Keys that JavaScript moves (sorted: 1, 0, 3, 2).
pub(super) const INTEGERS: [&str; 4] = ["2", "1", "4", "3"];
/// Further keys that say nothing, asked while answers may follow sorted keys or the first order by chance.
pub(super) const FURTHER: [[&str; 4]; 6] = [
    ["nup", "dar", "wex", "fil"],
    ["gom", "ras", "hin", "cub"],
    ["zet", "lud", "pag", "vok"],
    ["jun", "sig", "bal", "der"],
    ["tev", "fom", "kip", "nad"],
    ["hos", "wil", "mup", "ceb"],
];
/// Words that say the same in any order, for texts that must differ.
const NEUTRAL: [&str; 5] = ["any", "one", "of", "these", "four"];
/// How often the ends of texts are changed. A model that is sure of one of four by a hash of all it reads keeps its choice through
/// all of them by a chance of 1 in 4^4.
const CHANGED_ENDS: usize = 4;
/// The most asks about texts: the first texts, others, and those with changed ends.
const TEXT_ASKS: usize = 2 + CHANGED_ENDS;
/// What texts are filled with.
const FILLING: &str = "the desk for such matters ";
/// How texts end, one for each option.
const ENDS: [&str; 4] = ["amber", "birch", "cedar", "delta"];
/// Other ends of the same length.
const NEW_ENDS: [&str; 4] = ["ember", "flint", "grove", "heath"];

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
    /// Further plain keys and one text for all; which, from 0.
    Further(usize),
    /// Plain keys and long texts that differ in their last word, of so many characters.
    Texts(usize),
    /// As [`Content::Texts`], with other last words: the second number says which, from 1.
    OtherEnds(usize, usize),
    /// As [`Content::Texts`], with other texts from the first character on.
    OtherTexts(usize),
}

/// Whether options that say nothing say it in the same words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wording {
    /// One text for all options, so that nothing but keys and places tells them apart.
    Same,
    /// The same words in another order for each option, of every set of keys: for protocols that refuse two options with one text.
    Apart,
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
            Content::Plain => "plain".to_owned(),
            Content::Integers => "integers".to_owned(),
            Content::Further(which) => format!("further-{}", which + 1),
            Content::Texts(_) => "texts".to_owned(),
            Content::OtherEnds(_, which) => format!("other-ends-{which}"),
            Content::OtherTexts(_) => "other-texts".to_owned(),
        };
        let turn = match (self.turn, self.again) {
            (Turn::Own, false) => "own",
            (Turn::Turned, false) => "turned",
            (Turn::Reversed, false) => "reversed",
            (_, true) => "again",
        };
        format!("{content}/{turn}")
    }

    /// The case that asks it in `wording`, of which [`Turn::order`] is the order.
    pub fn case(&self, wording: Wording) -> Case {
        let text = |text: &str| Json::String(text.to_owned());
        let object = |key: &str, words: &str| {
            Json::Object(Object::new(vec![(key.to_owned(), text(words))]).expect("one member"))
        };
        let keys = self.content.keys();
        let option = |(place, key): (usize, &str)| CaseOption {
            key: Key(key.to_owned()),
            text: Some(text(&self.content.text(place, wording))),
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
    /// The keys of its options as they are listed.
    pub(super) fn keys(self) -> [&'static str; 4] {
        match self {
            Self::Integers => INTEGERS,
            Self::Further(which) => FURTHER[which],
            _ => PLAIN,
        }
    }

    fn text(self, place: usize, wording: Wording) -> String {
        let says_nothing = |set: usize| match wording {
            Wording::Same => "one of four".to_owned(),
            Wording::Apart => neutral(set * 4 + place),
        };
        let filled = |characters: usize| FILLING.chars().cycle().take(characters);
        match self {
            Self::Plain => says_nothing(0),
            Self::Integers => says_nothing(1),
            Self::Further(which) => says_nothing(2 + which),
            Self::Texts(length) => filled(alike(length)).collect::<String>() + ENDS[place],
            Self::OtherEnds(length, which) => {
                let end = if which < ENDS.len() {
                    ENDS[(place + which) % ENDS.len()]
                } else {
                    NEW_ENDS[place]
                };
                filled(alike(length)).collect::<String>() + end
            }
            Self::OtherTexts(length) => {
                let words = [ENDS[(place + 1) % 4], " "].concat();
                words.chars().cycle().take(length).collect()
            }
        }
    }
}

/// The neutral words in the arrangement of that number, all different below 120.
fn neutral(number: usize) -> String {
    let mut left = NEUTRAL.to_vec();
    let mut rest = number;
    let mut words = Vec::new();
    while !left.is_empty() {
        words.push(left.remove(rest % left.len()));
        rest /= left.len() + 1;
    }
    words.join(" ")
}

/// Characters at the start of texts of `length` that are the same in all of them.
pub(super) fn alike(length: usize) -> usize {
    length - ENDS[0].len()
}

/// What was heard of one question.
pub(super) fn found(heard: &[Heard], content: Content, turn: Turn, again: bool) -> Option<&Heard> {
    let wanted = Question {
        content,
        turn,
        again,
    };
    heard.iter().find(|each| each.question == wanted)
}

/// What is to be asked after `heard`; `None` when it is done. `longest`: characters of the longest option text that the run asks.
pub fn next(heard: &[Heard], longest: usize) -> Option<Question> {
    if heard.len() >= MOST_ASKS {
        return None;
    }
    let find = |content, turn, again| found(heard, content, turn, again);
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
    if let Some(further) = doubted(heard) {
        return ask(Content::Further(further), Turn::Own);
    }
    next_of_texts(heard, longest)
}

/// What is to be asked about the ends of texts.
fn next_of_texts(heard: &[Heard], longest: usize) -> Option<Question> {
    let of_texts = |each: &&Heard| {
        matches!(
            each.question.content,
            Content::Texts(_) | Content::OtherTexts(_) | Content::OtherEnds(..)
        )
    };
    let before = heard.len() - heard.iter().filter(of_texts).count();
    let silent = heard.iter().any(|each| each.probabilities.is_none());
    if longest < SHORTEST_TEXT || silent || before + TEXT_ASKS > MOST_ASKS {
        return None;
    }
    let length = longest.min(LONGEST_TEXT);
    let ask = |content| Some(Question::new(content, Turn::Own));
    let of = |content| heard.iter().find(|each| each.question.content == content);
    let Some(texts) = of(Content::Texts(length)) else {
        return ask(Content::Texts(length));
    };
    match of(Content::OtherTexts(length)) {
        None => return ask(Content::OtherTexts(length)),
        // What no text changes, no end of one can.
        Some(others) if !moved(texts, others) => return None,
        Some(_) => {}
    }
    for which in 1..=CHANGED_ENDS {
        match of(Content::OtherEnds(length, which)) {
            None => return ask(Content::OtherEnds(length, which)),
            Some(ends) if moved(texts, ends) => return None,
            Some(_) => {}
        }
    }
    None
}

/// The changed ends of texts of `length`.
pub(super) fn changed_ends(length: usize) -> impl Iterator<Item = Content> {
    (1..=CHANGED_ENDS).map(move |which| Content::OtherEnds(length, which))
}
