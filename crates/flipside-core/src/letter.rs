//! Which letter of an option a token is.

/// The letter that a token is, in upper case: after leading blanks, space markers, quotes and markdown exactly one ASCII letter.
///
/// Only ASCII is folded, since the Kelvin sign, the long s and the dotless i are no letters of an option.
pub fn of_token(token: &[u8]) -> Option<u8> {
    match without_marks(token) {
        [letter] if letter.is_ascii_alphabetic() => Some(letter.to_ascii_uppercase()),
        _ => None,
    }
}

/// `token` without what may stand before an answer: blanks, the space markers `Ġ` and `▁`, the line feed marker `Ċ`, quotes and
/// markdown.
pub fn without_marks(mut token: &[u8]) -> &[u8] {
    const MARKS: [&str; 7] = [
        "\u{120}", "\u{10a}", "\u{2581}", "\u{201c}", "\u{201d}", "\u{2018}", "\u{2019}",
    ];
    'marks: loop {
        if let [first, rest @ ..] = token
            && (first.is_ascii_whitespace() || b"\"'`*_#>".contains(first))
        {
            token = rest;
            continue;
        }
        for mark in MARKS {
            if let Some(rest) = token.strip_prefix(mark.as_bytes()) {
                token = rest;
                continue 'marks;
            }
        }
        return token;
    }
}

#[cfg(test)]
mod tests {
    use super::of_token;

    #[test]
    fn a_token_is_a_letter_after_its_space_markers_and_by_ascii_alone() {
        for token in [
            "A",
            " A",
            "a",
            "\u{120}A",
            "\u{2581}a",
            "\u{2581}\u{2581}A",
            "\"A",
            "**A",
            "\nA",
            "\u{201c}A",
        ] {
            assert_eq!(of_token(token.as_bytes()), Some(b'A'), "{token:?}");
        }
        for token in [
            "", " ", "AB", "A)", "A.", "\u{212a}", "\u{17f}", "\u{131}", "\u{c1}", "7", "Answer",
        ] {
            assert_eq!(of_token(token.as_bytes()), None, "{token:?}");
        }
        assert_eq!(of_token(&[0xc4]), None, "half a character");
    }
}
