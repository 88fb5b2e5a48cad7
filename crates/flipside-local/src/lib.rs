//! Decision models in process.
