//! What is wrong with a file, told to somebody who may not read it.

use super::Error;

impl Error {
    /// The error without a word of the file: its name, the line and what kind of error it is.
    pub fn without_content(&self) -> String {
        let Some(at) = self.at() else {
            return self.to_string();
        };
        let what = match self {
            Self::Json { .. } => "this is not JSON",
            Self::Inner { .. } => "a string that should hold JSON does not",
            Self::RepeatedKey { .. } | Self::RepeatedOption { .. } => "a key is given twice",
            // These name formats and types alone.
            Self::NotObject { .. } | Self::Mixed { .. } => return self.to_string(),
            Self::Type {
                expected, found, ..
            } => return format!("{at}: expected a field to be {expected}, found {found}"),
            Self::RepeatedId { first, .. } => {
                return format!("{at}: the case id is taken by {first}");
            }
            Self::UnknownRow { .. } => "expected the fields of a case, found others",
            Self::Both { .. } => "expected one of two fields, found both",
            Self::MissingField { .. } => "a field is missing",
            Self::UnknownField { .. } => "a field is unknown",
            Self::Value { .. } => "a field has a value that it cannot have",
            Self::EmptyField { .. } => "a field is empty",
            Self::NotOffered { .. } => "an accepted option is not an option",
            Self::Contradiction { .. } | Self::Ambiguous { .. } | Self::Disagree { .. } => {
                "answers cannot be read in one way"
            }
            _ => "the parts do not make a case",
        };
        format!("{at}: {what}")
    }
}

#[cfg(test)]
mod tests {
    use crate::read::{Input, ReadOptions, read_cases};

    /// What is told about a file of `text`, without its folder.
    fn told(text: &str) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c.jsonl");
        std::fs::write(&path, text).unwrap();
        let name = path.to_str().unwrap();
        let input: Input = name.parse().unwrap();
        let errors = read_cases(&[input], &ReadOptions::default()).unwrap_err();
        let errors = errors.iter().map(super::Error::without_content);
        errors.map(|error| error.replace(name, "c.jsonl")).collect()
    }

    #[test]
    fn no_word_of_the_file_is_told() {
        for (text, expected) in [
            ("HUSH=1\0PATH=2", "c.jsonl:1: this is not JSON"),
            ("[\"HUSH\", 1, HUSH]", "c.jsonl:1: this is not JSON"),
            ("{\"HUSH\":1,\"HUSH\":2}", "c.jsonl:1: a key is given twice"),
            (
                "{\"HUSH\":\"HUSH\"}",
                "c.jsonl:1: expected the fields of a case, found others",
            ),
            (
                "\"HUSH\"",
                "c.jsonl:1: expected a JSON object, found a string",
            ),
        ] {
            let told = told(text);
            assert_eq!(told, [expected], "{text}");
        }
        assert_eq!(told(""), ["c.jsonl: the file has no case"]);
        let case = |more: &str| {
            format!(
                "{{\"id\":\"HUSH\",\"state\":\"HUSH\",\"options\":{{\"HUSH\":\"HUSH\",\"b\":null}},\"rules\":\"HUSH\"{more}}}\n"
            )
        };
        for text in [
            case("") + &case(""),
            case(",\"expect\":\"HUSHED\""),
            case(",\"HUSH\":1"),
            case(",\"accept\":\"HUSH\""),
            case("").replace("{\"HUSH\":\"HUSH\",\"b\":null}", "7"),
            case("") + "{\"HUSH\"",
        ] {
            for error in told(&text) {
                assert!(!error.contains("HUSH"), "{text}: {error}");
                assert!(error.starts_with("c.jsonl:"), "{text}: {error}");
            }
        }
    }
}
