//! Request bodies that travel compressed, where the user asks for it.

use ruzstd::encoding::{CompressionLevel, compress_to_vec};

/// Smaller bodies stay as they are, as TypeSafe's own client leaves them (the wire page, 1.2).
pub(crate) const LEAST: usize = 1_024;

/// `bytes` as one zstd frame; the same bytes always give the same frame.
pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}
