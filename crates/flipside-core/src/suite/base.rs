//! Base cases: a decision in several wordings, from which the rows of a suite are made.

use std::collections::BTreeMap;

use super::row::alias;
use crate::case::QuestionKind;
use crate::foreign::Foreign;
use crate::order::{OptionId, Order};

/// What divides a level's name from its description in a row.
pub const LEVEL: &str = ": ";

/// A decision in several wordings that all have the same answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseCase(BaseParts);

/// What a base case is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseParts {
    /// Unique in a suite; not empty.
    pub id: String,
    /// The family that it belongs to, such as `news_topic`; not empty.
    pub family: String,
    /// How the question is answered.
    pub kind: QuestionKind,
    /// Wordings of the same state: two or more, all different.
    pub states: Vec<String>,
    /// The question; for a noul question two different wordings of it.
    pub questions: Vec<String>,
    /// The options in the base order, levels lowest first; an option's canonical identity is its index here. None for a
    /// noul question, whose identities are 0 = false and 1 = true.
    pub options: Vec<BaseOption>,
    /// The accepted option, by canonical identity.
    pub accept: OptionId,
}

/// An option of a base case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseOption {
    /// Its name, which says what it is.
    pub name: String,
    /// What is said about it under every name.
    pub description: String,
}

/// Why parts do not make a base case. Places are counted from 0, as in a path into the JSON that they were read from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BaseError {
    /// A text with nothing in it.
    #[error("`{field}` is empty")]
    Empty {
        /// Where, such as `states[1]`.
        field: String,
    },
    /// Too few or too many of something.
    #[error("expected `{field}` to have {expected}, found {found}")]
    Count {
        /// The list.
        field: &'static str,
        /// How many it may have, in words.
        expected: &'static str,
        /// How many it has.
        found: usize,
    },
    /// A text that stands twice, so that two rows or two options would be the same.
    #[error("`{first}` and `{second}` are the same text")]
    Repeated {
        /// Where it stands first.
        first: String,
        /// Where it stands again.
        second: String,
    },
    /// An option that is called what another key variant calls one.
    #[error(
        "option `{}` has the name of an alias; the renamed rows call their options `{first}` to `{last}`",
        Foreign(name)
    )]
    AliasName {
        /// The option's name.
        name: String,
        /// The alias of the first option.
        first: String,
        /// The alias of the last option.
        last: String,
    },
    /// A level whose name cannot be told from its description.
    #[error(
        "level name `{}` has `{LEVEL}` in it, which divides a level's name from its description",
        Foreign(name)
    )]
    LevelName {
        /// The level's name.
        name: String,
    },
    /// An accepted option that is none.
    #[error("accepted option {identity} is not one of the {options} options")]
    Accept {
        /// The identity.
        identity: u16,
        /// How many options there are.
        options: usize,
    },
}

impl BaseCase {
    /// The base case that is made of `parts`.
    ///
    /// # Errors
    /// Every [`BaseError`] of the parts, in the order of their fields.
    pub fn new(parts: BaseParts) -> Result<Self, Vec<BaseError>> {
        let mut errors = Vec::new();
        for (field, text) in [("id", &parts.id), ("family", &parts.family)] {
            not_empty(field.to_owned(), text, &mut errors);
        }
        if !(2..=usize::from(u16::MAX)).contains(&parts.states.len()) {
            errors.push(BaseError::Count {
                field: "states",
                expected: "two or more wordings",
                found: parts.states.len(),
            });
        }
        listed("states", &parts.states, &mut errors);
        let noul = parts.kind == QuestionKind::Noul;
        let field = if noul { "questions" } else { "question" };
        if parts.questions.len() != if noul { 2 } else { 1 } {
            errors.push(BaseError::Count {
                field,
                expected: if noul { "two wordings" } else { "one wording" },
                found: parts.questions.len(),
            });
        }
        if noul {
            listed(field, &parts.questions, &mut errors);
        } else {
            for question in &parts.questions {
                not_empty(field.to_owned(), question, &mut errors);
            }
        }
        check_options(&parts, &mut errors);
        if errors.is_empty() {
            Ok(Self(parts))
        } else {
            Err(errors)
        }
    }

    /// Unique in a suite.
    pub fn id(&self) -> &str {
        &self.0.id
    }

    /// The family that it belongs to.
    pub fn family(&self) -> &str {
        &self.0.family
    }

    /// How the question is answered.
    pub fn kind(&self) -> QuestionKind {
        self.0.kind
    }

    /// Wordings of the same state, two or more.
    pub fn states(&self) -> &[String] {
        &self.0.states
    }

    /// The one question, or the two wordings of a noul question.
    pub fn questions(&self) -> &[String] {
        &self.0.questions
    }

    /// The options in the base order; none for a noul question.
    pub fn options(&self) -> &[BaseOption] {
        &self.0.options
    }

    /// How many identities there are: the options, or the two sides of a noul question.
    pub fn identities(&self) -> usize {
        identities(&self.0)
    }

    /// The accepted option, by canonical identity.
    pub fn accept(&self) -> OptionId {
        self.0.accept
    }

    /// The parts, owned.
    pub fn into_parts(self) -> BaseParts {
        self.0
    }
}

fn identities(parts: &BaseParts) -> usize {
    match parts.kind {
        QuestionKind::Noul => 2,
        QuestionKind::Choice | QuestionKind::Score => parts.options.len(),
    }
}

fn not_empty(field: String, text: &str, errors: &mut Vec<BaseError>) {
    if text.is_empty() {
        errors.push(BaseError::Empty { field });
    }
}

/// Refuses empty and repeated texts of a list.
fn listed(field: &str, texts: &[String], errors: &mut Vec<BaseError>) {
    let path = |place: usize| format!("{field}[{place}]");
    let named = texts.iter().enumerate();
    distinct(
        named.map(|(place, text)| (path(place), text.as_str())),
        errors,
    );
}

fn distinct<'a>(texts: impl Iterator<Item = (String, &'a str)>, errors: &mut Vec<BaseError>) {
    let mut seen: BTreeMap<&str, String> = BTreeMap::new();
    for (field, text) in texts {
        not_empty(field.clone(), text, errors);
        if let Some(first) = seen.get(text) {
            errors.push(BaseError::Repeated {
                first: first.clone(),
                second: field,
            });
        } else if !text.is_empty() {
            seen.insert(text, field);
        }
    }
}

fn check_options(parts: &BaseParts, errors: &mut Vec<BaseError>) {
    let (options, count) = (&parts.options, parts.options.len());
    let few = match parts.kind {
        QuestionKind::Noul if count > 0 => Some("none: a noul question has two sides"),
        QuestionKind::Choice | QuestionKind::Score if !(2..=Order::MOST).contains(&count) => {
            Some("two or more options")
        }
        _ => None,
    };
    if let Some(expected) = few {
        errors.push(BaseError::Count {
            field: "options",
            expected,
            found: count,
        });
        return;
    }
    let names = options.iter().enumerate();
    distinct(
        names.map(|(place, option)| (format!("options[{place}].name"), option.name.as_str())),
        errors,
    );
    // Under an alias the description is all that tells two options apart.
    let described = options.iter();
    distinct(
        described.map(|option| {
            (
                format!("options.{}", option.name),
                option.description.as_str(),
            )
        }),
        errors,
    );
    for option in options {
        let name = option.name.as_str();
        if (0..count).any(|index| alias(parts.kind, index) == name) {
            errors.push(BaseError::AliasName {
                name: name.to_owned(),
                first: alias(parts.kind, 0),
                last: alias(parts.kind, count - 1),
            });
        }
        if parts.kind == QuestionKind::Score && name.contains(LEVEL) {
            errors.push(BaseError::LevelName {
                name: name.to_owned(),
            });
        }
    }
    let options = identities(parts);
    if parts.accept.index() >= options {
        errors.push(BaseError::Accept {
            identity: parts.accept.0,
            options,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(kind: QuestionKind) -> BaseParts {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let option = |name: &str| BaseOption {
            name: name.to_owned(),
            description: format!("about {name}"),
        };
        let noul = kind == QuestionKind::Noul;
        BaseParts {
            id: "b".to_owned(),
            family: "f".to_owned(),
            kind,
            states: texts(&["one", "two"]),
            questions: texts(if noul {
                &["is it?", "or not?"]
            } else {
                &["which?"]
            }),
            options: if noul {
                Vec::new()
            } else {
                vec![option("low"), option("high")]
            },
            accept: OptionId(1),
        }
    }

    /// What is wrong with the parts once they are changed.
    fn wrong(kind: QuestionKind, change: impl Fn(&mut BaseParts)) -> Vec<String> {
        let mut parts = parts(kind);
        change(&mut parts);
        let errors = BaseCase::new(parts).unwrap_err();
        errors.iter().map(ToString::to_string).collect()
    }

    use QuestionKind::{Choice, Noul, Score};

    #[test]
    fn good_parts_make_a_base_case_and_come_back() {
        for (kind, identities) in [(Choice, 2), (Score, 2), (Noul, 2)] {
            let base = BaseCase::new(parts(kind)).unwrap();
            assert_eq!(base.identities(), identities);
            assert_eq!(base.into_parts(), parts(kind));
        }
    }

    #[test]
    fn all_that_is_wrong_is_told_together() {
        let found = wrong(Choice, |parts| {
            parts.id.clear();
            parts.states = vec!["one".to_owned()];
            parts.accept = OptionId(2);
        });
        assert_eq!(
            found,
            [
                "`id` is empty",
                "expected `states` to have two or more wordings, found 1",
                "accepted option 2 is not one of the 2 options"
            ]
        );
    }

    #[test]
    fn texts_that_are_empty_or_stand_twice_are_refused() {
        let again = |parts: &mut BaseParts| {
            parts.family.clear();
            parts.states = ["one", "", "one"].map(str::to_owned).into();
            parts.questions[0].clear();
            parts.options[1] = parts.options[0].clone();
        };
        assert_eq!(
            wrong(Score, again),
            [
                "`family` is empty",
                "`states[1]` is empty",
                "`states[0]` and `states[2]` are the same text",
                "`question` is empty",
                "`options[0].name` and `options[1].name` are the same text",
                "`options.low` and `options.low` are the same text"
            ]
        );
        let asked_twice = |parts: &mut BaseParts| parts.questions[1] = "is it?".to_owned();
        let twice = "`questions[0]` and `questions[1]` are the same text";
        assert_eq!(wrong(Noul, asked_twice), [twice]);
    }

    #[test]
    fn every_kind_has_its_own_number_of_questions_and_options() {
        let few = |parts: &mut BaseParts| {
            parts.questions.pop();
            parts.options.truncate(1);
        };
        assert_eq!(
            wrong(Choice, few),
            [
                "expected `question` to have one wording, found 0",
                "expected `options` to have two or more options, found 1"
            ]
        );
        let with_options = |listed: &mut BaseParts| {
            listed.questions.push("and?".to_owned());
            listed.options = parts(Choice).options;
        };
        assert_eq!(
            wrong(Noul, with_options),
            [
                "expected `questions` to have two wordings, found 3",
                "expected `options` to have none: a noul question has two sides, found 2"
            ]
        );
        let side = wrong(Noul, |parts| parts.accept = OptionId(2));
        assert_eq!(side, ["accepted option 2 is not one of the 2 options"]);
    }

    #[test]
    fn names_that_rows_could_not_tell_apart_are_refused() {
        let named = |name: &'static str| {
            move |parts: &mut BaseParts| parts.options[0].name = name.to_owned()
        };
        assert_eq!(
            wrong(Choice, named("A2")),
            [
                "option `A2` has the name of an alias; the renamed rows call their options `A1` to `A2`"
            ]
        );
        assert_eq!(
            wrong(Score, named("L0")),
            [
                "option `L0` has the name of an alias; the renamed rows call their options `L0` to `L1`"
            ]
        );
        let divided = "level name `now: at once` has `: ` in it, which divides a level's name from its description";
        assert_eq!(wrong(Score, named("now: at once")), [divided]);
        for (kind, name) in [
            (Choice, "A3"),
            (Choice, "L0"),
            (Choice, "now: at once"),
            (Score, "L2"),
        ] {
            let mut parts = parts(kind);
            named(name)(&mut parts);
            assert!(BaseCase::new(parts).is_ok(), "{name}");
        }
    }
}
