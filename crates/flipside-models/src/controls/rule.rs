//! `rule:FILE`: the first rule whose text occurs in the state, and whose key is offered, decides.

use camino::{Utf8Path, Utf8PathBuf};
use flipside_core::foreign::Foreign;
use flipside_core::json::{Json, Object};
use flipside_core::present::Presentation;
use flipside_formats::json;

/// Rules in the order of their file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules(Vec<Rule>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    /// In lower case; `None` for the last rule where it always applies.
    contains: Option<String>,
    choose: String,
}

/// Why a rule file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RuleError {
    /// The file cannot be read.
    #[error("the rules cannot be read")]
    Io(#[from] std::io::Error),
    /// A line is no rule.
    #[error("{file}:{line}: {problem}")]
    Line {
        /// The file.
        file: Utf8PathBuf,
        /// The line, from 1.
        line: u64,
        /// What was found and expected.
        problem: String,
    },
}

impl Rules {
    /// Reads JSON Lines, or one JSON array, of `{"contains": TEXT, "choose": KEY}`; the last may have no `contains`.
    ///
    /// # Errors
    /// [`RuleError`] with file and line.
    pub fn read(file: &Utf8Path) -> Result<Self, RuleError> {
        let text = fs_err::read_to_string(file)?;
        Self::parse(&text).map_err(|(line, problem)| RuleError::Line {
            file: file.to_owned(),
            line,
            problem,
        })
    }

    /// As [`Rules::read`], from text; an error has its line.
    pub(crate) fn parse(text: &str) -> Result<Self, (u64, String)> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let items = if text.trim_start().starts_with('[') {
            array(text)?
        } else {
            lines(text)?
        };
        if items.is_empty() {
            return Err((1, "no rule, expected lines such as `{\"contains\":\"refund\",\"choose\":\"returns\"}`".to_owned()));
        }
        let last = items.len() - 1;
        let mut rules = Vec::with_capacity(items.len());
        for (place, (line, item)) in items.iter().enumerate() {
            let rule = Rule::of(item).map_err(|problem| (*line, problem))?;
            if rule.contains.is_none() && place < last {
                return Err((
                    *line,
                    "only the last rule may have no `contains`".to_owned(),
                ));
            }
            rules.push(rule);
        }
        Ok(Self(rules))
    }

    /// The position that the first applicable rule chooses.
    pub(crate) fn place(&self, shown: &Presentation<'_>) -> Option<usize> {
        let state = shown.state().to_text().to_lowercase();
        self.0
            .iter()
            .filter(|rule| {
                rule.contains
                    .as_ref()
                    .is_none_or(|text| state.contains(text.as_str()))
            })
            .find_map(|rule| shown.at_key(&rule.choose))
            .map(|option| option.position.index())
    }
}

impl Rule {
    fn of(item: &Json) -> Result<Self, String> {
        let Some(object) = item.as_object() else {
            return Err(format!(
                "found {}, expected a rule `{{\"contains\":TEXT,\"choose\":KEY}}`",
                item.kind()
            ));
        };
        let mut members = object.members().iter().map(|(name, _)| name.as_str());
        if let Some(other) = members.find(|name| !matches!(*name, "contains" | "choose")) {
            return Err(format!(
                "a rule has no `{}`, expected `contains` and `choose`",
                Foreign(other)
            ));
        }
        let contains = string(object, "contains")?.map(str::to_lowercase);
        let choose = string(object, "choose")?
            .ok_or("the rule has no `choose`")?
            .to_owned();
        Ok(Self { contains, choose })
    }
}

fn string<'a>(object: &'a Object, member: &str) -> Result<Option<&'a str>, String> {
    match object.get(member) {
        None => Ok(None),
        Some(Json::String(text)) if text.is_empty() => Err(format!("`{member}` is empty")),
        Some(Json::String(text)) => Ok(Some(text)),
        Some(other) => Err(format!("`{member}` is {}, expected a string", other.kind())),
    }
}

fn lines(text: &str) -> Result<Vec<(u64, Json)>, (u64, String)> {
    (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| match json::parse(line) {
            Ok(value) => Ok((number, value)),
            Err(error) => Err((number, error.to_string())),
        })
        .collect()
}

fn array(text: &str) -> Result<Vec<(u64, Json)>, (u64, String)> {
    match json::parse(text) {
        Ok(Json::Array(items)) => Ok(element_lines(text).into_iter().zip(items).collect()),
        Ok(other) => Err((
            1,
            format!("found {}, expected an array of rules", other.kind()),
        )),
        Err(error) => Err((error.line, error.to_string())),
    }
}

/// The line in which each element of the array begins that `text` is.
fn element_lines(text: &str) -> Vec<u64> {
    let (mut line, mut depth, mut quoted, mut escaped, mut fresh) = (1, 0, false, false, false);
    let mut found = Vec::new();
    for byte in text.bytes() {
        if byte == b'\n' {
            line += 1;
        }
        if quoted {
            quoted = escaped || byte != b'"';
            escaped = byte == b'\\' && !escaped;
            continue;
        }
        if fresh && depth == 1 && !byte.is_ascii_whitespace() && byte != b']' {
            found.push(line);
            fresh = false;
        }
        match byte {
            b'"' => quoted = true,
            b'[' | b'{' => {
                depth += 1;
                fresh = depth == 1;
            }
            b']' | b'}' => depth -= 1,
            b',' if depth == 1 => fresh = true,
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> String {
        let (line, problem) = Rules::parse(text).unwrap_err();
        format!("{line}: {problem}")
    }

    #[test]
    fn lines_and_an_array_give_the_same_rules() {
        let lines = "{\"contains\":\"Refund\",\"choose\":\"returns\"}\n\n{\"choose\":\"human\"}\n";
        let array = "[ {\"contains\":\"Refund\",\"choose\":\"returns\"},\n{\"choose\":\"human\"} ]";
        assert_eq!(Rules::parse(lines), Rules::parse(array));
        assert_eq!(
            Rules::parse(lines).unwrap().0[0].contains.as_deref(),
            Some("refund")
        );
    }

    #[test]
    fn what_is_no_rule_is_named_with_its_line() {
        assert_eq!(
            problem("{\"contains\":\"a\",\"choose\":\"b\"}\n{\"contains\":\"a\"}"),
            "2: the rule has no `choose`"
        );
        assert_eq!(
            problem("[\n{\"choose\":\"a\"},\n{\"choose\":\"b\"}]"),
            "2: only the last rule may have no `contains`"
        );
        assert_eq!(
            problem("[{\"contains\":\"],\\\"\",\"choose\":\"a\"},\n\n 7]"),
            "3: found a number, expected a rule `{\"contains\":TEXT,\"choose\":KEY}`"
        );
        assert_eq!(
            problem("{\"contain\":\"a\",\"choose\":\"b\"}"),
            "1: a rule has no `contain`, expected `contains` and `choose`"
        );
        assert_eq!(
            problem("{\"contains\":1,\"choose\":\"b\"}"),
            "1: `contains` is a number, expected a string"
        );
        assert_eq!(
            problem("{\"contains\":\"\",\"choose\":\"b\"}"),
            "1: `contains` is empty"
        );
        assert_eq!(
            problem("{\"choose\":\"b\",\"choose\":\"c\"}"),
            "1: key `choose` is given twice, at columns 2 and 15"
        );
        assert!(problem("\n").starts_with("1: no rule"));
    }
}
