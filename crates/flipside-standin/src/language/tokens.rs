//! Tokens: spellings of a letter, what else the model might say, and how a text is cut.

/// The shares of a letter's probability on its spellings: as the place asks for it, the other way about the space, and in the other case.
const SPELLINGS: [f64; 3] = [0.625, 0.25, 0.125];

/// What is said where no letter is, and the share of it.
const OTHERS: [(&str, f64); 5] = [
    ("The", 0.5),
    (" The", 0.25),
    ("Answer", 0.125),
    ("\n", 0.0625),
    ("**", 0.0625),
];

/// How sure the model is of a token that the sentence asks for.
const CERTAIN: f64 = 0.99;

/// The longest piece of a word.
const PIECE: usize = 4;

/// One token with its log-probability.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) text: String,
    pub(super) bytes: Vec<u8>,
    pub(super) logprob: f64,
}

impl Entry {
    fn new(text: &str, p: f64) -> Self {
        Self::plain(text, p.ln())
    }

    /// A token that is its text.
    pub(super) fn plain(text: &str, logprob: f64) -> Self {
        Self {
            text: text.to_owned(),
            bytes: text.as_bytes().to_vec(),
            logprob,
        }
    }
}

/// One generated token and the whole distribution that it came from, the most probable first.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Step {
    pub(super) chosen: Entry,
    pub(super) all: Vec<Entry>,
}

impl Step {
    /// A token that the sentence asks for.
    pub(super) fn certain(text: &str) -> Self {
        let all = vec![Entry::new(text, CERTAIN), Entry::new("\n\n", 1.0 - CERTAIN)];
        Self {
            chosen: all[0].clone(),
            all,
        }
    }

    /// The place where the letter belongs; after a word its usual spelling begins with a space.
    pub(super) fn letter(letters: &[(String, f64)], coverage: f64, spaced: bool) -> Self {
        let all = distribution(letters, coverage, spaced);
        Self {
            chosen: all[0].clone(),
            all,
        }
    }

    /// The same place with another token said, one that is in the list.
    pub(super) fn saying(mut self, text: &str) -> Self {
        if let Some(entry) = self.all.iter().find(|entry| entry.text == text) {
            self.chosen = entry.clone();
        }
        self
    }
}

/// Every token that may come where a letter belongs, the most probable first and of equal ones the one listed first.
fn distribution(letters: &[(String, f64)], coverage: f64, spaced: bool) -> Vec<Entry> {
    let mut shares: Vec<(String, f64)> = Vec::new();
    let mut add = |text: String, p: f64| match shares.iter_mut().find(|(known, _)| *known == text) {
        Some((_, share)) => *share += p,
        None => shares.push((text, p)),
    };
    for (letter, p) in letters {
        let p = p * coverage;
        let (bare, behind_space) = (letter.clone(), format!(" {letter}"));
        let (usual, unusual) = if spaced {
            (behind_space, bare)
        } else {
            (bare, behind_space)
        };
        add(usual, p * SPELLINGS[0]);
        // A letter whose other case is an option of its own has no spelling of that kind.
        let other =
            other_case(letter).filter(|other| letters.iter().all(|(known, _)| known != other));
        match other {
            Some(other) => {
                add(unusual, p * SPELLINGS[1]);
                add(other, p * SPELLINGS[2]);
            }
            None => add(unusual, p * (SPELLINGS[1] + SPELLINGS[2])),
        }
    }
    let covered = if letters.is_empty() { 0.0 } else { coverage };
    for (text, share) in OTHERS {
        add(text.to_owned(), (1.0 - covered) * share);
    }
    shares.retain(|(_, p)| *p > 0.0);
    shares.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    shares
        .into_iter()
        .map(|(text, p)| Entry::new(&text, p))
        .collect()
}

fn other_case(letter: &str) -> Option<String> {
    let lower = letter.to_lowercase();
    let other = if lower == letter {
        letter.to_uppercase()
    } else {
        lower
    };
    (other != letter).then_some(other)
}

/// Whether a token names an option.
pub(super) fn names(token: &str, letters: &[(String, f64)]) -> bool {
    let word = token.trim();
    let same =
        |letter: &str| letter == word || other_case(letter).is_some_and(|other| other == word);
    letters.iter().any(|(letter, _)| same(letter))
}

/// A text in tokens: a word with the one space before it, in pieces of at most four characters; any other character alone.
pub(super) fn cut(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let (mut start, mut length) = (0, 0);
    let mut before = None;
    for (at, c) in text.char_indices() {
        let goes_on = match before {
            None => true,
            Some(' ') => length == 1 && c.is_alphanumeric(),
            Some(last) => char::is_alphanumeric(last) && c.is_alphanumeric() && length < PIECE,
        };
        if !goes_on {
            tokens.push(&text[start..at]);
            (start, length) = (at, 0);
        }
        length += usize::from(c != ' ' || length == 0);
        if before == Some(' ') && goes_on {
            length = 1;
        }
        before = Some(c);
    }
    if start < text.len() {
        tokens.push(&text[start..]);
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOLERANCE: f64 = 1e-12; // sums of a few shares in double precision

    fn letters(of: &[(&str, f64)]) -> Vec<(String, f64)> {
        of.iter()
            .map(|(letter, p)| ((*letter).to_owned(), *p))
            .collect()
    }

    #[test]
    fn a_letters_probability_is_spread_over_its_spellings() {
        let step = Step::letter(&letters(&[("A", 0.9), ("B", 0.1)]), 0.96, false);
        let texts: Vec<&str> = step.all.iter().map(|entry| entry.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "A", " A", "a", "B", " B", "The", "b", " The", "Answer", "\n", "**"
            ]
        );
        // A 0.96 * 0.9 * (5/8, 1/4, 1/8) = 0.54, 0.216, 0.108; B 0.06, 0.024, 0.012; others 0.04 * (1/2, 1/4, 1/8, 1/16, 1/16).
        let expected = [
            0.54, 0.216, 0.108, 0.06, 0.024, 0.02, 0.012, 0.01, 0.005, 0.0025, 0.0025,
        ];
        for (entry, p) in step.all.iter().zip(expected) {
            assert!((entry.logprob.exp() - p).abs() < TOLERANCE, "{entry:?}");
        }
        assert_eq!(step.chosen, step.all[0]);
        let spaced = Step::letter(&letters(&[("1", 1.0)]), 1.0, true);
        let shares: Vec<(&str, f64)> = spaced
            .all
            .iter()
            .map(|e| (e.text.as_str(), e.logprob.exp()))
            .collect();
        assert_eq!((shares.len(), shares[0].0, shares[1].0), (2, " 1", "1"));
        assert!((shares[0].1 - 0.625).abs() < TOLERANCE && (shares[1].1 - 0.375).abs() < TOLERANCE);
    }

    #[test]
    fn two_cases_of_a_letter_may_be_two_options() {
        let step = Step::letter(&letters(&[("A", 0.5), ("a", 0.5)]), 1.0, false);
        let texts: Vec<&str> = step.all.iter().map(|entry| entry.text.as_str()).collect();
        assert_eq!(texts, ["A", "a", " A", " a"]);
        assert!(names(" a", &letters(&[("A", 1.0)])));
        assert!(!names("The", &letters(&[("T", 1.0)])));
    }

    #[test]
    fn a_text_is_cut_into_words_and_pieces_and_nothing_is_lost() {
        assert_eq!(
            cut("Which team?\nA) billing: é  x"),
            [
                "Whic", "h", " team", "?", "\n", "A", ")", " bill", "ing", ":", " é", " ", " x"
            ]
        );
        assert_eq!(cut(""), [""; 0]);
        for text in ["  a", "a  b ", "naïve—é中文字中文字\t.", " "] {
            assert_eq!(cut(text).concat(), text);
        }
    }
}
