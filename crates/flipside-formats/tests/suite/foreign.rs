//! Rows as other programs may write them: the same base case, said in other ways.

use flipside_core::case::QuestionKind;
use flipside_core::json::{Json, Number, Object};

/// What an alias or a number belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Belongs {
    Option,
    Place,
}

/// How `gold` names the options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GoldNames {
    /// As the row shows them, in its order.
    Row,
    /// As the row shows them, in forward order.
    Forward,
    /// As the forward row shows them, in its order.
    ForwardRow,
    /// By the semantic names, in the row's order.
    SemanticRow,
    /// By the semantic names, in forward order.
    SemanticForward,
}

/// How `gold` says which option is right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Label {
    /// By the name that stands in `gold.options`.
    Name,
    /// By an alias, numbered by what it belongs to; in a semantic row by name.
    Alias(Belongs),
    /// By the level's number, as a number.
    Number(Belongs),
    /// By the level's number, as text.
    NumberText(Belongs),
    /// By the name that the row itself shows.
    Shown,
}

/// How the rows of a base case are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Writing {
    pub(crate) kind: QuestionKind,
    /// Whether the levels of a score begin with their names.
    pub(crate) named: bool,
    pub(crate) alias: Belongs,
    pub(crate) gold: GoldNames,
    pub(crate) label: Label,
}

pub(crate) const NAMES: [&str; 4] = ["w", "x", "y", "z"];

/// The rows of base case `id` with four options, of which the one at `accept` is right: one wording, forward and reversed,
/// semantic and abstract.
pub(crate) fn rows(id: &str, accept: usize, writing: Writing) -> Vec<Vec<(&'static str, Json)>> {
    let mut rows = Vec::new();
    for reversed in [false, true] {
        for is_abstract in [false, true] {
            rows.push(row(id, accept, writing, reversed, is_abstract));
        }
    }
    rows
}

fn row(
    id: &str,
    accept: usize,
    writing: Writing,
    reversed: bool,
    is_abstract: bool,
) -> Vec<(&'static str, Json)> {
    let undone = |place: usize| if reversed { 3 - place } else { place };
    let (letter, from) = match writing.kind {
        QuestionKind::Score => ("L", 0),
        _ => ("A", 1),
    };
    let by = |identity: usize, belongs: Belongs| match belongs {
        Belongs::Option => identity,
        Belongs::Place => undone(identity),
    };
    let alias = |number: usize| format!("{letter}{}", number + from);
    // What option `identity` is called in a row that lists its options in this direction.
    let shown = |identity: usize| {
        if is_abstract {
            alias(by(identity, writing.alias))
        } else {
            NAMES[identity].to_owned()
        }
    };
    let forward = |identity: usize| {
        if is_abstract {
            alias(identity)
        } else {
            NAMES[identity].to_owned()
        }
    };
    let semantic = |identity: usize| NAMES[identity].to_owned();
    let order = [0, 1, 2, 3].map(undone);
    let about = |identity: usize| format!("about {}", NAMES[identity]);
    let criteria = match (writing.kind, writing.named) {
        (QuestionKind::Score, true) => Json::Array(
            order
                .map(|identity| text(&format!("{}: {}", shown(identity), about(identity))))
                .into(),
        ),
        (QuestionKind::Score, false) => {
            Json::Array(order.map(|identity| text(&about(identity))).into())
        }
        _ => object(
            order
                .map(|identity| (shown(identity), text(&about(identity))))
                .into(),
        ),
    };
    let listed: [String; 4] = match writing.gold {
        GoldNames::Row => order.map(shown),
        GoldNames::Forward => [0, 1, 2, 3].map(shown),
        GoldNames::ForwardRow => [0, 1, 2, 3].map(forward),
        GoldNames::SemanticRow => order.map(semantic),
        GoldNames::SemanticForward => [0, 1, 2, 3].map(semantic),
    };
    let name = match writing.gold {
        GoldNames::Row | GoldNames::Forward => shown(accept),
        GoldNames::ForwardRow => forward(accept),
        GoldNames::SemanticRow | GoldNames::SemanticForward => semantic(accept),
    };
    let label = match writing.label {
        Label::Name => text(&name),
        Label::Shown => text(&shown(accept)),
        Label::Alias(belongs) if is_abstract => text(&alias(by(accept, belongs))),
        Label::Alias(_) => text(NAMES[accept]),
        Label::Number(belongs) => Json::Number(Number::from(by(accept, belongs) as u64)),
        Label::NumberText(belongs) => text(&by(accept, belongs).to_string()),
    };
    let question = object(vec![
        ("type".to_owned(), text(writing.kind.name())),
        ("instructions".to_owned(), text("which?")),
        ("criteria".to_owned(), criteria),
    ]);
    let questions = object(vec![("q".to_owned(), question)]);
    let gold = object(vec![
        ("label".to_owned(), label),
        (
            "options".to_owned(),
            Json::Array(listed.iter().map(|name| text(name)).collect()),
        ),
    ]);
    vec![
        ("base_id", text(id)),
        ("family", text("f")),
        ("task_type", text(writing.kind.name())),
        ("phrasing", text("p0")),
        ("order", text(if reversed { "reversed" } else { "forward" })),
        (
            "key_variant",
            text(if is_abstract { "abstract" } else { "semantic" }),
        ),
        ("state", text("s")),
        ("questions", text(&questions.to_text())),
        ("gold", text(&gold.to_text())),
    ]
}

/// Rows as the text of a file.
pub(crate) fn file(rows: &[Vec<(&'static str, Json)>]) -> String {
    let line = |row: &Vec<(&str, Json)>| {
        let members = row
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()));
        object(members.collect()).to_text() + "\n"
    };
    rows.iter().map(line).collect()
}

pub(crate) fn text(value: &str) -> Json {
    Json::String(value.to_owned())
}

pub(crate) fn object(members: Vec<(String, Json)>) -> Json {
    Json::Object(Object::new(members).unwrap())
}
