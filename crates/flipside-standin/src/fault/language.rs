//! The faults that only a language model's server can have.

/// One thing that a language model's server can do wrong, or merely strangely.
///
/// Their texts stand behind each. Every one leaves the model's mind as it is: what changes is what it says or how the server reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LanguageFault {
    /// `sentence`: `The answer is A.` in place of the letter.
    Sentence,
    /// `no-text`: no token at all.
    NoText,
    /// `refusal-text`: `I'm sorry, I can't help with that.`
    RefusalText,
    /// `several-letters`: the best letter, ` or ` and the second best.
    SeveralLetters,
    /// `json-text`: `{"answer":"A"}`.
    JsonText,
    /// `thinks-aloud`: a `<think>` block that names the second best letter, then the letter.
    ThinksAloud,
    /// `markdown`: `**A**`.
    Markdown,
    /// `reasoning-content`: the thoughts in a field of their own: `reasoning_content`, `thinking` in Ollama; llama.cpp's own route has none.
    ReasoningContent,
    /// `content-filter`: no text, and `content_filter` as the reason.
    ContentFilter,
    /// `no-choices`: an empty list of choices; on routes without one, no text.
    NoChoices,
    /// `logprobs-null`: null where the log-probabilities belong.
    LogprobsNull,
    /// `positive-logprob`: the most probable token has the log-probability 0.5.
    PositiveLogprob,
    /// `unsorted-list`: the alternatives with the least probable first.
    UnsortedList,
    /// `zero-logprobs`: every log-probability is 0.
    ZeroLogprobs,
    /// `unlikely-entries`: -9999.0 in place of every log-probability of less than 1 %.
    UnlikelyEntries,
    /// `partial-utf8`: the most probable token that names no option is two bytes of a three-byte character, with U+FFFD as text.
    PartialUtf8,
    /// `no-bytes`: tokens without their bytes.
    NoBytes,
    /// `fingerprint-changes`: another `system_fingerprint`.
    FingerprintChanges,
    /// `straddling-token`: one token of an echo holds the end of the prompt and the beginning of what was appended.
    StraddlingToken,
    /// `no-offsets`: -1 for every offset of an echo, as SGLang has it.
    NoOffsets,
    /// `byte-offsets`: offsets in bytes and not in characters.
    ByteOffsets,
}

const ALL: [(&str, LanguageFault); 21] = [
    ("sentence", LanguageFault::Sentence),
    ("no-text", LanguageFault::NoText),
    ("refusal-text", LanguageFault::RefusalText),
    ("several-letters", LanguageFault::SeveralLetters),
    ("json-text", LanguageFault::JsonText),
    ("thinks-aloud", LanguageFault::ThinksAloud),
    ("markdown", LanguageFault::Markdown),
    ("reasoning-content", LanguageFault::ReasoningContent),
    ("content-filter", LanguageFault::ContentFilter),
    ("no-choices", LanguageFault::NoChoices),
    ("logprobs-null", LanguageFault::LogprobsNull),
    ("positive-logprob", LanguageFault::PositiveLogprob),
    ("unsorted-list", LanguageFault::UnsortedList),
    ("zero-logprobs", LanguageFault::ZeroLogprobs),
    ("unlikely-entries", LanguageFault::UnlikelyEntries),
    ("partial-utf8", LanguageFault::PartialUtf8),
    ("no-bytes", LanguageFault::NoBytes),
    ("fingerprint-changes", LanguageFault::FingerprintChanges),
    ("straddling-token", LanguageFault::StraddlingToken),
    ("no-offsets", LanguageFault::NoOffsets),
    ("byte-offsets", LanguageFault::ByteOffsets),
];

impl LanguageFault {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let found = ALL.into_iter().find(|(name, _)| *name == text);
        found.map(|(_, fault)| fault)
    }
}

/// The texts of all.
pub(super) fn texts() -> impl Iterator<Item = &'static str> {
    ALL.into_iter().map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::Fault;

    #[test]
    fn each_fault_of_a_language_model_has_its_text_and_an_error_names_them_all() {
        let error = "nope".parse::<Fault>().expect_err("no fault").to_string();
        for (text, fault) in ALL {
            assert_eq!(text.parse(), Ok(Fault::Language(fault)), "{text}");
            assert!(error.contains(&format!("`{text}`")), "{text}: {error}");
        }
    }
}
