//! Which models served, in words.

use flipside_core::summary::ServedVersion;

use super::number::count;
use super::text::{foreign, list};

/// The most models that are named.
const MOST: usize = 4;

/// Which model answered which requests, told apart by whatever they differ in:
/// `` `m` (requests 1 to 40) and `m-2` (requests 41 to 80) ``.
pub fn served_versions(versions: &[ServedVersion]) -> String {
    let mut named: Vec<String> = versions
        .iter()
        .take(MOST)
        .map(|one| format!("{} ({})", name(one, versions), requests(one)))
        .collect();
    if versions.len() > MOST {
        named.push(format!("{} more", versions.len() - MOST));
    }
    list(&named)
}

/// One thing that replies say of a model.
type Part = fn(&ServedVersion) -> Option<&str>;

/// What tells models of one name apart.
const PARTS: [(&str, Part); 3] = [
    ("by", |one| one.provider.as_deref()),
    ("revision", |one| one.revision.as_deref()),
    ("fingerprint", |one| one.fingerprint.as_deref()),
];

/// A model by its name, and by what else tells it from the others.
fn name(one: &ServedVersion, all: &[ServedVersion]) -> String {
    let quoted = |text: Option<&str>| match text {
        Some(text) => format!("`{}`", foreign(text)),
        None => "unknown".to_owned(),
    };
    let mut parts = vec![quoted(one.model.as_deref())];
    for (word, part) in PARTS {
        if all.iter().any(|other| part(other) != part(one)) {
            parts.push(format!("{word} {}", quoted(part(one))));
        }
    }
    parts.join(" ")
}

fn requests(one: &ServedVersion) -> String {
    let (first, last) = (count(one.first), count(one.last));
    if one.first == one.last {
        format!("request {first}")
    } else if one.answers == one.last - one.first + 1 {
        format!("requests {first} to {last}")
    } else {
        format!("{} of requests {first} to {last}", count(one.answers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(
        [model, provider, revision, fingerprint]: [&str; 4],
        [answers, first, last]: [u64; 3],
    ) -> ServedVersion {
        let said = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        ServedVersion {
            model: said(model),
            provider: said(provider),
            revision: said(revision),
            fingerprint: said(fingerprint),
            answers,
            first,
            last,
        }
    }

    #[test]
    fn models_are_named_by_what_tells_them_apart_and_when_they_answered() {
        let by_name = [
            version(["m", "p", "", ""], [40, 1, 40]),
            version(["m-2", "p", "", ""], [1, 41, 41]),
        ];
        assert_eq!(
            served_versions(&by_name),
            "`m` (requests 1 to 40) and `m-2` (request 41)"
        );
        let by_provider = [
            version(["m", "p", "", "f"], [25, 1, 49]),
            version(["m", "q", "", "f"], [24, 2, 50]),
        ];
        assert_eq!(
            served_versions(&by_provider),
            "`m` by `p` (25 of requests 1 to 49) and `m` by `q` (24 of requests 2 to 50)"
        );
        let by_build = [
            version(["m", "", "r1", "f"], [1, 1, 1]),
            version(["m", "", "r2", ""], [1, 2, 2]),
        ];
        assert_eq!(
            served_versions(&by_build),
            "`m` revision `r1` fingerprint `f` (request 1) and `m` revision `r2` fingerprint unknown (request 2)"
        );
    }

    #[test]
    fn of_many_models_the_first_are_named_and_control_characters_are_shown() {
        let many: Vec<ServedVersion> = (1..=6)
            .map(|n| version([&format!("m\u{1b}{n}"), "", "", ""], [1, n, n]))
            .collect();
        let text = served_versions(&many);
        assert!(
            text.ends_with("`m\\u{1b}4` (request 4) and 2 more"),
            "{text}"
        );
        assert!(!text.contains('\u{1b}'));
    }
}
