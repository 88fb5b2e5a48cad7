//! Every warning, with its text.

use std::fmt;

use flipside_core::canary::Canary;
use flipside_core::record::FailedKind;
use flipside_core::summary::ServedVersion;

use super::recorded::RecordedWarning;
use crate::wording::{
    canary, count, failed, foreign, list, matter, percent_of, plural, sentence, served_versions,
    variant,
};

/// Something in a finished summary that weakens what its figures say.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// The control flips as often as some axes.
    ControlFlips {
        /// Cases whose control flipped, of those compared.
        control: (u64, u64),
        /// The variant that flips most of each such axis.
        worst: Vec<Flipping>,
    },
    /// Gates on axes failed, and neither was a control asked nor a flip of theirs once more.
    NoControl {
        /// The variant that flips most of each such axis.
        worst: Vec<Flipping>,
        /// Whether another order was asked.
        orders: bool,
    },
    /// More asks failed than can be shrugged off.
    FailedAsks {
        /// Failed asks.
        failed: u64,
        /// Asks made.
        made: u64,
        /// The kind that most of them are of.
        most: Option<FailedKind>,
    },
    /// Integer-like keys were sent over HTTP.
    IntegerKeys {
        /// Cases that have one.
        cases: u64,
        /// Such a key.
        key: String,
    },
    /// Not every order was asked, though all were asked for.
    Sampled,
    /// The backend's confidence is not what its documents say.
    ConfidenceKind {
        /// What its documents say.
        declared: &'static str,
        /// What it looks like.
        fits: Vec<&'static str>,
    },
    /// More than one model answered.
    ServedModels {
        /// Which, and when.
        versions: Vec<ServedVersion>,
    },
    /// Every answer is in one position, or is one key or one option.
    ConstantAnswer(ConstantAnswer),
    /// Every flip of the run, or of some axes, is within a tie.
    TieFlipsOnly {
        /// Flips.
        flips: u64,
        /// The axes, where others have firm flips; empty if none has.
        axes: Vec<String>,
    },
    /// Gates on axes that apply to no case.
    NothingToMeasure {
        /// The axes.
        axes: Vec<String>,
    },
    /// Some cases were left out because an earlier one is the same.
    Duplicates {
        /// How many.
        left_out: u64,
    },
    /// There is a fit gate and no case says which options are right.
    NoLabels,
    /// One position holds the right option of every labelled case.
    GoldInOnePosition {
        /// Labelled cases.
        of: u64,
        /// The position from 0, where all have one number of options.
        position: Option<u16>,
    },
    /// Whoever always picks one position is right more often than the model.
    PositionBeats {
        /// What it gets, of the labelled cases.
        position: (u64, u64),
        /// What the model gets.
        right: u64,
    },
    /// Options of one case have the same text.
    EqualTexts {
        /// Cases that have such options.
        cases: u64,
        /// Cases.
        of: u64,
    },
    /// Cases share their state with others, and no clusters are declared.
    SharedStates {
        /// Cases that do.
        cases: u64,
        /// Cases.
        of: u64,
    },
    /// Reversal alone cannot see a preference for both ends or for the middle.
    ReversalAlone {
        /// The orders asked.
        asked: Vec<String>,
        /// Cases with three options or more.
        cases: u64,
        /// Whether a control was asked already.
        control: bool,
    },
    /// Rotations alone cannot see an effect of the neighbour.
    RotationsAlone {
        /// The orders asked.
        asked: Vec<String>,
        /// Cases with three options or more.
        cases: u64,
    },
    /// Some position holds the same option in every order asked.
    FixedPosition {
        /// Cases.
        cases: u64,
        /// The position, from 0.
        position: u16,
    },
    /// A remark on replies that are valid all the same.
    Remark {
        /// What was found.
        text: String,
        /// Answers that it is about.
        answers: u64,
        /// Answers to planned asks.
        of: u64,
    },
    /// Further remarks.
    MoreRemarks {
        /// How many different ones.
        more: u64,
    },
    /// Something about recorded answers.
    Recorded(RecordedWarning),
}

/// The variant of an axis that flips most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flipping {
    /// The axis.
    pub axis: String,
    /// The value on it.
    pub variant: String,
    /// Its flips.
    pub flips: u64,
    /// Of so many pairs.
    pub pairs: u64,
}

impl Flipping {
    pub(super) fn name(&self) -> String {
        format!("`{}`", variant(&self.axis, &self.variant))
    }

    pub(super) fn share(&self) -> String {
        format!("{}/{}", count(self.flips), count(self.pairs))
    }
}

/// Answers that are all alike.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstantAnswer {
    /// Answers.
    pub answers: u64,
    /// Whether they are those of every order and control; else of the own order alone.
    pub every: bool,
    /// The key, if they all are one.
    pub key: Option<String>,
    /// The position from 0, if they all are in one.
    pub position: Option<u16>,
    /// The place in the file from 0, if they all are one option.
    pub option: Option<u16>,
    /// Whether other orders were asked.
    pub orders: bool,
    /// What the best fixed position would get, of the labelled cases.
    pub position_baseline: Option<(u64, u64)>,
    /// What the best fixed key would get, of the labelled cases.
    pub key_baseline: Option<(u64, u64)>,
    /// What an order canary found that may be why nothing flips.
    pub canary: Option<Canary>,
}

impl Warning {
    /// The warning for somebody whose call keeps nothing that a command could go on with.
    pub fn for_a_caller(&self) -> String {
        self.to_string().replace(AGAIN, ANEW)
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |(part, whole): (u64, u64)| format!("{}/{}", count(part), count(whole));
        let (seen, matters, act) = match self {
            Self::Recorded(warning) => return warning.fmt(f),
            Self::Remark { text, answers, of } => {
                return write!(f, "{} of {}: {}", count(*answers), plural(*of, "answer", "answers"), foreign(text));
            }
            Self::MoreRemarks { more } => {
                return write!(
                    f,
                    "{} on replies in the summary (`--json`, or `summary.json` of the run folder)",
                    plural(*more, "further remark", "further remarks")
                );
            }
            Self::ControlFlips { control, worst } => (
                {
                    let mut flipped = vec![format!("the control flipped in {}", of(*control))];
                    flipped.extend(worst.iter().map(|each| format!("{} in {}", each.name(), each.share())));
                    list(&flipped)
                },
                format!(
                    "the backend disagrees with itself as often, so these flips do not show that {}",
                    matter(&axes(worst))
                ),
                "make the backend answer the same request alike (temperature 0, a fixed seed) and probe again".to_owned(),
            ),
            Self::NoControl { worst, orders } => (
                {
                    let flipped = worst.iter().map(|each| format!("{} flipped {}", each.name(), each.share()));
                    format!("{}, and nothing was asked twice", list(&flipped.collect::<Vec<_>>()))
                },
                "a backend that disagrees with itself would flip too".to_owned(),
                if *orders {
                    "leave out `--no-confirm`, or add `same:1` to `--order`".to_owned()
                } else {
                    "leave out `--no-confirm`, or add `--order same:1`".to_owned()
                },
            ),
            Self::FailedAsks { failed: lost, made, most } => (
                format!(
                    "{} of {} failed ({}{})",
                    count(*lost),
                    plural(*made, "ask", "asks"),
                    percent_of(*lost, *made),
                    most.map(|kind| format!(", mostly {}", failed(kind))).unwrap_or_default(),
                ),
                "what they would have said is in no rate, and bounds count it against the model".to_owned(),
                format!("{}; {AGAIN}", most.map_or(MEND, remedy)),
            ),
            Self::IntegerKeys { cases, key } => (
                format!("{} keys such as `{}`", have(*cases), foreign(key)),
                "a hop written in JavaScript moves such members to the front of an object, so the model may not see \
                 the order that was sent"
                    .to_owned(),
                format!("start such keys with a letter, such as `k{}`", foreign(key)),
            ),
            Self::Sampled => (
                "`all` was sampled".to_owned(),
                "some case has more orders than `--max-orders`, so orders that were not asked may flip it".to_owned(),
                "raise `--max-orders`, or say `random:N` to name how many are asked".to_owned(),
            ),
            Self::ConfidenceKind { declared, fits } => (
                format!(
                    "the backend's confidence looks like `{}` and not like `{declared}`, which its documents name",
                    fits.join("` or `")
                ),
                "the same word means another quantity, and flipside never judges by it".to_owned(),
                "compare it with no other backend's, and set no threshold on it".to_owned(),
            ),
            Self::ServedModels { versions } => {
                (
                    format!(
                        "{} answered in one run: {}",
                        plural(versions.len() as u64, "model", "models"),
                        served_versions(versions)
                    ),
                    "a pair across a change of the served model compares two models and is counted as missing".to_owned(),
                    "name an exact version as the model and probe again".to_owned(),
                )
            }
            Self::ConstantAnswer(found) => constant(found),
            Self::TieFlipsOnly { flips, axes } => (
                {
                    let under = if axes.is_empty() { String::new() } else { format!(" under {}", quoted(axes)) };
                    match *flips {
                        1 => format!("the only flip{under} is within a tie"),
                        n => format!("all {} flips{under} are within a tie", count(n)),
                    }
                },
                "the two best probabilities are equal as reported, so how the backend breaks ties decides".to_owned(),
                "have it report more decimals, or read these cases as undecided".to_owned(),
            ),
            Self::NothingToMeasure { axes } => {
                let gates: Vec<String> = axes.iter().map(|axis| format!("none:{}", foreign(axis))).collect();
                let (gate, it) = match axes.len() {
                    1 => ("its gate has", "it"),
                    _ => ("their gates have", "them"),
                };
                (
                    format!("no case can be asked under {}", quoted(axes)),
                    format!("{gate} nothing to measure and cannot hold"),
                    format!("leave {it} out of `--axis`, or `--gate {}` removes {it}", gates.join(",")),
                )
            }
            Self::Duplicates { left_out } => (
                match *left_out {
                    1 => "1 case was left out".to_owned(),
                    n => format!("{} cases were left out", count(n)),
                },
                "an earlier case is the same, and one decision counts once".to_owned(),
                "remove them from the file, or write cases that differ".to_owned(),
            ),
            Self::NoLabels => (
                "no case says which options are right".to_owned(),
                "the fit gate has nothing to measure and cannot hold".to_owned(),
                "label the cases, or `--gate none:fit` removes it".to_owned(),
            ),
            Self::GoldInOnePosition { of, position } => (
                format!(
                    "the right option of all {} labelled cases stands in {}",
                    count(*of),
                    position.map_or_else(
                        || "one position for each number of options".to_owned(),
                        |position| format!("position {}", u32::from(position) + 1)
                    )
                ),
                "a model that always picks that position is right every time, so accuracy in the own order shows no reading".to_owned(),
                "shuffle the options in the file, or read accuracy in the other orders".to_owned(),
            ),
            Self::PositionBeats { position, right } => (
                format!(
                    "one fixed position would get {}, the model got {}",
                    of(*position),
                    of((*right, position.1))
                ),
                "a model that reads nothing does better here".to_owned(),
                "look at what the model is shown (`--verbose` lists its answers), and do not use it for such cases".to_owned(),
            ),
            Self::EqualTexts { cases, of: all } => (
                format!(
                    "{} of {} two options with the same text",
                    count(*cases),
                    if *cases == 1 { format!("{} has", plural(*all, "case", "cases")) } else { format!("{} have", plural(*all, "case", "cases")) }
                ),
                "to whoever reads the texts they are one answer, so that its place decides which of them is named".to_owned(),
                "give them different texts, or declare them with `equal`".to_owned(),
            ),
            Self::SharedStates { cases, of: all } => (
                format!("{} of {} share their state with another case", count(*cases), plural(*all, "case", "cases")),
                "such cases depend on each other and are counted as if they did not, so bounds in general are too narrow".to_owned(),
                "name the field that holds them together with `--cluster FIELD`; cases carry it in `fields`".to_owned(),
            ),
            Self::ReversalAlone { asked, cases, control } => (
                only(asked, *cases),
                "reversal cannot see a preference for both ends or for the middle".to_owned(),
                if *control {
                    "add `rotate:1` to `--order`".to_owned()
                } else {
                    "add `rotate:1` or use `--order check`".to_owned()
                },
            ),
            Self::RotationsAlone { asked, cases } => (
                only(asked, *cases),
                "rotations keep circular neighbours, so they cannot see an effect of the option before or after".to_owned(),
                "add `reverse` or use `--order balanced`".to_owned(),
            ),
            Self::FixedPosition { cases, position } => (
                format!(
                    "position {} holds the same option in every order asked of {}",
                    u32::from(*position) + 1,
                    plural(*cases, "case", "cases")
                ),
                "a model that always picks it never flips".to_owned(),
                "add `rotate:1` or `random:1` to `--order`".to_owned(),
            ),
        };
        f.write_str(&sentence(&seen, &matters, &act))
    }
}

/// The axes of variants.
fn axes(worst: &[Flipping]) -> Vec<&str> {
    worst.iter().map(|each| each.axis.as_str()).collect()
}

/// Names in backticks, as a list.
fn quoted(names: &[String]) -> String {
    let names: Vec<String> = names
        .iter()
        .map(|name| format!("`{}`", foreign(name)))
        .collect();
    list(&names)
}

fn constant(found: &ConstantAnswer) -> (String, String, String) {
    let place = found
        .position
        .map(|position| format!("in position {}", u32::from(position) + 1));
    let key = found
        .key
        .as_deref()
        .map(|key| format!("`{}`", foreign(key)));
    // In the own order an option's place is its position.
    let option = found
        .option
        .filter(|_| found.every)
        .map(|option| format!("option {} of their file's order", u32::from(option) + 1));
    let what = match (key, place, option) {
        (Some(key), Some(place), _) => format!("{key}, {place}"),
        (Some(one), None, _) | (None, Some(one), _) | (None, None, Some(one)) => one,
        (None, None, None) => "the same".to_owned(),
    };
    let whose = if found.every {
        "answers, in every order asked,"
    } else {
        "own-order answers"
    };
    let looks = match (found.every, found.position, &found.canary) {
        (true, None, Some(saw)) => format!(
            "that they never flip may be no merit of the model, the order canary found this: {}; a model that reads nothing answers \
             like that too",
            canary(saw)
        ),
        (true, None, None) => {
            "that they never flip is real, and a model that reads nothing answers like that too"
                .to_owned()
        }
        _ => "a model that reads nothing answers like that".to_owned(),
    };
    let act = match (found.every, found.orders) {
        (false, true) => "look at the other orders, and add cases whose right answers differ",
        (false, false) => "add `--order check`, and cases whose right answers differ",
        (true, _) => "add cases whose right answers differ",
    };
    let of = |(part, whole): (u64, u64)| format!("{}/{}", count(part), count(whole));
    let baselines = match (found.position_baseline, found.key_baseline) {
        (Some(place), Some(key)) => format!(
            " (the best fixed position would get {}, the best fixed key {})",
            of(place),
            of(key)
        ),
        _ => String::new(),
    };
    (
        format!("all {} {whose} are {what}", count(found.answers)),
        looks + &baselines,
        act.to_owned(),
    )
}

/// What was asked of how many cases, where it is too little.
fn only(asked: &[String], cases: u64) -> String {
    let (are, order) = if asked.len() == 1 {
        ("is", "order")
    } else {
        ("are", "orders")
    };
    format!(
        "{} {are} the only {order} asked, and {} three options or more",
        quoted(asked),
        have(cases)
    )
}

fn have(cases: u64) -> String {
    if cases == 1 {
        "1 case has".to_owned()
    } else {
        format!("{} cases have", count(cases))
    }
}

/// What the same command does about failed asks.
const AGAIN: &str = "the same command with the same `--out` asks those again that failed for lack of an answer (a status \
                     of 5xx, 408, 409 or 429, a page of HTML, a broken connection, a timeout), and nothing else";

/// What a call does about them that keeps nothing.
const ANEW: &str = "then call again, which asks everything anew";

const MEND: &str = "mend what failed";

fn remedy(kind: FailedKind) -> &'static str {
    match kind {
        FailedKind::Malformed => "read their replies and mend the server's",
        FailedKind::Status => {
            "look at the example in the report's `failed` line and mend what it names"
        }
        FailedKind::Connection => "see that the server is up",
        FailedKind::Timeout => "raise `--timeout` or lower `--concurrency`",
        FailedKind::Unsupported => "leave out questions that the model cannot answer",
        FailedKind::Unavailable => "record what the replayed run does not hold",
        _ => MEND,
    }
}
