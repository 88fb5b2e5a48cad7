//! One request body of another program: each of its questions becomes a case, the others keep it company.

use flipside_core::case::{
    Brought, Case, CaseId, CaseOption, FieldValue, KeyBinding, Question, QuestionKind, Source,
};
use flipside_core::json::{Json, Object};

use super::Fields;
use super::probe::integer_keys;
use crate::read::{At, Error, Out, Seen, Warning};

/// A body as its cases need it.
pub(crate) struct Body {
    /// What its cases' ids begin with.
    pub(crate) id: String,
    /// Whether that is the file's own.
    pub(crate) named: bool,
    pub(crate) state: Json,
    pub(crate) fields: Vec<(String, FieldValue)>,
    pub(crate) asked: Vec<Asked>,
}

/// One question of a body.
pub(crate) struct Asked {
    /// Unique in its body.
    pub(crate) name: String,
    pub(crate) kind: QuestionKind,
    pub(crate) instructions: Option<Json>,
    pub(crate) options: Vec<CaseOption>,
    pub(crate) keys: KeyBinding,
    /// Whether the options stand as members of an object, so that another program may have moved them.
    pub(crate) by_object: bool,
    /// Whether the program that takes such bodies asks the options in one order, whatever the body says.
    pub(crate) fixed_order: bool,
    /// Whether the keys stand for typed values.
    pub(crate) typed_keys: bool,
}

impl Asked {
    /// The question as System One asks it, for the company that it keeps.
    fn as_systemone(&self) -> Json {
        let mut members = vec![member("type", Json::String(self.kind.name().to_owned()))];
        members.extend(
            self.instructions
                .clone()
                .map(|value| member("instructions", value)),
        );
        let keyed = |option: &CaseOption| {
            let text = option.text.clone().unwrap_or(Json::Null);
            (option.key.0.clone(), text)
        };
        let criteria = match self.kind {
            QuestionKind::Choice => Some(object(self.options.iter().map(keyed).collect())),
            QuestionKind::Score => {
                let texts = self.options.iter().map(|level| keyed(level).1);
                Some(Json::Array(texts.collect()))
            }
            QuestionKind::Noul => {
                let said = self.options.iter().filter(|side| side.text.is_some());
                let said: Vec<(String, Json)> = said.map(keyed).collect();
                (!said.is_empty()).then(|| object(said))
            }
        };
        members.extend(criteria.map(|criteria| member("criteria", criteria)));
        object(members)
    }
}

impl Body {
    /// The cases of the body, in the order of its questions.
    pub(crate) fn into_cases(self, source: &Source) -> Vec<Case> {
        let company: Vec<(String, Json)> = (self.asked.iter())
            .map(|asked| (asked.name.clone(), asked.as_systemone()))
            .collect();
        let case = |(place, asked): (usize, Asked)| Case {
            id: CaseId(format!("{}#{}", self.id, asked.name)),
            named: self.named,
            source: source.clone(),
            state: self.state.clone(),
            question: Question {
                kind: asked.kind,
                name: asked.name,
                instructions: asked.instructions,
                before: company[..place].to_vec(),
                after: company[place + 1..].to_vec(),
            }
            .into(),
            options: asked.options.into(),
            keys: asked.keys,
            accept: Vec::new().into(),
            position_dependent: None,
            note: None,
            fields: self.fields.clone().into(),
            equal: Vec::new().into(),
            brought: Brought {
                fixed_order: asked.fixed_order,
                typed_keys: asked.typed_keys,
                ..Brought::default()
            },
        };
        self.asked.into_iter().enumerate().map(case).collect()
    }

    /// Tells of keys that a JavaScript program would have moved.
    pub(crate) fn warn_of_integer_keys(&self, at: &At, out: &mut Out) {
        for asked in &self.asked {
            if asked.by_object && asked.kind == QuestionKind::Choice && integer_keys(&asked.options)
            {
                let seen = Seen {
                    at: at.clone(),
                    more: 0,
                };
                out.warn(Warning::IntegerKeys { seen });
            }
        }
    }
}

/// The objects of the list `questions` of `body`, at least one, each with what leads to it.
pub(super) fn listed<'a>(body: Fields<'a>) -> Result<Vec<(String, &'a Object)>, Error> {
    let help = "a request asks at least one question";
    let questions = match body.required("questions", help)? {
        Json::Array(questions) if questions.is_empty() => {
            return Err(body.empty("questions", help));
        }
        Json::Array(questions) => questions,
        other => return Err(body.type_error("questions", other, "an array of questions")),
    };
    let question = |(place, value): (usize, &'a Json)| {
        let path = format!("questions[{place}]");
        match value {
            Json::Object(question) => Ok((body.path(&path) + ".", question)),
            other => Err(body.type_error(&path, other, "an object")),
        }
    };
    questions.iter().enumerate().map(question).collect()
}

/// Refuses a question whose name another one of `before` has.
pub(super) fn own_name(
    question: Fields<'_>,
    field: &str,
    name: &str,
    before: &[Asked],
) -> Result<(), Error> {
    if before.iter().all(|other| other.name != name) {
        return Ok(());
    }
    let expected = "a name that no other question of the request has";
    Err(question.value_error(field, &Json::String(name.to_owned()), expected))
}

fn member(name: &str, value: Json) -> (String, Json) {
    (name.to_owned(), value)
}

fn object(members: Vec<(String, Json)>) -> Json {
    Json::Object(Object::new(members).expect("keys were found to differ when they were read"))
}
