//! The flipside command.
fn main() {}
