//! A row of a suite file, read on its own.

use flipside_core::case::{CaseOption, FieldValue, Question, QuestionKind};
use flipside_core::json::{Json, Object};
use flipside_core::order::{OptionId, Order};
use flipside_core::suite::{KeyVariant, LEVEL, RowOrder, alias, place};

use crate::cases::{Fields, integer_keys, not_sent, question_options, unread_fields};
use crate::json;
use crate::read::{At, Error, Out, Row, Seen, Warning};

/// What a row has that is no field of its case, or stands among its fields already.
const KNOWN: &[&str] = &[
    "base_id",
    "family",
    "task_type",
    "phrasing",
    "order",
    "key_variant",
    "state",
    "questions",
    "gold",
];

/// A row, before it is known what its gold answer means.
pub(super) struct Line {
    pub(super) at: At,
    pub(super) base: String,
    pub(super) family: String,
    pub(super) phrasing: u16,
    pub(super) order: RowOrder,
    pub(super) keys: KeyVariant,
    pub(super) state: Json,
    /// The text under `questions`, byte for byte.
    pub(super) asked: String,
    pub(super) question: Question,
    /// The options as the row lists them.
    pub(super) options: Vec<CaseOption>,
    /// How the options can be called, by place: the names first that the row shows, if it shows names.
    pub(super) names: Vec<Vec<String>>,
    /// Whether the first of `names` are names, rather than whole descriptions.
    pub(super) is_named: bool,
    /// What is said about the options beside their names, by place.
    pub(super) descriptions: Vec<Option<Json>>,
    pub(super) gold: Gold,
    /// Other fields of the row.
    pub(super) fields: Vec<(String, FieldValue)>,
    /// Whether the forward and the reversed row ask the same, byte for byte; known once all rows are.
    pub(super) vacuous: bool,
}

/// A gold answer as it is written.
pub(super) enum Gold {
    /// The side of a noul question.
    Side(bool),
    /// An option.
    Option {
        /// How the accepted option is called.
        label: String,
        /// How all options are called.
        listed: Vec<String>,
    },
}

/// What a label names.
#[derive(Clone, Copy)]
pub(super) enum Named {
    /// A place of `gold.options`.
    Listed(usize),
    /// A place of the row's own list.
    Shown(usize),
    /// A numbered alias.
    Alias(usize),
    /// The number of a level.
    Index(usize),
}

impl Line {
    pub(super) fn kind(&self) -> QuestionKind {
        self.question.kind
    }

    /// The row's place in its base case, such as `p1/reversed/abstract`.
    pub(super) fn place(&self) -> String {
        place(self.phrasing, self.order, self.keys)
    }

    /// Whether its options stand in the opposite order of the base case's.
    pub(super) fn is_reversed(&self) -> bool {
        self.order == RowOrder::Reversed && !self.vacuous && self.kind() != QuestionKind::Noul
    }

    /// The canonical identity of what stands at each place.
    pub(super) fn canonical(&self) -> Vec<OptionId> {
        if self.kind() == QuestionKind::Noul {
            let side = |option: &CaseOption| OptionId(u16::from(option.key.0 == "true"));
            return self.options.iter().map(side).collect();
        }
        let order = if self.is_reversed() {
            Order::reverse(self.options.len())
        } else {
            Order::own(self.options.len())
        };
        order.identities().to_vec()
    }

    /// `by_place`, what stands at each place, put into the canonical order.
    pub(super) fn in_canonical_order<'a, T>(&self, by_place: &'a [T]) -> Vec<&'a T> {
        let mut items: Vec<_> = self.canonical().into_iter().zip(by_place).collect();
        items.sort_by_key(|(id, _)| *id);
        items.into_iter().map(|(_, item)| item).collect()
    }

    /// What `label` names: an entry of `gold.options`, else an option as shown, else an alias, else the number of a level.
    pub(super) fn named(&self, label: &str) -> Option<Named> {
        let at = |names: &[String]| names.iter().position(|name| name == label);
        let numbered = |of: &dyn Fn(usize) -> String| {
            (0..self.options.len()).find(|number| of(*number) == label)
        };
        let Gold::Option { listed, .. } = &self.gold else {
            return None;
        };
        let kind = self.kind();
        at(listed)
            .map(Named::Listed)
            .or_else(|| {
                self.names
                    .iter()
                    .find_map(|names| at(names))
                    .map(Named::Shown)
            })
            .or_else(|| {
                let number = numbered(&|number| alias(kind, number));
                number
                    .filter(|_| self.keys == KeyVariant::Abstract)
                    .map(Named::Alias)
            })
            .or_else(|| {
                let number = numbered(&|number| number.to_string());
                number
                    .filter(|_| kind == QuestionKind::Score)
                    .map(Named::Index)
            })
    }
}

/// Whether two lists have the same names, in whatever order. No name stands twice in a list of names.
pub(super) fn same_names(one: &[String], other: &[String]) -> bool {
    one.len() == other.len() && one.iter().all(|name| other.contains(name))
}

/// Reads a row.
pub(super) fn line(row: &Row, out: &mut Out) -> Result<Line, Error> {
    let fields = Fields::of(row);
    let base = text(
        fields,
        "base_id",
        "a row says which base case it comes from",
    )?;
    let family = text(
        fields,
        "family",
        "a row says which family its base case belongs to",
    )?;
    let kind = one_of(
        fields,
        "task_type",
        "`choice`, `score` or `noul`",
        QuestionKind::parse,
    )?;
    let phrasing = one_of(fields, "phrasing", "a wording such as `p0`", phrasing)?;
    let order = one_of(fields, "order", "`forward` or `reversed`", RowOrder::parse)?;
    let variants = match kind {
        QuestionKind::Noul => "`q0` or `q1`, as it is `noul`",
        QuestionKind::Choice => "`semantic` or `abstract`, as it is `choice`",
        QuestionKind::Score => "`semantic` or `abstract`, as it is `score`",
    };
    let keys = one_of(fields, "key_variant", variants, |name| {
        KeyVariant::parse(name, kind)
    })?;
    let state = fields.state("a row says what the decision is about")?;
    let (asked, object) = inner(fields, "questions")?;
    let (question, options) = question(&row.at, &object, kind, out)?;
    let (names, is_named, descriptions) = names(kind, &options);
    let mut line = Line {
        at: row.at.clone(),
        base: base.to_owned(),
        family: family.to_owned(),
        phrasing,
        order,
        keys,
        state,
        asked: asked.to_owned(),
        question,
        options,
        names,
        is_named,
        descriptions,
        gold: Gold::Side(false),
        fields: unread_fields(&row.object, KNOWN),
        vacuous: false,
    };
    let (_, object) = inner(fields, "gold")?;
    line.gold = gold(Fields::inside(&row.at, "gold.", &object), &line)?;
    if let Gold::Option { label, listed } = &line.gold
        && line.named(label).is_none()
    {
        return Err(Error::NotOffered {
            at: row.at.clone(),
            field: "gold.label",
            found: format!("`{label}`"),
            offered: listed.clone(),
        });
    }
    Ok(line)
}

fn text<'a>(fields: Fields<'a>, field: &str, help: &'static str) -> Result<&'a str, Error> {
    match fields.required(field, help)? {
        Json::String(text) if text.is_empty() => Err(fields.empty(field, help)),
        Json::String(text) => Ok(text),
        other => Err(fields.type_error(field, other, "a string")),
    }
}

fn one_of<T>(
    fields: Fields<'_>,
    field: &str,
    expected: &'static str,
    parse: impl Fn(&str) -> Option<T>,
) -> Result<T, Error> {
    let value = fields.required(field, "")?;
    let found = value.as_str().and_then(parse);
    found.ok_or_else(|| fields.value_error(field, value, expected))
}

/// The number in `p0`, `p1` and so on, written without a leading zero.
fn phrasing(name: &str) -> Option<u16> {
    let number: u16 = name.strip_prefix('p')?.parse().ok()?;
    (format!("p{number}") == name).then_some(number)
}

/// A field that is a string holding a JSON object: the text, and the object.
fn inner<'a>(fields: Fields<'a>, field: &'static str) -> Result<(&'a str, Object), Error> {
    let expected = "a string that holds a JSON object";
    let text = match fields.required(field, "")? {
        Json::String(text) => text,
        other => return Err(fields.type_error(field, other, expected)),
    };
    match json::parse(text) {
        Ok(Json::Object(object)) => Ok((text, object)),
        Ok(other) => Err(Error::Type {
            at: fields.at.clone(),
            field: fields.path(field),
            expected,
            found: match other {
                Json::Array(_) => "a string that holds an array",
                _ => "a string that holds no object",
            },
        }),
        Err(why) => Err(Error::Inner {
            at: fields.at.clone(),
            field,
            why: Box::new(why),
        }),
    }
}

/// The one question of a row.
fn question(
    at: &At,
    questions: &Object,
    kind: QuestionKind,
    out: &mut Out,
) -> Result<(Question, Vec<CaseOption>), Error> {
    let outer = Fields::inside(at, "", questions);
    let [(name, asked)] = questions.members() else {
        return Err(Error::Value {
            at: at.clone(),
            field: "questions".to_owned(),
            expected: "one question".to_owned(),
            found: questions.len().to_string(),
        });
    };
    let path = format!("questions.{name}");
    let Some(object) = asked.as_object() else {
        return Err(outer.type_error(&path, asked, "an object"));
    };
    let path = path + ".";
    let inner = Fields::inside(at, &path, object);
    if let Some(value) = object.get("type")
        && value.as_str() != Some(kind.name())
    {
        let expected = format!("`{}`, the row's `task_type`", kind.name());
        return Err(inner.value_error("type", value, expected));
    }
    let (_, options) = question_options(inner)?;
    if options.len() < 2 {
        return Err(Error::Value {
            at: at.clone(),
            field: inner.path("criteria"),
            expected: "two or more options".to_owned(),
            found: options.len().to_string(),
        });
    }
    not_sent(
        at,
        "questions.*.",
        object,
        &["type", "instructions", "criteria"],
        out,
    );
    let keyed = object
        .get("criteria")
        .is_some_and(|criteria| criteria.as_object().is_some());
    if keyed && kind == QuestionKind::Choice && integer_keys(&options) {
        let seen = Seen {
            at: at.clone(),
            more: 0,
        };
        out.warn(Warning::IntegerKeys { seen });
    }
    let question = Question {
        kind,
        name: name.clone(),
        instructions: object.get("instructions").cloned(),
        before: Vec::new(),
        after: Vec::new(),
    };
    Ok((question, options))
}

/// How options can be called, whether the first of that are names, and what is said about each beside its name.
fn names(
    kind: QuestionKind,
    options: &[CaseOption],
) -> (Vec<Vec<String>>, bool, Vec<Option<Json>>) {
    let texts = || options.iter().map(|option| option.text.clone()).collect();
    if kind != QuestionKind::Score {
        let keys = options.iter().map(|option| option.key.0.clone()).collect();
        return (vec![keys], true, texts());
    }
    let wholes = options
        .iter()
        .map(|option| option.text.as_ref()?.as_str().map(str::to_owned));
    let wholes: Option<Vec<String>> = wholes.collect();
    let split = |whole: &String| {
        whole
            .split_once(LEVEL)
            .map(|(name, rest)| (name.to_owned(), rest.to_owned()))
    };
    let parts: Option<(Vec<String>, Vec<String>)> = wholes
        .as_ref()
        .and_then(|wholes| wholes.iter().map(split).collect::<Option<Vec<_>>>())
        .map(|parts| parts.into_iter().unzip());
    let different = |names: &Vec<String>| json_names_differ(names);
    match (parts, wholes) {
        (Some((names, rest)), Some(wholes)) if different(&names) => {
            let rest = rest
                .into_iter()
                .map(|rest| Some(Json::String(rest)))
                .collect();
            (vec![names, wholes], true, rest)
        }
        (_, Some(wholes)) if different(&wholes) => (vec![wholes], false, texts()),
        _ => (Vec::new(), false, texts()),
    }
}

fn json_names_differ(names: &[String]) -> bool {
    flipside_core::json::first_duplicate(names.iter().map(String::as_str)).is_none()
}

fn gold(fields: Fields<'_>, line: &Line) -> Result<Gold, Error> {
    let label = fields.required("label", "`gold` holds `label` and `options`")?;
    if line.kind() == QuestionKind::Noul {
        let side = match label {
            Json::Bool(side) => Some(*side),
            Json::String(side) if side == "true" => Some(true),
            Json::String(side) if side == "false" => Some(false),
            _ => None,
        };
        let side = side.ok_or_else(|| fields.value_error("label", label, "`true` or `false`"))?;
        return Ok(Gold::Side(side));
    }
    let label = name_of(label)
        .ok_or_else(|| fields.type_error("label", label, "the name or the number of an option"))?;
    let listed = match fields.required("options", "`gold` holds `label` and `options`")? {
        Json::Array(listed) => listed,
        other => return Err(fields.type_error("options", other, "an array of names")),
    };
    let names: Option<Vec<String>> = listed.iter().map(name_of).collect();
    let whole = || Json::Array(listed.clone());
    let Some(names) = names else {
        return Err(fields.value_error("options", &whole(), "an array of names"));
    };
    if names.len() != line.options.len() || !json_names_differ(&names) {
        let expected = format!(
            "{} different names, one for each option",
            line.options.len()
        );
        return Err(fields.value_error("options", &whole(), expected));
    }
    Ok(Gold::Option {
        label,
        listed: names,
    })
}

/// A name as text: a string, or a number as it is written.
fn name_of(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.clone()),
        Json::Number(number) => Some(number.as_str().to_owned()),
        Json::Null | Json::Bool(_) | Json::Array(_) | Json::Object(_) => None,
    }
}
