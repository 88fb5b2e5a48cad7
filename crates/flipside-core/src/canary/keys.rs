//! Keys that JavaScript takes for places.

/// Whether JavaScript treats `key` as an array index, which it moves before all other members of an object: a whole number from 0
/// to 4294967294 as it is written shortest (the wire page, 10.3).
pub fn integer_like(key: &str) -> bool {
    key.parse::<u32>()
        .is_ok_and(|index| index < u32::MAX && index.to_string() == key)
}

#[cfg(test)]
mod tests {
    use super::integer_like;

    #[test]
    fn only_whole_numbers_as_javascript_writes_them_are_places() {
        for key in ["0", "10", "4294967294"] {
            assert!(integer_like(key), "{key}");
        }
        for key in ["", "01", "-1", "+1", "1.5", "1e3", "4294967295", "a1", " 1"] {
            assert!(!integer_like(key), "{key}");
        }
    }
}
