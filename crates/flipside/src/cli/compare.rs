//! `flipside compare`: recorded answers set against each other; nothing is asked.
//!
//! What is on record decides what is reported: answers to the same presentations make a comparison of two versions, answers to
//! other presentations of the same cases the summary of a probe.

use std::path::Path;

use camino::Utf8Path;
use flipside_core::compare::{AnswerSet, Comparison, Wanted};
use flipside_core::foreign::Foreign;
use flipside_core::recorded::{self, Join, Pairing, Shown};
use flipside_core::summary::Summary;
use flipside_report::{json, terminal, warning};

use super::sides;
use crate::cli::json_file::{JsonFile, Kept};
use crate::diagnostic::{self, Diagnostic, data, say};
use crate::exit::Exit;
use crate::flags::CompareFlags;
use crate::settings::{self, Compare};

/// Runs the command.
pub(crate) fn compare(flags: &CompareFlags) -> Exit {
    let compared = settings::compare(flags).and_then(|settings| {
        let found = found(&settings)?;
        let file = open_json(&settings).map_err(|error| vec![error])?;
        Ok((settings, found, file))
    });
    let (settings, found, file) = match compared {
        Ok(compared) => compared,
        Err(errors) => {
            diagnostic::print(&errors);
            return Exit::Usage;
        }
    };
    if same_record(&settings) {
        let name = Foreign(settings.baseline.as_str());
        let kind = if settings.baseline.is_dir() {
            "run folder"
        } else {
            "file"
        };
        say(format!(
            "warning: both sides are the {kind} `{name}`: no answer can differ"
        ));
    }
    match report(&settings, &found, file) {
        Ok(()) => match found.exit() {
            0 => Exit::Held,
            1 => Exit::NotHeld,
            _ => Exit::Incomplete,
        },
        Err(error) => {
            diagnostic::print(&[error]);
            Exit::Incomplete
        }
    }
}

/// What recorded answers show.
enum Found {
    /// Of two sides that were shown the same.
    Comparison(Box<Comparison>),
    /// Of two presentations of the same cases.
    Pairs(Box<Summary>),
}

impl Found {
    fn exit(&self) -> u8 {
        match self {
            Self::Comparison(comparison) => comparison.exit,
            Self::Pairs(summary) => summary.exit,
        }
    }
}

/// Whether a record would be compared with itself.
fn same_record(settings: &Compare) -> bool {
    let real = |path: &Utf8Path| fs_err::canonicalize(path).ok();
    let baseline = real(&settings.baseline);
    let variant = settings.variant.as_deref().and_then(real);
    baseline.is_some() && baseline == variant
}

/// Both sides, or what is wrong with each.
fn found(settings: &Compare) -> Result<Found, Vec<Diagnostic>> {
    sides::refuse_cases(settings)?;
    let Some(variant) = &settings.variant else {
        let baseline = sides::read(&settings.baseline, &settings.cases, settings)?;
        let name = Foreign(baseline.about.name.as_str()).to_string();
        let whole = format!("`{name}` alone is read for several presentations of each case");
        refuse_flags(&settings.for_same, &whole)?;
        let pairing = recorded::several(baseline).map_err(|refusal| refused(&refusal))?;
        return pairs(settings, pairing);
    };
    let baseline = sides::read(&settings.baseline, &settings.cases, settings);
    let own = Some(&settings.variant_cases).filter(|own| !own.is_empty());
    let variant = sides::read(variant, own.unwrap_or(&settings.cases), settings);
    let (baseline, variant) = match (baseline, variant) {
        (Ok(baseline), Ok(variant)) => (baseline, variant),
        (baseline, variant) => {
            let errors = [baseline.err(), variant.err()];
            return Err(errors.into_iter().flatten().flatten().collect());
        }
    };
    let join = Join::new(&baseline, &variant);
    let shown = join.shown(&baseline, &variant);
    if asked_alike(&baseline, &variant, shown) {
        refuse_flags(&settings.for_others, "both sides were shown the same")?;
        return comparison(settings, &baseline, &variant);
    }
    let others = shown.otherwise + shown.unlisted;
    let of = others + shown.alike;
    let whole = match (others, shown.unlisted) {
        (0, _) => "no case is on both sides".to_owned(),
        (_, 0) => format!("{others} of {of} common cases were shown otherwise"),
        (_, unlisted) => {
            format!("what {unlisted} of {of} common cases were shown is not on record")
        }
    };
    refuse_flags(&settings.for_same, &whole)?;
    let pairing = recorded::pair(baseline, variant, join).map_err(|refusal| refused(&refusal))?;
    pairs(settings, pairing)
}

/// Whether the two sides are answers to the same presentations, as far as their records say.
///
/// Two runs of ours are, where they share a case: one that was edited between them is counted as other content. Two models are
/// too where nothing on record says otherwise: nobody compares two changes at once on purpose.
fn asked_alike(baseline: &AnswerSet, variant: &AnswerSet, shown: Shown) -> bool {
    let ours = [baseline, variant].map(|set| set.about.flipside.is_some());
    let other_models = recorded::other_models(&baseline.about, &variant.about).is_some();
    match shown {
        Shown { alike: 1.., .. } if ours == [true; 2] => true,
        Shown {
            otherwise: 0,
            unlisted: 0,
            ..
        } => shown.alike > 0 || ours == [true; 2],
        Shown { otherwise: 0, .. } => other_models,
        _ => false,
    }
}

/// Refuses `flags`, which are not about what is reported.
fn refuse_flags(flags: &[&str], whole: &str) -> Result<(), Vec<Diagnostic>> {
    if flags.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = flags.iter().map(|flag| format!("`{flag}`")).collect();
    let (verb, what) = match names.len() {
        1 => ("does not apply", "it"),
        _ => ("do not apply", "them"),
    };
    let text = format!("{} {verb}: {whole}", names.join(", "));
    let help = format!(
        "leave {what} out; `flipside compare --help` lists what judges answers to the same presentations and to others"
    );
    Err(vec![Diagnostic::new(text).help(help)])
}

fn refused(refusal: &recorded::Refusal) -> Vec<Diagnostic> {
    vec![Diagnostic::new(refusal).help(refusal.help())]
}

fn comparison(
    settings: &Compare,
    baseline: &AnswerSet,
    variant: &AnswerSet,
) -> Result<Found, Vec<Diagnostic>> {
    let wanted = Wanted {
        version: env!("CARGO_PKG_VERSION"),
        orders: &settings.orders,
        by: &settings.groups.by,
        equivalent: settings.equivalent,
        not_worse: settings.not_worse,
        alpha: settings.alpha,
    };
    flipside_core::compare::compare(baseline, variant, &wanted)
        .map(|comparison| Found::Comparison(Box::new(comparison)))
        .map_err(|refusal| vec![Diagnostic::new(&refusal).help(refusal.help())])
}

fn pairs(settings: &Compare, pairing: Pairing) -> Result<Found, Vec<Diagnostic>> {
    settings.groups.check(&pairing.cases()).map_err(|found| {
        let told = found
            .iter()
            .map(|error| Diagnostic::new(error).help(error.help()));
        told.collect::<Vec<_>>()
    })?;
    let gates = flipside_core::gate::Gates {
        alpha: settings.alpha,
        population: settings.population,
        groups: settings.groups.clone(),
        ..pairing.gates(&settings.gates, settings.strict)
    };
    let version = env!("CARGO_PKG_VERSION");
    let summary = pairing.summary(&gates, version, settings.threshold);
    Ok(Found::Pairs(Box::new(summary)))
}

/// Opens `--json`'s file; one that is compared, or in a compared run folder, is refused.
fn open_json(settings: &Compare) -> Result<Option<JsonFile>, Diagnostic> {
    let Some(path) = settings.json.as_deref() else {
        return Ok(None);
    };
    let sides: Vec<&Utf8Path> = std::iter::once(&settings.baseline)
        .chain(&settings.variant)
        .map(camino::Utf8PathBuf::as_path)
        .collect();
    if path != "-" && sides.iter().any(|side| is_inside(path, side)) {
        let help = "name another file; a run folder keeps what its own run wrote";
        let text = format!(
            "`--json {}` is in a run folder that is compared",
            Foreign(path)
        );
        return Err(Diagnostic::new(text).help(help));
    }
    let cases = [
        &settings.cases,
        &settings.variant_cases,
        &settings.options_from,
    ];
    let cases: Vec<String> = cases
        .into_iter()
        .flatten()
        .map(ToString::to_string)
        .collect();
    let files = sides.iter().map(|side| side.as_str());
    let kept = Kept {
        files: files.chain(cases.iter().map(String::as_str)).collect(),
        folders: Vec::new(),
    };
    JsonFile::open(path, &kept).map(Some)
}

/// Whether `path` would be written into `folder`.
fn is_inside(path: &str, folder: &Utf8Path) -> bool {
    let parent = match Path::new(path).parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let parent = fs_err::canonicalize(parent).ok();
    let folder = fs_err::canonicalize(folder).ok();
    folder
        .zip(parent)
        .is_some_and(|(folder, parent)| parent.starts_with(folder))
}

fn report(settings: &Compare, found: &Found, file: Option<JsonFile>) -> Result<(), Diagnostic> {
    if !file.as_ref().is_some_and(JsonFile::is_standard) {
        let style = crate::style(settings.verbose);
        data(&match found {
            Found::Comparison(comparison) => terminal::render_comparison(comparison, &style),
            Found::Pairs(summary) => terminal::render(summary, &style),
        })?;
    }
    if let Found::Pairs(summary) = found {
        for warning in warning::warnings(summary) {
            say(format!("warning: {warning}"));
        }
    }
    let Some(file) = file else {
        return Ok(());
    };
    file.write(|out| match found {
        Found::Comparison(comparison) => json::write_comparison(comparison, out),
        Found::Pairs(summary) => json::write(summary, out),
    })
}
