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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{self, Variants};
    use crate::tables::{self, Run};

    fn read(name: &str, summary: &flipside_core::summary::Summary) -> Vec<Vec<String>> {
        let runs = [Run {
            name: "runs/a",
            started: None,
            summary,
        }];
        let text = render(tables::named(name, &runs).unwrap());
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .from_reader(text.as_bytes());
        let rows = reader.records().map(|row| {
            let row = row.unwrap();
            row.iter().map(str::to_owned).collect()
        });
        rows.collect()
    }

    fn column(rows: &[Vec<String>], name: &str) -> Vec<String> {
        let place = rows[0].iter().position(|known| known == name).unwrap();
        rows[1..].iter().map(|row| row[place].clone()).collect()
    }

    #[test]
    fn a_table_of_figures_has_a_row_each_as_exact_as_the_summary() {
        let summary = example::first(&[Variants::Reverse, Variants::Same(2)]);
        let rows = read("figures", &summary);
        assert_eq!(
            column(&rows, "kind"),
            ["fit", "line", "control", "repeat", "repeat"]
        );
        let figure = &summary.axes["order"]["reverse"].figure;
        let lower: f64 = column(&rows, "interval_lower")[1].parse().unwrap();
        assert_eq!(lower.to_bits(), figure.interval.unwrap()[0].to_bits());
        assert_eq!(column(&rows, "flips")[1], figure.flips.unwrap().to_string());
        assert_eq!(column(&rows, "flips")[0], "");
        assert_eq!(column(&rows, "right")[0], summary.fit.right.to_string());
    }

    #[test]
    fn there_is_a_row_for_every_ask_and_every_pair() {
        let summary = example::troubled();
        let asks: usize = summary.cases.iter().map(|case| case.asks.len()).sum();
        assert_eq!(read("asks", &summary).len(), asks + 1);
        let own = summary.cases.len();
        assert_eq!(read("pairs", &summary).len(), asks - own + 1);
        assert_eq!(read("gates", &summary).len(), summary.gates.len() + 1);
    }

    #[test]
    fn no_text_moves_a_cell_or_is_computed_by_a_spreadsheet() {
        let mut summary = example::hostile();
        summary.cases[0].id = "=HYPERLINK(\"http://x\",\"y\"),\n-1".to_owned();
        summary.cases[1].id = "@SUM(A1)".to_owned();
        summary.cases[2].id = "x".repeat(100_000);
        for name in tables::NAMES {
            let rows = read(name, &summary);
            let width = rows[0].len();
            assert!(rows.iter().all(|row| row.len() == width), "{name}");
            let unsafe_text = |cell: &String| {
                cell.starts_with(['=', '+', '@']) || cell.contains(['\u{1b}', '\u{202e}', '\n'])
            };
            assert!(!rows.iter().flatten().any(unsafe_text), "{name}");
        }
        let ids = column(&read("asks", &summary), "case");
        assert_eq!(ids[0], "'=HYPERLINK(\"http://x\",\"y\"),\\u{a}-1");
        assert!(ids.contains(&"'@SUM(A1)".to_owned()));
        assert!(ids.contains(&"x".repeat(100_000)), "CSV cuts nothing");
    }

    #[test]
    fn every_cell_is_of_its_columns_kind() {
        let summary = example::troubled();
        let runs = [Run {
            name: "a",
            started: None,
            summary: &summary,
        }];
        for table in tables::all(&runs) {
            let columns = table.columns;
            for row in table.rows {
                assert_eq!(row.len(), columns.len());
                for (cell, column) in row.iter().zip(&columns) {
                    let kind = match cell {
                        Cell::Empty => continue,
                        Cell::Text(_) => tables::Kind::Text,
                        Cell::Count(_) => tables::Kind::Count,
                        Cell::Number(_) => tables::Kind::Number,
                        Cell::Flag(_) => tables::Kind::Flag,
                    };
                    assert_eq!(kind, column.kind, "{}.{}", table.name, column.name);
                }
            }
        }
    }
}
