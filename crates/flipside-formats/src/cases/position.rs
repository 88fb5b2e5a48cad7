//! Options that speak about other options: "all of the above", "both A and B".

/// Phrases, in lower case, that speak about the other options wherever they stand in a text.
const PHRASES: [&str; 19] = [
    "all of the above",
    "all the above",
    "all of these",
    "all of the options",
    "all of the other",
    "any of the above",
    "any of these",
    "both of the above",
    "both of these",
    "either of the above",
    "either of these",
    "neither of the above",
    "neither of these",
    "none of the above",
    "none of these",
    "none of the options",
    "none of the other",
    "the above",
    "more than one of the",
];

/// The words by which an option with this text speaks about other options, if it does.
pub(super) fn words(text: &str) -> Option<String> {
    let words: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let plain = format!(" {} ", words.join(" ").to_lowercase());
    if let Some(phrase) = PHRASES
        .into_iter()
        .find(|phrase| plain.contains(&format!(" {phrase} ")))
    {
        return Some(phrase.to_owned());
    }
    names_others(&words).then(|| text.trim().to_owned())
}

/// Whether a text is nothing but labels of other options: `both A and B`, `A, B and C`, `only I and II`, `1 and 2 only`.
fn names_others(words: &[&str]) -> bool {
    let is =
        |word: &str, known: &[&str]| known.iter().any(|known| word.eq_ignore_ascii_case(known));
    let frame = [
        "both",
        "either",
        "neither",
        "only",
        "options",
        "option",
        "answers",
        "answer",
        "choices",
        "statements",
    ];
    let framed = words.iter().any(|word| is(word, &frame));
    let mut labels = 0;
    for word in words {
        if is(word, &frame) || is(word, &["and", "or", "nor"]) {
            continue;
        }
        if !is_label(word, framed) {
            return false;
        }
        labels += 1;
    }
    labels > 1 && (framed || words.iter().any(|word| is(word, &["and", "or", "nor"])))
}

/// A capital letter, a Roman number or, beside a word such as `both`, a small number.
fn is_label(word: &str, framed: bool) -> bool {
    let letter = word.len() == 1 && word.bytes().all(|byte| (b'A'..=b'J').contains(&byte));
    let roman = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII"].contains(&word);
    letter || roman || (framed && word.len() == 1 && word.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn common_english_forms_are_found() {
        for text in [
            "All of the above",
            "None of these.",
            "none of the above",
            "Both A and B",
            "A and B only",
            "A, B, and C",
            "Only I and II",
            "I and II only",
            "Neither (a) of the above",
            "both 1 and 2",
            "Either A or C",
            "(A) and (C)",
        ] {
            assert!(words(text).is_some(), "{text}");
        }
    }

    #[test]
    fn texts_that_only_sound_like_it_are_left_alone() {
        for text in [
            "A",
            "vitamin A and B",
            "all of France",
            "1 and 2",
            "both parents",
            "I",
            "above the sea",
            "Plan B",
            "",
            "A B",
        ] {
            assert_eq!(words(text), None, "{text}");
        }
    }
}
