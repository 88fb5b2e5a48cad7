//! A command as words, split the way a shell splits, without a shell.

/// The words of a command: the program, then its arguments; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words(Vec<String>);

impl Words {
    /// The program.
    pub fn program(&self) -> &str {
        &self.0[0]
    }

    /// Its arguments.
    pub fn arguments(&self) -> &[String] {
        &self.0[1..]
    }
}

/// Why a text is no command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Problem {
    #[error("expected a command after `exec:`, found none")]
    Empty,
    #[error("the quote `{0}` is not closed")]
    Unclosed(char),
    #[error("nothing follows the last backslash")]
    Backslash,
}

/// Splits at white space; quotes hold words together, and a backslash takes the next character as it is, except between
/// single quotes.
pub(crate) fn split(text: &str) -> Result<Words, Problem> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('\\', quote) if quote != Some('\'') => {
                let next = characters.next().ok_or(Problem::Backslash)?;
                let word = word.get_or_insert_default();
                if quote == Some('"') && !matches!(next, '"' | '\\' | '$' | '`') {
                    word.push('\\');
                }
                word.push(next);
            }
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    if let Some(quote) = quote {
        return Err(Problem::Unclosed(quote));
    }
    words.extend(word);
    if words.first().is_none_or(String::is_empty) {
        return Err(Problem::Empty);
    }
    Ok(Words(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_backslashes_hold_words_together() {
        let words = split(r#"  py 'a b'"c d" e\ f "" "\n\"" 'g\' "#).unwrap();
        assert_eq!(words.program(), "py");
        assert_eq!(words.arguments(), ["a bc d", "e f", "", "\\n\"", "g\\"]);
    }

    #[test]
    fn what_is_no_command_is_refused() {
        assert_eq!(split(" "), Err(Problem::Empty));
        assert_eq!(split("''"), Err(Problem::Empty));
        assert_eq!(split("a 'b"), Err(Problem::Unclosed('\'')));
        assert_eq!(split("a \"b"), Err(Problem::Unclosed('"')));
        assert_eq!(split("a \\"), Err(Problem::Backslash));
    }
}
