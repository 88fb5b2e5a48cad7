//! Keys within Base64, such as in an `Authorization` header that a server echoes.

/// The two alphabets, which differ in their last two characters (RFC 4648, 4 and 5).
const LAST: [[u8; 2]; 2] = [*b"+/", *b"-_"];

/// `text` with every Base64 word that has `key` in it replaced by `with`; `None` where there is none.
///
/// Three bytes make four characters, so that a key looks three ways, by how many bytes stand before it. Characters that hold bits
/// of what stands around it are not compared.
pub(super) fn without(text: &str, key: &[u8], with: &str) -> Option<String> {
    let wanted: Vec<Vec<u8>> = (LAST.iter())
        .flat_map(|last| (0..3).map(move |before| inner(key, before, *last)))
        .collect();
    let of_word = |c: u8| c.is_ascii_alphanumeric() || b"+/-_=".contains(&c);
    let holds = |word: &[u8]| {
        let mut wanted = wanted.iter();
        wanted.any(|wanted| word.windows(wanted.len()).any(|at| at == wanted))
    };
    let (mut out, mut kept, mut found) = (String::new(), 0, false);
    let bytes = text.as_bytes();
    let mut start = 0;
    while start < bytes.len() {
        let length = bytes[start..]
            .iter()
            .take_while(|byte| of_word(**byte))
            .count();
        if length > 0 && holds(&bytes[start..start + length]) {
            out += &text[kept..start];
            out += with;
            kept = start + length;
            found = true;
        }
        start += length.max(1);
    }
    out += &text[kept..];
    found.then_some(out)
}

/// The characters of Base64 that `key` alone decides where `before` bytes stand before it.
fn inner(key: &[u8], before: usize, last: [u8; 2]) -> Vec<u8> {
    let mut bytes = vec![0; before];
    bytes.extend_from_slice(key);
    let whole = bytes.len() * 8 / 6;
    let first = (before * 8).div_ceil(6);
    (first..whole)
        .map(|place| character(&bytes, place, last))
        .collect()
}

/// The character of six bits at `place`.
fn character(bytes: &[u8], place: usize, last: [u8; 2]) -> u8 {
    let bit = place * 6;
    let byte = |at: usize| u16::from(bytes.get(at).copied().unwrap_or(0));
    let pair = (byte(bit / 8) << 8) | byte(bit / 8 + 1);
    let value = u8::try_from((pair >> (10 - bit % 8)) & 63).expect("six bits");
    match value {
        0..26 => b'A' + value,
        26..52 => b'a' + value - 26,
        52..62 => b'0' + value - 52,
        _ => last[usize::from(value - 62)],
    }
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn a_key_is_found_in_base64_however_many_bytes_stand_before_it() {
        // By Python's `base64`: of `sesame??>>key` behind nothing, `:`, `a:` and `Bearer `, and of the first in the alphabet of URLs.
        for word in [
            "c2VzYW1lPz8+PmtleQ==",
            "OnNlc2FtZT8/Pj5rZXk=",
            "YTpzZXNhbWU/Pz4+a2V5",
            "QmVhcmVyIHNlc2FtZT8/Pj5rZXk=",
            "c2VzYW1lPz8-PmtleQ",
        ] {
            let text = format!("got \"{word}\", é");
            let found = without(&text, b"sesame??>>key", "[key]");
            assert_eq!(found.as_deref(), Some("got \"[key]\", é"), "{word}");
        }
        // Of `sesame??>>kay`, and of the key without its last characters.
        for other in ["c2VzYW1lPz8+PmtheQ==", "c2VzYW1lPz8+", ""] {
            assert_eq!(without(other, b"sesame??>>key", "[key]"), None, "{other}");
        }
    }
}
