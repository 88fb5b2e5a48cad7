//! Wire protocols, one module each, and the reader of error bodies that all of them share.

pub mod message;
pub mod systemone;
