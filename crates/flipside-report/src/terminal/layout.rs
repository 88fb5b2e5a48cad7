//! Aligned lines: columns, then free text that wraps beneath itself.

use crate::style::{Style, Tone};
use crate::wording::{width, wrap};

/// Spaces between columns.
const GAP: usize = 2;
/// Free text with less room than this beside its columns goes to a line of its own.
const ROOM: usize = 28;
/// The narrowest terminal that lines are laid out for.
const NARROWEST: usize = 60;

/// One line: its first cells stand in columns, its text follows them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    cells: Vec<String>,
    word: Option<(String, Tone)>,
    text: String,
}

impl Row {
    /// A row with these cells in its first columns.
    pub(crate) fn new<const N: usize>(cells: [&str; N]) -> Self {
        Self {
            cells: cells.map(str::to_owned).to_vec(),
            ..Self::default()
        }
    }

    /// Its cells, the word at the start of its text, and the rest of it.
    pub(crate) fn parts(&self) -> (&[String], Option<(&str, Tone)>, &str) {
        let word = self
            .word
            .as_ref()
            .map(|(word, tone)| (word.as_str(), *tone));
        (&self.cells, word, &self.text)
    }

    /// The row with `text` after its cells.
    pub(crate) fn text(mut self, text: impl Into<String>) -> Self {
        self.text = text.into();
        self
    }

    /// The row with `word` at the start of its text, in the colour of `tone`.
    pub(crate) fn word(mut self, word: impl Into<String>, tone: Tone) -> Self {
        self.word = Some((word.into(), tone));
        self
    }
}

/// The rows, one or more lines each, in common columns.
pub(crate) fn rows(rows: &[Row], style: &Style) -> String {
    let columns = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    let cell_width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.cells.get(column))
            .map(|cell| width(cell))
            .max()
    };
    let widths: Vec<usize> = (0..columns)
        .map(|column| cell_width(column).unwrap_or(0))
        .collect();
    let mut out = String::new();
    for row in rows {
        for line in row_lines(row, &widths, style) {
            out += line.trim_end();
            out.push('\n');
        }
    }
    out
}

fn row_lines(row: &Row, widths: &[usize], style: &Style) -> Vec<String> {
    let total = style.width.max(NARROWEST);
    let mut head = String::new();
    for (cell, column) in row.cells.iter().zip(widths) {
        head += cell;
        head += &" ".repeat(column - width(cell) + GAP);
    }
    let (word, tone) = row.word.clone().unwrap_or((String::new(), Tone::Plain));
    let text = format!("{word}{}", row.text);
    if text.is_empty() {
        return vec![head];
    }
    let indent = width(&head);
    let room = total.saturating_sub(indent);
    let (mut lines, indent, wrapped) = if width(&text) <= room || room >= ROOM {
        (Vec::new(), indent, wrap(&text, room))
    } else {
        let indent = widths.first().map_or(GAP, |first| first + GAP);
        (vec![head.clone()], indent, wrap(&text, total - indent))
    };
    for (place, line) in wrapped.iter().enumerate() {
        let painted = match line.strip_prefix(word.as_str()) {
            Some(rest) if place == 0 => style.paint(&word, tone) + rest,
            _ => line.clone(),
        };
        let beside = place == 0 && lines.is_empty();
        lines.push(if beside {
            format!("{head}{painted}")
        } else {
            " ".repeat(indent) + &painted
        });
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Style = Style {
        color: false,
        width: 60,
        verbose: false,
    };

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let table = [
            Row::new(["a", "long cell"]).text("x"),
            Row::new(["abc", "b"]).text("y"),
            Row::new(["c"]).text("free"),
        ];
        assert_eq!(
            rows(&table, &PLAIN),
            "a    long cell  x\nabc  b          y\nc    free\n"
        );
    }

    #[test]
    fn wide_characters_keep_the_columns_straight() {
        let table = [Row::new(["退款"]).text("x"), Row::new(["abcd"]).text("y")];
        assert_eq!(rows(&table, &PLAIN), "退款  x\nabcd  y\n");
    }

    #[test]
    fn text_without_room_beside_its_columns_goes_beneath_them() {
        let cell = "x".repeat(40);
        let table = [Row::new(["ab", &cell])
            .word("sensitive", Tone::Bad)
            .text(", and so on for a while")];
        let expected = format!("ab  {cell}\n    sensitive, and so on for a while\n");
        assert_eq!(rows(&table, &PLAIN), expected);
        let table = [Row::new(["ab"]).text("word ".repeat(20).trim_end())];
        let text = rows(&table, &PLAIN);
        assert!(text.lines().all(
            |line| line.len() <= 60 && (line.starts_with("ab") || line.starts_with("    word"))
        ));
    }

    #[test]
    fn only_the_word_is_coloured_and_columns_stay_where_they_are() {
        let table = [Row::new(["ab"]).word("held", Tone::Good).text(", yes")];
        let text = rows(
            &table,
            &Style {
                color: true,
                ..PLAIN
            },
        );
        assert_eq!(text, "ab  \u{1b}[32mheld\u{1b}[0m, yes\n");
    }
}
