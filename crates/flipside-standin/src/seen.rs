//! What the server received, with credentials kept out.

use sha2::{Digest, Sha256};

use crate::head::{self, Head};

const CREDENTIALS: [&str; 5] = [
    "authorization",
    "proxy-authorization",
    "x-api-key",
    "api-key",
    "cookie",
];
const REDACTED: &str = "<redacted>";

/// One request received.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Seen {
    /// The method, such as `POST`.
    pub method: String,
    /// The path with its query.
    pub path: String,
    /// Header names as sent and values, in order; credentials are `<redacted>`.
    pub headers: Vec<(String, String)>,
    /// Whether there was an `Authorization` header.
    pub authorization: bool,
    /// The SHA-256 of the `Authorization` header's value, as hexadecimal digits.
    pub authorization_digest: Option<String>,
    /// The body as received, without any transfer encoding; a compressed one stays compressed.
    pub body: Vec<u8>,
    /// The option keys of the first choice question in the order received, duplicates included; of a prompt, those of its list.
    pub keys: Vec<String>,
    /// What stands before each option of a prompt's list, such as `A`, beside [`Seen::keys`].
    pub letters: Vec<String>,
    /// The status sent; 0 while, or because, none was.
    pub status: u16,
}

impl Seen {
    pub(crate) fn new(bytes: &[u8], head: &Head, body: &[u8], keys: Vec<String>) -> Self {
        let text = |part: &[u8]| String::from_utf8_lossy(part).into_owned();
        let headers = head::fields(&bytes[..head.length])
            .into_iter()
            .map(|(name, value)| {
                let secret = CREDENTIALS
                    .iter()
                    .any(|known| name.eq_ignore_ascii_case(known));
                let value = if secret {
                    REDACTED.to_owned()
                } else {
                    text(&value)
                };
                (name, value)
            });
        Self {
            method: text(&bytes[head.method.clone()]),
            path: text(&bytes[head.path.clone()]),
            headers: headers.collect(),
            authorization: head.authorization.is_some(),
            authorization_digest: head
                .authorization
                .clone()
                .map(|range| sha256(&bytes[range])),
            body: body.to_vec(),
            keys,
            letters: Vec::new(),
            status: 0,
        }
    }
}

/// The SHA-256 of `bytes` as lower-case hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digest = Sha256::digest(bytes);
    let digits = digest.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits
        .map(|digit| char::from(DIGITS[usize::from(digit)]))
        .collect()
}
