//! Recorded answers of other programs, read as decisions.

mod exchanges;
mod laws;
mod offered;
mod real;
mod refused;
mod results;
mod tables;

use camino::{Utf8Path, Utf8PathBuf};
use flipside_core::case::Case;
use flipside_core::record::Outcome;
use flipside_core::recorded::Decision;
use flipside_formats::import::{self, Error, Recording, Supplements};
use flipside_formats::read::{Input, ReadOptions, read_cases};

/// The recorded answers of sys1-eval.
fn sys1_eval(name: &str) -> Utf8PathBuf {
    Utf8Path::new("../flipside/tests/data/sys1-eval").join(name)
}

/// The cases in a file.
fn cases(path: &Utf8Path) -> Vec<Case> {
    let input = Input::Path(path.to_owned());
    let set = read_cases(&[input], &ReadOptions::default()).expect("the case file is good");
    set.cases
}

/// A recording that reads well.
fn read(path: &Utf8Path, supplements: &Supplements) -> Recording {
    import::read(path, supplements).unwrap_or_else(|errors| panic!("{}", told(&errors)))
}

/// Errors as a person sees them.
fn told(errors: &[Error]) -> String {
    let mut text = String::new();
    for error in errors {
        text.extend([format!("error: {error}\n")]);
        let mut cause = std::error::Error::source(error);
        while let Some(source) = cause {
            text.extend([format!("  because: {source}\n")]);
            cause = source.source();
        }
        text.extend(error.help().map(|help| format!("  help: {help}\n")));
    }
    text
}

/// A folder with files in it.
struct Folder {
    folder: tempfile::TempDir,
}

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        Self { folder }
    }

    fn path(&self, name: &str) -> Utf8PathBuf {
        let path = Utf8PathBuf::from_path_buf(self.folder.path().join(name));
        path.expect("a path in UTF-8")
    }

    fn write(&self, name: &str, text: &str) -> Utf8PathBuf {
        let path = self.path(name);
        fs_err::write(&path, text).expect("a file can be written");
        path
    }

    /// What reading a file of this text comes to.
    fn read(&self, name: &str, text: &str) -> Recording {
        read(&self.write(name, text), &Supplements::default())
    }

    /// The errors of a file of this text, without the folder's name.
    fn errors(&self, name: &str, text: &str, supplements: &Supplements) -> String {
        let path = self.write(name, text);
        let errors = import::read(&path, supplements).expect_err("the file is bad");
        let folder = path.parent().expect("the file is in a folder");
        told(&errors).replace(folder.as_str(), "")
    }
}

/// The key that was chosen in a decision's own order.
fn chosen(decision: &Decision) -> Option<&str> {
    key(decision, decision.outcome.as_ref()?)
}

/// The key that an outcome chose.
fn key<'a>(decision: &'a Decision, outcome: &Outcome) -> Option<&'a str> {
    let Outcome::Answered(answer) = outcome else {
        return None;
    };
    Some(decision.case.options[answer.choice?.index()].key.0.as_str())
}

/// A decision as one line.
fn line(decision: &Decision) -> String {
    let case = &decision.case;
    let options: Vec<&str> = case
        .options
        .iter()
        .map(|option| option.key.0.as_str())
        .collect();
    let shown = |outcome: &Outcome| match outcome {
        Outcome::Answered(answer) => {
            let p = answer
                .probabilities
                .as_ref()
                .map_or(String::new(), |p| format!(" {p:?}"));
            format!("{}{p}", key(decision, outcome).unwrap_or("nothing"))
        }
        Outcome::Failed(failed) => format!("failed ({:?}): {}", failed.kind, failed.message),
    };
    let mut text = format!("{} {}", case.id, case.question.kind.name());
    let unlisted = if case.brought.unlisted {
        " unlisted"
    } else {
        ""
    };
    text.extend([format!(" [{}]{unlisted}", options.join(","))]);
    if !case.accept.is_empty() {
        let accepted: Vec<&str> = (case.accept.iter())
            .map(|id| case.options[id.index()].key.0.as_str())
            .collect();
        text.extend([format!(" right {}", accepted.join(","))]);
    }
    text.extend(
        decision
            .outcome
            .as_ref()
            .map(|own| format!("\n  own: {}", shown(own))),
    );
    for ask in &decision.others {
        text.extend([format!(
            "\n  {} {}: {}",
            ask.variant,
            ask.order,
            shown(&ask.outcome)
        )]);
    }
    for missing in &decision.missing {
        text.extend([format!("\n  missing: {missing}")]);
    }
    text.extend([format!("\n  {:?}\n", decision.standing())]);
    text
}

/// All of a recording as lines.
fn lines(recording: &Recording) -> String {
    let about = &recording.about;
    let mut text = format!(
        "{} of `{}`: {} decisions, {} asks, {} failed{}\n",
        recording.format,
        about.model,
        about.cases,
        about.recorded,
        about.failed,
        if about.complete { "" } else { ", incomplete" },
    );
    text.extend(recording.decisions.iter().map(line));
    for warning in &recording.warnings {
        text.extend([format!("warning: {warning}\n")]);
    }
    text
}
