//! Questions as the tests ask them.

use flipside_local::causal::{Read, Request, Words};

/// A text that is continued.
pub(crate) fn plain(user: &str, read: Read) -> Request {
    Request {
        chat: false,
        words: Words {
            system: None,
            user: user.to_owned(),
        },
        read,
        less: None,
    }
}

/// The letters from A on.
pub(crate) fn letters(count: u8) -> Read {
    Read::Letters((b'A'..b'A' + count).collect())
}

/// Texts that are scored.
pub(crate) fn texts(texts: &[&str]) -> Read {
    Read::Texts(texts.iter().map(|text| (*text).to_owned()).collect())
}
