//! Cases of sys1-eval: a text, one or two questions, and the right answers by question. The first question with a right answer
//! is the case's own, the others are its company.

use flipside_core::case::{Brought, Case, CaseId, CaseOption, KeyBinding, Question, QuestionKind};
use flipside_core::json::{Json, Object};
use flipside_core::order::OptionId;

use super::probe::identity;
use super::systemone::{Sorted, not_sent, options};
use super::{Fields, Source, named};
use crate::read::{Error, Out, Row, Seen, Warning};

/// What a row has that is no field of its case. Its notes can name the right answer; nothing of them is ever sent.
const ROW: &[&str] = &["id", "state", "questions", "gold", "gold_alt", "notes"];

pub(super) fn read(rows: &[Row], source: &Source<'_>, out: &mut Out) {
    let mut sorted = Sorted::default();
    for row in rows {
        sorted.see_object(&row.object);
        if let Err(error) = cases(row, source, out) {
            out.error(error);
        }
    }
    if sorted.all() {
        out.warn(Warning::SortedKeys {
            file: source.file.to_owned(),
        });
    }
}

fn cases(row: &Row, source: &Source<'_>, out: &mut Out) -> Result<(), Error> {
    let fields = Fields::of(row);
    let id = source.id(row, &["id"])?;
    let questions = object(
        fields,
        "questions",
        "a case asks at least one question, by name",
    )?;
    if questions.is_empty() {
        return Err(fields.empty("questions", "a case asks at least one question, by name"));
    }
    let all = object(
        fields,
        "gold",
        "leave a question without a right answer out of `gold`",
    )?;
    let mut right = all.members().iter().filter(|(_, gold)| *gold != Json::Null);
    let asked: Vec<(CaseId, usize, Option<&Json>)> = if let Some((name, gold)) = right.next() {
        let mut names = questions.members().iter().map(|(name, _)| name);
        let Some(place) = names.position(|asked| asked == name) else {
            let expected = "right answers by the names of `questions`";
            return Err(fields.value_error("gold", &Json::Object(all.clone()), expected));
        };
        vec![(id, place, Some(gold))]
    } else if let Some(place) = about(questions) {
        vec![(id, place, None)]
    } else {
        let each = questions.members().iter().enumerate();
        let named = |name: &str| CaseId(format!("{}#{name}", id.0));
        each.map(|(place, (name, _))| (named(name), place, None))
            .collect()
    };
    for (id, place, gold) in asked {
        let case = case(row, source, id, (questions, place), gold, out)?;
        out.case(case);
    }
    Ok(())
}

/// The place of the question that a case without a right answer is about: the only one, or the only choice. `None` where
/// nothing tells, so that each question is a case.
pub(crate) fn about(questions: &Object) -> Option<usize> {
    let mut choices =
        (questions.members().iter().enumerate()).filter(|(_, (_, one))| is_choice(one));
    match (choices.next(), choices.next()) {
        (Some((place, _)), None) => Some(place),
        _ => (questions.len() == 1).then_some(0),
    }
}

/// Whether a question, or an answer to one, is of the type that picks an option.
fn is_choice(question: &Json) -> bool {
    let kind = question
        .as_object()
        .and_then(|question| question.get("type"));
    kind.and_then(Json::as_str) == Some(QuestionKind::Choice.name())
}

fn case(
    row: &Row,
    source: &Source<'_>,
    id: CaseId,
    (questions, place): (&Object, usize),
    gold: Option<&Json>,
    out: &mut Out,
) -> Result<Case, Error> {
    let fields = Fields::of(row);
    let (name, question) = &questions.members()[place];
    let Some(object) = question.as_object() else {
        return Err(fields.type_error(&format!("questions.{name}"), question, "an object"));
    };
    let path = format!("questions.{name}.");
    let (kind, options) = options(Fields::inside(fields.at, &path, object))?;
    not_sent(
        fields.at,
        "questions.*.",
        object,
        &["type", "instructions", "criteria"],
        out,
    );
    if kind == QuestionKind::Choice {
        collapsed(row, &options, out);
    }
    let mut accept = Vec::new();
    if let Some(gold) = gold {
        accept.push(right(fields, "gold", gold, kind, &options)?);
        for also in also(fields)? {
            let also = right(fields, "gold_alt", also, kind, &options)?;
            if !accept.contains(&also) {
                accept.push(also);
            }
        }
    }
    let others = questions.members();
    Ok(Case {
        id,
        named: Source::names(row, &["id"]),
        source: source.of(row),
        state: fields.state("a case says what the decision is about")?,
        question: Question {
            kind,
            name: name.clone(),
            instructions: object.get("instructions").cloned(),
            before: others[..place].to_vec(),
            after: others[place + 1..].to_vec(),
        }
        .into(),
        options: options.into(),
        keys: if kind == QuestionKind::Score {
            KeyBinding::Place
        } else {
            KeyBinding::Option
        },
        accept: accept.into(),
        position_dependent: None,
        note: fields
            .get("notes")
            .and_then(Json::as_str)
            .map(str::to_owned),
        fields: named::unread(&row.object, ROW).into(),
        equal: Vec::new().into(),
        brought: Brought::default(),
    })
}

fn object<'a>(
    fields: Fields<'a>,
    field: &'static str,
    help: &'static str,
) -> Result<&'a Object, Error> {
    match fields.required(field, help)? {
        Json::Object(object) => Ok(object),
        other => Err(fields.type_error(field, other, "an object by question")),
    }
}

/// The further right answers.
fn also(fields: Fields<'_>) -> Result<&[Json], Error> {
    match fields.get("gold_alt") {
        None => Ok(&[]),
        Some(Json::Array(also)) => Ok(also),
        Some(other) => {
            Err(fields.type_error("gold_alt", other, "an array of further right answers"))
        }
    }
}

/// The option that a right answer names.
fn right(
    fields: Fields<'_>,
    field: &'static str,
    gold: &Json,
    kind: QuestionKind,
    options: &[CaseOption],
) -> Result<OptionId, Error> {
    let key = match (kind, gold) {
        (QuestionKind::Choice, Json::String(key)) => key.clone(),
        (QuestionKind::Score, Json::Number(level)) => level.as_str().to_owned(),
        (QuestionKind::Noul, Json::Bool(side)) => side.to_string(),
        _ => {
            let expected = match kind {
                QuestionKind::Choice => "an option key",
                QuestionKind::Score => "a level number",
                QuestionKind::Noul => "`true` or `false`",
            };
            return Err(fields.value_error(field, gold, expected));
        }
    };
    identity(options, &key).ok_or_else(|| Error::NotOffered {
        at: fields.at.clone(),
        field,
        found: format!("`{key}`"),
        offered: options.iter().map(|option| option.key.0.clone()).collect(),
    })
}

/// Warns where the row counts more options than it lists: options of one key were made one by the writer's object.
fn collapsed(row: &Row, options: &[CaseOption], out: &mut Out) {
    let Some(Json::Number(count)) = row.object.get("option_count") else {
        return;
    };
    if let Some(stated) = count
        .to_u64()
        .filter(|stated| *stated > options.len() as u64)
    {
        out.warn(Warning::CollapsedOptions {
            seen: Seen {
                at: row.at.clone(),
                more: 0,
            },
            stated,
            listed: options.len() as u64,
        });
    }
}
