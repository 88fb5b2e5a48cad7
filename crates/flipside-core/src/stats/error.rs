//! What a caller of `stats` can get wrong.

/// Why a number was not computed: the arguments do not describe data that it exists for.
///
/// A quantity that the data leave undefined (no pair, no variance) is `None` in the answer and not an error.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Nothing was given where at least one item is needed.
    #[error("`{what}` is empty: expected at least one")]
    Empty {
        /// The argument.
        what: &'static str,
    },
    /// More hits than units.
    #[error("`hits` is {hits}: expected at most `n`, which is {n}")]
    Hits {
        /// Units that show the property.
        hits: u64,
        /// Units looked at.
        n: u64,
    },
    /// A count beyond what the formulas are checked for.
    #[error("`{what}` is {found}: expected at most {most}")]
    TooMany {
        /// The argument.
        what: &'static str,
        /// Its value.
        found: u64,
        /// The largest value allowed.
        most: u64,
    },
    /// A count under what the formula needs.
    #[error("`{what}` is {found}: expected at least {least}")]
    TooFew {
        /// The argument.
        what: &'static str,
        /// Its value.
        found: u64,
        /// The smallest value allowed.
        least: u64,
    },
    /// A coverage that is not strictly between 0 and 1.
    #[error("`level` is {level}: expected a number strictly between 0 and 1")]
    Level {
        /// The coverage asked for.
        level: f64,
    },
    /// A number outside the range that its formula allows, or not a number.
    #[error("`{what}` is {value}: expected {expected}")]
    OutOfRange {
        /// The argument.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The range, in words.
        expected: &'static str,
    },
    /// Two lists that must be of one length are not.
    #[error("`{what}` has {found} items: expected {expected}")]
    Length {
        /// The argument.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length of what it must match.
        expected: usize,
    },
    /// The result is too large or too small for a float.
    #[error("`{what}` cannot be written as a finite number")]
    NotFinite {
        /// The result.
        what: &'static str,
    },
}
