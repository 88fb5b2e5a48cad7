//! The command as it was typed, for records and for messages that repeat it.

use flipside_models::catalog::without_secrets;

/// `words` without what may be a secret in the specs of models among them.
pub(crate) fn recorded(words: impl Iterator<Item = String>) -> Vec<String> {
    const MODEL: &str = "--model";
    let mut is_spec = false;
    let mut one = |word: String| {
        let spec = std::mem::replace(&mut is_spec, word == MODEL);
        match word
            .strip_prefix(MODEL)
            .and_then(|rest| rest.strip_prefix('='))
        {
            Some(given) => format!("{MODEL}={}", without_secrets(given)),
            None if spec => without_secrets(&word),
            None => word,
        }
    };
    words.map(&mut one).collect()
}

#[cfg(test)]
mod tests {
    use super::recorded;

    #[test]
    fn specs_of_models_are_recorded_without_secrets_and_other_words_as_typed() {
        let typed = [
            "flipside",
            "probe",
            "a:b@c?d=e",
            "--model",
            "systemone:http://h/x?key=hush",
            "--model=systemone:http://h/x?key=hush",
            "--model-name=a:b@c",
            "--rules",
            "note: me@h",
        ];
        assert_eq!(
            recorded(typed.into_iter().map(str::to_owned)),
            [
                "flipside",
                "probe",
                "a:b@c?d=e",
                "--model",
                "systemone:http://h/x?key=…",
                "--model=systemone:http://h/x?key=…",
                "--model-name=a:b@c",
                "--rules",
                "note: me@h",
            ]
        );
    }
}
