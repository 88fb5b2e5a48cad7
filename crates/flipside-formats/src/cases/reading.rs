//! What the answers of a multiple-choice file are: decided once per file from all its rows, never per row.

use flipside_core::case::CaseOption;
use flipside_core::json::Json;
use flipside_core::order::OptionId;
use flipside_core::perturb::counting::letters;

use crate::read::{AnswerBase, At, Error, Out, Warning, either};

/// Fields that can hold an answer.
pub(super) const ANSWERS: [&str; 6] = [
    "answer",
    "answer_index",
    "answerKey",
    "cop",
    "label",
    "gold",
];

/// One way to read an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    Key,
    Text,
    Letter,
    Zero,
    One,
}

/// What an answer is read against.
pub(super) struct Row {
    pub(super) at: At,
    pub(super) options: Vec<CaseOption>,
    /// Whether the row names its own keys.
    pub(super) keyed: bool,
    /// Whether the keys are those of a JSON object.
    pub(super) by_object: bool,
    /// The answers it has.
    pub(super) answers: Vec<(&'static str, Json)>,
}

impl Reading {
    fn words(self) -> &'static str {
        match self {
            Self::Key => "an option key",
            Self::Text => "an option's text",
            Self::Letter => "a letter",
            Self::Zero => "a place counted from 0",
            Self::One => "a place counted from 1",
        }
    }

    fn of(base: AnswerBase) -> Self {
        match base {
            AnswerBase::Zero => Self::Zero,
            AnswerBase::One => Self::One,
            AnswerBase::Letter => Self::Letter,
            AnswerBase::Text => Self::Text,
        }
    }

    /// The ways in which a field can be read.
    fn all(field: &str, keyed: bool) -> &'static [Self] {
        match (field, keyed) {
            ("answer", true) => &[Self::Key, Self::Text],
            ("answer", false) => &[Self::Text, Self::Letter, Self::Zero, Self::One],
            ("answerKey", true) => &[Self::Key],
            ("answerKey", false) => &[Self::Letter],
            ("label" | "gold", true) => &[Self::Key, Self::Zero, Self::One],
            _ => &[Self::Zero, Self::One],
        }
    }

    /// The option that `answer` names when read so, with all options of the same text.
    fn read(self, answer: &Json, options: &[CaseOption]) -> Option<Vec<OptionId>> {
        let text = match answer {
            Json::String(text) => text.as_str(),
            Json::Number(number) => number.as_str(),
            _ => return None,
        };
        let number = || {
            text.parse::<usize>()
                .ok()
                .filter(|number| number.to_string() == text)
        };
        let place = match self {
            Self::Key => options.iter().position(|option| option.key.0 == text),
            Self::Text => options.iter().position(|option| is_text(option, text)),
            Self::Letter => {
                (0..options.len()).find(|place| letters(*place).eq_ignore_ascii_case(text))
            }
            Self::Zero => number(),
            Self::One => number().and_then(|number| number.checked_sub(1)),
        };
        let named = options.get(place?)?;
        let equal = |option: &CaseOption| option.text.is_some() && option.text == named.text;
        let same = options
            .iter()
            .enumerate()
            .filter(|(at, option)| Some(*at) == place || equal(option));
        Some(
            same.filter_map(|(at, _)| u16::try_from(at).ok().map(OptionId))
                .collect(),
        )
    }
}

fn is_text(option: &CaseOption, text: &str) -> bool {
    match &option.text {
        Some(Json::String(own)) => own == text,
        Some(Json::Number(own)) => own.as_str() == text,
        _ => false,
    }
}

/// Whether a value stands for "no answer known", as test splits have it.
pub(super) fn is_unlabelled(answer: &Json) -> bool {
    match answer {
        Json::Null => true,
        Json::String(text) => text.is_empty(),
        Json::Number(number) => number.as_str() == "-1",
        _ => false,
    }
}

/// The answers of one field over all rows of one kind.
struct Column<'a> {
    field: &'static str,
    keyed: bool,
    /// Row number and answer.
    answers: Vec<(usize, &'a Json)>,
    /// Readings that are still possible.
    readings: Vec<Reading>,
}

/// The accepted options of every row, or errors in `out`.
pub(super) fn decide(
    file: &str,
    rows: &[Row],
    base: Option<AnswerBase>,
    out: &mut Out,
) -> Option<Vec<Vec<OptionId>>> {
    let mut columns = columns(rows);
    if let Some(base) = base {
        restrict(&mut columns, rows, Reading::of(base));
    }
    let before = out.error_count();
    for column in &mut columns {
        narrow(column, rows, out);
    }
    if out.error_count() > before {
        return None;
    }
    agree(&mut columns, rows, out);
    if out.error_count() > before {
        return None;
    }
    let mut accept = vec![Vec::new(); rows.len()];
    for column in &columns {
        match settle(column, rows) {
            Ok(reading) => {
                let numbered = matches!(reading, Reading::Letter | Reading::Zero | Reading::One);
                if base.is_none() && numbered && Reading::all(column.field, column.keyed).len() > 1
                {
                    let (file, field) = (file.to_owned(), column.field);
                    out.warn(Warning::AnswerRead {
                        file,
                        field,
                        reading: reading.words(),
                    });
                }
                for (row, answer) in &column.answers {
                    accept[*row] = reading
                        .read(answer, &rows[*row].options)
                        .unwrap_or_default();
                }
            }
            Err(error) => out.error(error),
        }
    }
    (out.error_count() == before).then_some(accept)
}

fn columns(rows: &[Row]) -> Vec<Column<'_>> {
    let mut columns: Vec<Column<'_>> = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        for (field, answer) in row
            .answers
            .iter()
            .filter(|(_, answer)| !is_unlabelled(answer))
        {
            match columns
                .iter_mut()
                .find(|column| (column.field, column.keyed) == (field, row.keyed))
            {
                Some(column) => column.answers.push((place, answer)),
                None => columns.push(Column {
                    field,
                    keyed: row.keyed,
                    answers: vec![(place, answer)],
                    readings: Reading::all(field, row.keyed).to_vec(),
                }),
            }
        }
    }
    columns
}

/// Keeps the reading that the user named, in every column where it reads anything.
fn restrict(columns: &mut [Column<'_>], rows: &[Row], reading: Reading) {
    let reads = |column: &Column<'_>| {
        column
            .answers
            .iter()
            .any(|(row, answer)| reading.read(answer, &rows[*row].options).is_some())
    };
    let useful: Vec<bool> = columns
        .iter()
        .map(|column| column.readings.contains(&reading) && reads(column))
        .collect();
    let none = !useful.contains(&true);
    for (column, useful) in columns.iter_mut().zip(useful) {
        if useful || (none && column.readings.contains(&reading)) {
            column.readings = vec![reading];
        }
    }
}

/// Leaves the readings that fit every row.
fn narrow(column: &mut Column<'_>, rows: &[Row], out: &mut Out) {
    let fits = |reading: Reading, row: usize, answer: &Json| {
        reading.read(answer, &rows[row].options).is_some()
    };
    let mut unfit = false;
    for (row, answer) in &column.answers {
        if !column
            .readings
            .iter()
            .any(|reading| fits(*reading, *row, answer))
        {
            unfit = true;
            let words: Vec<&str> = column
                .readings
                .iter()
                .map(|reading| reading.words())
                .collect();
            out.error(Error::Value {
                at: rows[*row].at.clone(),
                field: column.field.to_owned(),
                expected: format!("{} of this row", either(&words)),
                found: shown(answer),
            });
        }
    }
    if unfit {
        return;
    }
    let count = |reading: &Reading| {
        column
            .answers
            .iter()
            .filter(|(row, answer)| fits(*reading, *row, answer))
            .count()
    };
    let best = column
        .readings
        .iter()
        .rev()
        .copied()
        .max_by_key(count)
        .expect("every column has a reading");
    if count(&best) == column.answers.len() {
        let all = column
            .readings
            .iter()
            .copied()
            .filter(|reading| count(reading) == column.answers.len())
            .collect();
        column.readings = all;
        return;
    }
    let (good, bad): (Vec<_>, Vec<_>) = column
        .answers
        .iter()
        .partition(|(row, answer)| fits(best, *row, answer));
    if let (Some((first, other)), Some((row, answer))) = (good.first(), bad.first()) {
        out.error(Error::Contradiction {
            at: rows[*row].at.clone(),
            field: column.field,
            found: shown(answer),
            reading: best.words(),
            other: shown(other),
            first: rows[*first].at.line,
        });
    }
}

/// Leaves the readings that name the same options as some reading of each other column, row by row.
fn agree(columns: &mut [Column<'_>], rows: &[Row], out: &mut Out) {
    for one in 0..columns.len() {
        for other in 0..columns.len() {
            if one == other {
                continue;
            }
            let shared: Vec<(usize, &Json, &Json)> = columns[one]
                .answers
                .iter()
                .filter_map(|(row, answer)| {
                    // Answers stand in the order of their rows.
                    let second = &columns[other].answers;
                    let place = second.binary_search_by_key(row, |(row, _)| *row).ok()?;
                    let (_, second) = second[place];
                    Some((*row, *answer, second))
                })
                .collect();
            let same = |first: Reading, second: Reading, (row, a, b): &(usize, &Json, &Json)| {
                first.read(a, &rows[*row].options) == second.read(b, &rows[*row].options)
            };
            let keeps = |first: &Reading| {
                let agrees = |second: &Reading| shared.iter().all(|row| same(*first, *second, row));
                columns[other].readings.iter().any(agrees)
            };
            let kept: Vec<Reading> = columns[one]
                .readings
                .iter()
                .copied()
                .filter(keeps)
                .collect();
            if !kept.is_empty() {
                columns[one].readings = kept;
                continue;
            }
            let error = disagreement(&columns[one], &columns[other], &shared, rows);
            out.error(error);
            return;
        }
    }
}

/// The first row that does not agree when two columns are read in the way in which most rows do.
fn disagreement(
    one: &Column<'_>,
    other: &Column<'_>,
    shared: &[(usize, &Json, &Json)],
    rows: &[Row],
) -> Error {
    let agrees = |(first, second): (Reading, Reading), (row, a, b): &(usize, &Json, &Json)| {
        first.read(a, &rows[*row].options) == second.read(b, &rows[*row].options)
    };
    let pairs = one
        .readings
        .iter()
        .flat_map(|first| other.readings.iter().map(|second| (*first, *second)));
    let count = |pair: &(Reading, Reading)| shared.iter().filter(|row| agrees(*pair, row)).count();
    let best = pairs
        .rev()
        .max_by_key(count)
        .expect("every column has a reading");
    let found = shared.iter().find(|row| !agrees(best, row));
    let (row, first, second) = found.expect("columns that agree are not in question");
    Error::Disagree {
        at: rows[*row].at.clone(),
        first: one.field,
        found: shown(first),
        second: other.field,
        other: shown(second).into(),
        reading: format!("{} and {}", best.0.words(), best.1.words()).into(),
    }
}

/// The one reading that is left, or the first of several that name the same options everywhere.
fn settle(column: &Column<'_>, rows: &[Row]) -> Result<Reading, Error> {
    let first = column.readings[0];
    for (row, answer) in &column.answers {
        let options = &rows[*row].options;
        let named = first.read(answer, options);
        if column
            .readings
            .iter()
            .any(|reading| reading.read(answer, options) != named)
        {
            return Err(Error::Ambiguous {
                at: rows[*row].at.clone(),
                field: column.field,
                found: shown(answer),
                readings: column
                    .readings
                    .iter()
                    .map(|reading| reading.words())
                    .collect(),
            });
        }
    }
    Ok(first)
}

fn shown(answer: &Json) -> String {
    format!("`{}`", answer.to_text())
}
