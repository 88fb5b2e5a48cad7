//! `flipside completions` and `flipside man`: written from the flags.

use std::path::Path;

use clap::CommandFactory;
use flipside_core::foreign::Foreign;

use crate::diagnostic::{self, Diagnostic, data};
use crate::exit::Exit;
use crate::flags::{CompletionsFlags, Flags, ManFlags};

/// Prints the completions of a shell.
pub(crate) fn completions(flags: &CompletionsFlags) -> Exit {
    let mut out = Vec::new();
    clap_complete::generate(flags.shell, &mut Flags::command(), "flipside", &mut out);
    told(data(&String::from_utf8_lossy(&out)))
}

/// Prints a manual page, or writes all of them.
pub(crate) fn man(flags: &ManFlags) -> Exit {
    let mut root = Flags::command();
    // Names every command by its whole path.
    root.build();
    if let Some(out) = &flags.out {
        return told(write_all(&root, out));
    }
    let mut command = &root;
    for name in &flags.command {
        let Some(found) = command.find_subcommand(name) else {
            let text = format!("`flipside man {}`", Foreign(&flags.command.join(" ")));
            let error = Diagnostic::new(format!("{text}: there is no such command"));
            diagnostic::print(&[error.help("`flipside --help` lists the commands")]);
            return Exit::Usage;
        };
        command = found;
    }
    told(page(command).and_then(|page| data(&page)))
}

fn told(written: Result<(), Diagnostic>) -> Exit {
    match written {
        Ok(()) => Exit::Held,
        Err(error) => {
            diagnostic::print(&[error]);
            Exit::Incomplete
        }
    }
}

/// The page of a command, in roff.
fn page(command: &clap::Command) -> Result<String, Diagnostic> {
    let mut out = Vec::new();
    let written = clap_mangen::Man::new(command.clone()).render(&mut out);
    written.map_err(|error| Diagnostic::new(format!("the page cannot be written: {error}")))?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// Writes `flipside.1`, `flipside-probe.1` and so on.
fn write_all(root: &clap::Command, out: &str) -> Result<(), Diagnostic> {
    let refused = |error| Diagnostic::new(format!("`--out {}`: {error}", Foreign(out)));
    fs_err::create_dir_all(out).map_err(refused)?;
    let mut left = vec![root];
    while let Some(command) = left.pop() {
        let name = command.get_display_name().unwrap_or("flipside");
        let path = Path::new(out).join(format!("{name}.1"));
        fs_err::write(path, page(command)?).map_err(refused)?;
        left.extend(
            command
                .get_subcommands()
                .filter(|inner| inner.get_name() != "help"),
        );
    }
    Ok(())
}
