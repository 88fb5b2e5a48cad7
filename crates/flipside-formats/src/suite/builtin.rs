//! The suite that is compiled in, and rows as text.

use std::sync::LazyLock;

use flipside_core::suite::{BaseCase, GeneratedRow, generate};

use super::bases::bases_of;

/// The suite's name after `builtin:`. Read as cases or as a suite it is the rows, read as base cases those that they come from.
pub const BUILTIN: &str = "fragility";

/// The base cases that are compiled in.
pub(super) const BASES: &str = include_str!("../../data/fragility.base.jsonl");

/// The suite that is compiled in.
#[derive(Debug)]
pub struct BuiltinSuite {
    /// Its base cases.
    pub bases: Vec<BaseCase>,
    /// Their rows.
    pub rows: Vec<GeneratedRow>,
    /// The rows as a file.
    pub text: String,
}

/// The suite that is compiled in; its rows are made at the first call.
pub fn builtin() -> &'static BuiltinSuite {
    static SUITE: LazyLock<BuiltinSuite> = LazyLock::new(|| {
        let file = format!("builtin:{BUILTIN}");
        let bases = bases_of(&file, BASES).expect("the embedded base cases are read in a test");
        let rows = generate(&bases, &file);
        let text = rows_text(&rows);
        BuiltinSuite { bases, rows, text }
    });
    &SUITE
}

/// Rows as the text of a file: one JSON object a line, each with its line feed.
pub fn rows_text(rows: &[GeneratedRow]) -> String {
    let mut out = Vec::new();
    for row in rows {
        row.json.write(&mut out);
        out.push(b'\n');
    }
    String::from_utf8(out).expect("JSON is UTF-8")
}
