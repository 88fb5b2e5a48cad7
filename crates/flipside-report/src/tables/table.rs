//! A table of typed columns, a row at a time.

use std::borrow::Cow;

/// What is in a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell<'a> {
    /// Text, as it came.
    Text(Cow<'a, str>),
    /// A count, or a place.
    Count(u64),
    /// A share, a probability or a measure; finite.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// Nothing: unknown, not asked, or not applicable.
    Empty,
}

/// What is in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// [`Cell::Text`].
    Text,
    /// [`Cell::Count`].
    Count,
    /// [`Cell::Number`].
    Number,
    /// [`Cell::Flag`].
    Flag,
}

impl Kind {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Count => "count",
            Self::Number => "number",
            Self::Flag => "flag",
        }
    }
}

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What is in it; each cell may be empty too.
    pub kind: Kind,
    /// What that means.
    pub meaning: &'static str,
}

/// A table whose rows are made as they are read.
pub struct Table<'a> {
    /// Its name, which is also that of its file.
    pub name: &'static str,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows, each with a cell per column.
    pub rows: Box<dyn Iterator<Item = Vec<Cell<'a>>> + 'a>,
}

/// A column with what it takes from a row of type `R`.
pub(super) struct Field<'a, R> {
    column: Column,
    cell: fn(&R) -> Cell<'a>,
}

/// A column and its cells.
pub(super) fn field<'a, R>(
    name: &'static str,
    kind: Kind,
    meaning: &'static str,
    cell: fn(&R) -> Cell<'a>,
) -> Field<'a, R> {
    let column = Column {
        name,
        kind,
        meaning,
    };
    Field { column, cell }
}

/// The table of `rows`.
pub(super) fn table<'a, R: 'a>(
    name: &'static str,
    fields: Vec<Field<'a, R>>,
    rows: impl Iterator<Item = R> + 'a,
) -> Table<'a> {
    let columns = fields.iter().map(|field| field.column).collect();
    let cells = move |row: R| fields.iter().map(|field| (field.cell)(&row)).collect();
    Table {
        name,
        columns,
        rows: Box::new(rows.map(cells)),
    }
}

impl<'a> From<&'a str> for Cell<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Cell<'_> {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl From<u64> for Cell<'_> {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

impl From<f64> for Cell<'_> {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Cell<'_> {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl<'a, T: Into<Cell<'a>>> From<Option<T>> for Cell<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Empty, Into::into)
    }
}

/// The name that a word of the summary has in JSON.
pub(super) fn word<T: serde::Serialize>(value: &T) -> Cell<'static> {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(name)) => name.into(),
        // A missing word.
        _ => Cell::Empty,
    }
}

/// A list as JSON.
pub(super) fn list<T: serde::Serialize>(value: &T) -> Cell<'static> {
    serde_json::to_string(value).map_or(Cell::Empty, Into::into)
}
