//! Tables as comma-separated values.

use std::io::{self, Write};

use flipside_core::foreign::Foreign;

use crate::tables::{Cell, Table};

/// Writes a table as CSV (RFC 4180 with line feeds), its column names first. Nothing is an empty cell, a flag is `true` or `false`, a
/// number is as exact as in JSON.
///
/// Control, bidirectional and invisible characters are written as `\u{..}`. Text that a spreadsheet would compute (it begins with `=`,
/// `+`, `-` or `@`) stands behind an apostrophe; JSON and Parquet have it as it is.
///
/// # Errors
/// Whatever `out` says.
pub fn write(table: Table<'_>, out: impl Write) -> io::Result<()> {
    let mut writer = csv::WriterBuilder::new()
        .terminator(csv::Terminator::Any(b'\n'))
        .from_writer(out);
    writer.write_record(table.columns.iter().map(|column| column.name))?;
    for row in table.rows {
        writer.write_record(row.iter().map(text))?;
    }
    writer.flush()
}

/// What [`write`] writes, as text.
pub fn render(table: Table<'_>) -> String {
    let mut bytes = Vec::new();
    write(table, &mut bytes).expect("memory takes everything");
    String::from_utf8(bytes).expect("cells are text")
}

fn text(cell: &Cell<'_>) -> String {
    match cell {
        Cell::Empty => String::new(),
        Cell::Count(count) => count.to_string(),
        Cell::Number(number) => number.to_string(),
        Cell::Flag(flag) => flag.to_string(),
        Cell::Text(text) => {
            let shown = Foreign(text).to_string();
            if shown.starts_with(['=', '+', '-', '@']) {
                format!("'{shown}")
            } else {
                shown
            }
        }
    }
}
