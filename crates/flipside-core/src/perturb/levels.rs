//! Levels with names: on the wire a level of a score question is nothing but its text, so a name can only stand in it.

use crate::case::CaseOption;
use crate::json::Json;

/// A longer text before a colon is a sentence and no name.
const LONGEST_NAME: usize = 40;

/// A level that is written `NAME: description`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Level {
    pub(super) name: String,
    pub(super) description: String,
}

/// A level of this name with this description, as it is written.
pub(super) fn written(name: &str, description: &str) -> Json {
    Json::String(format!("{name}: {description}"))
}

/// `levels` by name and description, where each is written `NAME: description`, names of one line and no two alike.
pub(super) fn named(levels: &[CaseOption]) -> Option<Vec<Level>> {
    let mut found: Vec<Level> = Vec::with_capacity(levels.len());
    for level in levels {
        let (name, description) = level.text.as_ref()?.as_str()?.split_once(": ")?;
        let plain = !name.is_empty()
            && name.trim() == name
            && !name.contains(['\n', '\r'])
            && name.chars().count() <= LONGEST_NAME;
        if !plain || description.is_empty() || found.iter().any(|known| known.name == name) {
            return None;
        }
        found.push(Level {
            name: name.to_owned(),
            description: description.to_owned(),
        });
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_NAME, Level, named, written};
    use crate::case::{CaseOption, Key};
    use crate::json::Json;

    fn levels(texts: &[&str]) -> Option<Vec<Level>> {
        let level = |text: &&str| CaseOption {
            key: Key("0".to_owned()),
            text: Some(Json::String((*text).to_owned())),
        };
        named(&texts.iter().map(level).collect::<Vec<_>>())
    }

    #[test]
    fn a_name_stands_before_the_first_colon_of_every_level() {
        let found = levels(&["low: can wait: a week", "high: now"]).unwrap();
        assert_eq!(
            (found[0].name.as_str(), found[0].description.as_str()),
            ("low", "can wait: a week")
        );
        let again = written(&found[1].name, &found[1].description);
        assert_eq!(again, Json::String("high: now".to_owned()));
    }

    #[test]
    fn levels_of_which_one_has_no_name_of_its_own_have_none() {
        let long = format!("{}: b", "a".repeat(LONGEST_NAME + 1));
        for texts in [
            &["low: a", "high"][..],
            &["low: a", "low: b"],
            &["low: a", ": b"],
            &["low: a", " high: b"],
            &["low: a", "high: "],
            &["low: a", "it is\nhigh: b"],
            &["low: a", &long],
            &["10:30", "11:30"],
        ] {
            assert_eq!(levels(texts), None, "{texts:?}");
        }
        let bare = CaseOption {
            key: Key("0".to_owned()),
            text: None,
        };
        assert_eq!(named(&[bare]), None);
    }
}
