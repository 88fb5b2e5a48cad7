//! Text in Markdown: what is foreign is text there too, and no markup.

use flipside_core::foreign::Foreign;

/// The most characters of a foreign name in a cell.
const CELL: usize = 80;

/// Foreign text in a cell: without control characters, cut, and with everything escaped that Markdown or a table would read.
pub(super) fn cell(text: &str) -> String {
    escaped(&Foreign(text).cut(CELL))
}

/// A sentence of ours in which foreign text was escaped and cut already: nothing in it is markup.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        let marks = matches!(
            c,
            '\\' | '`'
                | '*'
                | '_'
                | '['
                | ']'
                | '<'
                | '>'
                | '|'
                | '~'
                | '&'
                | '@'
                | '#'
                | '!'
                | '$'
        );
        // An address would become a link.
        let links = match c {
            ':' => out.ends_with("http") || out.ends_with("https"),
            '.' => out.ends_with("www"),
            _ => false,
        };
        if marks || links {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// One line of a table.
pub(super) fn row(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_foreign_is_markup_and_no_pipe_ends_a_cell() {
        assert_eq!(cell("a|b"), "a\\|b");
        assert_eq!(
            cell("<b>*x*</b> `y` [z](w)"),
            "\\<b\\>\\*x\\*\\</b\\> \\`y\\` \\[z\\](w)"
        );
        assert_eq!(cell("http://h:80/v1"), "http\\://h:80/v1");
        assert_eq!(cell("https://h www.h @you"), "https\\://h www\\.h \\@you");
        assert_eq!(cell("a\nb\u{1b}[0m"), "a\\\\u{a}b\\\\u{1b}\\[0m");
        assert_eq!(cell(&"x".repeat(100)).chars().count(), CELL);
    }
}
