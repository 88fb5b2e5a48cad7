//! The environment variables that the program itself reads; those of models are in `flipside_models::env`.

/// A variable and what it means.
#[derive(Debug)]
pub(crate) struct Variable {
    pub(crate) name: &'static str,
    pub(crate) meaning: &'static str,
}

/// The file that GitHub Actions shows as a job's summary.
pub(crate) const GITHUB_STEP_SUMMARY: Variable = Variable {
    name: "GITHUB_STEP_SUMMARY",
    meaning: "the file to which `flipside report --format github` appends the job summary; GitHub Actions sets it",
};
/// Turns colour off.
pub(crate) const NO_COLOR: Variable = Variable {
    name: "NO_COLOR",
    meaning: "set to anything, no output is coloured",
};
/// Turns colour on where standard output is no terminal.
pub(crate) const CLICOLOR_FORCE: Variable = Variable {
    name: "CLICOLOR_FORCE",
    meaning: "set to anything but `0`, output is coloured where it goes to no terminal too",
};

/// All of them, by name.
pub(crate) const VARIABLES: [&Variable; 3] = [&CLICOLOR_FORCE, &GITHUB_STEP_SUMMARY, &NO_COLOR];

/// The value of a variable that is set to something.
pub(crate) fn value(variable: &Variable) -> Option<String> {
    std::env::var(variable.name)
        .ok()
        .filter(|value| !value.is_empty())
}
