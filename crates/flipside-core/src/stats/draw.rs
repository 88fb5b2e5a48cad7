//! Random draws that stay put: SHA-256 in counter mode, one stream per purpose, the same on every machine and for every version.

use sha2::{Digest, Sha256};

/// Version of the algorithm, for `run.json`. A changed algorithm is a new version beside this one.
pub const DRAW_VERSION: &str = "draw-1";

/// What every key starts with: the tag and a zero byte.
const TAG: &[u8] = b"flipside draw-1\0";

/// One part of a stream's name, such as the seed, the purpose, a case id or an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part<'a> {
    /// A number, as its eight little-endian bytes.
    U64(u64),
    /// A text, as its UTF-8 bytes.
    Text(&'a str),
}

impl From<u64> for Part<'_> {
    fn from(value: u64) -> Self {
        Self::U64(value)
    }
}

impl<'a> From<&'a str> for Part<'a> {
    fn from(value: &'a str) -> Self {
        Self::Text(value)
    }
}

/// An endless stream of words that depends on its parts alone.
///
/// The key is SHA-256 over the tag `flipside draw-1`, a zero byte, and each part after its length in bytes as a 64-bit
/// little-endian integer. Block `i` is SHA-256 over the key and `i` (64-bit little-endian), read as four little-endian
/// words. One stream per (seed, purpose, case, index) means that no other case, order of work or resumption moves a draw.
///
/// ```
/// use flipside_core::stats::draw::{Part, Stream};
///
/// let mut stream = Stream::new(&[Part::U64(7), Part::Text("order"), Part::Text("c-17")]);
/// let mut order = [0, 1, 2, 3, 4, 5, 6, 7];
/// stream.shuffle(&mut order);
/// assert_eq!(order, [7, 2, 1, 0, 3, 6, 5, 4]);
/// ```
///
/// Compared with a dozen lines of Python's standard library (`tests/data/draw-reference.py`).
#[derive(Debug, Clone)]
pub struct Stream {
    key: [u8; 32],
    next_block: u64,
    words: [u64; 4],
    used: usize,
}

impl Stream {
    /// The stream named by `parts`, at its first word.
    pub fn new(parts: &[Part<'_>]) -> Self {
        let mut hasher = Sha256::new();
        hasher.update(TAG);
        for part in parts {
            let number;
            let bytes: &[u8] = match part {
                Part::U64(value) => {
                    number = value.to_le_bytes();
                    &number
                }
                Part::Text(text) => text.as_bytes(),
            };
            hasher.update((bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        }
        Self {
            key: hasher.finalize().into(),
            next_block: 0,
            words: [0; 4],
            used: 4,
        }
    }

    /// The next word: uniform over all `u64`.
    pub fn word(&mut self) -> u64 {
        if self.used == self.words.len() {
            self.refill();
        }
        let word = self.words[self.used];
        self.used += 1;
        word
    }

    fn refill(&mut self) {
        let mut input = [0; 40];
        input[..32].copy_from_slice(&self.key);
        input[32..].copy_from_slice(&self.next_block.to_le_bytes());
        let block: [u8; 32] = Sha256::digest(input).into();
        for (word, bytes) in self.words.iter_mut().zip(block.chunks_exact(8)) {
            let mut eight = [0; 8];
            eight.copy_from_slice(bytes);
            *word = u64::from_le_bytes(eight);
        }
        self.next_block += 1;
        self.used = 0;
    }

    /// A number in `0..n`, without bias: the top `2^64 mod n` words are thrown away.
    ///
    /// Takes at least one word, also for `n` = 1.
    ///
    /// # Panics
    /// If `n` is 0: there is no number under 0.
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "a draw below 0 was asked for");
        let surplus = n.wrapping_neg() % n;
        loop {
            let word = self.word();
            if word <= u64::MAX - surplus {
                return word % n;
            }
        }
    }

    /// Shuffles in place, every order equally likely: Fisher-Yates from the end.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.position(last + 1));
        }
    }

    /// A number in `0.0..1.0`: the top 53 bits of a word over 2^53.
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit a float exactly")]
    pub fn unit(&mut self) -> f64 {
        const STEP: f64 = 1.0 / (1_u64 << 53) as f64;
        (self.word() >> 11) as f64 * STEP
    }

    /// An index below `n`.
    #[expect(clippy::cast_possible_truncation, reason = "the draw is below a usize")]
    pub(in crate::stats) fn position(&mut self, n: usize) -> usize {
        self.below(n as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::{Part, Stream};

    fn stream() -> Stream {
        Stream::new(&[Part::U64(7), Part::Text("order"), Part::Text("c-17")])
    }

    #[test]
    fn the_golden_words_come_out() {
        let mut stream = stream();
        assert_eq!(stream.word(), 11_961_887_399_450_937_372);
        assert_eq!(stream.word(), 14_115_907_056_664_646_462);
        assert_eq!(stream.word(), 11_465_808_459_336_783_965);
    }

    #[test]
    fn the_golden_shuffle_comes_out() {
        let mut order = [0, 1, 2, 3, 4, 5, 6, 7];
        stream().shuffle(&mut order);
        assert_eq!(order, [7, 2, 1, 0, 3, 6, 5, 4]);
    }

    #[test]
    fn parts_are_told_apart_by_their_length() {
        let split = Stream::new(&[Part::Text("ab"), Part::Text("c")]).word();
        let joined = Stream::new(&[Part::Text("a"), Part::Text("bc")]).word();
        assert_ne!(split, joined);
    }
}
