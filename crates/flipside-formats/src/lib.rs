//! Bytes to domain values and back: case files, other tools' files, journal lines.

pub mod builtin;
pub mod canonical;
pub mod capability;
mod cases;
pub mod folder;
pub mod import;
pub mod journal;
pub mod json;
pub mod keys;
pub mod orders;
pub mod read;
pub mod recorded;
pub mod suite;
pub mod summary;
