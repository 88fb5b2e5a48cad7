//! Cases for the tests of axes.

use super::Altered;
use crate::case::{
    Brought, Case, CaseId, CaseOption, Key, KeyBinding, Question, QuestionKind, Source,
};
use crate::json::{Json, Object};
use crate::order::Order;
use crate::shared::List;

pub(super) fn text(text: &str) -> Json {
    Json::String(text.to_owned())
}

pub(super) fn object(members: &[(&str, Json)]) -> Json {
    let members = members
        .iter()
        .map(|(key, value)| ((*key).to_owned(), value.clone()));
    Json::Object(Object::new(members.collect()).unwrap())
}

/// A case of `kind` about "s" between options with these keys and texts.
pub(crate) fn case(kind: QuestionKind, options: &[(&str, Option<&str>)]) -> Case {
    let option = |(key, words): &(&str, Option<&str>)| CaseOption {
        key: Key((*key).to_owned()),
        text: words.map(text),
    };
    Case {
        id: CaseId("c".to_owned()),
        named: true,
        source: Source {
            format: "test".into(),
            file: "test".into(),
            line: 1,
        },
        state: text("s"),
        question: Question {
            kind,
            name: "q".to_owned(),
            instructions: Some(text("i")),
            before: Vec::new(),
            after: Vec::new(),
        }
        .into(),
        options: options.iter().map(option).collect(),
        keys: KeyBinding::Option,
        accept: List::new(),
        position_dependent: None,
        note: None,
        fields: List::new(),
        equal: List::new(),
        brought: Brought::default(),
    }
    .checked()
    .unwrap()
}

/// A choice about `state`.
pub(super) fn of_state(state: Json) -> Case {
    Case {
        state,
        ..case(QuestionKind::Choice, &[("a", Some("x")), ("b", Some("y"))])
    }
}

/// The case as it is.
pub(super) fn altered(case: Case) -> Altered {
    Altered {
        shown: Order::own(case.options.len()).identities().to_vec(),
        case,
    }
}
