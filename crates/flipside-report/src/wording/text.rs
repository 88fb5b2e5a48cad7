//! How words are put together.

use flipside_core::foreign::Foreign;
use flipside_core::record::FailedKind;

use super::number::count;

/// A count with its noun: `1 case`, `2 cases`.
pub fn plural(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

/// Items as a list in a sentence: `a`, `a and b`, `a, b and c`.
pub fn list<T: AsRef<str>>(items: &[T]) -> String {
    match items {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}

/// The most characters of foreign text inside a sentence.
const FOREIGN: usize = 200;
/// The most characters of a foreign name in a column.
const NAME: usize = 24;

/// Text from outside, escaped and cut.
pub fn foreign(text: &str) -> String {
    Foreign(text).cut(FOREIGN)
}

/// The name of a model, or that none is on record.
pub(super) fn model_or_none(model: &str) -> String {
    if model.is_empty() {
        "a model that is not on record".to_owned()
    } else {
        foreign(model)
    }
}

/// A name from outside, escaped and cut to fit a column.
pub fn name(text: &str) -> String {
    case_name(text, NAME)
}

/// The id of a case, escaped and cut to `limit` characters; one that was made from a file's name and a line keeps the line.
pub fn case_name(id: &str, limit: usize) -> String {
    let made = id.rsplit_once(':');
    match made.filter(|(_, line)| line.parse::<u64>().is_ok() && line.len() + 4 < limit) {
        Some((stem, line)) => format!("{}:{line}", Foreign(stem).cut(limit - line.len() - 1)),
        None => Foreign(id).cut(limit),
    }
}

/// Several names from outside in a column: all of them if they fit, else the first and how many more, else how many.
pub fn together<T: AsRef<str>>(names: &[T]) -> String {
    let all: Vec<String> = names.iter().map(|text| name(text.as_ref())).collect();
    let joined = all.join(", ");
    let [first, _, ..] = &all[..] else {
        return joined;
    };
    let n = all.len() as u64;
    let short = format!("{first} and {} more", count(n - 1));
    let fit = [joined, short].into_iter().find(|text| width(text) <= NAME);
    fit.unwrap_or_else(|| format!("{} variants", count(n)))
}

/// What was seen, why it matters and what to do, as one sentence.
pub fn sentence(seen: &str, matters: &str, act: &str) -> String {
    format!("{seen}: {matters}; {act}")
}

/// The name of a kind of failed ask.
pub fn failed(kind: FailedKind) -> &'static str {
    match kind {
        FailedKind::Malformed => "malformed reply",
        FailedKind::Status => "error status",
        FailedKind::Connection => "no connection",
        FailedKind::Timeout => "timeout",
        FailedKind::Unsupported => "unsupported question",
        FailedKind::Unavailable => "nothing recorded",
        _ => "failed",
    }
}

/// Columns that `text` takes on a terminal: wide East Asian characters and emoji take two, combining marks none.
pub fn width(text: &str) -> usize {
    text.chars().map(columns).sum()
}

fn columns(c: char) -> usize {
    match c {
        '\u{300}'..='\u{36f}' | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe0f}' => 0,
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f300}'..='\u{1faff}'
        | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
}

/// `text` in lines of at most `columns`, broken at spaces; a longer word keeps its line.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if width(line) + 1 + width(word) <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_made_of_file_and_line_keeps_its_line() {
        assert_eq!(
            case_name("ticket_router_30.probe:12", 20),
            "ticket_router_30…:12"
        );
        assert_eq!(case_name("short:7", 20), "short:7");
        assert_eq!(case_name("no line: at the end of it", 10), "no line: …");
        assert_eq!(case_name("\u{1b}:3", 10), "\\u{1b}:3");
    }

    #[test]
    fn one_is_singular_and_everything_else_plural() {
        assert_eq!(
            [0, 1, 2].map(|n| plural(n, "case", "cases")),
            ["0 cases", "1 case", "2 cases"]
        );
        assert_eq!(plural(12_000, "reply", "replies"), "12,000 replies");
    }

    #[test]
    fn lists_end_with_and() {
        assert_eq!(list::<&str>(&[]), "");
        assert_eq!(list(&["a"]), "a");
        assert_eq!(list(&["a", "b"]), "a and b");
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
    }

    #[test]
    fn names_stand_together_as_long_as_they_fit_a_column() {
        assert_eq!(together(&["line-ends", "pretty"]), "line-ends, pretty");
        assert_eq!(
            together(&["rotate:1", "rotate:2", "rotate:3"]),
            "rotate:1 and 2 more"
        );
        assert_eq!(
            together(&["order/reverse+keys/abstract", "order/reverse+keys/letters"]),
            "2 variants"
        );
        let long = "x".repeat(30);
        assert_eq!(together(&[&long]), format!("{}…", "x".repeat(23)));
    }

    #[test]
    fn every_failure_has_its_own_name() {
        use FailedKind::{Connection, Malformed, Status, Timeout, Unavailable, Unsupported};
        let mut names = [
            Malformed,
            Status,
            Connection,
            Timeout,
            Unsupported,
            Unavailable,
        ]
        .map(failed)
        .to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 6);
    }

    #[test]
    fn lines_break_at_spaces_and_wide_characters_count_twice() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("退款 b", 5), ["退款", "b"]);
        assert_eq!(wrap("退款 b", 6), ["退款 b"]);
        assert_eq!(wrap("unbreakable", 3), ["unbreakable"]);
        assert_eq!(width("e\u{301}"), 1);
    }
}
