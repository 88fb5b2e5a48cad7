//! Files of keys for `--axis keys:list:FILE`: arrays of keys by identity, one a line or all in one array.

use camino::Utf8Path;
use flipside_core::foreign::Foreign;
use flipside_core::json::first_duplicate;

use crate::read::text_of;

/// Why a file of keys cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be read.
    #[error("{path}: the file of keys cannot be read")]
    Io {
        /// The file.
        path: String,
        /// What went wrong.
        #[source]
        source: std::io::Error,
    },
    /// A line is not an array of keys.
    #[error(
        "{path}:{line}: `{}`: expected keys such as `[\"red\",\"green\"]`",
        Foreign(found).cut(40)
    )]
    Shape {
        /// The file.
        path: String,
        /// The line, from 1.
        line: usize,
        /// What was written.
        found: String,
    },
    /// A key stands twice in one list.
    #[error("{path}:{line}: key `{}` stands twice", Foreign(key))]
    Repeated {
        /// The file.
        path: String,
        /// The line, from 1.
        line: usize,
        /// The key.
        key: String,
    },
    /// No list at all.
    #[error("{path}: the file has no keys")]
    Empty {
        /// The file.
        path: String,
    },
}

/// Reads the lists of keys in the file at `path`, each by identity.
///
/// # Errors
/// Every [`Error`] in it.
pub fn read(path: &Utf8Path) -> Result<Vec<Vec<String>>, Vec<Error>> {
    match text_of(path) {
        Ok(text) => parse(path.as_str(), &text),
        Err(source) => Err(vec![Error::Io {
            path: path.to_string(),
            source,
        }]),
    }
}

fn parse(path: &str, text: &str) -> Result<Vec<Vec<String>>, Vec<Error>> {
    let (mut lists, mut errors) = (Vec::new(), Vec::new());
    let shape = |line: usize, found: &str| Error::Shape {
        path: path.to_owned(),
        line,
        found: found.trim().to_owned(),
    };
    let mut take = |line: usize, keys: Vec<String>| {
        if keys.is_empty() || keys.iter().any(String::is_empty) {
            errors.push(shape(
                line,
                &serde_json::to_string(&keys).unwrap_or_default(),
            ));
        } else if let Some((first, _)) = first_duplicate(keys.iter().map(String::as_str)) {
            errors.push(Error::Repeated {
                path: path.to_owned(),
                line,
                key: keys[first].clone(),
            });
        } else {
            lists.push(keys);
        }
    };
    if let Ok(all) = serde_json::from_str::<Vec<Vec<String>>>(text) {
        for keys in all {
            take(1, keys);
        }
    } else {
        let mut wrong = Vec::new();
        for (line, text) in (1..)
            .zip(text.lines())
            .filter(|(_, text)| !text.trim().is_empty())
        {
            match serde_json::from_str::<Vec<String>>(text) {
                Ok(keys) => take(line, keys),
                Err(_) => wrong.push(shape(line, text)),
            }
        }
        errors.extend(wrong);
    }
    if lists.is_empty() && errors.is_empty() {
        errors.push(Error::Empty {
            path: path.to_owned(),
        });
    }
    if errors.is_empty() {
        Ok(lists)
    } else {
        Err(errors)
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn keys_are_read_one_list_a_line_or_as_one_array() {
        let lines = parse("k.jsonl", "[\"a\",\"b\"]\n\n[\"x\"]\n").unwrap();
        assert_eq!(lines, parse("k.json", "[[\"a\",\"b\"],[\"x\"]]").unwrap());
        assert_eq!(
            lines,
            [vec!["a".to_owned(), "b".to_owned()], vec!["x".to_owned()]]
        );
    }

    #[test]
    fn every_bad_list_is_named_with_its_line() {
        let errors = parse("k.jsonl", "[\"a\",\"a\"]\nred\n[]\n[\"\"]\n[1]\n").unwrap_err();
        let mut texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
        texts.sort();
        let keys = "expected keys such as `[\"red\",\"green\"]`";
        assert_eq!(
            texts,
            [
                "k.jsonl:1: key `a` stands twice".to_owned(),
                format!("k.jsonl:2: `red`: {keys}"),
                format!("k.jsonl:3: `[]`: {keys}"),
                format!("k.jsonl:4: `[\"\"]`: {keys}"),
                format!("k.jsonl:5: `[1]`: {keys}"),
            ]
        );
        assert_eq!(
            parse("k", "").unwrap_err()[0].to_string(),
            "k: the file has no keys"
        );
    }
}
