//! Hashes and draws: FNV-1a with a splitmix64 finish, the same numbers on every machine.

/// A running hash.
#[derive(Clone, Copy)]
pub(crate) struct Hash(u64);

impl Hash {
    pub(crate) fn new(seed: u64) -> Self {
        Self(0xcbf2_9ce4_8422_2325 ^ finish(seed))
    }

    pub(crate) fn bytes(mut self, bytes: &[u8]) -> Self {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
        self
    }

    /// Adds a number; also the mark between two texts.
    pub(crate) fn number(self, number: u64) -> Self {
        Self(finish(self.0 ^ finish(number)))
    }

    pub(crate) fn end(self) -> u64 {
        finish(self.0)
    }

    /// A number in `[0, 1)`.
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit a double exactly")]
    pub(crate) fn unit(self) -> f64 {
        (self.end() >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn finish(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_spread_over_the_unit_interval() {
        let draws: Vec<f64> = (0..10_000).map(|n| Hash::new(7).number(n).unit()).collect();
        let mean = draws.iter().sum::<f64>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.02, "{mean}");
        assert!(draws.iter().all(|d| (0.0..1.0).contains(d)));
    }

    #[test]
    fn the_mark_between_texts_counts() {
        let ab = Hash::new(0).bytes(b"a").number(1).bytes(b"b").end();
        let joined = Hash::new(0).bytes(b"ab").number(1).end();
        assert_ne!(ab, joined);
    }
}
