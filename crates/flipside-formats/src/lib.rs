//! Bytes to domain values and back: case files, other tools' files, journal lines.

pub mod folder;
pub mod journal;
pub mod json;
pub mod orders;
