//! One row of a table, whichever way it is written.

use csv::StringRecord;
use flipside_core::case::FieldValue;
use flipside_core::json::{Json, Number};

use crate::cases::{Fields, unread_fields};
use crate::import::file::{File, done};
use crate::import::{Kind, Problem};
use crate::read::{At, Error, Out, Row};

/// One row of a table.
pub(super) enum Cells<'a> {
    /// A record under a header.
    Record {
        at: At,
        header: &'a StringRecord,
        record: &'a StringRecord,
    },
    /// An object whose members are the columns.
    Object(&'a Row),
}

impl<'a> Cells<'a> {
    pub(super) fn at(&self) -> &At {
        match self {
            Self::Record { at, .. } => at,
            Self::Object(row) => &row.at,
        }
    }

    /// The names of its columns.
    pub(super) fn columns(&self) -> Vec<&'a str> {
        match self {
            Self::Record { header, .. } => header.iter().collect(),
            Self::Object(row) => {
                let members = row.object.members().iter();
                members.map(|(name, _)| name.as_str()).collect()
            }
        }
    }

    pub(super) fn has(&self, column: &str) -> bool {
        match self {
            Self::Record { header, .. } => header.iter().any(|name| name == column),
            Self::Object(row) => row.object.get(column).is_some(),
        }
    }

    /// The text of a cell; `None` where it is empty, null or not there.
    pub(super) fn text(&self, column: &str) -> Result<Option<&'a str>, Error> {
        let text = match self {
            Self::Record { header, record, .. } => {
                let place = header.iter().position(|name| name == column);
                place.and_then(|place| record.get(place))
            }
            Self::Object(row) => match row.object.get(column) {
                None | Some(Json::Null) => None,
                Some(Json::String(text)) => Some(text.as_str()),
                Some(Json::Number(number)) => Some(number.as_str()),
                Some(Json::Bool(true)) => Some("true"),
                Some(Json::Bool(false)) => Some("false"),
                Some(other) => {
                    let expected = "a string, a number or a boolean";
                    return Err(Fields::of(row).type_error(column, other, expected));
                }
            },
        };
        Ok(text.filter(|text| !text.is_empty()))
    }

    /// The text of a cell that must have one.
    pub(super) fn required(&self, column: &str, help: &'static str) -> Result<&'a str, Error> {
        let (at, field) = (self.at().clone(), column.to_owned());
        match self.text(column)? {
            Some(text) => Ok(text),
            None if self.has(column) => Err(Error::EmptyField { at, field, help }),
            None => Err(Error::MissingField { at, field, help }),
        }
    }

    /// A whole number from `least` to `most`, where the cell has one.
    pub(super) fn whole(&self, column: &str, least: u16, most: u16) -> Result<Option<u16>, Error> {
        let Some(text) = self.text(column)? else {
            return Ok(None);
        };
        let number = text
            .parse()
            .ok()
            .filter(|number| (least..=most).contains(number));
        if number.is_none() {
            let expected = format!("a whole number from {least} to {most}");
            return Err(self.value_error(column, text, expected));
        }
        Ok(number)
    }

    /// A probability, as it is written, where the cell has one.
    pub(super) fn probability(&self, column: &str) -> Result<Option<&'a str>, Error> {
        let Some(text) = self.text(column)? else {
            return Ok(None);
        };
        let value: Option<f64> = text.parse().ok();
        match value.filter(|value| (0.0..=1.0).contains(value)) {
            Some(_) => Ok(Some(text)),
            None => Err(self.value_error(column, text, "a number from 0 to 1".to_owned())),
        }
    }

    pub(super) fn value_error(&self, column: &str, found: &str, expected: String) -> Error {
        Error::Value {
            at: self.at().clone(),
            field: column.to_owned(),
            expected,
            found: format!("`{found}`"),
        }
    }

    /// The cells that are none of `known`, as the fields of a case.
    pub(super) fn fields(&self, known: &[&str]) -> Vec<(String, FieldValue)> {
        match self {
            Self::Object(row) => unread_fields(&row.object, known),
            Self::Record { header, record, .. } => {
                let cells = header.iter().zip(record.iter());
                let others = cells.filter(|(name, text)| !text.is_empty() && !known.contains(name));
                let value = |text: &str| match Number::parse(text) {
                    Some(number) => FieldValue::Number(number),
                    None => FieldValue::Text(text.to_owned()),
                };
                others
                    .map(|(name, text)| (name.to_owned(), value(text)))
                    .collect()
            }
        }
    }
}

/// Hands every row of the table to `take`.
///
/// # Errors
/// Every error that is in `out` at the end, by line.
pub(super) fn each(
    file: &File<'_>,
    out: &mut Out,
    take: &mut dyn FnMut(&Cells<'_>, &mut Out),
) -> Result<(), Vec<Error>> {
    let text = file.text()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim_start().starts_with(['{', '[']) {
        return file.rows(Kind::Table, out, &mut |row, out| {
            take(&Cells::Object(&row), out);
        });
    }
    records(file, text, out, take);
    done(out)
}

fn records(file: &File<'_>, text: &str, out: &mut Out, take: &mut dyn FnMut(&Cells<'_>, &mut Out)) {
    let mut reader = csv::ReaderBuilder::new();
    let mut reader = reader.flexible(true).from_reader(text.as_bytes());
    // The text is UTF-8 and in memory, and rows of any length are taken.
    let header = reader.headers().expect("a header can be read").clone();
    if let Some((_, second)) = flipside_core::json::first_duplicate(header.iter()) {
        let column = header[second].to_owned();
        out.error(Problem::RepeatedColumn { column }.at(&file.at(1)));
        return;
    }
    let mut record = StringRecord::new();
    let (mut line, mut counted) = (1, 0);
    while reader
        .read_record(&mut record)
        .expect("a record can be read")
    {
        // A record is said to begin where the one before it ended, which may be lines before its first cell.
        let end = record.position().map_or(0, csv::Position::byte);
        let end = usize::try_from(end).expect("a place in a text that is in memory");
        let skipped = text[end..]
            .bytes()
            .take_while(|byte| matches!(byte, b'\r' | b'\n'));
        let start = end + skipped.count();
        line += text[counted..start]
            .bytes()
            .filter(|byte| *byte == b'\n')
            .count() as u64;
        counted = start;
        let at = file.at(line);
        if record.len() == header.len() {
            let header = &header;
            let record = &record;
            take(&Cells::Record { at, header, record }, out);
        } else {
            let (found, columns) = (record.len() as u64, header.len() as u64);
            out.error(Problem::Cells { found, columns }.at(&at));
        }
    }
}
