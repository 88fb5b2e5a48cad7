//! What a variant may change in a request, read with a parser and a writer that share nothing with ours.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// JSON with its members in their order.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Tree {
    Object(Vec<(String, Tree)>),
    Array(Vec<Tree>),
    Text(String),
    /// Anything else, as it is written.
    Plain(String),
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Reading)
    }
}

struct Reading;

impl<'de> Visitor<'de> for Reading {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Tree, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = from.next_entry()? {
            members.push(member);
        }
        Ok(Tree::Object(members))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Tree, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = from.next_element()? {
            items.push(item);
        }
        Ok(Tree::Array(items))
    }

    fn visit_str<E>(self, text: &str) -> Result<Tree, E> {
        Ok(Tree::Text(text.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Plain("null".to_owned()))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree::Plain(value.to_string()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tree, E> {
        Ok(Tree::Plain(value.to_string()))
    }
}

impl Tree {
    /// A request, which must have no byte that its tree does not have.
    pub(super) fn request(text: &str) -> Self {
        let tree: Self = serde_json::from_str(text).unwrap();
        assert_eq!(tree.text(), text, "written without any byte to spare");
        tree
    }

    /// As JSON without white space.
    pub(super) fn text(&self) -> String {
        let quoted = |text: &str| Value::from(text).to_string();
        match self {
            Self::Plain(text) => text.clone(),
            Self::Text(text) => quoted(text),
            Self::Array(items) => {
                let items: Vec<String> = items.iter().map(Self::text).collect();
                format!("[{}]", items.join(","))
            }
            Self::Object(members) => {
                let members = members.iter();
                let members =
                    members.map(|(name, value)| format!("{}:{}", quoted(name), value.text()));
                format!("{{{}}}", members.collect::<Vec<_>>().join(","))
            }
        }
    }

    pub(super) fn members(&self) -> &[(String, Self)] {
        match self {
            Self::Object(members) => members,
            other => panic!("an object, not {}", other.text()),
        }
    }

    pub(super) fn member(&self, name: &str) -> &Self {
        let found = self.members().iter().find(|(known, _)| known == name);
        &found
            .unwrap_or_else(|| panic!("no `{name}` in {}", self.text()))
            .1
    }

    /// With every text changed; names of members stay.
    pub(super) fn texts(&self, change: &dyn Fn(&str) -> String) -> Self {
        match self {
            Self::Text(text) => Self::Text(change(text)),
            Self::Array(items) => {
                Self::Array(items.iter().map(|item| item.texts(change)).collect())
            }
            Self::Object(members) => {
                let members = members.iter();
                let members = members.map(|(name, value)| (name.clone(), value.texts(change)));
                Self::Object(members.collect())
            }
            plain @ Self::Plain(_) => plain.clone(),
        }
    }

    /// With the members of every object in another order.
    pub(super) fn arranged(&self, arrange: fn(&mut Vec<(String, Self)>)) -> Self {
        match self {
            Self::Array(items) => {
                Self::Array(items.iter().map(|item| item.arranged(arrange)).collect())
            }
            Self::Object(members) => {
                let members = members.iter();
                let members = members.map(|(name, value)| (name.clone(), value.arranged(arrange)));
                let mut members: Vec<_> = members.collect();
                arrange(&mut members);
                Self::Object(members)
            }
            other => other.clone(),
        }
    }
}

/// A request, apart.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Request {
    pub(super) state: Tree,
    /// Names of the questions, in their order.
    pub(super) questions: Vec<String>,
    /// By name: a question without its options and instructions.
    rest: BTreeMap<String, Tree>,
    pub(super) instructions: Tree,
    pub(super) options: Vec<(String, Tree)>,
    other_members: Vec<(String, Tree)>,
}

impl Request {
    /// The request that asks the question `name`.
    pub(super) fn read(text: &str, name: &str) -> Self {
        let tree = Tree::request(text);
        let names: Vec<&str> = tree
            .members()
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(names, ["model", "state", "questions"]);
        let questions = tree.member("questions").members();
        let question = tree.member("questions").member(name);
        let names: Vec<&str> = question
            .members()
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(names, ["type", "instructions", "criteria"]);
        let others = questions.iter().filter(|(known, _)| known != name);
        Self {
            state: tree.member("state").clone(),
            questions: questions.iter().map(|(name, _)| name.clone()).collect(),
            rest: others.cloned().collect(),
            instructions: question.member("instructions").clone(),
            options: question.member("criteria").members().to_vec(),
            other_members: vec![
                ("model".to_owned(), tree.member("model").clone()),
                ("type".to_owned(), question.member("type").clone()),
            ],
        }
    }

    fn keys(&self) -> Vec<&str> {
        self.options.iter().map(|(key, _)| key.as_str()).collect()
    }

    fn texts(&self) -> Vec<&Tree> {
        self.options.iter().map(|(_, text)| text).collect()
    }
}

/// Checks that `line` of a journal asks what its variant may, and no more: `own` is its case's baseline, `found` its request.
pub(super) fn only_its_axis(line: &Value, own: &Request, found: &Request) {
    let (axis, variant) = (
        line["axis"].as_str().unwrap(),
        line["variant"].as_str().unwrap(),
    );
    let about = format!("{} {axis}/{variant}: {found:?}", line["case"]);
    let order: Vec<usize> = serde_json::from_value(line["order"].clone()).unwrap();
    // Undone, what the axis may have changed leaves the baseline.
    let mut undone = found.clone();
    let mut in_own_order = true;
    match axis {
        "baseline" | "same" => assert_eq!(found, own, "{about}"),
        "order" => {
            in_own_order = false;
            undone.options.clone_from(&own.options);
            let moved: Vec<_> = order.iter().map(|&id| own.options[id].clone()).collect();
            assert_eq!(found.options, moved, "{about}");
        }
        "keys" => {
            assert!(
                own.keys()
                    .iter()
                    .zip(found.keys())
                    .all(|(own, found)| *own != found),
                "{about}"
            );
            assert_eq!(found.texts(), own.texts(), "{about}");
            undone.options.clone_from(&own.options);
        }
        "descriptions" => {
            let null = Tree::Plain("null".to_owned());
            for (key, text) in &found.options {
                let expected = if variant == "drop" {
                    null.clone()
                } else {
                    Tree::Text(key.clone())
                };
                assert_eq!(*text, expected, "{about}");
            }
            assert_eq!(found.keys(), own.keys(), "{about}");
            undone.options.clone_from(&own.options);
        }
        "phrasing" => {
            assert_eq!(found.keys(), own.keys(), "{about}");
            if variant == "words" {
                (undone.state, undone.instructions) = (own.state.clone(), own.instructions.clone());
            } else {
                undone.options.clone_from(&own.options);
            }
        }
        "state-keys" => {
            assert_ne!(found.state, own.state, "{about}");
            let sorted =
                |tree: &Tree| tree.arranged(|members| members.sort_by(|a, b| a.0.cmp(&b.0)));
            assert_eq!(sorted(&found.state), sorted(&own.state), "{about}");
            if variant == "reverse" {
                assert_eq!(
                    found.state.arranged(|members| members.reverse()),
                    own.state,
                    "{about}"
                );
            }
            undone.state.clone_from(&own.state);
        }
        "whitespace" | "letter-case" => {
            let plain = |text: &str| match axis {
                "whitespace" => text.split_whitespace().collect::<String>(),
                _ => text.to_lowercase(),
            };
            for (found, own) in [
                (&found.state, &own.state),
                (&found.instructions, &own.instructions),
            ] {
                assert_eq!(found.texts(&plain), own.texts(&plain), "{about}");
            }
            (undone.state, undone.instructions) = (own.state.clone(), own.instructions.clone());
        }
        "drop" | "decoy" => {
            let offered = order.iter().filter(|id| **id < own.options.len());
            let offered: Vec<_> = offered.map(|&id| own.options[id].clone()).collect();
            let more = order.len() - offered.len();
            assert_eq!(found.options[..offered.len()], offered, "{about}");
            assert_eq!(found.options.len(), order.len(), "{about}");
            let ids = 0..own.options.len();
            let expected: Vec<usize> =
                match variant.strip_prefix("last:").map(|id| id.parse().unwrap()) {
                    Some(last) => ids.filter(|id| *id != last).chain([last]).collect(),
                    None if axis == "drop" => {
                        let out: usize = variant.parse().unwrap();
                        ids.filter(|id| *id != out).collect()
                    }
                    None => ids.chain([own.options.len()]).collect(),
                };
            assert_eq!(
                (order, more),
                (expected, usize::from(axis == "decoy")),
                "{about}"
            );
            undone.options.clone_from(&own.options);
            assert_eq!(undone, *own, "{about}");
            return;
        }
        "batch" => {
            let mut turned = own.questions.clone();
            turned.reverse();
            let alone = found.questions.len() == 1;
            assert!(
                if variant == "alone" {
                    alone
                } else {
                    found.questions == turned
                },
                "{about}"
            );
            undone.questions.clone_from(&own.questions);
            if alone {
                undone.rest.clone_from(&own.rest);
            }
        }
        other => panic!("{other} is no axis of this test"),
    }
    if in_own_order {
        assert_eq!(order, (0..own.options.len()).collect::<Vec<_>>(), "{about}");
    }
    assert_eq!(undone, *own, "{about}");
    let same = matches!(axis, "baseline" | "same");
    assert_eq!(found == own, same, "{about}");
}
