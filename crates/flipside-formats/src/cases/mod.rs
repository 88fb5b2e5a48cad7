//! One file per format: rows to cases.

mod agentjev;
mod body;
mod choice;
mod decoys;
mod detect;
mod equal;
mod fields;
mod named;
mod openai;
mod pairwise;
mod phrasings;
mod position;
mod probe;
mod reading;
mod sys1eval;
mod systemone;
mod text;
mod typed;

use flipside_core::case::{CaseId, Source as CaseSource};

use crate::canonical;
use crate::read::{Error, Format, Out, ReadOptions, Row};
use crate::suite;

pub(crate) use agentjev::{bodies as agentjev_bodies, is_exchange as is_agentjev_exchange};
pub(crate) use detect::{ANSWER, format_of, known};
pub(crate) use fields::Fields;
pub(crate) use named::{strict as strict_fields, unread as unread_fields};
pub(crate) use probe::integer_keys;
pub(crate) use sys1eval::about;
pub(crate) use systemone::{Sorted, not_sent, of_body, options as question_options};

/// The file that rows come from.
pub(crate) struct Source<'a> {
    pub(crate) file: &'a str,
    /// What ids begin with where rows have none.
    pub(crate) stem: &'a str,
    pub(crate) format: Format,
    pub(crate) options: &'a ReadOptions,
    /// Whether all of the file became rows, so that a row that is not there was never written.
    pub(crate) whole: bool,
}

impl Source<'_> {
    fn of(&self, row: &Row) -> CaseSource {
        self.at_line(row.at.line)
    }

    pub(crate) fn at_line(&self, line: u64) -> CaseSource {
        CaseSource {
            format: self.format.name().into(),
            file: self.file.into(),
            line,
        }
    }

    /// The id under the first of `fields` that the row has, else one made from the file's name and the row's number.
    fn id(&self, row: &Row, fields: &[&'static str]) -> Result<CaseId, Error> {
        let named = Fields::of(row);
        for field in fields {
            if let Some(id) = named.id(field)? {
                return Ok(CaseId(id));
            }
        }
        Ok(CaseId(format!("{}:{}", self.stem, row.number)))
    }

    /// Whether the row has an id of its own under one of `fields`.
    fn names(row: &Row, fields: &[&'static str]) -> bool {
        let named = Fields::of(row);
        fields
            .iter()
            .any(|field| named.id(field).is_ok_and(|id| id.is_some()))
    }
}

/// Reads the cases of `rows`, all of the format that `source` names.
pub(crate) fn read(rows: Vec<Row>, source: &Source<'_>, out: &mut Out) {
    match source.format {
        Format::Probe => probe::read(&rows, source, out),
        Format::SystemOne | Format::Exchange => systemone::read(&rows, source, out),
        Format::Sys1Eval => sys1eval::read(&rows, source, out),
        Format::Choice => choice::read(&rows, source, out),
        Format::Pairwise => pairwise::read(&rows, source, out),
        Format::Suite => suite::read_cases(&rows, source, out),
        Format::AgentJev => agentjev::read(&rows, source, out),
        Format::TypedDecisions => typed::read(&rows, source, out),
        Format::OpenAi => openai::read(&rows, source, out),
        Format::Canonical => rows
            .into_iter()
            .for_each(|row| out.take(canonical::of_row(&row))),
    }
}
