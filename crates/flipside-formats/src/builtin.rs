//! Case files that are compiled in: `builtin:NAME`.

/// A case file that is compiled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Builtin {
    /// Its name, after `builtin:`.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// The file.
    pub text: &'static str,
}

/// Every case file that is compiled in, by name.
pub const BUILTINS: [Builtin; 1] = [Builtin {
    name: "ticket-router",
    about: "30 labelled tickets of an agent that routes them to five queues (system1-agents, Apache-2.0)",
    text: include_str!("../data/ticket-router.probe.jsonl"),
}];

/// The case file named `name`.
pub fn builtin(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|builtin| builtin.name == name)
}
