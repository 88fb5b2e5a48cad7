//! Counting keys: A, B, C and others that say nothing but how many stand before them.

/// The known ways to count: `A`, `B`, ..; `a`, `b`, ..; `0`, `1`, ..; `1`, `2`, ..; `A1`, `A2`, ..
const WAYS: [fn(usize) -> String; 5] = [
    letters,
    |place| letters(place).to_lowercase(),
    |place| place.to_string(),
    numbers,
    numbered,
];

/// The letter of a place: `A` for 0, `Z` for 25, then `AA`.
pub fn letters(place: usize) -> String {
    let mut left = place + 1;
    let mut letters = Vec::new();
    while left > 0 {
        left -= 1;
        letters.push(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"[left % 26]);
        left /= 26;
    }
    letters.iter().rev().map(|byte| char::from(*byte)).collect()
}

/// The number of a place, from 1.
pub(super) fn numbers(place: usize) -> String {
    (place + 1).to_string()
}

/// `A1` for 0, `A2` for 1.
pub(super) fn numbered(place: usize) -> String {
    format!("A{}", place + 1)
}

/// The key that counts on after `keys`, where they count.
pub(super) fn next(keys: &[&str]) -> Option<String> {
    let count = keys.len();
    let counts = |way: &&fn(usize) -> String| {
        let mut places = keys.iter().enumerate();
        count > 0 && places.all(|(place, key)| *key == way(place))
    };
    WAYS.iter().find(counts).map(|way| way(count))
}

#[cfg(test)]
mod tests {
    use super::{letters, next, numbered, numbers};

    #[test]
    fn places_are_lettered_past_the_alphabet() {
        assert_eq!(
            [0, 25, 26, 51, 52, 701, 702].map(letters),
            ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]
        );
        assert_eq!([0, 9].map(numbers), ["1", "10"]);
        assert_eq!([0, 9].map(numbered), ["A1", "A10"]);
    }

    #[test]
    fn keys_that_count_are_counted_on_and_names_are_not() {
        for (keys, expected) in [
            (&["A", "B", "C"][..], "D"),
            (&["a", "b"], "c"),
            (&["0", "1", "2"], "3"),
            (&["1", "2"], "3"),
            (&["A1", "A2", "A3", "A4"], "A5"),
            (&["A"], "B"),
        ] {
            assert_eq!(next(keys).as_deref(), Some(expected), "{keys:?}");
        }
        for keys in [
            &["refund", "deny"][..],
            &["B", "A"],
            &["A", "C"],
            &["1", "3"],
            &["A2", "A3"],
            &["A", "b"],
            &[],
        ] {
            assert_eq!(next(keys), None, "{keys:?}");
        }
        let all: Vec<String> = (0..26).map(letters).collect();
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        assert_eq!(next(&all).as_deref(), Some("AA"));
    }
}
