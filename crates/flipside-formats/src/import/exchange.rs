//! System One requests with what came back, in one file or in two that stand side by side.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use camino::{Utf8Path, Utf8PathBuf};
use flipside_core::case::{Case, QuestionKind};
use flipside_core::json::{Json, Object};
use flipside_core::record::{Failed, Outcome};
use flipside_core::recorded::{Decision, Missing};

use super::build::{
    Gathered, UNNAMED, bare, failure, nothing, origin, outcome, tokens, unanswered,
};
use super::file::{File, done};
use super::listed::Orders;
use super::{Kind, Problem, Record, Recording, Supplements};
use crate::cases::{Fields, Sorted, Source, of_body};
use crate::read::{Error, Format, Out, ReadOptions, Row};

/// Reads exchanges: `request` and `response`, and a `status`, one exchange a row.
///
/// A row of which the request is not on record is a decision that can neither be compared nor asked: nobody knows what was
/// offered. One with an error status is a decision that failed.
pub(super) fn read(file: &File<'_>, supplements: &Supplements) -> Result<Recording, Vec<Error>> {
    let mut out = Out::default();
    let mut reader = Reader::new(file, Format::Exchange, supplements);
    file.rows(Kind::Exchange, &mut out, &mut |row, out| {
        if let Err(error) = reader.exchange(&row, out) {
            out.error(error);
        }
    })?;
    reader.finish(out)
}

/// Reads requests, and the responses of the file beside them whose name says `response` where theirs says `request`. Without
/// such a file, the decisions have no answer on record.
pub(super) fn read_requests(
    file: &File<'_>,
    supplements: &Supplements,
) -> Result<Recording, Vec<Error>> {
    let path = beside(file.path, "request", "response");
    let beside = path.as_deref().map(File::load).transpose();
    let beside = beside.map_err(|error| vec![error])?;
    let mut out = Out::default();
    let mut responses = Vec::new();
    if let Some(beside) = &beside {
        beside.each_row(beside.text()?, &mut out, &mut |row, _| {
            responses.push(row);
            ControlFlow::Continue(())
        });
        done(&mut out)?;
    }
    let mut reader = Reader::new(file, Format::SystemOne, supplements);
    let mut rest = responses.iter();
    file.rows(Kind::Request, &mut out, &mut |row, out| {
        let response = rest.next();
        if beside.is_some() && response.is_none() {
            let responses = responses.len() as u64;
            out.error(Problem::NoResponse { responses }.at(&row.at));
            return;
        }
        let response = response.map(|response| &response.object);
        if let Err(error) = reader.request(&row, Fields::of(&row), response.map(of_response), out) {
            out.error(error);
        }
    })?;
    if let Some(more) = rest.next() {
        out.error(Problem::NoRequest.at(&more.at));
    }
    let mut recording = reader.finish(out)?;
    recording
        .sources
        .extend(beside.as_ref().map(|beside| Record {
            name: beside.name.to_owned(),
            sha256: beside.sha256,
            decisions: 0,
        }));
    Ok(recording)
}

/// Reads responses: with the requests of the file beside them whose name says `request` where theirs says `response`, or else
/// as decisions that can neither be compared nor asked.
pub(super) fn read_responses(
    file: &File<'_>,
    supplements: &Supplements,
) -> Result<Recording, Vec<Error>> {
    if let Some(path) = beside(file.path, "response", "request") {
        let requests = File::load(&path).map_err(|error| vec![error])?;
        return read_requests(&requests, supplements);
    }
    let mut out = Out::default();
    let mut reader = Reader::new(file, Format::SystemOne, supplements);
    file.rows(Kind::Response, &mut out, &mut |row, out| {
        reader.requestless(&row, of_response(&row.object), out);
    })?;
    reader.finish(out)
}

/// The file of requests in a folder that has one of responses beside it.
pub(super) fn requests_in(folder: &Utf8Path) -> Option<Utf8PathBuf> {
    let names = ["request.json", "requests.json", "requests.jsonl"];
    let mut paths = names.into_iter().map(|name| folder.join(name));
    paths.find(|path| path.is_file() && beside(path, "request", "response").is_some())
}

/// The file in the same folder whose name has `other` where that of `path` has `word`, if there is one.
fn beside(path: &Utf8Path, word: &str, other: &str) -> Option<Utf8PathBuf> {
    let name = path.file_name()?;
    let at = name.rfind(word)?;
    let name = format!("{}{other}{}", &name[..at], &name[at + word.len()..]);
    Some(path.with_file_name(name)).filter(|path| path.is_file())
}

/// What came back: answers with what else the response says, or a failure.
type Came<'a> = Result<Response<'a>, Failed>;

#[derive(Clone, Copy)]
struct Response<'a> {
    answers: &'a Object,
    model: Option<&'a str>,
    usage: Option<&'a Json>,
}

fn of_response(response: &Object) -> Came<'_> {
    match response.get("answers").and_then(Json::as_object) {
        Some(answers) => Ok(Response {
            answers,
            model: response.get("model").and_then(Json::as_str),
            usage: response.get("usage"),
        }),
        None => Err(failure(None, said(response))),
    }
}

/// What an error body says.
fn said(response: &Object) -> Option<&Json> {
    let of = |name: &str| response.get(name).filter(|said| **said != Json::Null);
    of("detail")
        .or_else(|| of("error"))
        .or_else(|| of("message"))
}

struct Reader<'a> {
    file: &'a File<'a>,
    format: Format,
    orders: Orders<'a>,
    sorted: Sorted,
    lines: BTreeMap<String, u64>,
    gathered: Gathered<'a>,
}

impl<'a> Reader<'a> {
    fn new(file: &'a File<'a>, format: Format, supplements: &'a Supplements) -> Self {
        Self {
            file,
            format,
            orders: Orders::of(&supplements.options_from),
            sorted: Sorted::default(),
            lines: BTreeMap::new(),
            gathered: Gathered::new(file, format.name()),
        }
    }

    fn exchange(&mut self, row: &Row, out: &mut Out) -> Result<(), Error> {
        let fields = Fields::of(row);
        let response = match fields.get("response") {
            None => None,
            Some(Json::Object(response)) => Some(response),
            Some(other) => return Err(fields.type_error("response", other, "an object or null")),
        };
        let status = match fields.get("status") {
            None => None,
            Some(Json::Number(status)) => Some(status.to_u64().unwrap_or(0)),
            Some(other) => return Err(fields.type_error("status", other, "a number")),
        };
        let came = match (status, response) {
            (Some(status), response) if !(200..300).contains(&status) => {
                Err(failure(Some(status), response.and_then(said)))
            }
            (_, Some(response)) => of_response(response),
            (_, None) => Err(failure(None, row.object.get("error"))),
        };
        match fields.get("request") {
            None => {
                self.requestless(row, came, out);
                Ok(())
            }
            Some(Json::Object(request)) => {
                let body = Fields::inside(fields.at, "request.", request);
                self.request(row, body, Some(came), out)
            }
            Some(other) => Err(fields.type_error("request", other, "an object or null")),
        }
    }

    /// Takes the decisions of the request `body`, and what came back if that is on record.
    fn request(
        &mut self,
        row: &Row,
        body: Fields<'_>,
        came: Option<Came<'_>>,
        out: &mut Out,
    ) -> Result<(), Error> {
        self.sorted.see_object(body.object);
        let options = ReadOptions::default();
        let source = Source {
            file: self.file.name,
            stem: self.file.stem(),
            format: self.format,
            options: &options,
            whole: true,
        };
        let failed = matches!(came, Some(Err(_)));
        let before = out.cases.len();
        let errors = out.error_count();
        if let Err(error) = of_body(row, body, &source, out) {
            let Some(Err(why)) = came.filter(|_| failed) else {
                return Err(error);
            };
            // The backend refused it, and it is no question that could be asked again.
            out.cases.truncate(before);
            let mut refused = nothing(self.bare(row, None, QuestionKind::Choice), why.message);
            refused.missing[0] = Missing::Options { kept: 0, of: None };
            self.gathered.take(refused, out);
            return Ok(());
        }
        if out.error_count() > errors {
            return Ok(());
        }
        let cases: Vec<Case> = out.cases.drain(before..).collect();
        let alone = cases.len() == 1;
        for case in cases {
            let decision = self.of_case(case, body.object, came.as_ref(), alone);
            let id = decision.case.id.0.clone();
            if let Some(first) = self.lines.insert(id.clone(), row.at.line) {
                return Err(Problem::Repeated { id, first }.at(&row.at));
            }
            self.gathered.decisions.push(decision);
        }
        Ok(())
    }

    fn of_case(
        &mut self,
        mut case: Case,
        body: &Object,
        came: Option<&Came<'_>>,
        alone: bool,
    ) -> Decision {
        case.brought.unlisted = keyed(body, &case);
        let model = match came {
            Some(Ok(response)) => response.model,
            _ => None,
        };
        if let Some(model) = model {
            self.gathered.model(model);
        }
        let asked = body.get("model").and_then(Json::as_str);
        origin(&mut case, model.or(asked));
        let outcome = came.map(|came| match came {
            Err(failed) => Outcome::Failed(failed.clone()),
            Ok(response) => {
                let given = response
                    .answers
                    .get(&case.question.name)
                    .and_then(Json::as_object);
                let mut outcome = match given {
                    None => Outcome::Failed(unanswered(&case)),
                    Some(given) => outcome(&case, given, response.model),
                };
                if let (Outcome::Answered(answer), Some(usage)) = (&mut outcome, response.usage)
                    && alone
                {
                    answer.usage = tokens(usage).into();
                }
                outcome
            }
        });
        Decision {
            case,
            outcome,
            others: Vec::new(),
            missing: Vec::new(),
        }
    }

    /// Takes what came back to a request that is not on record: a decision for each answer.
    fn requestless(&mut self, row: &Row, came: Came<'_>, out: &mut Out) {
        let response = match came {
            Err(failed) => {
                let case = self.bare(row, None, QuestionKind::Choice);
                self.gathered.take(nothing(case, failed.message), out);
                return;
            }
            Ok(response) => response,
        };
        if let Some(model) = response.model {
            self.gathered.model(model);
        }
        for (name, answer) in response.answers.members() {
            let kind = answer.as_object().and_then(|answer| answer.get("type"));
            let kind = kind.and_then(Json::as_str).and_then(QuestionKind::parse);
            let kind = kind.unwrap_or(QuestionKind::Choice);
            let mut case = self.bare(row, Some(name), kind);
            origin(&mut case, response.model);
            let why = "what it answers is not on record, so nobody knows what was offered";
            self.gathered.take(nothing(case, why.to_owned()), out);
        }
    }

    fn bare(&self, row: &Row, question: Option<&str>, kind: QuestionKind) -> Case {
        let fields = Fields::of(row);
        let named = ["id", "name"]
            .into_iter()
            .find_map(|name| fields.id(name).ok().flatten());
        let mut id = named.unwrap_or_else(|| format!("{}:{}", self.file.stem(), row.number));
        if let Some(question) = question {
            id = format!("{id}#{question}");
        }
        let source = self.file.source(self.format.name(), &row.at);
        bare(id, source, question.unwrap_or(UNNAMED), kind)
    }

    fn finish(self, out: Out) -> Result<Recording, Vec<Error>> {
        self.gathered.of_requests(&self.sorted, &self.orders, out)
    }
}

/// Whether the options of `case` are the members of an object, which a writer that sorts keys puts into another order.
fn keyed(body: &Object, case: &Case) -> bool {
    let question = body.get("questions").and_then(Json::as_object);
    let question = question.and_then(|questions| questions.get(&case.question.name));
    let criteria = question
        .and_then(Json::as_object)
        .and_then(|one| one.get("criteria"));
    let members = criteria.and_then(Json::as_object).map_or(0, Object::len);
    members > 1
}
