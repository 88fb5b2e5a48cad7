//! Requests to the `AgentJev` service with what came back, or either alone.

use std::collections::BTreeMap;

use flipside_core::case::{Case, QuestionKind};
use flipside_core::json::{Json, Object};
use flipside_core::record::{Failed, FailedKind, Outcome};
use flipside_core::recorded::Decision;

use super::build::{Gathered, UNNAMED, bare, failure, nothing, origin, outcome, unanswered};
use super::file::File;
use super::listed::Orders;
use super::{Kind, Problem, Recording, Supplements};
use crate::cases::{Fields, Sorted, Source, agentjev_bodies};
use crate::read::{Error, Format, Out, ReadOptions, Row};

/// Reads rows of `request` and `response`, of requests alone, or of responses alone, whose decisions nobody can ask or compare.
pub(super) fn read(file: &File<'_>, supplements: &Supplements) -> Result<Recording, Vec<Error>> {
    let mut out = Out::default();
    let mut reader = Reader {
        file,
        orders: Orders::of(&supplements.options_from),
        sorted: Sorted::default(),
        lines: BTreeMap::new(),
        gathered: Gathered::new(file, Format::AgentJev.name()),
    };
    file.rows(Kind::AgentJev, &mut out, &mut |row, out| {
        if let Err(error) = reader.row(&row, out) {
            out.error(error);
        }
    })?;
    reader.finish(out)
}

/// What came back: the results in the order of the requests, or a failure.
type Came<'a> = Result<Response<'a>, Failed>;

struct Response<'a> {
    results: Vec<&'a Object>,
    model: Option<&'a str>,
}

struct Reader<'a> {
    file: &'a File<'a>,
    orders: Orders<'a>,
    sorted: Sorted,
    /// The line of every decision.
    lines: BTreeMap<String, u64>,
    gathered: Gathered<'a>,
}

impl Reader<'_> {
    fn row(&mut self, row: &Row, out: &mut Out) -> Result<(), Error> {
        let fields = Fields::of(row);
        if fields.has("results") {
            let response = response(fields)?;
            return self.requestless(row, &response, out);
        }
        let came = came(fields)?;
        if let Some(Ok(response)) = &came
            && let Some(model) = response.model
        {
            self.gathered.model(model);
        }
        let request = fields.object.get("request").and_then(Json::as_object);
        self.sorted.see_object(request.unwrap_or(fields.object));
        let options = ReadOptions::default();
        let source = Source {
            file: self.file.name,
            stem: self.file.stem(),
            format: Format::AgentJev,
            options: &options,
            whole: true,
        };
        let bodies = agentjev_bodies(row, &source, out)?;
        if let Some(Ok(response)) = &came
            && response.results.len() != bodies.len()
        {
            let found = Json::Array(
                response
                    .results
                    .iter()
                    .map(|result| Json::Object((*result).clone()))
                    .collect(),
            );
            let expected = format!(
                "as many results as the request has states, {}",
                bodies.len()
            );
            return Err(fields.value_error("response.results", &found, expected));
        }
        for (place, body) in bodies.into_iter().enumerate() {
            body.warn_of_integer_keys(&row.at, out);
            let keyed: Vec<bool> = body
                .asked
                .iter()
                .map(|asked| asked.by_object && asked.kind == QuestionKind::Choice)
                .collect();
            let cases = body.into_cases(&self.file.source(Format::AgentJev.name(), &row.at));
            for (case, keyed) in cases.into_iter().zip(keyed) {
                let Some(case) = out.checked(case) else {
                    continue;
                };
                let came = came.as_ref().map(|came| match came {
                    Ok(response) => Ok((response.results[place], response.model)),
                    Err(failed) => Err(failed),
                });
                let mut decision = of_case(case, came);
                // Kept here until the whole file is known.
                decision.case.brought.unlisted = keyed;
                let id = decision.case.id.0.clone();
                if let Some(first) = self.lines.insert(id.clone(), row.at.line) {
                    return Err(Problem::Repeated { id, first }.at(&row.at));
                }
                self.gathered.decisions.push(decision);
            }
        }
        Ok(())
    }

    /// Takes what came back to a request that is not on record: a decision for each answer.
    fn requestless(
        &mut self,
        row: &Row,
        response: &Response<'_>,
        out: &mut Out,
    ) -> Result<(), Error> {
        if let Some(model) = response.model {
            self.gathered.model(model);
        }
        for (place, result) in response.results.iter().enumerate() {
            let own = result.get("id").and_then(Json::as_str).map(str::to_owned);
            let own =
                own.unwrap_or_else(|| format!("{}:{}.{}", self.file.stem(), row.number, place + 1));
            for answer in answers(result) {
                let name = answer.get("id").and_then(Json::as_str).unwrap_or(UNNAMED);
                let source = self.file.source(Format::AgentJev.name(), &row.at);
                let id = format!("{own}#{name}");
                if let Some(first) = self.lines.insert(id.clone(), row.at.line) {
                    return Err(Problem::Repeated { id, first }.at(&row.at));
                }
                let mut case = bare(id, source, name, QuestionKind::Choice);
                origin(&mut case, response.model);
                let why = "what it answers is not on record, so nobody knows what was offered";
                self.gathered.take(nothing(case, why.to_owned()), out);
            }
        }
        Ok(())
    }

    fn finish(self, out: Out) -> Result<Recording, Vec<Error>> {
        self.gathered.of_requests(&self.sorted, &self.orders, out)
    }
}

/// What came back to the request of a row, if that is on record.
fn came(row: Fields<'_>) -> Result<Option<Came<'_>>, Error> {
    let status = match row.get("status") {
        None => None,
        Some(Json::Number(status)) => Some(status.to_u64().unwrap_or(0)),
        Some(other) => return Err(row.type_error("status", other, "a number")),
    };
    if !row.has("response") {
        return Ok(None);
    }
    let object = match row.get("response") {
        None => return Ok(Some(Err(failure(status, row.object.get("error"))))),
        Some(Json::Object(object)) => object,
        Some(other) => return Err(row.type_error("response", other, "an object or null")),
    };
    let bad = status.filter(|status| !(200..300).contains(status));
    if bad.is_some() || object.get("error").is_some() {
        return Ok(Some(Err(failure(bad, object.get("error")))));
    }
    response(Fields::inside(row.at, "response.", object)).map(|response| Some(Ok(response)))
}

fn response(own: Fields<'_>) -> Result<Response<'_>, Error> {
    let list = match own.required("results", "a response has `results`, one for each state")? {
        Json::Array(list) => list,
        other => return Err(own.type_error("results", other, "an array of objects")),
    };
    let result = |(place, value): (usize, &'_ Json)| match value {
        Json::Object(_) => Ok(()),
        other => Err(own.type_error(&format!("results[{place}]"), other, "an object")),
    };
    list.iter().enumerate().try_for_each(result)?;
    Ok(Response {
        results: list.iter().filter_map(Json::as_object).collect(),
        model: own.object.get("model").and_then(Json::as_str),
    })
}

fn answers(result: &Object) -> impl Iterator<Item = &Object> {
    let list = result.get("answers").and_then(Json::as_array);
    list.into_iter().flatten().filter_map(Json::as_object)
}

fn of_case(mut case: Case, came: Option<Result<(&Object, Option<&str>), &Failed>>) -> Decision {
    let model = came.as_ref().and_then(|came| came.as_ref().ok()?.1);
    origin(&mut case, model);
    let outcome = came.map(|came| match came {
        Err(failed) => Outcome::Failed(failed.clone()),
        Ok((result, model)) => {
            let own = |answer: &&Object| {
                answer.get("id").and_then(Json::as_str) == Some(case.question.name.as_str())
            };
            let mut own = answers(result).filter(own);
            match (own.next(), own.next()) {
                (None, _) => Outcome::Failed(unanswered(&case)),
                (Some(answer), None) => outcome(&case, &as_systemone(answer), model),
                (Some(_), Some(_)) => Outcome::Failed(Failed {
                    kind: FailedKind::Malformed,
                    message: "the reply answers it twice".to_owned(),
                    unanswered: false,
                }),
            }
        }
    });
    Decision {
        case,
        outcome,
        others: Vec::new(),
        missing: Vec::new(),
    }
}

/// An answer as System One writes it, whose rules it is then held to.
fn as_systemone(answer: &Object) -> Object {
    let get = |name: &str| answer.get(name).cloned();
    let kind = match answer.get("type").and_then(Json::as_str) {
        Some("boolean") => Some(Json::String(QuestionKind::Noul.name().to_owned())),
        _ => get("type"),
    };
    let members = [
        ("type", kind),
        ("choice", get("value")),
        ("noul", get("probability")),
        ("score", get("score")),
        ("legend", get("legend")),
        ("probabilities", get("distribution")),
    ];
    let given = members
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Object::new(given.collect()).expect("six different names")
}
