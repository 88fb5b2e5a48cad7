//! Cases as JSON lines of our own: the run folder's `cases.jsonl`, which loses nothing.

mod brought;

use flipside_core::case::{
    Case, CaseId, CaseOption, Key, KeyBinding, Question, QuestionKind, Source,
};
use flipside_core::json::{Json, Number, Object};
use flipside_core::order::OptionId;

use crate::cases::{Fields, strict_fields};
use crate::read::{Error, Out, Row, rows_of};

/// Name and version of a line's shape.
pub const SCHEMA: &str = "flipside.case/1";

const FIELDS: &[&str] = &[
    "schema",
    "id",
    "source",
    "state",
    "question",
    "options",
    "keys",
    "accept",
    "named",
    "position_dependent",
    "note",
    "fields",
    "equal",
    "phrasings",
    "decoys",
    "recorded",
    "unlisted",
    "fixed_order",
    "typed_keys",
];

/// Appends `case` as one line and its line feed.
pub fn write_case(case: &Case, out: &mut Vec<u8>) {
    let mut members = vec![
        member("schema", text(SCHEMA)),
        member("id", text(&case.id.0)),
        member("source", source(&case.source)),
        member("state", case.state.clone()),
        member("question", question(&case.question)),
        member(
            "options",
            Json::Array(case.options.iter().map(option).collect()),
        ),
        member("keys", text(binding(case.keys))),
        member(
            "accept",
            Json::Array(
                case.accept
                    .iter()
                    .map(|id| number(u64::from(id.0)))
                    .collect(),
            ),
        ),
    ];
    members.extend((!case.named).then(|| member("named", Json::Bool(false))));
    members.extend(
        case.position_dependent
            .as_deref()
            .map(|words| member("position_dependent", text(words))),
    );
    members.extend(case.note.as_deref().map(|note| member("note", text(note))));
    if !case.fields.is_empty() {
        let fields = case.fields.iter();
        let fields = fields.map(|(name, value)| member(name, value.to_json()));
        members.push(member("fields", object(fields.collect())));
    }
    if !case.equal.is_empty() {
        let identities = |class: &Vec<OptionId>| {
            Json::Array(class.iter().map(|id| number(u64::from(id.0))).collect())
        };
        let classes = case.equal.iter().map(identities);
        members.push(member("equal", Json::Array(classes.collect())));
    }
    members.extend(brought::members(case));
    object(members).write(out);
    out.push(b'\n');
}

/// The cases of `text`, one a line, as [`write_case`] writes them.
///
/// # Errors
/// Every line that is no such case; the file is called `cases.jsonl`.
pub fn read_canonical(text: &str) -> Result<Vec<Case>, Vec<Error>> {
    let mut out = Out::default();
    for row in rows_of("cases.jsonl", text, &mut out) {
        out.take(of_row(&row));
    }
    if out.error_count() > 0 {
        Err(out.into_errors())
    } else {
        Ok(out.cases)
    }
}

/// Whether a row is a case of ours, of any version.
pub(crate) fn is_canonical(row: &Object) -> bool {
    let schema = row.get("schema").and_then(Json::as_str);
    schema.is_some_and(|schema| schema.starts_with("flipside.case/"))
}

fn member(name: &str, value: Json) -> (String, Json) {
    (name.to_owned(), value)
}

fn object(members: Vec<(String, Json)>) -> Json {
    Json::Object(Object::new(members).expect("our own members have different names"))
}

fn text(text: &str) -> Json {
    Json::String(text.to_owned())
}

fn number(value: u64) -> Json {
    Json::Number(Number::from(value))
}

fn binding(keys: KeyBinding) -> &'static str {
    match keys {
        KeyBinding::Option => "option",
        KeyBinding::Place => "place",
        KeyBinding::Opposite => "opposite",
    }
}

fn source(source: &Source) -> Json {
    object(vec![
        member("format", text(&source.format)),
        member("file", text(&source.file)),
        member("line", number(source.line)),
    ])
}

fn question(question: &Question) -> Json {
    let siblings = |siblings: &[(String, Json)]| {
        let sibling = |(name, question): &(String, Json)| {
            object(vec![
                member("name", text(name)),
                member("question", question.clone()),
            ])
        };
        Json::Array(siblings.iter().map(sibling).collect())
    };
    let mut members = vec![
        member("type", text(question.kind.name())),
        member("name", text(&question.name)),
    ];
    members.extend(
        question
            .instructions
            .clone()
            .map(|instructions| member("instructions", instructions)),
    );
    members.push(member("before", siblings(&question.before)));
    members.push(member("after", siblings(&question.after)));
    object(members)
}

fn option(option: &CaseOption) -> Json {
    let mut members = vec![member("key", text(&option.key.0))];
    members.extend(option.text.clone().map(|text| member("text", text)));
    object(members)
}

/// The case that a row is.
pub(crate) fn of_row(row: &Row) -> Result<Case, Error> {
    let fields = Fields::of(row);
    fields.only(FIELDS)?;
    expect(fields, "schema", &[SCHEMA])?;
    let source = inner(fields, "source", "source.")?;
    let question = inner(fields, "question", "question.")?;
    let kind = expect(question, "type", &["choice", "score", "noul"])?;
    let case = Case {
        id: CaseId(string(fields, "id")?.to_owned()),
        source: Source {
            format: string(source, "format")?.into(),
            file: string(source, "file")?.into(),
            line: whole(source, "line")?,
        },
        state: fields.required("state", "")?.clone(),
        question: Question {
            kind: QuestionKind::parse(kind).unwrap_or(QuestionKind::Choice),
            name: string(question, "name")?.to_owned(),
            instructions: question.object.get("instructions").cloned(),
            before: siblings(question, "before")?,
            after: siblings(question, "after")?,
        }
        .into(),
        options: array(fields, "options")?
            .iter()
            .map(|item| read_option(fields, "options", item))
            .collect::<Result<_, _>>()?,
        keys: match expect(fields, "keys", &["option", "place"])? {
            "option" => KeyBinding::Option,
            _ => KeyBinding::Place,
        },
        accept: array(fields, "accept")?
            .iter()
            .map(|item| identity(fields, "accept", item))
            .collect::<Result<_, _>>()?,
        named: !matches!(fields.object.get("named"), Some(Json::Bool(false))),
        position_dependent: fields.string("position_dependent")?.map(str::to_owned),
        note: fields.string("note")?.map(str::to_owned),
        fields: strict_fields(fields)?.into(),
        equal: classes(fields)?.into(),
        brought: brought::read(fields)?,
    };
    Ok(case)
}

fn inner<'a>(fields: Fields<'a>, name: &str, path: &'a str) -> Result<Fields<'a>, Error> {
    match fields.required(name, "")? {
        Json::Object(object) => Ok(Fields::inside(fields.at, path, object)),
        other => Err(fields.type_error(name, other, "an object")),
    }
}

fn string<'a>(fields: Fields<'a>, name: &str) -> Result<&'a str, Error> {
    fields.required(name, "")?;
    Ok(fields.string(name)?.unwrap_or_default())
}

fn expect<'a>(fields: Fields<'a>, name: &str, words: &[&str]) -> Result<&'a str, Error> {
    let found = string(fields, name)?;
    if words.contains(&found) {
        return Ok(found);
    }
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    Err(fields.value_error(name, &text(found), words.join(" or ")))
}

fn whole(fields: Fields<'_>, name: &str) -> Result<u64, Error> {
    let value = fields.required(name, "")?;
    let number = if let Json::Number(number) = value {
        number.to_u64()
    } else {
        None
    };
    number.ok_or_else(|| fields.value_error(name, value, "a whole number"))
}

fn array<'a>(fields: Fields<'a>, name: &str) -> Result<&'a [Json], Error> {
    let value = fields.required(name, "")?;
    value
        .as_array()
        .ok_or_else(|| fields.type_error(name, value, "an array"))
}

fn siblings(question: Fields<'_>, name: &str) -> Result<Vec<(String, Json)>, Error> {
    let sibling = |item: &Json| {
        let object = item.as_object();
        let part = |part: &str| object.and_then(|object| object.get(part));
        match (part("name").and_then(Json::as_str), part("question")) {
            (Some(name), Some(question)) => Ok((name.to_owned(), question.clone())),
            _ => Err(question.type_error(
                name,
                item,
                "an array of objects with `name` and `question`",
            )),
        }
    };
    array(question, name)?.iter().map(sibling).collect()
}

fn read_option(fields: Fields<'_>, name: &str, item: &Json) -> Result<CaseOption, Error> {
    let object = item.as_object();
    match object
        .and_then(|object| object.get("key"))
        .and_then(Json::as_str)
    {
        Some(key) => Ok(CaseOption {
            key: Key(key.to_owned()),
            text: object.and_then(|object| object.get("text")).cloned(),
        }),
        None => Err(fields.type_error(name, item, "an array of objects with `key`")),
    }
}

fn classes(fields: Fields<'_>) -> Result<Vec<Vec<OptionId>>, Error> {
    if !fields.has("equal") {
        return Ok(Vec::new());
    }
    let class = |item: &Json| match item {
        Json::Array(ids) => ids.iter().map(|id| identity(fields, "equal", id)).collect(),
        other => Err(fields.type_error("equal", other, "an array of arrays of identities")),
    };
    array(fields, "equal")?.iter().map(class).collect()
}

fn identity(fields: Fields<'_>, name: &str, item: &Json) -> Result<OptionId, Error> {
    let number = if let Json::Number(number) = item {
        number.to_u64()
    } else {
        None
    };
    let identity = number.and_then(|number| u16::try_from(number).ok());
    identity
        .map(OptionId)
        .ok_or_else(|| fields.value_error(name, item, "an array of identities"))
}
