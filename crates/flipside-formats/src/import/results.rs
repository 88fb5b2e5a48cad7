//! Results of sys1-eval, one row a case: `answers` by question, whether it went `ok`, and the case's `id`.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use flipside_core::answer::Usage;
use flipside_core::case::{Case, FieldValue, QuestionKind};
use flipside_core::json::{Json, Object};
use flipside_core::record::{Failed, Outcome};
use flipside_core::recorded::{Decision, Missing};
use flipside_core::shared::List;

use super::build::{
    Gathered, UNNAMED, bare, failure, field, identity, nothing, option, origin, outcome, tokens,
    unanswered,
};
use super::file::{File, done};
use super::listed::Orders;
use super::{Kind, Recording, Supplements};
use crate::cases::{Fields, about, unread_fields};
use crate::read::{At, Error, Out, Row};

/// The format's name.
const FORMAT: &str = "sys1-eval-results";

/// What a row has that is no field of its case.
const ROW: &[&str] = &[
    "id",
    "ok",
    "answers",
    "error",
    "ms",
    "model",
    "usage",
    "attempts",
    "status",
    "mean_confidence",
    "confidence",
];

/// Reads a result file.
///
/// With cases, an answer is read against the case of its id, in the order in which that lists its options, and a case without
/// a row is a decision without an answer. Without one, the options are the keys of the answer's probabilities in byte order,
/// and no order of them is on record: the order in an answer is not the order that was offered.
pub(super) fn read(file: &File<'_>, supplements: &Supplements) -> Result<Recording, Vec<Error>> {
    let mut out = Out::default();
    let mut reader = Reader {
        file,
        cases: Cases::of(&supplements.cases),
        orders: Orders::of(&supplements.options_from),
        seen: BTreeMap::new(),
        gathered: Gathered::new(file, FORMAT),
    };
    file.rows(Kind::Results, &mut out, &mut |row, out| {
        if let Err(error) = reader.row(&row, out) {
            out.error(error);
        }
    })?;
    reader.finish(&supplements.cases, &mut out);
    done(&mut out)?;
    Ok(reader.gathered.recording(out))
}

/// The cases that answers belong to, by id.
struct Cases<'a> {
    by_id: BTreeMap<&'a str, &'a Case>,
}

impl<'a> Cases<'a> {
    fn of(cases: &'a [Case]) -> Self {
        let by_id = cases.iter().map(|case| (case.id.0.as_str(), case));
        Self {
            by_id: by_id.collect(),
        }
    }

    /// The cases of the row `id`: the one of that id, or one for each question that it answers.
    fn of_row(&self, id: &str, names: &[&str]) -> Vec<&'a Case> {
        if let Some(case) = self.by_id.get(id) {
            return vec![case];
        }
        let each = names.iter().filter_map(|name| {
            let case = self.by_id.get(format!("{id}#{name}").as_str())?;
            (case.question.name == *name).then_some(*case)
        });
        each.collect()
    }
}

struct Reader<'a> {
    file: &'a File<'a>,
    cases: Cases<'a>,
    orders: Orders<'a>,
    seen: BTreeMap<Box<str>, Seen>,
    gathered: Gathered<'a>,
}

/// Where the id of a row was seen, and the places of its decisions.
struct Seen {
    line: u64,
    again: List<u64>,
    decisions: Range<u32>,
}

/// A row whose parts have the types that they must have.
struct Line<'a> {
    at: &'a At,
    id: String,
    /// Its answers, or why there are none.
    answers: Result<&'a Object, Failed>,
    model: Option<&'a str>,
    usage: Usage,
    fields: Vec<(String, FieldValue)>,
}

impl Reader<'_> {
    fn row(&mut self, row: &Row, out: &mut Out) -> Result<(), Error> {
        let row = result(row)?;
        if let Some(seen) = self.seen.get_mut(row.id.as_str()) {
            seen.again.push(row.at.line);
            return Ok(());
        }
        if let Some(model) = row.model {
            self.gathered.model(model);
        }
        let answers = row.answers.as_ref().ok().map(|answers| answers.members());
        let names = answers.unwrap_or_default().iter();
        let names: Vec<&str> = names.map(|(name, _)| name.as_str()).collect();
        let cases = self.cases.of_row(&row.id, &names);
        let decisions = if cases.is_empty() {
            self.caseless(&row)
        } else {
            let known = cases.into_iter().map(|case| of_case(case, &row, self.file));
            known.collect()
        };
        let first = self.next();
        for mut decision in decisions {
            for (name, value) in &row.fields {
                field(&mut decision.case, name, value.clone());
            }
            origin(&mut decision.case, row.model);
            self.gathered.take(decision, out);
        }
        let seen = Seen {
            line: row.at.line,
            again: List::new(),
            decisions: first..self.next(),
        };
        self.seen.insert(row.id.into(), seen);
        Ok(())
    }

    /// The place of the next decision.
    fn next(&self) -> u32 {
        u32::try_from(self.gathered.decisions.len()).expect("a file has fewer than 2^32 rows")
    }

    /// The decisions of a row to which there is no case: that of its one choice, or else each of its answers.
    ///
    /// Which of several questions a case is about says only the case; a result of a choice and of others is taken to be about
    /// the choice, with the others for company.
    fn caseless(&self, row: &Line<'_>) -> Vec<Decision> {
        let answers = match &row.answers {
            Ok(answers) => *answers,
            Err(failed) => {
                let case = self.bare(row, row.id.clone(), UNNAMED, QuestionKind::Choice);
                return vec![nothing(case, failed.message.clone())];
            }
        };
        if let Some(place) = about(answers) {
            let (name, answer) = &answers.members()[place];
            let mut decision = self.of_answer(row, row.id.clone(), name, answer);
            let mut company = answers
                .members()
                .iter()
                .map(|(name, _)| (name.clone(), Json::Null));
            let question = &mut decision.case.question;
            question.before = company.by_ref().take(place).collect();
            question.after = company.skip(1).collect();
            return vec![decision];
        }
        let each = answers.members().iter().map(|(name, answer)| {
            let id = format!("{}#{name}", row.id);
            self.of_answer(row, id, name, answer)
        });
        each.collect()
    }

    /// The decision of one answer of which no request is on record.
    fn of_answer(&self, row: &Line<'_>, id: String, name: &str, answer: &Json) -> Decision {
        let kind = kind(answer);
        let (Some(kind), Some(object)) = (kind, answer.as_object()) else {
            let case = self.bare(row, id, name, QuestionKind::Choice);
            return nothing(
                case,
                "it is no answer to a choice, score or noul question".to_owned(),
            );
        };
        let mut case = self.bare(row, id, name, kind);
        let mut missing = vec![Missing::Request];
        match kind {
            QuestionKind::Choice => {
                let mut keys: Vec<&str> = members(object, "probabilities")
                    .map(|(key, _)| key.as_str())
                    .collect();
                if keys.is_empty() {
                    let kept = object.get("choice").and_then(Json::as_str);
                    case.options.extend(kept.map(option));
                    missing.push(Missing::Options { kept: 1, of: None });
                }
                keys.sort_unstable();
                case.options.extend(keys.into_iter().map(option));
                case.brought.unlisted = true;
            }
            QuestionKind::Score => {
                // A level's number is its place as offered, so only the legend says which level it is.
                let legend: Vec<_> = members(object, "legend").collect();
                let levels = members(object, "probabilities").count();
                case.options = (0..levels)
                    .map(|level| option(&level.to_string()))
                    .collect();
                for (key, text) in &legend {
                    if let Some(id) = identity(&case.options, key) {
                        case.options[id.index()].text = Some(text.clone());
                    }
                }
                if legend.is_empty() {
                    missing.push(Missing::Options {
                        kept: 0,
                        of: Some(levels as u64),
                    });
                }
            }
            QuestionKind::Noul => {
                case.options = vec![option("false"), option("true")].into();
                case.brought.unlisted = true;
            }
        }
        if case.options.is_empty() {
            return nothing(case, "the answer names no option".to_owned());
        }
        if case.brought.unlisted && kind == QuestionKind::Choice {
            case.brought.unlisted = self.orders.list(&mut case).is_none();
        }
        if case.brought.unlisted {
            missing.push(Missing::Order);
        }
        missing.sort();
        Decision {
            outcome: Some(answered(&case, object, row)),
            case,
            others: Vec::new(),
            missing,
        }
    }

    fn bare(&self, row: &Line<'_>, id: String, question: &str, kind: QuestionKind) -> Case {
        bare(id, self.file.source(FORMAT, row.at), question, kind)
    }

    /// What only the whole file tells: cases without a row, and ids of several rows.
    fn finish(&mut self, cases: &[Case], out: &mut Out) {
        let place = |number: u32| number as usize;
        for seen in self.seen.values().filter(|seen| !seen.again.is_empty()) {
            let why = several(seen);
            for decision in
                &mut self.gathered.decisions[place(seen.decisions.start)..place(seen.decisions.end)]
            {
                decision.outcome = None;
                decision.missing.push(Missing::Answer { why: why.clone() });
            }
        }
        if cases.is_empty() {
            return;
        }
        let answered: BTreeSet<&str> = (self.gathered.decisions.iter())
            .map(|decision| decision.case.id.0.as_str())
            .collect();
        let absent: Vec<&Case> = (cases.iter())
            .filter(|case| !answered.contains(case.id.0.as_str()))
            .collect();
        for case in absent {
            let why = "the result file has no row for it".to_owned();
            let decision = Decision {
                case: case.clone(),
                outcome: None,
                others: Vec::new(),
                missing: vec![Missing::Answer { why }],
            };
            self.gathered.take(decision, out);
        }
    }
}

/// The decision of a row to which there is a case.
fn of_case(case: &Case, row: &Line<'_>, file: &File<'_>) -> Decision {
    let mut case = case.clone();
    case.source = file.source(FORMAT, row.at);
    let outcome = match &row.answers {
        Err(failed) => Outcome::Failed(failed.clone()),
        Ok(answers) => {
            let question = &mut case.question;
            let answer = answers.get(&question.name).and_then(Json::as_object);
            let company: Vec<&str> = (question.before.iter().chain(&question.after))
                .map(|(name, _)| name.as_str())
                .collect();
            // Who asked had questions that the case does not have: they were company too.
            let more: Vec<_> = (answers.members().iter())
                .filter(|(name, _)| *name != question.name && !company.contains(&name.as_str()))
                .map(|(name, _)| (name.clone(), Json::Null))
                .collect();
            question.after.extend(more);
            match answer {
                Some(answer) => answered(&case, answer, row),
                None => Outcome::Failed(unanswered(&case)),
            }
        }
    };
    Decision {
        case,
        outcome: Some(outcome),
        others: Vec::new(),
        missing: Vec::new(),
    }
}

fn answered(case: &Case, answer: &Object, row: &Line<'_>) -> Outcome {
    let mut outcome = outcome(case, answer, row.model);
    if let Outcome::Answered(answer) = &mut outcome {
        answer.usage = row.usage.into();
    }
    outcome
}

fn several(seen: &Seen) -> String {
    let more = seen.again.len() - 1;
    let lines = format!("lines {} and {}", seen.line, seen.again[0]);
    match more {
        0 => format!("{lines} both have its id"),
        _ => format!("{lines} and {more} more have its id"),
    }
}

/// How the question of an answer was answered.
fn kind(answer: &Json) -> Option<QuestionKind> {
    let kind = answer.as_object()?.get("type")?.as_str()?;
    QuestionKind::parse(kind)
}

fn members<'a>(
    object: &'a Object,
    name: &str,
) -> impl Iterator<Item = &'a (String, Json)> + use<'a> {
    let inner = object.get(name).and_then(Json::as_object);
    inner.into_iter().flat_map(Object::members)
}

fn result(row: &Row) -> Result<Line<'_>, Error> {
    let fields = Fields::of(row);
    let Some(id) = fields.id("id")? else {
        return Err(fields.empty("id", "a result names its case"));
    };
    let ok = match fields.required("ok", "a result says whether it went well")? {
        Json::Bool(ok) => *ok,
        other => return Err(fields.type_error("ok", other, "a boolean")),
    };
    let model = match fields.get("model") {
        Some(Json::String(model)) => Some(model.as_str()),
        None => None,
        Some(other) => return Err(fields.type_error("model", other, "a string")),
    };
    let answers = match (ok, fields.get("answers")) {
        (false, _) => Err(failed(fields)),
        (true, Some(Json::Object(answers))) if !answers.is_empty() => Ok(answers),
        (true, Some(Json::Object(_)) | None) => {
            return Err(fields.empty("answers", "a result that is `ok` has an answer"));
        }
        (true, Some(other)) => {
            return Err(fields.type_error("answers", other, "an object of answers by question"));
        }
    };
    // What several questions cost together is nobody's own.
    let alone = answers.as_ref().is_ok_and(|answers| answers.len() == 1);
    let usage = fields.get("usage").filter(|_| alone);
    Ok(Line {
        at: &row.at,
        id,
        answers,
        model,
        usage: usage.map(tokens).unwrap_or_default(),
        fields: unread_fields(&row.object, ROW),
    })
}

/// The failure that a row recorded: a status where it has one, and what it says.
fn failed(row: Fields<'_>) -> Failed {
    let status = match row.get("status") {
        Some(Json::Number(status)) => status
            .to_u64()
            .filter(|status| !(200..300).contains(status)),
        _ => None,
    };
    failure(status, row.get("error"))
}
