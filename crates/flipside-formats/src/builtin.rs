//! Case files that are compiled in: `builtin:NAME`.

use crate::suite;

/// A case file that is compiled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Builtin {
    /// Its name, after `builtin:`.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    text: Text,
}

/// Where the text comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Text {
    /// A file as it is.
    File(&'static str),
    /// The rows that are made of the embedded base cases.
    SuiteRows,
}

impl Builtin {
    /// The file's text; the rows of a suite are made when they are first asked for.
    pub fn text(&self) -> &'static str {
        match self.text {
            Text::File(text) => text,
            Text::SuiteRows => &suite::builtin().text,
        }
    }
}

/// Every case file that is compiled in.
pub const BUILTINS: [Builtin; 2] = [
    Builtin {
        name: "ticket-router",
        about: "30 labelled tickets of an agent that routes them to five queues (system1-agents, Apache-2.0)",
        text: Text::File(include_str!("../data/ticket-router.probe.jsonl")),
    },
    Builtin {
        name: suite::BUILTIN,
        about: "480 rows of a formatting-fragility suite: 40 base cases in three wordings, two orders and two key variants",
        text: Text::SuiteRows,
    },
];

/// The case file named `name`.
pub fn builtin(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|builtin| builtin.name == name)
}
