//! What a policy counts in a request, each one thing that leaves every other alone.

use crate::decide::Scene;
use crate::json::{Json, Node, Reader};

/// What [`Policy::Counting`](crate::Policy::Counting) counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Counted {
    /// `capitals`: capital letters in the texts of state and instructions. Names of members are no texts.
    Capitals,
    /// `letters`: letters and digits in the texts of state and instructions.
    Letters,
    /// `spaces`: white-space characters in the texts of state and instructions.
    Spaces,
    /// `first-member`: the members of the state whose names sort before that of its first one; 0 for a state that is no object.
    FirstMember,
    /// `company`: the other questions of the request.
    Company,
    /// `place`: the questions before this one.
    Place,
}

const ALL: [(&str, Counted); 6] = [
    ("capitals", Counted::Capitals),
    ("letters", Counted::Letters),
    ("spaces", Counted::Spaces),
    ("first-member", Counted::FirstMember),
    ("company", Counted::Company),
    ("place", Counted::Place),
];

impl Counted {
    pub(crate) const FORMS: &str = "`counting:WHAT=N`, WHAT one of `capitals`, `letters`, `spaces`, `first-member`, `company`, `place`";

    pub(crate) fn parse(text: &str) -> Option<Self> {
        ALL.into_iter()
            .find(|(name, _)| *name == text)
            .map(|(_, counted)| counted)
    }

    /// How many there are.
    pub(crate) fn of(self, scene: &Scene<'_>) -> usize {
        let texts = |wanted: fn(char) -> bool| {
            let count = |raw: &str| {
                Reader::new(raw)
                    .node()
                    .map_or(0, |node| chars(&node, wanted))
            };
            count(scene.state) + count(scene.question.instructions)
        };
        match self {
            Self::Capitals => texts(char::is_uppercase),
            Self::Letters => texts(char::is_alphanumeric),
            Self::Spaces => texts(char::is_whitespace),
            Self::FirstMember => before_first(scene.state),
            Self::Company => scene.body.questions.len() - 1,
            Self::Place => scene.place,
        }
    }
}

/// The wanted characters of every text in a JSON value.
fn chars(node: &Node<'_>, wanted: fn(char) -> bool) -> usize {
    match &node.json {
        Json::Text(text) => text.chars().filter(|c| wanted(*c)).count(),
        Json::Array(nodes) => nodes.iter().map(|node| chars(node, wanted)).sum(),
        Json::Object(members) => {
            let values = members.iter().map(|member| chars(&member.node, wanted));
            values.sum()
        }
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Skipped => 0,
    }
}

fn before_first(state: &str) -> usize {
    match Reader::new(state).node().map(|node| node.json) {
        Ok(Json::Object(members)) => {
            let names = members.iter().map(|member| member.key.as_bytes());
            let first = names.clone().next();
            names.filter(|name| Some(*name) < first).count()
        }
        _ => 0,
    }
}
