//! `flipside suite generate`: base cases to rows.

use flipside_core::foreign::Foreign;
use flipside_core::suite;
use flipside_formats::suite::{read_bases, rows_text};

use super::report::told;
use crate::diagnostic::{self, Diagnostic, data};
use crate::exit::Exit;
use crate::flags::SuiteGenerateFlags;
use crate::settings::{self, SuiteGenerate};

/// Runs the command.
pub(super) fn generate(flags: &SuiteGenerateFlags) -> Exit {
    let settings = settings::suite_generate(flags);
    let text = match read_bases(&settings.bases) {
        Ok(bases) => rows_text(&suite::generate(&bases, &settings.bases.to_string())),
        Err(errors) => {
            diagnostic::print(&told(&errors));
            return Exit::Usage;
        }
    };
    match write(&settings, &text) {
        Ok(()) => Exit::Held,
        Err((error, exit)) => {
            diagnostic::print(&[error]);
            exit
        }
    }
}

fn write(settings: &SuiteGenerate, text: &str) -> Result<(), (Diagnostic, Exit)> {
    let Some(out) = &settings.out else {
        return data(text).map_err(|error| (error, Exit::Incomplete));
    };
    let shown = Foreign(out.as_str());
    if settings.bases.to_string() == out.as_str() {
        let text = format!("`--out {shown}` is the file of base cases");
        let help = "name another file; the rows would replace what they are made of";
        return Err((Diagnostic::new(text).help(help), Exit::Usage));
    }
    fs_err::write(out, text).map_err(|error| {
        let error = Diagnostic::new(format!("`--out {shown}`: {error}"));
        (error, Exit::Usage)
    })
}
