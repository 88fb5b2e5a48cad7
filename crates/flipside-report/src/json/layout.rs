//! Lines and indents: objects over several lines, and everything inside a list of a list on one.

use std::io::{self, Write};

use serde_json::ser::{Formatter, PrettyFormatter};

/// Lists open at this many levels and deeper stay on one line with all that they hold.
const FLAT_LISTS: usize = 3;

/// Pretty where people look for figures, compact where a run has thousands of asks.
pub(crate) struct Layout {
    pretty: PrettyFormatter<'static>,
    depth: usize,
    flat_from: Option<usize>,
}

impl Layout {
    pub(crate) fn new() -> Self {
        Self {
            pretty: PrettyFormatter::new(),
            depth: 0,
            flat_from: None,
        }
    }

    fn open(&mut self, list: bool) {
        self.depth += 1;
        if list && self.flat_from.is_none() && self.depth >= FLAT_LISTS {
            self.flat_from = Some(self.depth);
        }
    }

    /// Closes one level and says whether it was flat.
    fn close(&mut self) -> bool {
        let flat = self.flat_from.is_some();
        if self.flat_from == Some(self.depth) {
            self.flat_from = None;
        }
        self.depth -= 1;
        flat
    }

    fn flat(&self) -> bool {
        self.flat_from.is_some()
    }
}

fn comma<W: Write + ?Sized>(out: &mut W, first: bool) -> io::Result<()> {
    if first { Ok(()) } else { out.write_all(b",") }
}

impl Formatter for Layout {
    fn begin_array<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(true);
        if self.flat() {
            out.write_all(b"[")
        } else {
            self.pretty.begin_array(out)
        }
    }

    fn end_array<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        if self.close() {
            out.write_all(b"]")
        } else {
            self.pretty.end_array(out)
        }
    }

    fn begin_array_value<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if self.flat() {
            comma(out, first)
        } else {
            self.pretty.begin_array_value(out, first)
        }
    }

    fn end_array_value<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        if self.flat() {
            Ok(())
        } else {
            self.pretty.end_array_value(out)
        }
    }

    fn begin_object<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(false);
        if self.flat() {
            out.write_all(b"{")
        } else {
            self.pretty.begin_object(out)
        }
    }

    fn end_object<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        if self.close() {
            out.write_all(b"}")
        } else {
            self.pretty.end_object(out)
        }
    }

    fn begin_object_key<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if self.flat() {
            comma(out, first)
        } else {
            self.pretty.begin_object_key(out, first)
        }
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        if self.flat() {
            out.write_all(b":")
        } else {
            self.pretty.begin_object_value(out)
        }
    }

    fn end_object_value<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        if self.flat() {
            Ok(())
        } else {
            self.pretty.end_object_value(out)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;

    use super::Layout;

    #[derive(Serialize)]
    struct Case {
        keys: Vec<&'static str>,
        asks: Vec<Case>,
    }

    #[test]
    fn figures_stand_over_several_lines_and_a_cases_asks_on_one() {
        let case = |asks| Case {
            keys: vec!["a", "b"],
            asks,
        };
        let run = Case {
            keys: Vec::new(),
            asks: vec![case(vec![case(Vec::new())]), case(Vec::new())],
        };
        let mut out = Vec::new();
        run.serialize(&mut serde_json::Serializer::with_formatter(
            &mut out,
            Layout::new(),
        ))
        .unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "{\n  \"keys\": [],\n  \"asks\": [\n    {\n      \"keys\": [\"a\",\"b\"],\n      \"asks\": [{\"keys\":[\"a\",\"b\"],\"asks\":[]}]\n    },\n    {\n      \"keys\": [\"a\",\"b\"],\n      \"asks\": []\n    }\n  ]\n}"
        );
    }
}
