//! What a model runs on.

use camino::Utf8Path;
use flipside_core::model::Card;
use flipside_formats::folder::read_run;

/// Where the system says which processor it has.
const PROCESSORS: &str = "/proc/cpuinfo";

/// What the model of `card` runs on: as `stated` by the user; for a model in process as the system says; for a replayed one as its
/// run says. `None` where nobody knows.
pub(crate) fn of(card: &Card, stated: Option<&str>) -> Option<String> {
    if let Some(stated) = stated {
        return Some(stated.to_owned());
    }
    if let Some(run) = card.spec.strip_prefix("replay:") {
        return read_run(Utf8Path::new(run)).ok()?.hardware;
    }
    // What answers elsewhere, or in a process of its own, may run on anything.
    (!card.remote).then(system)
}

/// Processor and cores of this machine: `AMD EPYC 7B13, 4 cores`.
fn system() -> String {
    let listed = fs_err::read_to_string(PROCESSORS).unwrap_or_default();
    let name = processor(&listed).unwrap_or(std::env::consts::ARCH);
    match std::thread::available_parallelism().map_or(0, std::num::NonZero::get) {
        0 => name.to_owned(),
        1 => format!("{name}, 1 core"),
        cores => format!("{name}, {cores} cores"),
    }
}

/// The name of the first processor in a list of them.
fn processor(listed: &str) -> Option<&str> {
    let names = listed.lines().filter_map(|line| {
        let (field, name) = line.split_once(':')?;
        (field.trim() == "model name").then_some(name.trim())
    });
    names.into_iter().find(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_processor_names_the_machine() {
        let listed = "processor\t: 0\nmodel name\t: AMD EPYC 7B13\nflags\t: a b\n\nprocessor\t: 1\nmodel name\t: Other\n";
        assert_eq!(processor(listed), Some("AMD EPYC 7B13"));
        assert_eq!(processor("processor\t: 0\nCPU part\t: 0xd0c\n"), None);
        assert!(!system().is_empty() && system().contains(" core"));
    }
}
