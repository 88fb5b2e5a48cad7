//! Which model answered, as far as a reply says it.

use super::kinds::Answer;

/// Which model answered, as far as a reply says it; what it does not say is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Version<'a> {
    /// The model, as it calls itself.
    pub model: Option<&'a str>,
    /// The provider behind a gateway.
    pub provider: Option<&'a str>,
    /// The revision of the weights.
    pub revision: Option<&'a str>,
    /// The backend's fingerprint of its set-up.
    pub fingerprint: Option<&'a str>,
}

impl Version<'_> {
    /// Whether nothing is known.
    pub fn is_unknown(&self) -> bool {
        *self == Version::default()
    }

    /// Whether both say something of which they differ. What one of them does not say is no difference.
    pub fn differs_from(&self, other: &Version<'_>) -> bool {
        let differ =
            |a: Option<&str>, b: Option<&str>| matches!((a, b), (Some(a), Some(b)) if a != b);
        differ(self.model, other.model)
            || differ(self.provider, other.provider)
            || differ(self.revision, other.revision)
            || differ(self.fingerprint, other.fingerprint)
    }
}

impl Answer {
    /// Which model answered, as far as the reply says it.
    pub fn version(&self) -> Version<'_> {
        let build = self.build.as_deref();
        Version {
            model: self.served_model.as_deref(),
            provider: self.provider.as_deref(),
            revision: build.and_then(|build| build.revision.as_deref()),
            fingerprint: build.and_then(|build| build.fingerprint.as_deref()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Build;

    fn answer([model, provider, revision, fingerprint]: [&str; 4]) -> Answer {
        let said = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Answer {
            served_model: said(model).map(Into::into),
            provider: said(provider).map(Into::into),
            build: Some(Box::new(Build {
                revision: said(revision),
                fingerprint: said(fingerprint),
            })),
            ..Answer::default()
        }
    }

    #[test]
    fn any_part_that_both_say_tells_versions_apart_and_silence_does_not() {
        let all = answer(["m", "p", "r", "f"]);
        for (parts, differs) in [
            (["m", "p", "r", "f"], false),
            (["n", "p", "r", "f"], true),
            (["m", "q", "r", "f"], true),
            (["m", "p", "s", "f"], true),
            (["m", "p", "r", "g"], true),
            (["", "", "", ""], false),
            (["m", "", "", ""], false),
            (["", "q", "", ""], true),
        ] {
            let other = answer(parts);
            assert_eq!(
                all.version().differs_from(&other.version()),
                differs,
                "{parts:?}"
            );
            assert_eq!(
                other.version().differs_from(&all.version()),
                differs,
                "{parts:?}"
            );
        }
        assert!(answer(["", "", "", ""]).version().is_unknown());
        assert!(Answer::default().version().is_unknown());
        assert!(!answer(["", "", "", "f"]).version().is_unknown());
    }
}
