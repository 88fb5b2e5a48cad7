//! Errors on standard error, in one form: `error: …`, the causes, then `help: …`.

use std::fmt::Display;
use std::io::Write;

/// One error as a person reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Diagnostic {
    /// The first line, which stands alone.
    pub(crate) text: String,
    /// What to do.
    pub(crate) help: Option<String>,
}

impl Diagnostic {
    pub(crate) fn new(text: impl Display) -> Self {
        Self {
            text: text.to_string(),
            help: None,
        }
    }

    /// An error with its chain of causes on the same line.
    pub(crate) fn caused(error: &dyn std::error::Error) -> Self {
        let mut text = error.to_string();
        let mut cause = error.source();
        while let Some(source) = cause {
            let next = source.to_string();
            if !text.ends_with(&next) {
                text = format!("{text}: {next}");
            }
            cause = source.source();
        }
        Self { text, help: None }
    }

    pub(crate) fn help(mut self, help: impl Display) -> Self {
        self.help = Some(help.to_string());
        self
    }

    pub(crate) fn maybe_help(mut self, help: Option<impl Display>) -> Self {
        self.help = help.map(|help| help.to_string());
        self
    }
}

/// Prints errors; one help that several share is printed once, after them.
pub(crate) fn print(errors: &[Diagnostic]) {
    let mut err = anstream::stderr().lock();
    for (place, error) in errors.iter().enumerate() {
        // Nothing can be said to a closed standard error.
        let _ = writeln!(err, "error: {}", error.text);
        let next = errors.get(place + 1).and_then(|next| next.help.as_ref());
        if let Some(help) = error.help.as_ref().filter(|help| Some(*help) != next) {
            let _ = writeln!(err, "help: {help}");
        }
    }
}

/// Prints one line for people.
pub(crate) fn say(text: impl Display) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

/// Writes data to standard output.
///
/// # Errors
/// What keeps it from being written; a closed pipe is no error.
pub(crate) fn data(text: &str) -> Result<(), Diagnostic> {
    let mut out = anstream::stdout().lock();
    written(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// What writing to standard output came to; a closed pipe is no error.
pub(crate) fn written(result: std::io::Result<()>) -> Result<(), Diagnostic> {
    match result {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Diagnostic::new(
            format!("standard output cannot be written: {error}"),
        )),
        _ => Ok(()),
    }
}
