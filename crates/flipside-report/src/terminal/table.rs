//! Tables without lines.

use comfy_table::{ContentArrangement, Table, presets};

use crate::style::{Style, Tone};

/// A table with a heading, columns two spaces apart, no wider than the terminal.
pub(super) fn render(header: &[&str], rows: Vec<Vec<String>>, style: &Style) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(style.width).unwrap_or(u16::MAX));
    table.set_header(header.to_vec());
    table.add_rows(rows);
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    let mut out = String::new();
    for (place, line) in table.lines().enumerate() {
        let line = line.trim_end();
        out += &if place == 0 {
            style.paint(line, Tone::Strong)
        } else {
            line.to_owned()
        };
        out.push('\n');
    }
    out
}
