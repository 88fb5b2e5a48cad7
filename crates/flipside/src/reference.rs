//! `docs/reference.md`, made of the flags and the code; a test keeps the file equal to it.

use std::fmt::Write as _;

use clap::{Arg, Command, CommandFactory};
use flipside_formats::read::Format;
use flipside_models::env;
use flipside_report::tables;

use crate::environment;
use crate::exit::Exit;
use crate::flags::Flags;

/// How often text is written that Markdown must not read as its own: outside code, of help texts.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut code = false;
    for c in text.chars() {
        if c == '`' {
            code = !code;
        }
        if !code && matches!(c, '<' | '>' | '*' | '_' | '[' | ']' | '|') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// The page.
fn page() -> String {
    let mut root = Flags::command();
    root.build();
    let mut out = "# Reference\n\n\
        Commands, exit codes, environment variables and formats, written from the program by `UPDATE_DOCS=1 cargo test -p flipside --bin \
        flipside reference`; a test keeps this page equal to it. `flipside explain` says what the words of reports mean.\n\n"
        .to_owned();
    out += "## Commands\n\n";
    for command in root
        .get_subcommands()
        .filter(|one| one.get_name() != "help")
    {
        commands(command, &mut out);
    }
    out += "## Exit codes\n\n| code | meaning |\n| --- | --- |\n";
    for exit in Exit::ALL {
        let _ = writeln!(out, "| {} | {} |", exit as u8, exit.meaning());
    }
    variables(&mut out);
    formats(&mut out);
    out
}

/// A command with its flags, then those beneath it.
fn commands(command: &Command, out: &mut String) {
    let name = command.get_bin_name().unwrap_or(command.get_name());
    let _ = write!(out, "### `{name}`\n\n");
    if let Some(about) = command.get_about() {
        let _ = write!(out, "{}.\n\n", plain(&about.to_string()));
    }
    let mut command = command.clone();
    let inner: Vec<Command> = command
        .get_subcommands()
        .filter(|one| one.get_name() != "help")
        .cloned()
        .collect();
    if inner.is_empty() {
        let _ = write!(
            out,
            "    {}\n\n",
            command
                .render_usage()
                .to_string()
                .trim_start_matches("Usage: ")
        );
        let mut heading = None;
        let known = |arg: &&Arg| !matches!(arg.get_id().as_str(), "help" | "version");
        let mut all: Vec<&Arg> = command.get_arguments().filter(known).collect();
        // Arguments first, then flags under their headings.
        all.sort_by_key(|arg| {
            (
                !arg.is_positional(),
                arg.get_help_heading().map(str::to_owned),
            )
        });
        for arg in all {
            if arg.get_help_heading() != heading {
                heading = arg.get_help_heading();
                let _ = write!(out, "\n{}:\n\n", heading.unwrap_or("Other"));
            }
            *out += &argument(arg);
        }
        out.push('\n');
        if let Some(text) = command.get_after_help() {
            *out += &after(&text.to_string());
        }
    }
    for one in &inner {
        commands(one, out);
    }
}

fn argument(arg: &Arg) -> String {
    let values = arg.get_value_names().unwrap_or_default();
    let value = values.first().map(ToString::to_string);
    let takes = arg.get_action().takes_values();
    let flag = match (arg.get_long(), value) {
        (Some(long), Some(value)) if takes => format!("--{long} {value}"),
        (Some(long), _) => format!("--{long}"),
        (None, Some(value)) => value,
        (None, None) => arg.get_id().to_string(),
    };
    let short = arg.get_short().map(|short| format!(", `-{short}`"));
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let known: Vec<String> = arg
        .get_possible_values()
        .iter()
        .filter(|_| takes)
        .map(|value| format!("`{}`", value.get_name()))
        .collect();
    let known = match &known[..] {
        [] => String::new(),
        known => format!(": {}", known.join(", ")),
    };
    format!(
        "- `{flag}`{}: {}{known}\n",
        short.unwrap_or_default(),
        plain(&help)
    )
}

/// What stands beneath the flags, line by line as it is printed.
fn after(text: &str) -> String {
    let lines = text.lines().map(|line| match line {
        "" => "\n".to_owned(),
        line => format!("    {line}\n"),
    });
    lines.collect::<String>() + "\n"
}

fn variables(out: &mut String) {
    *out += "\n## Environment variables\n\n\
        A key goes to no host but those beside it. `--key-from VARIABLE` names another variable for a host without one of its own.\n\n\
        | variable | what it is | where it goes |\n| --- | --- | --- |\n";
    for variable in env::VARIABLES {
        let to = variable.goes_to.unwrap_or("nowhere");
        let _ = writeln!(
            out,
            "| `{}` | {} | {} |",
            variable.name,
            plain(variable.meaning),
            plain(to)
        );
    }
    for variable in environment::VARIABLES {
        let _ = writeln!(
            out,
            "| `{}` | {} | nowhere |",
            variable.name,
            plain(variable.meaning)
        );
    }
}

fn formats(out: &mut String) {
    *out +=
        "\n## Formats\n\nCase files are told apart by their content, or named with `--format`: ";
    let names: Vec<String> = Format::ALL
        .iter()
        .map(|format| format!("`{}`", format.name()))
        .collect();
    let _ = write!(out, "{}.\n\n", names.join(", "));
    *out += "JSON output names its shape in `schema`; the schemas are in `schema/`.\n\n\
        | shape | written by |\n| --- | --- |\n";
    let shapes = [
        (
            flipside_core::summary::SCHEMA,
            "`--json` of `probe`, `reask` and of `compare` of other presentations; `summary.json` of a run; `report --format json`",
        ),
        (flipside_core::compare::SCHEMA, "`compare --json`"),
        (
            flipside_core::suite::figures::SCHEMA,
            "`suite run --json` and `suite score --json`",
        ),
        (flipside_core::invariance::SCHEMA, "`invariance --json`"),
        (flipside_formats::folder::SCHEMA, "`run.json` of a run"),
    ];
    for (shape, by) in shapes {
        let _ = writeln!(out, "| `{shape}` | {by} |");
    }
    *out += "\nA run folder holds `run.json` (the plan), `cases.jsonl` (the cases in canonical form), `asks.jsonl` (the journal: one ask a \
        line, the only source of truth), `summary.json` (every figure), and `canary.jsonl` where the order canary asked.\n\n\
        ### Tables\n\n`flipside report --format csv` writes these. Nothing is an empty cell, shares and probabilities are between 0 and 1, \
        identities and positions count from 0. In CSV, control and bidirectional characters are written as `\\u{..}`, and text that a \
        spreadsheet would compute stands behind an apostrophe.\n";
    for table in tables::all(&[]) {
        let _ = write!(
            out,
            "\n`{}`:\n\n| column | holds | meaning |\n| --- | --- | --- |\n",
            table.name
        );
        for column in table.columns {
            let _ = writeln!(
                out,
                "| `{}` | {} | {} |",
                column.name,
                column.kind.name(),
                plain(column.meaning)
            );
        }
    }
}

/// Where the page is.
fn path() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference.md")
}

#[test]
fn the_reference_page_is_what_the_program_is() {
    let page = page();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs_err::write(path(), &page).unwrap();
    }
    let found = fs_err::read_to_string(path()).unwrap();
    let differs = found.lines().zip(page.lines()).find(|(a, b)| a != b);
    assert!(
        found == page,
        "docs/reference.md is not up to date, rewrite it with UPDATE_DOCS=1: {differs:?}"
    );
}

#[test]
fn every_command_flag_exit_code_and_variable_is_on_the_page() {
    let page = page();
    let mut root = Flags::command();
    root.build();
    let mut left: Vec<&Command> = root
        .get_subcommands()
        .filter(|one| one.get_name() != "help")
        .collect();
    let mut flags = 0;
    while let Some(command) = left.pop() {
        let name = command.get_bin_name().unwrap();
        assert!(page.contains(&format!("### `{name}`\n")), "{name}");
        for arg in command.get_arguments().filter_map(Arg::get_long) {
            let known = ["help", "version"].contains(&arg);
            assert!(
                known || page.contains(&format!("- `--{arg}")),
                "{name} --{arg}"
            );
            flags += 1;
        }
        left.extend(
            command
                .get_subcommands()
                .filter(|one| one.get_name() != "help"),
        );
    }
    assert!(flags > 100, "{flags}");
    for variable in env::VARIABLES {
        assert!(page.contains(&format!("| `{}` |", variable.name)));
    }
    for exit in Exit::ALL {
        assert!(page.contains(&format!("| {} | {} |", exit as u8, exit.meaning())));
    }
}
